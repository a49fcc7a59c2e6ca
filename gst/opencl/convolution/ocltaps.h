/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The taps of a window on the device, in groups of one weight: those of weight
 * 0 are left out.
 *
 * The coefficients are entries of two words: for each group its weight, a
 * float, and where its taps end; and then for each tap its row and column, from
 * the upper left one on.
 *
 * Groups of positive and of negative weights take turns, so that where levels
 * differ little sums of the first n groups are small; a group has no more taps
 * than levels can be added up without rounding. Where ocl_taps_get_form() asks
 * for it kernels add up some groups at a time, and then these sums without loss
 * (kernels/sum.clh). Where ocl_taps_can_serve(), the result then is within a
 * level of the exact one up to 12 bits, within 2 at 16. */

#pragma once

#include "core/oclcoefficients.h"
#include "oclstencil.h"

G_BEGIN_DECLS

/**
 * OclTaps:
 * @coefficients: the entries; owned
 * @n_groups: how many groups they have
 * @n_taps: how many taps they have
 * @n_weights: how many weights the window has that they are of, or 0
 * @width: its columns
 * @weights: these; owned
 *
 * Start with a zeroed struct, end with ocl_taps_clear(). One thread at a time.
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

/* No command may be in flight. */
void ocl_taps_clear (OclTaps * taps);

/* Whether frames of @format can be computed so exactly with weights that sum up
 * to @gain without their signs, and of which @largest is the largest. Any
 * thread. */
gboolean ocl_taps_can_serve (gdouble gain, gdouble largest,
    const OclFormat * format);

/* The program that weights of @gain need for frames of @format. Any thread. */
OclStencilForm ocl_taps_get_form (gdouble gain, const OclFormat * format);

/* What a program of the form @form is built with, or NULL: no option. Any
 * thread. */
const gchar *ocl_taps_get_options (OclStencilForm form);

/* Writes the taps of @stencil for frames of @format, where the device has
 * others; the format of all calls is the same. */
gboolean ocl_taps_set (OclTaps * taps, OclContext * context,
    const OclStencil * stencil, const OclFormat * format, OclTimer * timer,
    GError ** error);

G_END_DECLS
