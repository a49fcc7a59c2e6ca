/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclkernelcache.h"

#include <string.h>

#include "operation/oclverifier.h"

/* Size of the warm-up frame of variants: 16 samples fill a vector, and all
 * kernels have work. */
#define WARM_UP_WIDTH 32
#define WARM_UP_HEIGHT 16

/* Number of unused entries that are kept for each user, because a change of
 * settings may be reverted, and compilers take long: as many as the denoiser
 * has for frames of one format, with any history and curve, and with up to two
 * later frames, for luma and for chroma. */
#define N_KEPT 60

/* Maximum number of build threads, each of which may build two programs. Most
 * GPU drivers take less time for several programs at a time than one by one.
 * For the others see oclcompiler.h. */
#define N_BUILDERS 8

/* The variant that the class chooses, the default variant of the device, the
 * plain variant. */
#define N_CHOICES 3

/* Each choice has specializations with stored and with default settings. */
#define MAX_CANDIDATES (N_CHOICES * OCL_MAX_SPECIALIZATIONS * 2)

typedef enum
{
  STATE_REQUESTED,              /* queued once the builder is started */
  STATE_QUEUED,
  STATE_BUILDING,
  STATE_READY,
  STATE_FAILED,
} State;

/* Kernels of a user, or candidates for a request, which own nothing. */
typedef struct
{
  guint user;
  const OclOperationClass *klass;
  const OclVariant *variant;
  OclBuild build;
  gboolean is_general;          /* supports most parameters */
  OclFrameInfo info;            /* of the frames it was requested for */
  gpointer params;              /* owned, of the request, NULL once ready */
  State state;
  OclKernels *kernels;          /* owned, set if ready */
  GError *error;                /* owned, set if failed */
  guint64 created;              /* see n_drops */
  guint64 last_used;            /* see n_drops, 0 for never */
  gboolean has_warned;          /* a warning was queued */
} Entry;

struct _OclKernelCache
{
  OclContext *context;
  gboolean uses_database;
  gint generation;              /* atomic */
  void (*wait_func) (gpointer data);
  gpointer wait_data;

  GMutex mutex;                 /* guards the members below, not kernels */
  GCond changed;
  GPtrArray *entries;           /* of Entry, in the order of requests */
  guint64 n_drops;              /* calls that drop entries */
  guint n_built;                /* entries that callers have built */
  GThread *builders[N_BUILDERS];        /* the started threads */
  OclContext *warm_up;          /* for the threads on a CPU (owned), or NULL */
  gboolean stops;
  GQueue warnings;              /* of GError (owned) */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  ocl_kernels_unref (entry->kernels);
  g_clear_error (&entry->error);
  ocl_params_free (entry->params);
  ocl_literal_unref (entry->build.text);
  ocl_literal_unref (entry->build.fused);
  g_free (entry);
}

OclKernelCache *
ocl_kernel_cache_new (OclContext * context)
{
  OclKernelCache *self = g_new0 (OclKernelCache, 1);

  self->context = ocl_context_ref (context);
  self->uses_database = TRUE;
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->warnings);
  return self;
}

void
ocl_kernel_cache_free (OclKernelCache * self)
{
  g_mutex_lock (&self->mutex);
  self->stops = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < N_BUILDERS && self->builders[i]; i++)
    g_thread_join (self->builders[i]);

  g_ptr_array_unref (self->entries);
  g_queue_clear_full (&self->warnings, (GDestroyNotify) g_error_free);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_clear_pointer (&self->warm_up, ocl_context_unref);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
ocl_kernel_cache_has_cpu (OclKernelCache * self)
{
  return (self->context->device->type & CL_DEVICE_TYPE_CPU) != 0;
}

void
ocl_kernel_cache_set_uses_database (OclKernelCache * self, gboolean uses)
{
  self->uses_database = uses;
}

