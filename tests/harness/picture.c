/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "picture.h"
#include "testrandom.h"

#include <string.h>

/* The components after each row: odd, so that rows start at any alignment. */
#define PLANE_MARGIN 5
#define PLANE_CANARY 0xa5

Picture
picture_new (const OclFormat * format, gint width, gint height)
{
  Picture self = {.frame.info = {.format = format,.storage = OCL_STORAGE_BUFFER,
      .width = width,.height = height,.colorimetry = {0.2126, 0.0722, TRUE}}
  };

  for (guint i = 0; i < format->n_planes; i++) {
    self.frame.planes[i].stride =
        ocl_frame_info_get_row_bytes (&self.frame.info, i)
        + PLANE_MARGIN * format->component_bytes;
    self.sizes[i] = (gsize) self.frame.planes[i].stride
        * (ocl_frame_info_get_plane_height (&self.frame.info, i) + 2);
    self.planes[i] = g_malloc (self.sizes[i]);
    memset (self.planes[i], PLANE_CANARY, self.sizes[i]);
  }
  return self;
}

Picture
picture_new_like (const Picture * source)
{
  const OclFrameInfo *info = &source->frame.info;
  Picture self = picture_new (info->format, info->width, info->height);

  self.frame.info.interlaced = info->interlaced;
  self.frame.info.colorimetry = info->colorimetry;
  return self;
}

Picture
picture_copy (const Picture * source)
{
  Picture self = *source;

  for (guint i = 0; i < source->frame.info.format->n_planes; i++)
    self.planes[i] = g_memdup2 (source->planes[i], source->sizes[i]);
  return self;
}

Picture
picture_copy_field (const Picture * source, guint field)
{
  const OclFrame *frame = &source->frame;
  Picture self = picture_new (frame->info.format, frame->info.width,
      (frame->info.height + 1 - field) / 2);

  self.frame.info.lacks_row = field == 1 && frame->info.height % 4 == 2;
  for (guint plane = 0; plane < frame->info.format->n_planes; plane++) {
    const gint height =
        ocl_frame_info_get_plane_height (&self.frame.info, plane);

    g_assert_cmpint (height, ==,
        (ocl_frame_info_get_plane_height (&frame->info,
                plane) + 1 - field) / 2);
    for (gint y = 0; y < height; y++)
      memcpy (picture_get_row (&self, plane, y),
          picture_get_row (source, plane, 2 * y + field),
          ocl_frame_info_get_row_bytes (&frame->info, plane));
  }
  return self;
}

void
picture_clear (Picture * self)
{
  for (guint i = 0; i < OCL_MAX_PLANES; i++)
    g_free (self->planes[i]);
}

void
picture_discard (Picture self)
{
  picture_clear (&self);
}

guint8 *
picture_get_row (const Picture * self, guint plane, gint y)
{
  return self->planes[plane]
      + self->frame.planes[plane].stride * (gsize) (y + 1);
}

static guint
get_component (const Picture * self, guint plane, gint n, gint y)
{
  const guint8 *row = picture_get_row (self, plane, y);

  return self->frame.info.format->component_bytes == 1 ? row[n]
      : row[2 * n] | (guint) row[2 * n + 1] << 8;
}

void
picture_set_in_row (Picture * self, guint plane, gint n, gint y, guint value)
{
  guint8 *row = picture_get_row (self, plane, y);

  if (self->frame.info.format->component_bytes == 1) {
    row[n] = value;
  } else {
    row[2 * n] = value;
    row[2 * n + 1] = value >> 8;
  }
}

/* Gradients, edges and noise, with some black and white samples. */
static guint
draw_scene (gint i, gint y, guint max_level, GRand * random)
{
  gdouble level = 0.15 + 0.3 * ((i / 9 + y / 7) % 2) + 0.003 * (i % 90)
      + g_rand_double_range (random, -0.1, 0.1);

  if (g_rand_int_range (random, 0, 50) == 0)
    return g_rand_boolean (random) ? 0 : max_level;
  return CLAMP (level, 0.0, 1.0) * max_level;
}

/* Fills rows with random groups of bytes, each repeated @n_equal times. */
static void
fill_groups (Picture * self, guint n_equal, GRand * random)
{
  for (guint plane = 0; plane < self->frame.info.format->n_planes; plane++) {
    const gsize group =
        ocl_format_get_group_bytes (self->frame.info.format, plane);
    const gsize size = ocl_frame_info_get_row_bytes (&self->frame.info, plane);

    for (gint y = 0;
        y < ocl_frame_info_get_plane_height (&self->frame.info, plane); y++) {
      guint8 *row = picture_get_row (self, plane, y);

      for (gsize x = 0; x < size; x++)
        row[x] = x / group % n_equal ? row[x - group] : g_rand_int (random);
    }
  }
}

