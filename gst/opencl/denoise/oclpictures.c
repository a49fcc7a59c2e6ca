/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpictures.h"

#include <string.h>

/* Allocates memory for @n pictures. If the present memory is too small, drops
 * all data. */
static gboolean
ocl_pictures_reserve (OclPictures * self, OclContext * context, guint n,
    gsize n_floats, GError ** error)
{
  const gsize size = n * n_floats * sizeof (cl_float);

  if (self->n_floats >= n_floats && self->n >= n)
    return TRUE;
  ocl_pictures_forget (self);
  self->n = 0;
  if (size > context->device->max_alloc_size || n * n_floats > G_MAXINT32) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_FAILED,
        "The frames are too large for %s: %u of them take %" G_GSIZE_FORMAT
        " MiB in one memory object. Use smaller frames, or a smaller history "
        "and lookahead.", context->device->name, n, size >> 20);
    return FALSE;
  }
  if (!ocl_memory_ensure (&self->memory, context, size, error))
    return FALSE;
  self->n_floats = n_floats;
  self->n = n;
  return TRUE;
}

static gint
ocl_pictures_find (const OclPictures * self, guint64 serial)
{
  for (guint i = 0; i < self->n; i++) {
    if (serial != 0 && self->serials[i] == serial)
      return i;
  }
  return -1;
}

/* Returns whether @run reads the picture with @serial. */
static gboolean
is_read (const OclRun * run, guint64 serial)
{
  gboolean found = run->serial == serial;

  for (guint i = 0; i < run->n_earlier + run->n_later; i++)
    found |= serial != 0 && run->neighbours[i].serial == serial;
  return found;
}

/* Returns the place of the oldest picture that @run does not read. Serial
 * numbers increase, and an empty place has 0. */
static guint
ocl_pictures_find_free (const OclPictures * self, const OclRun * run)
{
  gint best = -1;

  for (guint i = 0; i < self->n; i++) {
    if (!is_read (run, self->serials[i])
        && (best < 0 || self->serials[i] < self->serials[best]))
      best = i;
  }
  g_assert (best >= 0);
  return best;
}

static gboolean
ocl_pictures_ensure_one (OclPictures * self, OclKernels * kernels,
    const OclRun * run, const OclFrame * frame, guint64 serial,
    OclPicturesFill fill, cl_int * offset, GError ** error)
{
  gint place = ocl_pictures_find (self, serial);

  if (place < 0) {
    OclRun own = *run;

    place = ocl_pictures_find_free (self, run);
    self->serials[place] = 0;
    own.input = frame;
    if (!fill (kernels, &own, self->memory.memory, place * self->n_floats,
            error))
      return FALSE;
    self->serials[place] = serial;
  }
  *offset = place * self->n_floats;
  return TRUE;
}

gboolean
ocl_pictures_ensure (OclPictures * self, OclKernels * kernels,
    const OclRun * run, guint n_neighbours, gsize n_floats,
    OclPicturesFill fill, OclPicturesOffsets * offsets, GError ** error)
{
  const guint n_fields = ocl_picture_is_field (run->serial) ? 2 : 1;
  const guint n = MIN (n_neighbours, run->n_earlier + run->n_later);
  OclRun own = *run;

  if (!ocl_pictures_reserve (self, kernels->context,
          n_fields * (n_neighbours + 1), n_floats, error)
      || !ocl_pictures_ensure_one (self, kernels, &own, run->input,
          run->serial, fill, &offsets->current, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (offsets->neighbours.s); i++) {
    const OclPicture *picture = i < n ? &run->neighbours[i] : NULL;

    offsets->neighbours.s[i] = offsets->current;
    if (picture && picture->serial != 0
        && !ocl_pictures_ensure_one (self, kernels, &own, &picture->frame,
            picture->serial, fill, &offsets->neighbours.s[i], error))
      return FALSE;
  }
  return TRUE;
}

void
ocl_pictures_forget (OclPictures * self)
{
  memset (self->serials, 0, sizeof (self->serials));
}

void
ocl_pictures_clear (OclPictures * self)
{
  ocl_memory_clear (&self->memory);
}
