/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of cl_khr_gl_sharing: an image from a GL texture is a plain
 * image of the driver, filled from the texture by acquire, and copied back to
 * it by release.
 */

#include <CL/cl_gl.h>
#include <GL/glcorearb.h>
#include <string.h>

#include "layercontexts.h"
#include "layerimages.h"
#include "layerwrap.h"

/* The extension functions which the layer has itself are looked up here. */
void *CL_API_CALL
layer_clGetExtensionFunctionAddressForPlatform (cl_platform_id platform,
    const char *name)
{
  LayerFunction number =
      LAYER_FUNCTION (clGetExtensionFunctionAddressForPlatform);

  if (layer_call_begin (number) != CL_SUCCESS)
    return NULL;
  if (layer_config.sharing && name != NULL
      && strcmp (name, "clGetGLContextInfoKHR") == 0)
    return (void *) layer_clGetGLContextInfoKHR;
  /* *INDENT-OFF* */
#define LAYER_LOOK_UP(function) \
  if (layer_config.external && g_strcmp0 (name, #function) == 0) \
    return (void *) layer_##function;
  LAYER_EXTENSION_FUNCTIONS (LAYER_LOOK_UP)
  LAYER_EXTENSION_LIFETIME_FUNCTIONS (LAYER_LOOK_UP)
#undef LAYER_LOOK_UP
  /* *INDENT-ON* */
  return layer_target.clGetExtensionFunctionAddressForPlatform (platform, name);
}

/* Images from GL textures */

static cl_int
layer_check_texture (cl_mem_flags flags, cl_GLenum target, cl_GLint level,
    cl_GLuint texture)
{
  const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY
      | CL_MEM_WRITE_ONLY;

  if ((flags & ~access) != 0 || target != GL_TEXTURE_2D)
    return CL_INVALID_VALUE;
  if (level != 0)
    return CL_INVALID_MIP_LEVEL;
  if (!layer_gl_is_texture (texture))
    return CL_INVALID_GL_OBJECT;
  return CL_SUCCESS;
}

/* Gives @image, whose size is known, its memory object. */
static cl_int
layer_create_memory (LayerImage * image, cl_context context, cl_mem_flags flags)
{
  cl_image_format format = image->pixels->image_format;
  cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,
    .image_width = image->width,
    .image_height = image->height
  };
  cl_int error;

  if (image->bgra)
    format.image_channel_order = CL_BGRA;
  if (layer_config.max_image > 0
      && (description.image_width > layer_config.max_image
          || description.image_height > layer_config.max_image))
    return CL_INVALID_IMAGE_SIZE;

  image->memory = layer_target.clCreateImage (context, flags, &format,
      &description, NULL, &error);
  return error;
}

static cl_int
layer_create_from_texture (cl_context context, cl_mem_flags flags,
    cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_mem * memory)
{
  LayerImage image = {.texture = texture };
  cl_int error;

  if (layer_config.break_sharing)
    return CL_INVALID_GL_OBJECT;
  image.gl_context = layer_contexts_find (context);
  if (image.gl_context == NULL)
    return CL_INVALID_CONTEXT;
  if (!layer_images_check_current (image.gl_context, "clCreateFromGLTexture"))
    return CL_INVALID_GL_OBJECT;
  error = layer_check_texture (flags, target, level, texture);
  if (error != CL_SUCCESS)
    return error;
  if (!layer_gl_describe_texture (texture, &image.width,
          &image.height, &image.pixels))
    return CL_INVALID_GL_OBJECT;

  image.bgra = layer_config.bgra && image.pixels->internal_format == GL_RGBA8;
  error = layer_create_memory (&image, context, flags);
  if (error != CL_SUCCESS)
    return error;
  layer_images_add (&image);
  *memory = image.memory;
  return CL_SUCCESS;
}

cl_mem CL_API_CALL
layer_clCreateFromGLTexture (cl_context context, cl_mem_flags flags,
    cl_GLenum target, cl_GLint level, cl_GLuint texture, cl_int * errcode_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clCreateFromGLTexture));
  cl_mem memory = NULL;

  if (error == CL_SUCCESS && layer_config.sharing)
    error = layer_create_from_texture (context, flags, target, level, texture,
        &memory);
  else if (error == CL_SUCCESS)
    memory = layer_target.clCreateFromGLTexture (context, flags, target, level,
        texture, &error);
  layer_objects_add (LAYER_OBJECT_MEMORY, memory, "clCreateFromGLTexture");
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return memory;
}

/* Acquire and release */

/* RGBA to BGRA, or back. */
static void
layer_swap_red_and_blue (LayerImage * image)
{
  gsize count = (gsize) image->width * image->height;

  for (gsize i = 0; i < count; i++) {
    guint8 *pixel = image->data + 4 * i;
    guint8 red = pixel[0];

    pixel[0] = pixel[2];
    pixel[2] = red;
  }
}

typedef cl_int (*LayerCopy) (LayerImage * image, cl_command_queue queue,
    const size_t *region);

static const size_t origin[3] = { 0, 0, 0 };