void
picture_fill_with (Picture * self, PictureContent content, guint32 seed)
{
  /* 30 R + 59 G + 11 B is 1770. */
  static const guint8 one_luma[][4] = { {59, 0, 0, 9}, {0, 30, 0, 8},
  {4, 28, 0, 7}
  };
  const OclFormat *format = self->frame.info.format;
  const guint max_level = ocl_format_get_max_level (format);
  g_autoptr (GRand) random = test_random_new (seed);
  const guint flat = g_rand_int_range (random, 0, max_level + 1);

  if (content == PICTURE_NOISE || content == PICTURE_RUNS) {
    fill_groups (self, content == PICTURE_RUNS ? 50 : 1, random);
    return;
  }
  for (guint plane = 0; plane < format->n_planes; plane++) {
    const gint n = ocl_frame_info_get_plane_width (&self->frame.info, plane)
        * format->planes[plane].n_components;
    const gint height =
        ocl_frame_info_get_plane_height (&self->frame.info, plane);

    for (gint y = 0; y < height; y++) {
      for (gint i = 0; i < n; i++) {
        const guint level = content == PICTURE_FLAT ? flat : content ==
            PICTURE_ONE_LUMA ? one_luma[(i / 4 * 7 + y * 5) % 3][i % 4] :
            content == PICTURE_EXTREMES ? g_rand_boolean (random) * max_level :
            draw_scene (i, y, max_level, random);

        picture_set_in_row (self, plane, i, y, level << format->shift
            | g_rand_int_range (random, 0, 1 << format->shift));
      }
    }
  }
}

Picture
picture_new_scene (const OclFormat * format, gint width, gint height,
    guint32 seed)
{
  Picture self = picture_new (format, width, height);

  picture_fill_with (&self, PICTURE_SCENE, seed);
  return self;
}

guint
picture_count_channels (const OclFormat * format)
{
  return format->model == OCL_MODEL_GREY ? 1 : 3;
}

/* Whether a channel has a sample for every pixel. */
static gboolean
is_full (const Picture * self, guint channel)
{
  return channel == OCL_CHANNEL_LUMA || channel == OCL_CHANNEL_ALPHA
      || self->frame.info.format->model == OCL_MODEL_RGB;
}

gint
picture_get_width (const Picture * self, guint channel)
{
  return is_full (self, channel) ? self->frame.info.width
      : ocl_format_count_samples (self->frame.info.width,
      self->frame.info.format->chroma_x_shift);
}

gint
picture_get_height (const Picture * self, guint channel)
{
  return is_full (self, channel) ? self->frame.info.height
      : ocl_frame_info_count_rows (&self->frame.info,
      self->frame.info.format->chroma_y_shift);
}

guint
picture_get_component (const Picture * self, guint channel, gint x, gint y)
{
  const OclChannel *where = &self->frame.info.format->channels[channel];

  return get_component (self, where->plane, x * where->step + where->offset, y);
}

void
picture_set_component (Picture * self, guint channel, gint x,
    gint y, guint value)
{
  const OclChannel *where = &self->frame.info.format->channels[channel];

  picture_set_in_row (self, where->plane,
      x * where->step + where->offset, y, value);
}

guint
picture_get_level (const Picture * self, guint channel, gint x, gint y)
{
  return picture_get_component (self, channel, x, y)
      >> self->frame.info.format->shift;
}

void
picture_set_level (Picture * self, guint channel, gint x, gint y, guint level)
{
  picture_set_component (self, channel, x, y,
      level << self->frame.info.format->shift);
}

gdouble *
picture_get_levels (const Picture * self, guint channel)
{
  const gint width = picture_get_width (self, channel);
  const gint height = picture_get_height (self, channel);
  gdouble *levels = g_new (gdouble, width * height);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++)
      levels[y * width + x] = picture_get_level (self, channel, x, y);
  }
  return levels;
}

gchar *
picture_find_overrun (const Picture * self)
{
  for (guint i = 0; i < self->frame.info.format->n_planes; i++) {
    const gint height = ocl_frame_info_get_plane_height (&self->frame.info, i);

    for (gint y = -1; y <= height; y++) {
      const gboolean is_margin = y < 0 || y == height;
      const guint8 *row = picture_get_row (self, i, y);

      for (gint n =
          is_margin ? 0 : ocl_frame_info_get_row_bytes (&self->frame.info, i);
          n < self->frame.planes[i].stride; n++) {
        if (row[n] != PLANE_CANARY)
          return g_strdup_printf ("byte %d of row %d of plane %u is outside of "
              "the frame and was written", n, y, i);
      }
    }
  }
  return NULL;
}

gchar *
picture_find_difference (const Picture * actual, const Picture * expected)
{
  for (guint i = 0; i < expected->frame.info.format->n_planes; i++) {
    const gsize stride = expected->frame.planes[i].stride;

    g_assert_cmpuint (actual->sizes[i], ==, expected->sizes[i]);
    for (gsize j = 0; j < expected->sizes[i]; j++) {
      if (actual->planes[i][j] != expected->planes[i][j])
        return g_strdup_printf ("byte %d of row %d of plane %u is %u, not %u",
            (gint) (j % stride), (gint) (j / stride) - 1, i,
            actual->planes[i][j], expected->planes[i][j]);
    }
  }
  return NULL;
}

