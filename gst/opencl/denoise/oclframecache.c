/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclframecache.h"

#include <string.h>

/* Allocates memory for @n frames. If the present memory is too small, drops
 * all data. */
static gboolean
ocl_frame_cache_reserve (OclFrameCache * self, OclContext * context, guint n,
    gsize n_floats, GError ** error)
{
  const gsize size = n * n_floats * sizeof (cl_float);

  if (self->n_floats >= n_floats && self->n >= n)
    return TRUE;
  ocl_frame_cache_invalidate (self);
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

/* Sets @offset to the data of @frame. If there is none, computes it in the
 * place of the oldest frame that @run does not read. Serial numbers increase,
 * and an empty place has 0. */
static gboolean
ocl_frame_cache_ensure_one (OclFrameCache * self, OclKernels * kernels,
    const OclRun * run, const OclFrame * frame, guint64 serial,
    OclFrameCacheFill fill, cl_int * offset, GError ** error)
{
  gint place = -1, oldest = -1;

  for (guint i = 0; i < self->n && place < 0; i++) {
    const guint64 other = self->serials[i];
    gboolean is_read = other == run->serial;

    if (serial != 0 && other == serial)
      place = i;
    for (guint k = 0; k < run->n_earlier + run->n_later; k++)
      is_read |= other != 0 && other == run->neighbours[k].serial;
    if (!is_read && (oldest < 0 || other < self->serials[oldest]))
      oldest = i;
  }
  if (place < 0) {
    OclRun own = *run;

    g_assert (oldest >= 0);
    place = oldest;
    self->serials[place] = 0;   /* until the data is computed */
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
ocl_frame_cache_ensure (OclFrameCache * self, OclKernels * kernels,
    const OclRun * run, guint n_neighbours, gsize n_floats,
    OclFrameCacheFill fill, OclFrameCacheOffsets * offsets, GError ** error)
{
  const guint n_fields = ocl_picture_is_field (run->serial) ? 2 : 1;
  const guint present = ocl_frame_cache_get_present (run, n_neighbours);

  if (!ocl_frame_cache_reserve (self, kernels->context,
          n_fields * (n_neighbours + 1), n_floats, error)
      || !ocl_frame_cache_ensure_one (self, kernels, run, run->input,
          run->serial, fill, &offsets->current, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (offsets->neighbours.s); i++) {
    offsets->neighbours.s[i] = offsets->current;
    if (present >> i & 1 && !ocl_frame_cache_ensure_one (self, kernels, run,
            &run->neighbours[i].frame, run->neighbours[i].serial, fill,
            &offsets->neighbours.s[i], error))
      return FALSE;
  }
  return TRUE;
}

guint
ocl_frame_cache_get_present (const OclRun * run, guint n_neighbours)
{
  const guint n = MIN (n_neighbours, run->n_earlier + run->n_later);
  guint present = 0;

  for (guint i = 0; i < n; i++) {
    if (run->neighbours[i].serial != 0)
      present |= 1 << i;
  }
  return present;
}

void
ocl_frame_cache_invalidate (OclFrameCache * self)
{
  memset (self->serials, 0, sizeof (self->serials));
}

void
ocl_frame_cache_clear (OclFrameCache * self)
{
  ocl_memory_clear (&self->memory);
}
