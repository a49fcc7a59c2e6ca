/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limit.h"

#include "opencl/operation/oclkernels.h"

/* Of kernels/limits.cl. */
#define CHAINS 12
#define STEPS 8

/* More than any cache holds, where the device allows it. */
#define GLOBAL_BYTES (128 * 1024 * 1024)

/* What a run should take, in milliseconds: long enough for a clock, and short
 * enough to be left alone by a display or another program now and then. */
#define DURATION 4.0
#define RUNS_OF_ROUND 3
#define MAX_ROUNDS (1 << 24)

const gchar *const limit_names[N_LIMITS] = {
  "fma", "arithmetic", "exp", "exp2", "native-exp", "native-exp2", "local",
  "cache", "frame", "global", "copy-1", "copy-4", "copy-16", "image", "atomic",
  "counter",
};

const gchar *const limit_titles[N_LIMITS] = {
  "multiply-adds", "multiply-adds and additions in turns", "exp()",
  "exp2()", "native_exp()", "native_exp2()", "bytes of local memory",
  "bytes of cached memory", "bytes of a frame copied",
  "bytes of global memory copied", "bytes of a frame copied, a float at a time",
  "bytes of a frame copied, 4 floats at a time",
  "bytes of a frame copied, 16 floats at a time",
  "bytes of a frame copied, in an image",
  "atomic additions in local memory", "additions to private counters",
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
  OclKernels *kernels;
  Measured measured[N_LIMITS];
};

/* A CPU has wide vectors, a GPU many work-items that hide that each waits. */
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

/* Its kernels are launched by limits_run(), by Limit. */
static const OclVariant variant = {
  .name = "limits",
  .source = "limits.cl",
  .kernels = OCL_NAMES ("limit_fma", "limit_arithmetic", "limit_exp",
      "limit_exp2", "limit_native_exp", "limit_native_exp2", "limit_local",
      "limit_cache", "limit_global", "limit_global", "limit_copy_1",
      "limit_copy_4", "limit_copy_16", "limit_image", "limit_atomic",
      "limit_counter"),
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
      && ocl_context_finish (self->context, error);
}

/* Returns how many floats a work-item moves, or 0 if it does not copy. */
static gsize
limits_get_copied (const Limits * self, Limit limit)
{
  switch (limit) {
    case LIMIT_FRAME:
    case LIMIT_GLOBAL:
      return self->vector_floats;
    case LIMIT_COPY_1:
      return 1;
    case LIMIT_COPY_4:
      return 4;
    case LIMIT_COPY_16:
      return 16;
    default:
      return 0;
  }
}

static gsize
limits_get_items (const Limits * self, Limit limit)
{
  const gsize bytes = limits_get_copied (self, limit) * sizeof (cl_float);

  if (limit == LIMIT_IMAGE)
    return self->width * self->height;
  if (bytes > 0)
    return (limit == LIMIT_GLOBAL ? self->global_bytes : self->frame_bytes)
        / bytes;
  return self->n_items;
}

static gboolean
limits_launch_image (Limits * self, GError ** error)
{
  const OclRun run = {.timer = self->timer };
  const OclGrid grid = {.kernel = LIMIT_IMAGE,.width = self->width,
    .height = self->height,.exact = TRUE
  };

  return OCL_LAUNCH (self->kernels, &run, grid, error,
      OCL_MEMORY (self->images[1]), OCL_MEMORY (self->images[0]));
}

static gboolean
limits_launch (Limits * self, Limit limit, GError ** error)
{
  const gboolean copies = limits_get_copied (self, limit) > 0;
  const OclRun run = {.timer = self->timer };
  const OclGrid grid = {.kernel = limit,
    .width = limits_get_items (self, limit),.height = 1,
    .group_width = self->group,.group_height = 1
  };

  if (limit == LIMIT_IMAGE)
    return limits_launch_image (self, error);
  return OCL_LAUNCH (self->kernels, &run, grid, error,
      OCL_MEMORY (self->output),
      OCL_IF (!copies, OCL_INT (self->measured[limit].rounds)),
      OCL_IF (limit == LIMIT_FMA || limit == LIMIT_ARITHMETIC,
          OCL_FLOAT (0.5f)),
      OCL_IF (copies || limit == LIMIT_CACHE, OCL_MEMORY (self->input)));
}

