/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisesei.h"

#include <string.h>

/* Types of NAL units and of payloads. */
#define H265_FIRST_NON_SLICE 32
#define H265_PREFIX_SEI 39
#define H264_SEI 6
#define H264_SPS 7
#define PICTURE_TIMING 1
#define USER_DATA_T35 4
/* A message ends with a 1 bit and zeros. */
#define TRAILING_BITS 0x80
#define HEADER_BYTES 2          /* of a NAL unit of H.265 */

static const guint8 hdr10plus_prefix[] = {
  0xb5,                         /* United States */
  0x00, 0x3c,                   /* Samsung */
  0x00, 0x01, 0x04              /* ST 2094-40, application 4 */
};

static const guint8 captions_prefix[] = {
  0xb5,                         /* United States */
  0x00, 0x31,                   /* ATSC */
  'G', 'A', '9', '4', 0x03      /* cc_data */
};

/* The NAL units of a packet: with start codes, or with their size in
 * @length_bytes. */
typedef struct
{
  const guint8 *at, *end;
  guint length_bytes;           /* 0: start codes */
} Units;

static const guint8 *
find_start_code (const guint8 * at, const guint8 * end)
{
  for (; end - at >= 3; at++) {
    if (at[0] == 0 && at[1] == 0 && at[2] == 1)
      return at;
  }
  return end;
}

/* Sets @unit and @size to the next unit, without start code or length. Returns
 * FALSE at the end. */
static gboolean
get_unit (Units * self, const guint8 ** unit, gsize * size)
{
  if (self->length_bytes > 0) {
    gsize length = 0;

    if ((gsize) (self->end - self->at) <= self->length_bytes)
      return FALSE;
    for (guint i = 0; i < self->length_bytes; i++)
      length = length << 8 | *self->at++;
    *unit = self->at;
    *size = MIN (length, (gsize) (self->end - self->at));
    self->at += *size;
    return *size > 0;
  }
  self->at = find_start_code (self->at, self->end);
  if (self->end - self->at <= 3)
    return FALSE;
  *unit = self->at + 3;
  self->at = find_start_code (*unit, self->end);
  *size = self->at - *unit;
  return *size > 0;
}

/* Returns the size of the length field of NAL units in packets, or 0 if they
 * have start codes, from the format of the headers (ISO/IEC 14496-15). */
static guint
get_length_bytes (const AVCodecParameters * parameters)
{
  const guint8 *data = parameters->extradata;

  return data && parameters->extradata_size > 22 && data[0] == 1
      ? (data[21] & 3) + 1u : 0;
}

/* Returns a unit without the emulation prevention bytes. The caller unrefs the
 * array. */
static GByteArray *
unescape (const guint8 * unit, gsize size)
{
  GByteArray *bytes = g_byte_array_sized_new (size);
  guint n_zeros = 0;

  for (gsize i = 0; i < size; i++) {
    if (n_zeros >= 2 && unit[i] == 3) {
      n_zeros = 0;
      continue;
    }
    n_zeros = unit[i] == 0 ? n_zeros + 1 : 0;
    g_byte_array_append (bytes, &unit[i], 1);
  }
  return bytes;
}

static void
append_escaped (GByteArray * unit, const guint8 * bytes, gsize size)
{
  static const guint8 escape = 3;
  guint n_zeros = 0;

  for (gsize i = 0; i < size; i++) {
    if (n_zeros >= 2 && bytes[i] <= 3) {
      g_byte_array_append (unit, &escape, 1);
      n_zeros = 0;
    }
    n_zeros = bytes[i] == 0 ? n_zeros + 1 : 0;
    g_byte_array_append (unit, &bytes[i], 1);
  }
}

/* Reads a type or a size: each byte of 255 adds to the following byte. Returns
 * FALSE at the end. */
static gboolean
read_number (const guint8 ** at, const guint8 * end, gsize * number)
{
  *number = 0;
  while (*at < end) {
    *number += **at;
    if (*(*at)++ != 255)
      return TRUE;
  }
  return FALSE;
}

