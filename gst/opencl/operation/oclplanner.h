/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The planner decides on the plans for frames, and remembers them.
 *
 * It decides again if the kind of frames or parameters was not asked for
 * lately, or if a program was built in the meantime that may be faster. It
 * takes the first variant that can be built and run of these: the variant that
 * the class chooses, the variant that suits the device, the plain variant.
 *
 * All functions may be called by one thread at a time. */

#pragma once

#include "ocloperationclass.h"
#include "oclplan.h"

G_BEGIN_DECLS

typedef struct _OclPlanner OclPlanner;

/* Keeps a reference to @context. Does not touch the device. */
OclPlanner *ocl_planner_new (const OclOperationClass * klass,
    OclContext * context);

/* Waits for a build in progress. No command may be in flight. */
void ocl_planner_free (OclPlanner * planner);

/* See ocl_operation_force(). */
void ocl_planner_force (OclPlanner * planner, const OclVariant * variant,
    const OclTuning * tuning);

/* See ocl_operation_set_uses_database(). */
void ocl_planner_set_uses_database (OclPlanner * planner, gboolean uses);

/* See ocl_operation_get_plan(). */
OclPlan *ocl_planner_get_plan (OclPlanner * planner, const OclFrame * frame,
    gconstpointer params, GError ** error);

/* Lets another thread build the faster programs, and those for other
 * parameters, that were asked for when plans were made. Call it when frames do
 * not wait for plans. */
void ocl_planner_start_builder (OclPlanner * planner);

/* See ocl_operation_is_ready(). */
gboolean ocl_planner_is_ready (OclPlanner * planner, const OclFrame * frame,
    gconstpointer params);

/* See ocl_operation_takes_images(). */
gboolean ocl_planner_takes_images (OclPlanner * planner,
    const OclFrame * frame, gconstpointer params);

/* See ocl_operation_take_warning(). */
GError *ocl_planner_take_warning (OclPlanner * planner);

G_END_DECLS
