/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseinventory.h"

#include <stdio.h>
#include <string.h>

/* ISO/IEC 14496-12: an atom is its size, its type, and what is in it. */
#define ATOM_HEADER 8
#define LARGE_ATOM_HEADER 16
/* Of a "hdlr": version and flags, and 4 bytes more, are before the type. */
#define HANDLER_OFFSET 8
/* Of a "mvhd" and a "tkhd" the bytes up to the duration, in version 1. */
#define MAX_HEADER 36
/* A header that says more is damaged. */
#define MAX_SECONDS (1000 * 3600)

/* ISO/IEC 13818-1 */
#define PACKET_BYTES 188
#define PROBED_PACKETS 4096
#define SURE_PACKETS 4
/* Of a part (PES packet): a mark, what it is, and its length. */
#define PART_HEADER 6
/* Some seconds of sound. */
#define LAST_PACKETS 16384

/* RFC 8794 and RFC 9559 */
#define EBML_ID 0x1a45dfa3
#define SEGMENT_ID 0x18538067

/* What is known of the track at hand. */
typedef struct
{
  DenoiseInventory *inventory;
  FILE *file;
  guint32 timescale;            /* of the film */
  guint64 duration;             /* of the track, in it */
} Atoms;

/* The next atom of @file, which is at its beginning. Returns the bytes in it,
 * and then @file is at the first of them, or -1. */
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
count_handler (Atoms * self)
{
  DenoiseInventory *inventory = self->inventory;
  guint8 data[HANDLER_OFFSET + 4];
  const gchar *type = (gchar *) data + HANDLER_OFFSET;

  if (fread (data, 1, sizeof data, self->file) != sizeof data)
    return;
  if (memcmp (type, "vide", 4) == 0) {
    inventory->n_videos++;
  } else if (memcmp (type, "soun", 4) == 0) {
    if (inventory->n_sounds < DENOISE_MAX_SOUNDS && self->timescale > 0
        && self->duration / self->timescale < MAX_SECONDS)
      inventory->sound_ends[inventory->n_sounds] =
          gst_util_uint64_scale (self->duration, GST_SECOND, self->timescale);
    inventory->n_sounds++;
  } else if (memcmp (type, "text", 4) == 0 || memcmp (type, "sbtl", 4) == 0
      || memcmp (type, "subt", 4) == 0 || memcmp (type, "subp", 4) == 0) {
    inventory->n_subtitles++;
  } else {
    inventory->n_others++;
  }
}

/* Of a "mvhd" or a "tkhd": a duration that is not known is all ones. */
static void
read_header (Atoms * self, gboolean of_track)
{
  guint8 data[MAX_HEADER] = { 0 };
  const gboolean is_long = fread (data, 1, sizeof data, self->file) > 0
      && data[0] == 1;
  guint64 duration;

  if (!of_track) {
    self->timescale = GST_READ_UINT32_BE (data + (is_long ? 20 : 12));
    return;
  }
  duration = is_long ? GST_READ_UINT64_BE (data + 28)
      : GST_READ_UINT32_BE (data + 20);
  self->duration = duration == (is_long ? G_MAXUINT64 : G_MAXUINT32)
      ? 0 : duration;
}

static void read_atoms (Atoms * self, goffset end, guint depth);

static void
read_known_atom (Atoms * self, const gchar * type, goffset end, guint depth)
{
  static const gchar *const path[] = { "moov", "trak", "mdia", "hdlr" };

  if (memcmp (type, "mvhd", 4) == 0)
    read_header (self, FALSE);
  else if (memcmp (type, "tkhd", 4) == 0)
    read_header (self, TRUE);
  else if (memcmp (type, path[depth], 4) != 0)
    return;
  else if (depth == G_N_ELEMENTS (path) - 1)
    count_handler (self);
  else
    read_atoms (self, end, depth + 1);
}

/* Cameras append what is no atom. */
static gboolean
holds_film (const gchar type[4])
{
  return memcmp (type, "mdat", 4) == 0 || memcmp (type, "moov", 4) == 0
      || memcmp (type, "moof", 4) == 0;
}

/* The atoms up to @end, those of tracks with what is in them. */
static void
read_atoms (Atoms * self, goffset end, guint depth)
{
  gchar type[4];
  goffset size;

  while (ftello (self->file) < end
      && (size = read_atom (self->file, type)) >= 0) {
    const goffset here = ftello (self->file);
    const goffset next = size > end - here ? end : here + size;

    if (depth == 0 && size > end - here && holds_film (type))
      self->inventory->is_cut_off = TRUE;
    read_known_atom (self, type, next, depth);
    if (fseeko (self->file, next, SEEK_SET) != 0)
      return;
  }
}

/* A number of EBML: the zeros in front of the first bit that is set say how
 * many bytes follow. With the mark, or without; all ones are not known. */
static gboolean
read_number (FILE * file, gboolean with_mark, guint64 * number)
{
  const gint first = fgetc (file);
  guint n = 0;

  if (first <= 0)
    return FALSE;
  while (!(first & (0x80 >> n)))
    n++;
  *number = first & (with_mark ? 0xff : 0x7f >> n);
  gboolean known = with_mark || *number != (guint64) (0x7f >> n);
  for (guint i = 0; i < n; i++) {
    const gint byte = fgetc (file);

    if (byte < 0)
      return FALSE;
    known |= byte != 0xff;
    *number = *number << 8 | byte;
  }
  if (!known)
    *number = G_MAXUINT64;
  return TRUE;
}

