/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperation.h"

#include "oclplanner.h"

struct _OclOperation
{
  const OclOperationClass *klass;
  OclContext *context;
  OclPlanner *planner;          /* owned */
  OclFrame input_copy;          /* of images, for variants without them */
  OclFrame output_copy;
};

OclOperation *
ocl_operation_new (const OclOperationClass * klass, OclContext * context)
{
  OclOperation *self = g_new0 (OclOperation, 1);

  self->klass = klass;
  self->context = ocl_context_ref (context);
  self->planner = ocl_planner_new (klass, context);
  return self;
}

void
ocl_operation_free (OclOperation * self)
{
  ocl_planner_free (self->planner);
  ocl_frame_clear (&self->input_copy);
  ocl_frame_clear (&self->output_copy);
  ocl_context_unref (self->context);
  g_free (self);
}

const OclOperationClass *
ocl_operation_get_class (OclOperation * self)
{
  return self->klass;
}

OclContext *
ocl_operation_get_context (OclOperation * self)
{
  return self->context;
}

void
ocl_operation_force (OclOperation * self, const OclVariant * variant,
    const OclTuning * tuning)
{
  ocl_planner_force (self->planner, variant, tuning);
}

OclPlan *
ocl_operation_get_plan (OclOperation * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  return ocl_planner_get_plan (self->planner, frame, params, error);
}

/* Copies the planes that no step writes from the input to the output. */
static gboolean
ocl_operation_enqueue_carried (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  for (guint plane = 0; plane < OCL_MAX_PLANES; plane++) {
    if (plan->carried[plane]
        && !ocl_frame_enqueue_plane_copy (self->context, run->input,
            run->output, plane, run->timer, error))
      return FALSE;
  }
  return TRUE;
}

/* Enqueues the steps for picture @n of a frame. The frames of @run are this
 * picture. */
static gboolean
enqueue_steps (const OclPlan * plan, guint n, const OclRun * run,
    GError ** error)
{
  for (guint i = 0; i < plan->n_steps; i++) {
    const OclStep *step = &plan->steps[i];
    OclRun step_run = *run;

    step_run.pass = &step->pass;
    step_run.derived = step->derived;
    if (n < step->n_pictures
        && !ocl_kernels_enqueue (step->kernels, &step_run, error))
      return FALSE;
  }
  return TRUE;
}

/* Enqueues @plan on frames that variants can take without a copy. */
static gboolean
ocl_operation_enqueue_pictures (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  if (!ocl_operation_enqueue_carried (self, plan, run, error))
    return FALSE;
  if (plan->n_pictures == 1)
    return enqueue_steps (plan, 0, run, error);

  for (guint field = 0; field < plan->n_pictures; field++) {
    const OclFrame input = ocl_frame_get_field (run->input, field);
    const OclFrame output = ocl_frame_get_field (run->output, field);
    OclRun picture = *run;

    picture.input = &input;
    picture.output = &output;
    if (!enqueue_steps (plan, field, &picture, error))
      return FALSE;
  }
  return TRUE;
}

/* Copies the input image to buffers, enqueues @plan on buffers, and copies the
 * output, if any, back to the output image. */
static gboolean
ocl_operation_enqueue_copied (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  OclRun copied = *run;

  copied.input = &self->input_copy;
  if (!ocl_frame_ensure (&self->input_copy, self->context, OCL_STORAGE_BUFFER,
          run->input, error)
      || !ocl_frame_enqueue_copy (self->context, run->input,
          &self->input_copy, run->timer, error))
    return FALSE;
  if (!run->output)
    return ocl_operation_enqueue_pictures (self, plan, &copied, error);

  copied.output = &self->output_copy;
  return ocl_frame_ensure (&self->output_copy, self->context,
      OCL_STORAGE_BUFFER, run->output, error)
      && ocl_operation_enqueue_pictures (self, plan, &copied, error)
      && ocl_frame_enqueue_copy (self->context, &self->output_copy,
      run->output, run->timer, error);
}

gboolean
ocl_operation_enqueue (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  g_assert (!ocl_operation_class_is_neutral (self->klass, run->params));
  g_assert (!run->input || ocl_plan_is_for (plan, run->input));
  g_assert (!run->output || ocl_plan_is_for (plan, run->output));
  return plan->copied ? ocl_operation_enqueue_copied (self, plan, run, error)
      : ocl_operation_enqueue_pictures (self, plan, run, error);
}