/* Returns whether the program of @entry supports @params. */
static gboolean
entry_supports (const Entry * entry, gconstpointer params)
{
  guint specializations[OCL_MAX_SPECIALIZATIONS];
  gboolean supports = FALSE;

  if (!ocl_variant_supports (entry->variant, params, entry->build.format,
          &entry->build.pass))
    return FALSE;
  const guint n_specializations =
      ocl_variant_get_specializations (entry->variant, params,
      entry->build.format, specializations);
  for (guint i = 0; i < n_specializations; i++)
    supports |= specializations[i] == entry->build.specialization;
  return supports;
}

/* Runs @kernels with each set of the class's warm-up parameters that @entry
 * supports, otherwise with the parameters of the request. */
static gboolean
entry_enqueue_warm_up (const Entry * entry, OclKernels * kernels, OclRun * run,
    GError ** error)
{
  const OclOperationClass *klass = entry->klass;
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  gboolean ok = TRUE;
  gboolean has_run = FALSE;

  run->pass = &entry->build.pass;
  for (guint n = 0; ok; n++) {
    const gboolean is_last =
        !ocl_operation_class_get_warm_up (klass, n, params);

    if (is_last && (has_run || !entry_supports (entry, entry->params)))
      break;
    if (!is_last && !entry_supports (entry, params))
      continue;
    run->params = is_last ? entry->params : params;
    g_autofree gpointer derived =
        ocl_operation_class_derive (klass, run->params, run->pass);
    run->derived = derived;
    ok = ocl_kernels_enqueue (kernels, run, error);
    has_run = TRUE;
  }
  return ok;
}

/* Runs @kernels in the queue of @context. Many drivers compile at the first
 * enqueue, not in clBuildProgram. Results are initially zeros, because a pass
 * may read the result of another pass, which is not run here. */
static gboolean
entry_warm_up (const Entry * entry, OclKernels * kernels, OclContext * context,
    GError ** error)
{
  const OclOperationClass *klass = entry->klass;
  const OclOperationFlags flags = klass->flags;
  OclFrameInfo info = entry->info;
  OclFrame input = { 0, };
  OclFrame output = { 0, };
  OclResult results[1 + OCL_MAX_NEEDS] = { {{0}} };     /* and needed results */
  OclResult *needed[OCL_MAX_NEEDS];
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclPicture earlier = {.serial = ocl_picture_create_serial () };
  OclRun run = {.serial = ocl_picture_create_serial (),.neighbours = &earlier,
    .n_earlier = 1,.is_first = TRUE,.needed = needed,.timer = timer
  };

  info.width = WARM_UP_WIDTH;
  info.height = WARM_UP_HEIGHT;
  OclFrameInfo written = info;
  if (entry->build.output)
    written.format = entry->build.output;
  written.bytes_swapped &= written.format->swapped != NULL;
  gboolean ok = ocl_frame_ensure (&input, context, &info, error)
      && ocl_frame_ensure (&output, context, &written, error)
      && ocl_frame_enqueue_blank (context, &input, error)
      && ocl_frame_enqueue_blank (context, &output, error);
  for (guint i = 0; ok && i <= OCL_MAX_NEEDS; i++) {
    /* A class without a list may be in the list of another one, and read the
     * results of that list. One memory of sufficient size is enough for all. */
    const OclOperationClass *source = klass->needs && i > 0
        ? klass->needs[i - 1].klass : i <= 1 ? klass : NULL;
    const gsize size =
        source ? ocl_operation_class_get_result_size (source, &info) : 0;

    if (!source)
      break;
    ok = size == 0
        || (ocl_memory_ensure (&results[i].device, context, size, error)
        && ocl_memory_enqueue_fill (&results[i].device, context, 0, 0, size,
            timer, error));
  }
  if (ok) {
    for (guint i = 0; i < OCL_MAX_NEEDS; i++)
      needed[i] = &results[klass->needs ? 1 + i : 1];
    run.input = flags & OCL_OPERATION_READS ? &input : NULL;
    run.output = flags & OCL_OPERATION_WRITES ? &output : NULL;
    run.result = results[0].device.memory ? &results[0] : NULL;
    earlier.frame = input;
    ok = entry_enqueue_warm_up (entry, kernels, &run, error);
  }
  /* Checks only the warm-up commands, because other commands in the queue may
   * belong to a frame and may fail separately. */
  if (ok && flags & OCL_OPERATION_IS_TEXT)
    ok = ocl_timer_wait_for (timer, context, OCL_VERIFY_SECONDS, error);
  else
    ok = ok && ocl_timer_wait (timer, error);
  ocl_context_finish (context, NULL);
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  for (guint i = 0; i <= OCL_MAX_NEEDS; i++)
    ocl_memory_clear (&results[i].device);
  return ok;
}

