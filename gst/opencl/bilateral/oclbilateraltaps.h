/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spatial weights of windows on the device, as kernels/bilateral-rows.cl has
 * them: a few at a time, so that a pyramid has those of all bands. One thread
 * at a time. */

#pragma once

#include "core/oclcoefficients.h"
#include "oclbilateralparams.h"

G_BEGIN_DECLS

/* Below it a weight has vanished. */
#define OCL_BILATERAL_TAPS_LEAST_EXPONENT -62.0

/* As many as a pyramid has bands. */
#define OCL_BILATERAL_TAPS_MAX_WINDOWS 9

/**
 * OclBilateralTaps:
 * @exponents: a float a tap: log2 of its weight
 * @rows: an int2 a row: taps on either side of its middle one, and the index of
 *    that
 * @radius: of the window, in pixels; -1 where there is none
 * @spatial_sigma: of the window
 * @window: its shape
 * @last_use: a count of uses
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
 * @taps: those there are
 * @n_uses: so far
 *
 * Start with a zeroed struct, end with ocl_bilateral_windows_clear().
 */
typedef struct
{
  OclBilateralTaps taps[OCL_BILATERAL_TAPS_MAX_WINDOWS];
  guint64 n_uses;
} OclBilateralWindows;

/* The window of @params for samples of @pass: one that is there, or, written to
 * the device, in place of the one that was not used for longest. Waits where
 * the last write of that one has not ended. NULL with @error. */
const OclBilateralTaps *ocl_bilateral_windows_get (OclBilateralWindows *
    windows, OclContext * context, const OclPass * pass,
    const OclBilateralParams * params, OclTimer * timer, GError ** error);

/* No command may be in flight. */
void ocl_bilateral_windows_clear (OclBilateralWindows * windows);

G_END_DECLS
