/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclinstances.h"

#include <string.h>

#include "oclverifier.h"

/* Variants are warmed up with a frame of this size: 16 samples fill a vector,
 * and all kernels find something to do. */
#define WARM_UP_WIDTH 32
#define WARM_UP_HEIGHT 16

typedef enum
{
  STATE_WAITS,                  /* for the builder thread to be started */
  STATE_IS_NEXT,                /* the builder thread will build it */
  STATE_IS_BUILT,               /* a thread builds it now */
  STATE_DONE,
} State;

typedef struct
{
  OclInstance instance;
  OclFrame like;                /* the frame it was asked for with */
  gpointer params;              /* owned; from the request; NULL once built */
  State state;
  GError *error;                /* owned; set if there are no kernels */
  guint64 last_used;            /* see n_drops; 0 for never */
} Entry;

struct _OclInstances
{
  const OclOperationClass *klass;
  OclContext *context;

  gint generation;              /* atomic */

  GMutex mutex;                 /* guards the members below, not kernels */
  GCond changed;
  GPtrArray *entries;           /* of Entry, in the order of requests */
  guint64 n_drops;              /* calls that drop entries */
  GThread *builder;             /* or NULL */
  gboolean stops;
  GError *warning;              /* owned, or NULL */
  gboolean has_warned;          /* of a variant that the device cannot run */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  ocl_kernels_unref (entry->instance.kernels);
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
  g_clear_error (&self->warning);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Returns whether the variant and the form of @entry serve @params. */
static gboolean
entry_serves (const Entry * entry, gconstpointer params)
{
  const OclInstance *instance = &entry->instance;
  guint forms[OCL_MAX_FORMS];
  gboolean serves = FALSE;

  if (!ocl_variant_can_serve (instance->variant, params,
          instance->build.format, &instance->build.pass))
    return FALSE;
  const guint n_forms = ocl_variant_get_forms (instance->variant, params,
      instance->build.format, forms);
  for (guint i = 0; i < n_forms; i++)
    serves |= forms[i] == instance->build.form;
  return serves;
}

static gboolean
ocl_instances_enqueue (OclInstances * self, const Entry * entry,
    OclKernels * kernels, gconstpointer params, OclRun * run, GError ** error)
{
  g_autofree gpointer derived = ocl_operation_class_derive (self->klass, params,
      &entry->instance.build.pass);

  run->params = params;
  run->derived = derived;
  return ocl_kernels_enqueue (kernels, run, error);
}

/* Runs @kernels, which @entry will own, with each set of the class's warm-up
 * parameters that @entry serves. If @entry serves none of these sets, runs
 * @kernels with the parameters that @entry was asked for with. */
static gboolean
ocl_instances_enqueue_warm_up (OclInstances * self, const Entry * entry,
    OclKernels * kernels, OclRun * run, GError ** error)
{
  g_autofree gpointer params = ocl_operation_class_create_params (self->klass);
  gboolean ok = TRUE;
  gboolean has_run = FALSE;

  run->pass = &entry->instance.build.pass;
  for (guint n = 0; ok; n++) {
    if (!ocl_operation_class_get_warm_up (self->klass, n, params))
      break;
    if (!entry_serves (entry, params))
      continue;
    has_run = TRUE;
    ok = ocl_instances_enqueue (self, entry, kernels, params, run, error);
  }
  if (has_run || !entry_serves (entry, entry->params))
    return ok;
  return ocl_instances_enqueue (self, entry, kernels, entry->params, run,
      error);
}

/* Makes the results that the class needs, with zeros. */
static gboolean
ocl_instances_ensure_needed (OclInstances * self, const OclFrame * like,
    OclResult needed[OCL_MAX_NEEDS], OclTimer * timer, GError ** error)
{
  const OclNeed *needs = self->klass->needs;

  for (guint i = 0; needs && needs[i].klass; i++) {
    const gsize size =
        ocl_operation_class_get_result_size (needs[i].klass, like);

    if (!ocl_result_ensure (&needed[i], self->context, size, error)
        || !ocl_memory_enqueue_fill (&needed[i].device, self->context, 0, 0,
            size, timer, error))
      return FALSE;
  }
  return TRUE;
}

/* Many drivers compile at the first enqueue, not in clBuildProgram. Results are
 * zeros at first: a pass may read what another pass, which is not run here, has
 * found. */
static gboolean
ocl_instances_warm_up (OclInstances * self, const Entry * entry,
    OclKernels * kernels, GError ** error)
{
  const OclFrame *frame = &entry->like;
  const OclOperationFlags flags = self->klass->flags;
  OclFrame like = *frame;
  OclFrame input = { 0, };
  OclFrame output = { 0, };
  OclResult result = { 0, };
  OclResult needed[OCL_MAX_NEEDS] = { {{0}} };
  OclResult *const list[OCL_MAX_NEEDS] = {
    &needed[0], &needed[1], &needed[2]
  };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclPicture earlier = {.serial = ocl_picture_create_serial () };
  OclRun run = {.serial = ocl_picture_create_serial (),.neighbours = &earlier,
    .n_earlier = 1,.is_first = TRUE,.needed = list,.timer = timer
  };

  like.width = WARM_UP_WIDTH;
  like.height = WARM_UP_HEIGHT;
  const OclFrame result_frame = ocl_frame_describe_result (&like);
  const gsize size = ocl_operation_class_get_result_size (self->klass, &like);
  gboolean ok = ocl_frame_ensure (&input, self->context, frame->storage, &like,
      error)
      && ocl_frame_ensure (&output, self->context, frame->storage,
      &result_frame, error)
      && ocl_frame_enqueue_blank (self->context, &input, error)
      && ocl_frame_enqueue_blank (self->context, &output, error)
      && ocl_instances_ensure_needed (self, &like, needed, timer, error)
      && (size == 0 || (ocl_result_ensure (&result, self->context, size, error)
          && ocl_memory_enqueue_fill (&result.device, self->context, 0, 0,
              size, timer, error)));
  if (ok) {
    run.input = flags & OCL_OPERATION_READS ? &input : NULL;
    run.output = flags & OCL_OPERATION_WRITES ? &output : NULL;
    run.result = size ? &result : NULL;
    earlier.frame = input;
    ok = ocl_instances_enqueue_warm_up (self, entry, kernels, &run, error);
  }
  /* Only the warm-up commands count: other commands in the queue may belong to
   * a frame and may fail on their own. */
  if (ok && flags & OCL_OPERATION_IS_TEXT)
    ok = ocl_timer_wait_for (timer, self->context, OCL_VERIFY_SECONDS, error);
  else
    ok = ok && ocl_timer_wait (timer, error);
  ocl_context_finish (self->context, NULL);
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  ocl_result_clear (&result, self->context);
  for (guint i = 0; i < OCL_MAX_NEEDS; i++)
    ocl_result_clear (&needed[i], self->context);
  return ok;
}

static gboolean
ocl_instances_must_verify (OclInstances * self, const OclVariant * variant)
{
  return self->klass->flags & OCL_OPERATION_IS_TEXT
      && variant != self->klass->variants[0];
}

/* Creates the kernels of @entry, ready to be used. Returns NULL and sets @error
 * on failure. */
static OclKernels *
ocl_instances_create (OclInstances * self, const Entry * entry, GError ** error)
{
  const OclInstance *instance = &entry->instance;
  const OclVariant *variant = instance->variant;
  OclKernels *kernels =
      ocl_kernels_new (self->context, variant, &instance->build, error);

  if (kernels && (!ocl_instances_warm_up (self, entry, kernels, error)
          || (ocl_instances_must_verify (self, variant)
              && !ocl_verify (self->klass, kernels, &entry->like,
                  entry->params, error))))
    g_clear_pointer (&kernels, ocl_kernels_unref);
  return kernels;
}

/* What users should know about a text that fails with @error, whatever variant
 * serves. */
static GError *
create_warning (const GError * error)
{
  return g_error_new (error->domain, error->code,
      "A kernel has to work on 16 pixels at a time, or is slow on CPUs; if it "
      "cannot, say so with #pragma glopencl scalar. %s", error->message);
}

/* The caller holds the mutex, which is released during the build. An entry that
 * is not @needed is left out if it cannot be used. */
static void
ocl_instances_build_entry (OclInstances * self, Entry * entry, gboolean needed)
{
  GError *error = NULL;

  entry->state = STATE_IS_BUILT;
  g_clear_error (&entry->error);
  g_mutex_unlock (&self->mutex);
  OclKernels *kernels = ocl_instances_create (self, entry, &error);
  g_mutex_lock (&self->mutex);
  entry->instance.kernels = kernels;
  entry->error = error;
  entry->state = STATE_DONE;
  if (kernels)
    g_clear_pointer (&entry->params, g_free);
  if (error && !self->warning
      && entry->instance.variant->flags & OCL_VARIANT_CHECKS_TEXT
      && g_error_matches (error, OCL_ERROR, OCL_ERROR_KERNEL))
    self->warning = create_warning (error);
  if (error && !needed)
    g_info ("%s: %s is left out: %s", self->klass->name,
        entry->instance.variant->name, error->message);
  g_cond_broadcast (&self->changed);
}

/* The caller holds the mutex. Returns NULL if the builder has nothing to do. */
static Entry *
ocl_instances_get_next (OclInstances * self)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->state == STATE_IS_NEXT)
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
    Entry *entry = ocl_instances_get_next (self);

    if (!entry) {
      g_cond_wait (&self->changed, &self->mutex);
      continue;
    }
    ocl_instances_build_entry (self, entry, FALSE);
    g_atomic_int_inc (&self->generation);
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* Returns whether programs for @a and @b are the same. */
static gboolean
build_equals (const OclBuild * a, const OclBuild * b)
{
  return a->format == b->format && a->storage == b->storage
      && a->form == b->form && ocl_pass_equals (&a->pass, &b->pass)
      && memcmp (&a->tuning, &b->tuning, sizeof (a->tuning)) == 0;
}

