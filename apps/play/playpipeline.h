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
 * @type: GST_MESSAGE_WARNING; GST_MESSAGE_ERROR if the pipeline has stopped for
 *    good; or GST_MESSAGE_EOS if the input has ended
 * @text: what the element says, in one or more lines, the most important one
 *    first; NULL for GST_MESSAGE_EOS
 * @data: as given to play_pipeline_new()
 *
 * Is called in the main thread. There is no message after an error.
 */
typedef void (*PlayPipelineMessage) (GstMessageType type, const gchar * text,
    gpointer data);

/* Makes a pipeline for @input, a file's name, a URI or a camera's device
 * file, with the elements that @filter describes as for gst-launch-1.0.
 * @sink gets the frames; the reference is taken over if it is floating.
 * @sound describes elements that play sound, or is NULL for none. Sets
 * @error where the input is no file, the text is wrong or an element is
 * missing. Calls @message with @data. Free it with play_pipeline_free(). */
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

/* Returns whether the input is a still picture. */
gboolean play_pipeline_is_still (PlayPipeline * self);

/* Whether the pipeline plays or pauses. It does nothing before the
 * first call. */
void play_pipeline_set_playing (PlayPipeline * self, gboolean playing);
gboolean play_pipeline_is_playing (PlayPipeline * self);

/* Whether the input starts again at its end; it does. Where it does not, the
 * last frame stays. */
void play_pipeline_set_loop (PlayPipeline * self, gboolean loop);
gboolean play_pipeline_get_loop (PlayPipeline * self);

/* Whether the input has sound, and whether it is not heard. */
gboolean play_pipeline_has_sound (PlayPipeline * self);
void play_pipeline_set_mute (PlayPipeline * self, gboolean mute);
gboolean play_pipeline_is_mute (PlayPipeline * self);

/* Returns how long the input lasts, or GST_CLOCK_TIME_NONE. */
GstClockTime play_pipeline_get_duration (PlayPipeline * self);

/* Returns the time of the shown frame, or of that which is sought, or
 * GST_CLOCK_TIME_NONE. */
GstClockTime play_pipeline_get_position (PlayPipeline * self);

/* Goes to a time, or to the nearest there is; after the seek that is under
 * way, so that a dragged seek bar shows frames. Returns FALSE where the
 * input has no times to go to, such as a camera. */
gboolean play_pipeline_seek (PlayPipeline * self, GstClockTime time);

/* Filters the shown frame again where the pipeline pauses, because a
 * parameter has changed. It is shown at once, and once more after the earlier
 * frames that it depends on have been filtered, so that it is the film's. */
void play_pipeline_refresh (PlayPipeline * self);

/* Returns whether these earlier frames are filtered. */
gboolean play_pipeline_is_running_up (PlayPipeline * self);

/* Shows the next frame, and pauses there. */
void play_pipeline_step (PlayPipeline * self);

/* Takes @element out of the chain, or puts it back. Returns FALSE where the
 * elements are no chain, in which each has one pad on either side. */
gboolean play_pipeline_set_enabled (PlayPipeline * self, GstElement * element,
    gboolean enabled);
gboolean play_pipeline_is_enabled (PlayPipeline * self, GstElement * element);

/* Writes the shown frame into a PNG. */
gboolean play_pipeline_save (PlayPipeline * self, const gchar * location,
    GError ** error);

/* Gets the size of the shown frames in square pixels, as they are rotated;
 * FALSE before the first. */
gboolean play_pipeline_get_size (PlayPipeline * self, gint * width,
    gint * height);

G_END_DECLS
