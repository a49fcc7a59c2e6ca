/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures of any format on the host, for the tests of kernels, and frames with
 * the bytes of the pictures on a device. Every failure ends the test. */

#pragma once

#include "opencl/operation/oclpass.h"

G_BEGIN_DECLS

/**
 * FormatPicture:
 * @frame: describes the picture, has no memory; its strides are those of
 *    @planes
 * @planes: the bytes of each plane, with margins of a known value: a row before
 *    the first row, a row after the last row, and some bytes after every row;
 *    owned
 * @sizes: the size of each of @planes, in bytes
 */
typedef struct
{
  OclFrame frame;
  guint8 *planes[OCL_MAX_PLANES];
  gsize sizes[OCL_MAX_PLANES];
} FormatPicture;

/* Initialise a picture; format_picture_clear() ends it. After
 * format_picture_init() all bytes have the value of the margins. */
void format_picture_init (FormatPicture * picture, const OclFormat * format,
    gint width, gint height);
void format_picture_init_copy (FormatPicture * picture,
    const FormatPicture * source);
void format_picture_clear (FormatPicture * picture);

/* Initialises a picture of rows @field, @field + 2, ... of each plane. */
void format_picture_init_field (FormatPicture * picture,
    const FormatPicture * source, guint field);

/* Fills all channels with gradients, edges and noise, and the unused bits with
 * noise. Equal seeds and sizes give equal pictures. */
void format_picture_fill (FormatPicture * picture, guint32 seed);

/* Return how many samples a channel has across and down. */
gint format_picture_get_width (const FormatPicture * picture, guint channel);
gint format_picture_get_height (const FormatPicture * picture, guint channel);

/* Returns the start of row @y of a plane. */
guint8 *format_picture_get_row (const FormatPicture * picture, guint plane,
    gint y);

/* Sets component @n of row @y of a plane to @value. Components are counted in
 * the order in which they lie in the row. */
void format_picture_set_in_row (FormatPicture * picture, guint plane, gint n,
    gint y, guint value);

/* Get and set the component of a channel's sample as it lies in memory. */
guint format_picture_get_component (const FormatPicture * picture,
    guint channel, gint x, gint y);
void format_picture_set_component (FormatPicture * picture, guint channel,
    gint x, gint y, guint value);

/* Returns the level of a channel's sample. */
guint format_picture_get_level (const FormatPicture * picture, guint channel,
    gint x, gint y);

/* Sets the level of a channel's sample. The bits below it become 0. */
void format_picture_set_level (FormatPicture * picture, guint channel, gint x,
    gint y, guint level);

/* Returns the levels of a channel, row-major. The caller frees them. */
gdouble *format_picture_get_levels (const FormatPicture * picture,
    guint channel);

/* Asserts that no byte of the margins has changed. */
void format_picture_assert_margins (const FormatPicture * picture);

/* Asserts that all components of a channel are equal in both pictures, to the
 * last bit. */
void format_picture_assert_copied (const FormatPicture * actual,
    const FormatPicture * expected, guint channel);

/* Asserts that all bytes of both pictures are equal, including the margins.
 * @what names the pictures, for people. */
void format_picture_assert_equal (const FormatPicture * actual,
    const FormatPicture * expected, const gchar * what);

/* Returns whether the device supports images for all planes of @format. */
gboolean format_has_images (OclContext * context, const OclFormat * format);

/* Creates a frame with the bytes of the picture: images, or buffers in the
 * picture's own memory, which must outlive the frame. The buffers have no
 * margins before the first and after the last pixel, so that no command can
 * read beyond the pixels. The caller ends with ocl_frame_clear(). */
OclFrame format_picture_create_frame (FormatPicture * picture,
    OclContext * context, OclStorage storage);

/* Creates a frame like format_picture_create_frame(), but the buffers span all
 * of @planes, with the pixels at an offset. So the bytes that a kernel writes
 * around the pixels are downloaded even from a device with its own memory. */
OclFrame format_picture_create_frame_with_margins (FormatPicture * picture,
    OclContext * context, OclStorage storage);

/* Waits for the enqueued commands, and copies the bytes of @frame back to the
 * picture from which it was created. */
void format_picture_download (FormatPicture * picture, OclContext * context,
    const OclFrame * frame);

G_END_DECLS
