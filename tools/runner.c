/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runner.h"

#include <string.h>
#include <time.h>

#include "frames.h"
#include "opencl/ocloperations.h"
#include "opencl/operation/oclkernels.h"
#include "opencl/graph/oclfilter.h"
#include "opencl/pyramid/oclpyramidlevels.h"
#include "tool.h"

/* Taps of the rows that are run to estimate the time of a frame: little for the
 * slowest kernel. */
#define PROBE_TAPS 2000000
#define PROBES 3

#ifdef _OPENMP
#define HAS_OPENMP TRUE
#else
#define HAS_OPENMP FALSE
#endif

/* OpenMP's threads spin for a while after their work. In microseconds. */
#define OPENMP_REST 20000

/* Every word of a result to draw. */
#define DRAWN_WORD 1

/* Amplitude of the noise in pyramids. */
#define SEED 1

/* A filter that is kept for the next run. */
typedef struct
{
  const OclVariant *variant;    /* forced, or NULL */
  OclTuning tuning;
  OclFilter *filter;
  OclGraph *graph;              /* of the last case, or NULL */
  OclResult result;
} Kept;

/* A pyramid, and the kernels for it. */
typedef struct
{
  RunnerCase item;              /* the case of the pyramid */
  OclPass pass;
  OclFormat format;
  OclPyramidLevels input;
  OclPyramidLevels output;
  OclKernels *kernels;          /* NULL if there is no pyramid */
} Pyramid;

struct _Runner
{
  OclContext *context;
  OclTimer *timer;
  guint8 *pixels;               /* NULL if frames are drawn */
  GPtrArray *frames;            /* Frames */
  GPtrArray *kept;              /* Kept */
  Pyramid pyramid;              /* of the last case. It takes gigabytes */
  gpointer host_result;         /* of plain C */
  gboolean openmp_is_awake;
};

GArray *
runner_variant_list (const OclOperationClass * klass)
{
  GArray *variants = g_array_new (FALSE, FALSE, sizeof (RunnerVariant));

  for (guint i = 0; ocl_operations[i]; i++) {
    RunnerVariant variant = {.klass = ocl_operations[i],
      .name = RUNNER_VARIANT_AUTO
    };

    if (klass && klass != variant.klass)
      continue;
    g_array_append_val (variants, variant);
    for (guint j = 0; variant.klass->variants[j]; j++) {
      variant.variant = variant.klass->variants[j];
      variant.name = variant.variant->name;
      g_array_append_val (variants, variant);
    }
    variant.variant = NULL;
    variant.plain_c = plain_c_find (variant.klass->name);
    for (guint j = 0; variant.plain_c && j < 2; j++) {
      variant.threads = j == 1;
      variant.name = variant.threads ? "openmp" : "serial";
      g_array_append_val (variants, variant);
    }
  }
  return variants;
}

gboolean
runner_variant_parse (const OclOperationClass * klass, const gchar * option,
    const gchar * text, RunnerVariant * variant)
{
  g_autoptr (GArray) variants = runner_variant_list (klass);
  g_autofree const gchar **names = g_new0 (const gchar *, variants->len + 1);

  for (guint i = 0; i < variants->len; i++)
    names[i] = g_array_index (variants, RunnerVariant, i).name;
  const gint n = tool_find_name (option, text, names);
  if (n >= 0)
    *variant = g_array_index (variants, RunnerVariant, n);
  return n >= 0;
}

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  ocl_graph_set (&kept->graph, NULL);
  ocl_result_clear (&kept->result, ocl_filter_get_context (kept->filter));
  ocl_filter_unref (kept->filter);
  g_free (kept);
}

static void
pyramid_clear (Pyramid * self)
{
  g_clear_pointer (&self->kernels, ocl_kernels_unref);
  ocl_pyramid_levels_clear (&self->input);
  ocl_pyramid_levels_clear (&self->output);
}

Runner *
runner_new (OclContext * context, guint8 * pixels)
{
  Runner *self = g_new0 (Runner, 1);

  self->context = ocl_context_ref (context);
  self->timer = ocl_timer_new ();
  self->pixels = pixels;
  self->frames = g_ptr_array_new_with_free_func ((GDestroyNotify) frames_free);
  self->kept = g_ptr_array_new_with_free_func (kept_free);
  return self;
}

