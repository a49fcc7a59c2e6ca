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
 * OclPyramidKind:
 * @OCL_PYRAMID_REDUCE: coarse = reduce (fine)
 * @OCL_PYRAMID_SUBTRACT: band = fine - expand (coarse)
 * @OCL_PYRAMID_ADD: output = gain band + coarse_gain expand (coarse) + offset
 */
typedef enum
{
  OCL_PYRAMID_REDUCE,
  OCL_PYRAMID_SUBTRACT,
  OCL_PYRAMID_ADD,
  OCL_PYRAMID_N_KINDS,
} OclPyramidKind;

/**
 * OclPyramidStep:
 * @kind: what is to be done
 * @is_outer: whether the fine level is the frame itself; its format is that of
 *    the build then, and that of levels otherwise
 * @fine: what is reduced, or what is subtracted from; with ADD what alpha is
 *    read from, where the level is the frame
 * @coarse: the level above, which REDUCE writes
 * @band: the level of differences, which SUBTRACT writes
 * @output: what ADD writes
 * @width: samples of the fine level
 * @height: the same, down
 * @coarse_width: of the level above
 * @coarse_height: the same, down
 * @border: an OclBorderMode
 * @outside: what is outside of what is reduced or expanded, luma first where
 *    there is luma
 * @gain: of @band, with ADD
 * @coarse_gain: of @coarse, with ADD
 * @offset: of ADD, in levels
 * @timer: gets the events
 */
typedef struct
{
  OclPyramidKind kind;
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
 * @enqueue: enqueues a step
 * @free: frees what @new made
 *
 * One way to compute the steps.
 */
typedef struct
{
  gpointer (*new) (OclContext * context, const OclBuild * build,
      OclStorage storage, GError ** error);
  gboolean (*enqueue) (gpointer object, const OclPyramidStep * step,
      GError ** error);
  void (*free) (gpointer object);
} OclPyramidKernels;

/* A work-item a sample, and a launch a step of the definition. */
extern const OclPyramidKernels ocl_pyramid_plain;

/* Bands of rows, 16 samples at a time, and one launch each, for CPUs; frames
 * and levels in buffers. */
extern const OclPyramidKernels ocl_pyramid_rows;

/* From tiles in local memory, and one launch each, for GPUs; built with the
 * tunables, of which one is the storage that it is for: see
 * ocl_pyramid_tiled_get_storage(). */
extern const OclPyramidKernels ocl_pyramid_tiled;
extern const OclTunable ocl_pyramid_tiled_tunables[];

/* What levels are to be in, of the tunables. Any thread. */
OclStorage ocl_pyramid_tiled_get_storage (const OclTuning * tuning);

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
