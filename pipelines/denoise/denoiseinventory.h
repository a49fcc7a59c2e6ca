/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a file has, by its own table of contents: demuxers do not show all of
 * it. MP4 and QuickTime, the programs of transport streams, and whether the
 * last part of these, of Matroska and of AVI is whole. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define DENOISE_MAX_SOUNDS 32

typedef struct
{
  guint n_videos;
  guint n_sounds;
  guint n_subtitles;
  guint n_others;               /* timecode, metadata */
  guint n_programs;             /* of a transport stream */
  GstClockTime sound_ends[DENOISE_MAX_SOUNDS];  /* in a MP4; 0: unknown */
  gboolean has_length;          /* headers of its kind say how long it is */
  gboolean is_cut_off;          /* it ends within a part of known length */
  gboolean is_broken;           /* of a stream the last PES packet is shorter
                                 * than its length field says */
} DenoiseInventory;

/* All are 0 where the file is none of these. */
void denoise_inventory_read (DenoiseInventory * inventory, const gchar * name);

G_END_DECLS
