/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclplanner.h"

#include <string.h>

#include "oclinstances.h"

/* A pass may get the variant that the class chooses, the one that suits the
 * device, or the plain one. */
#define N_CHOICES 3

/* The planner remembers this many plans: mixed streams need two, and a change
 * of settings may be taken back. */
#define N_REMEMBERED 4

/* The planner keeps this many instances that no remembered plan has, because a
 * change of settings may be taken back, and compilers take long: as many as the
 * denoiser has for frames of one format, with any history, lookahead and curve,
 * for luma and for chroma. */
#define N_KEPT 60

typedef struct
{
  OclPlan *plan;                /* owned, or NULL */
  gpointer key;                 /* owned; see OclOperationClass */
  guint generation;             /* of the instances when it was decided */
} Remembered;

/* A question asks for the plan for @frame and @params. Each pass has its
 * choices of variants, the best one first. Several choices may be the same
 * variant. */
typedef struct
{
  const OclFrame *frame;
  gconstpointer params;
  OclFrame copy;                /* what variants get if @frame is copied */
  OclPass passes[OCL_MAX_PASSES];
  const OclVariant *choices[OCL_MAX_PASSES][N_CHOICES];
  guint n_passes;
  gboolean is_new;              /* whether anything had to be built */
} Question;

struct _OclPlanner
{
  const OclOperationClass *klass;
  OclContext *context;
  const OclVariant *forced;     /* or NULL */
  OclTuning tuning;             /* of @forced */
  gboolean has_tuning;
  gboolean uses_database;
  OclInstances *instances;      /* owned */
  gpointer key;                 /* owned; of the current question */
  Remembered remembered[N_REMEMBERED];  /* most recently used first */
};

OclPlanner *
ocl_planner_new (const OclOperationClass * klass, OclContext * context)
{
  OclPlanner *self = g_new0 (OclPlanner, 1);

  self->klass = klass;
  self->context = ocl_context_ref (context);
  self->instances = ocl_instances_new (klass, context);
  self->uses_database = TRUE;
  self->key = g_malloc0 (klass->params_size);
  for (guint i = 0; i < N_REMEMBERED; i++)
    self->remembered[i].key = g_malloc0 (klass->params_size);
  return self;
}

void
ocl_planner_free (OclPlanner * self)
{
  ocl_instances_free (self->instances);
  for (guint i = 0; i < N_REMEMBERED; i++) {
    g_clear_pointer (&self->remembered[i].plan, ocl_plan_unref);
    g_free (self->remembered[i].key);
  }
  g_free (self->key);
  ocl_context_unref (self->context);
  g_free (self);
}

void
ocl_planner_force (OclPlanner * self, const OclVariant * variant,
    const OclTuning * tuning)
{
  self->forced = variant;
  self->has_tuning = tuning != NULL;
  if (tuning)
    self->tuning = *tuning;
}

void
ocl_planner_set_uses_database (OclPlanner * self, gboolean uses)
{
  self->uses_database = uses;
}

/* Returns the flag of the variants that suit the device. */
static OclVariantFlags
ocl_planner_get_suiting (OclPlanner * self)
{
  return self->context->device->type & CL_DEVICE_TYPE_CPU
      ? OCL_VARIANT_FOR_CPU : OCL_VARIANT_FOR_GPU;
}

/* Returns whether programs are built while frames flow. Not on a CPU: its
 * compiler works in the threads that run kernels, and would hold up the
 * frames. */
static gboolean
ocl_planner_builds_later (OclPlanner * self)
{
  return !(self->context->device->type & CL_DEVICE_TYPE_CPU);
}

static const OclVariant *
ocl_planner_find_suitable (OclPlanner * self, gconstpointer params,
    const OclFrame * frame, const OclPass * pass)
{
  const OclVariantFlags unwanted = OCL_VARIANT_APPROXIMATE
      | (frame->storage == OCL_STORAGE_BUFFER ? 0 : OCL_VARIANT_SLOW_IN_IMAGES);

  for (guint i = 0; self->klass->variants[i]; i++) {
    const OclVariant *variant = self->klass->variants[i];

    if (variant->flags & ocl_planner_get_suiting (self)
        && !(variant->flags & unwanted)
        && ocl_variant_can_serve (variant, params, frame->format, pass))
      return variant;
  }
  return self->klass->variants[0];
}

