/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A plan says what frames of one kind need with given parameters. It is decided
 * once, and then run for each of these frames.
 *
 * All functions may be called from any thread. */

#pragma once

#include "oclkernels.h"

G_BEGIN_DECLS

/**
 * OclStep:
 * @pass: the pass, which names the channels that are computed
 * @kernels: the kernels that compute the pass; a plan owns a reference
 * @derived: the data that follows from the parameters, see OclOperationClass;
 *    owned, or NULL
 * @is_stored: whether @kernels have settings of the database
 * @n_pictures: how many pictures of a frame, from the first on, have samples
 *    for the pass
 *
 * A step is a pass over a frame.
 */
typedef struct
{
  OclPass pass;
  OclKernels *kernels;
  gpointer derived;
  gboolean is_stored;
  guint n_pictures;
} OclStep;

/**
 * OclPlan:
 * @frame: a frame of the plan's kind. Its format, storage, size, interlacing
 *    and byte order count; its memory does not
 * @plain: the plain variant of the operation
 * @copied: whether images are copied to buffers and back
 * @n_pictures: how many pictures are filtered separately: one for the whole
 *    frame, or two for its fields
 * @steps: the steps that are enqueued for each picture
 * @n_steps: the number of @steps
 * @carried: for each plane, whether the output gets a copy of the input's
 *    plane, because no step writes all of the plane
 *
 * A plan is reference-counted and never changes. It keeps its kernels.
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

/* Returns a plan like @plan, takes over the derived data of its steps, and adds
 * references to their kernels. */
OclPlan *ocl_plan_new (const OclPlan * plan);

OclPlan *ocl_plan_ref (OclPlan * plan);
void ocl_plan_unref (OclPlan * plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclPlan, ocl_plan_unref)

/* Replaces the plan in @*plan, which may be NULL, by a reference to @other. */
void ocl_plan_set (OclPlan ** plan, OclPlan * other);

/* Returns whether @plan is for frames of the kind of @frame. */
gboolean ocl_plan_is_for (const OclPlan * plan, const OclFrame * frame);

/* Returns whether @plan makes frames of the kind of @frame. */
gboolean ocl_plan_makes (const OclPlan * plan, const OclFrame * frame);

/* Returns whether frames whose byte order is @bytes_swapped can use @plan, if
 * they do not differ from the plan's frame otherwise. Images that are not
 * copied are read alike in both byte orders. */
gboolean ocl_plan_takes (const OclPlan * plan, gboolean bytes_swapped);

/* Returns whether @a and @b enqueue the same kernels in the same way. */
gboolean ocl_plan_equals (const OclPlan * a, const OclPlan * b);

/* Returns whether kernels of @plan have settings of the database. */
gboolean ocl_plan_is_tuned (const OclPlan * plan);

/* Returns the variant of the first step, or the plain variant if there is no
 * step. */
const OclVariant *ocl_plan_get_variant (const OclPlan * plan);

G_END_DECLS
