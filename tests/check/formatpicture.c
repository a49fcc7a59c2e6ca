/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "formatpicture.h"
#include "testrandom.h"

#include <string.h>

/* Behind each row, in components: odd, so that rows start at any of them. */
#define PLANE_MARGIN 5
#define PLANE_CANARY 0xa5

void
format_picture_init (FormatPicture * self, const OclFormat * format,
    gint width, gint height)
{
  memset (self, 0, sizeof (*self));
  self->frame.format = format;
  self->frame.storage = OCL_STORAGE_BUFFER;
  self->frame.width = width;
  self->frame.height = height;
  for (guint i = 0; i < format->n_planes; i++) {
    self->frame.planes[i].stride = ocl_frame_get_row_bytes (&self->frame, i)
        + PLANE_MARGIN * format->component_bytes;
    self->sizes[i] = (gsize) self->frame.planes[i].stride
        * (ocl_frame_get_plane_height (&self->frame, i) + 2);
    self->planes[i] = g_malloc (self->sizes[i]);
    memset (self->planes[i], PLANE_CANARY, self->sizes[i]);
  }
}

void
format_picture_init_copy (FormatPicture * self, const FormatPicture * source)
{
  *self = *source;
  for (guint i = 0; i < source->frame.format->n_planes; i++)
    self->planes[i] = g_memdup2 (source->planes[i], source->sizes[i]);
}

void
format_picture_init_field (FormatPicture * self, const FormatPicture * source,
    guint field)
{
  const OclFrame *frame = &source->frame;

  format_picture_init (self, frame->format, frame->width,
      (frame->height + 1 - field) / 2);
  self->frame.lacks_row = field == 1 && frame->height % 4 == 2;
  for (guint plane = 0; plane < frame->format->n_planes; plane++) {
    const gint height = ocl_frame_get_plane_height (&self->frame, plane);

    g_assert_cmpint (height, ==,
        (ocl_frame_get_plane_height (frame, plane) + 1 - field) / 2);
    for (gint y = 0; y < height; y++)
      memcpy (format_picture_get_row (self, plane, y),
          format_picture_get_row (source, plane, 2 * y + field),
          ocl_frame_get_row_bytes (frame, plane));
  }
}

void
format_picture_clear (FormatPicture * self)
{
  for (guint i = 0; i < self->frame.format->n_planes; i++)
    g_free (self->planes[i]);
}

guint8 *
format_picture_get_row (const FormatPicture * self, guint plane, gint y)
{
  return self->planes[plane]
      + self->frame.planes[plane].stride * (gsize) (y + 1);
}

static guint
get_component (const FormatPicture * self, guint plane, gint n, gint y)
{
  const guint8 *row = format_picture_get_row (self, plane, y);

  return self->frame.format->component_bytes == 1 ? row[n]
      : row[2 * n] | (guint) row[2 * n + 1] << 8;
}

void
format_picture_set_in_row (FormatPicture * self, guint plane, gint n, gint y,
    guint value)
{
  guint8 *row = format_picture_get_row (self, plane, y);

  if (self->frame.format->component_bytes == 1) {
    row[n] = value;
  } else {
    row[2 * n] = value;
    row[2 * n + 1] = value >> 8;
  }
}

void
format_picture_fill (FormatPicture * self, guint32 seed)
{
  const OclFormat *format = self->frame.format;
  const gint max_level = ocl_format_get_max_level (format);
  g_autoptr (GRand) random = test_random_new (seed);

  for (guint plane = 0; plane < format->n_planes; plane++) {
    const gint n = ocl_frame_get_plane_width (&self->frame, plane)
        * format->planes[plane].n_components;
    const gint height = ocl_frame_get_plane_height (&self->frame, plane);

    for (gint y = 0; y < height; y++) {
      for (gint i = 0; i < n; i++) {
        gdouble level = 0.15 + 0.3 * ((i / 9 + y / 7) % 2) + 0.003 * (i % 90)
            + g_rand_double_range (random, -0.1, 0.1);
        guint bits = CLAMP (level, 0.0, 1.0) * max_level;

        if (g_rand_int_range (random, 0, 50) == 0)
          bits = g_rand_boolean (random) ? 0 : max_level;
        format_picture_set_in_row (self, plane, i, y, bits << format->shift
            | g_rand_int_range (random, 0, 1 << format->shift));
      }
    }
  }
}

