/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperation.h"

#include <string.h>

#include "oclplanner.h"

/* A frame is one picture, or two fields. The results of both kinds of frames
 * are kept apart, because a result may follow from the one before it. */
#define N_RESULTS 3

/* A need: the operation whose result is needed, and its results: of whole
 * frames, and of each field. */
typedef struct
{
  const OclNeed *need;
  OclOperation *operation;
  gpointer params;
  OclPlan *plan;                /* or NULL if the result is not needed now */
  OclResult results[N_RESULTS];
  gboolean is_valid[N_RESULTS]; /* the last picture had this result, too */
  guint first;                  /* of the first picture of the last frame */
} Needed;

struct _OclOperation
{
  const OclOperationClass *klass;
  OclContext *context;
  OclPlanner *planner;          /* owned */
  OclFrame input_copy;          /* of images, for variants without them */
  OclFrame output_copy;
  OclHistory history;
  Needed needed[OCL_MAX_NEEDS];
  guint n_needed;
  guint64 n_enqueued;           /* frames */
};

static void
ocl_operation_init_needs (OclOperation * self)
{
  const OclNeed *needs = self->klass->needs;

  for (guint i = 0; needs && needs[i].klass; i++) {
    Needed *needed = &self->needed[self->n_needed++];

    needed->need = &needs[i];
    needed->operation = ocl_operation_new (needs[i].klass, self->context);
    needed->params = ocl_operation_class_create_params (needs[i].klass);
  }
}

OclOperation *
ocl_operation_new (const OclOperationClass * klass, OclContext * context)
{
  OclOperation *self = g_new0 (OclOperation, 1);

  self->klass = klass;
  self->context = ocl_context_ref (context);
  self->planner = ocl_planner_new (klass, context);
  ocl_operation_init_needs (self);
  return self;
}

