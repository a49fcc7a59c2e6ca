/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclinstances.h"

/* The frame that variants are warmed up with: 16 samples fill a vector. */
#define WARM_UP_WIDTH 32
#define WARM_UP_HEIGHT 2

typedef enum
{
  STATE_WAITS,
  STATE_IS_BUILT,               /* by a thread, now */
  STATE_DONE,
} State;

typedef struct
{
  OclInstance instance;
  OclFrame like;                /* the frame it was asked for with */
  gpointer params;              /* owned; those of a special form, or NULL */
  GPtrArray *programs;          /* owned; OclProgram, what it is made of */
  State state;
  GError *error;                /* owned; where there is no object */
} Entry;

struct _OclInstances
{
  const OclOperationClass *klass;
  OclContext *context;
  OclTuning tuning;
  gboolean has_tuning;

  GMutex mutex;                 /* guards what follows, but for objects */
  GCond changed;
  GPtrArray *entries;           /* Entry, in the order they were asked for */
  GThread *builder;             /* or NULL */
  gboolean stops;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  if (entry->instance.object)
    entry->instance.variant->free (entry->instance.object);
  g_ptr_array_unref (entry->programs);
  g_clear_error (&entry->error);
  g_free (entry->params);
  g_free (entry);
}

OclInstances *
ocl_instances_new (const OclOperationClass * klass, OclContext * context)
{
  OclInstances *self = g_new0 (OclInstances, 1);

  self->klass = klass;
  self->context = ocl_context_ref (context);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  return self;
}

void
ocl_instances_free (OclInstances * self)
{
  g_mutex_lock (&self->mutex);
  self->stops = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  if (self->builder)
    g_thread_join (self->builder);

  g_ptr_array_unref (self->entries);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  ocl_context_unref (self->context);
  g_free (self);
}

void
ocl_instances_set_tuning (OclInstances * self, const OclTuning * tuning)
{
  self->tuning = *tuning;
  self->has_tuning = TRUE;
}

/* Runs @object, what @entry is of, with everything that it serves of what the
 * class warms up with. */
static gboolean
ocl_instances_enqueue_warm_up (OclInstances * self, const Entry * entry,
    gpointer object, OclRun * run, GError ** error)
{
  const OclInstance *instance = &entry->instance;
  const OclVariant *variant = instance->variant;
  g_autofree gpointer params = ocl_operation_class_create_params (self->klass);
  gboolean ok = TRUE;

  run->pass = &instance->pass;
  if (entry->params) {
    run->params = entry->params;
    return variant->enqueue (object, run, error);
  }
  run->params = params;
  for (guint n = 0; ok; n++) {
    if (!ocl_operation_class_get_warm_up (self->klass, n, params))
      break;
    if (ocl_variant_can_serve (variant, params, instance->format,
            &instance->pass)
        && ocl_variant_get_form (variant, params,
            instance->format) == instance->form)
      ok = variant->enqueue (object, run, error);
  }
  return ok;
}

/* Many drivers compile at the first enqueue, not in clBuildProgram. */
static gboolean
ocl_instances_warm_up (OclInstances * self, const Entry * entry,
    gpointer object, GError ** error)
{
  const OclFrame *frame = &entry->like;
  const OclOperationFlags flags = self->klass->flags;
  OclFrame like = *frame;
  OclFrame input = { 0, };
  OclFrame output = { 0, };
  OclResult result = { 0, };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclRun run = {.timer = timer };

  like.width = WARM_UP_WIDTH;
  like.height = WARM_UP_HEIGHT;
  gboolean ok = ocl_frame_ensure (&input, self->context, frame->storage, &like,
      error)
      && ocl_frame_ensure (&output, self->context, frame->storage, &like,
      error)
      && ocl_frame_enqueue_blank (self->context, &input, error)
      && ocl_frame_enqueue_blank (self->context, &output, error)
      && (self->klass->result_size == 0
      || ocl_result_ensure (&result, self->context, self->klass->result_size,
          error));
  if (ok) {
    run.input = flags & OCL_OPERATION_READS ? &input : NULL;
    run.output = flags & OCL_OPERATION_WRITES ? &output : NULL;
    run.result = self->klass->result_size ? &result : NULL;
    ok = ocl_instances_enqueue_warm_up (self, entry, object, &run, error);
  }
  /* The queue's other commands may be a frame's, and fail on their own. */
  ok = ok && ocl_timer_wait (timer, error);
  ocl_context_finish (self->context, NULL);
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  ocl_result_clear (&result, self->context);
  return ok;
}

/* The object of @entry, ready to be used; NULL with @error. */
static gpointer
ocl_instances_create (OclInstances * self, const Entry * entry, GError ** error)
{
  const OclInstance *instance = &entry->instance;
  const OclVariant *variant = instance->variant;
  OclBuild build = {.format = instance->format,.storage = instance->storage,
    .pass = instance->pass,.form = instance->form,
    .tunables = variant->tunables,.programs = entry->programs
  };

  if (self->has_tuning)
    build.tuning = self->tuning;
  else
    ocl_tuning_init (&build.tuning, variant->tunables);

  gpointer object = variant->new (self->context, &build, error);
  if (object && !ocl_instances_warm_up (self, entry, object, error))
    variant->free (g_steal_pointer (&object));
  return object;
}

/* With the mutex held, which is released in between. What is not @needed is
 * left out where it cannot be used. */