gboolean
picture_has_images (OclContext * context, const OclFormat * format)
{
  gboolean supported = TRUE;
  g_autoptr (GError) error = NULL;

  for (guint plane = 0; supported && plane < format->n_planes; plane++) {
    if (!ocl_context_supports_image (context,
            ocl_format_get_image_format (format, plane), &supported, &error))
      g_error ("%s", error->message);
  }
  return supported;
}

/* Returns the size of the buffer of a plane, with or without margins. */
static gsize
get_buffer_size (const Picture * self, const OclFrame * frame, guint i)
{
  return frame->planes[i].offset > 0 ? self->sizes[i]
      : ocl_frame_get_size (frame, i);
}

PictureMemory
picture_get_memory (OclStorage storage)
{
  return storage == OCL_STORAGE_IMAGE ? PICTURE_IMAGE : PICTURE_BUFFER;
}

gboolean
picture_upload (Picture * self, OclContext * context, PictureMemory memory,
    OclFrame * frame, GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  OclFrameInfo info = self->frame.info;
  cl_int status = CL_SUCCESS;

  memset (frame, 0, sizeof (*frame));
  if (memory == PICTURE_SWAPPED_IMAGE) {
    info.format = OCL_FORMAT_RGBA;
    info.bytes_swapped = TRUE;
  }
  if (memory >= PICTURE_IMAGE) {
    info.storage = OCL_STORAGE_IMAGE;
    if (!ocl_frame_ensure (frame, context, &info, error))
      return FALSE;
  } else {
    *frame = self->frame;
  }
  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    OclPlane *plane = &frame->planes[i];

    if (memory >= PICTURE_IMAGE) {
      const size_t region[3] =
          { ocl_frame_info_get_image_width (&frame->info, i),
        ocl_frame_info_get_plane_height (&frame->info, i), 1
      };

      status = clEnqueueWriteImage (context->queue, plane->memory, CL_TRUE,
          origin, region, self->frame.planes[i].stride, 0,
          picture_get_row (self, i, 0), 0, NULL, NULL);
    } else {
      plane->offset = memory == PICTURE_PADDED_BUFFER ? plane->stride : 0;
      plane->memory = clCreateBuffer (context->context,
          CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
          get_buffer_size (self, frame, i),
          picture_get_row (self, i, 0) - plane->offset, &status);
    }
    if (!ocl_check (status, "making a frame", error))
      return FALSE;
  }
  return TRUE;
}

gboolean
picture_read (Picture * self, OclContext * context, const OclFrame * frame,
    GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    const cl_mem memory = frame->planes[i].memory;
    const size_t region[3] = { ocl_frame_info_get_image_width (&frame->info, i),
      ocl_frame_info_get_plane_height (&frame->info, i), 1
    };
    cl_int status = CL_SUCCESS;

    if (frame->info.storage == OCL_STORAGE_IMAGE) {
      if (!ocl_check (clEnqueueReadImage (context->queue, memory, CL_TRUE,
                  origin, region, self->frame.planes[i].stride, 0,
                  picture_get_row (self, i, 0), 0, NULL, NULL),
              "clEnqueueReadImage", error))
        return FALSE;
      continue;
    }
    void *data = clEnqueueMapBuffer (context->queue, memory, CL_TRUE,
        CL_MAP_READ, 0, get_buffer_size (self, frame, i), 0, NULL, NULL,
        &status);
    if (!ocl_check (status, "clEnqueueMapBuffer", error)
        || !ocl_check (clEnqueueUnmapMemObject (context->queue, memory, data, 0,
                NULL, NULL), "clEnqueueUnmapMemObject", error))
      return FALSE;
  }
  return ocl_context_finish (context, error);
}

OclFrame
picture_create_frame (Picture * self, OclContext * context, OclStorage storage)
{
  const OclColorimetry bt709 = { 0.2126, 0.0722, TRUE };
  OclFrame frame = {.info = {.colorimetry = bt709} };
  g_autoptr (GError) error = NULL;

  if (self && !picture_upload (self, context, picture_get_memory (storage),
          &frame, &error))
    g_error ("%s", error->message);
  return frame;
}

void
picture_download (Picture * self, OclContext * context, const OclFrame * frame)
{
  g_autoptr (GError) error = NULL;

  if (!picture_read (self, context, frame, &error))
    g_error ("%s", error->message);
}

void
picture_assert_equal (const Picture * actual, const Picture * expected,
    const gchar * what)
{
  g_autofree gchar *difference = picture_find_difference (actual, expected);

  if (difference)
    g_error ("%s: %s", what, difference);
}

void
picture_assert_copied (const Picture * actual, const Picture * expected,
    guint channel)
{
  const gint width = picture_get_width (actual, channel);
  const gint height = picture_get_height (actual, channel);

  for (gint i = 0; i < width * height; i++)
    g_assert_cmpuint (picture_get_component (actual, channel, i % width,
            i / width), ==, picture_get_component (expected, channel,
            i % width, i / width));
}

void
picture_assert_margins (const Picture * self)
{
  g_autofree gchar *overrun = picture_find_overrun (self);

  if (overrun)
    g_error ("%s", overrun);
}
