/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* OclTaps keeps the taps of a window on the device, in groups of taps with
 * equal weight. Taps of weight 0 are omitted.
 *
 * The coefficients are entries of two words. The first entries are for the
 * groups: the weight of the group, a float, and the index where its taps end.
 * The next entries are for the taps: the row and the column of the tap, counted
 * from the upper left tap of the window.
 *
 * Groups of positive weights and groups of negative weights alternate, so that
 * the sum of the first n groups is small where levels differ little. The number
 * of taps of a group is limited so that its levels are added without rounding.
 * If ocl_taps_get_form() returns OCL_STENCIL_PARTS, kernels add some groups at
 * a time, and then add these sums without loss (kernels/sum.clh). If
 * ocl_taps_can_serve() returns TRUE, the result differs from the exact result
 * by at most one level for depths of up to 12 bits, and by at most 2 levels for
 * 16 bits. */

#pragma once

#include "core/oclcoefficients.h"
#include "oclstencil.h"

G_BEGIN_DECLS

/**
 * OclTaps:
 * @coefficients: the entries (owned)
 * @n_groups: the number of groups in @coefficients
 * @n_taps: the number of taps in @coefficients
 * @n_weights: the number of weights of the window of @coefficients, or 0 if
 *    they are not on the device
 * @width: the number of columns of the window
 * @weights: the weights of the window (owned)
 *
 * Start with a zeroed struct, end with ocl_taps_clear(). Use the struct from
 * one thread at a time.
 */
typedef struct
{
  OclCoefficients coefficients;
  cl_int n_groups;
  cl_int n_taps;
  gint n_weights;
  gint width;
  cl_float *weights;
} OclTaps;

/* Commands may be in flight, see ocl_coefficients_clear(). */
void ocl_taps_clear (OclTaps * taps);

/* Returns whether frames of @format can be computed within the errors above.
 * @gain is the sum of the absolute weights, and @largest is the largest
 * absolute weight. Thread-safe. */
gboolean ocl_taps_can_serve (gdouble gain, gdouble largest,
    const OclFormat * format);

/* Returns the form of the program for weights of @gain and frames of @format.
 * Thread-safe. */
OclStencilForm ocl_taps_get_form (gdouble gain, const OclFormat * format);

/* Returns the build options for a program of @form, or NULL if there are none.
 * May be called from any thread. */
const gchar *ocl_taps_get_options (OclStencilForm form);

/* Writes the taps of @stencil for frames of @format to the device, unless the
 * device already has these taps. All calls must have the same format. */
gboolean ocl_taps_set (OclTaps * taps, OclContext * context,
    const OclStencil * stencil, const OclFormat * format, OclTimer * timer,
    GError ** error);

G_END_DECLS
