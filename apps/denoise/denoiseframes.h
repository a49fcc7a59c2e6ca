/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The way of the frames of a video track from the decoder to the output:
 * GStreamer filters them (denoisepipeline.h), FFmpeg encodes them. What
 * belongs to a frame (time, colours, fields, captions) goes around the
 * filter. */
#pragma once

#include "denoisetrack.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _DenoiseFrames DenoiseFrames;

/* Creates the way of the frames of @track, which must outlive it. Times of
 * frames are in @time_base. The caller frees it. */
DenoiseFrames *denoise_frames_new (DenoiseTrack * track, AVRational time_base);
/* @self may be NULL. */
void denoise_frames_free (DenoiseFrames * self);

/* Returns how many frames a second @stream has, or 25 if that is unknown. */
AVRational denoise_frames_get_rate (const AVStream * stream);

/* Returns whether the container of @stream or its first frame, @frame, says
 * that there are interlaced frames. */
gboolean denoise_frames_may_have_fields (const AVStream * stream,
    const AVFrame * frame);

/* Before the first frame: sets the number of frames a second. */
void denoise_frames_set_rate (DenoiseFrames * self, AVRational rate);

/* Before the first frame: only frames from @first on and before @end are
 * encoded, as a part of a film (denoiseparts.h) that begins at @start. Times
 * are in the time base of the frames; -G_MAXINT64 and G_MAXINT64 are no
 * limits. */
void denoise_frames_set_range (DenoiseFrames * self, gint64 start,
    gint64 first, gint64 end);

/* Before the first frame: the frames are only to show what the encoder is; none
 * is encoded. */
void denoise_frames_set_probe (DenoiseFrames * self);

/* Returns the encoder, which @self owns, or NULL as long as no frame has come
 * out of the filter. */
const AVCodecContext *denoise_frames_get_encoder (const DenoiseFrames * self);

/* Takes @frame, with a time greater than that of the previous frame. The first
 * frame decides what all frames are. HDR10+ metadata, an ITU-T T.35 payload, is
 * in the opaque_ref of a frame. Encodes what has been filtered. Returns FALSE,
 * and the report of the track has an error, if the film cannot be written. */
gboolean denoise_frames_take (DenoiseFrames * self, const AVFrame * frame);

/* Adds to a packet of the encoder what the encoder does not write itself. */
gboolean denoise_frames_edit (DenoiseFrames * self, AVPacket * packet);

/* Encodes the frames that are still on their way. */
gboolean denoise_frames_finish (DenoiseFrames * self);

/* Returns the time of the last frame that was encoded, in microseconds, or
 * AV_NOPTS_VALUE. */
gint64 denoise_frames_get_position (const DenoiseFrames * self);

/* Returns how many frames were encoded. */
guint64 denoise_frames_count (const DenoiseFrames * self);

/* Returns the filter, which @self owns, or NULL before the first frame. */
GstElement *denoise_frames_get_filter (const DenoiseFrames * self);

/* Reports what the frames were, and what of them was lost. Must be called
 * after the last frame. */
void denoise_frames_report (const DenoiseFrames * self);

G_END_DECLS