/* Returns the HDR10+ metadata of messages, or NULL. */
static AVBufferRef *
find_in_messages (const guint8 * at, const guint8 * end)
{
  gsize type, size;

  while (read_number (&at, end, &type) && read_number (&at, end, &size)
      && size <= (gsize) (end - at)) {
    if (type == USER_DATA_T35 && size > sizeof (hdr10plus_prefix)
        && memcmp (at, hdr10plus_prefix, sizeof (hdr10plus_prefix)) == 0) {
      AVBufferRef *found = av_buffer_alloc (size);

      if (found)
        memcpy (found->data, at, size);
      return found;
    }
    at += size;
  }
  return NULL;
}

AVBufferRef *
denoise_sei_find_hdr10plus (const AVPacket * packet,
    const AVCodecParameters * parameters)
{
  Units units = {.at = packet->data,.end = packet->data + packet->size,
    .length_bytes = get_length_bytes (parameters)
  };
  const guint8 *unit;
  gsize size;

  while (get_unit (&units, &unit, &size)) {
    const guint type = unit[0] >> 1 & 0x3f;

    if (type < H265_FIRST_NON_SLICE)
      return NULL;
    if (type == H265_PREFIX_SEI && size > HEADER_BYTES) {
      g_autoptr (GByteArray) bytes = unescape (unit, size);
      AVBufferRef *found = find_in_messages (bytes->data + HEADER_BYTES,
          bytes->data + bytes->len);

      if (found)
        return found;
    }
  }
  return NULL;
}

AVBufferRef *
denoise_sei_create_captions (const guint8 * data, gsize size)
{
  const gsize count = MIN (size / 3, 31);
  const gsize start = sizeof (captions_prefix) + 2;
  AVBufferRef *payload = av_buffer_alloc (start + 3 * count + 1);

  if (!payload)
    return NULL;
  memcpy (payload->data, captions_prefix, sizeof (captions_prefix));
  payload->data[start - 2] = 0x40 | count;      /* process_cc_data_flag */
  payload->data[start - 1] = 0xff;      /* reserved */
  memcpy (payload->data + start, data, 3 * count);
  payload->data[start + 3 * count] = 0xff;      /* marker */
  return payload;
}

static void
append_number (GByteArray * bytes, gsize number)
{
  static const guint8 more = 255;
  guint8 rest;

  for (; number >= 255; number -= 255)
    g_byte_array_append (bytes, &more, 1);
  rest = number;
  g_byte_array_append (bytes, &rest, 1);
}

gboolean
denoise_sei_add (AVPacket * packet, const AVBufferRef * payload)
{
  static const guint8 header[] = { 0, 0, 0, 1, H265_PREFIX_SEI << 1, 1 };
  static const guint8 end = TRAILING_BITS;
  Units units = {.at = packet->data,.end = packet->data + packet->size };
  g_autoptr (GByteArray) message = g_byte_array_new ();
  g_autoptr (GByteArray) unit = g_byte_array_new ();
  const guint8 *slice;
  gsize size;

  do {
    if (!get_unit (&units, &slice, &size))
      return FALSE;
  } while ((slice[0] >> 1 & 0x3f) >= H265_FIRST_NON_SLICE);
  gsize place = slice - 3 - packet->data;
  if (place > 0 && packet->data[place - 1] == 0)
    place--;

  append_number (message, USER_DATA_T35);
  append_number (message, payload->size);
  g_byte_array_append (message, payload->data, payload->size);
  g_byte_array_append (message, &end, 1);
  g_byte_array_append (unit, header, sizeof (header));
  append_escaped (unit, message->data, message->len);

  AVBufferRef *whole = av_buffer_allocz (packet->size + unit->len
      + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!whole)
    return FALSE;
  memcpy (whole->data, packet->data, place);
  memcpy (whole->data + place, unit->data, unit->len);
  memcpy (whole->data + place + unit->len, packet->data + place,
      packet->size - place);
  av_buffer_unref (&packet->buf);
  packet->buf = whole;
  packet->data = whole->data;
  packet->size += unit->len;
  return TRUE;
}

gboolean
denoise_sei_set_progressive (AVPacket * packet)
{
  /* pic_struct of 4 bits, a timestamp flag for each field, here 0, and the
   * padding of the byte. A frame has one timestamp. */
  enum
  { TOP_BOTTOM = 0x32, BOTTOM_TOP = 0x42, FRAME = 0x04 };
  Units units = {.at = packet->data,.end = packet->data + packet->size };
  const guint8 *unit;
  gsize size;

  while (get_unit (&units, &unit, &size)) {
    if ((unit[0] & 0x1f) == H264_SEI && size >= 4 && unit[1] == PICTURE_TIMING
        && unit[2] == 1 && (unit[3] == TOP_BOTTOM || unit[3] == BOTTOM_TOP)) {
      const gsize place = &unit[3] - packet->data;

      if (av_packet_make_writable (packet) < 0)
        return FALSE;
      packet->data[place] = FRAME;
      return TRUE;
    }
  }
  return FALSE;
}