/* Keeps @warning, unless it is there already. The caller holds the mutex. */
static void
ocl_kernel_cache_add_warning (OclKernelCache * self, GError * warning)
{
  for (GList * item = self->warnings.head; item; item = item->next) {
    if (g_str_equal (((const GError *) item->data)->message, warning->message)) {
      g_error_free (warning);
      return;
    }
  }
  g_queue_push_tail (&self->warnings, warning);
}

/* Builds @entry. Its kernels are first run in the queue of @context. The caller
 * holds the mutex, which is released during the build. If the entry is @needed,
 * the caller reports an error. */
static void
ocl_kernel_cache_build (OclKernelCache * self, Entry * entry,
    OclContext * context, gboolean needed)
{
  const OclOperationClass *klass = entry->klass;
  const gboolean must_verify = klass->flags & OCL_OPERATION_IS_TEXT
      && entry->variant != klass->variants[0];
  GError *error = NULL;

  entry->state = STATE_BUILDING;
  g_clear_error (&entry->error);
  g_info ("compiling the variant %s of %s for this device%s, unless the driver "
      "has it", entry->variant->name, klass->name,
      entry->build.quick ? ", without optimization" : "");
  g_mutex_unlock (&self->mutex);
  ocl_programs_prepare (context->programs);
  OclKernels *kernels =
      ocl_kernels_new (context, entry->variant, &entry->build, &error);
  if (kernels && kernels->program)
    ocl_program_begin_pass (kernels->program);
  if (kernels && (!entry_warm_up (entry, kernels, context, &error)
          || (must_verify && !ocl_verify (klass, kernels, &entry->info,
                  entry->params, &error))))
    g_clear_pointer (&kernels, ocl_kernels_unref);
  if (kernels && context != self->context) {
    /* Kernels keep to their queue. The program is shared, and the driver has
     * its code by now. */
    OclKernels *first = kernels;

    kernels =
        ocl_kernels_new (self->context, entry->variant, &entry->build, &error);
    ocl_kernels_unref (first);
  }
  g_mutex_lock (&self->mutex);
  entry->kernels = kernels;
  entry->error = error;
  entry->state = kernels ? STATE_READY : STATE_FAILED;
  if (kernels)
    g_clear_pointer (&entry->params, ocl_params_free);
  if (error && entry->variant->flags & OCL_VARIANT_CHECKS_TEXT
      && g_error_matches (error, OCL_ERROR, OCL_ERROR_KERNEL))
    ocl_kernel_cache_add_warning (self, g_error_new (error->domain, error->code,
            "A kernel must work on 16 pixels at a time, otherwise it is slow "
            "on CPUs. If it cannot, add #pragma glopencl scalar. %s",
            error->message));
  if (error && !needed)
    g_info ("%s: %s is left out: %s", klass->name, entry->variant->name,
        error->message);
  g_cond_broadcast (&self->changed);
}

