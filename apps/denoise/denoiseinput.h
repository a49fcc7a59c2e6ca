/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the packets of the input and checks that it is complete. Must be called
 * from one thread. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <stdio.h>

#include <glib.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct
{
  const DenoiseOptions *options;
  DenoiseReport *report;
  AVFormatContext *format;
  AVIOContext *io;              /* of standard input, or NULL */
  gboolean is_y4m;
  gint64 packet_end;            /* of the last packet in the file, or -1 */
  /* Offset from input to output times, in microseconds. A transport stream
   * begins at any time. */
  gint64 offset;
  /* Duration in the container, in microseconds, or AV_NOPTS_VALUE. It is an
   * estimate if @is_estimate is set. */
  gint64 duration;
  gboolean is_estimate;
  gboolean is_partly_read;      /* the longest stream may not be read */
  gint64 end;                   /* end of the read packets, in microseconds */
  guint n_streams;              /* streams known at the start */
  guint n_late;                 /* packets of streams that begin later */
  gint64 n_packets;
  guint n_corrupt;              /* incomplete packets */
  gint64 last_corrupt;          /* number of the last incomplete packet, or
                                 * -1 */
  guint n_errors;               /* of the log, before packets were read */
} DenoiseInput;

/* Opens the input of @options, and finds its streams. Returns FALSE and sets
 * the report's error on failure. The caller must clear @self in any case. */
gboolean denoise_input_open (DenoiseInput * self,
    const DenoiseOptions * options, DenoiseReport * report);
void denoise_input_clear (DenoiseInput * self);

/* Returns the first video that is not a cover, or -1. */
gint denoise_input_find_video (const DenoiseInput * self);

/* Returns the field order of the first video of @options. Reads the file up to
 * the first interlaced frame if the codec permits interlaced frames and the
 * order is unknown. Returns AV_FIELD_UNKNOWN if there are none. Prints a
 * message to @terminal if that takes long. */
enum AVFieldOrder denoise_input_find_fields (const DenoiseOptions * options,
    FILE * terminal);

/* Reads the next packet of a stream that is not discarded. The caller unrefs
 * @packet. Returns FALSE at the end, or on a read error. */
gboolean denoise_input_read (DenoiseInput * self, AVPacket * packet);

/* Checks that the input is not truncated, and that its container is undamaged.
 * Must be called after the last packet. Sets the report's error or, with
 * --partial, adds a loss. Adds a note for a doubt. */
void denoise_input_check (DenoiseInput * self);

/* Seeks the first video to a key frame with at least @n_before frames before
 * @segment, or to the start of the video. Sets @key of @segment to the time of
 * the key frame, and @lead. Packets before the key frame may come first. Reads
 * packets, but decodes nothing. Returns FALSE if seeking fails. */
gboolean denoise_input_seek (DenoiseInput * self, DenoiseSegment * segment,
    guint n_before);

/* Returns whether the file requests that players show only a part of a video:
 * by PixelCrop in Matroska or by a clean aperture (clap) in .mp4 and .mov.
 * FFmpeg before 7.1 does not read it. */
gboolean denoise_input_is_cropped (const DenoiseInput * self);

G_END_DECLS