void
ocl_operation_free (OclOperation * self)
{
  for (guint i = 0; i < self->n_needed; i++) {
    Needed *needed = &self->needed[i];

    ocl_plan_set (&needed->plan, NULL);
    ocl_operation_free (needed->operation);
    g_free (needed->params);
    for (guint n = 0; n < G_N_ELEMENTS (needed->results); n++)
      ocl_result_clear (&needed->results[n], self->context);
  }
  ocl_planner_free (self->planner);
  ocl_history_clear (&self->history);
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
ocl_operation_set_uses_database (OclOperation * self, gboolean uses)
{
  ocl_planner_set_uses_database (self->planner, uses);
  for (guint i = 0; i < self->n_needed; i++)
    ocl_operation_set_uses_database (self->needed[i].operation, uses);
}

void
ocl_operation_force (OclOperation * self, const OclVariant * variant,
    const OclTuning * tuning)
{
  ocl_planner_force (self->planner, variant, tuning);
  for (guint i = 0; i < self->n_needed; i++) {
    Needed *needed = &self->needed[i];

    ocl_operation_force (needed->operation, variant
        ? ocl_operation_class_find_variant (needed->need->klass, variant->name)
        : NULL, NULL);
  }
}

void
ocl_operation_forget (OclOperation * self)
{
  ocl_history_forget (&self->history);
}

/* Makes the results of the next pictures independent of the results now. */
static void
ocl_operation_forget_results (OclOperation * self)
{
  for (guint i = 0; i < self->n_needed; i++)
    memset (self->needed[i].is_valid, 0, sizeof (self->needed[i].is_valid));
}

OclResult *
ocl_operation_find_needed (OclOperation * self, const OclOperationClass * klass)
{
  for (guint i = 0; i < self->n_needed; i++) {
    if (self->needed[i].need->klass == klass && self->needed[i].plan)
      return &self->needed[i].results[self->needed[i].first];
  }
  return NULL;
}

guint
ocl_operation_count_kept (OclOperation * self)
{
  guint n = 0;

  while (ocl_history_find (&self->history, n))
    n++;
  return n;
}

OclFrame
ocl_operation_get_kept (OclOperation * self, guint age, gboolean interlaced)
{
  const OclPicture kept = ocl_history_get (&self->history, age, interlaced);

  g_assert (kept.serial != 0);
  return kept.frame;
}

/* Makes a plan for the result that @needed is about, if it is needed for frames
 * like @frame, which the operation gets in buffers. */
static gboolean
plan_need (Needed * needed, const OclFrame * frame, gconstpointer params,
    GError ** error)
{
  const OclNeed *need = needed->need;
  OclFrame copy = ocl_frame_describe_copy (frame);
  g_autoptr (OclPlan) plan = NULL;

  copy.format = ocl_format_get_memory (copy.format);
  ocl_plan_set (&needed->plan, NULL);
  if (!need->is_needed (params)) {
    memset (needed->is_valid, 0, sizeof (needed->is_valid));
    return TRUE;
  }
  if (need->set_params)
    need->set_params (needed->params, params);
  plan = ocl_operation_get_plan (needed->operation, &copy, needed->params,
      error);
  ocl_plan_set (&needed->plan, plan);
  return plan != NULL;
}

static gboolean
ocl_operation_plan_needs (OclOperation * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  for (guint i = 0; i < self->n_needed; i++) {
    if (!plan_need (&self->needed[i], frame, params, error))
      return FALSE;
  }
  return TRUE;
}

OclPlan *
ocl_operation_get_plan (OclOperation * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  return ocl_operation_plan_needs (self, frame, params, error)
      ? ocl_planner_get_plan (self->planner, frame, params, error) : NULL;
}

gboolean
ocl_operation_is_ready (OclOperation * self, const OclFrame * frame,
    gconstpointer params)
{
  return ocl_planner_is_ready (self->planner, frame, params);
}

gboolean
ocl_operation_takes_images (OclOperation * self, const OclFrame * frame,
    gconstpointer params)
{
  return ocl_planner_takes_images (self->planner, frame, params);
}

GError *
ocl_operation_take_warning (OclOperation * self)
{
  return ocl_planner_take_warning (self->planner);
}

/* Returns whether the output needs a copy of the input's plane. In a chain
 * both may be one plane, or have different components, which the chain
 * converts. */
static gboolean
is_copied (const OclPlan * plan, const OclRun * run, guint plane)
{
  return plan->carried[plane]
      && run->input->planes[plane].memory != run->output->planes[plane].memory
      && run->input->format->is_float == run->output->format->is_float;
}

/* Copies the planes that no step writes from the input to the output. */
static gboolean
ocl_operation_enqueue_carried (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  for (guint plane = 0; plane < OCL_MAX_PLANES; plane++) {
    if (is_copied (plan, run, plane)
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

/* Enqueues everything that computes result @n of @needed. */
static gboolean
ocl_operation_enqueue_need (OclOperation * self, Needed * needed, guint n,
    const OclRun * run, GError ** error)
{
  const OclOperationClass *klass = needed->need->klass;
  const OclPlan *plan = needed->plan;
  OclRun own = *run;

  own.params = needed->params;
  own.output = NULL;
  own.result = &needed->results[n];
  own.is_first = run->is_first || !needed->is_valid[n];
  needed->is_valid[n] = FALSE;
  if (!ocl_memory_ensure (&own.result->device, self->context,
          ocl_operation_class_get_result_size (klass, run->input), error))
    return FALSE;
  for (guint i = 0; i < plan->n_steps; i++) {
    own.pass = &plan->steps[i].pass;
    own.derived = plan->steps[i].derived;
    if (ocl_run_get_height (&own) > 0
        && !ocl_kernels_enqueue (plan->steps[i].kernels, &own, error))
      return FALSE;
  }
  needed->is_valid[n] = TRUE;
  return TRUE;
}

/* Enqueues @plan on picture @n of a frame. The frames of @run are this
 * picture. */
static gboolean
ocl_operation_enqueue_picture (OclOperation * self, const OclPlan * plan,
    guint n, const OclRun * run, GError ** error)
{
  const guint result = plan->n_pictures > 1 ? 1 + n : 0;
  OclResult *needed[OCL_MAX_NEEDS] = { NULL, };
  OclRun picture = *run;

  /* A frame of one row has an empty second field. */
  if (run->input && run->input->height == 0)
    return TRUE;
  picture.needed = needed;
  for (guint i = 0; i < self->n_needed; i++) {
    if (!self->needed[i].plan)
      continue;
    if (!ocl_operation_enqueue_need (self, &self->needed[i], result, &picture,
            error))
      return FALSE;
    self->needed[i].first = MIN (result, 1);
    needed[i] = &self->needed[i].results[result];
  }
  return enqueue_steps (plan, n, &picture, error);
}

/* Enqueues @plan on field @n of the frame of @run. */
static gboolean
ocl_operation_enqueue_field (OclOperation * self, const OclPlan * plan,
    guint n, const OclRun * run, GError ** error)
{
  const OclPicture whole = {.frame = *run->input,.serial = run->serial };
  const OclPicture input = ocl_picture_get_field (&whole, n);
  const OclFrame output = ocl_frame_get_field (run->output, n);
  OclPicture neighbours[OCL_MAX_NEIGHBOURS];
  OclRun field = *run;

  for (guint i = 0; i < run->n_earlier + run->n_later; i++)
    neighbours[i] = ocl_picture_get_field (&run->neighbours[i], n);
  field.input = &input.frame;
  field.serial = input.serial;
  field.output = &output;
  field.neighbours = neighbours;
  return ocl_operation_enqueue_picture (self, plan, n, &field, error);
}

/* Enqueues @plan on frames that variants can take without a copy. */
static gboolean
ocl_operation_enqueue_pictures (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  if (!ocl_operation_enqueue_carried (self, plan, run, error))
    return FALSE;
  if (plan->n_pictures == 1)
    return ocl_operation_enqueue_picture (self, plan, 0, run, error);
  for (guint field = 0; field < plan->n_pictures; field++) {
    if (!ocl_operation_enqueue_field (self, plan, field, run, error))
      return FALSE;
  }
  return TRUE;
}

/* Enqueues @plan with the input in buffers. If @plan copies images, copies the
 * output, if any, back to the output image. */
static gboolean
ocl_operation_enqueue_buffers (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  const OclFrame *output = run->output;
  OclRun copied = *run;

  if (!output || !plan->copied)
    return ocl_operation_enqueue_pictures (self, plan, run, error);
  copied.output = &self->output_copy;
  return ocl_frame_ensure (&self->output_copy, self->context,
      OCL_STORAGE_BUFFER, output, error)
      && ocl_operation_enqueue_pictures (self, plan, &copied, error)
      && ocl_frame_enqueue_copy (self->context, &self->output_copy,
      output, run->timer, error);
}

/* Copies the input image to buffers, and enqueues @plan on the copy. */
static gboolean
ocl_operation_enqueue_copied (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  OclRun copied = *run;

  copied.input = &self->input_copy;
  return ocl_frame_ensure (&self->input_copy, self->context,
      OCL_STORAGE_BUFFER, run->input, error)
      && ocl_frame_enqueue_copy (self->context, run->input,
      &self->input_copy, run->timer, error)
      && ocl_operation_enqueue_buffers (self, plan, &copied, error);
}

/* Sets @neighbours to the pictures around the one that @run filters. */
static void
ocl_operation_find_neighbours (OclOperation * self, const OclRun * run,
    gboolean interlaced, OclPicture neighbours[OCL_MAX_NEIGHBOURS])
{
  for (guint i = 0; i < run->n_earlier; i++)
    neighbours[i] =
        ocl_history_get (&self->history, run->age + 1 + i, interlaced);
  for (guint i = 0; i < run->n_later; i++)
    neighbours[run->n_earlier + i] = ocl_history_get (&self->history,
        (gint) run->age - 1 - (gint) i, interlaced);
}

/* Enqueues @plan on a frame of the history. */
static gboolean
ocl_operation_enqueue_kept (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  const OclNeighbours asked = self->klass->get_neighbours (run->params);
  const gboolean interlaced = run->output->interlaced;
  const OclPicture current =
      ocl_history_get (&self->history, run->age, interlaced);
  OclPicture neighbours[OCL_MAX_NEIGHBOURS];
  OclRun kept = *run;

  g_assert (current.serial != 0);
  /* The needs of the frame that was planned last may be others. */
  if (!ocl_operation_plan_needs (self, &current.frame, run->params, error))
    return FALSE;
  kept.input = &current.frame;
  kept.serial = current.serial;
  kept.n_earlier = asked.n_earlier;
  kept.n_later = asked.n_later;
  ocl_operation_find_neighbours (self, &kept, interlaced, neighbours);
  kept.neighbours = neighbours;
  kept.is_first = self->history.n_pushed == run->age + 1;
  if (kept.is_first)
    ocl_operation_forget_results (self);
  return ocl_operation_enqueue_buffers (self, plan, &kept, error);
}

/* Copies the input, if there is one, to the history, and enqueues @plan, if
 * there is an output. */
static gboolean
ocl_operation_enqueue_with_history (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  return (!run->input
      || ocl_history_push (&self->history, self->context, run->input,
          self->klass->get_neighbours (run->params), run->timer, error))
      && (!run->output || ocl_operation_enqueue_kept (self, plan, run, error));
}

/* A frame is on its way: nothing waits for a compiler any more. After a single
 * frame there may be no other, and a stop would wait for the builders. */
static void
ocl_operation_start_builders (OclOperation * self)
{
  ocl_planner_start_builder (self->planner);
  for (guint i = 0; i < self->n_needed; i++)
    ocl_operation_start_builders (self->needed[i].operation);
}

static gboolean
ocl_operation_enqueue_frame (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  g_assert (!ocl_operation_class_is_neutral (self->klass, run->params));
  g_assert (!run->output || ocl_plan_makes (plan, run->output));
  if (ocl_operation_class_keeps_frames (self->klass, run->params)) {
    if (ocl_operation_enqueue_with_history (self, plan, run, error))
      return TRUE;
    /* A part of the commands may be missing. */
    ocl_operation_forget (self);
    return FALSE;
  }
  g_assert (!run->input || ocl_plan_is_for (plan, run->input));
  return plan->copied ? ocl_operation_enqueue_copied (self, plan, run, error)
      : ocl_operation_enqueue_pictures (self, plan, run, error);
}

gboolean
ocl_operation_enqueue (OclOperation * self, const OclPlan * plan,
    const OclRun * run, GError ** error)
{
  const gboolean ok = ocl_operation_enqueue_frame (self, plan, run, error);

  if (self->n_enqueued++ > 0)
    ocl_operation_start_builders (self);
  return ok;
}
