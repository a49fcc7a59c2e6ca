/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of the bilateral filter, see oclbilateral.h, and derived
 * values. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_BILATERAL_MAX_SPATIAL_SIGMA 50.0
#define OCL_BILATERAL_MAX_RADIUS 100

/**
 * OclBilateralColorMode:
 * @OCL_BILATERAL_COLOR_INTENSITY: Δ is the difference of luma, Y = 0.3 R + 0.59
 *    G + 0.11 B, with one weight for all channels
 * @OCL_BILATERAL_COLOR_PER_CHANNEL: Δ and weight are computed for each channel
 * @OCL_BILATERAL_COLOR_LAB: Δ is the distance in CIE L*a*b* (D65, of sRGB)
 *    divided by 100
 *
 * The kernels use the same numbers as this enum.
 */
typedef enum
{
  OCL_BILATERAL_COLOR_INTENSITY,
  OCL_BILATERAL_COLOR_PER_CHANNEL,
  OCL_BILATERAL_COLOR_LAB,
} OclBilateralColorMode;

/**
 * OclBilateralWindow:
 * @OCL_BILATERAL_WINDOW_SQUARE: all (2r + 1)² taps
 * @OCL_BILATERAL_WINDOW_DISC: the taps with i² + j² <= r²
 */
typedef enum
{
  OCL_BILATERAL_WINDOW_SQUARE,
  OCL_BILATERAL_WINDOW_DISC,
} OclBilateralWindow;

/**
 * OclBilateralMethod:
 * @OCL_BILATERAL_METHOD_EXACT: the filter by its definition
 * @OCL_BILATERAL_METHOD_FAST: an approximation whose cost does not grow with
 *    the window, or the exact filter if there is no approximation
 * @OCL_BILATERAL_METHOD_AUTO: the cheapest method that keeps the bound on the
 *    error
 */
typedef enum
{
  OCL_BILATERAL_METHOD_EXACT,
  OCL_BILATERAL_METHOD_FAST,
  OCL_BILATERAL_METHOD_AUTO,
} OclBilateralMethod;

/**
 * OclBilateralParams:
 * @spatial_sigma: σs in pixels, 0 to OCL_BILATERAL_MAX_SPATIAL_SIGMA. 0 means
 *    no filtering
 * @intensity_sigma: σr in units of the [0, 1] range, at least 0. 0 means no
 *    filtering
 * @radius: r in pixels, 0 to OCL_BILATERAL_MAX_RADIUS. -1 for floor (2 σs)
 * @color_mode: how Δ is computed
 * @window: the shape of the window
 * @border: the values of samples outside the frame
 * @method: whether the filter is exact or approximated
 * @planes: the planes of Y'CbCr that are filtered
 * @max_error: the minimum PSNR of OCL_BILATERAL_METHOD_AUTO against the exact
 *    filter, in dB
 */
typedef struct
{
  gdouble spatial_sigma;
  gdouble intensity_sigma;
  gint radius;
  OclBilateralColorMode color_mode;
  OclBilateralWindow window;
  OclBorder border;
  OclBilateralMethod method;
  OclPlanes planes;
  gdouble max_error;
} OclBilateralParams;

/* Returns the divisor that turns a distance between two values of the guide
 * into Δ. The guide is 100 times the luma in levels, a level, or L*a*b*.
 * Thread-safe. */
gdouble ocl_bilateral_get_guide_unit (OclBilateralColorMode color_mode,
    const OclFormat * format);

/* Returns how Δ is computed in frames of @format. L*a*b* is available for red,
 * green and blue only. Y'CbCr falls back to intensity. Thread-safe. */
OclBilateralColorMode ocl_bilateral_get_color_mode (const OclBilateralParams *
    params, const OclFormat * format);

/* Returns the radius of the window of @params, an OclBilateralParams, in
 * pixels. Thread-safe. */
gint ocl_bilateral_get_radius (gconstpointer params);

G_END_DECLS
