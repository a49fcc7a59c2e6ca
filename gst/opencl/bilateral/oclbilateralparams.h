/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of the bilateral filter, see oclbilateral.h, and what follows
 * from them. */

#pragma once

#include "operation/oclpass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_BILATERAL_MAX_SPATIAL_SIGMA 50.0
#define OCL_BILATERAL_MAX_RADIUS 100

/**
 * OclBilateralColorMode:
 * @OCL_BILATERAL_COLOR_INTENSITY: Δ is the difference of luma,
 *    Y = 0.3 R + 0.59 G + 0.11 B; one weight serves all channels
 * @OCL_BILATERAL_COLOR_PER_CHANNEL: every channel has its own weight, of its
 *    own difference
 * @OCL_BILATERAL_COLOR_LAB: Δ is the distance in CIE L*a*b* (D65, of sRGB)
 *    divided by 100
 *
 * The values are those of the kernels.
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
 * @OCL_BILATERAL_WINDOW_DISC: those with i² + j² <= r²
 */
typedef enum
{
  OCL_BILATERAL_WINDOW_SQUARE,
  OCL_BILATERAL_WINDOW_DISC,
} OclBilateralWindow;

/**
 * OclBilateralMethod:
 * @OCL_BILATERAL_METHOD_EXACT: the filter as it is defined
 * @OCL_BILATERAL_METHOD_FAST: an approximation whose cost does not grow with
 *    the window, where there is one
 * @OCL_BILATERAL_METHOD_AUTO: the cheapest that keeps the bound on the error
 */
typedef enum
{
  OCL_BILATERAL_METHOD_EXACT,
  OCL_BILATERAL_METHOD_FAST,
  OCL_BILATERAL_METHOD_AUTO,
} OclBilateralMethod;

/**
 * OclBilateralParams:
 * @spatial_sigma: σs in pixels, 0 to OCL_BILATERAL_MAX_SPATIAL_SIGMA; 0 means
 *    no filtering
 * @intensity_sigma: σr in units of the [0, 1] range, at least 0; 0 means no
 *    filtering
 * @radius: r in pixels, 0 to OCL_BILATERAL_MAX_RADIUS; -1 for floor (2 σs)
 * @color_mode: what Δ is
 * @window: the taps of the window
 * @border: what taps outside the frame read
 * @method: exact or approximated
 * @planes: what is filtered of Y'CbCr
 * @max_error: the PSNR against the exact filter, in dB, that
 *    OCL_BILATERAL_METHOD_AUTO keeps
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

/* What the guide that differences are taken of is divided by for its distance
 * to be Δ: a hundred times the luma in levels, a level, or L*a*b*. Any
 * thread. */
gdouble ocl_bilateral_get_guide_unit (OclBilateralColorMode color_mode,
    const OclFormat * format);

/* What Δ is in frames of @format: L*a*b* is there for red, green and blue
 * only, Y'CbCr gets intensity instead. Any thread. */
OclBilateralColorMode ocl_bilateral_get_color_mode (const OclBilateralParams *
    params, const OclFormat * format);

/**
 * OclBilateralBorder:
 * @channels: those of a pass
 * @luma: what guides it
 *
 * The colour of the constant border in levels.
 */
typedef struct
{
  cl_float4 channels;
  cl_float luma;
} OclBilateralBorder;

/* Any thread. */
OclBilateralBorder ocl_bilateral_get_border (const OclBilateralParams * params,
    const OclFrame * frame, const OclPass * pass);

/* The radius of the window, in pixels. Any thread. */
gint ocl_bilateral_get_radius (const OclBilateralParams * params);

G_END_DECLS
