/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Blocked variant of a stencil for GPUs and small windows: each work-item
 * computes a block of samples in registers, see kernels/stencil-blocked.cl. */

#pragma once

#include "oclstencilvariants.h"

G_BEGIN_DECLS

/* Returns whether windows up to @radius, the radius of luma, are so small that
 * blocks are faster than tiles for the channels of @pass. If @stencil is DENSE,
 * floats must also hold sums of levels of @format to a quarter of a level in
 * any order. Thread-safe. */
gboolean ocl_stencil_blocked_can_serve (const OclStencil * stencil,
    const OclFormat * format, const OclPass * pass, gint radius);

/* Sets @forms to the form of the programs for windows up to @radius, and
 * returns 1. Passes over chroma have windows that are no larger. */
guint ocl_stencil_blocked_get_forms (gint radius, guint forms[OCL_MAX_FORMS]);

/* Functions of the table below. */
gchar *ocl_stencil_blocked_get_options (const OclBuild * build,
    const OclDevice * device);
gboolean ocl_stencil_blocked_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);

extern const OclTunable ocl_stencil_blocked_tunables[];

/* Members of the table of a blocked variant. The operation adds the name, the
 * flags, @can_serve, @get_forms and an OclStencilFamily. In images, tiles are
 * faster than blocks unless the stencil is DENSE. */
#define OCL_STENCIL_BLOCKED \
    .tunables = ocl_stencil_blocked_tunables, \
    .source = "stencil-blocked.cl", \
    .kernels = OCL_NAMES ("dense", "separable"), \
    .get_options = ocl_stencil_blocked_get_options, \
    .state_size = sizeof (OclStencilState), \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_blocked_enqueue

G_END_DECLS
