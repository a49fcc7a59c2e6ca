/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of the functions which enqueue commands.  They check that images
 * from GL are acquired, and track the events and the mapped memory.
 */

#include "layerimages.h"
#include "layerkernels.h"
#include "layerwrap.h"

/* Macros that make functions. */
/* *INDENT-OFF* */
#define USES(memory) layer_images_check_use (memory, function)

/* Buffers, which never come from GL here */

LAYER_WRAP_ENQUEUE (clEnqueueReadBuffer, ,
    (cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
        void *pointer),
    (buffer, blocking, offset, size, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueWriteBuffer, ,
    (cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
        const void *pointer),
    (buffer, blocking, offset, size, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueFillBuffer, ,
    (cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
        size_t size),
    (buffer, pattern, pattern_size, offset, size))

LAYER_WRAP_ENQUEUE (clEnqueueCopyBuffer, ,
    (cl_mem source, cl_mem target, size_t source_offset, size_t target_offset,
        size_t size),
    (source, target, source_offset, target_offset, size))

LAYER_WRAP_ENQUEUE (clEnqueueCopyBufferRect, ,
    (cl_mem source, cl_mem target, const size_t *source_origin,
        const size_t *target_origin, const size_t *region,
        size_t source_row_pitch, size_t source_slice_pitch,
        size_t target_row_pitch, size_t target_slice_pitch),
    (source, target, source_origin, target_origin, region, source_row_pitch,
        source_slice_pitch, target_row_pitch, target_slice_pitch))

/* Images */

LAYER_WRAP_ENQUEUE (clEnqueueReadImage, USES (image),
    (cl_mem image, cl_bool blocking, const size_t *origin,
        const size_t *region, size_t row_pitch, size_t slice_pitch,
        void *pointer),
    (image, blocking, origin, region, row_pitch, slice_pitch, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueWriteImage, USES (image),
    (cl_mem image, cl_bool blocking, const size_t *origin,
        const size_t *region, size_t row_pitch, size_t slice_pitch,
        const void *pointer),
    (image, blocking, origin, region, row_pitch, slice_pitch, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueFillImage, USES (image),
    (cl_mem image, const void *color, const size_t *origin,
        const size_t *region),
    (image, color, origin, region))

LAYER_WRAP_ENQUEUE (clEnqueueCopyImage, USES (source); USES (target),
    (cl_mem source, cl_mem target, const size_t *source_origin,
        const size_t *target_origin, const size_t *region),
    (source, target, source_origin, target_origin, region))

LAYER_WRAP_ENQUEUE (clEnqueueCopyImageToBuffer, USES (image),
    (cl_mem image, cl_mem buffer, const size_t *origin, const size_t *region,
        size_t offset),
    (image, buffer, origin, region, offset))

LAYER_WRAP_ENQUEUE (clEnqueueCopyBufferToImage, USES (image),
    (cl_mem buffer, cl_mem image, size_t offset, const size_t *origin,
        const size_t *region),
    (buffer, image, offset, origin, region))

/* Mapping */

void *CL_API_CALL
layer_clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
    LAYER_EVENT_PARAMETERS, cl_int *errcode_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueMapBuffer));
  void *pointer = NULL;

  if (error == CL_SUCCESS) {
    pointer = layer_target.clEnqueueMapBuffer (queue, buffer, blocking, flags,
        offset, size, LAYER_EVENT_ARGUMENTS, &error);
    layer_track_event (error, event, "clEnqueueMapBuffer");
    if (error == CL_SUCCESS)
      layer_objects_map (buffer, LAYER_MAPPED);
  }
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return pointer;
}

cl_int CL_API_CALL
layer_clEnqueueUnmapMemObject (cl_command_queue queue, cl_mem memory,
    void *pointer, LAYER_EVENT_PARAMETERS)
{
  static const char function[] = "clEnqueueUnmapMemObject";
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueUnmapMemObject));

  if (error != CL_SUCCESS) {
    layer_objects_map (memory, LAYER_UNMAP_REFUSED);
    return error;
  }
  USES (memory);
  error = layer_target.clEnqueueUnmapMemObject (queue, memory, pointer,
      LAYER_EVENT_ARGUMENTS);
  layer_track_event (error, event, function);
  if (error == CL_SUCCESS)
    layer_objects_map (memory, LAYER_UNMAPPED);
  return error;
}

/* Kernels */

LAYER_WRAP_ENQUEUE (clEnqueueNDRangeKernel,
    layer_kernels_check_launch (kernel, dimensions, local_size, function),
    (cl_kernel kernel, cl_uint dimensions, const size_t *global_offset,
        const size_t *global_size, const size_t *local_size),
    (kernel, dimensions, global_offset, global_size, local_size))

/* Synchronisation */

LAYER_WRAP_ENQUEUE_ALL (clEnqueueMarkerWithWaitList, ,
    (cl_command_queue queue, LAYER_EVENT_PARAMETERS),
    (queue, LAYER_EVENT_ARGUMENTS))

LAYER_WRAP_ENQUEUE_ALL (clEnqueueBarrierWithWaitList, ,
    (cl_command_queue queue, LAYER_EVENT_PARAMETERS),
    (queue, LAYER_EVENT_ARGUMENTS))

/* *INDENT-ON* */
