/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclframe.h"

const gchar *const ocl_storage_names[] = {
  [OCL_STORAGE_BUFFER] = "buffer",
  [OCL_STORAGE_IMAGE] = "image",
  [OCL_STORAGE_IMAGE_ARRAY] = "image-array",
  [OCL_STORAGE_IMAGE_BUFFER] = "image-buffer",
  NULL,
};

gint
ocl_frame_info_count_rows (const OclFrameInfo * self, guint shift)
{
  return ocl_format_count_samples (self->height, shift)
      - (self->lacks_row && shift > 0);
}

gint
ocl_frame_info_get_plane_width (const OclFrameInfo * self, guint plane)
{
  return ocl_format_count_samples (self->width,
      self->format->planes[plane].x_shift);
}

gint
ocl_frame_info_get_plane_height (const OclFrameInfo * self, guint plane)
{
  return ocl_frame_info_count_rows (self, self->format->planes[plane].y_shift);
}

gint
ocl_frame_info_get_image_width (const OclFrameInfo * self, guint plane)
{
  return ocl_frame_info_get_plane_width (self, plane)
      << self->format->texel_shift;
}

gsize
ocl_frame_info_get_row_bytes (const OclFrameInfo * self, guint plane)
{
  return (gsize) ocl_frame_info_get_plane_width (self, plane)
      * ocl_format_get_group_bytes (self->format, plane);
}

gboolean
ocl_frame_info_has_fields (const OclFrameInfo * self)
{
  return self->interlaced && self->storage == OCL_STORAGE_BUFFER;
}

OclFrameInfo
ocl_frame_info_get_field (const OclFrameInfo * self, guint field)
{
  OclFrameInfo info = *self;

  info.interlaced = FALSE;
  info.height = (self->height + 1 - field) / 2;
  /* A row of chroma stands for at most two rows. */
  info.lacks_row = field == 1 && self->height % 4 == 2;
  return info;
}

const OclFormat *
ocl_frame_info_get_bytes_format (const OclFrameInfo * self)
{
  return self->bytes_swapped ? self->format->swapped : self->format;
}

OclFrameInfo
ocl_frame_info_get_copy (const OclFrameInfo * self)
{
  OclFrameInfo copy = *self;

  copy.format = ocl_frame_info_get_bytes_format (self);
  copy.storage = OCL_STORAGE_BUFFER;
  copy.bytes_swapped = FALSE;
  return copy;
}

gsize
ocl_frame_get_size (const OclFrame * frame, guint plane)
{
  return (gsize) frame->planes[plane].stride
      * (ocl_frame_info_get_plane_height (&frame->info, plane) - 1)
      + ocl_frame_info_get_row_bytes (&frame->info, plane);
}

OclFrame
ocl_frame_get_field (const OclFrame * frame, guint field)
{
  OclFrame picture = *frame;

  picture.info = ocl_frame_info_get_field (&frame->info, field);
  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    g_assert (frame->info.format->planes[i].y_shift <= 1);
    picture.planes[i].offset += field * frame->planes[i].stride;
    picture.planes[i].stride *= 2;
  }
  return picture;
}

static gboolean
is_packed (const OclFrame * frame, guint plane)
{
  return frame->planes[plane].offset == 0
      && (gsize) frame->planes[plane].stride
      == ocl_frame_info_get_row_bytes (&frame->info, plane);
}

gboolean
ocl_frame_is_packed (const OclFrame * frame)
{
  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    if (!is_packed (frame, i))
      return FALSE;
  }
  return TRUE;
}

/* Copies the last row separately: a buffer may end with its last sample, but
 * NVIDIA's driver expects whole rows in a rectangle. */
static gboolean
ocl_frame_enqueue_buffer_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, guint plane, OclTimer * timer, GError ** error)
{
  const OclPlane *from = &source->planes[plane];
  const OclPlane *to = &target->planes[plane];
  const cl_command_queue queue = ocl_timer_get_queue (timer, context);
  const size_t source_origin[3] = {
    from->offset % from->stride, from->offset / from->stride, 0
  };
  const size_t target_origin[3] = {
    to->offset % to->stride, to->offset / to->stride, 0
  };
  const size_t last =
      ocl_frame_info_get_plane_height (&source->info, plane) - 1;
  const size_t region[3] = {
    ocl_frame_info_get_row_bytes (&source->info, plane), last, 1
  };

  if (last > 0
      && !ocl_check (clEnqueueCopyBufferRect (queue, from->memory,
              to->memory, source_origin, target_origin, region, from->stride,
              0, to->stride, 0, 0, NULL, ocl_timer_add (timer,
                  OCL_TIMER_TRANSFER)), "clEnqueueCopyBufferRect", error))
    return FALSE;
  return ocl_check (clEnqueueCopyBuffer (queue, from->memory,
          to->memory, from->offset + last * from->stride,
          to->offset + last * to->stride, region[0], 0, NULL,
          ocl_timer_add (timer, OCL_TIMER_TRANSFER)), "clEnqueueCopyBuffer",
      error);
}

