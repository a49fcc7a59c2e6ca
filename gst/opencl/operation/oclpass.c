/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpass.h"

static const OclValue planes[] = {
  {OCL_PLANES_LUMA, "luma", "Brightness"},
  {OCL_PLANES_CHROMA, "chroma", "Colour differences"},
  {0, NULL, NULL},
};

const OclValues ocl_planes_values = { "planes", planes };

gboolean
ocl_pass_equals (const OclPass * a, const OclPass * b)
{
  return a->first_channel == b->first_channel
      && a->n_channels == b->n_channels && a->guided == b->guided
      && a->x_shift == b->x_shift && a->y_shift == b->y_shift;
}

guint
ocl_passes_init (OclPass passes[OCL_MAX_PASSES], const OclFormat * format,
    OclPlanes which, gboolean guided)
{
  const OclPass rgb = {.n_channels = 3 };
  const OclPass luma = {.n_channels = 1 };
  const OclPass differences = {
    .first_channel = 1,.n_channels = 2,.guided = guided,
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift,
  };
  guint n = 0;

  if (format->model == OCL_MODEL_RGB) {
    passes[n++] = rgb;
    return n;
  }
  if (which & OCL_PLANES_LUMA || format->model == OCL_MODEL_GREY)
    passes[n++] = luma;
  if (which & OCL_PLANES_CHROMA && format->model == OCL_MODEL_YCBCR)
    passes[n++] = differences;
  return n;
}

gint
ocl_pass_get_width (const OclPass * pass, const OclFrameInfo * info)
{
  return ocl_format_count_samples (info->width, pass->x_shift);
}

gint
ocl_pass_get_height (const OclPass * pass, const OclFrameInfo * info)
{
  return ocl_frame_info_count_rows (info, pass->y_shift);
}

cl_float4
ocl_pass_get_color (const OclPass * pass, const OclFrameInfo * info, guint argb)
{
  const cl_float4 color = ocl_format_convert_color (info->format,
      &info->colorimetry, argb);
  cl_float4 channels = { {0.0f,} };

  for (guint i = 0; i < pass->n_channels; i++)
    channels.s[i] = color.s[pass->first_channel + i];
  return channels;
}

gboolean
ocl_pass_has_plane (const OclPass * pass, const OclFormat * format, guint plane)
{
  for (guint i = 0; i < pass->n_channels; i++) {
    if (format->channels[pass->first_channel + i].plane == plane)
      return TRUE;
  }
  return FALSE;
}

/* Appends the representation of a level in memory, unless it is an integer. */
static void
append_floats (GString * options, const OclFormat * format, const gchar * way)
{
  if (format->is_float)
    g_string_append_printf (options, " -D FLOATS_%s", way);
  if (format->steps > 0)
    g_string_append_printf (options, " -D STEPS_%s=%u", way, format->steps);
}

gchar *
ocl_pass_get_options (const OclPass * pass, const OclFormat * format,
    const OclFormat * output)
{
  GString *options = g_string_new (NULL);
  guint n_planes = 0;

  g_string_printf (options, "-D MAX_LEVEL=%u -D SHIFT=%u -D X_SHIFT=%u"
      " -D Y_SHIFT=%u -D CHANNELS=%u%s%s", ocl_format_get_max_level (format),
      format->shift, pass->x_shift, pass->y_shift, pass->n_channels,
      format->depth > 8 ? " -D WIDE" : "",
      format->is_octave ? " -D NO_COLORS" : "");
  append_floats (options, format, "IN");
  append_floats (options, output, "OUT");
  /* The position of each channel in the planes of a kernel's arguments. */
  for (guint i = 0; i < pass->n_channels; i++) {
    const OclChannel *channel = &format->channels[pass->first_channel + i];
    guint index = 0;

    for (guint plane = 0; plane < channel->plane; plane++)
      index += ocl_pass_has_plane (pass, format, plane);
    n_planes = MAX (n_planes, index + 1);
    g_string_append_printf (options,
        " -D PLANE_%u=%u -D OFFSET_%u=%u -D STEP_%u=%u", i, index, i,
        channel->offset, i, channel->step);
  }
  g_string_append_printf (options, " -D PLANES=%u", n_planes);
  if (pass->guided)
    g_string_append_printf (options,
        " -D GUIDED -D GUIDE_STEP=%u -D GUIDE_OFFSET=%u"
        " -D GUIDE_X_SHIFT=%u -D GUIDE_Y_SHIFT=%u",
        format->channels[OCL_CHANNEL_LUMA].step,
        format->channels[OCL_CHANNEL_LUMA].offset,
        pass->x_shift - format->luma_x_shift,
        pass->y_shift - format->luma_y_shift);
  return g_string_free (options, FALSE);
}
