/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "convert.h"

#include <math.h>

#include "opencl/operation/oclpass.h"

/* The level of a channel that one pixel alone would have. */
static gdouble
get_pixel_level (const OclFormat * format, guint channel, const guint8 * pixel)
{
  if (channel == OCL_CHANNEL_ALPHA)
    return pixel[3] * (ocl_format_get_max_level (format) / 255.0);
  return ocl_format_convert_color (format, &CONVERT_COLORIMETRY,
      (guint) pixel[0] << 16 | (guint) pixel[1] << 8 | pixel[2]).s[channel];
}

/* The level of the sample at x, y of the pass's only channel. */
static guint
get_level (const OclFrame * frame, const guint8 * pixels,
    const OclPass * pass, gint x, gint y)
{
  const gint right = MIN ((x + 1) << pass->x_shift, frame->width);
  const gint bottom = MIN ((y + 1) << pass->y_shift, frame->height);
  gdouble sum = 0.0;
  gint n = 0;

  for (gint j = y << pass->y_shift; j < bottom; j++) {
    for (gint i = x << pass->x_shift; i < right; i++, n++)
      sum += get_pixel_level (frame->format, pass->first_channel,
          pixels + ((gsize) j * frame->width + i) * 4);
  }
  return rint (sum / n);
}

static void
convert_channel (const OclFrame * frame, const guint8 * pixels, guint channel,
    guint8 * bytes)
{
  const OclFormat *format = frame->format;
  const OclChannel *where = &format->channels[channel];
  const gsize row_bytes = ocl_frame_get_row_bytes (frame, where->plane);
  const gboolean is_difference = format->model == OCL_MODEL_YCBCR
      && channel != OCL_CHANNEL_LUMA && channel != OCL_CHANNEL_ALPHA;
  const OclPass pass = {.first_channel = channel,.n_channels = 1,
    .x_shift = is_difference ? format->chroma_x_shift : 0,
    .y_shift = is_difference ? format->chroma_y_shift : 0,
  };

  for (gint y = 0; y < ocl_pass_get_height (&pass, frame); y++) {
    guint8 *row = bytes + y * row_bytes;

    for (gint x = 0; x < ocl_pass_get_width (&pass, frame); x++) {
      const guint component =
          get_level (frame, pixels, &pass, x, y) << format->shift;
      const gsize n = (gsize) x * where->step + where->offset;

      if (format->component_bytes == 1)
        row[n] = component;
      else
        ((guint16 *) row)[n] = component;
    }
  }
}

guint8 *
convert_plane (const OclFrame * frame, guint plane, const guint8 * pixels)
{
  guint8 *bytes = g_malloc0 (ocl_frame_get_row_bytes (frame, plane)
      * ocl_frame_get_plane_height (frame, plane));

  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (frame->format->channels[i].step > 0
        && frame->format->channels[i].plane == plane)
      convert_channel (frame, pixels, i, bytes);
  }
  return bytes;
}