static gpointer
ocl_kernel_cache_run_builder (gpointer data)
{
  OclKernelCache *self = data;

  g_mutex_lock (&self->mutex);
  while (!self->stops) {
    Entry *next = NULL;

    /* Kernels that a frame needs come before prepared ones. */
    for (guint i = 0; i < self->entries->len; i++) {
      Entry *entry = self->entries->pdata[i];

      if (entry->state == STATE_QUEUED
          && (!next || entry->last_used > next->last_used))
        next = entry;
    }
    if (!next) {
      g_cond_wait (&self->changed, &self->mutex);
      continue;
    }
    ocl_kernel_cache_build (self, next, self->warm_up ? self->warm_up
        : self->context, FALSE);
    g_atomic_int_inc (&self->generation);
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* If no thread can be started, entries are built when they are needed. A CPU
 * compiles at the first enqueue, in the order of a queue, so that frames would
 * wait in the same queue. Its compiler builds one program at a time. */
gboolean
ocl_kernel_cache_start_builders (OclKernelCache * self)
{
  const gboolean is_cpu = ocl_kernel_cache_has_cpu (self);
  const guint most = is_cpu ? 1 : MIN (g_get_num_processors (), N_BUILDERS);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->state == STATE_REQUESTED) {
      entry->state = STATE_QUEUED;
      n++;
    }
  }
  if (n > 0 && is_cpu && !self->warm_up)
    self->warm_up = ocl_context_new_sibling (self->context, &error);
  if (error)
    g_info ("frames wait while kernels are compiled: %s", error->message);
  for (guint i = 0; i < MIN (n, most); i++) {
    if (!self->builders[i])
      self->builders[i] = g_thread_try_new ("glopencl-build",
          ocl_kernel_cache_run_builder, self, NULL);
    if (!self->builders[i])
      break;
  }
  if (n > 0)
    g_cond_broadcast (&self->changed);
  const gboolean has_threads = self->builders[0] != NULL;
  g_mutex_unlock (&self->mutex);
  return has_threads;
}

void
ocl_kernel_cache_finish (OclKernelCache * self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; self->builders[0] && i < self->entries->len; i++) {
    const Entry *entry = self->entries->pdata[i];

    while (entry->state == STATE_QUEUED || entry->state == STATE_BUILDING)
      g_cond_wait (&self->changed, &self->mutex);
  }
  g_mutex_unlock (&self->mutex);
}

guint
ocl_kernel_cache_get_generation (OclKernelCache * self)
{
  return g_atomic_int_get (&self->generation);
}

GError *
ocl_kernel_cache_take_warning (OclKernelCache * self)
{
  g_mutex_lock (&self->mutex);
  GError *warning = g_queue_pop_head (&self->warnings);
  g_mutex_unlock (&self->mutex);
  return warning;
}

/* Returns whether kernels without optimization may run for @request. */
static gboolean
is_quick (const OclKernelRequest * request)
{
  return request->quick && !request->forced && !request->fused
      && !(request->klass->flags & OCL_OPERATION_IS_TEXT);
}

/* Returns whether threads build programs for @request while frames are
 * processed. */
static gboolean
ocl_kernel_cache_builds_later (OclKernelCache * self,
    const OclKernelRequest * request)
{
  return !request->forced
      && (!ocl_kernel_cache_has_cpu (self) || is_quick (request));
}

/* Returns the flag of the default variants of the device. */
static OclVariantFlags
ocl_kernel_cache_get_suiting (OclKernelCache * self)
{
  return ocl_kernel_cache_has_cpu (self) ? OCL_VARIANT_FOR_CPU
      : OCL_VARIANT_FOR_GPU;
}

/* Appends the candidates of @variant: each specialization with the settings in
 * the database, which has none for texts and intermediate formats, and with the
 * default settings. The last one is the general specialization with default
 * settings. A variant for buffers gets copies of images. */
