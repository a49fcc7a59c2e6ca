/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limit.h"

#include <string.h>

#include "opencl/core/oclmemory.h"
#include "opencl/operation/oclkernels.h"

/* Of kernels/limits.cl. */
#define CHAINS 12
#define STEPS 8

/* Larger than any cache, if the device permits it. */
#define GLOBAL_BYTES (128 * 1024 * 1024)

/* Wanted duration of a run, in milliseconds: long enough for the clock, and
 * short enough that some runs are not disturbed by a display or another
 * program. */
#define DURATION 4.0
#define RUNS_OF_ROUND 3
#define MAX_ROUNDS (1 << 24)
#define LAUNCHES 500

typedef enum
{
  LOOP,                         /* of steps */
  COPY,
  COPY_IMAGE,
  TRANSFER,
  LAUNCH,
} Kind;

/* How a limit is measured: @floats is the number per step, or per work-item of
 * a copy, 0 for a vector of the device. Each counts @weight times: once, or as
 * its bytes, which a copy reads and writes. */
static const struct
{
  const gchar *name;
  const gchar *title;
  const gchar *kernel;
  Kind kind;
  guint floats;
  guint weight;
} infos[N_LIMITS] = {
  {"fma", "multiply-adds", "limit_fma", LOOP, 0, 1},
  {"arithmetic", "multiply-adds and additions interleaved", "limit_arithmetic",
      LOOP, 0, 1},
  {"exp", "exp()", "limit_exp", LOOP, 0, 1},
  {"exp2", "exp2()", "limit_exp2", LOOP, 0, 1},
  {"native-exp", "native_exp()", "limit_native_exp", LOOP, 0, 1},
  {"native-exp2", "native_exp2()", "limit_native_exp2", LOOP, 0, 1},
  {"local", "bytes of local memory", "limit_local", LOOP, 0, 4},
  {"cache", "bytes of cached memory", "limit_cache", LOOP, 0, 4},
  {"frame", "bytes of a frame copied", "limit_global", COPY, 0, 8},
  {"global", "bytes of global memory copied", "limit_global", COPY, 0, 8},
  {"copy-1", "bytes of a frame copied, a float at a time", "limit_copy_1",
      COPY, 1, 8},
  {"copy-4", "bytes of a frame copied, 4 floats at a time", "limit_copy_4",
      COPY, 4, 8},
  {"copy-16", "bytes of a frame copied, 16 floats at a time", "limit_copy_16",
      COPY, 16, 8},
  {"image", "bytes of a frame copied, in an image", "limit_image", COPY_IMAGE,
      1, 8},
  {"atomic", "atomic additions in local memory", "limit_atomic", LOOP, 1, 1},
  {"counter", "additions to private counters", "limit_counter", LOOP, 1, 1},
  {"upload", "bytes of a frame to the device, pageable memory", NULL,
      TRANSFER, 1, 4},
  {"download", "bytes of a frame from the device, pageable memory", NULL,
      TRANSFER, 1, 4},
  {"upload-pinned", "bytes of a frame to the device, pinned memory", NULL,
      TRANSFER, 1, 4},
  {"download-pinned", "bytes of a frame from the device, pinned memory", NULL,
      TRANSFER, 1, 4},
  {"launch", "launches of an empty kernel", "limit_nothing", LAUNCH,
      1, 1},
};

typedef struct
{
  cl_int rounds;                /* of a kernel that has a loop */
  gdouble rate;
} Measured;

struct _Limits
{
  OclContext *context;
  OclTimer *timer;
  gsize vector_floats;
  gsize group;
  gsize n_items;                /* of a kernel that has a loop */
  gsize frame_bytes;
  gsize global_bytes;
  gsize width;                  /* of a frame in pixels */
  gsize height;
  cl_mem input;
  cl_mem output;
  cl_mem images[2];             /* NULL if the device has none */
  OclPinned pinned;
  guint8 *pageable;
  OclKernels *kernels;
  Measured measured[N_LIMITS];
};

/* A CPU has wide vectors, a GPU many work-items that hide latency. */
static guint
get_vector_floats (const OclDevice * device)
{
  return device->type & CL_DEVICE_TYPE_CPU
      ? CLAMP (device->vector_floats, 4, 16) : 4;
}

static guint
get_group (const OclDevice * device)
{
  return device->type & CL_DEVICE_TYPE_CPU ? 16 : 64;
}

static gchar *
get_options (G_GNUC_UNUSED const OclBuild * build, const OclDevice * device)
{
  return g_strdup_printf ("-cl-denorms-are-zero -D VECTOR=float%u -D GROUP=%u",
      get_vector_floats (device), get_group (device));
}

