/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures of any format on the host, and frames with their bytes on a device.
 * Not thread-safe: one thread at a time. */

#pragma once

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/**
 * Picture:
 * @frame: describes the picture. It has no memory. Its strides are those of
 *    @planes
 * @planes: the bytes of each plane, with margins of a known value: a row before
 *    the first row, a row after the last row, and some bytes after every row;
 *    owned
 * @sizes: the size of each of @planes, in bytes
 *
 * Colorimetry is ITU-R BT.709, full range.
 */
typedef struct
{
  OclFrame frame;
  guint8 *planes[OCL_MAX_PLANES];
  gsize sizes[OCL_MAX_PLANES];
} Picture;

/* Returns a picture whose bytes all have the value of the margins.
 * picture_clear() frees it, as g_auto (Picture) does. */
Picture picture_new (const OclFormat * format, gint width, gint height);
Picture picture_copy (const Picture * source);

/* Returns a picture as large as @source, of the same kind. */
Picture picture_new_like (const Picture * source);

/* Returns a picture of rows @field, @field + 2, ... of each plane. */
Picture picture_copy_field (const Picture * source, guint field);

/* Frees the bytes. @picture may be zeros. */
void picture_clear (Picture * picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

/* Frees a returned picture that is not looked at. */
void picture_discard (Picture picture);

/**
 * PictureContent:
 * @PICTURE_SCENE: gradients, edges and noise, black and white samples
 * @PICTURE_NOISE: random bytes, with the unused bits
 * @PICTURE_RUNS: random groups, each repeated up to 50 times
 * @PICTURE_EXTREMES: black and white samples
 * @PICTURE_FLAT: one level for all samples
 * @PICTURE_ONE_LUMA: three colours with the same luma; for RGBA
 */
typedef enum
{
  PICTURE_SCENE,
  PICTURE_NOISE,
  PICTURE_RUNS,
  PICTURE_EXTREMES,
  PICTURE_FLAT,
  PICTURE_ONE_LUMA,
} PictureContent;

/* Fills a picture. Equal contents, seeds and sizes give equal pictures for one
 * value of GLOPENCL_TEST_SEED. */
void picture_fill_with (Picture * picture, PictureContent content,
    guint32 seed);

/* Returns a picture of a scene. */
Picture picture_new_scene (const OclFormat * format, gint width, gint height,
    guint32 seed);

/* Return the number of samples of a channel across and down. */
gint picture_get_width (const Picture * picture, guint channel);
gint picture_get_height (const Picture * picture, guint channel);

/* Returns the number of channels of @format without alpha. */
guint picture_count_channels (const OclFormat * format);

/* Returns the start of row @y of a plane. */
guint8 *picture_get_row (const Picture * picture, guint plane, gint y);

/* Sets component @n of row @y of a plane to @value. Components are counted in
 * the order of the bytes. */
void picture_set_in_row (Picture * picture, guint plane, gint n, gint y,
    guint value);

/* Get and set the component of a channel's sample as it is in memory. */
guint picture_get_component (const Picture * picture, guint channel, gint x,
    gint y);
void picture_set_component (Picture * picture, guint channel, gint x, gint y,
    guint value);

/* Get and set the level of a channel's sample. Setting clears the bits below
 * the level. */
guint picture_get_level (const Picture * picture, guint channel, gint x,
    gint y);
void picture_set_level (Picture * picture, guint channel, gint x, gint y,
    guint level);

/* Returns the levels of a channel, row by row. The caller frees them. */
gdouble *picture_get_levels (const Picture * picture, guint channel);

/* Returns a description of the first byte that differs, including the margins,
 * or NULL if all bytes are equal. The caller frees it. */
gchar *picture_find_difference (const Picture * actual,
    const Picture * expected);

/* Returns a description of the first changed byte of the margins, or NULL. */
gchar *picture_find_overrun (const Picture * picture);

/* Returns whether the device supports images for all planes of @format. */
gboolean picture_has_images (OclContext * context, const OclFormat * format);

/**
 * PictureMemory:
 * @PICTURE_BUFFER: buffers of the pixels, so that tools see each access outside
 *    of them
 * @PICTURE_PADDED_BUFFER: buffers with the margins, so that picture_read() gets
 *    what a kernel writes around the pixels, also from a device with its own
 *    memory
 * @PICTURE_IMAGE: images
 * @PICTURE_SWAPPED_IMAGE: an RGBA image with the bytes of a BGRA picture
 */
typedef enum
{
  PICTURE_BUFFER,
  PICTURE_PADDED_BUFFER,
  PICTURE_IMAGE,
  PICTURE_SWAPPED_IMAGE,
} PictureMemory;

/* Returns the memory for frames in @storage. */
PictureMemory picture_get_memory (OclStorage storage);

/* Sets @frame to a frame with the bytes of @picture. Buffers use the memory of
 * the picture, which must outlive the frame. The caller ends with
 * ocl_frame_clear(), also after an error. */
gboolean picture_upload (Picture * picture, OclContext * context,
    PictureMemory memory, OclFrame * frame, GError ** error);

/* Waits for the enqueued commands, and copies the bytes of @frame back to the
 * picture from which it was made. */
gboolean picture_read (Picture * picture, OclContext * context,
    const OclFrame * frame, GError ** error);

/* The following functions end the program after a failure. */

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OclFrame, ocl_frame_clear)

/* Returns a frame, see picture_upload(). A NULL picture gives a frame of zeros,
 * with colorimetry. */
OclFrame picture_create_frame (Picture * picture, OclContext * context,
    OclStorage storage);

void picture_download (Picture * picture, OclContext * context,
    const OclFrame * frame);

/* Asserts that all bytes are equal, including the margins. @what names the
 * pictures. */
void picture_assert_equal (const Picture * actual, const Picture * expected,
    const gchar * what);

/* Asserts that all components of a channel are equal. */
void picture_assert_copied (const Picture * actual, const Picture * expected,
    guint channel);

void picture_assert_margins (const Picture * picture);

G_END_DECLS
