/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runner.h"

#include <string.h>
#include <time.h>

#include "frames.h"
#include "octaves.h"
#include "opencl/operation/ocloperation.h"

/* Taps of the rows that are run to guess what a frame takes: little for the
 * slowest kernel. */
#define PROBE_TAPS 2000000
#define PROBES 3

/* OpenMP's threads go on for a while after their work, waiting for more. In
 * microseconds. */
#define OPENMP_REST 20000

/* Every word of a result that is drawn. */
#define DRAWN_WORD 1

/* An operation that stays for the next run. */
typedef struct
{
  const OclVariant *variant;    /* forced, or NULL */
  OclTuning tuning;
  OclOperation *operation;
  OclContext *context;
  OclPlan *plan;                /* of the last case, or NULL */
  OclResult result;
} Kept;

struct _Runner
{
  OclContext *context;
  OclTimer *timer;
  guint8 *pixels;               /* NULL where frames are drawn */
  GPtrArray *frames;            /* Frames */
  GPtrArray *kept;              /* Kept */
  Octaves *octaves;             /* of the last run on some, or NULL */
  gpointer host_result;         /* of plain C */
  gboolean openmp_is_awake;
};

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  ocl_plan_set (&kept->plan, NULL);
  ocl_operation_free (kept->operation);
  ocl_result_clear (&kept->result, kept->context);
  ocl_context_unref (kept->context);
  g_free (kept);
}

static void
free_frames (gpointer frames)
{
  frames_free (frames);
}

Runner *
runner_new (OclContext * context, guint8 * pixels)
{
  Runner *self = g_new0 (Runner, 1);

  self->context = ocl_context_ref (context);
  self->timer = ocl_timer_new ();
  self->pixels = pixels;
  self->frames = g_ptr_array_new_with_free_func (free_frames);
  self->kept = g_ptr_array_new_with_free_func (kept_free);
  return self;
}

void
runner_free (Runner * self)
{
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->frames);
  g_clear_pointer (&self->octaves, octaves_free);
  g_free (self->host_result);
  g_free (self->pixels);
  ocl_timer_free (self->timer);
  ocl_context_unref (self->context);
  g_free (self);
}

static Frames *
runner_get_frames (Runner * self, const RunnerCase * item)
{
  for (guint i = 0; i < self->frames->len; i++) {
    Frames *frames = self->frames->pdata[i];

    if (frames->format == item->format && frames->width == item->width
        && frames->height == item->height)
      return frames;
  }

  Frames *frames = frames_new (item->format, item->width, item->height,
      self->pixels);
  g_ptr_array_add (self->frames, frames);
  return frames;
}

static Kept *
runner_get_kept (Runner * self, const RunnerCase * item)
{
  const OclVariant *variant = item->variant.variant;

  for (guint i = 0; i < self->kept->len; i++) {
    Kept *kept = self->kept->pdata[i];

    if (ocl_operation_get_class (kept->operation) == item->variant.klass
        && kept->variant == variant && (!variant
            || memcmp (&kept->tuning, &item->tuning, sizeof (OclTuning)) == 0))
      return kept;
  }

  Kept *kept = g_new0 (Kept, 1);
  kept->variant = variant;
  kept->tuning = item->tuning;
  kept->context = ocl_context_ref (self->context);
  kept->operation = ocl_operation_new (item->variant.klass, self->context);
  if (variant)
    ocl_operation_force (kept->operation, variant, &item->tuning);
  g_ptr_array_add (self->kept, kept);
  return kept;
}

/* A result that is drawn, and not made, has to be something. */
static gboolean
runner_ensure_result (Runner * self, const RunnerCase * item, Kept * kept,
    GError ** error)
{
  const gsize size = item->variant.klass->result_size;

  if (size == 0 || kept->result.device.memory)
    return TRUE;
  return ocl_result_ensure (&kept->result, self->context, size, error)
      && (item->variant.klass->flags & OCL_OPERATION_READS
      || ocl_memory_enqueue_fill (&kept->result.device, self->context,
          DRAWN_WORD, 0, size, self->timer, error));
}

static gboolean
kept_plan (Kept * kept, const OclFrame * frame, gconstpointer params,
    GError ** error)
{
  g_autoptr (OclPlan) plan =
      ocl_operation_get_plan (kept->operation, frame, params, error);

  ocl_plan_set (&kept->plan, plan);
  return plan != NULL;
}

