/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Laplacian pyramid of the channels of a pass, on the device.
 *
 *   g(0) = frame;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   o(n) = a(n) g(n);  o(k) = a(k) l(k) + expand (o(k+1));  result = o(0)
 *
 * reduce() filters with [1 4 6 4 1] / 16 in both directions and takes every
 * second sample. expand() puts zeros between the samples, applies the filter of
 * reduce(), and multiplies by 4. Each pyramid level has half the size of the
 * previous level, rounded up. The border determines, on the grid of g(k), the
 * values of samples outside g(k). The bands are l(0) to l(n-1), and g(n).
 * Between decomposition and reconstruction, the caller can change each band. A
 * changed band is written to another frame. With a(k) = 1 and unchanged bands,
 * the result is the frame.
 *
 * P. Burt and E. Adelson, "The Laplacian pyramid as a compact image code", IEEE
 * Transactions on Communications, 1983.
 *
 * Use a pyramid from one thread at a time. No function waits for the device. */

#pragma once

#include "oclpyramidlevels.h"
#include "operation/oclkernels.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_PYRAMID_MAX_LEVELS 8

typedef struct _OclPyramid OclPyramid;

/* Variants of the steps of a pyramid. */

/* Computes one sample per work-item, in one launch per step of the
 * definition. */
extern const OclVariant ocl_pyramid_plain;

/* Computes slices of rows, 16 samples at a time, in one launch per step, for
 * CPUs. Frames and pyramid levels are in buffers. */
extern const OclVariant ocl_pyramid_rows;

/* Computes from tiles in local memory, in one launch per step, for GPUs. One of
 * the tunables is the storage of the pyramid levels, see
 * ocl_pyramid_tiled_get_storage(). */
extern const OclVariant ocl_pyramid_tiled;
extern const OclTunable ocl_pyramid_tiled_tunables[];

/* Returns the storage of the pyramid levels that @tuning selects.
 * Thread-safe. */
OclStorage ocl_pyramid_tiled_get_storage (const OclTuning * tuning);

/* Creates a pyramid for the frames that @build describes. The pyramid levels
 * are in @storage. @variant computes the steps, with the tuning in @build. The
 * pyramid keeps a reference to @context. Fails with the errors of
 * ocl_kernels_new(). */
OclPyramid *ocl_pyramid_new (OclContext * context,
    const OclVariant * variant, const OclBuild * build, OclStorage storage,
    GError ** error);

/* Frees @pyramid. Its commands may be in flight. */
void ocl_pyramid_free (OclPyramid * pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclPyramid, ocl_pyramid_free)

/* Returns the build for kernels that work on bands. The caller sets its
 * specialization and its tuning. */
OclBuild ocl_pyramid_get_build (OclPyramid * pyramid);

/* Returns the number of times that a plane of @width x @height samples can be
 * halved before it has one sample, at least 1. Thread-safe. */
guint ocl_pyramid_count_levels (gint width, gint height);

/* Allocates @n_levels pyramid levels above @input, and enqueues the
 * decomposition of @input into bands. */
gboolean ocl_pyramid_enqueue_decompose (OclPyramid * pyramid,
    const OclFrame * input, guint n_levels, const OclBorder * border,
    OclTimer * timer, GError ** error);

/* Returns the frame that holds band @band. */
const OclFrame *ocl_pyramid_get_band (OclPyramid * pyramid, guint band);

/* Returns the frame to which a changed band @band can be written. When all
 * bands exist, the previous contents of this frame are no longer needed. */
const OclFrame *ocl_pyramid_get_free (OclPyramid * pyramid, guint band);

/* Sets the frame of band @band to the frame that ocl_pyramid_get_free()
 * returned before. */
void ocl_pyramid_exchange (OclPyramid * pyramid, guint band);

/* Enqueues the reconstruction of @output from all bands: band k is multiplied
 * by @gains[k], and @offset levels are added to the result. @input is the frame
 * that was decomposed, from which alpha is copied. Invalidates the bands. */
gboolean ocl_pyramid_enqueue_reconstruct (OclPyramid * pyramid,
    const OclFrame * input, const OclFrame * output, const gdouble * gains,
    gdouble offset, const OclBorder * border, OclTimer * timer,
    GError ** error);

G_END_DECLS