static void
ocl_planner_get_choices (OclPlanner * self, const OclFrame * frame,
    const OclPass * pass, gconstpointer params,
    const OclVariant * choices[N_CHOICES])
{
  if (self->forced) {
    for (guint i = 0; i < N_CHOICES; i++)
      choices[i] = self->forced;
    return;
  }

  const OclVariant *chosen = self->klass->choose
      ? self->klass->choose (params, frame->format, pass, self->context->device)
      : NULL;
  choices[1] = ocl_planner_find_suitable (self, params, frame, pass);
  choices[0] = chosen ? chosen : choices[1];
  choices[2] = self->klass->variants[0];
}

static void
ocl_planner_init_question (OclPlanner * self, const OclFrame * frame,
    gconstpointer params, Question * question)
{
  question->frame = frame;
  question->params = params;
  question->copy = ocl_frame_describe_copy (frame);
  question->n_passes = ocl_operation_class_get_passes (self->klass, params,
      frame->format, question->passes);
  for (guint i = 0; i < question->n_passes; i++)
    ocl_planner_get_choices (self, frame, &question->passes[i], params,
        question->choices[i]);
}

/* Returns the form of @variant that serves most parameters. */
static guint
get_general_form (const OclVariant * variant, gconstpointer params,
    const OclFormat * format)
{
  guint forms[OCL_MAX_FORMS];
  const guint n_forms = ocl_variant_get_forms (variant, params, format, forms);

  return forms[n_forms - 1];
}

/* Returns what @form of @variant is built for with its default settings. */
static OclBuild
ocl_planner_get_default_build (OclPlanner * self, const OclVariant * variant,
    guint form, const OclFrame * frame, const OclPass * pass)
{
  OclBuild build = {.format = frame->format,.storage = frame->storage,
    .pass = *pass,.form = form
  };

  if (self->has_tuning)
    build.tuning = self->tuning;
  else
    ocl_tuning_init (&build.tuning, variant->tunables);
  return build;
}

/* Returns what @form of @variant is built for: with the settings of the
 * database, or with its default ones if there are none, or if they could not be
 * built. Those of a text are not in it, nor those of formats between
 * operations. */
static OclBuild
ocl_planner_get_build (OclPlanner * self, const OclVariant * variant,
    guint form, const OclFrame * frame, const OclPass * pass,
    gconstpointer params)
{
  const OclOperationClass *klass = self->klass;
  const OclBuild build =
      ocl_planner_get_default_build (self, variant, form, frame, pass);
  const OclDatabaseKey key = ocl_operation_class_get_database_key (klass,
      variant, form, frame, pass, params);
  OclBuild stored = build;
  const OclInstance *instance;

  stored.is_stored = self->uses_database && !self->forced && variant->source
      && variant->tunables && !(klass->flags & OCL_OPERATION_IS_TEXT)
      && ocl_format_find (frame->format->name) == frame->format
      && ocl_database_find (self->context->database, &key, variant->tunables,
      &stored.tuning);
  if (!stored.is_stored)
    return build;
  instance = ocl_instances_find (self->instances, variant, &stored);
  return instance && !instance->kernels ? build : stored;
}

/* Returns the best variant for pass @n that is not known to fail. */
static const OclVariant *
ocl_planner_find_best (OclPlanner * self, const Question * question, guint n)
{
  const OclVariant *const *choices = question->choices[n];

  for (guint i = 0; i < N_CHOICES - 1; i++) {
    const OclFrame *frame = choices[i]->flags & OCL_VARIANT_BUFFERS_ONLY
        ? &question->copy : question->frame;
    const OclBuild build = ocl_planner_get_build (self, choices[i],
        get_general_form (choices[i], question->params, frame->format), frame,
        &question->passes[n], question->params);
    const OclInstance *instance =
        ocl_instances_find (self->instances, choices[i], &build);

    if (!instance || instance->kernels)
      return choices[i];
  }
  return choices[N_CHOICES - 1];
}

/* Returns whether images must be copied to buffers: if one pass needs a copy,
 * all passes use it. An operation without an input changes only a part of its
 * output, and copies no more than this part. Earlier frames are in buffers. */
