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

#include "oclbilateralparams.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The PSNR of the approximation against the exact filter, in dB, that
 * photographs keep, with noise or without. */
#define OCL_BILATERAL_FAST_PSNR 45

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

G_END_DECLS
