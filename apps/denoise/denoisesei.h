/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Supplemental enhancement information (SEI) that FFmpeg's encoders do not
 * write: ITU-T H.264 and H.265, annex D. Must be called from one thread. */
#pragma once

#include <glib.h>
#include <libavcodec/avcodec.h>

G_BEGIN_DECLS

/* Returns the HDR10+ metadata (SMPTE ST 2094-40) of an H.265 packet with
 * @parameters, as an ITU-T T.35 payload, or NULL. The caller unrefs it. */
AVBufferRef *denoise_sei_find_hdr10plus (const AVPacket * packet,
    const AVCodecParameters * parameters);

/* Returns captions (CEA-608 and CEA-708), @size bytes of cc_data as in
 * AV_FRAME_DATA_A53_CC, as an ITU-T T.35 payload (ATSC A/53, part 4), or NULL
 * if there is no memory. The caller unrefs it. */
AVBufferRef *denoise_sei_create_captions (const guint8 * data, gsize size);

/* Adds an ITU-T T.35 payload to @packet, one frame of H.265 with start codes.
 * Returns FALSE if there is no memory or no slice in the packet. */
gboolean denoise_sei_add (AVPacket * packet, const AVBufferRef * payload);

/* Marks a frame of H.264 that x264 encoded in interlaced mode as progressive.
 * Returns FALSE if the packet has no picture timing. */
gboolean denoise_sei_set_progressive (AVPacket * packet);

/* Returns whether a video is MPEG-2, or H.264 whose headers allow interlaced
 * frames. */
gboolean denoise_sei_may_have_fields (const AVCodecParameters * parameters);

G_END_DECLS