/* The caller holds the mutex. */
static Entry *
ocl_instances_find_entry (OclInstances * self, const OclVariant * variant,
    const OclBuild * build)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->instance.variant == variant
        && build_equals (&entry->instance.build, build))
      return entry;
  }
  return NULL;
}

/* The caller holds the mutex. Returns the existing entry, or a new one. */
static Entry *
ocl_instances_ensure_entry (OclInstances * self, const OclVariant * variant,
    const OclBuild * build, const OclFrame * frame, gconstpointer params)
{
  Entry *entry = ocl_instances_find_entry (self, variant, build);

  if (entry)
    return entry;
  entry = g_new0 (Entry, 1);
  entry->instance.variant = variant;
  entry->instance.build = *build;
  entry->like = *frame;
  entry->params = g_memdup2 (params, self->klass->params_size);
  g_ptr_array_add (self->entries, entry);
  return entry;
}

const OclInstance *
ocl_instances_find (OclInstances * self, const OclVariant * variant,
    const OclBuild * build)
{
  g_mutex_lock (&self->mutex);
  const Entry *entry = ocl_instances_find_entry (self, variant, build);
  gboolean is_done = entry && entry->state == STATE_DONE;
  g_mutex_unlock (&self->mutex);
  return is_done ? &entry->instance : NULL;
}

