/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Weights of the taps of a filter on the device. */

#pragma once

#include "core/oclcoefficients.h"

G_BEGIN_DECLS

/**
 * OclWeights:
 * @coefficients: cl_float; owned
 * @limit: how many there may be
 * @n: how many the device has, or 0
 * @values: what they are to be; owned
 *
 * Start with a zeroed struct, end with ocl_weights_clear(). One thread at a
 * time.
 */
typedef struct
{
  OclCoefficients coefficients;
  gsize limit;
  gsize n;
  cl_float *values;
} OclWeights;

/* Where weights are to be put, at most @limit, which is the same each time. */
cl_float *ocl_weights_begin (OclWeights * weights, gsize limit);

/* Writes the first @n of what was put there to the device, where that has
 * others; waits where the last write of others has not ended. */
gboolean ocl_weights_end (OclWeights * weights, OclContext * context, gsize n,
    OclTimer * timer, GError ** error);

/* No command may be in flight. */
void ocl_weights_clear (OclWeights * weights);

G_END_DECLS
