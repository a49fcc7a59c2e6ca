/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions of cl_khr_gl_sharing, cl_khr_external_memory and
 * cl_khr_external_semaphore.  An image from a GL texture, or on external
 * memory, is a plain image of the driver, filled by acquire, and copied back by
 * release.
 *
 * External memory is an opaque file descriptor exported by Mesa's software
 * Vulkan: a file that can be mapped, whose first words say how long it is and
 * where the memory begins.  An image of optimal tiling is rows of pixels there,
 * rounded up as llvmpipe does.
 *
 * A semaphore is a file of eventfd(), shared with the emulation of the
 * semaphore in the other API.  Commands complete when they are enqueued, so
 * that the signal of a semaphore already exists when a wait is enqueued. */

#include <GL/glcorearb.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer.h"

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
  layer_objects_add ("memory object", memory, "clCreateFromGLTexture");
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return memory;
}

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

/* Copies from a texture, or back. */
static cl_int
layer_copy_texture (LayerImage * image, cl_command_queue queue,
    gboolean acquire)
{
  static const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { image->width, image->height, 1 };
  cl_int error = CL_SUCCESS;

  if (image->data == NULL)
    image->data = g_malloc_n (region[0] * region[1], image->pixels->bytes);
  if (!acquire)
    error = layer_target.clEnqueueReadImage (queue, image->memory, CL_TRUE,
        origin, region, 0, 0, image->data, 0, NULL, NULL);
  else if (!layer_gl_read_texture (image->texture, image->width, image->height,
          image->pixels, image->data))
    error = CL_INVALID_GL_OBJECT;
  if (error != CL_SUCCESS)
    return error;
  if (image->bgra)
    layer_swap_red_and_blue (image);
  if (acquire)
    return layer_target.clEnqueueWriteImage (queue, image->memory, CL_TRUE,
        origin, region, 0, 0, image->data, 0, NULL, NULL);
  return layer_gl_write_texture (image->texture, image->width, image->height,
      image->pixels, image->data) ? CL_SUCCESS : CL_INVALID_GL_OBJECT;
}

/* *INDENT-OFF* */
/* Wraps a function that acquires or releases images by @call.  @refused is a
 * statement for a call that is made to fail. */
#define LAYER_WRAP_TRANSFER(name, refused, call) \
cl_int CL_API_CALL \
layer_##name (cl_command_queue queue, cl_uint count, const cl_mem *memory, \
    LAYER_EVENT_PARAMETERS) \
{ \
  static const char function[] = #name; \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
\
  if (error == CL_SUCCESS) { \
    error = call; \
  } else { \
    refused; \
  } \
  layer_track_event (error, event, function); \
  return error; \
}

LAYER_WRAP_TRANSFER (clEnqueueAcquireGLObjects, ,
    layer_config.sharing
    ? layer_images_acquire (function, FALSE, layer_copy_texture, queue, count,
        memory, LAYER_EVENT_ARGUMENTS)
    : layer_target.clEnqueueAcquireGLObjects (queue, count, memory,
        LAYER_EVENT_ARGUMENTS))
LAYER_WRAP_TRANSFER (clEnqueueReleaseGLObjects,
    layer_images_release_refused (count, memory),
    layer_config.sharing
    ? layer_images_release (function, FALSE, layer_copy_texture, queue, count,
        memory, LAYER_EVENT_ARGUMENTS)
    : layer_target.clEnqueueReleaseGLObjects (queue, count, memory,
        LAYER_EVENT_ARGUMENTS))
/* *INDENT-ON* */

/* Images on external memory */

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

static cl_int
layer_import_image (cl_context context, const cl_mem_properties * properties,
    cl_mem_flags flags, const cl_image_format * format,
    const cl_image_desc * description, LayerImage * image)
{
  /* The only properties that the plugin may ask for. */
  const gboolean has_fd = properties != NULL
      && properties[0] == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
      && properties[2] == 0;
  const int fd = has_fd ? (int) properties[1] : -1;
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
    layer_objects_add ("memory object", image.memory, function);
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return error == CL_SUCCESS ? image.memory : NULL;
}

static cl_int
layer_copy_external (LayerImage * image, cl_command_queue queue,
    gboolean acquire)
{
  static const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { image->width, image->height, 1 };
  guint8 *pixels = image->mapping + image->offset;

  if (acquire)
    return layer_target.clEnqueueWriteImage (queue, image->memory, CL_TRUE,
        origin, region, image->stride, 0, pixels, 0, NULL, NULL);
  return layer_target.clEnqueueReadImage (queue, image->memory, CL_TRUE, origin,
      region, image->stride, 0, pixels, 0, NULL, NULL);
}

