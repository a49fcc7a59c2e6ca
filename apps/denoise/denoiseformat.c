/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseformat.h"

/* Losses in the order of weight, then the excess. */
enum
{
  LOSS_ALPHA = 1000000,
  LOSS_COLOUR = 300000,
  LOSS_FAMILY = 15000,
  LOSS_BIT = 10000,
  LOSS_SUBSAMPLING = 4000,
  EXCESS_SUBSAMPLING = 400,
  EXCESS_FAMILY = 100,
  EXCESS_ALPHA = 50,
  EXCESS_BIT = 2,
  OTHER_ORDER = 1
};

guint
denoise_format_get_bits (GstVideoFormat format)
{
  return GST_VIDEO_FORMAT_INFO_DEPTH (gst_video_format_get_info (format), 0);
}

const gchar *
denoise_format_get_layout (GstVideoFormat format)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info (format);

  if (GST_VIDEO_FORMAT_INFO_IS_GRAY (info))
    return "grey";
  if (GST_VIDEO_FORMAT_INFO_IS_RGB (info))
    return "RGB";
  switch (GST_VIDEO_FORMAT_INFO_W_SUB (info, 1)) {
    case 0:
      return "4:4:4";
    case 1:
      return GST_VIDEO_FORMAT_INFO_H_SUB (info, 1) ? "4:2:0" : "4:2:2";
    default:
      return GST_VIDEO_FORMAT_INFO_H_SUB (info, 1) ? "4:1:0" : "4:1:1";
  }
}

/* GStreamer's table lacks this for the 12-bit packed formats. */
static gboolean
has_alpha (const GstVideoFormatInfo * info)
{
  return GST_VIDEO_FORMAT_INFO_HAS_ALPHA (info)
      || GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info) == 4;
}

static guint
get_family_loss (const GstVideoFormatInfo * from, const GstVideoFormatInfo * to)
{
  if (GST_VIDEO_FORMAT_INFO_IS_GRAY (from))
    return GST_VIDEO_FORMAT_INFO_IS_GRAY (to) ? 0
        : GST_VIDEO_FORMAT_INFO_IS_YUV (to) ? EXCESS_FAMILY : LOSS_FAMILY;
  if (GST_VIDEO_FORMAT_INFO_IS_GRAY (to))
    return LOSS_COLOUR;
  return GST_VIDEO_FORMAT_INFO_IS_RGB (from)
      == GST_VIDEO_FORMAT_INFO_IS_RGB (to) ? 0 : LOSS_FAMILY;
}

static guint
get_subsampling_loss (const GstVideoFormatInfo * from,
    const GstVideoFormatInfo * to)
{
  if (GST_VIDEO_FORMAT_INFO_N_COMPONENTS (to) < 3)
    return 0;
  if (GST_VIDEO_FORMAT_INFO_IS_GRAY (from))
    /* There is no chroma. */
    return (2 - GST_VIDEO_FORMAT_INFO_W_SUB (to, 1)
        - GST_VIDEO_FORMAT_INFO_H_SUB (to, 1)) * EXCESS_SUBSAMPLING;
  gint w = (gint) GST_VIDEO_FORMAT_INFO_W_SUB (to, 1)
      - (gint) GST_VIDEO_FORMAT_INFO_W_SUB (from, 1);
  gint h = (gint) GST_VIDEO_FORMAT_INFO_H_SUB (to, 1)
      - (gint) GST_VIDEO_FORMAT_INFO_H_SUB (from, 1);
  return (MAX (w, 0) + MAX (h, 0)) * LOSS_SUBSAMPLING
      + (MAX (-w, 0) + MAX (-h, 0)) * EXCESS_SUBSAMPLING;
}

