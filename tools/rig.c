/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rig.h"

#include <time.h>

#include "opencl/oclhistogram.h"
#include "picture.h"
#include "yardstick.h"

/* Taps of the rows that are run to guess what a frame takes: little for the
 * slowest kernel. */
#define PROBE_TAPS 2000000
#define PROBES 3

/* OpenMP's threads go on for a while after their work, waiting for more. In
 * microseconds. */
#define OPENMP_REST 20000

#define MAX_VARIANTS 8

const gchar *const rig_operation_names[] = { "bilateral", "histogram", NULL };

const gchar *const rig_color_mode_names[] = {
  "intensity", "per-channel", "lab", NULL
};

const gchar *const rig_window_names[] = { "square", "disc", NULL };

const gchar *const rig_storage_names[] = { "buffer", "image", NULL };

const RigVariant rig_variants[] = {
  {RIG_BILATERAL, "auto", FALSE, OCL_BILATERAL_VARIANT_AUTO},
  {RIG_BILATERAL, "plain", FALSE, OCL_BILATERAL_VARIANT_PLAIN},
  {RIG_BILATERAL, "rows", FALSE, OCL_BILATERAL_VARIANT_ROWS},
  {RIG_BILATERAL, "tiled", FALSE, OCL_BILATERAL_VARIANT_TILED},
  {RIG_BILATERAL, "fast", FALSE, OCL_BILATERAL_VARIANT_AUTO,
      OCL_BILATERAL_METHOD_FAST},
  {RIG_BILATERAL, "serial", TRUE, YARDSTICK_SERIAL},
  {RIG_BILATERAL, "openmp", TRUE, YARDSTICK_OPENMP},
  {RIG_HISTOGRAM, "auto", FALSE, OCL_HISTOGRAM_VARIANT_AUTO},
  {RIG_HISTOGRAM, "groups", FALSE, OCL_HISTOGRAM_VARIANT_GROUPS},
  {RIG_HISTOGRAM, "bands", FALSE, OCL_HISTOGRAM_VARIANT_BANDS},
  {RIG_HISTOGRAM, "serial", TRUE, YARDSTICK_SERIAL},
  {RIG_HISTOGRAM, "openmp", TRUE, YARDSTICK_OPENMP},
};

const guint rig_n_variants = G_N_ELEMENTS (rig_variants);

/* The frames of one size. */
typedef struct
{
  gint width;
  gint height;
  guint8 *pixels;
  guint8 *filtered;             /* by a yardstick; NULL before */
  OclFrame input[2];            /* by OclStorage; when needed */
  OclFrame output[2];
} Frames;

struct _Rig
{
  OclContext *context;
  OclTimer *timer;
  guint8 *pixels;               /* NULL where frames are drawn */
  GPtrArray *frames;
  gboolean openmp_is_awake;
  OclBilateral *bilaterals[MAX_VARIANTS];       /* by OclBilateralVariant */
  OclHistogram *histograms[MAX_VARIANTS];       /* by OclHistogramVariant */
};

static void
frames_free (gpointer data)
{
  Frames *frames = data;

  for (guint i = 0; i < 2; i++) {
    ocl_frame_clear (&frames->input[i]);
    ocl_frame_clear (&frames->output[i]);
  }
  g_free (frames->pixels);
  g_free (frames->filtered);
  g_free (frames);
}

Rig *
rig_new (OclContext * context, guint8 * pixels)
{
  Rig *self = g_new0 (Rig, 1);

  self->context = ocl_context_ref (context);
  self->timer = ocl_timer_new ();
  self->pixels = pixels;
  self->frames = g_ptr_array_new_with_free_func (frames_free);
  return self;
}

void
rig_free (Rig * self)
{
  for (guint i = 0; i < MAX_VARIANTS; i++) {
    g_clear_pointer (&self->bilaterals[i], ocl_bilateral_free);
    g_clear_pointer (&self->histograms[i], ocl_histogram_free);
  }
  g_ptr_array_unref (self->frames);
  g_free (self->pixels);
  ocl_timer_free (self->timer);
  ocl_context_unref (self->context);
  g_free (self);
}

const RigVariant *
rig_find_variant (RigOperation operation, const gchar * name)
{
  for (guint i = 0; i < rig_n_variants; i++) {
    if (rig_variants[i].operation == operation
        && g_str_equal (rig_variants[i].name, name))
      return &rig_variants[i];
  }
  return NULL;
}

static Frames *
rig_get_frames (Rig * self, gint width, gint height)
{
  for (guint i = 0; i < self->frames->len; i++) {
    Frames *frames = self->frames->pdata[i];

    if (frames->width == width && frames->height == height)
      return frames;
  }

  Frames *frames = g_new0 (Frames, 1);
  frames->width = width;
  frames->height = height;
  frames->pixels = self->pixels
      ? g_memdup2 (self->pixels, (gsize) width * height * 4)
      : picture_draw (width, height);
  g_ptr_array_add (self->frames, frames);
  return frames;
}

/* Makes the frames on the device, and brings the input there. */
static gboolean
rig_upload (Rig * self, Frames * frames, OclStorage storage, GError ** error)
{
  const OclFrame like = {.width = frames->width,.height = frames->height };
  OclFrame *buffer = &frames->input[OCL_STORAGE_BUFFER];
  OclFrame *input = &frames->input[storage];
  const OclDevice *device = self->context->device;

  if (frames->output[storage].memory)
    return TRUE;
  if (storage == OCL_STORAGE_IMAGE
      && (device->image_max_width < (gsize) frames->width
          || device->image_max_height < (gsize) frames->height)) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device has no images of this size");
    return FALSE;
  }
  gboolean ok = ocl_frame_ensure (buffer, self->context, OCL_STORAGE_BUFFER,
      &like, error)
      && ocl_check (clEnqueueWriteBuffer (self->context->queue,
          buffer->memory, CL_TRUE, 0, ocl_frame_get_size (buffer),
          frames->pixels, 0, NULL, NULL), "clEnqueueWriteBuffer", error)
      && ocl_frame_ensure (input, self->context, storage, &like, error)
      && (input == buffer || ocl_frame_enqueue_copy (self->context, buffer,
          input, self->timer, error))
      && ocl_frame_ensure (&frames->output[storage], self->context, storage,
      &like, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_timer_reset (self->timer);
  return ok;
}