static guint
add_candidates (OclKernelCache * self, const OclKernelRequest * request,
    const OclVariant * variant, Entry * candidates)
{
  const OclOperationClass *klass = request->klass;
  const OclFrameInfo info = variant->flags & OCL_VARIANT_BUFFERS_ONLY
      ? ocl_frame_info_get_copy (&request->info) : request->info;
  Entry usual = {.user = request->user,.klass = klass,.variant = variant,
    .info = request->info,.params = (gpointer) request->params,
    .build = {.format = info.format,.output = request->output,
          .text = ocl_operation_class_get_text (klass, request->params),
        .fused = request->fused,.storage = info.storage,.pass = *request->pass}
  };
  const gboolean has_stored = self->uses_database && !request->forced
      && variant->source && variant->tunables && !request->output
      && !request->fused && !(klass->flags & OCL_OPERATION_IS_TEXT)
      && ocl_format_find (info.format->name) == info.format;
  guint specializations[OCL_MAX_SPECIALIZATIONS];
  const guint n_specializations =
      ocl_variant_get_specializations (variant, request->params,
      request->info.format, specializations);
  guint n = 0;

  if (request->tuning)
    usual.build.tuning = *request->tuning;
  else
    ocl_tuning_init (&usual.build.tuning, variant->tunables);
  for (guint i = 0; i < n_specializations; i++) {
    const OclDatabaseKey key = ocl_operation_class_get_database_key (klass,
        variant, specializations[i], &info, request->pass, request->params);
    Entry *stored = &candidates[n];

    usual.build.specialization = specializations[i];
    usual.is_general = i == n_specializations - 1;
    *stored = usual;
    stored->build.is_stored = has_stored
        && ocl_database_find (self->context->database, &key, variant->tunables,
        &stored->build.tuning);
    n += stored->build.is_stored;
    candidates[n++] = usual;
  }
  return n;
}

/* Sets @candidates to the candidates for @request, the best one first, and
 * returns their number. */
static guint
ocl_kernel_cache_get_candidates (OclKernelCache * self,
    const OclKernelRequest * request, Entry candidates[MAX_CANDIDATES])
{
  const OclOperationClass *klass = request->klass;
  const OclFrameInfo *info = &request->info;
  const OclVariantFlags unwanted = OCL_VARIANT_APPROXIMATE
      | (info->storage == OCL_STORAGE_BUFFER ? 0 : OCL_VARIANT_SLOW_IN_IMAGES);
  const OclVariant *choices[N_CHOICES] = { NULL, NULL, klass->variants[0] };
  guint n = 0;

  if (request->forced)
    return add_candidates (self, request, request->forced, candidates);
  if (klass->choose)
    choices[0] = klass->choose (request->params, info->format, request->pass,
        self->context->device);
  for (guint i = 0; klass->variants[i] && !choices[1]; i++) {
    const OclVariant *variant = klass->variants[i];

    if (variant->flags & ocl_kernel_cache_get_suiting (self)
        && !(variant->flags & unwanted)
        && ocl_variant_supports (variant, request->params, info->format,
            request->pass))
      choices[1] = variant;
  }
  for (guint i = 0; i < N_CHOICES; i++) {
    gboolean is_new = choices[i] != NULL;

    for (guint j = 0; j < i; j++)
      is_new &= choices[j] != choices[i];
    if (is_new)
      n += add_candidates (self, request, choices[i], candidates + n);
  }
  return n;
}

/* The caller holds the mutex. Returns NULL if there is no entry. */
static Entry *
ocl_kernel_cache_find (OclKernelCache * self, const Entry * candidate)
{
  const OclBuild *build = &candidate->build;

  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->user == candidate->user && entry->variant == candidate->variant
        && entry->build.format == build->format
        && entry->build.output == build->output
        && ocl_literal_equals (entry->build.text, build->text)
        && ocl_literal_equals (entry->build.fused, build->fused)
        && entry->build.storage == build->storage
        && entry->build.specialization == build->specialization
        && entry->build.quick == build->quick
        && ocl_pass_equals (&entry->build.pass, &build->pass)
        && memcmp (&entry->build.tuning, &build->tuning,
            sizeof (build->tuning)) == 0)
      return entry;
  }
  return NULL;
}

/* The caller holds the mutex. Returns the existing entry of @candidate, or a
 * new one, without optimization if @quick is TRUE. */
static Entry *
ocl_kernel_cache_request (OclKernelCache * self, const Entry * candidate,
    gboolean quick)
{
  Entry wanted = *candidate;

  wanted.build.quick = quick;
  Entry *entry = ocl_kernel_cache_find (self, &wanted);
  if (entry)
    return entry;
  entry = g_memdup2 (&wanted, sizeof (wanted));
  ocl_literal_ref (entry->build.text);
  ocl_literal_ref (entry->build.fused);
  entry->params = ocl_operation_class_copy_params (entry->klass, wanted.params);
  entry->created = self->n_drops;
  g_ptr_array_add (self->entries, entry);
  return entry;
}