static gboolean
ocl_planner_takes_buffers (OclPlanner * self, const Question * question)
{
  const OclFrame *frame = question->frame;

  if (frame->storage == OCL_STORAGE_BUFFER
      || !(self->klass->flags & OCL_OPERATION_READS))
    return FALSE;
  if (frame->format->buffers_only
      || ocl_operation_class_keeps_frames (self->klass, question->params)
      || (frame->interlaced && ocl_operation_class_filters (self->klass)))
    return TRUE;
  for (guint i = 0; i < question->n_passes; i++) {
    if (ocl_planner_find_best (self, question, i)->flags
        & OCL_VARIANT_BUFFERS_ONLY)
      return TRUE;
  }
  return FALSE;
}

/* Returns the built program of @variant that serves @params best. Faster
 * programs are built in the meantime. If the variant is forced, this function
 * waits for them. */
static const OclInstance *
ocl_planner_get_fastest (OclPlanner * self, const OclVariant * variant,
    const OclFrame * frame, const OclPass * pass, gconstpointer params)
{
  guint forms[OCL_MAX_FORMS];
  const guint n_forms =
      ocl_variant_get_forms (variant, params, frame->format, forms);
  const OclInstance *instance = NULL;

  for (guint i = 0; i < n_forms && !(instance && instance->kernels); i++) {
    const OclBuild build = ocl_planner_get_build (self, variant, forms[i],
        frame, pass, params);

    instance = ocl_instances_find (self->instances, variant, &build);
    if (instance || i == n_forms - 1)
      continue;
    if (self->forced)
      instance = ocl_instances_build (self->instances, variant, &build, frame,
          params, FALSE, NULL);
    else if (ocl_planner_builds_later (self))
      ocl_instances_build_later (self->instances, variant, &build, frame,
          params);
  }
  return instance;
}

/* Returns the instance of @variant, if it is built. If the settings of the
 * database are not built yet, the default ones serve until the builder thread
 * has built them. */
static const OclInstance *
ocl_planner_find_general (OclPlanner * self, const OclVariant * variant,
    const OclBuild * build, const OclFrame * frame, gconstpointer params)
{
  const OclInstance *instance =
      ocl_instances_find (self->instances, variant, build);

  if (instance || !build->is_stored || !ocl_planner_builds_later (self))
    return instance;
  const OclBuild plain = ocl_planner_get_default_build (self, variant,
      build->form, frame, &build->pass);
  instance = ocl_instances_find (self->instances, variant, &plain);
  if (instance && instance->kernels)
    ocl_instances_build_later (self->instances, variant, build, frame, params);
  return instance && instance->kernels ? instance : NULL;
}

/* Returns the instance of @variant for pass @n in its general form. Builds it
 * if there is none that can serve. If the settings of the database cannot be
 * built, the default ones are. If the variant @is_last, it is tried again. */
static const OclInstance *
ocl_planner_ensure_general (OclPlanner * self, Question * question, guint n,
    const OclVariant * variant, const OclFrame * frame, gboolean is_last,
    GError ** error)
{
  const guint form =
      get_general_form (variant, question->params, frame->format);
  const OclInstance *instance;
  gboolean is_stored;

  do {
    const OclBuild build = ocl_planner_get_build (self, variant, form, frame,
        &question->passes[n], question->params);
    const gboolean needed = is_last && !build.is_stored;

    is_stored = build.is_stored;
    instance = ocl_planner_find_general (self, variant, &build, frame,
        question->params);
    if (!instance || (!instance->kernels && needed)) {
      question->is_new = TRUE;
      instance = ocl_instances_build (self->instances, variant, &build, frame,
          question->params, needed, needed ? error : NULL);
    }
  } while (!instance->kernels && is_stored);
  return instance;
}

/* Returns whether the settings of @kernels are those of the database for
 * @frame. */
static gboolean
ocl_planner_is_stored (OclPlanner * self, const OclKernels * kernels,
    const OclFrame * frame, gconstpointer params)
{
  const OclBuild build = ocl_planner_get_build (self, kernels->variant,
      kernels->build.form, frame, &kernels->build.pass, params);

  return build.is_stored && memcmp (&build.tuning, &kernels->build.tuning,
      sizeof (build.tuning)) == 0;
}

