/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frames.h"

#include "picture.h"

static gsize
frames_get_bytes (const Frames * self)
{
  return (gsize) self->width * self->height * 4;
}

Frames *
frames_new (gint width, gint height, const guint8 * pixels)
{
  Frames *self = g_new0 (Frames, 1);

  self->width = width;
  self->height = height;
  self->pixels = pixels ? g_memdup2 (pixels, frames_get_bytes (self))
      : picture_draw (width, height);
  return self;
}

void
frames_free (Frames * self)
{
  for (guint i = 0; i < OCL_N_STORAGES; i++) {
    ocl_frame_clear (&self->input[i]);
    ocl_frame_clear (&self->output[i]);
  }
  g_free (self->pixels);
  g_free (self->written);
  g_free (self);
}

void
frames_ensure_written (Frames * self)
{
  if (!self->written)
    self->written = g_malloc0 (frames_get_bytes (self));
}

static gboolean
frames_fit (const Frames * self, OclContext * context, OclStorage storage,
    GError ** error)
{
  const OclDevice *device = context->device;

  if (storage == OCL_STORAGE_IMAGE
      && (device->image_max_width < (gsize) self->width
          || device->image_max_height < (gsize) self->height)) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device has no images of this size");
    return FALSE;
  }
  return TRUE;
}

gboolean
frames_upload (Frames * self, OclContext * context, OclStorage storage,
    GError ** error)
{
  const OclFrame like = {.format = OCL_FORMAT_RGBA,.width = self->width,
    .height = self->height
  };
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];
  OclFrame *input = &self->input[storage];
  g_autoptr (OclTimer) timer = ocl_timer_new ();

  if (self->output[storage].planes[0].memory)
    return TRUE;
  gboolean ok = frames_fit (self, context, storage, error)
      && ocl_frame_ensure (buffer, context, OCL_STORAGE_BUFFER, &like, error)
      && ocl_check (clEnqueueWriteBuffer (context->queue,
          buffer->planes[0].memory, CL_TRUE, 0, frames_get_bytes (self),
          self->pixels, 0, NULL, NULL), "clEnqueueWriteBuffer", error)
      && ocl_frame_ensure (input, context, storage, &like, error)
      && (input == buffer || ocl_frame_enqueue_copy (context, buffer, input,
          timer, error))
      && ocl_frame_ensure (&self->output[storage], context, storage, &like,
      error);
  return ocl_context_finish (context, ok ? error : NULL) && ok;
}

gboolean
frames_copy_to_output (Frames * self, OclContext * context,
    OclStorage storage, GError ** error)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  gboolean ok = ocl_frame_enqueue_copy (context, &self->input[storage],
      &self->output[storage], timer, error);

  return ocl_context_finish (context, ok ? error : NULL) && ok;
}
