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

#include "oclborder.h"
#include "ocllevels.h"
#include "oclprogram.h"

G_BEGIN_DECLS

#define OCL_PYRAMID_MAX_LEVELS 8

/**
 * OclPyramidStep:
 * @is_outer: whether the fine level is the frame itself; its format is that of
 *    the build then, and that of levels otherwise
 * @fine: what is reduced, or what is subtracted from; with add() what alpha
 *    is read from, where the level is the frame
 * @coarse: the level above, which is written by reduce()
 * @band: the level of differences; written by subtract()
 * @output: what add() writes
 * @width: samples of the fine level
 * @height: the same, down
 * @coarse_width: of the level above
 * @coarse_height: the same, down
 * @border: an OclBorderMode
 * @outside: what is outside of what is reduced or expanded, luma first where
 *    there is luma
 * @gain: of @band, with add()
 * @coarse_gain: of @coarse, with add()
 * @offset: added by add()
 * @timer: gets the events
 */
typedef struct
{
  gboolean is_outer;
  const OclFrame *fine;
  const OclFrame *coarse;
  const OclFrame *band;
  const OclFrame *output;
  cl_int width;
  cl_int height;
  cl_int coarse_width;
  cl_int coarse_height;
  cl_int border;
  cl_float4 outside;
  cl_float gain;
  cl_float coarse_gain;
  cl_float offset;
  OclTimer *timer;
} OclPyramidStep;

/**
 * OclPyramidKernels:
 * @new: builds kernels for frames as @build says and levels in @storage;
 *    keeps a reference to @context
 * @reduce: coarse = reduce (fine)
 * @subtract: band = fine - expand (coarse)
 * @add: output = gain band + coarse_gain expand (coarse) + offset
 * @free: frees what @new made
 *
 * One way to compute the steps.
 */
typedef struct
{
  gpointer (*new) (OclContext * context, const OclBuild * build,
      OclStorage storage, GError ** error);
  gboolean (*reduce) (gpointer object, const OclPyramidStep * step,
      GError ** error);
  gboolean (*subtract) (gpointer object, const OclPyramidStep * step,
      GError ** error);
  gboolean (*add) (gpointer object, const OclPyramidStep * step,
      GError ** error);
  void (*free) (gpointer object);
} OclPyramidKernels;

/* A work-item a sample, and a launch a step of the definition; levels in
 * buffers. */
extern const OclPyramidKernels ocl_pyramid_plain;

/* Bands of rows, 16 samples at a time, and one launch each, for CPUs; frames
 * and levels in buffers. */
extern const OclPyramidKernels ocl_pyramid_rows;

typedef struct _OclPyramid OclPyramid;

/* For frames as @build says, with levels in @storage. Keeps a reference to
 * @context. Errors are those of OclVariant. */
OclPyramid *ocl_pyramid_new (OclContext * context,
    const OclPyramidKernels * kernels, const OclBuild * build,
    OclStorage storage, GError ** error);

/* No command may be in flight. */
void ocl_pyramid_free (OclPyramid * pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclPyramid, ocl_pyramid_free)

/* What a kernel for bands is built for, whose tunables and tuning are the
 * caller's. */
OclBuild ocl_pyramid_get_build (OclPyramid * pyramid);

/* How often a plane of that size can be halved before it has one sample; 1 at
 * least. Any thread. */
guint ocl_pyramid_count_levels (gint width, gint height);

/* Makes place for the levels of @input, @n_levels of them above it, and
 * enqueues taking it apart. */
gboolean ocl_pyramid_enqueue_decompose (OclPyramid * pyramid,
    const OclFrame * input, guint n_levels, const OclBorder * border,
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
