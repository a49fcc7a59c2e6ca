/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseformat.h"

#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>

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

/* Formats by name, because some versions lack some of them. FFmpeg's formats
 * with a "j" have full range. If a format of GStreamer is listed twice, the
 * first row is used for the conversion to FFmpeg. */
static const struct
{
  const gchar *av;
  const gchar *gst;
} formats_of_both[] = {
  /* *INDENT-OFF* */
  {"yuv420p", "I420"}, {"yuvj420p", "I420"}, {"yuv422p", "Y42B"},
  {"yuvj422p", "Y42B"}, {"yuv444p", "Y444"}, {"yuvj444p", "Y444"},
  {"yuv411p", "Y41B"}, {"yuvj411p", "Y41B"}, {"yuv410p", "YUV9"},
  {"nv12", "NV12"}, {"nv21", "NV21"}, {"nv16", "NV16"}, {"nv24", "NV24"},
  {"yuyv422", "YUY2"}, {"uyvy422", "UYVY"}, {"yvyu422", "YVYU"},
  {"yuv420p10le", "I420_10LE"}, {"yuv420p12le", "I420_12LE"},
  {"yuv422p10le", "I422_10LE"}, {"yuv422p12le", "I422_12LE"},
  {"yuv444p10le", "Y444_10LE"}, {"yuv444p12le", "Y444_12LE"},
  {"yuv444p16le", "Y444_16LE"}, {"p010le", "P010_10LE"},
  {"p012le", "P012_LE"}, {"p016le", "P016_LE"}, {"y210le", "Y210"},
  {"yuva420p", "A420"}, {"yuva422p", "A422"}, {"yuva444p", "A444"},
  {"yuva420p10le", "A420_10LE"}, {"yuva422p10le", "A422_10LE"},
  {"yuva444p10le", "A444_10LE"}, {"yuva422p12le", "A422_12LE"},
  {"yuva444p12le", "A444_12LE"}, {"yuva420p16le", "A420_16LE"},
  {"yuva422p16le", "A422_16LE"}, {"yuva444p16le", "A444_16LE"},
  {"ayuv64le", "AYUV64"},
  {"gray", "GRAY8"}, {"gray16le", "GRAY16_LE"}, {"gray16be", "GRAY16_BE"},
  {"gbrp", "GBR"}, {"gbrp10le", "GBR_10LE"}, {"gbrp12le", "GBR_12LE"},
  {"gbrp16le", "GBR_16LE"}, {"gbrap", "GBRA"}, {"gbrap10le", "GBRA_10LE"},
  {"gbrap12le", "GBRA_12LE"},
  {"rgb24", "RGB"}, {"bgr24", "BGR"}, {"rgba", "RGBA"}, {"bgra", "BGRA"},
  {"argb", "ARGB"}, {"abgr", "ABGR"}, {"rgb0", "RGBx"}, {"bgr0", "BGRx"},
  {"0rgb", "xRGB"}, {"0bgr", "xBGR"}, {"rgba64le", "RGBA64_LE"},
  {"bgra64le", "BGRA64_LE"}, {"rgb565le", "RGB16"}, {"bgr565le", "BGR16"},
  {"rgb555le", "RGB15"}, {"bgr555le", "BGR15"},
  /* *INDENT-ON* */
};

static const struct
{
  enum AVChromaLocation location;
  GstVideoChromaSite site;
} chroma_sites[] = {
  {AVCHROMA_LOC_LEFT, GST_VIDEO_CHROMA_SITE_H_COSITED},
  {AVCHROMA_LOC_CENTER, GST_VIDEO_CHROMA_SITE_NONE},
  {AVCHROMA_LOC_TOPLEFT, GST_VIDEO_CHROMA_SITE_COSITED},
  {AVCHROMA_LOC_TOP, GST_VIDEO_CHROMA_SITE_V_COSITED}
};

GstVideoFormat
denoise_pixels_get_video_format (enum AVPixelFormat format)
{
  const gchar *name = av_get_pix_fmt_name (format);

  for (guint i = 0; name && i < G_N_ELEMENTS (formats_of_both); i++) {
    if (g_str_equal (formats_of_both[i].av, name))
      return gst_video_format_from_string (formats_of_both[i].gst);
  }
  return GST_VIDEO_FORMAT_UNKNOWN;
}

