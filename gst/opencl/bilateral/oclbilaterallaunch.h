/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the bilateral filter's variants for GPUs have in common: sigmas as their
 * kernels take them, and how they are launched. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/* What makes the square of a difference an exponent of 2: -log2 e / (2 σ²), for
 * differences that are @unit for 1. Finite for the smallest @sigma, with the
 * square of any difference that there is as well. Any thread. */
cl_float ocl_bilateral_get_exponent_scale (gdouble unit, gdouble sigma);

/**
 * OclBilateralLaunch:
 * @width: of the frame, in samples
 * @height: of the frame
 * @n_taps: of a sample's window
 * @rows: samples of a work-item, one below the other
 * @group_width: work-items of a group
 * @group_height: the same
 * @n_units: compute units of the device
 */
typedef struct
{
  gint width;
  gint height;
  gint n_taps;
  gint rows;
  gsize group_width;
  gsize group_height;
  guint n_units;
} OclBilateralLaunch;

/* Enqueues @kernel, whose arguments are set, over a frame, as many rows at a
 * time as a GPU can do without being taken for stuck. The thread that owns
 * @kernel; does not wait. */
gboolean ocl_bilateral_launch (const OclBilateralLaunch * launch,
    OclContext * context, cl_kernel kernel, OclTimer * timer, GError ** error);

G_END_DECLS
