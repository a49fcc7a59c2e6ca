/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a file has, by its own table of contents: demuxers do not show all of it.
 * MP4 and QuickTime, and the programs of transport streams. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint n_videos;
  guint n_sounds;
  guint n_subtitles;
  guint n_others;               /* timecode, metadata */
  guint n_programs;             /* of a transport stream */
} DenoiseInventory;

/* All are 0 where the file is none of these. */
void denoise_inventory_read (DenoiseInventory * inventory, const gchar * name);

G_END_DECLS
