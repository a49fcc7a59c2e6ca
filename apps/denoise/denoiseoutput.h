/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output file. The header is written when all tracks are fully known, and
 * when it is known whether a track begins before 0: Matroska has no negative
 * timestamps, so all timestamps are shifted. Earlier packets are queued in
 * memory. Must be called from one thread. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <libavformat/avformat.h>

G_BEGIN_DECLS

/* Counts the packets of a track, written or read. Times are in microseconds. */
typedef struct
{
  guint64 n_packets;
  gint64 first;                 /* or AV_NOPTS_VALUE */
  gint64 last;                  /* the largest one, or AV_NOPTS_VALUE */
  gint64 end;                   /* of all packets, or AV_NOPTS_VALUE */
} DenoiseCount;

typedef struct
{
  AVFormatContext *format;
  const DenoiseOptions *options;
  gboolean is_matroska;         /* or WebM */
  DenoiseReport *report;
  GPtrArray *tracks;            /* array of DenoiseOutputTrack, one for each
                                 * stream */
  GQueue *waiting;              /* AVPacket, before the header */
  guint n_unknown;              /* tracks that are not fully known yet */
  gboolean has_header;
  gint64 offset;                /* offset added to all times, in microseconds */
} DenoiseOutput;

/* A track of the file. */
typedef struct
{
  AVStream *stream;             /* the format context owns it */
  gchar *name;                  /* for messages: "audio 1 (AAC)" */
  DenoiseCount count;
  gint64 last_dts;              /* in the time base of the stream */
  gint64 last_duration;         /* likewise */
  gboolean has_packet;
} DenoiseOutputTrack;

/* Opens a file of the container in @options, on the descriptor @part, which
 * must outlive @self. Returns FALSE and sets the report's error on failure. The
 * caller must clear @self in any case. */
gboolean denoise_output_open (DenoiseOutput * self,
    const DenoiseOptions * options, gint part, DenoiseReport * report);
void denoise_output_clear (DenoiseOutput * self);

/* Returns whether the container supports a codec. */
gboolean denoise_output_holds (const DenoiseOutput * self,
    enum AVCodecID codec);

/* Returns whether the container supports a data track, such as telemetry. */
gboolean denoise_output_holds_data (const DenoiseOutput * self,
    const AVCodecParameters * parameters);

/* Copies the tags of the input to the file, and the chapters of the written
 * range. */
gboolean denoise_output_copy_film (DenoiseOutput * self,
    const AVFormatContext * film);

/* Adds a track with the tags, flags and pixel aspect of @from, and with @name
 * for messages, which is copied. Its codec is not known yet. Returns NULL and
 * sets the report's error if there is no memory. */
DenoiseOutputTrack *denoise_output_add_track (DenoiseOutput * self,
    const AVStream * from, const gchar * name);

/* Counts a track as fully known. The codec parameters and the wanted time base
 * of its stream must be set. */
void denoise_output_start_track (DenoiseOutput * self);

/* Writes @packet, whose times are in @time_base, and leaves it empty. Returns
 * FALSE and sets the report's error on failure. */
gboolean denoise_output_write (DenoiseOutput * self,
    DenoiseOutputTrack * track, AVPacket * packet, AVRational time_base);

/* Completes the file. All tracks must have been started. */
gboolean denoise_output_finish (DenoiseOutput * self);

/* Verifies that the written file contains everything that the muxer got, by
 * reading the file again. Muxers may omit or change data that their containers
 * do not support.
 * Compares the tracks in the file of the descriptor @part with the packets
 * given to @output, which is finished: packets, first and last times, flags.
 * Sets an error of @report with the name of the track for a difference. Flags
 * that a container does not support are a loss. Blocks. */
void denoise_verify (const DenoiseOutput * output, gint part,
    DenoiseReport * report);

G_END_DECLS
