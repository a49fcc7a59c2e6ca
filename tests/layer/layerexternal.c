/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of cl_khr_external_memory: an image on external memory is a
 * plain image of the driver, filled from the memory by acquire, and copied back
 * to it by release.
 *
 * The memory is what Mesa's software Vulkan exports as an opaque file
 * descriptor: a file that can be mapped, whose first words say how long it is
 * and where the memory begins.  An image of optimal tiling is rows of pixels
 * there, rounded up as llvmpipe does.
 */

#include <CL/cl_ext.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layerimages.h"
#include "layerwrap.h"

typedef struct
{
  gsize size;
  gsize offset;
} LayerFileHeader;

#define ROUND_UP(number, multiple) \
  (((number) + (multiple) - 1) / (multiple) * (multiple))

/* Maps the file of @fd, which stays the caller's. */
static gboolean
layer_map (LayerImage * image, int fd)
{
  struct stat status;
  LayerFileHeader header;
  gsize row_bytes;
  gpointer mapping;

  if (fstat (fd, &status) != 0 || status.st_size < (off_t) sizeof (header))
    return FALSE;
  mapping = mmap (NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
      0);
  if (mapping == MAP_FAILED)
    return FALSE;

  memcpy (&header, mapping, sizeof (header));
  row_bytes = (gsize) ROUND_UP (image->width, 4) * image->pixels->bytes;
  image->mapping = mapping;
  image->mapping_size = status.st_size;
  image->offset = header.offset;
  image->stride = ROUND_UP (row_bytes, 64);
  if (header.offset < image->mapping_size
      && image->stride * image->height <= image->mapping_size - header.offset)
    return TRUE;
  munmap (mapping, status.st_size);
  return FALSE;
}

/* The descriptor in @properties, -1 where they are not what the plugin may
 * ask for. */
static int
layer_parse_descriptor (const cl_mem_properties * properties)
{
  if (properties == NULL
      || properties[0] != CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
      || properties[2] != 0)
    return -1;
  return (int) properties[1];
}

static cl_int
layer_import_image (cl_context context, const cl_mem_properties * properties,
    cl_mem_flags flags, const cl_image_format * format,
    const cl_image_desc * description, LayerImage * image)
{
  int fd = layer_parse_descriptor (properties);
  cl_int error = CL_SUCCESS;

  image->width = description->image_width;
  image->height = description->image_height;
  image->pixels = layer_gl_find_image_pixels (format);
  if (fd < 0)
    return CL_INVALID_PROPERTY;
  if (image->pixels == NULL)
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  if (!layer_map (image, fd))
    return CL_INVALID_OPERATION;
  image->memory = layer_target.clCreateImage (context, flags, format,
      description, NULL, &error);
  if (error != CL_SUCCESS) {
    munmap (image->mapping, image->mapping_size);
    return error;
  }
  /* The descriptor is the driver's from here on. */
  close (fd);
  layer_images_add (image);
  return CL_SUCCESS;
}

cl_mem CL_API_CALL
layer_clCreateImageWithProperties (cl_context context,
    const cl_mem_properties * properties, cl_mem_flags flags,
    const cl_image_format * format, const cl_image_desc * description,
    void *host_ptr, cl_int * errcode_ret)
{
  static const char function[] = "clCreateImageWithProperties";
  cl_int error =
      layer_call_begin (LAYER_FUNCTION (clCreateImageWithProperties));
  LayerImage image = { 0 };

  if (error == CL_SUCCESS && (!layer_config.external || host_ptr != NULL))
    error = CL_INVALID_OPERATION;
  if (error == CL_SUCCESS)
    error = layer_import_image (context, properties, flags, format,
        description, &image);
  if (error == CL_SUCCESS)
    layer_objects_add (LAYER_OBJECT_MEMORY, image.memory, function);
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return error == CL_SUCCESS ? image.memory : NULL;
}

/* Acquire and release */