/* Sets @step for pass @n of @question. @frame is the frame that variants get:
 * the original frame, or its copy. */
static gboolean
ocl_planner_decide_step (OclPlanner * self, Question * question, guint n,
    const OclFrame * frame, OclStep * step, GError ** error)
{
  const OclVariant *const *choices = question->choices[n];
  const OclPass *pass = &question->passes[n];
  gboolean is_last = FALSE;
  const OclInstance *instance = NULL;

  for (guint i = 0; !(instance && instance->kernels) && !is_last; i++) {
    is_last = choices[i] == choices[N_CHOICES - 1];
    instance = ocl_planner_ensure_general (self, question, n, choices[i], frame,
        is_last, error);
    if (!instance->kernels && !is_last)
      ocl_instances_warn (self->instances, choices[i]);
  }
  g_assert (instance);
  if (!instance->kernels)
    return FALSE;
  const OclInstance *fastest = ocl_planner_get_fastest (self,
      instance->variant, frame, pass, question->params);
  step->pass = *pass;
  step->kernels = fastest && fastest->kernels ? fastest->kernels
      : instance->kernels;
  step->is_stored = ocl_planner_is_stored (self, step->kernels, frame,
      question->params);
  return TRUE;
}

/* Returns whether @variant suits the device and takes frames like @frame. */
static gboolean
ocl_planner_suits (OclPlanner * self, const OclVariant * variant,
    const OclFrame * frame)
{
  return variant->flags & ocl_planner_get_suiting (self)
      && (frame->storage == OCL_STORAGE_BUFFER
      || !(variant->flags & (OCL_VARIANT_BUFFERS_ONLY
              | OCL_VARIANT_SLOW_IN_IMAGES)));
}

/* Builds the variants that suit the device, for @pass and @params that frames
 * may get later. */
static void
ocl_planner_prepare_pass (OclPlanner * self, const OclFrame * frame,
    const OclPass * pass, gconstpointer params)
{
  for (guint i = 0; self->klass->variants[i]; i++) {
    const OclVariant *variant = self->klass->variants[i];

    if (!ocl_planner_suits (self, variant, frame)
        || !ocl_variant_can_serve (variant, params, frame->format, pass))
      continue;
    const guint form = get_general_form (variant, params, frame->format);
    OclBuild build =
        ocl_planner_get_default_build (self, variant, form, frame, pass);

    if (ocl_planner_builds_later (self)) {
      ocl_instances_build_later (self->instances, variant, &build, frame,
          params);
    } else {
      build = ocl_planner_get_build (self, variant, form, frame, pass, params);
      ocl_instances_build (self->instances, variant, &build, frame, params,
          FALSE, NULL);
    }
  }
}

static gboolean
has_pass (const Question * question, const OclPass * pass)
{
  for (guint i = 0; i < question->n_passes; i++) {
    if (ocl_pass_equals (&question->passes[i], pass))
      return TRUE;
  }
  return FALSE;
}

/* Builds the variants that frames need with each set of the class's warm-up
 * parameters, so that frames do not wait for a compiler when parameters change.
 * If the variants are built before the first frame, they are built only for the
 * passes of the question. */
static void
ocl_planner_prepare_others (OclPlanner * self, const Question * question,
    const OclFrame * frame)
{
  g_autofree gpointer params = ocl_operation_class_create_params (self->klass);

  for (guint n = 0;
      ocl_operation_class_get_warm_up (self->klass, n, params); n++) {
    OclPass others[OCL_MAX_PASSES];
    guint n_others = ocl_operation_class_get_passes (self->klass, params,
        frame->format, others);

    for (guint i = 0; i < n_others; i++) {
      if (ocl_planner_builds_later (self) || has_pass (question, &others[i]))
        ocl_planner_prepare_pass (self, frame, &others[i], params);
    }
  }
}

/* Lets the builder thread build the variants that check texts, on devices that
 * have other variants. */