/* Whether a channel has a sample for every pixel. */
static gboolean
is_full (const FormatPicture * self, guint channel)
{
  return channel == OCL_CHANNEL_LUMA || channel == OCL_CHANNEL_ALPHA
      || self->frame.format->model == OCL_MODEL_RGB;
}

gint
format_picture_get_width (const FormatPicture * self, guint channel)
{
  return is_full (self, channel) ? self->frame.width
      : ocl_format_count_samples (self->frame.width,
      self->frame.format->chroma_x_shift);
}

gint
format_picture_get_height (const FormatPicture * self, guint channel)
{
  return is_full (self, channel) ? self->frame.height
      : ocl_frame_count_rows (&self->frame, self->frame.format->chroma_y_shift);
}

guint
format_picture_get_component (const FormatPicture * self, guint channel,
    gint x, gint y)
{
  const OclChannel *where = &self->frame.format->channels[channel];

  return get_component (self, where->plane, x * where->step + where->offset, y);
}

void
format_picture_set_component (FormatPicture * self, guint channel, gint x,
    gint y, guint value)
{
  const OclChannel *where = &self->frame.format->channels[channel];

  format_picture_set_in_row (self, where->plane,
      x * where->step + where->offset, y, value);
}

guint
format_picture_get_level (const FormatPicture * self, guint channel, gint x,
    gint y)
{
  return format_picture_get_component (self, channel, x, y)
      >> self->frame.format->shift;
}

void
format_picture_set_level (FormatPicture * self, guint channel, gint x, gint y,
    guint level)
{
  format_picture_set_component (self, channel, x, y,
      level << self->frame.format->shift);
}

gdouble *
format_picture_get_levels (const FormatPicture * self, guint channel)
{
  const gint width = format_picture_get_width (self, channel);
  const gint height = format_picture_get_height (self, channel);
  gdouble *levels = g_new (gdouble, width * height);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++)
      levels[y * width + x] = format_picture_get_level (self, channel, x, y);
  }
  return levels;
}

void
format_picture_assert_margins (const FormatPicture * self)
{
  for (guint i = 0; i < self->frame.format->n_planes; i++) {
    const gint height = ocl_frame_get_plane_height (&self->frame, i);

    for (gint y = -1; y <= height; y++) {
      const gboolean is_margin = y < 0 || y == height;
      const guint8 *row = format_picture_get_row (self, i, y);

      for (gint n = is_margin ? 0 : ocl_frame_get_row_bytes (&self->frame, i);
          n < self->frame.planes[i].stride; n++)
        g_assert_cmpuint (row[n], ==, PLANE_CANARY);
    }
  }
}

void
format_picture_assert_copied (const FormatPicture * actual,
    const FormatPicture * expected, guint channel)
{
  const gint width = format_picture_get_width (actual, channel);
  const gint height = format_picture_get_height (actual, channel);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++)
      g_assert_cmpuint (format_picture_get_component (actual, channel, x, y),
          ==, format_picture_get_component (expected, channel, x, y));
  }
}

void
format_picture_assert_equal (const FormatPicture * actual,
    const FormatPicture * expected, const gchar * what)
{
  for (guint i = 0; i < expected->frame.format->n_planes; i++) {
    const gint stride = expected->frame.planes[i].stride;

    g_assert_cmpuint (actual->sizes[i], ==, expected->sizes[i]);
    for (gsize j = 0; j < expected->sizes[i]; j++) {
      if (actual->planes[i][j] != expected->planes[i][j])
        g_error ("%s: byte %d of row %d of plane %u is %u, not %u", what,
            (gint) j % stride, (gint) j / stride - 1, i, actual->planes[i][j],
            expected->planes[i][j]);
    }
  }
}

gboolean
format_has_images (OclContext * context, const OclFormat * format)
{
  cl_image_format formats[256];
  cl_uint n_formats = 0;

  g_assert_cmpint (clGetSupportedImageFormats (context->context,
          CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, G_N_ELEMENTS (formats),
          formats, &n_formats), ==, CL_SUCCESS);
  for (guint plane = 0; plane < format->n_planes; plane++) {
    const cl_image_format wanted = ocl_format_get_image_format (format, plane);
    gboolean found = FALSE;

    for (guint i = 0; i < MIN (n_formats, G_N_ELEMENTS (formats)); i++)
      found |= formats[i].image_channel_order == wanted.image_channel_order
          && formats[i].image_channel_data_type
          == wanted.image_channel_data_type;
    if (!found)
      return FALSE;
  }
  return TRUE;
}

