/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scenes with noise, and runs of their frames through the denoiser, for its
 * tests. Not thread-safe: one thread at a time. */

#pragma once

#include "opencl/denoise/ocldenoise.h"
#include "testcase.h"

G_BEGIN_DECLS

/* A scene: the value of each frame at x, y, between 0 and 1. */
typedef gdouble (*Scene) (guint n, gint x, gint y);

gdouble show_still (guint n, gint x, gint y);
gdouble show_pan (guint n, gint x, gint y);
gdouble show_fur (guint n, gint x, gint y);
gdouble show_fur_pan (guint n, gint x, gint y);

/* A small square that moves before a still background. */
gdouble show_passing (guint n, gint x, gint y);

/* Frames and fields, whose rows are others, do not look like other shots. */
gdouble show_ramp (guint n, gint x, gint y);

/* A cut before frame 3, to a scene of other brightness. A bar at the top is as
 * bright as before. */
gdouble show_cut (guint n, gint x, gint y);

/* Returns the default parameters. Free them with g_free(). */
OclDenoiseParams *create_params (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclDenoiseParams, ocl_params_free)

/**
 * Sequence:
 * @variant: the variant that filters the frames
 * @format: their format
 * @width: their width
 * @height: their height
 * @scene: what they show. Chroma shows the same with less contrast
 * @sigma: the deviation of the noise, in levels of 8 bits
 * @growth: what it is more where the picture is white
 * @is_blurred: whether the noise was blurred over squares of 3 x 3 samples. It
 *    does not grow then
 *
 * Frames with noise that go through one operation.
 */
typedef struct
{
  const OclVariant *variant;
  const OclFormat *format;
  gint width;
  gint height;
  Scene scene;
  gdouble sigma;
  gdouble growth;
  gboolean is_blurred;
} Sequence;

/* Returns frame @n of @sequence. */
Picture draw_frame (const Sequence * sequence, guint n);

OclFilter *create_operation (const OclVariant * variant);

/* Filters frames @first to @n with @operation, or with a separate one if it is
 * NULL. Returns the last output. */
Picture run_frames (const Sequence * sequence, OclFilter * operation,
    const OclDenoiseParams * params, guint first, guint n);

G_END_DECLS
