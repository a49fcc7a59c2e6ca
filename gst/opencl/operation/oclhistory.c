/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistory.h"

/* Number of serial numbers of a frame: for the whole frame and for its
 * fields. */
#define PICTURES_OF_FRAME 3

guint64
ocl_picture_create_serial (void)
{
  static gsize n = 0;

  return ((guint64) (gsize) g_atomic_pointer_add (&n, 1) + 1)
      * PICTURES_OF_FRAME;
}

gboolean
ocl_picture_is_field (guint64 serial)
{
  return serial % PICTURES_OF_FRAME != 0;
}

static guint
count_places (OclNeighbours neighbours)
{
  return neighbours.n_earlier + 1 + neighbours.n_later;
}

gboolean
ocl_history_push (OclHistory * self, OclContext * context,
    const OclFrame * frame, OclNeighbours neighbours, OclTimer * timer,
    GError ** error)
{
  const OclFrameInfo info = ocl_frame_info_get_copy (&frame->info);
  const OclFrameInfo *last = &self->pictures[self->last].frame.info;

  if (self->neighbours.n_earlier != neighbours.n_earlier
      || self->neighbours.n_later != neighbours.n_later
      || last->format != info.format || last->width != info.width
      || last->height != info.height)
    ocl_history_forget (self);
  self->neighbours = neighbours;
  const guint next = (self->last + 1) % count_places (neighbours);

  OclPicture *picture = &self->pictures[next];

  if (!ocl_frame_ensure (&picture->frame, context, &info, error)
      || !ocl_frame_enqueue_copy (context, frame, &picture->frame, timer,
          error))
    return FALSE;
  picture->serial = ocl_picture_create_serial ();
  self->last = next;
  self->n_pushed++;
  return TRUE;
}

void
ocl_history_forget (OclHistory * self)
{
  self->n_pushed = 0;
}

OclPicture
ocl_history_get (const OclHistory * self, gint age, gboolean interlaced)
{
  const guint n_places = count_places (self->neighbours);
  OclPicture picture = {.serial = 0 };

  if (age < 0 || (guint) age >= MIN (self->n_pushed, n_places))
    return picture;
  picture = self->pictures[(self->last + n_places - age) % n_places];
  picture.frame.info.interlaced = interlaced;
  return picture;
}

OclPicture
ocl_picture_get_field (const OclPicture * self, guint field)
{
  OclPicture picture = *self;

  if (self->frame.info.format)
    picture.frame = ocl_frame_get_field (&self->frame, field);
  if (self->serial != 0)
    picture.serial = self->serial + 1 + field;
  return picture;
}

void
ocl_history_clear (OclHistory * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->pictures); i++)
    ocl_frame_clear (&self->pictures[i].frame);
  ocl_history_forget (self);
}