typedef struct
{
  const GByteArray *bytes;
  guint at;                     /* in bits */
} Bits;

/* Returns zeros after the end. */
static guint
get_bits (Bits * self, guint n)
{
  guint value = 0;

  for (guint i = 0; i < n; i++, self->at++)
    value = value << 1 | (self->at / 8 < self->bytes->len
        ? self->bytes->data[self->at / 8] >> (7 - self->at % 8) & 1 : 0);
  return value;
}

/* An Exp-Golomb code of H.264. Of a signed one only its length is used. */
static guint
get_golomb (Bits * self)
{
  guint n = 0;

  while (n < 32 && self->at < self->bytes->len * 8 && get_bits (self, 1) == 0)
    n++;
  return n < 32 ? (1u << n) - 1 + get_bits (self, n) : 0;
}

/* Skips the lists of a sequence parameter set, each of 16 or 64 numbers. A list
 * ends early at a delta whose next value is zero. */
static void
skip_scaling_lists (Bits * bits, guint n_lists)
{
  for (guint i = 0; i < n_lists; i++) {
    const guint n = i < 6 ? 16 : 64;
    gint last = 8, next = 8;

    if (get_bits (bits, 1) == 0)
      continue;
    for (guint k = 0; k < n && next != 0; k++) {
      const guint code = get_golomb (bits);
      const gint delta = code & 1 ? (gint) ((code + 1) / 2)
          : -(gint) (code / 2);

      next = (last + delta + 256) % 256;
      last = next != 0 ? next : last;
    }
  }
}

/* Reads a sequence parameter set of H.264 up to frame_mbs_only_flag. */
static gboolean
allows_fields (const guint8 * unit, gsize size)
{
  static const guint8 high[] = {
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135
  };
  g_autoptr (GByteArray) bytes = unescape (unit, size);
  Bits bits = { bytes, 8 };
  const guint profile = get_bits (&bits, 8);

  (void) get_bits (&bits, 16);
  (void) get_golomb (&bits);
  if (memchr (high, (gint) profile, sizeof (high))) {
    const guint chroma = get_golomb (&bits);

    (void) get_bits (&bits, chroma == 3);
    (void) get_golomb (&bits);
    (void) get_golomb (&bits);
    (void) get_bits (&bits, 1);
    if (get_bits (&bits, 1))
      skip_scaling_lists (&bits, chroma == 3 ? 12 : 8);
  }
  (void) get_golomb (&bits);
  const guint order = get_golomb (&bits);
  if (order == 0) {
    (void) get_golomb (&bits);
  } else if (order == 1) {
    (void) get_bits (&bits, 1);
    (void) get_golomb (&bits);
    (void) get_golomb (&bits);
    for (guint n = MIN (get_golomb (&bits), 255); n > 0; n--)
      (void) get_golomb (&bits);
  }
  (void) get_golomb (&bits);
  (void) get_bits (&bits, 1);
  (void) get_golomb (&bits);
  (void) get_golomb (&bits);
  return bits.at < bytes->len * 8 && get_bits (&bits, 1) == 0;
}

gboolean
denoise_sei_may_have_fields (const AVCodecParameters * parameters)
{
  const guint8 *data = parameters->extradata;
  const guint8 *unit;
  gsize size;
  Units units = { data, data + parameters->extradata_size, 0 };

  /* MPEG-2 repeats its headers, which may differ. */
  if (parameters->codec_id != AV_CODEC_ID_H264 || !data)
    return parameters->codec_id == AV_CODEC_ID_MPEG2VIDEO;
  /* The header of ISO/IEC 14496-15 has the first set after its size. */
  if (get_length_bytes (parameters))
    units = (Units) {
    data + 6, data + parameters->extradata_size, 2};
  while (get_unit (&units, &unit, &size)) {
    if ((unit[0] & 31) == H264_SPS)
      return allows_fields (unit, size);
  }
  return FALSE;
}
