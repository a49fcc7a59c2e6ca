/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Passes the frames of a video track from the decoder to the output. GStreamer
 * filters them (denoisepipeline.h), FFmpeg encodes them. Data of a frame (time,
 * colours, fields, captions) bypasses the filter. */
#pragma once

#include "denoisetrack.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _DenoiseFrames DenoiseFrames;

/* Creates the frame path of @track, which must outlive it. Times of frames are
 * in @time_base. The caller frees it. Sets the filter of @track at the first
 * frame. */
DenoiseFrames *denoise_frames_new (DenoiseTrack * track, AVRational time_base);
/* @self may be NULL. */
void denoise_frames_free (DenoiseFrames * self);

/* Returns the frame rate of @stream, or 25 if that is unknown. */
AVRational denoise_frames_get_rate (const AVStream * stream);

/* Returns whether the container of @stream or its first frame, @frame, is
 * marked as interlaced. */
gboolean denoise_frames_may_have_fields (const AVStream * stream,
    const AVFrame * frame);

/* Sets the frame rate. Must be called before the first frame. */
void denoise_frames_set_rate (DenoiseFrames * self, AVRational rate);

/* Encodes only frames from @first to before @end, as a part of a video
 * (denoiseparts.h) that begins at @start. Times are in the time base of the
 * frames. -G_MAXINT64 and G_MAXINT64 are no limits. Must be called before the
 * first frame. */
void denoise_frames_set_range (DenoiseFrames * self, gint64 start,
    gint64 first, gint64 end);

/* Uses the frames only to configure the encoder, and encodes none. Must be
 * called before the first frame. */
void denoise_frames_set_probe (DenoiseFrames * self);

/* Returns the encoder, which @self owns, or NULL until the filter has output a
 * frame. */
const AVCodecContext *denoise_frames_get_encoder (const DenoiseFrames * self);

/* Takes @frame, with a time greater than that of the previous frame. The first
 * frame sets the format of all frames. HDR10+ metadata, an ITU-T T.35 payload,
 * is in the opaque_ref of a frame. Encodes the filtered frames. Returns FALSE
 * and sets the error of the track's report if the video cannot be written. */
gboolean denoise_frames_take (DenoiseFrames * self, const AVFrame * frame);

/* Adds the data to a packet of the encoder that the encoder does not write. */
gboolean denoise_frames_edit (DenoiseFrames * self, AVPacket * packet);

/* Encodes the remaining frames. */
gboolean denoise_frames_finish (DenoiseFrames * self);

/* Returns the time of the last encoded frame, in microseconds, or
 * AV_NOPTS_VALUE. */
gint64 denoise_frames_get_position (const DenoiseFrames * self);

/* Returns the number of encoded frames. */
guint64 denoise_frames_count (const DenoiseFrames * self);

/* Reports the format of the frames and the losses. Must be called after the
 * last frame. */
void denoise_frames_report (const DenoiseFrames * self);

G_END_DECLS
