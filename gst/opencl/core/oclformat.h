/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a pixel is: which channels, in which planes and order, how deep. All
 * formats are entries of one const table; kernels are built for one of them.
 *
 * Kernels work on levels: a component of n bits has levels 0 to 2^n - 1, and
 * stands for level / (2^n - 1). Nothing above this, oclpass.h, and
 * kernels/pixel.clh and kernels/vector.clh knows a depth or an order.
 *
 * All functions: any thread. */

#pragma once

#include <CL/cl.h>
#include <glib.h>

G_BEGIN_DECLS

#define OCL_MAX_PLANES 4
#define OCL_N_CHANNELS 4

/* The channels are red, green, blue; luma, blue difference, red difference; or
 * luma alone. Alpha is the fourth of all. */
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
 * @plane: the plane that has it
 * @offset: components before its first sample in a row
 * @step: components from one sample to the next; 0 where a format has it not
 */
typedef struct
{
  guint plane;
  guint offset;
  guint step;
} OclChannel;

/**
 * OclPlaneFormat:
 * @n_components: of a group, those side by side that an image has as a pixel
 * @x_shift: log2 of the pixels of the frame that a group stands for, across
 * @y_shift: the same, down
 */
typedef struct
{
  guint n_components;
  guint x_shift;
  guint y_shift;
} OclPlaneFormat;

typedef struct _OclFormat OclFormat;

/**
 * OclFormat:
 * @name: what users call it, such as "I420"
 * @model: what its channels are
 * @depth: bits of a component that mean something
 * @shift: bits below them, which are 0
 * @component_bytes: bytes that a component takes
 * @image_component_bytes: bytes of a component of the texture that OpenGL holds
 *    a plane in
 * @buffers_only: whether kernels take no images: where a pixel of that texture
 *    is none of the frame, or holds what more than one pass writes
 * @n_planes: how many there are
 * @planes: what each is
 * @channels: where each is
 * @chroma_x_shift: log2 of the luma samples for one of the others, across
 * @chroma_y_shift: the same, down
 * @luma_x_shift: log2 of the pixels that a luma sample stands for, across;
 *    above 0 only where luma is on the grid of the others
 * @luma_y_shift: the same, down
 * @is_float: whether components are floats, which hold levels that are not
 *    whole and may be out of range
 * @is_difference: whether levels are differences of levels, around 0
 * @largest_difference: of floats: see ocl_format_get_largest_difference()
 * @swapped: of formats of one plane of four components: the one with the first
 *    and the third exchanged, where there is one
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
  guint n_planes;
  OclPlaneFormat planes[OCL_MAX_PLANES];
  OclChannel channels[OCL_N_CHANNELS];
  guint chroma_x_shift;
  guint chroma_y_shift;
  guint luma_x_shift;
  guint luma_y_shift;
  gboolean is_float;
  gboolean is_difference;
  gdouble largest_difference;
  const OclFormat *swapped;
};

/* All that frames can have; the last is NULL. [0] is 8-bit RGBA. */
extern const OclFormat *const ocl_formats[];

#define OCL_FORMAT_RGBA (ocl_formats[0])

/* The format of that name, or NULL. */
const OclFormat *ocl_format_find (const gchar * name);

/* How many samples of 2^@shift pixels @size pixels take. */
gint ocl_format_count_samples (gint size, guint shift);

/* The level that stands for 1. */
guint ocl_format_get_max_level (const OclFormat * format);

/* By how many levels two components can differ: more than the largest level
 * where bits above it have no meaning, but may be set. Kernels read them, and
 * write no more than the largest level. */
gdouble ocl_format_get_largest_difference (const OclFormat * format);

/* Whether each group of every plane is a pixel that an image can have. */
gboolean ocl_format_has_images (const OclFormat * format);

/* Bytes of a group of a plane. */
guint ocl_format_get_group_bytes (const OclFormat * format, guint plane);

/* What an image that holds a plane has as its format, of formats that have
 * images. */
cl_image_format ocl_format_get_image_format (const OclFormat * format,
    guint plane);

/**
 * OclColorimetry:
 * @kr: part of red in luma
 * @kb: part of blue in luma
 * @full_range: whether levels 0 and the largest are black and white; otherwise
 *    video's limited range is
 *
 * How Y'CbCr and grey are made of RGB. All zero stands for ITU-R BT.601,
 * limited.
 */
typedef struct
{
  gdouble kr;
  gdouble kb;
  gboolean full_range;
} OclColorimetry;

/* The channels of a colour, 0xAARRGGBB, in whole levels of @format; 0 where
 * those are differences. */
cl_float4 ocl_format_convert_color (const OclFormat * format,
    const OclColorimetry * colorimetry, guint argb);

G_END_DECLS
