/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecodec.h"

#include "denoiseffmpeg.h"
#include "denoiseformat.h"
#include "denoisereport.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

/* The quantizers of VP9 and AV1 range from 0 to 63, the others from 0 to 51. */
#define LONG_QUANTIZER(quality) ((quality) * 63 / 51)
#define MAX_ENCODERS 2
/* From this --speed on, VP9 uses the encoder for live video. */
#define LIVE_SPEED 6

#define X_SPEEDS "ultrafast", "superfast", "veryfast", "faster", "fast", \
    "medium", "slow", "slower", "veryslow", "placebo"

struct _DenoiseCodec
{
  const gchar *name;            /* on the command line */
  enum AVCodecID id;
  const gchar *encoders[MAX_ENCODERS];  /* of FFmpeg, in order of preference */
  gboolean has_fields;          /* marks frames as interlaced */
  gint max_speed;               /* largest --speed if it is a number. 0: a name,
                                 * or none */
  /* Sets the options of the encoder for frames with the properties of
   * @frame. */
  void (*configure) (AVCodecContext * context, const DenoiseOptions * options,
      const AVFrame * frame);
};

static const gchar *const x_speeds[] = { X_SPEEDS, NULL };

/* Properties supported by y4m. The range is in its header. */
static const enum AVPixelFormat y4m_formats[] = {
  AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P,
  AV_PIX_FMT_YUV411P, AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUV420P10,
  AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P10, AV_PIX_FMT_YUV420P12,
  AV_PIX_FMT_YUV422P12, AV_PIX_FMT_YUV444P12, AV_PIX_FMT_YUV444P16,
  AV_PIX_FMT_GRAY16, AV_PIX_FMT_NONE
};