static guint
get_loss (const GstVideoFormatInfo * from, const GstVideoFormatInfo * to,
    guint bits)
{
  guint to_bits = GST_VIDEO_FORMAT_INFO_DEPTH (to, 0);
  guint loss = get_family_loss (from, to) + get_subsampling_loss (from, to);

  loss += (bits > to_bits ? bits - to_bits : 0) * LOSS_BIT;
  loss += (to_bits > bits ? to_bits - bits : 0) * EXCESS_BIT;
  if (has_alpha (from) != has_alpha (to))
    loss += has_alpha (from) ? LOSS_ALPHA : EXCESS_ALPHA;
  return loss + (from != to ? OTHER_ORDER : 0);
}

static void
choose_of_value (const GstVideoFormatInfo * from, const GValue * value,
    guint bits, GstVideoFormat * best, guint * least)
{
  if (GST_VALUE_HOLDS_LIST (value)) {
    for (guint i = 0; i < gst_value_list_get_size (value); i++)
      choose_of_value (from, gst_value_list_get_value (value, i), bits, best,
          least);
    return;
  }
  GstVideoFormat format =
      gst_video_format_from_string (g_value_get_string (value));
  if (format == GST_VIDEO_FORMAT_UNKNOWN || format == GST_VIDEO_FORMAT_ENCODED)
    return;
  guint loss = get_loss (from, gst_video_format_get_info (format), bits);
  if (loss < *least) {
    *least = loss;
    *best = format;
  }
}

GstVideoFormat
denoise_format_choose (GstVideoFormat from, const GstCaps * accepted,
    guint bits)
{
  GstVideoFormat best = GST_VIDEO_FORMAT_UNKNOWN;
  guint least = G_MAXUINT;

  for (guint i = 0; i < gst_caps_get_size (accepted); i++) {
    const GstStructure *structure = gst_caps_get_structure (accepted, i);
    const GstCapsFeatures *features = gst_caps_get_features (accepted, i);
    const GValue *value = gst_structure_get_value (structure, "format");
    if (value && (!features || gst_caps_features_is_equal (features,
                GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)))
      choose_of_value (gst_video_format_get_info (from), value,
          bits ? bits : denoise_format_get_bits (from), &best, &least);
  }
  return best;
}

GstCaps *
denoise_format_create_caps (const GstVideoInfo * info, GstVideoFormat format)
{
  const GstVideoFormatInfo *to = gst_video_format_get_info (format);
  g_autoptr (GstCaps) from = gst_video_info_to_caps (info);
  const GstStructure *colours = gst_caps_get_structure (from, 0);
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      gst_video_format_to_string (format), NULL);

  if (get_family_loss (info->finfo, to) < LOSS_FAMILY
      && gst_structure_has_field (colours, "colorimetry"))
    gst_caps_set_value (caps, "colorimetry",
        gst_structure_get_value (colours, "colorimetry"));
  return caps;
}

gchar *
denoise_format_describe_loss (GstVideoFormat from, GstVideoFormat to)
{
  const GstVideoFormatInfo *from_info = gst_video_format_get_info (from);
  const GstVideoFormatInfo *to_info = gst_video_format_get_info (to);
  guint from_bits = denoise_format_get_bits (from);
  guint to_bits = denoise_format_get_bits (to);
  g_autoptr (GPtrArray) losses = g_ptr_array_new_with_free_func (g_free);

  if (has_alpha (from_info) && !has_alpha (to_info))
    g_ptr_array_add (losses, g_strdup ("alpha"));
  if (from_bits > to_bits)
    g_ptr_array_add (losses, g_strdup_printf ("%u bits (%u are kept)",
            from_bits, to_bits));
  if (get_family_loss (from_info, to_info) >= LOSS_FAMILY
      || get_subsampling_loss (from_info, to_info) >= LOSS_SUBSAMPLING)
    g_ptr_array_add (losses, g_strdup_printf ("%s (as %s)",
            denoise_format_get_layout (from), denoise_format_get_layout (to)));
  if (losses->len == 0)
    return NULL;
  g_ptr_array_add (losses, NULL);
  return g_strjoinv (", ", (gchar **) losses->pdata);
}
