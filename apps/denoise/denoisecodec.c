/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecodec.h"

#include "denoiseformat.h"
#include "denoiselog.h"
#include "denoisepixels.h"
#include "denoiseversions.h"

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>

/* VP9 counts its quantizers from 0 to 63, the others from 0 to 51. */
#define VP9_QUANTIZER(quality) ((quality) * 63 / 51)

struct _DenoiseCodec
{
  const gchar *name;            /* on the command line */
  const gchar *encoder;         /* of FFmpeg */
  gboolean has_fields;          /* marks frames as interlaced */
  /* Sets the options of the encoder for frames such as @frame. */
  void (*configure) (AVCodecContext * context, const DenoiseOptions * options,
      const AVFrame * frame);
};

static void
set_quality (AVCodecContext * context, const gchar * preset,
    const DenoiseOptions * options)
{
  av_opt_set (context->priv_data, "preset", preset, 0);
  av_opt_set_double (context->priv_data, "crf", options->quality, 0);
}

static void
configure_h264 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  (void) frame;
  set_quality (context, "veryfast", options);
}

/* The encoder has chromaticities in 50000ths, and luminances in 10000ths. */
static gint
scale (AVRational value, gint unit)
{
  return (gint) av_rescale (value.num, unit, MAX (value.den, 1));
}

/* The encoder's parameters for HDR metadata of @frame, which the stream has
 * then, too. */
static void
append_hdr (GString * parameters, const AVFrame * frame)
{
  const AVFrameSideData *data = av_frame_get_side_data (frame,
      AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  const AVMasteringDisplayMetadata *display =
      data ? (AVMasteringDisplayMetadata *) data->data : NULL;

  if (display && display->has_primaries && display->has_luminance)
    g_string_append_printf (parameters, ":master-display="
        "G(%d,%d)B(%d,%d)R(%d,%d)WP(%d,%d)L(%d,%d)",
        scale (display->display_primaries[1][0], 50000),
        scale (display->display_primaries[1][1], 50000),
        scale (display->display_primaries[2][0], 50000),
        scale (display->display_primaries[2][1], 50000),
        scale (display->display_primaries[0][0], 50000),
        scale (display->display_primaries[0][1], 50000),
        scale (display->white_point[0], 50000),
        scale (display->white_point[1], 50000),
        scale (display->max_luminance, 10000),
        scale (display->min_luminance, 10000));
  data = av_frame_get_side_data (frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  if (data) {
    const AVContentLightMetadata *light = (AVContentLightMetadata *) data->data;

    g_string_append_printf (parameters, ":max-cll=%u,%u", light->MaxCLL,
        light->MaxFALL);
  }
}

static void
configure_h265 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  /* Its own name for the settings has the number of threads, which parts of a
   * film need not share. */
  g_autoptr (GString) parameters = g_string_new ("log-level=none:info=0");

  set_quality (context, "superfast", options);
  /* denoisesei.h writes captions for all versions. */
  av_opt_set_int (context->priv_data, "a53cc", 0, 0);
  append_hdr (parameters, frame);
  av_opt_set (context->priv_data, "x265-params", parameters->str, 0);
}

static void
configure_vp9 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  const gint quantizer = VP9_QUANTIZER (options->quality);

  (void) frame;
  context->qmin = context->qmax = quantizer;
  av_opt_set_int (context->priv_data, "crf", quantizer, 0);
  av_opt_set (context->priv_data, "deadline", "realtime", 0);
  av_opt_set_int (context->priv_data, "cpu-used", 4, 0);
  av_opt_set_int (context->priv_data, "row-mt", 1, 0);
  av_opt_set_int (context->priv_data, "lag-in-frames", 0, 0);
}

static void
configure_ffv1 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  (void) options;
  (void) frame;
  /* Slices have checksums and threads of their own. */
  context->level = 3;
}

static const DenoiseCodec codecs[] = {
  {"h264", "libx264", TRUE, configure_h264},
  {"h265", "libx265", FALSE, configure_h265},
  {"vp9", "libvpx-vp9", FALSE, configure_vp9},
  {"ffv1", "ffv1", TRUE, configure_ffv1}
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
  if (bits == 8 || GST_VIDEO_INFO_IS_INTERLACED (info))
    return find_codec ("h264");
  /* x265 has no smaller block. */
  if (MIN (GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info)) < 64)
    return find_codec ("vp9");
  return find_codec ("h265");
}

const AVCodec *
denoise_codec_find_encoder (const DenoiseCodec * codec, GError ** error)
{
  const AVCodec *encoder = avcodec_find_encoder_by_name (codec->encoder);

  if (!encoder)
    g_set_error (error, DENOISE_ERROR, 0, "FFmpeg has no encoder %s here; "
        "--codec names another codec", codec->encoder);
  return encoder;
}

GstCaps *
denoise_codec_choose_caps (const AVCodec * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info)
{
  g_autoptr (GstCaps) accepted =
      denoise_pixels_create_caps (denoise_encoder_get_formats (encoder));
  const GstVideoFormat format = denoise_format_choose
      (GST_VIDEO_INFO_FORMAT (info), accepted, options->bits);

  return denoise_format_create_caps (info, format);
}

gboolean
denoise_codec_has_fields (const DenoiseCodec * codec)
{
  return codec->has_fields;
}

static void
describe_frames (AVCodecContext * context, const AVFrame * frame,
    enum AVFieldOrder order, const DenoiseCodec * codec)
{
  context->width = frame->width;
  context->height = frame->height;
  context->pix_fmt = frame->format;
  context->sample_aspect_ratio = frame->sample_aspect_ratio;
  context->color_range = frame->color_range;
  context->colorspace = frame->colorspace;
  context->color_trc = frame->color_trc;
  context->color_primaries = frame->color_primaries;
  context->chroma_sample_location = frame->chroma_location;
  context->field_order = codec->has_fields ? order : AV_FIELD_PROGRESSIVE;
  if (context->field_order != AV_FIELD_PROGRESSIVE
      && g_str_equal (codec->name, "h264"))
    context->flags |=
        AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
}

AVCodecContext *
denoise_codec_open (const DenoiseCodec * codec, const AVCodec * encoder,
    const DenoiseOptions * options, const AVFrame * frame,
    enum AVFieldOrder order, AVRational time_base, AVRational rate,
    gboolean is_global, GError ** error)
{
  AVCodecContext *context = avcodec_alloc_context3 (encoder);
  gint status = AVERROR (ENOMEM);

  if (context) {
    describe_frames (context, frame, order, codec);
    context->time_base = time_base;
    context->framerate = rate;
    context->thread_count = (gint) g_get_num_processors ();
    if (is_global)
      context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    codec->configure (context, options, frame);
    status = avcodec_open2 (context, encoder, NULL);
  }
  if (status < 0) {
    g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_OTHER, status);

    g_set_error (error, DENOISE_ERROR, 0, "%s takes no frames of %dx%d: %s; "
        "--codec names another codec", codec->encoder, frame->width,
        frame->height, reason);
    avcodec_free_context (&context);
  }
  return context;
}