/* The caller holds the mutex. Builds @entry, or waits for the thread that
 * builds it. */
static void
ocl_kernel_cache_ensure_built (OclKernelCache * self, Entry * entry,
    gboolean needed)
{
  const gboolean must_build = entry->state == STATE_REQUESTED
      || entry->state == STATE_QUEUED
      || (entry->state == STATE_FAILED && needed);

  if (self->wait_func && (must_build || entry->state == STATE_BUILDING))
    self->wait_func (self->wait_data);
  if (must_build) {
    self->n_built++;
    ocl_kernel_cache_build (self, entry, self->context, needed);
  }
  while (entry->state == STATE_BUILDING)
    g_cond_wait (&self->changed, &self->mutex);
}

/* Requests the variants that frames need with each set in the class's list of
 * warm-up parameters, so that frames do not wait for the compiler when
 * parameters change. On a CPU, only requests the variants for the pass of
 * @request, and builds them unless threads do. */
static void
ocl_kernel_cache_prepare_others (OclKernelCache * self,
    const OclKernelRequest * request)
{
  const OclOperationClass *klass = request->klass;
  const OclFrameInfo *info = &request->info;
  const gboolean is_cpu = ocl_kernel_cache_has_cpu (self);
  const gboolean later = ocl_kernel_cache_builds_later (self, request);
  const OclVariantFlags unfit = info->storage == OCL_STORAGE_BUFFER ? 0
      : OCL_VARIANT_BUFFERS_ONLY | OCL_VARIANT_SLOW_IN_IMAGES;
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  OclKernelRequest other = *request;
  Entry candidates[MAX_CANDIDATES];

  other.params = params;
  for (guint n = 0; klass->get_warm_up && klass->get_warm_up (n, params); n++) {
    OclPass passes[OCL_MAX_PASSES];
    const guint n_passes = ocl_operation_class_get_passes (klass, params,
        info->format, passes);

    for (guint i = 0; i < n_passes; i++) {
      other.pass = &passes[i];
      for (guint j = 0; klass->variants[j]; j++) {
        const OclVariant *variant = klass->variants[j];

        if (!(variant->flags & ocl_kernel_cache_get_suiting (self))
            || variant->flags & unfit
            || (is_cpu && !ocl_pass_equals (&passes[i], request->pass))
            || !ocl_variant_supports (variant, params, info->format,
                &passes[i]))
          continue;
        const guint n_candidates =
            add_candidates (self, &other, variant, candidates);
        const gboolean has_stored = is_cpu && n_candidates > 1
            && candidates[n_candidates - 2].build.is_stored;
        Entry *entry = ocl_kernel_cache_request (self,
            &candidates[n_candidates - 1 - has_stored], FALSE);

        if (!later)
          ocl_kernel_cache_ensure_built (self, entry, FALSE);
      }
    }
  }
}

/* Requests the variants that check texts, on devices that have other
 * variants. */
static void
ocl_kernel_cache_check_text (OclKernelCache * self,
    const OclKernelRequest * request)
{
  OclKernelRequest other = *request;
  Entry candidates[MAX_CANDIDATES];

  other.info = ocl_frame_info_get_copy (&request->info);
  if (request->pass->first_channel != OCL_CHANNEL_LUMA)
    return;
  for (guint i = 0; request->klass->variants[i]; i++) {
    const OclVariant *variant = request->klass->variants[i];

    if (!(variant->flags & OCL_VARIANT_CHECKS_TEXT)
        || variant->flags & ocl_kernel_cache_get_suiting (self)
        || !ocl_variant_supports (variant, request->params, other.info.format,
            request->pass))
      continue;
    const guint n = add_candidates (self, &other, variant, candidates);
    ocl_kernel_cache_request (self, &candidates[n - 1], FALSE);
  }
}

/* Adds a warning, once for each user, if the device cannot run a variant with
 * its default settings, and another variant replaces it. */