/* The caller holds the mutex. Builds @entry, or waits for the thread that
 * builds it. */
static void
ocl_instances_ensure_built (OclInstances * self, Entry * entry, gboolean needed)
{
  if (entry->state == STATE_WAITS || entry->state == STATE_IS_NEXT
      || (entry->state == STATE_DONE && entry->error && needed))
    ocl_instances_build_entry (self, entry, needed);
  while (entry->state == STATE_IS_BUILT)
    g_cond_wait (&self->changed, &self->mutex);
}

const OclInstance *
ocl_instances_build (OclInstances * self, const OclVariant * variant,
    const OclBuild * build, const OclFrame * frame, gconstpointer params,
    gboolean needed, GError ** error)
{
  g_mutex_lock (&self->mutex);
  Entry *entry =
      ocl_instances_ensure_entry (self, variant, build, frame, params);

  ocl_instances_ensure_built (self, entry, needed);
  if (entry->error && error)
    *error = g_error_copy (entry->error);
  g_mutex_unlock (&self->mutex);
  return &entry->instance;
}

void
ocl_instances_build_later (OclInstances * self, const OclVariant * variant,
    const OclBuild * build, const OclFrame * frame, gconstpointer params)
{
  g_mutex_lock (&self->mutex);
  ocl_instances_ensure_entry (self, variant, build, frame, params);
  g_mutex_unlock (&self->mutex);
}

