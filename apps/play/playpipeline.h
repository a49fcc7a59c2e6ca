/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pipeline of glopencl-play:
 *
 *   uridecodebin ! videoconvert ! glupload ! FILTER ! view ! glvideoflip
 *       ! queue ! SINK
 *
 * or, with a sink that takes no textures,
 *
 *   ... ! view ! gldownload ! queue ! videoconvert ! videoflip ! SINK
 *
 * Sound, if there is some, goes through
 *
 *   ... ! audioconvert ! audioresample ! volume ! SOUND
 *
 * The view shows the frames before and after FILTER, see playview.h. Frames are
 * rotated after it, because glopencl-denoise filters them as they are stored. A
 * still picture is repeated for ever.
 *
 * All functions are for the main thread. */

#pragma once

#include "playview.h"

G_BEGIN_DECLS

typedef struct _PlayPipeline PlayPipeline;

/**
 * PlayPipelineMessage:
 * @type: GST_MESSAGE_WARNING, GST_MESSAGE_ERROR if the pipeline has stopped
 *    permanently, GST_MESSAGE_EOS if the input has ended, or
 *    GST_MESSAGE_PROGRESS if frames wait for the compiler, or no longer
 * @text: the element's message, in one or more lines, the most important one
 *    first. NULL for GST_MESSAGE_EOS and the end of a wait
 * @data: as given to play_pipeline_new()
 *
 * Called in the main thread. There is no message after an error.
 */
typedef void (*PlayPipelineMessage) (GstMessageType type, const gchar * text,
    gpointer data);

/* Creates a pipeline for @input, a file's name, a URI or a camera's device
 * file, with the elements @filter in gst-launch syntax. Takes the floating
 * reference of @sink, which gets the frames. @sound is the audio sink, in
 * gst-launch syntax, or NULL for none. Sets @error if there is no such file,
 * the text is wrong or an element is missing. Calls @message with @data. Free
 * it with play_pipeline_free(). */
PlayPipeline *play_pipeline_new (const gchar * input, const gchar * filter,
    GstElement * sink, const gchar * sound, PlayPipelineMessage message,
    gpointer data, GError ** error);

/* Stops the pipeline. */
void play_pipeline_free (PlayPipeline * self);

/* Return the elements of the text, in the order in which frames pass them, and
 * the view. Owned by @self. */
const GList *play_pipeline_get_elements (PlayPipeline * self);
PlayView *play_pipeline_get_view (PlayPipeline * self);

/* Returns the URI of the input. */
const gchar *play_pipeline_get_uri (PlayPipeline * self);

/* Returns whether the input is a still image. */
gboolean play_pipeline_is_still (PlayPipeline * self);

/* Play or pause the pipeline, which is in NULL before the first call. Get
 * whether it plays. */
void play_pipeline_set_playing (PlayPipeline * self, gboolean playing);
gboolean play_pipeline_is_playing (PlayPipeline * self);

/* Set and get whether the input repeats at its end, which is the default.
 * Otherwise the last frame stays. */
void play_pipeline_set_loop (PlayPipeline * self, gboolean loop);
gboolean play_pipeline_get_loop (PlayPipeline * self);

/* Get whether the input has audio. Set and get whether it is muted. */
gboolean play_pipeline_has_sound (PlayPipeline * self);
void play_pipeline_set_mute (PlayPipeline * self, gboolean mute);
gboolean play_pipeline_is_mute (PlayPipeline * self);

/* Returns the duration of the input, or GST_CLOCK_TIME_NONE. */
GstClockTime play_pipeline_get_duration (PlayPipeline * self);

/* Returns the time of the shown frame, or the target of a seek in progress, or
 * GST_CLOCK_TIME_NONE. */
GstClockTime play_pipeline_get_position (PlayPipeline * self);

/* Seeks to a time, or to the nearest one, after a seek in progress, so that
 * a dragged seek bar shows frames. Returns FALSE if the input is not seekable,
 * such as a camera. */
gboolean play_pipeline_seek (PlayPipeline * self, GstClockTime time);

/* Filters the shown frame again after a change of a parameter, if the pipeline
 * is paused. Shows the result immediately, and once more after the previous
 * frames that it depends on have been filtered, so that it is identical to the
 * frame of the filtered file. */
void play_pipeline_refresh (PlayPipeline * self);

/* Returns whether these previous frames are being filtered. */
gboolean play_pipeline_is_running_up (PlayPipeline * self);

/* Shows the next frame, and pauses. */
void play_pipeline_step (PlayPipeline * self);

/* Enables @element, or bypasses it. Returns FALSE if the elements are not a
 * chain, in which each has one sink pad and one source pad. */
gboolean play_pipeline_set_enabled (PlayPipeline * self, GstElement * element,
    gboolean enabled);
gboolean play_pipeline_is_enabled (PlayPipeline * self, GstElement * element);

/* Saves the shown frame as a PNG. */
gboolean play_pipeline_save (PlayPipeline * self, const gchar * location,
    GError ** error);

/* Gets the size of the shown frames in square pixels, after the rotation.
 * Returns FALSE before the first frame. */
gboolean play_pipeline_get_size (PlayPipeline * self, gint * width,
    gint * height);

G_END_DECLS
