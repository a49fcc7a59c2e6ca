/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisetags.h"

#include <string.h>

/* Of Matroska, https://www.rfc-editor.org/rfc/rfc9559 and EBML, rfc8794. */
#define ID_TAG_STRING "\x44\x87"
#define ID_BYTES 2
#define ID_VOID 0xec
#define MAX_SIZE_BYTES 8

/* Bytes of the size that begins at @data, a number whose first bit set says how
 * many there are. 0 where it is none. */
static guint
read_size (const guint8 * data, gsize available, guint64 * size)
{
  guint n = 1;

  while (n <= MAX_SIZE_BYTES && !(data[0] & (0x100 >> n)))
    n++;
  if (n > MAX_SIZE_BYTES || n > available)
    return 0;
  *size = data[0] & (0xff >> n);
  for (guint i = 1; i < n; i++)
    *size = *size << 8 | data[i];
  return n;
}

static void
write_size (guint8 * data, guint n, guint64 size)
{
  for (guint i = n; i-- > 0; size >>= 8)
    data[i] = size & 0xff;
  data[0] |= 0x100 >> n;
}

/* Text is never shorter in quotes: what it takes less is filled with a void
 * element, so that sizes and places in the file stay. */
static void
replace_text (guint8 * element, guint n_size, guint64 size, const gchar * text)
{
  gsize length = strlen (text);
  guint8 *space = element + ID_BYTES + n_size + length;
  /* The size of the void element is as long as it may be, but one byte. */
  guint64 left = size - length;
  guint n_void = left > 100 ? MAX_SIZE_BYTES : 1;

  if (length + 2 > size)
    return;
  write_size (element + ID_BYTES, n_size, length);
  memcpy (element + ID_BYTES + n_size, text, length);
  space[0] = ID_VOID;
  write_size (space + 1, n_void, left - 1 - n_void);
  memset (space + 1 + n_void, 0, left - 1 - n_void);
}

static void
repair_text (guint8 * element, gsize available)
{
  GValue value = G_VALUE_INIT;
  guint64 size = 0;
  guint n_size = read_size (element + ID_BYTES, available - ID_BYTES, &size);

  if (n_size == 0 || size < 2 || ID_BYTES + n_size + size != available)
    return;
  g_autofree gchar *quoted =
      g_strndup ((gchar *) element + ID_BYTES + n_size, size);
  g_value_init (&value, G_TYPE_STRING);
  if (quoted[0] == '"' && gst_value_deserialize (&value, quoted)
      && g_value_get_string (&value))
    replace_text (element, n_size, size, g_value_get_string (&value));
  g_value_unset (&value);
}

/* On the muxer's thread. Each element of its tags is a buffer. */
static GstPadProbeReturn
repair_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstMapInfo map;

  (void) pad;
  (void) user_data;
  if (gst_buffer_get_size (buffer) <= ID_BYTES
      || gst_buffer_memcmp (buffer, 0, ID_TAG_STRING, ID_BYTES) != 0)
    return GST_PAD_PROBE_OK;
  buffer = gst_buffer_make_writable (buffer);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  if (gst_buffer_map (buffer, &map, GST_MAP_READWRITE)) {
    repair_text (map.data, map.size);
    gst_buffer_unmap (buffer, &map);
  }
  return GST_PAD_PROBE_OK;
}

void
denoise_tags_repair (GstElement * muxer)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (muxer, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, repair_buffer, NULL, NULL);
}
