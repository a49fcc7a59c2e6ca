/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecrop.h"

/* Maximum nesting of containers down to a crop. */
#define MAX_DEPTH 8

typedef struct
{
  const guint8 *at, *end;
} Bytes;

/* Reads @n bytes, most significant first. The caller has checked that they
 * exist. */
static guint64
read_number (const guint8 * at, gsize n)
{
  guint64 number = 0;

  while (n-- > 0)
    number = number << 8 | *at++;
  return number;
}

/* Reads the next element of Matroska (RFC 8794): its ID and content. An element
 * of unknown size reaches to the end of its parent. Returns FALSE at the end,
 * and for invalid data. */
static gboolean
take_element (Bytes * parent, guint64 * id, Bytes * content)
{
  guint64 numbers[2];

  for (guint i = 0; i < 2; i++) {
    gsize n = 1;

    if (parent->at >= parent->end || *parent->at == 0)
      return FALSE;
    while (!(*parent->at & 0x100 >> n))
      n++;
    if ((gsize) (parent->end - parent->at) < n)
      return FALSE;
    numbers[i] = read_number (parent->at, n);
    /* A size is without the bit that marks its length. */
    if (i == 1) {
      numbers[i] &= (G_GUINT64_CONSTANT (1) << 7 * n) - 1;
      if (numbers[i] == (G_GUINT64_CONSTANT (1) << 7 * n) - 1)
        numbers[i] = G_MAXUINT64;
    }
    parent->at += n;
  }
  *id = numbers[0];
  content->at = parent->at;
  content->end = parent->at + MIN (numbers[1],
      (guint64) (parent->end - parent->at));
  parent->at = content->end;
  return TRUE;
}

static gboolean
matroska_is_cropped (Bytes bytes, guint depth)
{
  enum
  {
    SEGMENT = 0x18538067, TRACKS = 0x1654ae6b, TRACK = 0xae, VIDEO = 0xe0,
    CROP_BOTTOM = 0x54aa, CROP_TOP = 0x54bb, CROP_LEFT = 0x54cc,
    CROP_RIGHT = 0x54dd, CLUSTER = 0x1f43b675
  };
  Bytes content;
  guint64 id;

  while (take_element (&bytes, &id, &content)) {
    switch (id) {
      case SEGMENT:
      case TRACKS:
      case TRACK:
      case VIDEO:
        if (depth < MAX_DEPTH && matroska_is_cropped (content, depth + 1))
          return TRUE;
        break;
      case CROP_BOTTOM:
      case CROP_TOP:
      case CROP_LEFT:
      case CROP_RIGHT:
        if (content.end - content.at <= 8
            && read_number (content.at, content.end - content.at) > 0)
          return TRUE;
        break;
        /* Tracks precede them. */
      case CLUSTER:
        return FALSE;
    }
  }
  return FALSE;
}

/* Reads the next box of a .mp4 (ISO/IEC 14496-12). Returns FALSE at the end,
 * and for invalid data. */
static gboolean
take_box (Bytes * parent, guint32 * type, Bytes * content)
{
  const guint64 left = parent->end - parent->at;
  gsize header = 8;
  guint64 size;

  if (left < header)
    return FALSE;
  size = read_number (parent->at, 4);
  *type = read_number (parent->at + 4, 4);
  if (size == 1 && left >= 16) {
    header = 16;
    size = read_number (parent->at + 8, 8);
  } else if (size == 0) {
    size = left;
  }
  if (size < header || size > left)
    return FALSE;
  content->at = parent->at + header;
  content->end = parent->at + size;
  parent->at = content->end;
  return TRUE;
}

/* Returns whether a clean aperture is smaller than the frame. */
static gboolean
is_smaller (Bytes aperture, guint64 width, guint64 height)
{
  if (aperture.end - aperture.at < 16)
    return FALSE;
  return read_number (aperture.at, 4)
      < width * MAX (read_number (aperture.at + 4, 4), 1)
      || read_number (aperture.at + 8, 4)
      < height * MAX (read_number (aperture.at + 12, 4), 1);
}

/* @width and @height are those of the frame in its description. */
static gboolean
mp4_is_cropped (Bytes bytes, guint64 width, guint64 height, guint depth)
{
  /* Size of a video description in stsd before its boxes. */
  const gsize entry_bytes = 78;
  Bytes content;
  guint32 type;

  while (take_box (&bytes, &type, &content)) {
    const gsize size = content.end - content.at;

    switch (type) {
      case 0x6d6f6f76:         /* moov */
      case 0x7472616b:         /* trak */
      case 0x6d646961:         /* mdia */
      case 0x6d696e66:         /* minf */
      case 0x7374626c:         /* stbl */
        if (depth < MAX_DEPTH && mp4_is_cropped (content, 0, 0, depth + 1))
          return TRUE;
        break;
        /* stsd has a version and a number before its boxes. */
      case 0x73747364:
        content.at += MIN (size, 8);
        while (take_box (&content, &type, &bytes)) {
          const gboolean is_video =
              (gsize) (bytes.end - bytes.at) > entry_bytes;
          const guint8 *size_at = bytes.at + 24;
          const Bytes boxes = { bytes.at + entry_bytes, bytes.end };

          if (is_video && mp4_is_cropped (boxes, read_number (size_at, 2),
                  read_number (size_at + 2, 2), depth + 1))
            return TRUE;
        }
        return FALSE;
      case 0x636c6170:         /* clap */
        if (is_smaller (content, width, height))
          return TRUE;
        break;
    }
  }
  return FALSE;
}

gboolean
denoise_crop_is_in (const gchar * filename, const gchar * format)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (filename, FALSE, NULL);
  const guint8 *at = file ? (guint8 *) g_mapped_file_get_contents (file) : NULL;
  Bytes bytes = { at, at + (at ? g_mapped_file_get_length (file) : 0) };

  if (!at)
    return FALSE;
  if (g_str_has_prefix (format, "matroska"))
    return matroska_is_cropped (bytes, 0);
  return g_str_has_prefix (format, "mov") && mp4_is_cropped (bytes, 0, 0, 0);
}