enum AVPixelFormat
denoise_pixels_choose (enum AVPixelFormat format)
{
  enum AVPixelFormat known[G_N_ELEMENTS (formats_of_both) + 1];
  guint n = 0;

  if (denoise_pixels_get_video_format (format) != GST_VIDEO_FORMAT_UNKNOWN)
    return format;
  for (guint i = 0; i < G_N_ELEMENTS (formats_of_both); i++) {
    const enum AVPixelFormat other = av_get_pix_fmt (formats_of_both[i].av);

    if (denoise_pixels_get_video_format (other) != GST_VIDEO_FORMAT_UNKNOWN)
      known[n++] = other;
  }
  known[n] = AV_PIX_FMT_NONE;
  return avcodec_find_best_pix_fmt_of_list (known, format, TRUE, NULL);
}

enum AVPixelFormat
denoise_pixels_find (const enum AVPixelFormat *formats, GstVideoFormat format)
{
  for (guint i = 0; formats[i] != AV_PIX_FMT_NONE; i++) {
    if (denoise_pixels_get_video_format (formats[i]) == format)
      return formats[i];
  }
  return AV_PIX_FMT_NONE;
}

GstCaps *
denoise_pixels_create_caps (const enum AVPixelFormat *formats)
{
  GstCaps *caps = gst_caps_new_empty ();

  for (guint i = 0; formats[i] != AV_PIX_FMT_NONE; i++) {
    const GstVideoFormat format = denoise_pixels_get_video_format (formats[i]);

    if (format != GST_VIDEO_FORMAT_UNKNOWN)
      gst_caps_append (caps, gst_caps_new_simple ("video/x-raw", "format",
              G_TYPE_STRING, gst_video_format_to_string (format), NULL));
  }
  return caps;
}