static const OclVariant variant = {
  .name = "limits",
  .source = "limits.cl",
  .kernels = OCL_NAMES ("limit_fma", "limit_arithmetic", "limit_exp",
      "limit_exp2", "limit_native_exp", "limit_native_exp2", "limit_local",
      "limit_cache", "limit_global", "limit_copy_1", "limit_copy_4",
      "limit_copy_16", "limit_image", "limit_atomic", "limit_counter",
      "limit_nothing"),
  .get_options = get_options,
};

static gboolean
limits_create_images (Limits * self, GError ** error)
{
  const OclDevice *device = self->context->device;
  const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
  const cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,
    .image_width = self->width,.image_height = self->height,
  };
  gboolean supported = FALSE;

  if (self->width > device->image_max_width
      || self->height > device->image_max_height)
    return TRUE;
  if (!ocl_context_supports_image (self->context, format, &supported, error))
    return FALSE;
  for (guint i = 0; supported && i < G_N_ELEMENTS (self->images); i++) {
    cl_int status = CL_SUCCESS;

    self->images[i] = clCreateImage (self->context->context, CL_MEM_READ_WRITE,
        &format, &description, NULL, &status);
    if (!ocl_check (status, "clCreateImage", error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
limits_create_memory (Limits * self, GError ** error)
{
  const cl_uint zero = 0;
  cl_int status = CL_SUCCESS;

  /* Its pages are allocated after the first write. */
  self->pageable = g_malloc (self->frame_bytes);
  memset (self->pageable, 1, self->frame_bytes);
  self->input = clCreateBuffer (self->context->context, CL_MEM_READ_ONLY,
      self->global_bytes, NULL, &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;
  self->output = clCreateBuffer (self->context->context, CL_MEM_READ_WRITE,
      self->global_bytes, NULL, &status);
  return ocl_check (status, "clCreateBuffer", error)
      && ocl_check (clEnqueueFillBuffer (self->context->queue, self->input,
          &zero, sizeof (zero), 0, self->global_bytes, 0, NULL, NULL),
      "clEnqueueFillBuffer", error)
      && limits_create_images (self, error)
      && ocl_pinned_ensure (&self->pinned, self->context, self->frame_bytes,
      error) && ocl_context_finish (self->context, error);
}

static gsize
limits_get_floats (const Limits * self, Limit limit)
{
  return infos[limit].floats ? infos[limit].floats : self->vector_floats;
}

/* Returns the number of work-items, of copied floats, or of launches. */
static gsize
limits_get_items (const Limits * self, Limit limit)
{
  switch (infos[limit].kind) {
    case LOOP:
      return self->n_items;
    case COPY_IMAGE:
      return self->width * self->height;
    case LAUNCH:
      return LAUNCHES;
    case COPY:
    case TRANSFER:
      return (limit == LIMIT_GLOBAL ? self->global_bytes : self->frame_bytes)
          / sizeof (cl_float) / limits_get_floats (self, limit);
  }
  g_assert_not_reached ();
}

static gboolean
limits_enqueue (Limits * self, Limit limit, GError ** error)
{
  const Kind kind = infos[limit].kind;
  void *host = limit == LIMIT_UPLOAD || limit == LIMIT_DOWNLOAD
      ? self->pageable : self->pinned.data;
  cl_command_queue queue = self->context->queue;
  const OclRun run = {.timer = self->timer };
  OclGrid grid = {.width = limits_get_items (self, limit),.height = 1,
    .group_width = self->group,.group_height = 1
  };

  if (limit == LIMIT_UPLOAD || limit == LIMIT_UPLOAD_PINNED)
    return ocl_check (clEnqueueWriteBuffer (queue, self->output, CL_FALSE, 0,
            self->frame_bytes, host, 0, NULL, NULL), "clEnqueueWriteBuffer",
        error);
  if (kind == TRANSFER)
    return ocl_check (clEnqueueReadBuffer (queue, self->output, CL_FALSE, 0,
            self->frame_bytes, host, 0, NULL, NULL), "clEnqueueReadBuffer",
        error);
  while (!g_str_equal (variant.kernels[grid.kernel], infos[limit].kernel))
    grid.kernel++;
  if (kind == COPY_IMAGE) {
    grid = OCL_GRID (grid.kernel, self->width, self->height);
    grid.exact = TRUE;
    return OCL_LAUNCH (self->kernels, &run, grid, error,
        OCL_MEMORY (self->images[1]), OCL_MEMORY (self->images[0]));
  }
  if (kind != LAUNCH)
    return OCL_LAUNCH (self->kernels, &run, grid, error,
        OCL_MEMORY (self->output),
        OCL_IF (kind == LOOP, OCL_INT (self->measured[limit].rounds)),
        OCL_IF (limit == LIMIT_FMA || limit == LIMIT_ARITHMETIC,
            OCL_FLOAT (0.5f)),
        OCL_IF (kind == COPY
            || limit == LIMIT_CACHE, OCL_MEMORY (self->input)));
  grid = OCL_GRID (grid.kernel, 1, 1);
  for (guint i = 0; i < LAUNCHES; i++) {
    if (!OCL_LAUNCH (self->kernels, &run, grid, error,
            OCL_MEMORY (self->output)))
      return FALSE;
  }
  return TRUE;
}

/* Runs once and updates the best rate. */
static gboolean
limits_run (Limits * self, Limit limit, gdouble * milliseconds, GError ** error)
{
  Measured *measured = &self->measured[limit];
  const gdouble n_steps = infos[limit].kind == LOOP
      ? (gdouble) measured->rounds * CHAINS * STEPS : 1.0;
  const gdouble count = n_steps * limits_get_items (self, limit)
      * limits_get_floats (self, limit) * infos[limit].weight;
  guint64 times[OCL_TIMER_N_KINDS] = { 0 };

  *milliseconds = 0.0;
  if (limit == LIMIT_IMAGE && !self->images[1])
    return TRUE;
  const gint64 start = g_get_monotonic_time ();
  gboolean ok = limits_enqueue (self, limit, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  const gint64 wall = g_get_monotonic_time () - start;
  ok = ok && ocl_timer_read (self->timer, times, error);
  ocl_timer_reset (self->timer);
  /* A driver without timestamps returns 0. */
  *milliseconds = times[OCL_TIMER_KERNEL] > 0 && limit <= LIMIT_COUNTER
      ? times[OCL_TIMER_KERNEL] / 1e6 : MAX (wall, 1) / 1e3;
  if (ok)
    measured->rate = MAX (measured->rate, count / *milliseconds * 1e3);
  return ok;
}

Limits *
limits_new (OclContext * context, gint width, gint height, GError ** error)
{
  g_autoptr (Limits) self = g_new0 (Limits, 1);
  const OclDevice *device = context->device;
  const gboolean is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
  const OclBuild build = { NULL, };

  self->context = ocl_context_ref (context);
  self->timer = ocl_timer_new ();
  self->vector_floats = get_vector_floats (device);
  self->group = get_group (device);
  self->n_items = self->group * device->n_units * (is_cpu ? 4 : 32);
  /* A copy has whole groups only. */
  self->global_bytes = MIN (GLOBAL_BYTES, device->max_alloc_size)
      / 4096 * 4096;
  self->width = width;
  self->height = height;
  self->frame_bytes = MIN ((self->width * self->height * 4 + 4095) / 4096
      * 4096, self->global_bytes);
  self->kernels = ocl_kernels_new (context, &variant, &build, error);
  if (!self->kernels || !limits_create_memory (self, error))
    return NULL;
  /* Finds the number of rounds that take DURATION, and warms up. */
  for (Limit limit = 0; limit < N_LIMITS; limit++) {
    cl_int *rounds = &self->measured[limit].rounds;
    gdouble milliseconds = 0.0;

    for (*rounds = 1;; *rounds *= CLAMP (DURATION / MAX (milliseconds, 0.001),
            2, 16)) {
      if (!limits_run (self, limit, &milliseconds, error))
        return NULL;
      if (infos[limit].kind != LOOP || milliseconds >= DURATION / 2
          || *rounds >= MAX_ROUNDS)
        break;
    }
  }
  return g_steal_pointer (&self);
}

void
limits_free (Limits * self)
{
  ocl_context_finish (self->context, NULL);
  ocl_pinned_clear (&self->pinned, self->context);
  ocl_kernels_unref (self->kernels);
  g_clear_pointer (&self->input, clReleaseMemObject);
  g_clear_pointer (&self->output, clReleaseMemObject);
  for (guint i = 0; i < G_N_ELEMENTS (self->images); i++)
    g_clear_pointer (&self->images[i], clReleaseMemObject);
  g_free (self->pageable);
  ocl_timer_free (self->timer);
  ocl_context_unref (self->context);
  g_free (self);
}

gboolean
limits_measure (Limits * self, GError ** error)
{
  gdouble milliseconds = 0.0;

  for (guint i = 0; i < N_LIMITS * RUNS_OF_ROUND; i++) {
    if (!limits_run (self, i % N_LIMITS, &milliseconds, error))
      return FALSE;
  }
  return TRUE;
}

const gchar *
limit_get_name (Limit limit)
{
  return infos[limit].name;
}

const gchar *
limit_get_title (Limit limit)
{
  return infos[limit].title;
}

gdouble
limits_get_rate (const Limits * self, Limit limit)
{
  /* Pure multiply-adds are an arithmetic mixture, too. */
  return limit == LIMIT_ARITHMETIC
      ? MAX (self->measured[limit].rate, self->measured[LIMIT_FMA].rate)
      : self->measured[limit].rate;
}
