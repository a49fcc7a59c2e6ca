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
#include "oclframe.h"

G_BEGIN_DECLS

#define OCL_BILATERAL_MAX_SPATIAL_SIGMA 50.0
#define OCL_BILATERAL_MAX_RADIUS 100

/* The PSNR of the approximation against the exact filter, in dB, that
 * photographs keep, with noise or without. */
#define OCL_BILATERAL_FAST_PSNR 45.0

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
 *    the window, where there is one: see ocl_bilateral_choose_method()
 * @OCL_BILATERAL_METHOD_AUTO: the cheapest that keeps the bound on the error
 */
typedef enum
{
  OCL_BILATERAL_METHOD_EXACT,
  OCL_BILATERAL_METHOD_FAST,
  OCL_BILATERAL_METHOD_AUTO,
} OclBilateralMethod;

/**
 * OclBilateralVariant:
 * @OCL_BILATERAL_VARIANT_AUTO: the one that suits the device, and runs on it
 * @OCL_BILATERAL_VARIANT_PLAIN: a pixel a work-item, images or buffers, any
 *    device
 * @OCL_BILATERAL_VARIANT_ROWS: 16 pixels of a row a work-item over planes of
 *    floats, for CPUs; copies images to buffers and back
 * @OCL_BILATERAL_VARIANT_TILED: a few pixels of a column a work-item, from a
 *    tile in local memory, images or buffers, for GPUs
 */
typedef enum
{
  OCL_BILATERAL_VARIANT_AUTO,
  OCL_BILATERAL_VARIANT_PLAIN,
  OCL_BILATERAL_VARIANT_ROWS,
  OCL_BILATERAL_VARIANT_TILED,
} OclBilateralVariant;

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
 * @border_color: red, green, blue (alpha is not used) of the constant border
 * @method: exact or approximated
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
  guint8 border_color[4];
  OclBilateralMethod method;
  gdouble max_error;
} OclBilateralParams;

#define OCL_BILATERAL_PARAMS_DEFAULT ((OclBilateralParams) { \
    .spatial_sigma = 2.0, .intensity_sigma = 0.25, .radius = -1, \
    .max_error = 40.0 })

typedef struct _OclBilateral OclBilateral;

/* Whether the filter would hand every frame on unchanged. Any thread. */
gboolean ocl_bilateral_is_neutral (const OclBilateralParams * params);

/* One thread at a time for all that follows. */

/* Keeps a reference to @context. Does not touch the device. */
OclBilateral *ocl_bilateral_new (OclContext * context,
    OclBilateralVariant variant);
void ocl_bilateral_free (OclBilateral * bilateral);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclBilateral, ocl_bilateral_free)

/* Builds and warms up the kernels for frames in @storage, the approximation
 * among them unless @method is EXACT, so that no frame has to wait for a
 * compiler; nothing where that was done before. Waits for the device.
 * OCL_ERROR_BUILD, OCL_ERROR_FAILED, or OCL_ERROR_NOT_SUPPORTED for a variant
 * that was asked for and cannot run on this device. */
gboolean ocl_bilateral_prepare (OclBilateral * bilateral, OclStorage storage,
    OclBilateralMethod method, GError ** error);

/* What serves frames filtered with @params: OCL_BILATERAL_METHOD_EXACT or
 * OCL_BILATERAL_METHOD_FAST.
 *
 * The approximation serves intensity mode from a radius of 10, a spatial sigma
 * of 5 and an intensity sigma of 0.022 on, in every window and with every
 * border, and OCL_BILATERAL_METHOD_FAST is exact elsewhere. Where the driver
 * cannot build it, ocl_bilateral_enqueue() takes the exact filter all the same.
 * OCL_BILATERAL_METHOD_AUTO takes it where OCL_BILATERAL_FAST_PSNR is enough,
 * and it is faster: where the window has 50 taps or more for each of the
 * approximation's cosines on a CPU, 400 on other devices
 * (ocl_bilateral_fast_count_waves(): 5 for an intensity sigma of 0.25, 16 for
 * 0.05). */
OclBilateralMethod ocl_bilateral_choose_method (OclBilateral * bilateral,
    const OclBilateralParams * params);

/* Enqueues the filter from @input to @output, two frames of the same size,
 * byte order and a storage, prepared for the method. Does not wait, but where
 * the window or a sigma changes: for the last change to have reached the
 * device. @params must not be neutral. After an error, wait for the queue before the
 * frames are touched. */
gboolean ocl_bilateral_enqueue (OclBilateral * bilateral,
    const OclBilateralParams * params, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error);

/* The name of the kernel variant for frames in @storage, which was prepared. */
const gchar *ocl_bilateral_get_variant_name (OclBilateral * bilateral,
    OclStorage storage);

G_END_DECLS