static gboolean
runner_prepare (Runner * self, const RunnerCase * item, Frames * frames,
    GError ** error)
{
  const OclOperationFlags does =
      item->variant.klass->flags & OCL_OPERATION_FILTERS;
  const OclStorage storage = item->storage;
  Kept *kept = runner_get_kept (self, item);

  if (!frames_upload (frames, self->context, storage, error)
      || !kept_plan (kept, &frames->input[storage], item->params, error)
      || !runner_ensure_result (self, item, kept, error))
    return FALSE;
  /* It changes what is there. */
  return does != OCL_OPERATION_WRITES
      || frames_copy_to_output (frames, self->context, storage, error);
}

static gboolean
runner_enqueue (Runner * self, const RunnerCase * item, const Frames * frames,
    GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const gboolean reads = klass->flags & OCL_OPERATION_READS;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  const guint n_later =
      ocl_operation_class_get_neighbours (klass, item->params).n_later;
  Kept *kept = runner_get_kept (self, item);
  OclRun run = {
    .params = item->params,
    .input = reads ? &frames->input[item->storage] : NULL,
    .output = writes ? &frames->output[item->storage] : NULL,
    .result = klass->result_size > 0 ? &kept->result : NULL,
    .timer = self->timer,
  };

  if (n_later > 0) {
    OclRun taking = run;

    taking.output = NULL;
    if (!ocl_operation_enqueue (kept->operation, NULL, &taking, error))
      return FALSE;
    run.input = NULL;
    run.age = MIN (n_later, ocl_operation_count_kept (kept->operation) - 1);
  }
  return ocl_operation_enqueue (kept->operation, kept->plan, &run, error)
      && (!reads || klass->result_size == 0
      || ocl_result_enqueue_read (&kept->result, self->context,
          klass->result_size, self->timer, error));
}

/* Of a clock that only goes forward. */
static gdouble
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Only those of the last case stay: they take gigabytes. */
static gboolean
runner_ensure_octaves (Runner * self, const RunnerCase * item, GError ** error)
{
  const OclVariant *variant = item->variant.variant;
  const OctavesShape shape = {
    .storage = item->storage,.width = item->width,.height = item->height,
    .n_octaves = item->n_octaves,.n_images = item->n_images,
  };

  if (self->octaves && octaves_are (self->octaves, variant, &item->tuning,
          &shape))
    return TRUE;
  g_clear_pointer (&self->octaves, octaves_free);
  self->octaves = octaves_new (self->context, item->variant.klass, variant,
      &item->tuning, &shape, error);
  return self->octaves != NULL;
}

static gboolean
runner_make_ready (Runner * self, const RunnerCase * item, GError ** error)
{
  return item->n_octaves > 0 ? runner_ensure_octaves (self, item, error)
      : runner_prepare (self, item, runner_get_frames (self, item), error);
}

static gboolean
runner_start (Runner * self, const RunnerCase * item, GError ** error)
{
  return item->n_octaves > 0
      ? octaves_enqueue (self->octaves, item->params, self->timer, error)
      : runner_enqueue (self, item, runner_get_frames (self, item), error);
}

static gboolean
runner_run_on_device (Runner * self, const RunnerCase * item,
    RunnerTimes * times, GError ** error)
{
  guint64 nanoseconds[OCL_TIMER_N_KINDS] = { 0 };
  gboolean ok = runner_make_ready (self, item, error);

  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_timer_reset (self->timer);
  if (!ok)
    return FALSE;

  if (self->openmp_is_awake)
    g_usleep (OPENMP_REST);
  self->openmp_is_awake = FALSE;
  gdouble start = get_milliseconds ();
  ok = runner_start (self, item, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  times->wall = get_milliseconds () - start;
  ok = ok && ocl_timer_read (self->timer, nanoseconds, error);
  ocl_timer_reset (self->timer);
  times->kernel = nanoseconds[OCL_TIMER_KERNEL] / 1e6;
  times->transfer = nanoseconds[OCL_TIMER_TRANSFER] / 1e6;
  return ok;
}

static gpointer
runner_get_host_output (Runner * self, const RunnerCase * item, Frames * frames)
{
  const OclOperationClass *klass = item->variant.klass;

  if (klass->flags & OCL_OPERATION_WRITES) {
    frames_ensure_written (frames);
    return frames->written;
  }
  self->host_result = g_realloc (self->host_result, klass->result_size);
  return self->host_result;
}

static gboolean
runner_run_on_host (Runner * self, const RunnerCase * item,
    RunnerTimes * times, GError ** error)
{
  Frames *frames = runner_get_frames (self, item);
  const gboolean threads = item->variant.threads;

  if (threads && !plain_c_has_openmp ()) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this glopencl was built without OpenMP");
    return FALSE;
  }

  gpointer output = runner_get_host_output (self, item, frames);
  gdouble start = get_milliseconds ();
  item->variant.plain_c->run (item->params, threads, frames->pixels, output,
      item->width, item->height);
  times->wall = get_milliseconds () - start;
  self->openmp_is_awake = threads;
  times->kernel = times->wall;
  times->transfer = 0.0;
  return TRUE;
}

