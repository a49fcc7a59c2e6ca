/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the content of a file from its own table of contents, because demuxers
 * do not show everything. Supports MP4 and QuickTime, and the programs of
 * transport streams; for all of them and for Matroska and AVI, also checks
 * whether the last part of the file is complete. */
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
  GstClockTime sound_ends[DENOISE_MAX_SOUNDS];  /* of MP4; 0: unknown */
  gboolean has_length;          /* headers of this file type have a length */
  gboolean is_cut_off;          /* file ends within a part of known length */
  gboolean is_broken;           /* the last PES packet of a stream is shorter
                                 * than its length field says */
} DenoiseInventory;

/* Fills @inventory from the file @name. All members are 0 if the type of the
 * file is not supported. */
void denoise_inventory_read (DenoiseInventory * inventory, const gchar * name);

G_END_DECLS
