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

/* Draws frame @n of a scene with noise of @sigma levels of 8 bits, and of
 * @growth levels more where the picture is white. Chroma shows the same with
 * less contrast. */
void draw_growing (Picture * picture, Scene scene, guint n,
    gdouble sigma, gdouble growth);

/* Draws frame @n of a scene with noise of @sigma levels that was blurred over
 * squares of 3 x 3 samples. */
void draw_blurred (Picture * picture, Scene scene, guint n,
    gdouble sigma);

/* Draws it without growth. */
void draw (Picture * picture, Scene scene, guint n, gdouble sigma);

/* Returns the default parameters. Free them with g_free(). */
OclDenoiseParams *create_params (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclDenoiseParams, ocl_params_free)

/* A run of frames through one operation. */
typedef struct
{
  const OclVariant *variant;
  const OclFormat *format;
  gint width;
  gint height;
  Scene scene;
  gdouble sigma;
  gdouble growth;
  gboolean is_blurred;          /* the noise, without growth */
} Sequence;

/* Draws frame @n of @sequence. */
void draw_sequence (const Sequence * sequence, Picture * picture,
    guint n);

OclFilter *create_operation (const OclVariant * variant);

/* Filters frame @n. The caller clears both pictures. */
void run_frame (const Sequence * sequence, OclFilter * operation,
    const OclDenoiseParams * params, guint n, Picture * input,
    Picture * output);

/* Filters frames @first to @n with a separate operation. sets @output to the
 * last one, which the caller clears. */
void run_frames (const Sequence * sequence, const OclDenoiseParams * params,
    guint first, guint n, Picture * output);

G_END_DECLS
