/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The GStreamer pipeline that filters the frames of a track:
 *
 *   appsrc ! videoconvert [! videoflip] ! queue ! glupload
 *       ! filter ! gldownload ! queue ! videoconvert ! appsink
 *
 * The output has the order and the times of the input. Must be called from one
 * thread. Frames flow on GStreamer's threads. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <gst/gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* The elements that filter the video of a track. Creates them and reports their
 * noise estimates and times. The functions may be called from any thread, but
 * for each filter from one thread at a time. */

/* Returns a bin with the elements of @options, with their preset. The caller
 * owns a floating reference. Returns NULL and sets @error if they cannot be
 * created, or if no element has the preset. */
GstElement *denoise_filter_create (const DenoiseOptions * options,
    GError ** error);

/* Returns the values of all properties of @filter, so that two filters with
 * equal texts have equal output. The caller frees the text. */
gchar *denoise_filter_describe (GstElement * filter);

/* Returns the noise in levels of 8 bits of the first element with a noise
 * property: the given noise, or the estimate of the last frame, of luma or the
 * mean of red, green and blue. Returns -1 if there is none. */
gdouble denoise_filter_get_noise (GstElement * filter);

/* Adds a note to @report for each element that keeps statistics. */
void denoise_filter_note_stats (GstElement * filter, DenoiseReport * report);

/* Returns whether all elements are of this plugin. These keep the size and the
 * number of frames. */
gboolean denoise_filter_is_own (GstElement * filter);

/* Returns the number of frames before and after a frame that its result depends
 * on. */
void denoise_filter_get_reach (GstElement * filter, guint * n_before,
    guint * n_behind);

typedef struct _DenoisePipeline DenoisePipeline;

typedef enum
{
  DENOISE_PULL_FRAME,           /* returned a frame */
  DENOISE_PULL_NONE,            /* timed out */
  DENOISE_PULL_END,             /* end of stream */
  DENOISE_PULL_ERROR            /* the report has an error */
} DenoisePull;

/* Starts a pipeline for frames with the properties @info. @turn is the rotation
 * as a value of videoflip, or NULL. @encoder_caps is the output format. The
 * pipeline chooses the input format of the filter. Returns NULL and sets the
 * error of @report on failure. All arguments must outlive the pipeline. */
DenoisePipeline *denoise_pipeline_new (const DenoiseOptions * options,
    DenoiseReport * report, const GstVideoInfo * info, const gchar * turn,
    const GstCaps * encoder_caps);

/* Stops and frees the pipeline, which may be NULL. After an error it may never
 * stop. Then exit the process without calling this function. */
void denoise_pipeline_free (DenoisePipeline * self);

/* Sets the properties of the next frames. They may differ only in their
 * fields. */
void denoise_pipeline_set_info (DenoisePipeline * self,
    const GstVideoInfo * info);

/* Takes @buffer, with its times. Does not block. Failures are reported when
 * frames are pulled. */
void denoise_pipeline_push (DenoisePipeline * self, GstBuffer * buffer);

/* Returns whether all pushed frames are in the elements, which wait for
 * more. */
gboolean denoise_pipeline_is_hungry (const DenoisePipeline * self);

/* Signals that no frame follows. */
void denoise_pipeline_end (DenoisePipeline * self);

/* Waits at most @timeout for a frame. On success sets @buffer, which the caller
 * unrefs, and @info. */
DenoisePull denoise_pipeline_pull (DenoisePipeline * self,
    GstClockTime timeout, GstBuffer ** buffer, GstVideoInfo * info);

/* Returns the input format of the filter. */
GstVideoFormat denoise_pipeline_get_filter_format (const DenoisePipeline *
    self);

/* Returns the filter, which the pipeline owns. Properties may be read from
 * this thread. */
GstElement *denoise_pipeline_get_filter (const DenoisePipeline * self);

G_END_DECLS