/* *INDENT-OFF* */
LAYER_WRAP_TRANSFER (clEnqueueAcquireExternalMemObjectsKHR, ,
    layer_images_acquire (function, TRUE, layer_copy_external, queue, count,
        memory, LAYER_EVENT_ARGUMENTS))
LAYER_WRAP_TRANSFER (clEnqueueReleaseExternalMemObjectsKHR,
    layer_images_release_refused (count, memory),
    layer_images_release (function, TRUE, layer_copy_external, queue, count,
        memory, LAYER_EVENT_ARGUMENTS))
/* *INDENT-ON* */

/* Semaphores */

typedef struct
{
  int fd;                       /* owned */
} LayerSemaphore;

/* Changes the count of a semaphore, which does not block. */
static gboolean
layer_semaphore_take (LayerSemaphore * semaphore)
{
  eventfd_t count = 0;

  return eventfd_read (semaphore->fd, &count) == 0;
}

static cl_int
layer_semaphore_import (const cl_semaphore_properties_khr * properties,
    LayerSemaphore ** semaphore)
{
  if (!layer_config.semaphores || properties == NULL
      || properties[0] != CL_SEMAPHORE_TYPE_KHR
      || properties[1] != CL_SEMAPHORE_TYPE_BINARY_KHR
      || properties[2] != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR
      || properties[4] != 0)
    return CL_INVALID_PROPERTY;
  *semaphore = g_new0 (LayerSemaphore, 1);
  (*semaphore)->fd = (int) properties[3];
  return CL_SUCCESS;
}

cl_semaphore_khr CL_API_CALL
layer_clCreateSemaphoreWithPropertiesKHR (cl_context context,
    const cl_semaphore_properties_khr * properties, cl_int * errcode_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION
      (clCreateSemaphoreWithPropertiesKHR));
  LayerSemaphore *semaphore = NULL;

  if (error == CL_SUCCESS && context == NULL)
    error = CL_INVALID_CONTEXT;
  if (error == CL_SUCCESS)
    error = layer_semaphore_import (properties, &semaphore);
  layer_objects_add ("semaphore", semaphore,
      "clCreateSemaphoreWithPropertiesKHR");
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return (cl_semaphore_khr) semaphore;
}

cl_int CL_API_CALL
layer_clReleaseSemaphoreKHR (cl_semaphore_khr handle)
{
  LayerSemaphore *semaphore = (LayerSemaphore *) handle;

  layer_call_begin (LAYER_FUNCTION (clReleaseSemaphoreKHR));
  if (layer_objects_release (semaphore)) {
    close (semaphore->fd);
    g_free (semaphore);
  }
  return CL_SUCCESS;
}

/* Common checks of both commands. */
static cl_int
layer_semaphore_check (cl_uint count, const cl_semaphore_khr * semaphores,
    LAYER_EVENT_PARAMETERS)
{
  if (count != 1 || semaphores == NULL)
    return CL_INVALID_VALUE;
  if (num_events_in_wait_list != 0 || event_wait_list != NULL || event != NULL)
    return CL_INVALID_EVENT_WAIT_LIST;
  return CL_SUCCESS;
}

cl_int CL_API_CALL
layer_clEnqueueWaitSemaphoresKHR (cl_command_queue queue, cl_uint count,
    const cl_semaphore_khr * semaphores,
    const cl_semaphore_payload_khr * payloads, LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueWaitSemaphoresKHR));

  (void) queue;
  (void) payloads;
  if (error == CL_SUCCESS)
    error = layer_semaphore_check (count, semaphores, LAYER_EVENT_ARGUMENTS);
  if (error == CL_SUCCESS
      && !layer_semaphore_take ((LayerSemaphore *) semaphores[0]))
    layer_violation ("clEnqueueWaitSemaphoresKHR",
        "the semaphore %p is waited for, but nobody has signalled it",
        (void *) semaphores[0]);
  return error;
}

cl_int CL_API_CALL
layer_clEnqueueSignalSemaphoresKHR (cl_command_queue queue, cl_uint count,
    const cl_semaphore_khr * semaphores,
    const cl_semaphore_payload_khr * payloads, LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION
      (clEnqueueSignalSemaphoresKHR));
  LayerSemaphore *semaphore;

  (void) payloads;
  if (error == CL_SUCCESS)
    error = layer_semaphore_check (count, semaphores, LAYER_EVENT_ARGUMENTS);
  if (error == CL_SUCCESS)
    error = layer_target.clFinish (queue);
  if (error != CL_SUCCESS)
    return error;
  semaphore = (LayerSemaphore *) semaphores[0];
  if (layer_semaphore_take (semaphore))
    layer_violation ("clEnqueueSignalSemaphoresKHR",
        "the semaphore %p is signalled twice", (void *) semaphore);
  return eventfd_write (semaphore->fd, 1) == 0 ? CL_SUCCESS
      : CL_OUT_OF_RESOURCES;
}
