/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter: smooths what differs little, keeps edges.
 *
 *   w (i, j) = exp (-(i² + j²) / (2 σs²)) · exp (-Δ² / (2 σr²))
 *   BF (p)   = Σ w (i, j) I (p + (i, j)) / Σ w (i, j)
 *
 * I is a pixel in [0, 1], i and j are offsets in a window of radius r, Δ is a
 * difference of colours. Alpha is carried through from the centre pixel.
 * C. Tomasi and R. Manduchi, "Bilateral filtering for gray and color images",
 * ICCV 1998. */

#pragma once

#include "oclborder.h"
#include "ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_BILATERAL_MAX_SPATIAL_SIGMA 50.0
#define OCL_BILATERAL_MAX_RADIUS 100

/* The PSNR of the approximation against the exact filter, in dB, that
 * photographs keep, with noise or without. */
#define OCL_BILATERAL_FAST_PSNR 45

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

/* The operation. Its variants:
 *
 *   plain       a pixel a work-item, images or buffers, any device
 *   rows        16 pixels of a row a work-item over planes of floats, for CPUs
 *   tiled       a few pixels of a column a work-item, from a tile in local
 *               memory, for GPUs
 *   expanded    the same in fewer instructions, for one channel (grey, luma)
 *               and an intensity sigma of 0.04 or more; a small radius gets a
 *               program of its own, built while that for all serves
 *   fast        the approximation, see oclbilateralwaves.h, for CPUs
 *   fast-tiled  the same for GPUs
 *
 * The approximation serves intensity mode from a radius of 10, a spatial sigma
 * of 5 and an intensity sigma of 0.0221 on, in every window and with every
 * border, and OCL_BILATERAL_METHOD_FAST is exact elsewhere.
 * OCL_BILATERAL_METHOD_AUTO takes it where OCL_BILATERAL_FAST_PSNR is enough,
 * and it is faster: where the window has 50 taps or more for each of the
 * approximation's cosines (ocl_bilateral_waves_count(): 5 for an intensity
 * sigma of 0.25, 16 for 0.05). */
extern const OclOperationClass ocl_bilateral_class;

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