static void
ocl_kernel_cache_warn (OclKernelCache * self, Entry * entry)
{
  if (!g_error_matches (entry->error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    return;
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *other = self->entries->pdata[i];

    if (other->user == entry->user && other->has_warned)
      return;
  }
  entry->has_warned = TRUE;
  ocl_kernel_cache_add_warning (self, g_error_new (OCL_ERROR,
          OCL_ERROR_NOT_SUPPORTED, "The variant %s of %s does not fit this "
          "device, and a slower variant is used. %s", entry->variant->name,
          entry->klass->name, entry->error->message));
}

/* Returns the first ready candidate of the @n @candidates, which have one
 * variant, or NULL, and sets @entry to its entry, or to the last failed entry.
 * If programs are built later, and one is ready, only requests the better ones.
 * The caller holds the mutex. */
static const Entry *
ocl_kernel_cache_take_variant (OclKernelCache * self,
    const OclKernelRequest * request, const Entry * candidates, guint n,
    gboolean is_last, Entry ** entry)
{
  const gboolean later = ocl_kernel_cache_builds_later (self, request);
  const gboolean all_specializations = request->forced
      || !ocl_kernel_cache_has_cpu (self);
  State before = STATE_FAILED;
  guint ready = later ? 0 : n;

  for (; ready < n; ready++) {
    *entry = ocl_kernel_cache_find (self, &candidates[ready]);
    if (*entry && (*entry)->state == STATE_READY)
      break;
  }
  for (guint i = 0; i < ready; i++) {
    const Entry *candidate = &candidates[i];

    /* CPUs have only the general specialization, unless the variant is forced.
     * Default settings replace stored settings that have failed. */
    if ((!candidate->is_general && !all_specializations)
        || (i > 0 && candidates[i - 1].build.is_stored
            && before != STATE_FAILED))
      continue;
    Entry *own = ocl_kernel_cache_request (self, candidate, FALSE);
    if (ready == n && (candidate->is_general || !later)) {
      Entry *quick = is_quick (request)
          ? ocl_kernel_cache_request (self, candidate, TRUE) : NULL;

      if (quick && own->state != STATE_READY)
        ocl_kernel_cache_ensure_built (self, quick, FALSE);
      if (quick && quick->state == STATE_READY) {
        *entry = quick;
        return candidate;
      }
      ocl_kernel_cache_ensure_built (self, own, is_last && i == n - 1);
      *entry = own;
      if (own->state == STATE_READY)
        return candidate;
      if (!is_last && i == n - 1)
        ocl_kernel_cache_warn (self, own);
    }
    before = own->state;
  }
  return ready < n ? &candidates[ready] : NULL;
}

void
ocl_kernel_cache_set_wait_func (OclKernelCache * self,
    void (*function) (gpointer data), gpointer data)
{
  self->wait_func = function;
  self->wait_data = data;
}

OclKernels *
ocl_kernel_cache_get (OclKernelCache * self, const OclKernelRequest * request,
    gboolean * is_stored, GError ** error)
{
  Entry candidates[MAX_CANDIDATES];
  const guint n = ocl_kernel_cache_get_candidates (self, request, candidates);
  const Entry *chosen = NULL;
  Entry *entry = NULL;
  OclKernels *kernels = NULL;
  guint end;

  g_mutex_lock (&self->mutex);
  const guint n_built = self->n_built;
  for (guint i = 0; i < n && !chosen; i = end) {
    for (end = i; end < n && candidates[end].variant == candidates[i].variant;)
      end++;
    /* A variant for buffers was the best variant before it failed. */
    if (candidates[i].build.storage != request->info.storage && end < n)
      continue;
    chosen = ocl_kernel_cache_take_variant (self, request, candidates + i,
        end - i, end == n, &entry);
  }
  if (chosen) {
    kernels = entry->kernels;
    *is_stored = chosen->build.is_stored;
  } else if (error) {
    *error = g_error_copy (entry->error);
  }
  if (chosen && self->n_built != n_built && !request->forced) {
    ocl_kernel_cache_check_text (self, request);
    ocl_kernel_cache_prepare_others (self, request);
  }
  g_mutex_unlock (&self->mutex);
  return kernels;
}

const OclVariant *
ocl_kernel_cache_get_best (OclKernelCache * self,
    const OclKernelRequest * request)
{
  Entry candidates[MAX_CANDIDATES];
  const guint n = ocl_kernel_cache_get_candidates (self, request, candidates);
  const OclVariant *best = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n && !best; i++) {
    const Entry *entry = ocl_kernel_cache_find (self, &candidates[i]);

    if (candidates[i].is_general && !(entry && entry->state == STATE_FAILED))
      best = candidates[i].variant;
  }
  g_mutex_unlock (&self->mutex);
  return best ? best : candidates[n - 1].variant;
}

