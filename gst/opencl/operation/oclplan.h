/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What frames of one kind need with some parameters: decided once, and then run
 * for each of them.
 *
 * All functions: any thread. */

#pragma once

#include "oclkernels.h"

G_BEGIN_DECLS

/**
 * OclStep:
 * @pass: which channels it is about
 * @kernels: what computes them; the operation's
 * @derived: what follows from the parameters, see OclOperationClass; owned, or
 *    NULL
 * @n_pictures: of the pictures of a frame, the first ones that have samples for
 *    the pass
 *
 * A pass over a frame.
 */
typedef struct
{
  OclPass pass;
  OclKernels *kernels;
  gpointer derived;
  guint n_pictures;
} OclStep;

/**
 * OclPlan:
 * @frame: a frame of the kind, whose memory is of no concern: format, storage,
 *    size, interlacing and order of bytes count
 * @plain: the plain variant of the operation
 * @copied: whether images are copied to buffers and back
 * @n_pictures: what is filtered by itself: the frame, or its two fields
 * @steps: what is enqueued for each picture
 * @n_steps: how many they are
 * @carried: whether that plane of an output is a copy of the input's, since no
 *    step writes all of it
 *
 * Reference-counted; never changes. Steps can be enqueued for as long as the
 * operation lives that made the plan.
 */
typedef struct
{
  OclFrame frame;
  const OclVariant *plain;
  gboolean copied;
  guint n_pictures;
  OclStep steps[OCL_MAX_PASSES];
  guint n_steps;
  gboolean carried[OCL_MAX_PLANES];
} OclPlan;

/* A plan like @plan, whose derived things it takes over. */
OclPlan *ocl_plan_new (const OclPlan * plan);

OclPlan *ocl_plan_ref (OclPlan * plan);
void ocl_plan_unref (OclPlan * plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclPlan, ocl_plan_unref)

/* Makes @*plan, which may be NULL, this one. */
void ocl_plan_set (OclPlan ** plan, OclPlan * other);

/* Whether @plan is for frames of the kind of @frame. */
gboolean ocl_plan_is_for (const OclPlan * plan, const OclFrame * frame);

/* Whether frames that differ from the plan's in nothing but the order of their
 * bytes may have @bytes_swapped: images that are not copied are read alike. */
gboolean ocl_plan_takes (const OclPlan * plan, gboolean bytes_swapped);

/* Whether both enqueue the same kernels in the same way. */
gboolean ocl_plan_equals (const OclPlan * a, const OclPlan * b);

/* The variant of the first step; the plain one where there is none. */
const OclVariant *ocl_plan_get_variant (const OclPlan * plan);

/* What users call it; free it. */
gchar *ocl_plan_get_label (const OclPlan * plan);

G_END_DECLS
