/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter smooths small differences and keeps edges.
 *
 *   w (i, j) = exp (-(i² + j²) / (2 σs²)) · exp (-Δ² / (2 σr²))
 *   BF (p)   = Σ w (i, j) I (p + (i, j)) / Σ w (i, j)
 *
 * I is a pixel in [0, 1], i and j are offsets in a window of radius r, Δ is a
 * difference of colours. Alpha is copied from the centre pixel. C. Tomasi and
 * R. Manduchi, "Bilateral filtering for gray and color images", ICCV 1998. */

#pragma once

#include "oclbilateralparams.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* With the approximation, photographs keep at least this PSNR against the exact
 * filter, in dB, with noise or without. */
#define OCL_BILATERAL_FAST_PSNR 45

/* The operation. Its variants:
 *
 *   plain       computes one pixel per work-item, from images or buffers, on
 *               any device
 *   rows        computes 16 pixels of a row per work-item, from planes of
 *               floats, for CPUs
 *   tiled       computes a few pixels of a column per work-item, from a tile in
 *               local memory, for GPUs
 *   expanded    works like tiled with fewer instructions, for one channel
 *               (grey, luma) and an intensity sigma of 0.04 or more. A small
 *               radius gets a specialised program. The program for all radii
 *               is used while the specialised program is built
 *   fast        computes the approximation, see oclbilateralfast.c, for CPUs
 *   fast-tiled  computes the approximation for GPUs
 *
 * The approximation supports intensity mode with a radius of at least 10, a
 * spatial sigma of at least 5 and an intensity sigma of at least 0.0221, with
 * every window and every border. Elsewhere OCL_BILATERAL_METHOD_FAST falls back
 * to the exact filter.
 *
 * OCL_BILATERAL_METHOD_AUTO uses the approximation if OCL_BILATERAL_FAST_PSNR
 * is enough and the approximation is faster. The approximation is faster if the
 * window has 50 taps or more for each term of the cosine expansion
 * (ocl_bilateral_count_terms() returns 5 for an intensity sigma of 0.25, and 16
 * for 0.05). */
extern const OclOperationClass ocl_bilateral_class;

G_END_DECLS
