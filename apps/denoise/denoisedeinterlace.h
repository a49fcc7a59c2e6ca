/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes each field of interlaced frames a frame (FFmpeg's bwdif) and passes
 * progressive frames on unchanged, including in mixed video. Must be called
 * from one thread. */
#pragma once

#include <glib.h>
#include <libavutil/frame.h>
#include <libavutil/rational.h>

G_BEGIN_DECLS

typedef struct _DenoiseDeinterlace DenoiseDeinterlace;

/* Creates a deinterlacer for frames with times in @time_base. Times of output
 * frames are in half of this unit, because the second field of a frame begins
 * between two frames. */
DenoiseDeinterlace *denoise_deinterlace_new (AVRational time_base);
/* @self may be NULL. */
void denoise_deinterlace_free (DenoiseDeinterlace * self);

/* Takes the content of @frame, which has a time, or NULL at the end. All output
 * frames must be pulled first. Returns an FFmpeg error code. */
gint denoise_deinterlace_push (DenoiseDeinterlace * self, AVFrame * frame);

/* Fills @frame, which must be empty, with the next output frame. Captions of a
 * frame stay with its first field. Returns AVERROR (EAGAIN) or AVERROR_EOF if
 * there is none, or another FFmpeg error code. */
gint denoise_deinterlace_pull (DenoiseDeinterlace * self, AVFrame * frame);

G_END_DECLS
