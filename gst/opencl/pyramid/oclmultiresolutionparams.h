/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of the multiresolution filter, see oclmultiresolution.h, and
 * what follows from them. */

#pragma once

#include "bilateral/oclbilateralparams.h"
#include "params/oclnumbers.h"

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
