/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frames.h"

#include <math.h>

#include "opencl/operation/ocloperationclass.h"

#define N_DISCS 40
#define NOISE 12

static const OclColorimetry colorimetry = {.kr = 0.2126,.kb = 0.0722 };

/* Draws shapes on a gradient, with noise. The result is deterministic for each
 * size. */
static guint8 *
draw_picture (gint width, gint height)
{
  struct
  {
    gint x, y, radius;
    guint8 color[3];
  } discs[N_DISCS];
  guint8 *pixels = g_malloc ((gsize) width * height * 4);
  guint8 *pixel = pixels;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gint i = 0; i < N_DISCS; i++) {
    discs[i].x = g_rand_int_range (random, 0, width);
    discs[i].y = g_rand_int_range (random, 0, height);
    discs[i].radius = height / 40 + g_rand_int_range (random, 0,
        height / 12 + 1);
    for (gint c = 0; c < 3; c++)
      discs[i].color[c] = g_rand_int_range (random, 0, 256);
  }
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++, pixel += 4) {
      const gint gradient[3] = { x * 200 / width, y * 200 / height,
        (x + y) * 200 / (width + height)
      };
      gint disc = N_DISCS - 1;

      /* The uppermost one. */
      while (disc >= 0 && (x - discs[disc].x) * (x - discs[disc].x)
          + (y - discs[disc].y) * (y - discs[disc].y)
          >= discs[disc].radius * discs[disc].radius)
        disc--;
      for (gint c = 0; c < 3; c++) {
        gint level = disc >= 0 ? discs[disc].color[c] : gradient[c];
        gint noise = g_rand_int_range (random, -NOISE, NOISE + 1);

        pixel[c] = CLAMP (level + noise, 0, 255);
      }
      pixel[3] = 255;
    }
  }
  return pixels;
}

Frames *
frames_new (const OclFormat * format, gint width, gint height,
    const guint8 * pixels)
{
  Frames *self = g_new0 (Frames, 1);

  self->format = format;
  self->width = width;
  self->height = height;
  self->pixels = pixels ? g_memdup2 (pixels, (gsize) width * height * 4)
      : draw_picture (width, height);
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

/* Returns the level of the sample at x, y of the only channel of @pass. */
static guint
get_level (const Frames * self, const OclPass * pass, gint x, gint y)
{
  const gint right = MIN ((x + 1) << pass->x_shift, self->width);
  const gint bottom = MIN ((y + 1) << pass->y_shift, self->height);
  gdouble sum = 0.0;
  gint n = 0;

  for (gint j = y << pass->y_shift; j < bottom; j++) {
    for (gint i = x << pass->x_shift; i < right; i++, n++) {
      const guint8 *pixel = self->pixels + ((gsize) j * self->width + i) * 4;

      if (pass->first_channel == OCL_CHANNEL_ALPHA)
        sum += pixel[3] * (ocl_format_get_max_level (self->format) / 255.0);
      else
        sum += ocl_format_convert_color (self->format, &colorimetry,
            (guint) pixel[0] << 16 | (guint) pixel[1] << 8
            | pixel[2]).s[pass->first_channel];
    }
  }
  return rint (sum / n);
}

/* Sets the samples of a channel in @bytes, which are a plane of @frame. */
static void
convert_channel (const Frames * self, const OclFrame * frame, guint channel,
    guint8 * bytes)
{
  const OclFormat *format = self->format;
  const OclChannel *where = &format->channels[channel];
  const gsize row_bytes =
      ocl_frame_info_get_row_bytes (&frame->info, where->plane);
  const gboolean is_difference = format->model == OCL_MODEL_YCBCR
      && channel != OCL_CHANNEL_LUMA && channel != OCL_CHANNEL_ALPHA;
  const OclPass pass = {.first_channel = channel,.n_channels = 1,
    .x_shift = is_difference ? format->chroma_x_shift : 0,
    .y_shift = is_difference ? format->chroma_y_shift : 0,
  };

  for (gint y = 0; y < ocl_pass_get_height (&pass, &frame->info); y++) {
    guint8 *row = bytes + y * row_bytes;

    for (gint x = 0; x < ocl_pass_get_width (&pass, &frame->info); x++) {
      const guint component = get_level (self, &pass, x, y) << format->shift;
      const gsize n = (gsize) x * where->step + where->offset;

      if (format->component_bytes == 1)
        row[n] = component;
      else
        ((guint16 *) row)[n] = component;
    }
  }
}

/* Creates the input in buffers, from which the input in images is copied. */
static gboolean
frames_ensure_buffer (Frames * self, OclContext * context,
    const OclFrameInfo * info, GError ** error)
{
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];

  if (buffer->planes[0].memory)
    return TRUE;
  if (!ocl_frame_ensure (buffer, context, info, error))
    return FALSE;
  for (guint i = 0; i < self->format->n_planes; i++) {
    const gsize size = ocl_frame_get_size (buffer, i);
    g_autofree guint8 *bytes =
        self->format == OCL_FORMAT_RGBA ? NULL : g_malloc0 (size);

    for (guint c = 0; bytes && c < OCL_N_CHANNELS; c++) {
      if (self->format->channels[c].step > 0
          && self->format->channels[c].plane == i)
        convert_channel (self, buffer, c, bytes);
    }
    if (!ocl_check (clEnqueueWriteBuffer (context->queue,
                buffer->planes[i].memory, CL_TRUE, 0, size,
                bytes ? bytes : self->pixels, 0, NULL, NULL),
            "clEnqueueWriteBuffer", error))
      return FALSE;
  }
  return TRUE;
}

/* Checks that the device supports images for all planes. */
static gboolean
frames_check_images (const Frames * self, OclContext * context, GError ** error)
{
  const OclDevice *device = context->device;
  gboolean supported = TRUE;

  if (device->image_max_width < (gsize) self->width
      || device->image_max_height < (gsize) self->height) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device does not support images of this size");
    return FALSE;
  }
  if (self->format->buffers_only) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "no kernel supports images of %s", self->format->name);
    return FALSE;
  }
  for (guint i = 0; supported && i < self->format->n_planes; i++) {
    if (!ocl_context_supports_image (context,
            ocl_format_get_image_format (self->format, i), &supported, error))
      return FALSE;
  }
  if (!supported)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device does not support images of %s", self->format->name);
  return supported;
}

gboolean
frames_upload (Frames * self, OclContext * context, OclStorage storage,
    GError ** error)
{
  const OclFrameInfo info = {.format = self->format,.width = self->width,
    .height = self->height,.colorimetry = colorimetry
  };
  OclFrameInfo own = info;
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];
  OclFrame *input = &self->input[storage];
  g_autoptr (OclTimer) timer = ocl_timer_new ();

  if (self->output[storage].planes[0].memory)
    return TRUE;
  own.storage = storage;
  const gboolean ok = (input == buffer
      || frames_check_images (self, context, error))
      && frames_ensure_buffer (self, context, &info, error)
      && ocl_frame_ensure (input, context, &own, error)
      && (input == buffer || ocl_frame_enqueue_copy (context, buffer, input,
          timer, error))
      && ocl_frame_ensure (&self->output[storage], context, &own, error);
  return ocl_context_finish (context, ok ? error : NULL) && ok;
}
