/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseinventory.h"

#include <stdio.h>
#include <string.h>

#include <gst/gst.h>

/* ISO/IEC 14496-12: an atom is its size, its type, and what is in it. */
#define ATOM_HEADER 8
#define LARGE_ATOM_HEADER 16
/* Of a "hdlr": version and flags, and 4 bytes more, are before the type. */
#define HANDLER_OFFSET 8

/* ISO/IEC 13818-1 */
#define PACKET_BYTES 188
#define PROBED_PACKETS 4096

/* The next atom of @file, which is at its beginning. Returns the bytes in it, and
 * then @file is at the first of them, or -1. */
static goffset
read_atom (FILE * file, gchar type[4])
{
  guint8 header[LARGE_ATOM_HEADER];
  guint64 size;

  if (fread (header, 1, ATOM_HEADER, file) != ATOM_HEADER)
    return -1;
  memcpy (type, header + 4, 4);
  size = GST_READ_UINT32_BE (header);
  if (size == 1) {
    if (fread (header + ATOM_HEADER, 1, 8, file) != 8)
      return -1;
    size = GST_READ_UINT64_BE (header + ATOM_HEADER);
    return size < LARGE_ATOM_HEADER || size > G_MAXINT64 ? -1
        : (goffset) size - LARGE_ATOM_HEADER;
  }
  return size < ATOM_HEADER ? -1 : (goffset) size - ATOM_HEADER;
}

static void
count_handler (DenoiseInventory * inventory, FILE * file)
{
  guint8 data[HANDLER_OFFSET + 4];
  const gchar *type = (gchar *) data + HANDLER_OFFSET;

  if (fread (data, 1, sizeof data, file) != sizeof data)
    return;
  if (memcmp (type, "vide", 4) == 0)
    inventory->n_videos++;
  else if (memcmp (type, "soun", 4) == 0)
    inventory->n_sounds++;
  else if (memcmp (type, "text", 4) == 0 || memcmp (type, "sbtl", 4) == 0
      || memcmp (type, "subt", 4) == 0 || memcmp (type, "subp", 4) == 0)
    inventory->n_subtitles++;
  else
    inventory->n_others++;
}

/* The atoms up to @end, those of tracks with what is in them. */
static void
read_atoms (DenoiseInventory * inventory, FILE * file, goffset end, guint depth)
{
  static const gchar *const path[] = { "moov", "trak", "mdia", "hdlr" };
  gchar type[4];
  goffset size;

  while (ftello (file) < end && (size = read_atom (file, type)) >= 0) {
    const goffset next = ftello (file) + size;

    if (memcmp (type, path[depth], 4) == 0) {
      if (depth == G_N_ELEMENTS (path) - 1)
        count_handler (inventory, file);
      else
        read_atoms (inventory, file, MIN (next, end), depth + 1);
    }
    if (fseeko (file, next, SEEK_SET) != 0)
      return;
  }
}

/* Programs of a program association section, in the packet of its table. */
static guint
count_programs (const guint8 packet[PACKET_BYTES])
{
  const guint start = packet[3] & 0x20 ? 5 + packet[4] : 4;
  const guint section = start + 1 + packet[MIN (start, PACKET_BYTES - 1)];
  guint n = 0;

  if (section + 8 > PACKET_BYTES || packet[section] != 0)
    return 0;
  const guint length = (packet[section + 1] & 0x0f) << 8 | packet[section + 2];
  const guint end = MIN (section + 3 + length, PACKET_BYTES + 4) - 4;
  for (guint i = section + 8; i + 4 <= end; i += 4)
    /* Program 0 is the network's information. */
    n += GST_READ_UINT16_BE (packet + i) != 0;
  return n;
}

static void
read_packets (DenoiseInventory * inventory, FILE * file)
{
  guint8 packet[PACKET_BYTES];

  for (guint i = 0; i < PROBED_PACKETS && inventory->n_programs == 0
      && fread (packet, 1, sizeof packet, file) == sizeof packet; i++) {
    if (packet[0] != 0x47)
      return;
    if ((GST_READ_UINT16_BE (packet + 1) & 0x5fff) == 0x4000)
      inventory->n_programs = count_programs (packet);
  }
}

void
denoise_inventory_read (DenoiseInventory * inventory, const gchar * name)
{
  FILE *file = fopen (name, "rb");
  guint8 head[ATOM_HEADER] = { 0 };

  memset (inventory, 0, sizeof (*inventory));
  if (!file)
    return;
  gsize n = fread (head, 1, sizeof head, file);
  rewind (file);
  if (n == sizeof head && head[0] == 0x47)
    read_packets (inventory, file);
  else if (n == sizeof head && (memcmp (head + 4, "ftyp", 4) == 0
          || memcmp (head + 4, "moov", 4) == 0
          || memcmp (head + 4, "mdat", 4) == 0
          || memcmp (head + 4, "wide", 4) == 0
          || memcmp (head + 4, "free", 4) == 0))
    read_atoms (inventory, file, G_MAXINT64, 0);
  fclose (file);
}