static void
set_quality (AVCodecContext * context, const gchar * preset,
    const DenoiseOptions * options)
{
  av_opt_set (context->priv_data, "preset",
      options->speed ? options->speed : preset, 0);
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

/* Returns the encoder's parameters for HDR metadata of @frame, and moves the
 * metadata to the stream: each between @begin and @end, with @is before the
 * value. */
static void
append_hdr (GString * parameters, const AVFrame * frame, const gchar * begin,
    const gchar * is, const gchar * end)
{
  const AVFrameSideData *data = av_frame_get_side_data (frame,
      AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  const AVMasteringDisplayMetadata *display =
      data ? (AVMasteringDisplayMetadata *) data->data : NULL;

  if (display && display->has_primaries && display->has_luminance)
    g_string_append_printf (parameters, "%smaster-display%s"
        "G(%d,%d)B(%d,%d)R(%d,%d)WP(%d,%d)L(%d,%d)%s", begin, is,
        scale (display->display_primaries[1][0], 50000),
        scale (display->display_primaries[1][1], 50000),
        scale (display->display_primaries[2][0], 50000),
        scale (display->display_primaries[2][1], 50000),
        scale (display->display_primaries[0][0], 50000),
        scale (display->display_primaries[0][1], 50000),
        scale (display->white_point[0], 50000),
        scale (display->white_point[1], 50000),
        scale (display->max_luminance, 10000),
        scale (display->min_luminance, 10000), end);
  data = av_frame_get_side_data (frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  if (data) {
    const AVContentLightMetadata *light = (AVContentLightMetadata *) data->data;

    g_string_append_printf (parameters, "%smax-cll%s%u,%u%s", begin, is,
        light->MaxCLL, light->MaxFALL, end);
  }
}

static void
configure_h265 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  /* x265's own string of the settings contains the number of threads, which may
   * differ between parts. */
  g_autoptr (GString) parameters = g_string_new ("log-level=none:info=0");

  set_quality (context, "superfast", options);
  /* denoisesei.h writes captions for all versions. */
  av_opt_set_int (context->priv_data, "a53cc", 0, 0);
  append_hdr (parameters, frame, ":", "=", "");
  av_opt_set (context->priv_data, "x265-params", parameters->str, 0);
}

gchar *
denoise_codec_describe_colours (const AVFrame * frame)
{
  g_autoptr (GString) text = g_string_new ("");

  if (frame->color_primaries != AVCOL_PRI_UNSPECIFIED)
    g_string_append_printf (text, " --colorprim %s",
        av_color_primaries_name (frame->color_primaries));
  if (frame->color_trc != AVCOL_TRC_UNSPECIFIED)
    g_string_append_printf (text, " --transfer %s",
        av_color_transfer_name (frame->color_trc));
  if (frame->colorspace != AVCOL_SPC_UNSPECIFIED)
    g_string_append_printf (text, " --colormatrix %s",
        av_color_space_name (frame->colorspace));
  append_hdr (text, frame, " --", " \"", "\"");
  return text->len == 0 ? NULL : g_strdup (text->str + 1);
}

static void
configure_vp9 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  const gint quantizer = LONG_QUANTIZER (options->quality);
  const gint speed = options->speed ? atoi (options->speed) : LIVE_SPEED - 1;
  const gboolean is_live = !options->speed || speed >= LIVE_SPEED;

  (void) frame;
  context->qmin = context->qmax = quantizer;
  av_opt_set_int (context->priv_data, "crf", quantizer, 0);
  av_opt_set (context->priv_data, "deadline", is_live ? "realtime" : "good", 0);
  av_opt_set_int (context->priv_data, "cpu-used", options->speed ? speed : 4,
      0);
  av_opt_set_int (context->priv_data, "row-mt", 1, 0);
  if (is_live)
    av_opt_set_int (context->priv_data, "lag-in-frames", 0, 0);
}

/* SVT-AV1 has presets, of which 10 is about as fast as the default of the other
 * codecs; the encoder of AOM has 0 to 8. */
static void
configure_av1 (AVCodecContext * context, const DenoiseOptions * options,
    const AVFrame * frame)
{
  const gboolean is_svt = strcmp (context->codec->name, "libsvtav1") == 0;
  const gint speed = options->speed ? atoi (options->speed) : 10;

  (void) frame;
  av_opt_set_int (context->priv_data, "crf", LONG_QUANTIZER (options->quality),
      0);
  if (is_svt) {
    av_opt_set_int (context->priv_data, "preset", speed, 0);
  } else {
    av_opt_set_int (context->priv_data, "cpu-used", MIN (speed, 8), 0);
    av_opt_set_int (context->priv_data, "row-mt", 1, 0);
  }
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

/* --codec does not accept the last one, which does not encode. */
static const DenoiseCodec codecs[] = {
  {"h264", AV_CODEC_ID_H264, {"libx264"}, TRUE, 0, configure_h264},
  {"h265", AV_CODEC_ID_HEVC, {"libx265"}, FALSE, 0, configure_h265},
  {"vp9", AV_CODEC_ID_VP9, {"libvpx-vp9"}, FALSE, 8, configure_vp9},
  {"av1", AV_CODEC_ID_AV1, {"libsvtav1", "libaom-av1"}, FALSE, 13,
      configure_av1},
  {"ffv1", AV_CODEC_ID_FFV1, {"ffv1"}, TRUE, 0, configure_ffv1},
  {"y4m", AV_CODEC_ID_WRAPPED_AVFRAME, {"wrapped_avframe"}, TRUE, 0, NULL}
};

/* One of denoise_codec_names, or y4m. */
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

  if (options->container == DENOISE_CONTAINER_Y4M)
    return find_codec ("y4m");
  if (options->codec)
    return find_codec (options->codec);
  if (has_odd_chroma (info)
      || options->film_container == DENOISE_CONTAINER_WEBM)
    return find_codec ("vp9");
  if (bits == 8 || GST_VIDEO_INFO_IS_INTERLACED (info))
    return find_codec ("h264");
  /* x265 has no smaller block. */
  if (MIN (GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info)) < 64)
    return find_codec ("vp9");
  return find_codec ("h265");
}

/* Returns whether the encoder supports --speed. */
static gboolean
check_speed (const DenoiseCodec * codec, const gchar * speed, GError ** error)
{
  gint64 number;

  if (!speed || (codec->max_speed > 0 ? g_ascii_string_to_signed (speed, 10, 0,
              codec->max_speed, &number, NULL) : codec->configure ==
          configure_h264 || codec->configure == configure_h265
          ? g_strv_contains (x_speeds, speed) : FALSE))
    return TRUE;
  if (codec->max_speed > 0) {
    g_set_error (error, DENOISE_ERROR, 0, "--speed: %s has 0 (best) to %d. "
        "For a preset of the filter use --preset", codec->name,
        codec->max_speed);
  } else if (codec->id == AV_CODEC_ID_FFV1) {
    g_set_error (error, DENOISE_ERROR, 0, "--speed: ffv1 has a single speed");
  } else {
    g_autofree gchar *names = g_strjoinv (", ", (gchar **) x_speeds);

    g_set_error (error, DENOISE_ERROR, 0, "--speed: %s has %s. For a preset "
        "of the filter use --preset", codec->name, names);
  }
  return FALSE;
}

