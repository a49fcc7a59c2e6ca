/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an operation does to a frame at a time: some of its channels, on their
 * grid of samples. Packed RGB takes one pass; Y'CbCr takes one for luma and one
 * for the differences where those are subsampled. Kernels are built for a pass.
 *
 * All functions: any thread. */

#pragma once

#include "core/oclframe.h"
#include "params/oclparam.h"

G_BEGIN_DECLS

#define OCL_MAX_PASSES 2
#define OCL_MAX_PASS_CHANNELS 3

/**
 * OclPlanes:
 * @OCL_PLANES_LUMA: luma; grey
 * @OCL_PLANES_CHROMA: both differences
 *
 * Which channels of Y'CbCr an operation changes. RGB has only one choice: all.
 */
typedef enum
{
  OCL_PLANES_LUMA = 1 << 0,
  OCL_PLANES_CHROMA = 1 << 1,
  OCL_PLANES_ALL = OCL_PLANES_LUMA | OCL_PLANES_CHROMA,
} OclPlanes;

/* The entry of a parameter table for the member @member, an OclPlanes, of the
 * struct @type. */
#define OCL_PLANES_PARAM(type, member, planes) \
  {"planes", \
      "What is filtered of frames in Y'CbCr; RGB is filtered as a whole", \
      OCL_PARAM_FLAGS, G_STRUCT_OFFSET (type, member), \
      .values = &ocl_planes_values, .default_value = planes, .fixed = TRUE, \
      .decides = TRUE}

extern const OclValues ocl_planes_values;

/**
 * OclPass:
 * @first_channel: of those that are read and written
 * @n_channels: how many, from there on
 * @guided: whether luma, which is not among them, is read as well: the mean of
 *    the pixels that a sample stands for
 * @x_shift: log2 of the pixels that a sample stands for, across
 * @y_shift: the same, down
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

/* Sets @passes to what changes the planes @which of @format, and returns how
 * many they are. Differences are @guided where that is asked for. */
guint ocl_passes_init (OclPass passes[OCL_MAX_PASSES],
    const OclFormat * format, OclPlanes which, gboolean guided);

/* Samples across and down of @frame. */
gint ocl_pass_get_width (const OclPass * pass, const OclFrame * frame);
gint ocl_pass_get_height (const OclPass * pass, const OclFrame * frame);

/* The levels of the channels of @pass that 0xAARRGGBB is in @frame; others are
 * 0. */
cl_float4 ocl_pass_get_color (const OclPass * pass, const OclFrame * frame,
    guint argb);

/* Whether the pass reads or writes a plane of @format. */
gboolean ocl_pass_has_plane (const OclPass * pass, const OclFormat * format,
    guint plane);

/* The macros that kernels find the pass in, as options for the driver's
 * compiler, see kernels/format.clh; free it. */
gchar *ocl_pass_get_options (const OclPass * pass, const OclFormat * format);

G_END_DECLS
