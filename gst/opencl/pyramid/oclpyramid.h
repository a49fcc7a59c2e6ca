/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Laplacian pyramid of the channels of a pass, on the device.
 *
 *   g(0) = frame;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   o(n) = a(n) g(n);  o(k) = a(k) l(k) + expand (o(k+1));  result = o(0)
 *
 * reduce() takes every second sample of what [1 4 6 4 1] / 16 in both
 * directions makes; expand() puts zeros between samples, and does the same
 * times 4. Sizes are halved and rounded up. Taps outside g(k) read what the
 * border says on the grid of g(k). Bands are l(0) to l(n-1), and g(n). In
 * between they can be changed, each to another place; with a(k) = 1 and no
 * change the result is the frame. P. Burt and E. Adelson, "The Laplacian
 * pyramid as a compact image code", IEEE Transactions on Communications, 1983.
 *
 * One thread at a time; nothing waits for the device. */

#pragma once

#include "ocloctaves.h"
#include "oclpyramidsteps.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_PYRAMID_MAX_OCTAVES 8

typedef struct _OclPyramid OclPyramid;

/* For frames as @build says, with octaves in @storage and steps done by
 * @variant, whose tuning @build has. Keeps a reference to @context. Errors are
 * those of ocl_kernels_new(). */
OclPyramid *ocl_pyramid_new (OclContext * context,
    const OclVariant * variant, const OclBuild * build, OclStorage storage,
    GError ** error);

/* No command may be in flight. */
void ocl_pyramid_free (OclPyramid * pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclPyramid, ocl_pyramid_free)

/* What kernels for bands are built for; the form and the tuning are the
 * caller's. */
OclBuild ocl_pyramid_get_build (OclPyramid * pyramid);

/* How often a plane of that size can be halved before it has one sample; 1 at
 * least. Any thread. */
guint ocl_pyramid_count_octaves (gint width, gint height);

/* Makes place for the octaves of @input, @n_octaves of them above it, and
 * enqueues taking it apart. */
gboolean ocl_pyramid_enqueue_decompose (OclPyramid * pyramid,
    const OclFrame * input, guint n_octaves, const OclBorder * border,
    OclTimer * timer, GError ** error);

/* Where band @band is. */
const OclFrame *ocl_pyramid_get_band (OclPyramid * pyramid, guint band);

/* Where a changed band @band can be written to; what is there is not needed
 * any more when all bands are there. */
const OclFrame *ocl_pyramid_get_free (OclPyramid * pyramid, guint band);

/* From now on band @band is what was written there. */
void ocl_pyramid_exchange (OclPyramid * pyramid, guint band);

/* Enqueues putting all bands together: band k times @gains[k], and @offset
 * levels more. @input is what was taken apart, for alpha. Bands are not there
 * any more afterwards. */
gboolean ocl_pyramid_enqueue_reconstruct (OclPyramid * pyramid,
    const OclFrame * input, const OclFrame * output, const gdouble * gains,
    gdouble offset, const OclBorder * border, OclTimer * timer,
    GError ** error);

G_END_DECLS
