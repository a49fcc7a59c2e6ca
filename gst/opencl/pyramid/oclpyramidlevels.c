/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramidlevels.h"

#include <string.h>

#include "core/oclerror.h"

/* Rows start at multiples of 16 floats, to align vectors of 16 floats. */
#define ROW_FLOATS 16

guint
ocl_pyramid_levels_count_floats (const OclPass * pass)
{
  return pass->n_channels + (pass->guided ? 1 : 0);
}

/* Sets the place of a channel: in buffers each channel has a separate plane,
 * and in images the channels are consecutive components of a pixel. */
static void
place_channel (OclFormat * format, OclStorage storage, guint channel, guint n)
{
  OclChannel *where = &format->channels[channel];

  if (storage == OCL_STORAGE_BUFFER) {
    where->plane = n;
    where->step = 1;
  } else {
    where->offset = n;
    where->step = format->planes[0].n_components;
  }
}

void
ocl_pyramid_levels_init_format (OclFormat * format, const OclFormat * like,
    const OclPass * pass, OclStorage storage, gboolean is_difference)
{
  /* Number of components by the number of floats. Images cannot have three
   * components. */
  static const guint n_components[] = { 0, 1, 2, 4, 4 };
  const guint n = ocl_pyramid_levels_count_floats (pass);
  const gboolean is_buffer = storage == OCL_STORAGE_BUFFER;

  memset (format, 0, sizeof (*format));
  format->name = is_difference ? "differences" : "octaves";
  format->model = like->model;
  format->depth = like->depth;
  format->component_bytes = sizeof (cl_float);
  format->image_component_bytes = sizeof (cl_float);
  format->is_float = TRUE;
  format->is_pyramid_level = TRUE;
  format->is_difference = is_difference;
  format->largest_difference = (is_difference ? 2.0 : 1.0)
      * ocl_format_get_largest_difference (like);
  format->n_planes = is_buffer ? n : 1;
  for (guint i = 0; i < format->n_planes; i++) {
    format->planes[i].n_components = is_buffer ? 1 : n_components[n];
    format->planes[i].x_shift = pass->x_shift;
    format->planes[i].y_shift = pass->y_shift;
  }
  if (pass->guided) {
    format->luma_x_shift = pass->x_shift;
    format->luma_y_shift = pass->y_shift;
    place_channel (format, storage, OCL_CHANNEL_LUMA, 0);
  }
  for (guint i = 0; i < pass->n_channels; i++)
    place_channel (format, storage, pass->first_channel + i,
        n - pass->n_channels + i);
}

static void
release_memory (gpointer memory)
{
  clReleaseMemObject (memory);
}

static cl_mem
create_buffer (OclContext * context, gsize size, GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer (context->context, CL_MEM_READ_WRITE, size,
      NULL, &status);

  return ocl_check (status, "clCreateBuffer", error) ? memory : NULL;
}

static cl_mem
create_image (OclContext * context, const OclFormat * format,
    const cl_image_desc * description, GError ** error)
{
  const cl_image_format image_format = ocl_format_get_image_format (format, 0);
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateImage (context->context, CL_MEM_READ_WRITE,
      &image_format, description, NULL, &status);

  return ocl_check (status, "clCreateImage", error) ? memory : NULL;
}

/* Sets the offsets and strides of the frames of @n pyramid levels, from level
 * @first on, in a memory. The unit is a byte in buffers, otherwise a pixel.
 * Returns the size of the memory. */
static guint64
ocl_pyramid_levels_lay_out (OclPyramidLevels * self, guint first, guint n)
{
  const gboolean is_buffer = self->storage == OCL_STORAGE_BUFFER;
  const gint unit = is_buffer ? sizeof (cl_float) : 1;
  guint64 size = 0;

  for (guint i = 0; i < n * self->n_layers; i++) {
    OclFrame *frame = &self->frames[first * self->n_layers + i];
    const gint columns = ocl_frame_info_get_plane_width (&frame->info, 0);
    const guint64 stride =
        (columns + ROW_FLOATS - 1) / ROW_FLOATS * ROW_FLOATS * unit;

    for (guint plane = 0; plane < frame->info.format->n_planes; plane++) {
      frame->planes[plane].offset = size;
      frame->planes[plane].stride = stride;
      size += stride * ocl_frame_info_get_plane_height (&frame->info, plane);
    }
  }
  return size;
}

/* Checks the size of a memory, @bytes, and the size that kernels use, @n, which
 * must not exceed @most. Offsets in kernels have 32 bits. */
static gboolean
check_size (OclContext * context, guint64 bytes, guint64 n, guint64 most,
    GError ** error)
{
  const guint64 max_bytes = context->device->max_alloc_size;

  if (bytes <= max_bytes && n <= MIN (most, G_MAXINT32))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The frames are too large for %s: their octaves take %" G_GUINT64_FORMAT
      " MiB in one memory object. Use smaller frames.", context->device->name,
      bytes >> 20);
  return FALSE;
}

static void
ocl_pyramid_levels_set_memory (OclPyramidLevels * self, guint first, guint n,
    cl_mem memory)
{
  g_ptr_array_add (self->memories, memory);
  for (guint i = 0; i < n * self->n_layers; i++) {
    OclFrame *frame = &self->frames[first * self->n_layers + i];

    for (guint plane = 0; plane < frame->info.format->n_planes; plane++)
      frame->planes[plane].memory = memory;
  }
}