static OclFrame
create_image_frame (const FormatPicture * self, OclContext * context)
{
  OclFrame frame = { 0, };
  GError *error = NULL;

  ocl_frame_ensure (&frame, context, OCL_STORAGE_IMAGE, &self->frame, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < frame.format->n_planes; i++) {
    const size_t origin[3] = { 0, 0, 0 };
    const size_t region[3] = { ocl_frame_get_image_width (&frame, i),
      ocl_frame_get_plane_height (&frame, i), 1
    };

    g_assert_cmpint (clEnqueueWriteImage (context->queue,
            frame.planes[i].memory, CL_TRUE, origin, region,
            self->frame.planes[i].stride, 0,
            format_picture_get_row (self, i, 0), 0, NULL, NULL), ==,
        CL_SUCCESS);
  }
  return frame;
}

/* Of the buffer of a plane: all of it, where that starts before the pixels, or
 * those alone. */
static gsize
get_buffer_size (const FormatPicture * self, const OclFrame * frame, guint i)
{
  return frame->planes[i].offset > 0 ? self->sizes[i]
      : ocl_frame_get_size (frame, i);
}

/* @with_margins: a buffer is all of a plane, and not only its pixels. */
static OclFrame
create_buffer_frame (FormatPicture * self, OclContext * context,
    gboolean with_margins)
{
  OclFrame frame = self->frame;

  for (guint i = 0; i < frame.format->n_planes; i++) {
    OclPlane *plane = &frame.planes[i];
    cl_int status = CL_SUCCESS;

    plane->offset = with_margins ? plane->stride : 0;
    plane->memory = clCreateBuffer (context->context,
        CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
        get_buffer_size (self, &frame, i),
        format_picture_get_row (self, i, 0) - plane->offset, &status);
    g_assert_cmpint (status, ==, CL_SUCCESS);
  }
  return frame;
}

OclFrame
format_picture_create_frame (FormatPicture * self, OclContext * context,
    OclStorage storage)
{
  return storage == OCL_STORAGE_IMAGE ? create_image_frame (self, context)
      : create_buffer_frame (self, context, FALSE);
}

OclFrame
format_picture_create_frame_with_margins (FormatPicture * self,
    OclContext * context, OclStorage storage)
{
  return storage == OCL_STORAGE_IMAGE ? create_image_frame (self, context)
      : create_buffer_frame (self, context, TRUE);
}

static void
download_buffer (FormatPicture * self, OclContext * context,
    const OclFrame * frame, guint plane)
{
  const cl_mem memory = frame->planes[plane].memory;
  cl_int status = CL_SUCCESS;
  guint8 *data = clEnqueueMapBuffer (context->queue, memory, CL_TRUE,
      CL_MAP_READ, 0, get_buffer_size (self, frame, plane), 0, NULL, NULL,
      &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  g_assert_true (data + frame->planes[plane].offset
      == format_picture_get_row (self, plane, 0));
  clEnqueueUnmapMemObject (context->queue, memory, data, 0, NULL, NULL);
  clFinish (context->queue);
}

void
format_picture_download (FormatPicture * self, OclContext * context,
    const OclFrame * frame)
{
  for (guint i = 0; i < frame->format->n_planes; i++) {
    const size_t origin[3] = { 0, 0, 0 };
    const size_t region[3] = { ocl_frame_get_image_width (frame, i),
      ocl_frame_get_plane_height (frame, i), 1
    };

    if (frame->storage == OCL_STORAGE_BUFFER)
      download_buffer (self, context, frame, i);
    else
      g_assert_cmpint (clEnqueueReadImage (context->queue,
              frame->planes[i].memory, CL_TRUE, origin, region,
              self->frame.planes[i].stride, 0,
              format_picture_get_row (self, i, 0), 0, NULL, NULL), ==,
          CL_SUCCESS);
  }
}