void
runner_free (Runner * self)
{
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->frames);
  pyramid_clear (&self->pyramid);
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
  g_ptr_array_add (self->frames, frames_new (item->format, item->width,
          item->height, self->pixels));
  return self->frames->pdata[self->frames->len - 1];
}

static Kept *
runner_get_kept (Runner * self, const RunnerCase * item)
{
  const OclLinks links = OCL_SINGLE (item->variant.klass, item->params);
  const OclVariant *variant = item->variant.variant;

  for (guint i = 0; i < self->kept->len; i++) {
    Kept *kept = self->kept->pdata[i];

    if (ocl_filter_get_class (kept->filter, 0) == item->variant.klass
        && kept->variant == variant && (!variant
            || memcmp (&kept->tuning, &item->tuning, sizeof (OclTuning)) == 0))
      return kept;
  }

  Kept *kept = g_new0 (Kept, 1);
  kept->variant = variant;
  kept->tuning = item->tuning;
  kept->filter = ocl_filter_new (&links, self->context);
  if (variant)
    ocl_filter_force (kept->filter, 0, variant, &item->tuning);
  g_ptr_array_add (self->kept, kept);
  return kept;
}

/* Creates the kernels and frames of @item, which is not for a pyramid. */
static gboolean
runner_prepare (Runner * self, const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const OclStorage storage = item->storage;
  Frames *frames = runner_get_frames (self, item);
  Kept *kept = runner_get_kept (self, item);
  const OclLinks links = OCL_SINGLE (item->variant.klass, item->params);

  if (!frames_upload (frames, self->context, storage, error))
    return FALSE;
  g_autoptr (OclGraph) graph = ocl_filter_get_graph (kept->filter,
      &frames->input[storage].info, &links, error);
  ocl_graph_set (&kept->graph, graph);
  if (!graph)
    return FALSE;
  /* A result that is only drawn needs content. */
  if (klass->result_size > 0 && !kept->result.device.memory
      && (!ocl_result_ensure (&kept->result, self->context,
              klass->result_size, error)
          || (!(klass->flags & OCL_OPERATION_READS)
              && !ocl_memory_enqueue_fill (&kept->result.device, self->context,
                  DRAWN_WORD, 0, klass->result_size, self->timer, error))))
    return FALSE;
  /* Operations that only write change the existing frame. */
  return (klass->flags & OCL_OPERATION_FILTERS) != OCL_OPERATION_WRITES
      || ocl_frame_enqueue_copy (self->context, &frames->input[storage],
      &frames->output[storage], self->timer, error);
}

static gboolean
runner_enqueue (Runner * self, const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const gboolean reads = klass->flags & OCL_OPERATION_READS;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  const guint n_later =
      ocl_operation_class_get_neighbours (klass, item->params).n_later;
  Frames *frames = runner_get_frames (self, item);
  Kept *kept = runner_get_kept (self, item);
  const OclLinks links = OCL_SINGLE (item->variant.klass, item->params);
  OclRun run = {
    .input = reads ? &frames->input[item->storage] : NULL,
    .output = writes ? &frames->output[item->storage] : NULL,
    .result = klass->result_size > 0 ? &kept->result : NULL,
    .timer = self->timer,
  };

  if (n_later > 0) {
    OclRun taking = run;

    taking.output = NULL;
    if (!ocl_filter_enqueue (kept->filter, kept->graph, &links, &taking, error))
      return FALSE;
    run.input = NULL;
    run.age = MIN (n_later, ocl_filter_count_kept (kept->filter) - 1);
  }
  return ocl_filter_enqueue (kept->filter, kept->graph, &links, &run, error)
      && (!reads || klass->result_size == 0
      || ocl_result_enqueue_read (&kept->result, self->context,
          klass->result_size, self->timer, error));
}