static void
ocl_planner_check_text (OclPlanner * self, const Question * question)
{
  for (guint i = 0; self->klass->variants[i]; i++) {
    const OclVariant *variant = self->klass->variants[i];

    if (variant->flags & OCL_VARIANT_CHECKS_TEXT
        && !(variant->flags & ocl_planner_get_suiting (self))
        && ocl_variant_can_serve (variant, question->params,
            question->copy.format, &question->passes[0])) {
      const OclBuild build = ocl_planner_get_default_build (self, variant,
          get_general_form (variant, question->params, question->copy.format),
          &question->copy, &question->passes[0]);

      ocl_instances_build_later (self->instances, variant, &build,
          &question->copy, question->params);
    }
  }
}

/* Decides all steps of @plan. @frame is the frame that variants get: the
 * original frame, or its copy. */
static gboolean
ocl_planner_decide_steps (OclPlanner * self, Question * question,
    const OclFrame * frame, OclPlan * plan, GError ** error)
{
  question->is_new = FALSE;
  for (guint i = 0; i < question->n_passes; i++) {
    if (!ocl_planner_decide_step (self, question, i, frame, &plan->steps[i],
            error))
      return FALSE;
  }
  plan->n_steps = question->n_passes;
  if (question->is_new && !self->forced) {
    ocl_planner_check_text (self, question);
    ocl_planner_prepare_others (self, question, frame);
  }
  return TRUE;
}

/* Returns whether one of the passes writes all of a plane. A pass over red,
 * green and blue writes alpha, too. */
static gboolean
is_written (const Question * question, guint plane)
{
  const OclFormat *format = question->frame->format;

  for (guint i = 0; i < question->n_passes; i++) {
    const OclPass *pass = &question->passes[i];
    guint n = 0;

    for (guint j = 0; j < pass->n_channels; j++)
      n += format->channels[pass->first_channel + j].plane == plane;
    if (n == OCL_MAX_PASS_CHANNELS || n * ocl_format_get_block (format, plane)
        == format->planes[plane].n_components)
      return TRUE;
  }
  return FALSE;
}

/* Returns how many fields of @frame have samples of @pass. If the frame has few
 * rows, the second field may have none. */
static guint
count_fields (const OclFrame * frame, const OclPass * pass)
{
  const OclFrame second = ocl_frame_get_field (frame, 1);

  return ocl_pass_get_height (pass, &second) > 0 ? 2 : 1;
}

/* Sets the members of @plan that follow from the steps and from the frame. */
static void
ocl_planner_complete (OclPlanner * self, const Question * question,
    OclPlan * plan)
{
  const gboolean filters = ocl_operation_class_filters (self->klass);
  const OclFrame *frame = plan->copied ? &question->copy : question->frame;

  plan->n_pictures = filters && ocl_frame_has_fields (frame) ? 2 : 1;
  for (guint i = 0; i < plan->n_steps; i++)
    plan->steps[i].n_pictures = plan->n_pictures == 1 ? 1
        : count_fields (frame, &plan->steps[i].pass);
  for (guint i = 0; filters && i < frame->format->n_planes; i++)
    plan->carried[i] = !is_written (question, i);
}

static gboolean
ocl_planner_decide (OclPlanner * self, const OclFrame * frame,
    gconstpointer params, OclPlan * plan, GError ** error)
{
  Question question;

  memset (plan, 0, sizeof (*plan));
  plan->frame = *frame;
  plan->plain = self->klass->variants[0];
  ocl_planner_init_question (self, frame, params, &question);
  /* If a variant for buffers fails, a variant for images may serve. */
  do {
    plan->copied = ocl_planner_takes_buffers (self, &question);
    if (!ocl_planner_decide_steps (self, &question,
            plan->copied ? &question.copy : frame, plan, error))
      return FALSE;
  } while (plan->copied && !ocl_planner_takes_buffers (self, &question));
  ocl_planner_complete (self, &question, plan);
  g_debug ("plan %s for %s %dx%d: %s%s", self->klass->name,
      frame->format->name, frame->width, frame->height,
      ocl_plan_get_variant (plan)->name, plan->copied ? ", copied" : "");
  return TRUE;
}

/* Returns whether @remembered is for frames of the kind of @frame and for the
 * current key. */
static gboolean
ocl_planner_is_found (OclPlanner * self, const Remembered * remembered,
    const OclFrame * frame)
{
  const OclPlan *plan = remembered->plan;
  const gsize key_size = self->klass->params_size;

  return plan && ocl_plan_is_for (plan, frame)
      && plan->frame.bytes_swapped == frame->bytes_swapped
      && (key_size == 0 || memcmp (remembered->key, self->key, key_size) == 0);
}

