/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An element that shows a filtered frame beside the frame that it was made of.
 *
 * It keeps the frames that go into the filter, and finds the one that belongs
 * to a filtered frame by its timestamp, so that both halves of a split picture
 * are the very same frame, also behind a filter that holds frames back. It
 * takes and gives textures of each format that glcolorconvert knows, and stands
 * in place of it: a split picture is put together from planes, and converted
 * once, if at all. Differences are RGBA.
 *
 * Frames are as they are stored. Where a tag of the stream says that they are
 * shown rotated, the split is where it is vertical afterwards. */

#pragma once

#include <gst/gl/gl.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define PLAY_TYPE_VIEW (play_view_get_type ())
G_DECLARE_FINAL_TYPE (PlayView, play_view, PLAY, VIEW, GstGLFilter)

/**
 * PlayViewMode:
 * @PLAY_VIEW_AFTER: the filtered frame
 * @PLAY_VIEW_BEFORE: the frame that it was made of
 * @PLAY_VIEW_SPLIT: the left part of the frame before, and the right part
 *    after. Where chroma has fewer samples, colours mix for one pixel on each
 *    side of the split.
 * @PLAY_VIEW_DIFFERENCE: grey, plus the difference times a gain
 */
typedef enum
{
  PLAY_VIEW_AFTER,
  PLAY_VIEW_BEFORE,
  PLAY_VIEW_SPLIT,
  PLAY_VIEW_DIFFERENCE,
  PLAY_N_VIEW_MODES,
} PlayViewMode;

/* Returns a new element. */
PlayView *play_view_new (void);

/* Watches @pad, the pad where frames enter the filter. From any thread, once,
 * before the first frame. */
void play_view_watch (PlayView * self, GstPad * pad);

/* Shows nothing before the frame at the stream time @time, after a flushing
 * seek to @run_up before it. The filter gets the earlier frames. A @run_up of
 * 0 shows all frames. Call it before the seek. From any thread. */
void play_view_start_at (PlayView * self, GstClockTime time,
    GstClockTime run_up);

/* Returns whether that frame has not come yet. Sets @n_before to the number of
 * frames before it, or to G_MAXUINT if the film ended. From any thread. */
gboolean play_view_is_waiting (PlayView * self, guint * n_before);

/* Set what is shown from the next frame on. @split is the part of the width
 * that the frame before has, from 0 to 1; @gain multiplies differences. From
 * any thread. */
void play_view_set_mode (PlayView * self, PlayViewMode mode);
void play_view_set_split (PlayView * self, gdouble split);
void play_view_set_gain (PlayView * self, gdouble gain);
PlayViewMode play_view_get_mode (PlayView * self);
gdouble play_view_get_split (PlayView * self);
gdouble play_view_get_gain (PlayView * self);

/* Returns how the stream says that its frames are to be turned, as in
 * GstVideoDirection. From any thread. */
GstVideoOrientationMethod play_view_get_orientation (PlayView * self);

/* Returns how many frames were shown so far. From any thread. */
guint64 play_view_get_n_frames (PlayView * self);

/* Returns the PSNR of red, green and blue of the last frame in dB, infinite for
 * equal frames; negative where the mode is not DIFFERENCE. From any thread. */
gdouble play_view_get_psnr (PlayView * self);

G_END_DECLS