/* Waits until @noise has been read. */
static gboolean
pyramid_write (Pyramid * self, OclContext * context, guint octave, guint image,
    const cl_float * noise, GError ** error)
{
  const OclFrame *frame = ocl_pyramid_levels_get (&self->input, octave, image);
  const OclPlane *plane = &frame->planes[0];
  const gboolean is_buffer = self->item.storage == OCL_STORAGE_BUFFER;
  const size_t unit = is_buffer ? 1 : sizeof (cl_float);
  const size_t nowhere[3] = { 0, 0, 0 };
  const size_t start[3] = { plane->offset * unit, 0, 0 };
  const size_t bytes[3] =
      { frame->info.width * sizeof (cl_float), frame->info.height,
    1
  };
  /* For an array the offset is the layer. */
  const size_t origin[3] = { 0, 0, plane->offset };
  const size_t region[3] = { frame->info.width, frame->info.height, 1 };

  if (is_buffer || self->item.storage == OCL_STORAGE_IMAGE_BUFFER)
    return ocl_check (clEnqueueWriteBufferRect (context->queue,
            is_buffer ? plane->memory : self->input.buffers->pdata[octave],
            CL_TRUE, start, nowhere, bytes, plane->stride * unit, 0, 0, 0,
            noise, 0, NULL, NULL), "clEnqueueWriteBufferRect", error);
  return ocl_check (clEnqueueWriteImage (context->queue, plane->memory,
          CL_TRUE, origin, region, 0, 0, noise, 0, NULL, NULL),
      "clEnqueueWriteImage", error);
}

/* Creates the pyramid and the kernels of @item. */
static gboolean
runner_prepare_pyramid (Runner * self, const RunnerCase * item, GError ** error)
{
  Pyramid *pyramid = &self->pyramid;
  const RunnerCase *last = &pyramid->item;
  const OclVariant *variant = item->variant.variant;
  const OclStorage storage = item->storage;

  if (pyramid->kernels && last->variant.variant == variant
      && memcmp (&last->tuning, &item->tuning, sizeof (OclTuning)) == 0
      && last->storage == storage && last->width == item->width
      && last->height == item->height && last->n_octaves == item->n_octaves
      && last->n_images == item->n_images)
    return TRUE;
  pyramid_clear (pyramid);
  if (variant->flags & OCL_VARIANT_BUFFERS_ONLY
      && storage != OCL_STORAGE_BUFFER) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this variant supports buffers only");
    return FALSE;
  }
  pyramid->item = *item;
  pyramid->pass = (OclPass) {
  .n_channels = 1};
  ocl_pyramid_levels_init_format (&pyramid->format, ocl_format_find ("GRAY8"),
      &pyramid->pass, storage, FALSE);
  for (guint i = 0; i < 2; i++) {
    if (!ocl_pyramid_levels_ensure (i == 0 ? &pyramid->input : &pyramid->output,
            self->context, storage, &pyramid->format, &pyramid->pass,
            item->width, item->height, item->n_octaves, item->n_images, error))
      return FALSE;
  }

  const gsize n = (gsize) item->width * item->height;
  g_autofree cl_float *noise = g_new (cl_float, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  for (gsize i = 0; i < n; i++)
    noise[i] = g_rand_int_range (random, 0, 256);
  for (guint i = 0; i < item->n_octaves * item->n_images; i++) {
    if (!pyramid_write (pyramid, self->context, i / item->n_images,
            i % item->n_images, noise, error))
      return FALSE;
  }
  const OclBuild build = {.format = &pyramid->format,.storage = storage,
    .pass = pyramid->pass,.tuning = item->tuning
  };
  pyramid->kernels = ocl_kernels_new (self->context, variant, &build, error);
  return pyramid->kernels != NULL;
}

/* Enqueues the operation on every image. */
static gboolean
runner_enqueue_pyramid (Runner * self, const RunnerCase * item, GError ** error)
{
  Pyramid *pyramid = &self->pyramid;
  g_autofree gpointer derived = ocl_operation_class_derive (item->variant.klass,
      item->params, &pyramid->pass);

  for (guint i = 0; i < item->n_octaves * item->n_images; i++) {
    const guint octave = i / item->n_images;
    const guint image = i % item->n_images;
    const OclRun run = {
      .params = item->params,.derived = derived,.pass = &pyramid->pass,
      .input = ocl_pyramid_levels_get (&pyramid->input, octave, image),
      .output = ocl_pyramid_levels_get (&pyramid->output, octave, image),
      .timer = self->timer,
    };

    if (!ocl_kernels_enqueue (pyramid->kernels, &run, error))
      return FALSE;
  }
  return TRUE;
}

