/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A chain's plan says what frames of one kind need with given parameters: the
 * plans of the operations, and where the planes of the frames between them come
 * from. It is decided once, and then run for each of these frames.
 *
 * Between two operations that can take floats, levels are floats, unless the
 * chain is exact. Operations need not change all planes:
 *
 * - A frame of integers between operations is complete: a plane that an
 *   operation does not change is the plane of the frame before it.
 * - A frame of floats has those planes that an operation behind it reads, or
 *   that an operation before it has changed. The rest is undefined.
 *
 * All functions may be called from any thread. */

#pragma once

#include "oclconvert.h"
#include "ocllinks.h"
#include "operation/ocloperation.h"

G_BEGIN_DECLS

/**
 * OclPlaneSource:
 * @OCL_PLANE_SOURCE_OWN: memory of its own. The operation writes the plane,
 *    copies it, or nobody reads it
 * @OCL_PLANE_SOURCE_SHARED: it is the plane of the operation's input
 * @OCL_PLANE_SOURCE_CHAIN: it is the plane of the chain's input
 * @OCL_PLANE_SOURCE_COPY: memory of its own, with a copy of the plane of the
 *    chain's input, on which the operation writes
 *
 * Where a plane of the frame comes from that an operation makes.
 */
typedef enum
{
  OCL_PLANE_SOURCE_OWN,
  OCL_PLANE_SOURCE_SHARED,
  OCL_PLANE_SOURCE_CHAIN,
  OCL_PLANE_SOURCE_COPY,
} OclPlaneSource;

/**
 * OclChainStep:
 * @link: the place of the operation in the OclLinks
 * @fused: the place of the operation that runs inside the kernels of this one,
 *    on what they write, or -1
 * @plan: the plan of the operation; owned
 * @conversion: the plan that converts channels which the operation does not
 *    write, or NULL; owned
 * @keeps_frames: whether the operation keeps copies of its frames
 * @sources: where the planes of the frame come from that the operation makes
 */
typedef struct
{
  guint link;
  gint fused;
  OclPlan *plan;
  OclPlan *conversion;
  gboolean keeps_frames;
  OclPlaneSource sources[OCL_MAX_PLANES];
} OclChainStep;

/**
 * OclChainPlan:
 * @frame: a frame of the plan's kind; its memory does not count
 * @copied: whether images are copied to buffers before the first operation, and
 *    back after the last one. A single operation copies images itself
 * @n_steps: the number of operations that are run: those that are not neutral
 * @steps: these operations
 *
 * A plan is reference-counted and never changes.
 */
typedef struct
{
  OclFrame frame;
  gboolean copied;
  guint n_steps;
  OclChainStep steps[OCL_MAX_LINKS];
} OclChainPlan;

/* Returns a plan like @plan, and adds references to the plans in it. */
OclChainPlan *ocl_chain_plan_new (const OclChainPlan * plan);

/* Frees the references in @plan, which then has no steps. It is for a plan that
 * is being decided; a plan from ocl_chain_plan_new() frees its own. */
void ocl_chain_plan_clear (OclChainPlan * plan);

OclChainPlan *ocl_chain_plan_ref (OclChainPlan * plan);
void ocl_chain_plan_unref (OclChainPlan * plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclChainPlan, ocl_chain_plan_unref)

/* Replaces the plan in @*plan, which may be NULL, by a reference to @other. */
void ocl_chain_plan_set (OclChainPlan ** plan, OclChainPlan * other);

/* Returns whether @a and @b have the same plans in the same order. */
gboolean ocl_chain_plan_equals (const OclChainPlan * a, const OclChainPlan * b);

/* Returns whether frames whose byte order is @bytes_swapped can use @plan, see
 * ocl_plan_takes(). */
gboolean ocl_chain_plan_takes (const OclChainPlan * plan,
    gboolean bytes_swapped);

/* Returns which planes of Y'CbCr have to be converted at step @n, because the
 * operation does not write them and other components are written than read.
 * Call it when the plans of all steps are there. */
OclPlanes ocl_chain_plan_get_conversion (const OclChainPlan * plan, guint n);

/* Sets the sources of the planes of step @n, when its plans are there.
 * @converted: the result of ocl_chain_plan_get_conversion() */
void ocl_chain_plan_set_sources (OclChainPlan * plan, guint n,
    OclPlanes converted);

G_END_DECLS