static void
ocl_instances_build_entry (OclInstances * self, Entry * entry, gboolean needed)
{
  GError *error = NULL;

  entry->state = STATE_IS_BUILT;
  g_clear_error (&entry->error);
  g_mutex_unlock (&self->mutex);
  gpointer object = ocl_instances_create (self, entry, &error);
  g_mutex_lock (&self->mutex);
  entry->instance.object = object;
  entry->error = error;
  entry->state = STATE_DONE;
  if (error && !needed)
    g_info ("%s: %s is left out: %s", self->klass->name,
        entry->instance.variant->name, error->message);
  g_cond_broadcast (&self->changed);
}

/* With the mutex held; NULL where nothing waits. */
static Entry *
ocl_instances_get_waiting (OclInstances * self)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->state == STATE_WAITS)
      return entry;
  }
  return NULL;
}

static gpointer
ocl_instances_run_builder (gpointer data)
{
  OclInstances *self = data;

  g_mutex_lock (&self->mutex);
  while (!self->stops) {
    Entry *entry = ocl_instances_get_waiting (self);

    if (entry)
      ocl_instances_build_entry (self, entry, FALSE);
    else
      g_cond_wait (&self->changed, &self->mutex);
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* With the mutex held. */
static Entry *
ocl_instances_find_entry (OclInstances * self, const OclVariant * variant,
    guint form, const OclFrame * frame, const OclPass * pass)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];
    const OclInstance *instance = &entry->instance;

    if (instance->variant == variant && instance->form == form
        && instance->format == frame->format
        && instance->storage == frame->storage
        && ocl_pass_equals (&instance->pass, pass))
      return entry;
  }
  return NULL;
}

/* With the mutex held; the one that is there, or a new one. */
static Entry *
ocl_instances_ensure_entry (OclInstances * self, const OclVariant * variant,
    guint form, const OclFrame * frame, const OclPass * pass)
{
  Entry *entry = ocl_instances_find_entry (self, variant, form, frame, pass);

  if (entry)
    return entry;
  entry = g_new0 (Entry, 1);
  entry->instance.variant = variant;
  entry->instance.form = form;
  entry->instance.format = frame->format;
  entry->instance.storage = frame->storage;
  entry->instance.pass = *pass;
  entry->like = *frame;
  entry->programs = g_ptr_array_new_with_free_func (ocl_program_unref);
  g_ptr_array_add (self->entries, entry);
  return entry;
}

const OclInstance *
ocl_instances_find (OclInstances * self, const OclVariant * variant,
    const OclFrame * frame, const OclPass * pass, gconstpointer params)
{
  const guint special =
      ocl_variant_get_special_form (variant, params, frame->format);
  const Entry *entry = NULL;

  g_mutex_lock (&self->mutex);
  if (special != 0)
    entry = ocl_instances_find_entry (self, variant, special, frame, pass);
  if (!entry || !entry->instance.object)
    entry = ocl_instances_find_entry (self, variant,
        ocl_variant_get_form (variant, params, frame->format), frame, pass);
  gboolean is_done = entry && entry->state == STATE_DONE;
  g_mutex_unlock (&self->mutex);
  return is_done ? &entry->instance : NULL;
}

/* With the mutex held. Builds @entry, or waits for the thread that does. */
static void
ocl_instances_ensure_built (OclInstances * self, Entry * entry, gboolean needed)
{
  if (entry->state == STATE_WAITS
      || (entry->state == STATE_DONE && entry->error && needed))
    ocl_instances_build_entry (self, entry, needed);
  while (entry->state == STATE_IS_BUILT)
    g_cond_wait (&self->changed, &self->mutex);
}

/* With the mutex held. Where no thread can be had, what waits is built when it
 * is needed. */
static void
ocl_instances_wake_builder (OclInstances * self)
{
  if (!self->builder && ocl_instances_get_waiting (self))
    self->builder = g_thread_try_new ("glopencl-build",
        ocl_instances_run_builder, self, NULL);
  g_cond_broadcast (&self->changed);
}

const OclInstance *
ocl_instances_build (OclInstances * self, const OclVariant * variant,
    const OclFrame * frame, const OclPass * pass, gconstpointer params,
    gboolean needed, GError ** error)
{
  g_mutex_lock (&self->mutex);
  Entry *entry = ocl_instances_ensure_entry (self, variant,
      ocl_variant_get_form (variant, params, frame->format), frame, pass);

  ocl_instances_ensure_built (self, entry, needed);
  if (entry->error && error)
    *error = g_error_copy (entry->error);
  g_mutex_unlock (&self->mutex);
  return &entry->instance;
}

void
ocl_instances_build_later (OclInstances * self, const OclVariant * variant,
    const OclFrame * frame, const OclPass * pass, gconstpointer params)
{
  g_mutex_lock (&self->mutex);
  ocl_instances_ensure_entry (self, variant,
      ocl_variant_get_form (variant, params, frame->format), frame, pass);
  ocl_instances_wake_builder (self);
  g_mutex_unlock (&self->mutex);
}

void
ocl_instances_specialize (OclInstances * self, const OclVariant * variant,
    const OclFrame * frame, const OclPass * pass, gconstpointer params,
    gboolean waits)
{
  const guint form =
      ocl_variant_get_special_form (variant, params, frame->format);

  if (form == 0)
    return;
  g_mutex_lock (&self->mutex);
  Entry *entry = ocl_instances_ensure_entry (self, variant, form, frame, pass);
  if (!entry->params)
    entry->params = g_memdup2 (params, self->klass->params_size);
  if (waits)
    ocl_instances_ensure_built (self, entry, FALSE);
  else if (entry->state == STATE_WAITS)
    ocl_instances_wake_builder (self);
  g_mutex_unlock (&self->mutex);
}