/* From a monotonic clock. */
static gdouble
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static gboolean
runner_run_on_device (Runner * self, const RunnerCase * item,
    RunnerTimes * times, GError ** error)
{
  guint64 nanoseconds[OCL_TIMER_N_KINDS] = { 0 };
  gboolean ok = item->n_octaves > 0 ? runner_prepare_pyramid (self, item, error)
      : runner_prepare (self, item, error);

  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_timer_reset (self->timer);
  if (!ok)
    return FALSE;

  if (self->openmp_is_awake)
    g_usleep (OPENMP_REST);
  self->openmp_is_awake = FALSE;
  const gdouble start = get_milliseconds ();
  ok = item->n_octaves > 0 ? runner_enqueue_pyramid (self, item, error)
      : runner_enqueue (self, item, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  times->wall = get_milliseconds () - start;
  ok = ok && ocl_timer_read (self->timer, nanoseconds, error);
  ocl_timer_reset (self->timer);
  times->kernel = nanoseconds[OCL_TIMER_KERNEL] / 1e6;
  times->transfer = nanoseconds[OCL_TIMER_TRANSFER] / 1e6;
  return ok;
}

static void
runner_run_on_host (Runner * self, const RunnerCase * item, RunnerTimes * times)
{
  const OclOperationClass *klass = item->variant.klass;
  const gboolean threads = item->variant.threads;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  Frames *frames = runner_get_frames (self, item);

  if (!writes)
    self->host_result = g_realloc (self->host_result, klass->result_size);
  else if (!frames->written)
    frames->written = g_malloc0 ((gsize) item->width * item->height * 4);
  const gdouble start = get_milliseconds ();
  item->variant.plain_c->run (item->params, threads, frames->pixels,
      writes ? frames->written : self->host_result, item->width, item->height);
  times->wall = get_milliseconds () - start;
  self->openmp_is_awake = threads;
  times->kernel = times->wall;
  times->transfer = 0.0;
}

/* Returns whether the forced variant can compute all passes. */
static gboolean
can_serve (const RunnerCase * item)
{
  const OclVariant *variant = item->variant.variant;
  OclPass passes[OCL_MAX_PASSES];
  const guint n_passes = ocl_operation_class_get_passes (item->variant.klass,
      item->params, item->format, passes);

  for (guint i = 0; variant && variant->can_serve && i < n_passes; i++) {
    if (!variant->can_serve (item->params, item->format, &passes[i]))
      return FALSE;
  }
  return !item->variant.plain_c
      || plain_c_can_serve (item->variant.klass, item->params);
}

/* Checks that there is something to run. */
static gboolean
check_case (const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;

  if (ocl_operation_class_is_neutral (klass, item->params))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "with these settings frames are unchanged");
  else if (item->variant.plain_c && item->format != OCL_FORMAT_RGBA)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "plain C supports RGBA only");
  else if (!ocl_operation_class_check (klass, item->params, item->format, NULL))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "these settings do not support %s", item->format->name);
  else if (!can_serve (item))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this variant does not support these settings");
  else if (item->n_octaves == 0 && item->storage >= OCL_N_STORAGES)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this storage requires --octaves");
  else if (item->n_octaves > 0 && (!item->variant.variant
          || !ocl_operation_class_filters (klass) || klass->result_size > 0))
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "--octaves requires variants of filters");
  else if (item->variant.threads && !HAS_OPENMP)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this glopencl was built without OpenMP");
  else
    return TRUE;
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
  if (!item->variant.plain_c)
    return runner_run_on_device (self, item, times, error);
  runner_run_on_host (self, item, times);
  return TRUE;
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
  /* The first run warms up. */
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
