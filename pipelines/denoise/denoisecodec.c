/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecodec.h"

#include "denoiseformat.h"

/* VP9 counts its quantizers from 0 to 63, the others from 0 to 51. */
#define VP9_QUANTIZER(quality) ((quality) * 63 / 51)

static void
configure_h264 (GstElement * encoder, const DenoiseOptions * options)
{
  gst_util_set_object_arg (G_OBJECT (encoder), "pass", "qual");
  gst_util_set_object_arg (G_OBJECT (encoder), "speed-preset", "veryfast");
  /* The encoder would limit the rate to that of its property bitrate. */
  g_object_set (encoder, "quantizer", options->quality, "vbv-buf-capacity", 0,
      NULL);
}

static void
configure_h265 (GstElement * encoder, const DenoiseOptions * options)
{
  g_autofree gchar *option = g_strdup_printf ("crf=%d", options->quality);

  gst_util_set_object_arg (G_OBJECT (encoder), "speed-preset", "superfast");
  g_object_set (encoder, "option-string", option, NULL);
}

static void
configure_vp9 (GstElement * encoder, const DenoiseOptions * options)
{
  gint quantizer = VP9_QUANTIZER (options->quality);

  /* With frames to look ahead the last ones of a short film do not come. */
  g_object_set (encoder, "min-quantizer", quantizer, "max-quantizer",
      quantizer, "lag-in-frames", 0, "deadline", G_GINT64_CONSTANT (1),
      "cpu-used", 4, "row-mt", TRUE, "threads", (gint) g_get_num_processors (),
      NULL);
}

static void
configure_ffv1 (GstElement * encoder, const DenoiseOptions * options)
{
  (void) encoder;
  (void) options;
}

static const DenoiseCodec codecs[] = {
  {"h264", "x264enc", "h264parse", configure_h264},
  {"h265", "x265enc", "h265parse", configure_h265},
  {"vp9", "vp9enc", "vp9parse", configure_vp9},
  {"ffv1", "avenc_ffv1", NULL, configure_ffv1}
};

/* One of denoise_codec_names. */
static const DenoiseCodec *
find_codec (const gchar * name)
{
  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++)
    if (g_strcmp0 (codecs[i].name, name) == 0)
      return &codecs[i];
  return NULL;
}

static gboolean
has_odd_chroma (const GstVideoInfo * info)
{
  return GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info->finfo) >= 3
      && (GST_VIDEO_INFO_WIDTH (info)
      & ((1 << GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, 1)) - 1)
      || GST_VIDEO_INFO_HEIGHT (info)
      & ((1 << GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, 1)) - 1));
}

const DenoiseCodec *
denoise_codec_choose (const DenoiseOptions * options, const GstVideoInfo * info)
{
  guint bits = options->bits ? (guint) options->bits
      : denoise_format_get_bits (GST_VIDEO_INFO_FORMAT (info));

  if (options->codec)
    return find_codec (options->codec);
  if (has_odd_chroma (info))
    return find_codec ("vp9");
  if (bits == 8 || (GST_VIDEO_INFO_IS_INTERLACED (info)
          && !options->deinterlace))
    return find_codec ("h264");
  /* x265 has no smaller block. */
  if (MIN (GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info)) < 64)
    return find_codec ("vp9");
  return find_codec ("h265");
}

GstCaps *
denoise_codec_choose_caps (GstElement * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (encoder, "sink");
  g_autoptr (GstCaps) size = gst_caps_new_simple ("video/x-raw",
      "width", G_TYPE_INT, GST_VIDEO_INFO_WIDTH (info),
      "height", G_TYPE_INT, GST_VIDEO_INFO_HEIGHT (info), NULL);
  g_autoptr (GstCaps) all = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) accepted = gst_caps_intersect (all, size);
  GstVideoFormat format = denoise_format_choose (GST_VIDEO_INFO_FORMAT (info),
      accepted, options->bits);

  if (format == GST_VIDEO_FORMAT_UNKNOWN)
    return NULL;
  return denoise_format_create_caps (info, format);
}