/* If no thread can be started, entries are built when they are needed. */
void
ocl_instances_start_builder (OclInstances * self)
{
  gboolean has_next = FALSE;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->state == STATE_WAITS) {
      entry->state = STATE_IS_NEXT;
      has_next = TRUE;
    }
  }
  if (has_next && !self->builder)
    self->builder = g_thread_try_new ("glopencl-build",
        ocl_instances_run_builder, self, NULL);
  if (has_next)
    g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

guint
ocl_instances_get_generation (OclInstances * self)
{
  return g_atomic_int_get (&self->generation);
}

GError *
ocl_instances_take_warning (OclInstances * self)
{
  g_mutex_lock (&self->mutex);
  GError *warning = g_steal_pointer (&self->warning);
  g_mutex_unlock (&self->mutex);
  return warning;
}

void
ocl_instances_warn (OclInstances * self, const OclVariant * variant)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->entries->len && !self->has_warned; i++) {
    const Entry *entry = self->entries->pdata[i];

    if (entry->instance.variant != variant || entry->state != STATE_DONE
        || self->warning || entry->instance.build.is_stored
        || !g_error_matches (entry->error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
      continue;
    self->has_warned = TRUE;
    self->warning = g_error_new (OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "The variant %s of %s does not fit this device, and a slower variant "
        "is used. %s", variant->name, self->klass->name, entry->error->message);
  }
  g_mutex_unlock (&self->mutex);
}

/* Returns whether nothing but @entry has what was built, or will be. */
static gboolean
is_unused (const Entry * entry)
{
  return entry->state == STATE_WAITS || entry->state == STATE_IS_NEXT
      || (entry->state == STATE_DONE
      && (!entry->instance.kernels
          || ocl_kernels_has_one_owner (entry->instance.kernels)));
}

/* Returns whether @entry was never used and is for @format, whatever the order
 * of its bytes. */
static gboolean
is_prepared (const Entry * entry, const OclFormat * format)
{
  const OclFormat *own = entry->instance.build.format;

  return entry->last_used == 0 && format
      && (own == format || own == format->swapped);
}

/* The caller holds the mutex. Returns the unused entry that was used before all
 * others, and sets @n to how many there are. Leaves out those that are prepared
 * for @format. */
static Entry *
ocl_instances_find_oldest (OclInstances * self, const OclFormat * format,
    guint * n)
{
  Entry *oldest = NULL;

  *n = 0;
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (!is_unused (entry) || is_prepared (entry, format))
      continue;
    if (!oldest || entry->last_used < oldest->last_used)
      oldest = entry;
    ++*n;
  }
  return oldest;
}

void
ocl_instances_drop_unused (OclInstances * self, const OclFormat * format,
    guint n_kept)
{
  Entry *oldest;
  guint n;

  g_mutex_lock (&self->mutex);
  self->n_drops++;
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (!is_unused (entry))
      entry->last_used = self->n_drops;
  }
  while ((oldest = ocl_instances_find_oldest (self, format, &n)) && n > n_kept)
    g_ptr_array_remove (self->entries, oldest);
  g_mutex_unlock (&self->mutex);
}