static OclBilateralParams
get_params (const RigTrial * trial)
{
  return (OclBilateralParams) {
    .spatial_sigma = trial->radius / 2.0,
    .intensity_sigma = 0.25,
    .radius = trial->radius,
    .color_mode = trial->color_mode,
    .window = trial->window,
    .method = trial->variant->method,
  };
}

static gboolean
rig_prepare (Rig * self, const RigTrial * trial, GError ** error)
{
  const gint id = trial->variant->id;
  const OclBilateralParams params = get_params (trial);

  if (trial->variant->operation == RIG_HISTOGRAM) {
    if (!self->histograms[id])
      self->histograms[id] = ocl_histogram_new (self->context, id, 1);
    return ocl_histogram_prepare (self->histograms[id], trial->storage, error);
  }
  if (!self->bilaterals[id])
    self->bilaterals[id] = ocl_bilateral_new (self->context, id);
  if (ocl_bilateral_choose_method (self->bilaterals[id], &params)
      != params.method) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the approximation does not serve these settings");
    return FALSE;
  }
  return ocl_bilateral_prepare (self->bilaterals[id], trial->storage,
      params.method, error);
}

static gboolean
rig_enqueue (Rig * self, const RigTrial * trial, Frames * frames,
    GError ** error)
{
  const OclFrame *input = &frames->input[trial->storage];
  const OclBilateralParams params = get_params (trial);

  if (trial->variant->operation == RIG_BILATERAL)
    return ocl_bilateral_enqueue (self->bilaterals[trial->variant->id],
        &params, input, &frames->output[trial->storage], self->timer, error);

  OclHistogram *histogram = self->histograms[trial->variant->id];
  return ocl_histogram_enqueue (histogram, input, self->timer, error)
      && ocl_histogram_enqueue_read (histogram, 0, self->timer, error);
}

/* Of a clock that only goes forward. */
static gdouble
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static gboolean
rig_run_on_device (Rig * self, const RigTrial * trial, RigTimes * times,
    GError ** error)
{
  Frames *frames = rig_get_frames (self, trial->width, trial->height);
  guint64 nanoseconds[OCL_TIMER_N_KINDS] = { 0 };

  if (!rig_prepare (self, trial, error)
      || !rig_upload (self, frames, trial->storage, error))
    return FALSE;

  if (self->openmp_is_awake)
    g_usleep (OPENMP_REST);
  self->openmp_is_awake = FALSE;
  gdouble start = get_milliseconds ();
  gboolean ok = rig_enqueue (self, trial, frames, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  times->wall = get_milliseconds () - start;
  ok = ok && ocl_timer_read (self->timer, nanoseconds, error);
  ocl_timer_reset (self->timer);
  times->kernel = nanoseconds[OCL_TIMER_KERNEL] / 1e6;
  times->transfer = nanoseconds[OCL_TIMER_TRANSFER] / 1e6;
  return ok;
}

static gboolean
rig_run_on_host (Rig * self, const RigTrial * trial, RigTimes * times,
    GError ** error)
{
  Frames *frames = rig_get_frames (self, trial->width, trial->height);
  const OclBilateralParams params = get_params (trial);
  const gint threads = trial->variant->id;
  OclHistogramCounts counts;

  if (threads == YARDSTICK_OPENMP && !yardstick_has_openmp ()) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this glopencl was built without OpenMP");
    return FALSE;
  }
  if (!frames->filtered)
    frames->filtered = g_malloc0 ((gsize) trial->width * trial->height * 4);

  gdouble start = get_milliseconds ();
  if (trial->variant->operation == RIG_BILATERAL)
    yardstick_bilateral (&params, threads, frames->pixels, frames->filtered,
        trial->width, trial->height);
  else
    yardstick_histogram (threads, frames->pixels, trial->width, trial->height,
        &counts);
  times->wall = get_milliseconds () - start;
  self->openmp_is_awake = threads == YARDSTICK_OPENMP;
  times->kernel = times->wall;
  times->transfer = 0.0;
  return TRUE;
}

gboolean
rig_run (Rig * self, const RigTrial * trial, RigTimes * times, GError ** error)
{
  if (trial->variant->on_host)
    return rig_run_on_host (self, trial, times, error);
  return rig_run_on_device (self, trial, times, error);
}

gboolean
rig_warm_up (Rig * self, const RigTrial * trial, gdouble patience,
    GError ** error)
{
  const gint diameter = trial->variant->operation == RIG_BILATERAL
      ? 2 * trial->radius + 1 : 1;
  RigTrial probe = *trial;
  RigTimes times;
  gdouble seconds = G_MAXDOUBLE;

  probe.height = CLAMP (PROBE_TAPS / trial->width / diameter / diameter, 1,
      trial->height);
  /* The first run is not a warm one. */
  for (guint i = 0; i < PROBES; i++) {
    if (!rig_run (self, &probe, &times, error))
      return FALSE;
    seconds = MIN (seconds, times.wall / 1e3 * trial->height / probe.height);
  }
  if (seconds > patience) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "a frame would take about %.3g s", seconds);
    return FALSE;
  }
  return rig_run (self, trial, &times, error);
}
