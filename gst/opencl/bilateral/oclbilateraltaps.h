/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spatial weights of several windows on the device, in the layout of
 * kernels/bilateral-rows.cl. A pyramid can keep the windows of all its bands.
 * Use the structs from one thread at a time. */

#pragma once

#include "core/oclcoefficients.h"
#include "oclbilateralparams.h"

G_BEGIN_DECLS

/* Weights whose exponent of 2 is below this value are treated as 0. */
#define OCL_BILATERAL_TAPS_LEAST_EXPONENT -62.0

/* Maximum number of windows: one for each band of a pyramid. */
#define OCL_BILATERAL_TAPS_MAX_WINDOWS 9

/**
 * OclBilateralTaps:
 * @exponents: one float per tap: log2 of the weight of the tap
 * @rows: one int2 per row: the number of taps on either side of the middle tap,
 *    and the index of the middle tap in @exponents
 * @radius: the radius of the window in pixels, or -1 if there is no window
 * @spatial_sigma: the spatial sigma of the window
 * @window: the shape of the window
 * @last_use: the value of @n_uses of OclBilateralWindows at the last use
 *
 * One window.
 */
typedef struct
{
  OclCoefficients exponents;
  OclCoefficients rows;
  gint radius;
  gdouble spatial_sigma;
  OclBilateralWindow window;
  guint64 last_use;
} OclBilateralTaps;

/**
 * OclBilateralWindows:
 * @taps: the windows on the device
 * @n_uses: number of uses of windows
 *
 * Start with a zeroed struct, end with ocl_bilateral_windows_clear().
 */
typedef struct
{
  OclBilateralTaps taps[OCL_BILATERAL_TAPS_MAX_WINDOWS];
  guint64 n_uses;
} OclBilateralWindows;

/* Returns the window of @params for samples of @pass. If the window is not on
 * the device yet, waits until the last write of the least recently used window
 * has ended, and replaces that window. Returns NULL and sets @error on
 * failure. */
const OclBilateralTaps *ocl_bilateral_windows_get (OclBilateralWindows *
    windows, OclContext * context, const OclPass * pass,
    const OclBilateralParams * params, OclTimer * timer, GError ** error);

/* Commands may be in flight, see ocl_coefficients_clear(). */
void ocl_bilateral_windows_clear (OclBilateralWindows * windows);

G_END_DECLS