gboolean
ocl_kernel_cache_is_ready (OclKernelCache * self,
    const OclKernelRequest * request)
{
  Entry candidates[MAX_CANDIDATES];
  const guint n = ocl_kernel_cache_get_candidates (self, request, candidates);
  const gboolean later = ocl_kernel_cache_builds_later (self, request);
  gboolean is_ready = TRUE;

  if (request->forced)
    return TRUE;
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n; i++) {
    Entry *wanted = &candidates[i];

    if (!wanted->is_general || wanted->build.storage != request->info.storage)
      continue;
    Entry *entry = ocl_kernel_cache_find (self, wanted);
    wanted->build.quick = is_quick (request)
        && !(entry && entry->state >= STATE_READY);
    if (later) {
      entry = ocl_kernel_cache_request (self, wanted, wanted->build.quick);
      /* The next graph may use it. If it does not, it is bounded like used
       * ones. */
      entry->last_used = self->n_drops + 1;
      is_ready = entry->state >= STATE_READY;
    }
    if (!entry || entry->state < STATE_READY)
      ocl_kernels_announce (self->context, wanted->variant, &wanted->build,
          self->uses_database ? request->name : NULL);
    if (!entry || entry->state != STATE_FAILED)
      break;
  }
  g_mutex_unlock (&self->mutex);
  return is_ready;
}

/* Returns whether @entry may be dropped: it has no other owner, the next graph
 * does not need it, and it is not prepared for other parameters with frames of
 * @format, in either byte order and also in the intermediate format. */
static gboolean
ocl_kernel_cache_is_unused (OclKernelCache * self, const Entry * entry,
    const OclFormat * format)
{
  const gchar *name = entry->build.format->name;

  return entry->state != STATE_BUILDING
      && !(entry->kernels && !ocl_kernels_has_one_owner (entry->kernels))
      && entry->last_used < self->n_drops
      && (entry->last_used > 0 || entry->klass->flags & OCL_OPERATION_IS_TEXT
      || (!g_str_equal (name, format->name) && !(format->swapped
              && g_str_equal (name, format->swapped->name))));
}

/* Returns whether @entry, which is unused, is dropped now. A text that was
 * requested for the current graph is not used yet. */
static gboolean
ocl_kernel_cache_drops (OclKernelCache * self, const Entry * entry,
    const OclFormat * format)
{
  guint n = 0;

  if (entry->klass->flags & OCL_OPERATION_IS_TEXT)
    return entry->last_used > 0 || entry->created + 1 < self->n_drops;
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *other = self->entries->pdata[i];

    n += other->user == entry->user
        && ocl_kernel_cache_is_unused (self, other, format)
        && (other->last_used > entry->last_used
        || (other->last_used == entry->last_used && other != entry));
  }
  return n >= N_KEPT || entry->build.quick;
}

void
ocl_kernel_cache_drop_unused (OclKernelCache * self, const OclFormat * format)
{
  g_mutex_lock (&self->mutex);
  self->n_drops++;
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->kernels && !ocl_kernels_has_one_owner (entry->kernels))
      entry->last_used = self->n_drops;
  }
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = self->entries->pdata[i];

    if (ocl_kernel_cache_is_unused (self, entry, format)
        && ocl_kernel_cache_drops (self, entry, format))
      g_ptr_array_remove_index (self->entries, i--);
  }
  g_mutex_unlock (&self->mutex);
}
