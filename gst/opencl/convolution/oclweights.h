/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* OclWeights keeps the weights of the taps of a filter on the device. */

#pragma once

#include "core/oclcoefficients.h"

G_BEGIN_DECLS

/**
 * OclWeights:
 * @coefficients: the weights on the device, as cl_float (owned)
 * @limit: the largest number of weights
 * @n: the number of weights on the device, or 0
 * @values: the weights to write to the device (owned)
 *
 * Start with a zeroed struct, end with ocl_weights_clear(). Use the struct from
 * one thread at a time.
 */
typedef struct
{
  OclCoefficients coefficients;
  gsize limit;
  gsize n;
  cl_float *values;
} OclWeights;

/* Returns the array for at most @limit weights of the caller. All calls must
 * have the same @limit. */
cl_float *ocl_weights_begin (OclWeights * weights, gsize limit);

/* Writes the first @n weights of the array to the device, unless the device
 * already has the same weights. Before a write, waits until the previous write
 * has ended. */
gboolean ocl_weights_end (OclWeights * weights, OclContext * context, gsize n,
    OclTimer * timer, GError ** error);

/* Commands may be in flight, see ocl_coefficients_clear(). */
void ocl_weights_clear (OclWeights * weights);

G_END_DECLS
