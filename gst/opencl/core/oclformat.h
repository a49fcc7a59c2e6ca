/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A format describes pixels: their channels, in planes and order, and their
 * depth. All formats are entries of one const table. A kernel is built for one
 * format.
 *
 * Kernels work on levels. A component of n bits has levels 0 to 2^n - 1. A
 * level stands for the value level / (2^n - 1). Only these files depend on the
 * depth and the order: this file, ocloperationclass.h, kernels/pixel.clh and
 * kernels/vector.clh.
 *
 * All functions may be called from any thread. */

#pragma once

#include <CL/cl.h>
#include <glib.h>

G_BEGIN_DECLS

#define OCL_MAX_PLANES 4
#define OCL_N_CHANNELS 4

/* First channels: red, green and blue, or luma, blue difference (Cb) and red
 * difference (Cr), or luma alone. Alpha is the fourth channel of every
 * model. */
typedef enum
{
  OCL_MODEL_RGB,
  OCL_MODEL_YCBCR,
  OCL_MODEL_GREY,
} OclModel;

#define OCL_CHANNEL_LUMA 0
#define OCL_CHANNEL_ALPHA 3

/**
 * OclChannel:
 * @plane: the plane that holds the channel
 * @offset: number of components before the channel's first sample in a row
 * @step: number of components from one sample to the next, or 0 if the format
 *    lacks the channel
 */
typedef struct
{
  guint plane;
  guint offset;
  guint step;
} OclChannel;

/**
 * OclPlaneFormat:
 * @n_components: number of components of a group. A group is the components
 *    side by side that an image holds as one pixel, unless the format has a
 *    @texel_shift.
 * @x_shift: log2 of the number of frame pixels that a group covers horizontally
 * @y_shift: log2 of the number of frame pixels that a group covers vertically
 */
typedef struct
{
  guint n_components;
  guint x_shift;
  guint y_shift;
} OclPlaneFormat;

typedef struct _OclFormat OclFormat;

/**
 * OclInsert:
 * @name: the name of the text in messages of the driver, set by a line
 *    directive of @text
 * @definitions: lines before the source
 * @text: lines that replace the line INSERTED_TEXT of the source
 * @hint: a sentence with the remedy, for a text that does not build and whose
 *    line the driver does not name, or NULL
 * @harmless: an insert of the same kind that builds, or NULL for itself. If a
 *    program builds only with @harmless, the text has the error
 *
 * Text that is added to the source of a program at run time. A build that fails
 * because of the text names its lines.
 */
typedef struct _OclInsert OclInsert;
struct _OclInsert
{
  gchar *name;
  gchar *definitions;
  gchar *text;
  gchar *hint;
  const OclInsert *harmless;
};

/**
 * OclFormat:
 * @name: the name that users know, such as "I420"
 * @model: the channels of the format
 * @depth: number of significant bits of a component
 * @shift: number of bits below the significant bits, which are 0. Wide formats
 *    keep the number, and their components have no such bits
 * @component_bytes: size of a component, in bytes
 * @image_component_bytes: size of a component of the OpenGL texture that holds
 *    a plane, in bytes
 * @buffers_only: whether kernels support only buffers, because a pixel of the
 *    OpenGL texture is not a pixel of the frame, or holds components of several
 *    passes
 * @texel_shift: log2 of the number of pixels of an image that hold a group.
 *    Above 0 only if pixels of the frame share a group. OpenGL's texture then
 *    has a pixel for each of them, and lacks components if the width is odd.
 * @n_planes: number of planes
 * @planes: the layout of each plane
 * @channels: the place of each channel
 * @chroma_x_shift: log2 of the number of luma samples for one chroma sample,
 *    horizontally
 * @chroma_y_shift: log2 of the number of luma samples for one chroma sample,
 *    vertically
 * @luma_x_shift: log2 of the number of pixels that a luma sample covers
 *    horizontally, above 0 only if luma is on the grid of the chroma channels
 * @luma_y_shift: log2 of the number of pixels that a luma sample covers
 *    vertically, above 0 only if luma is on the grid of the chroma channels
 * @is_float: whether levels may be fractions and out of range. Components are
 *    floats of 32 bits if @steps is 0
 * @steps: for formats of ocl_format_get_wide(): a component of 16 bits holds
 *    @level as @level * @steps + OCL_FORMAT_ZERO. 0 for other formats
 * @is_pyramid_level: whether samples are of a level of a pyramid, not colours
 * @is_difference: whether levels are differences of levels, around 0
 * @largest_difference: if @is_float is TRUE: the result of
 *    ocl_format_get_largest_difference()
 * @swapped: for formats of one plane with four components: the format with the
 *    first and the third component exchanged, or NULL if there is none
 */