/* How many of what is limited one run has. */
static gdouble
limits_get_count (const Limits * self, Limit limit)
{
  const gdouble n_items = limits_get_items (self, limit);
  const gdouble n_steps =
      n_items * self->measured[limit].rounds * CHAINS * STEPS;
  const gdouble vector_bytes = self->vector_floats * sizeof (cl_float);

  switch (limit) {
    case LIMIT_FMA:
    case LIMIT_ARITHMETIC:
    case LIMIT_EXP:
    case LIMIT_EXP2:
    case LIMIT_NATIVE_EXP:
    case LIMIT_NATIVE_EXP2:
      return n_steps * self->vector_floats;
    case LIMIT_LOCAL:
    case LIMIT_CACHE:
      return n_steps * vector_bytes;
    case LIMIT_FRAME:
    case LIMIT_GLOBAL:
    case LIMIT_COPY_1:
    case LIMIT_COPY_4:
    case LIMIT_COPY_16:
      return n_items * limits_get_copied (self, limit) * sizeof (cl_float)
          * 2.0;
    case LIMIT_IMAGE:
      return n_items * 4.0 * 2.0;
    default:
      return n_steps;
  }
}

/* Runs once; keeps the rate where it is the best. */
static gboolean
limits_run (Limits * self, Limit limit, gdouble * milliseconds, GError ** error)
{
  Measured *measured = &self->measured[limit];
  guint64 times[OCL_TIMER_N_KINDS] = { 0 };

  *milliseconds = 0.0;
  if (limit == LIMIT_IMAGE && !self->images[1])
    return TRUE;
  gint64 start = g_get_monotonic_time ();
  gboolean ok = limits_launch (self, limit, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  gint64 wall = g_get_monotonic_time () - start;
  ok = ok && ocl_timer_read (self->timer, times, error);
  ocl_timer_reset (self->timer);
  /* A driver that has no times gives 0. */
  *milliseconds = times[OCL_TIMER_KERNEL] > 0
      ? times[OCL_TIMER_KERNEL] / 1e6 : MAX (wall, 1) / 1e3;
  if (ok)
    measured->rate = MAX (measured->rate,
        limits_get_count (self, limit) / *milliseconds * 1e3);
  return ok;
}

/* Finds the rounds that take DURATION; that warms up, too. */
static gboolean
limits_calibrate (Limits * self, Limit limit, GError ** error)
{
  Measured *measured = &self->measured[limit];
  gdouble milliseconds = 0.0;

  measured->rounds = 1;
  if (limits_get_copied (self, limit) > 0 || limit == LIMIT_IMAGE)
    return limits_run (self, limit, &milliseconds, error);
  while (limits_run (self, limit, &milliseconds, error)) {
    if (milliseconds >= DURATION / 2 || measured->rounds >= MAX_ROUNDS)
      return TRUE;
    measured->rounds *= CLAMP (DURATION / MAX (milliseconds, 0.001), 2, 16);
  }
  return FALSE;
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
  /* A copy is of whole groups. */
  self->global_bytes = MIN (GLOBAL_BYTES, device->max_alloc_size)
      / 4096 * 4096;
  self->width = width;
  self->height = height;
  self->frame_bytes = MIN ((self->width * self->height * 4 + 4095) / 4096
      * 4096, self->global_bytes);
  self->kernels = ocl_kernels_new (context, &variant, &build, error);
  if (!self->kernels || !limits_create_memory (self, error))
    return NULL;
  for (Limit limit = 0; limit < N_LIMITS; limit++) {
    if (!limits_calibrate (self, limit, error))
      return NULL;
  }
  return g_steal_pointer (&self);
}

void
limits_free (Limits * self)
{
  ocl_kernels_unref (self->kernels);
  g_clear_pointer (&self->input, clReleaseMemObject);
  g_clear_pointer (&self->output, clReleaseMemObject);
  for (guint i = 0; i < G_N_ELEMENTS (self->images); i++)
    g_clear_pointer (&self->images[i], clReleaseMemObject);
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

gdouble
limits_get_rate (const Limits * self, Limit limit)
{
  /* Multiply-adds alone are a mixture, too. */
  return limit == LIMIT_ARITHMETIC
      ? MAX (self->measured[limit].rate, self->measured[LIMIT_FMA].rate)
      : self->measured[limit].rate;
}
