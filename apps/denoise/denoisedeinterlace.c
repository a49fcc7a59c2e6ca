/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisedeinterlace.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/avutil.h>

#define FILTER "mode=send_field:parity=auto:deint=interlaced"

struct _DenoiseDeinterlace
{
  AVRational time_base;
  AVFilterGraph *graph;         /* NULL before the first frame */
  AVFilterContext *source;
  AVFilterContext *sink;
  AVFrame *next;                /* frame of another size or format, waiting for
                                 * the end of the graph, or empty */
  gint width, height, format;   /* of the frames in the graph */
  gboolean is_ended;
  GQueue times;                 /* gint64, of the frames in the graph, in the
                                 * unit of the output */
};

DenoiseDeinterlace *
denoise_deinterlace_new (AVRational time_base)
{
  DenoiseDeinterlace *self = g_new0 (DenoiseDeinterlace, 1);

  self->time_base = time_base;
  self->next = av_frame_alloc ();
  g_queue_init (&self->times);
  return self;
}

void
denoise_deinterlace_free (DenoiseDeinterlace * self)
{
  if (!self)
    return;
  avfilter_graph_free (&self->graph);
  av_frame_free (&self->next);
  g_queue_clear_full (&self->times, g_free);
  g_free (self);
}

/* Builds the graph for frames with the properties of @frame. */
static gint
build (DenoiseDeinterlace * self, const AVFrame * frame)
{
  g_autofree gchar *input = g_strdup_printf ("video_size=%dx%d:pix_fmt=%d:"
      "time_base=%d/%d:pixel_aspect=%d/%d", frame->width, frame->height,
      frame->format, self->time_base.num, self->time_base.den,
      frame->sample_aspect_ratio.num, MAX (frame->sample_aspect_ratio.den, 1));
  AVFilterContext *filter;
  gint code;

  avfilter_graph_free (&self->graph);
  self->graph = avfilter_graph_alloc ();
  if (!self->graph)
    return AVERROR (ENOMEM);
  self->width = frame->width;
  self->height = frame->height;
  self->format = frame->format;
  if ((code = avfilter_graph_create_filter (&self->source,
              avfilter_get_by_name ("buffer"), NULL, input, NULL,
              self->graph)) < 0
      || (code = avfilter_graph_create_filter (&filter,
              avfilter_get_by_name ("bwdif"), NULL, FILTER, NULL,
              self->graph)) < 0
      || (code = avfilter_graph_create_filter (&self->sink,
              avfilter_get_by_name ("buffersink"), NULL, NULL, NULL,
              self->graph)) < 0
      || (code = avfilter_link (self->source, 0, filter, 0)) < 0
      || (code = avfilter_link (filter, 0, self->sink, 0)) < 0)
    return code;
  return avfilter_graph_config (self->graph, NULL);
}

static gint
add (DenoiseDeinterlace * self, AVFrame * frame)
{
  gint64 *time = g_new (gint64, 1);

  *time = 2 * frame->pts;
  g_queue_push_tail (&self->times, time);
  return av_buffersrc_add_frame (self->source, frame);
}

gint
denoise_deinterlace_push (DenoiseDeinterlace * self, AVFrame * frame)
{
  gint code;

  if (!self->next)
    return AVERROR (ENOMEM);
  if (!frame) {
    self->is_ended = TRUE;
    return self->graph ? av_buffersrc_add_frame (self->source, NULL) : 0;
  }
  if (!self->graph) {
    code = build (self, frame);
    return code < 0 ? code : add (self, frame);
  }
  if (frame->width == self->width && frame->height == self->height
      && frame->format == self->format)
    return add (self, frame);
  av_frame_move_ref (self->next, frame);
  return av_buffersrc_add_frame (self->source, NULL);
}

gint
denoise_deinterlace_pull (DenoiseDeinterlace * self, AVFrame * frame)
{
  gint code;

  if (!self->graph)
    return self->is_ended ? AVERROR_EOF : AVERROR (EAGAIN);
  code = av_buffersink_get_frame (self->sink, frame);
  if (code == AVERROR_EOF && self->next->buf[0]) {
    code = build (self, self->next);
    if (code >= 0)
      code = add (self, self->next);
    if (code >= 0)
      code = av_buffersink_get_frame (self->sink, frame);
  }
  if (code < 0)
    return code;

  const gint64 *first = g_queue_peek_head (&self->times);
  if (first && *first == frame->pts)
    g_free (g_queue_pop_head (&self->times));
  else
    av_frame_remove_side_data (frame, AV_FRAME_DATA_A53_CC);
  return code;
}
