/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The GStreamer pipeline that filters the frames of a track:
 *
 *   appsrc ! videoconvert [! videoflip] ! queue ! glupload
 *       ! filter ! gldownload ! queue ! videoconvert ! appsink
 *
 * Frames come out in the order in which they went in, with their times. One
 * thread calls all functions; frames flow on GStreamer's threads. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _DenoisePipeline DenoisePipeline;

typedef enum
{
  DENOISE_PULL_FRAME,           /* there was a frame */
  DENOISE_PULL_NONE,            /* there was none in time */
  DENOISE_PULL_END,             /* there are no more frames */
  DENOISE_PULL_ERROR            /* the report has an error */
} DenoisePull;

/* Starts a pipeline for frames as @info says. @turn is how videoflip turns
 * them, by the name of its value, or NULL. @encoder_caps is what comes out;
 * the pipeline chooses what the filter gets. Returns NULL, and sets the error
 * of @report, on failure. All arguments must outlive the pipeline. */
DenoisePipeline *denoise_pipeline_new (const DenoiseOptions * options,
    DenoiseReport * report, const GstVideoInfo * info, const gchar * turn,
    const GstCaps * encoder_caps);

/* Stops and frees the pipeline, which may be NULL. After an error it may never
 * stop: then the process must end without a call of this function. */
void denoise_pipeline_free (DenoisePipeline * self);

/* Says that further frames are as @info says: only fields may differ. */
void denoise_pipeline_set_info (DenoisePipeline * self,
    const GstVideoInfo * info);

/* Takes @buffer, with its times. Does not block. Returns FALSE if the pipeline
 * has failed. */
gboolean denoise_pipeline_push (DenoisePipeline * self, GstBuffer * buffer);

/* Whether all frames that were pushed are in the elements, which wait for
 * more. */
gboolean denoise_pipeline_is_hungry (const DenoisePipeline * self);

/* Says that no frame follows. */
void denoise_pipeline_end (DenoisePipeline * self);

/* Waits at most @timeout for a frame. Sets @buffer, which the caller unrefs,
 * and @info, if there was one. */
DenoisePull denoise_pipeline_pull (DenoisePipeline * self,
    GstClockTime timeout, GstBuffer ** buffer, GstVideoInfo * info);

/* Returns the format that the filter gets. */
GstVideoFormat denoise_pipeline_get_filter_format (const DenoisePipeline *
    self);

/* Returns the filter, which the pipeline owns. Properties may be read from
 * this thread. */
GstElement *denoise_pipeline_get_filter (const DenoisePipeline * self);

G_END_DECLS