/* The film is in one element, which has all others. */
static void
read_elements (DenoiseInventory * inventory, FILE * file, goffset end)
{
  guint64 id, size;

  while (read_number (file, TRUE, &id) && read_number (file, FALSE, &size)
      && size != G_MAXUINT64 && size <= G_MAXINT64 / 2) {
    const goffset next = ftello (file) + (goffset) size;

    if (id == SEGMENT_ID && next > end)
      inventory->is_cut_off = TRUE;
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

/* Sets what is missing, in bytes, of the part at hand of the stream that
 * @packet is of, where the part says how many it has. */
static void
read_packet (const guint8 packet[PACKET_BYTES], GHashTable * missing)
{
  const guint pid = GST_READ_UINT16_BE (packet + 1) & 0x1fff;
  const guint start = packet[3] & 0x20 ? 5 + packet[4] : 4;
  gint left = GPOINTER_TO_INT (g_hash_table_lookup (missing,
          GUINT_TO_POINTER (pid)));

  if (!(packet[3] & 0x10) || start >= PACKET_BYTES)
    return;
  if (packet[1] & 0x40) {
    const gboolean is_part = start + PART_HEADER <= PACKET_BYTES
        && GST_READ_UINT24_BE (packet + start) == 1;
    const guint length = is_part ? GST_READ_UINT16_BE (packet + start + 4) : 0;

    left = length > 0 ? (gint) length + PART_HEADER : 0;
  }
  left -= MIN (left, (gint) (PACKET_BYTES - start));
  g_hash_table_insert (missing, GUINT_TO_POINTER (pid), GINT_TO_POINTER (left));
}

/* Whether a part that says how long it is ends with the file. */
static gboolean
has_broken_part (FILE * file, goffset end)
{
  g_autoptr (GHashTable) missing = g_hash_table_new (NULL, NULL);
  guint8 packet[PACKET_BYTES];
  GHashTableIter iterator;
  gpointer left;

  if (fseeko (file, MAX (end / PACKET_BYTES - LAST_PACKETS, 0) * PACKET_BYTES,
          SEEK_SET) != 0)
    return FALSE;
  while (fread (packet, 1, sizeof packet, file) == sizeof packet
      && packet[0] == 0x47)
    read_packet (packet, missing);
  g_hash_table_iter_init (&iterator, missing);
  while (g_hash_table_iter_next (&iterator, NULL, &left)) {
    if (GPOINTER_TO_INT (left) > 0)
      return TRUE;
  }
  return FALSE;
}

static void
read_packets (DenoiseInventory * inventory, FILE * file, goffset end)
{
  guint8 packet[PACKET_BYTES];

  /* Some have longer packets. */
  for (guint i = 0; i < PROBED_PACKETS
      && (i < SURE_PACKETS || inventory->n_programs == 0)
      && fread (packet, 1, sizeof packet, file) == sizeof packet; i++) {
    if (packet[0] != 0x47)
      return;
    if (inventory->n_programs == 0
        && (GST_READ_UINT16_BE (packet + 1) & 0x5fff) == 0x4000)
      inventory->n_programs = count_programs (packet);
  }
  inventory->is_cut_off = end % PACKET_BYTES != 0;
  inventory->is_broken = has_broken_part (file, end);
}

/* An AVI of more than 1 GiB has several. */
static void
read_chunks (DenoiseInventory * inventory, FILE * file, goffset end)
{
  guint8 header[ATOM_HEADER];
  goffset next = 0;

  while (fseeko (file, next, SEEK_SET) == 0
      && fread (header, 1, sizeof header, file) == sizeof header
      && memcmp (header, "RIFF", 4) == 0) {
    next += (goffset) GST_READ_UINT32_LE (header + 4) + ATOM_HEADER;
    inventory->is_cut_off |= next > end;
    next += next % 2;
  }
}

static gboolean
is_iso (const guint8 head[ATOM_HEADER])
{
  static const gchar *const types[] =
      { "ftyp", "moov", "mdat", "wide", "free" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    if (memcmp (head + 4, types[i], 4) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
read_contents (DenoiseInventory * inventory, FILE * file,
    const guint8 head[ATOM_HEADER], goffset end)
{
  Atoms atoms = {.inventory = inventory,.file = file };

  inventory->has_length = TRUE;
  if (memcmp (head, "RIFF", 4) == 0) {
    read_chunks (inventory, file, end);
  } else if (GST_READ_UINT32_BE (head) == EBML_ID) {
    read_elements (inventory, file, end);
  } else if (is_iso (head)) {
    read_atoms (&atoms, end, 0);
  } else {
    inventory->has_length = FALSE;
    if (head[0] == 0x47)
      read_packets (inventory, file, end);
  }
}

void
denoise_inventory_read (DenoiseInventory * inventory, const gchar * name)
{
  FILE *file = fopen (name, "rb");
  guint8 head[ATOM_HEADER];
  goffset end = -1;

  memset (inventory, 0, sizeof (*inventory));
  if (!file)
    return;
  if (fseeko (file, 0, SEEK_END) == 0)
    end = ftello (file);
  rewind (file);
  if (end > 0 && fread (head, 1, sizeof head, file) == sizeof head) {
    rewind (file);
    read_contents (inventory, file, head, end);
  }
  fclose (file);
}
