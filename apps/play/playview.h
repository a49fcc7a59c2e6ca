/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An element that shows a filtered frame beside the original frame.
 *
 * It stores the input frames of the filter, and finds the one for a filtered
 * frame by its timestamp, so that both halves of a split frame show the same
 * frame, even after a filter that holds frames back. It accepts and outputs
 * textures of each format that glcolorconvert supports, and replaces it: a
 * split frame is composed of planes, and converted at most once. Differences
 * are RGBA.
 *
 * Frames are in their stored orientation. If a tag of the stream requests a
 * rotation, the split is vertical after the rotation. */

#pragma once

#include <gst/gl/gl.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define PLAY_TYPE_VIEW (play_view_get_type ())
G_DECLARE_FINAL_TYPE (PlayView, play_view, PLAY, VIEW, GstGLFilter)

/**
 * PlayViewMode:
 * @PLAY_VIEW_AFTER: the filtered frame
 * @PLAY_VIEW_BEFORE: the original frame
 * @PLAY_VIEW_SPLIT: the left part of the original frame, and the right part
 *    of the filtered one. If chroma is subsampled, colours mix for one pixel on
 *    each side of the split.
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

/* Watches @pad, the sink pad of the filter. Must be called once, before the
 * first frame, from any thread. */
void play_view_watch (PlayView * self, GstPad * pad);

/* Shows nothing before the frame at the stream time @time, after a flushing
 * seek to @run_up before it. The filter gets the earlier frames. A @run_up of 0
 * shows all frames. Must be called before the seek, from any thread. */
void play_view_start_at (PlayView * self, GstClockTime time,
    GstClockTime run_up);

/* Returns whether that frame has not arrived yet. Sets @n_before to the number
 * of previous frames, or to G_MAXUINT if the stream ended. May be called from
 * any thread. */
gboolean play_view_is_waiting (PlayView * self, guint * n_before);

/* Set the display mode from the next frame on. @split is the fraction of the
 * width for the original frame, from 0 to 1. @gain multiplies differences. May
 * be called from any thread. */
void play_view_set_mode (PlayView * self, PlayViewMode mode);
void play_view_set_split (PlayView * self, gdouble split);
void play_view_set_gain (PlayView * self, gdouble gain);
PlayViewMode play_view_get_mode (PlayView * self);
gdouble play_view_get_split (PlayView * self);
gdouble play_view_get_gain (PlayView * self);

/* Returns the rotation that the stream requests, as a GstVideoDirection. May be
 * called from any thread. */
GstVideoOrientationMethod play_view_get_orientation (PlayView * self);

/* Returns the number of shown frames. May be called from any thread. */
guint64 play_view_get_n_frames (PlayView * self);

/* Returns the PSNR of red, green and blue of the last frame in dB, infinite for
 * identical frames, negative if the mode is not DIFFERENCE. May be called from
 * any thread. */
gdouble play_view_get_psnr (PlayView * self);

G_END_DECLS