const enum AVPixelFormat *
denoise_codec_get_formats (const AVCodec * encoder)
{
  return encoder->id == AV_CODEC_ID_WRAPPED_AVFRAME ? y4m_formats
      : denoise_encoder_get_formats (encoder);
}

/* Returns the format of the encoder's input for video with the properties
 * @info. */
static GstVideoFormat
choose_format (const AVCodec * encoder, const DenoiseOptions * options,
    const GstVideoInfo * info)
{
  g_autoptr (GstCaps) accepted =
      denoise_pixels_create_caps (denoise_codec_get_formats (encoder));

  return denoise_format_choose (GST_VIDEO_INFO_FORMAT (info), accepted,
      options->bits);
}

/* Returns whether the encoder opens for frames of @format with the properties
 * @info, rotated if @turns is set. */
static gboolean
try_encoder (const DenoiseCodec * codec, const AVCodec * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info,
    GstVideoFormat format, gboolean turns, GError ** error)
{
  const AVRational rate = { MAX (info->fps_n, 1), MAX (info->fps_d, 1) };
  AVFrame *frame = av_frame_alloc ();
  AVCodecContext *context = NULL;

  if (frame) {
    frame->width = turns ? GST_VIDEO_INFO_HEIGHT (info)
        : GST_VIDEO_INFO_WIDTH (info);
    frame->height = turns ? GST_VIDEO_INFO_WIDTH (info)
        : GST_VIDEO_INFO_HEIGHT (info);
    frame->format = denoise_pixels_find (denoise_codec_get_formats (encoder),
        format);
    context = denoise_codec_open (codec, encoder, options, frame,
        AV_FIELD_PROGRESSIVE, av_inv_q (rate), rate, TRUE, error);
  } else {
    g_set_error (error, DENOISE_ERROR, 0, "not enough memory");
  }
  const gboolean opened = context != NULL;

  avcodec_free_context (&context);
  av_frame_free (&frame);
  return opened;
}

const AVCodec *
denoise_codec_find_encoder (const DenoiseCodec * codec,
    const DenoiseOptions * options, const GstVideoInfo * info, gboolean turns,
    gboolean keeps_size, GError ** error)
{
  const AVCodec *found = NULL;

  if (!check_speed (codec, options->speed, error))
    return NULL;
  for (guint i = 0; i < MAX_ENCODERS && codec->encoders[i]; i++) {
    const AVCodec *encoder = avcodec_find_encoder_by_name (codec->encoders[i]);

    if (!encoder)
      continue;
    const GstVideoFormat format = choose_format (encoder, options, info);
    g_autofree gchar *loss = denoise_format_describe_loss
        (GST_VIDEO_INFO_FORMAT (info), format);

    g_clear_error (error);
    if (keeps_size && !try_encoder (codec, encoder, options, info, format,
            turns, error))
      continue;
    /* Another encoder may lose less. */
    if (!loss)
      return encoder;
    if (!found)
      found = encoder;
  }
  if (found)
    g_clear_error (error);
  else if (error && !*error)
    g_set_error (error, DENOISE_ERROR, 0, "FFmpeg has no encoder %s. Choose "
        "another codec with --codec", codec->encoders[0]);
  return found;
}

gboolean
denoise_codec_is_held (const DenoiseCodec * codec,
    const DenoiseOutput * output, GError ** error)
{
  if (codec->id == AV_CODEC_ID_WRAPPED_AVFRAME
      || output->options->container == DENOISE_CONTAINER_PART
      || denoise_output_holds (output, codec->id))
    return TRUE;
  g_set_error (error, DENOISE_ERROR, 0, "%s cannot hold %s. Use .mkv",
      denoise_container_get_suffix (output->options->container), codec->name);
  return FALSE;
}

GstCaps *
denoise_codec_choose_caps (const AVCodec * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info)
{
  return denoise_format_create_caps (info,
      choose_format (encoder, options, info));
}

gboolean
denoise_codec_has_fields (const DenoiseCodec * codec)
{
  return codec->has_fields;
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
        && codec->id == AV_CODEC_ID_H264)
      context->flags |=
          AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
    context->time_base = time_base;
    context->framerate = rate;
    context->thread_count = (gint) g_get_num_processors ();
    if (is_global)
      context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (codec->configure)
      codec->configure (context, options, frame);
    status = avcodec_open2 (context, encoder, NULL);
  }
  if (status < 0) {
    g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_OTHER, status);

    g_set_error (error, DENOISE_ERROR, 0, "%s does not support frames of "
        "%dx%d: %s. Choose another codec with --codec", encoder->name,
        frame->width, frame->height, reason);
    avcodec_free_context (&context);
  }
  return context;
}
