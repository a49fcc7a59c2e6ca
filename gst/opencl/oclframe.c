/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclframe.h"

#define BYTES_PER_PIXEL 4

gsize
ocl_frame_get_size (const OclFrame * frame)
{
  return (gsize) frame->stride * (frame->height - 1)
      + (gsize) frame->width * BYTES_PER_PIXEL;
}

static gboolean
ocl_frame_is_packed (const OclFrame * frame)
{
  return frame->stride == frame->width * BYTES_PER_PIXEL;
}

static gboolean
ocl_frame_enqueue_buffer_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, cl_event * event, GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { (size_t) source->width * BYTES_PER_PIXEL,
    source->height, 1
  };

  return ocl_check (clEnqueueCopyBufferRect (context->queue, source->memory,
          target->memory, origin, origin, region, source->stride, 0,
          target->stride, 0, 0, NULL, event), "clEnqueueCopyBufferRect", error);
}

gboolean
ocl_frame_enqueue_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, OclTimer * timer, GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { source->width, source->height, 1 };
  cl_event *event = ocl_timer_add (timer, OCL_TIMER_TRANSFER);

  if (source->storage == OCL_STORAGE_IMAGE
      && target->storage == OCL_STORAGE_IMAGE)
    return ocl_check (clEnqueueCopyImage (context->queue, source->memory,
            target->memory, origin, origin, region, 0, NULL, event),
        "clEnqueueCopyImage", error);

  if (source->storage == OCL_STORAGE_BUFFER
      && target->storage == OCL_STORAGE_BUFFER)
    return ocl_frame_enqueue_buffer_copy (context, source, target, event,
        error);

  if (source->storage == OCL_STORAGE_IMAGE) {
    g_return_val_if_fail (ocl_frame_is_packed (target), FALSE);
    return ocl_check (clEnqueueCopyImageToBuffer (context->queue,
            source->memory, target->memory, origin, region, 0, 0, NULL, event),
        "clEnqueueCopyImageToBuffer", error);
  }

  g_return_val_if_fail (ocl_frame_is_packed (source), FALSE);
  return ocl_check (clEnqueueCopyBufferToImage (context->queue, source->memory,
          target->memory, 0, origin, region, 0, NULL, event),
      "clEnqueueCopyBufferToImage", error);
}

static cl_mem
ocl_frame_create_memory (OclContext * context, const OclFrame * frame,
    GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_mem memory;

  if (frame->storage == OCL_STORAGE_IMAGE) {
    const cl_image_format format = { frame->bgra ? CL_BGRA : CL_RGBA,
      CL_UNORM_INT8
    };
    const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D,
      .image_width = frame->width,
      .image_height = frame->height,
    };

    memory = clCreateImage (context->context, CL_MEM_READ_WRITE, &format,
        &description, NULL, &status);
    return ocl_check (status, "clCreateImage", error) ? memory : NULL;
  }

  memory = clCreateBuffer (context->context, CL_MEM_READ_WRITE,
      ocl_frame_get_size (frame), NULL, &status);
  return ocl_check (status, "clCreateBuffer", error) ? memory : NULL;
}

gboolean
ocl_frame_ensure (OclFrame * frame, OclContext * context, OclStorage storage,
    const OclFrame * like, GError ** error)
{
  if (frame->memory && frame->storage == storage && frame->width == like->width
      && frame->height == like->height && frame->bgra == like->bgra)
    return TRUE;

  ocl_frame_clear (frame);
  frame->storage = storage;
  frame->width = like->width;
  frame->height = like->height;
  frame->stride = storage == OCL_STORAGE_BUFFER
      ? like->width * BYTES_PER_PIXEL : 0;
  frame->bgra = like->bgra;
  frame->memory = ocl_frame_create_memory (context, frame, error);
  return frame->memory != NULL;
}

void
ocl_frame_clear (OclFrame * frame)
{
  g_clear_pointer (&frame->memory, clReleaseMemObject);
}

gboolean
ocl_frame_enqueue_blank (OclContext * context, const OclFrame * frame,
    GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { frame->width, frame->height, 1 };
  const cl_float4 black = { {0.0f, 0.0f, 0.0f, 0.0f} };
  const cl_uchar zero = 0;

  if (frame->storage == OCL_STORAGE_IMAGE)
    return ocl_check (clEnqueueFillImage (context->queue, frame->memory,
            &black, origin, region, 0, NULL, NULL), "clEnqueueFillImage",
        error);
  return ocl_check (clEnqueueFillBuffer (context->queue, frame->memory, &zero,
          sizeof (zero), 0, ocl_frame_get_size (frame), 0, NULL, NULL),
      "clEnqueueFillBuffer", error);
}