static cl_int
layer_copy_external (LayerImage * image, cl_command_queue queue,
    gboolean acquire)
{
  static const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { image->width, image->height, 1 };
  guint8 *pixels = image->mapping + image->offset;

  if (layer_images_is_corrupt (image))
    return CL_SUCCESS;
  if (acquire)
    return layer_target.clEnqueueWriteImage (queue, image->memory, CL_TRUE,
        origin, region, image->stride, 0, pixels, 0, NULL, NULL);
  return layer_target.clEnqueueReadImage (queue, image->memory, CL_TRUE, origin,
      region, image->stride, 0, pixels, 0, NULL, NULL);
}

static cl_int
layer_check_external (const char *function, cl_uint count,
    const cl_mem * memory, cl_uint num_events, const cl_event * events)
{
  if (count == 0 || memory == NULL)
    return CL_INVALID_VALUE;
  if (num_events != 0 || events != NULL)
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    if (image == NULL || image->mapping == NULL)
      return CL_INVALID_MEM_OBJECT;
    for (cl_uint j = 0; j < i; j++) {
      if (memory[j] == memory[i])
        layer_violation (function, "the image %p is in the list twice",
            (void *) memory[i]);
    }
  }
  return CL_SUCCESS;
}

static cl_int
layer_acquire_external (cl_command_queue queue, cl_uint count,
    const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  static const char function[] = "clEnqueueAcquireExternalMemObjectsKHR";
  cl_int error = layer_check_external (function, count, memory,
      num_events_in_wait_list, event_wait_list);

  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    layer_images_check_acquire (image, function, 0, NULL);
    error = layer_copy_external (image, queue, TRUE);
  }
  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++)
    layer_images_acquired (layer_images_find (memory[i]));
  return error != CL_SUCCESS || event == NULL ? error
      : layer_target.clEnqueueMarkerWithWaitList (queue, 0, NULL, event);
}

static cl_int
layer_release_external (cl_command_queue queue, cl_uint count,
    const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  static const char function[] = "clEnqueueReleaseExternalMemObjectsKHR";
  cl_int error = layer_check_external (function, count, memory,
      num_events_in_wait_list, event_wait_list);

  /* A blocking read waits for what is before it in the queue. */
  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    layer_images_check_release (image, function);
    error = layer_copy_external (image, queue, FALSE);
  }
  if (error == CL_SUCCESS && event != NULL)
    error = layer_target.clEnqueueMarkerWithWaitList (queue, 0, NULL, event);
  if (error != CL_SUCCESS) {
    layer_images_release_refused (count, memory);
    return error;
  }
  for (cl_uint i = 0; i < count; i++)
    layer_images_released (layer_images_find (memory[i]), queue,
        event != NULL ? *event : NULL);
  return CL_SUCCESS;
}

cl_int CL_API_CALL
layer_clEnqueueAcquireExternalMemObjectsKHR (cl_command_queue queue,
    cl_uint count, const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  static const char function[] = "clEnqueueAcquireExternalMemObjectsKHR";
  cl_int error = layer_call_begin (LAYER_FUNCTION
      (clEnqueueAcquireExternalMemObjectsKHR));

  if (error == CL_SUCCESS)
    error =
        layer_acquire_external (queue, count, memory, LAYER_EVENT_ARGUMENTS);
  layer_track_event (error, event, function);
  return error;
}

cl_int CL_API_CALL
layer_clEnqueueReleaseExternalMemObjectsKHR (cl_command_queue queue,
    cl_uint count, const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  static const char function[] = "clEnqueueReleaseExternalMemObjectsKHR";
  cl_int error = layer_call_begin (LAYER_FUNCTION
      (clEnqueueReleaseExternalMemObjectsKHR));

  if (error == CL_SUCCESS)
    error = layer_release_external (queue, count, memory,
        LAYER_EVENT_ARGUMENTS);
  else
    layer_images_release_refused (count, memory);
  layer_track_event (error, event, function);
  return error;
}