gboolean
ocl_frame_enqueue_plane_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, guint plane, OclTimer * timer, GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] =
      { ocl_frame_info_get_image_width (&source->info, plane),
    ocl_frame_info_get_plane_height (&source->info, plane), 1
  };
  const cl_mem from = source->planes[plane].memory;
  const cl_mem to = target->planes[plane].memory;

  if (source->info.storage == OCL_STORAGE_BUFFER
      && target->info.storage == OCL_STORAGE_BUFFER)
    return ocl_frame_enqueue_buffer_copy (context, source, target, plane,
        timer, error);

  const cl_command_queue queue = ocl_timer_get_queue (timer, context);
  cl_event *event = ocl_timer_add (timer, OCL_TIMER_TRANSFER);

  if (source->info.storage == OCL_STORAGE_IMAGE
      && target->info.storage == OCL_STORAGE_IMAGE)
    return ocl_check (clEnqueueCopyImage (queue, from, to, origin,
            origin, region, 0, NULL, event), "clEnqueueCopyImage", error);

  if (source->info.storage == OCL_STORAGE_IMAGE) {
    g_return_val_if_fail (is_packed (target, plane), FALSE);
    return ocl_check (clEnqueueCopyImageToBuffer (queue, from, to,
            origin, region, 0, 0, NULL, event), "clEnqueueCopyImageToBuffer",
        error);
  }

  g_return_val_if_fail (is_packed (source, plane), FALSE);
  return ocl_check (clEnqueueCopyBufferToImage (queue, from, to, 0,
          origin, region, 0, NULL, event), "clEnqueueCopyBufferToImage", error);
}

gboolean
ocl_frame_enqueue_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, OclTimer * timer, GError ** error)
{
  for (guint i = 0; i < source->info.format->n_planes; i++) {
    if (!ocl_frame_enqueue_plane_copy (context, source, target, i, timer,
            error))
      return FALSE;
  }
  return TRUE;
}

static cl_mem
ocl_frame_create_memory (OclContext * context, const OclFrame * frame,
    guint plane, GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_mem memory;

  if (frame->info.storage == OCL_STORAGE_IMAGE) {
    cl_image_format format =
        ocl_format_get_image_format (frame->info.format, plane);
    const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D,
      .image_width = ocl_frame_info_get_image_width (&frame->info, plane),
      .image_height = ocl_frame_info_get_plane_height (&frame->info, plane),
    };

    if (frame->info.bytes_swapped)
      format.image_channel_order = CL_BGRA;
    memory = clCreateImage (context->context, CL_MEM_READ_WRITE, &format,
        &description, NULL, &status);
    return ocl_check (status, "clCreateImage", error) ? memory : NULL;
  }

  memory = clCreateBuffer (context->context, CL_MEM_READ_WRITE,
      ocl_frame_get_size (frame, plane), NULL, &status);
  return ocl_check (status, "clCreateBuffer", error) ? memory : NULL;
}

gboolean
ocl_frame_ensure (OclFrame * frame, OclContext * context,
    const OclFrameInfo * info, GError ** error)
{
  const gboolean is_image = info->storage == OCL_STORAGE_IMAGE;
  const OclFrameInfo *old = &frame->info;
  const gboolean fits = frame->planes[0].memory
      && old->format == info->format && old->storage == info->storage
      && old->width == info->width && old->height == info->height
      && old->bytes_swapped == info->bytes_swapped;

  if (!fits)
    ocl_frame_clear (frame);
  frame->info = *info;
  frame->info.lacks_row = FALSE;
  for (guint i = 0; !fits && i < info->format->n_planes; i++) {
    frame->planes[i].offset = 0;
    frame->planes[i].stride =
        is_image ? 0 : ocl_frame_info_get_row_bytes (&frame->info, i);
    frame->planes[i].memory =
        ocl_frame_create_memory (context, frame, i, error);
    if (!frame->planes[i].memory) {
      ocl_frame_clear (frame);
      return FALSE;
    }
  }
  return TRUE;
}

void
ocl_frame_clear (OclFrame * frame)
{
  for (guint i = 0; i < G_N_ELEMENTS (frame->planes); i++)
    g_clear_pointer (&frame->planes[i].memory, clReleaseMemObject);
}

gboolean
ocl_frame_enqueue_blank (OclContext * context, const OclFrame * frame,
    GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const cl_float4 black = { {0.0f, 0.0f, 0.0f, 0.0f} };
  const cl_uchar zero = 0;

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    const size_t region[3] = { ocl_frame_info_get_image_width (&frame->info, i),
      ocl_frame_info_get_plane_height (&frame->info, i), 1
    };
    cl_mem memory = frame->planes[i].memory;
    gboolean ok = frame->info.storage == OCL_STORAGE_IMAGE
        ? ocl_check (clEnqueueFillImage (context->queue, memory, &black,
            origin, region, 0, NULL, NULL), "clEnqueueFillImage", error)
        : ocl_check (clEnqueueFillBuffer (context->queue, memory, &zero,
            sizeof (zero), 0, ocl_frame_get_size (frame, i), 0, NULL, NULL),
        "clEnqueueFillBuffer", error);

    if (!ok)
      return FALSE;
  }
  return TRUE;
}

guint8 *
ocl_frame_read_plane (OclContext * context, const OclFrame * frame,
    guint plane, gsize * size, OclTimer * timer, GError ** error)
{
  OclFrame bytes = { 0, };
  g_autofree guint8 *read = NULL;
  const OclFrameInfo copy = ocl_frame_info_get_copy (&frame->info);
  gboolean ok = ocl_frame_ensure (&bytes, context, &copy, error)
      && ocl_frame_enqueue_copy (context, frame, &bytes, timer, error);

  if (ok) {
    *size = ocl_frame_get_size (&bytes, plane);
    read = g_malloc (*size);
    ok = ocl_check (clEnqueueReadBuffer (context->queue,
            bytes.planes[plane].memory, CL_TRUE, 0, *size, read, 0, NULL,
            NULL), "clEnqueueReadBuffer", error);
  }
  ok = ocl_context_finish (context, ok ? error : NULL) && ok;
  ocl_frame_clear (&bytes);
  return ok ? g_steal_pointer (&read) : NULL;
}