static gboolean
can_serve (const RunnerCase * item)
{
  const OclVariant *variant = item->variant.variant;
  const PlainC *plain_c = item->variant.plain_c;
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes = ocl_operation_class_get_passes (item->variant.klass,
      item->params, item->format, passes);

  /* Of a variant that is forced, none falls back. */
  for (guint i = 0; variant && variant->can_serve && i < n_passes; i++) {
    if (!variant->can_serve (item->params, item->format, &passes[i]))
      return FALSE;
  }
  return !plain_c || plain_c_can_serve (item->variant.klass, item->params);
}

static gboolean
check_place (const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;

  if (item->n_octaves == 0 && item->storage >= OCL_N_STORAGES)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "frames are in buffers or images, but with --octaves");
  else if (item->n_octaves > 0 && (!item->variant.variant
          || (klass->flags & OCL_OPERATION_FILTERS) != OCL_OPERATION_FILTERS
          || klass->result_size > 0))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "octaves are for variants of filters");
  else
    return TRUE;
  return FALSE;
}

/* Whether there is something to run. */
static gboolean
check_case (const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;

  if (ocl_operation_class_is_neutral (klass, item->params))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "with these settings frames stay as they are");
  else if (item->variant.plain_c && item->format != OCL_FORMAT_RGBA)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "plain C knows RGBA only");
  else if (!ocl_operation_class_check (klass, item->params, item->format, NULL))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "these settings are not for %s", item->format->name);
  else if (!can_serve (item))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this variant does not serve these settings");
  else
    return check_place (item, error);
  return FALSE;
}

gint
runner_case_get_diameter (const RunnerCase * item)
{
  const OclOperationClass *klass = item->variant.klass;

  return klass->get_reach ? 2 * klass->get_reach (item->params) + 1 : 1;
}

gboolean
runner_run (Runner * self, const RunnerCase * item, RunnerTimes * times,
    GError ** error)
{
  if (!check_case (item, error))
    return FALSE;
  if (item->variant.plain_c)
    return runner_run_on_host (self, item, times, error);
  return runner_run_on_device (self, item, times, error);
}

gboolean
runner_warm_up (Runner * self, const RunnerCase * item, gdouble max_seconds,
    GError ** error)
{
  const gint diameter = runner_case_get_diameter (item);
  RunnerCase probe = *item;
  RunnerTimes times;
  gdouble seconds = G_MAXDOUBLE;

  probe.height = CLAMP (PROBE_TAPS / item->width / diameter / diameter, 1,
      item->height);
  /* The first run is not a warm one. */
  for (guint i = 0; i < PROBES && item->n_octaves == 0; i++) {
    if (!runner_run (self, &probe, &times, error))
      return FALSE;
    seconds = MIN (seconds, times.wall / 1e3 * item->height / probe.height);
  }
  if (item->n_octaves == 0 && seconds > max_seconds) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "a frame would take about %.3g s", seconds);
    return FALSE;
  }
  return runner_run (self, item, &times, error);
}

guint8 *
runner_read (Runner * self, const RunnerCase * item, guint plane,
    gsize * size, GError ** error)
{
  guint8 *bytes = ocl_frame_read_plane (self->context,
      &runner_get_frames (self, item)->output[item->storage], plane, size,
      self->timer, error);

  ocl_timer_reset (self->timer);
  return bytes;
}

void
runner_forget (Runner * self, const RunnerCase * item)
{
  g_ptr_array_remove_fast (self->kept, runner_get_kept (self, item));
}