struct _OclFormat
{
  const gchar *name;
  OclModel model;
  guint depth;
  guint shift;
  guint component_bytes;
  guint image_component_bytes;
  gboolean buffers_only;
  guint texel_shift;
  guint n_planes;
  OclPlaneFormat planes[OCL_MAX_PLANES];
  OclChannel channels[OCL_N_CHANNELS];
  guint chroma_x_shift;
  guint chroma_y_shift;
  guint luma_x_shift;
  guint luma_y_shift;
  gboolean is_float;
  guint steps;
  gboolean is_pyramid_level;
  gboolean is_difference;
  gdouble largest_difference;
  const OclFormat *swapped;
};

/* All formats of frames. The last entry is NULL. Entry [0] is 8-bit RGBA. */
extern const OclFormat *const ocl_formats[];

#define OCL_FORMAT_RGBA (ocl_formats[0])

/* Returns the format with the name @name, or NULL. */
const OclFormat *ocl_format_find (const gchar * name);

/* A component of a wide format has this value for level 0. */
#define OCL_FORMAT_ZERO 16384

/* Returns the intermediate format between two operations for @format, one of
 * ocl_formats[]. It has the same layout with components of 16 bits, which hold
 * fractions of levels, and half of the range below black and above white.
 * Returns NULL if levels have 16 bits, which leave no bits for fractions. */
const OclFormat *ocl_format_get_wide (const OclFormat * format);

/* Returns the number of samples that cover @size pixels if a sample covers
 * 2^@shift pixels. */
gint ocl_format_count_samples (gint size, guint shift);

/* Returns the name of @channel, such as "cb", or NULL if it is alpha or the
 * format lacks it. */
const gchar *ocl_format_get_channel_name (const OclFormat * format,
    guint channel);

/* Returns the level that stands for 1. */
guint ocl_format_get_max_level (const OclFormat * format);

/* Returns the largest difference of two components in levels. It exceeds the
 * largest level if a component has bits above its depth, which may be set.
 * Kernels read these bits, and write no level above the largest level. */
gdouble ocl_format_get_largest_difference (const OclFormat * format);

/* Returns whether images can hold each group of every plane. */
gboolean ocl_format_has_images (const OclFormat * format);

/* Returns the size of a group of @plane, in bytes. */
guint ocl_format_get_group_bytes (const OclFormat * format, guint plane);

/* Returns the number of components of a pixel of an image that holds @plane, as
 * OpenGL counts them. */
guint ocl_format_get_image_components (const OclFormat * format, guint plane);

/* Returns the format of an image that holds @plane. @format must have images,
 * see ocl_format_has_images(). */
cl_image_format ocl_format_get_image_format (const OclFormat * format,
    guint plane);

/**
 * OclColorimetry:
 * @kr: weight of red in luma
 * @kb: weight of blue in luma
 * @full_range: whether level 0 is black and the largest level is white.
 *    Otherwise levels have video's limited range
 *
 * Conversion of RGB to Y'CbCr and grey. A struct of zeros stands for ITU-R
 * BT.601 with limited range.
 */
typedef struct
{
  gdouble kr;
  gdouble kb;
  gboolean full_range;
} OclColorimetry;

/* Returns the channels of the colour @argb, 0xAARRGGBB, in whole levels of
 * @format. Returns 0 for all channels if the levels of @format are
 * differences. */
cl_float4 ocl_format_convert_color (const OclFormat * format,
    const OclColorimetry * colorimetry, guint argb);

G_END_DECLS
