/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pass is the part of a frame that an operation computes at a time: some of
 * the channels, on their grid of samples. Packed RGB takes one pass. Y'CbCr
 * takes one pass for luma and one for chroma, the differences Cb and Cr.
 * Kernels are built for a pass.
 *
 * All functions may be called from any thread. */

#pragma once

#include "core/oclframe.h"
#include "params/oclparam.h"

G_BEGIN_DECLS

#define OCL_MAX_PASSES 2
#define OCL_MAX_PASS_CHANNELS 3

/**
 * OclPlanes:
 * @OCL_PLANES_LUMA: luma, which is also the channel of grey frames
 * @OCL_PLANES_CHROMA: both chroma channels, Cb and Cr
 *
 * Channels of Y'CbCr that an operation changes. RGB has only one choice: all
 * channels.
 */
typedef enum
{
  OCL_PLANES_LUMA = 1 << 0,
  OCL_PLANES_CHROMA = 1 << 1,
  OCL_PLANES_ALL = OCL_PLANES_LUMA | OCL_PLANES_CHROMA,
} OclPlanes;

/* Expands to the entry of a parameter table for the member @member, an
 * OclPlanes, of the struct @type. */
#define OCL_PLANES_PARAM(type, member, planes) \
  {"planes", \
      "Which planes of Y'CbCr frames are filtered; RGB is " \
        "filtered as a whole", \
      OCL_PARAM_FLAGS, G_STRUCT_OFFSET (type, member), \
      .values = &ocl_planes_values, .default_value = planes, .fixed = TRUE, \
      .decides = TRUE}

extern const OclValues ocl_planes_values;

/**
 * OclPass:
 * @first_channel: the first channel that is read and written
 * @n_channels: number of channels that are read and written, from
 *    @first_channel on
 * @guided: whether luma is also read, as a guide: the mean luma of the pixels
 *    that a sample stands for. Luma is then not among the channels that are
 *    written
 * @x_shift: log2 of the number of pixels across that a sample stands for
 * @y_shift: log2 of the number of pixels down that a sample stands for
 */
typedef struct
{
  guint first_channel;
  guint n_channels;
  gboolean guided;
  guint x_shift;
  guint y_shift;
} OclPass;

gboolean ocl_pass_equals (const OclPass * a, const OclPass * b);

/* Sets @passes to the passes that change the planes @which of @format, and
 * returns their number. The pass for chroma is guided if @guided is TRUE. */
guint ocl_passes_init (OclPass passes[OCL_MAX_PASSES],
    const OclFormat * format, OclPlanes which, gboolean guided);

/* Return the width and the height of a frame in samples of @pass. */
gint ocl_pass_get_width (const OclPass * pass, const OclFrameInfo * info);
gint ocl_pass_get_height (const OclPass * pass, const OclFrameInfo * info);

/* Converts the colour @argb, as 0xAARRGGBB, to the levels of the channels of
 * @pass. Unused components of the result are 0. */
cl_float4 ocl_pass_get_color (const OclPass * pass, const OclFrameInfo * info,
    guint argb);

/* Returns whether @pass reads or writes the plane @plane of @format. */
gboolean ocl_pass_has_plane (const OclPass * pass, const OclFormat * format,
    guint plane);

/* Returns compiler options with the macros that describe the pass to kernels
 * that read @format and write @output, see kernels/format.clh. Both have the
 * same layout. The caller frees the string. */
gchar *ocl_pass_get_options (const OclPass * pass, const OclFormat * format,
    const OclFormat * output);

G_END_DECLS
