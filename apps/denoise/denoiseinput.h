/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The film that is read: its packets, and whether it is whole. One thread
 * calls all functions. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <stdio.h>

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
  /* What is added to times for the output, in microseconds: a transport stream
   * begins at any time, other films where they say. */
  gint64 offset;
  /* How long the container says that the film is, in microseconds, or
   * AV_NOPTS_VALUE. It is an estimate if @is_estimate is set. */
  gint64 duration;
  gboolean is_estimate;
  gboolean is_partly_read;      /* the longest stream may not be read */
  gint64 end;                   /* of what was read, in microseconds */
  guint n_streams;              /* that there are from the start on */
  guint n_late;                 /* packets of streams that begin later */
  gint64 n_packets;
  guint n_corrupt;              /* packets that are not whole */
  gint64 last_corrupt;          /* the number of the last of them, or -1 */
  guint n_errors;               /* of the log, before packets were read */
} DenoiseInput;

/* Opens the input of @options, and finds its streams. Returns FALSE and sets
 * the report's error on failure. In any case the caller clears @self. */
gboolean denoise_input_open (DenoiseInput * self,
    const DenoiseOptions * options, DenoiseReport * report);
void denoise_input_clear (DenoiseInput * self);

/* Returns the first video that is not a cover, or -1. */
gint denoise_input_find_video (const DenoiseInput * self);

/* Reads the film of @options for the order of the fields of its first video, up
 * to the first interlaced frame, if the video may have such frames but is not
 * known to. Returns AV_FIELD_UNKNOWN if there are none.
 * @terminal gets a message if that takes long. */
enum AVFieldOrder denoise_input_find_fields (const DenoiseOptions * options,
    FILE * terminal);

/* Reads the next packet of a stream that is not discarded. The caller unrefs
 * @packet. Returns FALSE at the end, and where nothing can be read any more. */
gboolean denoise_input_read (DenoiseInput * self, AVPacket * packet);

/* After the last packet: checks that the film is not cut off, and that its
 * container is sound. Sets the report's error or, with --partial, adds a
 * loss; a doubt is a note. */
void denoise_input_check (DenoiseInput * self);

G_END_DECLS