static cl_int
layer_copy_from_texture (LayerImage * image, cl_command_queue queue,
    const size_t *region)
{
  if (!layer_gl_read_texture (image->texture,
          image->width, image->height, image->pixels, image->data))
    return CL_INVALID_GL_OBJECT;
  if (image->bgra)
    layer_swap_red_and_blue (image);
  return layer_target.clEnqueueWriteImage (queue, image->memory, CL_TRUE,
      origin, region, 0, 0, image->data, 0, NULL, NULL);
}

static cl_int
layer_copy_to_texture (LayerImage * image, cl_command_queue queue,
    const size_t *region)
{
  cl_int error = layer_target.clEnqueueReadImage (queue, image->memory, CL_TRUE,
      origin, region, 0, 0, image->data, 0, NULL, NULL);

  if (error != CL_SUCCESS)
    return error;
  if (image->bgra)
    layer_swap_red_and_blue (image);
  if (!layer_gl_write_texture (image->texture,
          image->width, image->height, image->pixels, image->data))
    return CL_INVALID_GL_OBJECT;
  return CL_SUCCESS;
}

/* Copies images whose objects have been checked, and gives out an event for
 * that if the caller wants one. */
static cl_int
layer_copy_all (LayerCopy copy, cl_command_queue queue, cl_uint count,
    const cl_mem * memory, cl_event * event)
{
  for (cl_uint i = 0; i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);
    const size_t region[3] = { image->width, image->height, 1 };
    cl_int error;

    if (layer_images_is_corrupt (image))
      continue;
    if (image->data == NULL)
      image->data = g_malloc_n (region[0] * region[1], image->pixels->bytes);
    error = copy (image, queue, region);
    if (error != CL_SUCCESS)
      return error;
  }
  return event == NULL ? CL_SUCCESS
      : layer_target.clEnqueueMarkerWithWaitList (queue, 0, NULL, event);
}

/* What acquire and release check alike before they start. */
static cl_int
layer_check_objects (const char *function, cl_uint count,
    const cl_mem * memory, cl_uint num_events, const cl_event * events)
{
  if ((count == 0) != (memory == NULL))
    return CL_INVALID_VALUE;
  if ((num_events == 0) != (events == NULL))
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    if (image == NULL || image->mapping != NULL
        || !layer_images_check_gl (image, function))
      return CL_INVALID_GL_OBJECT;
    for (cl_uint j = 0; j < i; j++) {
      if (memory[j] == memory[i])
        layer_violation (function, "the image %p is in the list twice",
            (void *) memory[i]);
    }
  }
  return CL_SUCCESS;
}

static cl_int
layer_acquire (cl_command_queue queue, cl_uint count, const cl_mem * memory,
    LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_check_objects ("clEnqueueAcquireGLObjects", count,
      memory, num_events_in_wait_list, event_wait_list);

  if (error != CL_SUCCESS)
    return error;
  for (cl_uint i = 0; i < count; i++)
    layer_images_check_acquire (layer_images_find (memory[i]),
        "clEnqueueAcquireGLObjects", num_events_in_wait_list, event_wait_list);

  if (num_events_in_wait_list > 0)
    error = layer_target.clWaitForEvents (num_events_in_wait_list,
        event_wait_list);
  if (error == CL_SUCCESS)
    error = layer_copy_all (layer_copy_from_texture, queue, count, memory,
        event);
  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++)
    layer_images_acquired (layer_images_find (memory[i]));
  return error;
}

static cl_int
layer_release (cl_command_queue queue, cl_uint count, const cl_mem * memory,
    LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_check_objects ("clEnqueueReleaseGLObjects", count,
      memory, num_events_in_wait_list, event_wait_list);

  if (error != CL_SUCCESS)
    return error;
  for (cl_uint i = 0; i < count; i++)
    layer_images_check_release (layer_images_find (memory[i]),
        "clEnqueueReleaseGLObjects");

  /* Everything that the release comes after. */
  if (num_events_in_wait_list > 0)
    error = layer_target.clWaitForEvents (num_events_in_wait_list,
        event_wait_list);
  if (error == CL_SUCCESS)
    error = layer_target.clFinish (queue);
  if (error == CL_SUCCESS)
    error = layer_copy_all (layer_copy_to_texture, queue, count, memory, event);
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
layer_clEnqueueAcquireGLObjects (cl_command_queue queue, cl_uint count,
    const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueAcquireGLObjects));

  if (error != CL_SUCCESS)
    return error;
  error = (layer_config.sharing ? layer_acquire
      : layer_target.clEnqueueAcquireGLObjects) (queue, count, memory,
      LAYER_EVENT_ARGUMENTS);
  layer_track_event (error, event, "clEnqueueAcquireGLObjects");
  return error;
}

cl_int CL_API_CALL
layer_clEnqueueReleaseGLObjects (cl_command_queue queue, cl_uint count,
    const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueReleaseGLObjects));

  if (error != CL_SUCCESS) {
    layer_images_release_refused (count, memory);
    return error;
  }
  error = (layer_config.sharing ? layer_release
      : layer_target.clEnqueueReleaseGLObjects) (queue, count, memory,
      LAYER_EVENT_ARGUMENTS);
  layer_track_event (error, event, "clEnqueueReleaseGLObjects");
  return error;
}