/* Moves the plan that is remembered for @frame and the current key to the
 * front, and returns TRUE. If there is no such plan, moves the least recently
 * used entry to the front, and returns FALSE. */
static gboolean
ocl_planner_look_up (OclPlanner * self, const OclFrame * frame)
{
  Remembered *all = self->remembered;
  guint n = 0;

  while (n < N_REMEMBERED && !ocl_planner_is_found (self, &all[n], frame))
    n++;
  const guint place = MIN (n, N_REMEMBERED - 1);
  const Remembered first = all[place];

  memmove (all + 1, all, place * sizeof (*all));
  all[0] = first;
  return n < N_REMEMBERED;
}

/* Replaces the plan at the front by @decided. */
static void
ocl_planner_remember (OclPlanner * self, OclPlan * decided,
    gconstpointer params, guint generation)
{
  Remembered *first = &self->remembered[0];

  for (guint i = 0; i < decided->n_steps; i++)
    decided->steps[i].derived = ocl_operation_class_derive (self->klass, params,
        &decided->steps[i].pass);
  g_clear_pointer (&first->plan, ocl_plan_unref);
  first->plan = ocl_plan_new (decided);
  first->generation = generation;
  if (self->klass->params_size)
    memcpy (first->key, self->key, self->klass->params_size);
}

OclPlan *
ocl_planner_get_plan (OclPlanner * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  /* The next plan is decided anew if a program is ready after this. */
  const guint generation = ocl_instances_get_generation (self->instances);
  Remembered *first = &self->remembered[0];
  OclPlan decided;

  ocl_operation_class_get_plan_key (self->klass, params, self->key);
  const gboolean is_known = ocl_planner_look_up (self, frame);

  if (is_known && first->generation == generation)
    return ocl_plan_ref (first->plan);
  if (!is_known && self->klass->flags & OCL_OPERATION_IS_TEXT)
    ocl_instances_drop_unused (self->instances, NULL, 0);
  else if (!is_known)
    ocl_instances_drop_unused (self->instances, frame->format, N_KEPT);
  if (!ocl_planner_decide (self, frame, params, &decided, error))
    return NULL;
  if (is_known && ocl_plan_equals (first->plan, &decided))
    first->generation = generation;
  else
    ocl_planner_remember (self, &decided, params, generation);
  return ocl_plan_ref (first->plan);
}

/* Returns whether the best variant for pass @n is built. If it is not, the
 * builder thread builds it. */
static gboolean
ocl_planner_has_built (OclPlanner * self, const Question * question, guint n)
{
  const OclVariant *variant = ocl_planner_find_best (self, question, n);
  const OclFrame *frame = ocl_planner_takes_buffers (self, question)
      ? &question->copy : question->frame;
  const OclBuild build = ocl_planner_get_build (self, variant,
      get_general_form (variant, question->params, frame->format), frame,
      &question->passes[n], question->params);

  if (ocl_instances_find (self->instances, variant, &build))
    return TRUE;
  ocl_instances_build_later (self->instances, variant, &build, frame,
      question->params);
  return FALSE;
}

gboolean
ocl_planner_is_ready (OclPlanner * self, const OclFrame * frame,
    gconstpointer params)
{
  Question question;
  gboolean ready = TRUE;

  if (!ocl_planner_builds_later (self) || self->forced)
    return TRUE;
  ocl_planner_init_question (self, frame, params, &question);
  for (guint i = 0; i < question.n_passes; i++)
    ready &= ocl_planner_has_built (self, &question, i);
  ocl_planner_start_builder (self);
  return ready;
}

void
ocl_planner_start_builder (OclPlanner * self)
{
  ocl_instances_start_builder (self->instances);
}

gboolean
ocl_planner_takes_images (OclPlanner * self, const OclFrame * frame,
    gconstpointer params)
{
  Question question;

  ocl_planner_init_question (self, frame, params, &question);
  return !ocl_planner_takes_buffers (self, &question);
}

GError *
ocl_planner_take_warning (OclPlanner * self)
{
  return ocl_instances_take_warning (self->instances);
}
