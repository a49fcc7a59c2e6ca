/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frames.h"

#include "convert.h"
#include "picture.h"

static gsize
frames_get_bytes (const Frames * self)
{
  return (gsize) self->width * self->height * 4;
}

Frames *
frames_new (const OclFormat * format, gint width, gint height,
    const guint8 * pixels)
{
  Frames *self = g_new0 (Frames, 1);

  self->format = format;
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

/* Whether the device has images for all planes. */
static gboolean
frames_have_images (const Frames * self, OclContext * context, GError ** error)
{
  gboolean supported = TRUE;

  if (self->format->buffers_only) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "no kernel takes images of %s", self->format->name);
    return FALSE;
  }
  for (guint i = 0; supported && i < self->format->n_planes; i++) {
    if (!ocl_context_supports_image (context,
            ocl_format_get_image_format (self->format, i), &supported, error))
      return FALSE;
  }
  if (!supported)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device has no images for %s", self->format->name);
  return supported;
}

static gboolean
frames_fit (const Frames * self, OclContext * context, OclStorage storage,
    GError ** error)
{
  const OclDevice *device = context->device;

  if (storage == OCL_STORAGE_BUFFER)
    return TRUE;
  if (device->image_max_width < (gsize) self->width
      || device->image_max_height < (gsize) self->height) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device has no images of this size");
    return FALSE;
  }
  return frames_have_images (self, context, error);
}

static gboolean
frames_write_plane (const Frames * self, OclContext * context, guint plane,
    GError ** error)
{
  const OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];
  g_autofree guint8 *bytes = self->format == OCL_FORMAT_RGBA ? NULL
      : convert_plane (buffer, plane, self->pixels);

  return ocl_check (clEnqueueWriteBuffer (context->queue,
          buffer->planes[plane].memory, CL_TRUE, 0,
          ocl_frame_get_size (buffer, plane), bytes ? bytes : self->pixels, 0,
          NULL, NULL), "clEnqueueWriteBuffer", error);
}

/* Makes the buffer that is read, where there is none yet. */
static gboolean
frames_ensure_buffer (Frames * self, OclContext * context,
    const OclFrame * like, GError ** error)
{
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];

  if (buffer->planes[0].memory)
    return TRUE;
  gboolean ok = ocl_frame_ensure (buffer, context, OCL_STORAGE_BUFFER, like,
      error);
  for (guint i = 0; ok && i < self->format->n_planes; i++)
    ok = frames_write_plane (self, context, i, error);
  return ok;
}

gboolean
frames_upload (Frames * self, OclContext * context, OclStorage storage,
    GError ** error)
{
  const OclFrame like = {.format = self->format,.width = self->width,
    .height = self->height,.colorimetry = CONVERT_COLORIMETRY
  };
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];
  OclFrame *input = &self->input[storage];
  g_autoptr (OclTimer) timer = ocl_timer_new ();

  if (self->output[storage].planes[0].memory)
    return TRUE;
  gboolean ok = frames_fit (self, context, storage, error)
      && frames_ensure_buffer (self, context, &like, error)
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
