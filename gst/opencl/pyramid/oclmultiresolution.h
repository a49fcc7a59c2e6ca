/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The multiresolution filter: the bilateral filter on each band of a Laplacian
 * pyramid, so that coarse and fine structure are smoothed at their own scale;
 * with gains it makes details stronger or weaker.
 *
 *   g(0) = I;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   l'(k) = BF (l(k));  g'(n) = BF (g(n))
 *   o(n) = a(n) g'(n);  o(k) = a(k) l'(k) + expand (o(k+1));  result = o(0)
 *
 * reduce() and expand() are those of oclpyramid.h, BF is the filter of
 * oclbilateral.h with a square window, and pixels of an octave are its unit of
 * distance. Bands are l(0) to l(n-1), finest first, and g(n), which has the
 * rest. Alpha is carried through.
 * P. Burt and E. Adelson, "The Laplacian pyramid as a compact image code",
 * IEEE Transactions on Communications, 1983. */

#pragma once

#include "bilateral/oclbilateral.h"

G_BEGIN_DECLS

#define OCL_MULTIRESOLUTION_MAX_OCTAVES 8

/* Of bands: one an octave, and the rest. */
#define OCL_MULTIRESOLUTION_MAX_BANDS (OCL_MULTIRESOLUTION_MAX_OCTAVES + 1)

/**
 * OclMultiresolutionParams:
 * @n_octaves: n, 1 to OCL_MULTIRESOLUTION_MAX_OCTAVES; less for frames, or
 *    planes of frames, that are one pixel large before
 * @spatial_sigma: σs of all bands, in pixels of the band; 0 means no filtering
 * @intensity_sigma: σr of all bands, in units of the [0, 1] range; 0 means no
 *    filtering
 * @spatial_sigmas: σs of the first bands, in place of @spatial_sigma
 * @intensity_sigmas: σr of the first bands, in place of @intensity_sigma
 * @gains: a(k) of the first bands; others have 1
 * @radius: of the window, in pixels of the band; -1 for floor (2 σs)
 * @color_mode: what differences of the bands are; not OCL_BILATERAL_COLOR_LAB
 * @show_band: the band to be seen alone, around mid-grey where it is one of
 *    differences, with its gain; -1 for the result
 * @planes: what is filtered of Y'CbCr
 * @border: what taps outside an octave read. Of OCL_BORDER_CONSTANT every g(k)
 *    is the colour there, and every l(k) is 0.
 */
typedef struct
{
  gint n_octaves;
  gdouble spatial_sigma;
  gdouble intensity_sigma;
  OclNumbers spatial_sigmas;
  OclNumbers intensity_sigmas;
  OclNumbers gains;
  gint radius;
  OclBilateralColorMode color_mode;
  gint show_band;
  OclPlanes planes;
  OclBorder border;
} OclMultiresolutionParams;

/* The operation. Differences of Y'CbCr, which have pyramids of their own on
 * their own grid, are filtered by luma where that is what differences are
 * taken of: by the bands of the pyramid of the mean luma of the pixels that a
 * sample stands for. Its variants:
 *
 *   plain  a step of the definition a launch, a pixel a work-item, images or
 *          buffers, any device
 *   rows   strips of whole rows, for CPUs
 *   tiled  from tiles in local memory, for GPUs
 *
 * The last two have one launch for each of reduce, expand and subtract, filter,
 * expand and add of an octave. */
extern const OclOperationClass ocl_multiresolution_class;

/* n of a frame, or a plane, of that size. Any thread. */
guint ocl_multiresolution_get_n_octaves (const OclMultiresolutionParams *
    params, gint width, gint height);

/* The parameters of the filter on band @band. Any thread. */
OclBilateralParams ocl_multiresolution_get_bilateral
    (const OclMultiresolutionParams * params, guint band);

/* a(@band) of @n_octaves octaves, 0 where another band is to be seen alone. Any
 * thread. */
gdouble ocl_multiresolution_get_gain (const OclMultiresolutionParams * params,
    guint band, guint n_octaves);

/* What is added to o(0), in units of the [0, 1] range: a half where a band of
 * differences is to be seen alone. Any thread. */
gdouble ocl_multiresolution_get_offset (const OclMultiresolutionParams * params,
    guint n_octaves);

G_END_DECLS
