/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures of any format on the host for the tests of kernels, and frames with
 * their bytes on a device. What fails ends the test. */

#pragma once

#include "opencl/operation/oclpass.h"

G_BEGIN_DECLS

/**
 * FormatPicture:
 * @frame: what it is, without memory; its strides are those of @planes
 * @planes: the bytes of each plane, with margins of a known value: a row before
 *    the first, one behind the last, and some bytes behind every row; owned
 * @sizes: of those, in bytes
 */
typedef struct
{
  OclFrame frame;
  guint8 *planes[OCL_MAX_PLANES];
  gsize sizes[OCL_MAX_PLANES];
} FormatPicture;

/* Start with one of these, end with format_picture_clear(). All bytes are that
 * value at first. */
void format_picture_init (FormatPicture * picture, const OclFormat * format,
    gint width, gint height);
void format_picture_init_copy (FormatPicture * picture,
    const FormatPicture * source);
void format_picture_clear (FormatPicture * picture);

/* Levels of gradients, edges and noise in all channels, and noise in the bits
 * that mean nothing; always the same for the same @seed and size. */
void format_picture_fill (FormatPicture * picture, guint32 seed);

/* Samples of a channel across and down. */
gint format_picture_get_width (const FormatPicture * picture, guint channel);
gint format_picture_get_height (const FormatPicture * picture, guint channel);

/* Where row @y of a plane starts. */
guint8 *format_picture_get_row (const FormatPicture * picture, guint plane,
    gint y);

/* Component @n of row @y of a plane, counted as they lie there, becomes
 * @value. */
void format_picture_set_in_row (FormatPicture * picture, guint plane, gint n,
    gint y, guint value);

/* The component of a channel's sample as it lies in memory. */
guint format_picture_get_component (const FormatPicture * picture,
    guint channel, gint x, gint y);
void format_picture_set_component (FormatPicture * picture, guint channel,
    gint x, gint y, guint value);

/* Its level. */
guint format_picture_get_level (const FormatPicture * picture, guint channel,
    gint x, gint y);

/* The levels of a channel, row-major; free them. */
gdouble *format_picture_get_levels (const FormatPicture * picture,
    guint channel);

/* Ends the test where a byte that is no pixel's has changed. */
void format_picture_assert_margins (const FormatPicture * picture);

/* All components of a channel are the same, to the last bit. */
void format_picture_assert_copied (const FormatPicture * actual,
    const FormatPicture * expected, guint channel);

/* All bytes are the same, also those that are no pixel's; @what names the
 * pictures, for people. */
void format_picture_assert_equal (const FormatPicture * actual,
    const FormatPicture * expected, const gchar * what);

/* Whether the device has images for all planes of @format. */
gboolean format_has_images (OclContext * context, const OclFormat * format);

/* A frame with these bytes: buffers on the picture's own memory, which must
 * outlive it, or images. The buffers start and end with pixels: no command can
 * read on. End with ocl_frame_clear(). */
OclFrame format_picture_create_frame (FormatPicture * picture,
    OclContext * context, OclStorage storage);

/* The same, but the buffers are all of @planes, with pixels at an offset: what
 * is written around these comes back from a device with its own memory, too. */
OclFrame format_picture_create_frame_with_margins (FormatPicture * picture,
    OclContext * context, OclStorage storage);

/* Waits for what is enqueued and brings the bytes of @frame back to the picture
 * it was created from. */
void format_picture_download (FormatPicture * picture, OclContext * context,
    const OclFrame * frame);

G_END_DECLS