/* Replaces GStreamer's defaults by the values of @frame. */
static void
fill_colors (GstVideoInfo * info, const AVFrame * frame)
{
  const GstVideoColorMatrix matrix =
      gst_video_color_matrix_from_iso (frame->colorspace);
  const GstVideoTransferFunction transfer =
      gst_video_transfer_function_from_iso (frame->color_trc);
  const GstVideoColorPrimaries primaries =
      gst_video_color_primaries_from_iso (frame->color_primaries);
  GstVideoColorimetry *colors = &info->colorimetry;
  const gboolean is_full = frame->color_range == AVCOL_RANGE_JPEG
      || g_str_has_prefix (av_get_pix_fmt_name (frame->format), "yuvj");

  if (!GST_VIDEO_INFO_IS_RGB (info)) {
    if (matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN
        && matrix != GST_VIDEO_COLOR_MATRIX_RGB)
      colors->matrix = matrix;
    if (is_full)
      colors->range = GST_VIDEO_COLOR_RANGE_0_255;
    else if (frame->color_range == AVCOL_RANGE_MPEG)
      colors->range = GST_VIDEO_COLOR_RANGE_16_235;
  }
  if (transfer != GST_VIDEO_TRANSFER_UNKNOWN)
    colors->transfer = transfer;
  if (primaries != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    colors->primaries = primaries;
}

/* GStreamer ignores the range of grey unless there is a matrix. */
static void
complete_colors (GstVideoInfo * info)
{
  GstVideoInfo usual;

  if (info->colorimetry.matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN)
    return;
  gst_video_info_set_format (&usual, GST_VIDEO_FORMAT_I420,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  info->colorimetry.matrix = usual.colorimetry.matrix;
  if (info->colorimetry.transfer == GST_VIDEO_TRANSFER_UNKNOWN)
    info->colorimetry.transfer = usual.colorimetry.transfer;
  if (info->colorimetry.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    info->colorimetry.primaries = usual.colorimetry.primaries;
  if (info->colorimetry.range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    info->colorimetry.range = usual.colorimetry.range;
}

gboolean
denoise_pixels_fill_info (GstVideoInfo * info, const AVFrame * frame)
{
  const GstVideoFormat format = denoise_pixels_get_video_format (frame->format);

  if (format == GST_VIDEO_FORMAT_UNKNOWN
      || !gst_video_info_set_format (info, format, frame->width, frame->height))
    return FALSE;
  fill_colors (info, frame);
  complete_colors (info);
  for (guint i = 0; i < G_N_ELEMENTS (chroma_sites); i++) {
    if (frame->chroma_location == chroma_sites[i].location)
      info->chroma_site = chroma_sites[i].site;
  }
  if (frame->sample_aspect_ratio.num > 0 && frame->sample_aspect_ratio.den > 0) {
    info->par_n = frame->sample_aspect_ratio.num;
    info->par_d = frame->sample_aspect_ratio.den;
  }
  return TRUE;
}

void
denoise_pixels_set_colors (AVFrame * frame, const GstVideoInfo * info)
{
  const GstVideoColorimetry *colors = &info->colorimetry;

  frame->colorspace = gst_video_color_matrix_to_iso (colors->matrix);
  frame->color_trc = gst_video_transfer_function_to_iso (colors->transfer);
  frame->color_primaries = gst_video_color_primaries_to_iso (colors->primaries);
  frame->color_range = colors->range == GST_VIDEO_COLOR_RANGE_0_255
      ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

static void
unref_plane (gpointer data)
{
  AVBufferRef *plane = data;

  av_buffer_unref (&plane);
}

/* Returns the number of rows of a plane. */
static gint
get_rows (const GstVideoInfo * info, guint plane)
{
  gint components[GST_VIDEO_MAX_COMPONENTS];

  gst_video_format_info_component (info->finfo, plane, components);
  return GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
}

GstBuffer *
denoise_pixels_wrap_frame (const AVFrame * frame, const GstVideoInfo * info)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 };
  gint strides[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize size = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    AVBufferRef *plane = av_frame_get_plane_buffer ((AVFrame *) frame, i);
    AVBufferRef *held = plane ? av_buffer_ref (plane) : NULL;
    const gsize bytes = (gsize) frame->linesize[i] * get_rows (info, i);

    if (!held) {
      gst_buffer_unref (buffer);
      return NULL;
    }
    offsets[i] = size;
    strides[i] = frame->linesize[i];
    size += bytes;
    gst_buffer_append_memory (buffer,
        gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, frame->data[i],
            bytes, 0, bytes, held, unref_plane));
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offsets,
      strides);
  return buffer;
}

static void
unmap_frame (gpointer opaque, uint8_t * data)
{
  GstVideoFrame *mapped = opaque;

  (void) data;
  gst_video_frame_unmap (mapped);
  g_free (mapped);
}

AVFrame *
denoise_pixels_wrap_buffer (GstBuffer * buffer, const GstVideoInfo * info,
    enum AVPixelFormat format)
{
  GstVideoFrame *mapped = g_new0 (GstVideoFrame, 1);
  AVFrame *frame = av_frame_alloc ();

  if (!frame || !gst_video_frame_map (mapped, info, buffer, GST_MAP_READ)) {
    g_free (mapped);
    av_frame_free (&frame);
    return NULL;
  }
  frame->buf[0] = av_buffer_create (GST_VIDEO_FRAME_PLANE_DATA (mapped, 0),
      GST_VIDEO_FRAME_PLANE_STRIDE (mapped, 0), unmap_frame, mapped,
      AV_BUFFER_FLAG_READONLY);
  if (!frame->buf[0]) {
    unmap_frame (mapped, NULL);
    av_frame_free (&frame);
    return NULL;
  }
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (mapped); i++) {
    frame->data[i] = GST_VIDEO_FRAME_PLANE_DATA (mapped, i);
    frame->linesize[i] = GST_VIDEO_FRAME_PLANE_STRIDE (mapped, i);
  }
  frame->format = format;
  frame->width = GST_VIDEO_FRAME_WIDTH (mapped);
  frame->height = GST_VIDEO_FRAME_HEIGHT (mapped);
  return frame;
}
