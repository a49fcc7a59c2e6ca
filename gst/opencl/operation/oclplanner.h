/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decides what frames need, and remembers it.
 *
 * A decision is made where frames or parameters are of a kind that was not
 * asked for lately, or where something was built since that may be faster. It
 * takes what the class chooses, else what suits the device, else the plain
 * variant: the first of them that can be built and run.
 *
 * One thread at a time for all functions. */

#pragma once

#include "ocloperationclass.h"
#include "oclplan.h"

G_BEGIN_DECLS

typedef struct _OclPlanner OclPlanner;

/* Keeps a reference to @context. Does not touch the device. */
OclPlanner *ocl_planner_new (const OclOperationClass * klass,
    OclContext * context);

/* Waits for what is being built. No command may be in flight. */
void ocl_planner_free (OclPlanner * planner);

/* See ocl_operation_force(). */
void ocl_planner_force (OclPlanner * planner, const OclVariant * variant,
    const OclTuning * tuning);

/* See ocl_operation_get_plan(). */
OclPlan *ocl_planner_get_plan (OclPlanner * planner, const OclFrame * frame,
    gconstpointer params, GError ** error);

G_END_DECLS