/* A kernel must not read and write the same image, so each pyramid level has a
 * separate image. */
static gboolean
ocl_pyramid_levels_create_image_buffer (OclPyramidLevels * self,
    OclContext * context, const OclFormat * format, guint level,
    GError ** error)
{
  const guint64 size = ocl_pyramid_levels_lay_out (self, level, 1);
  const guint64 bytes = size * ocl_format_get_group_bytes (format, 0);

  if (context->device->image_max_pixels == 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no images on buffers.", context->device->name);
    return FALSE;
  }
  if (!check_size (context, bytes, size, context->device->image_max_pixels,
          error))
    return FALSE;

  cl_mem buffer = create_buffer (context, bytes, error);
  if (!buffer)
    return FALSE;
  g_ptr_array_add (self->buffers, buffer);
  const cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,.image_width = size,
    .buffer = buffer,
  };
  cl_mem memory = create_image (context, format, &description, error);
  if (!memory)
    return FALSE;
  ocl_pyramid_levels_set_memory (self, level, 1, memory);
  return TRUE;
}

/* Creates the image of one layer, or the image array of all layers, of an
 * pyramid level. */
static gboolean
ocl_pyramid_levels_create_images (OclPyramidLevels * self, OclContext * context,
    const OclFormat * format, guint level, guint first, guint n,
    GError ** error)
{
  OclFrame *frames = &self->frames[level * self->n_layers + first];
  const gboolean is_array = self->storage == OCL_STORAGE_IMAGE_ARRAY;
  const cl_image_desc description = {
    .image_type = is_array
        ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D,
    .image_width = ocl_frame_info_get_plane_width (&frames->info, 0),
    .image_height = ocl_frame_info_get_plane_height (&frames->info, 0),
    .image_array_size = is_array ? n : 0,
  };
  cl_mem memory = create_image (context, format, &description, error);

  if (!memory)
    return FALSE;
  g_ptr_array_add (self->memories, memory);
  for (guint i = 0; i < n; i++) {
    frames[i].planes[0].memory = memory;
    frames[i].planes[0].offset = i;
  }
  return TRUE;
}

static gboolean
ocl_pyramid_levels_allocate (OclPyramidLevels * self, OclContext * context,
    const OclFormat * format, GError ** error)
{
  const guint n = self->storage == OCL_STORAGE_IMAGE_ARRAY ? self->n_layers : 1;

  if (self->storage == OCL_STORAGE_BUFFER) {
    const guint64 size = ocl_pyramid_levels_lay_out (self, 0, self->n_levels);
    cl_mem memory = check_size (context, size, size, G_MAXINT32, error)
        ? create_buffer (context, size, error) : NULL;

    if (memory)
      ocl_pyramid_levels_set_memory (self, 0, self->n_levels, memory);
    return memory != NULL;
  }
  for (guint level = 0; level < self->n_levels; level++) {
    if (self->storage == OCL_STORAGE_IMAGE_BUFFER) {
      if (!ocl_pyramid_levels_create_image_buffer (self, context, format, level,
              error))
        return FALSE;
      continue;
    }
    for (guint layer = 0; layer < self->n_layers; layer += n) {
      if (!ocl_pyramid_levels_create_images (self, context, format, level,
              layer, n, error))
        return FALSE;
    }
  }
  return TRUE;
}

gboolean
ocl_pyramid_levels_ensure (OclPyramidLevels * self, OclContext * context,
    OclStorage storage, const OclFormat * format, const OclPass * pass,
    gint width, gint height, guint n_levels, guint n_layers, GError ** error)
{
  g_assert (n_levels <= OCL_MAX_PYRAMID_LEVELS);
  if (self->frames && self->storage == storage
      && self->n_levels == n_levels && self->n_layers == n_layers
      && self->frames[0].info.format == format
      && self->frames[0].info.width == width << pass->x_shift
      && self->frames[0].info.height == height << pass->y_shift)
    return TRUE;
  ocl_pyramid_levels_clear (self);
  self->storage = storage;
  self->n_levels = n_levels;
  self->n_layers = n_layers;
  self->frames = g_new0 (OclFrame, n_levels * n_layers);
  self->memories = g_ptr_array_new_with_free_func (release_memory);
  self->buffers = g_ptr_array_new_with_free_func (release_memory);
  for (guint i = 0; i < n_levels * n_layers; i++) {
    const guint level = i / n_layers;
    OclFrameInfo *info = &self->frames[i].info;

    info->format = format;
    info->storage = storage;
    info->width = ocl_format_count_samples (width, level) << pass->x_shift;
    info->height = ocl_format_count_samples (height, level) << pass->y_shift;
  }
  if (ocl_pyramid_levels_allocate (self, context, format, error))
    return TRUE;
  ocl_pyramid_levels_clear (self);
  return FALSE;
}

void
ocl_pyramid_levels_clear (OclPyramidLevels * self)
{
  g_clear_pointer (&self->frames, g_free);
  g_clear_pointer (&self->memories, g_ptr_array_unref);
  g_clear_pointer (&self->buffers, g_ptr_array_unref);
}

const OclFrame *
ocl_pyramid_levels_get (const OclPyramidLevels * self, guint level, guint layer)
{
  return &self->frames[level * self->n_layers + layer];
}
