/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Multiresolution filter: applies the bilateral filter to each band of a
 * Laplacian pyramid, so that coarse and fine structures are smoothed at the
 * respective scale. Gains amplify or attenuate details.
 *
 *   g(0) = I;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   l'(k) = BF (l(k));  g'(n) = BF (g(n))
 *   o(n) = a(n) g'(n);  o(k) = a(k) l'(k) + expand (o(k+1));  result = o(0)
 *
 * oclpyramid.h defines reduce() and expand(). BF is the filter of
 * oclbilateral.h with a square window, whose unit of distance is a pixel of the
 * pyramid level. The bands are l(0) to l(n-1), finest first, and g(n), which
 * holds the rest of the frame. Alpha is copied.
 *
 * P. Burt and E. Adelson, "The Laplacian pyramid as a compact image code", IEEE
 * Transactions on Communications, 1983. */

#pragma once

#include "bilateral/oclbilateralparams.h"
#include "operation/ocloperationclass.h"
#include "params/oclliteral.h"

G_BEGIN_DECLS

#define OCL_MULTIRESOLUTION_MAX_LEVELS 8

/* Maximum number of bands: one band per pyramid level, and the band with the
 * rest of the frame. */
#define OCL_MULTIRESOLUTION_MAX_BANDS (OCL_MULTIRESOLUTION_MAX_LEVELS + 1)

/**
 * OclMultiresolutionParams:
 * @n_levels: the number n of pyramid levels, 1 to
 *    OCL_MULTIRESOLUTION_MAX_LEVELS. A frame, or a plane of a frame, that has
 *    one pixel after fewer halvings has fewer pyramid levels
 * @spatial_sigma: σs of all bands, in pixels of the band. 0 disables the filter
 * @intensity_sigma: σr of all bands, in units of the [0, 1] range. 0 disables
 *    the filter
 * @spatial_sigmas: σs of the first bands, overriding @spatial_sigma
 * @intensity_sigmas: σr of the first bands, overriding @intensity_sigma
 * @gains: a(k) of the first bands. The other bands have gain 1
 * @radius: the radius of the window, in pixels of the band. -1 means floor (2
 *    σs)
 * @color_mode: the measure of the difference between two pixels of a band.
 *    OCL_BILATERAL_COLOR_LAB is not allowed
 * @show_band: the only band to show, with its gain. A band of differences is
 *    shown around mid-grey. -1 shows the result of the filter.
 * @planes: the planes of Y'CbCr to filter
 * @border: the values of samples outside a pyramid level. With
 *    OCL_BORDER_CONSTANT, every g(k) has the constant colour outside, and every
 *    l(k) is 0 outside.
 */
typedef struct
{
  gint n_levels;
  gdouble spatial_sigma;
  gdouble intensity_sigma;
  OclLiteral *spatial_sigmas;
  OclLiteral *intensity_sigmas;
  OclLiteral *gains;
  gint radius;
  OclBilateralColorMode color_mode;
  gint show_band;
  OclPlanes planes;
  OclBorder border;
} OclMultiresolutionParams;

/* Returns the number n of pyramid levels for a frame, or a plane, of @width x
 * @height pixels. Thread-safe. */
guint ocl_multiresolution_get_n_levels (const OclMultiresolutionParams *
    params, gint width, gint height);

/* Returns the parameters of the bilateral filter for band @band.
 * Thread-safe. */
OclBilateralParams ocl_multiresolution_get_bilateral
    (const OclMultiresolutionParams * params, guint band);

/* Returns the gain a(@band) in a pyramid of @n_levels pyramid levels, or 0 if
 * only another band is shown. Thread-safe. */
gdouble ocl_multiresolution_get_gain (const OclMultiresolutionParams * params,
    guint band, guint n_levels);

/* Returns the offset that is added to o(0), in units of the [0, 1] range: 0.5
 * if a band of differences is shown alone, otherwise 0. Thread-safe. */
gdouble ocl_multiresolution_get_offset (const OclMultiresolutionParams * params,
    guint n_levels);

/* The operation. The chroma of Y'CbCr has separate pyramids, on the chroma
 * grid. If luma is the guide (OCL_BILATERAL_COLOR_INTENSITY), the chroma bands
 * are filtered with the bands of another pyramid as their guide: the pyramid of
 * the mean luma of the pixels that a chroma sample stands for. The variants of
 * the operation:
 *
 *   plain  one launch per step of the definition, one work-item per pixel,
 *          images or buffers, any device
 *   rows   slices of whole rows, for CPUs
 *   tiled  from tiles in local memory, for GPUs
 *
 * For each pyramid level, rows and tiled launch one kernel to reduce, one to
 * expand and subtract, one to filter, and one to expand and add. */
extern const OclOperationClass ocl_multiresolution_class;

G_END_DECLS
