/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl roofline`: compares kernels with the limits of a device. With
 * --page it also writes the results as a page. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/core/oclmemory.h"
#include "opencl/ocloperations.h"
#include "opencl/operation/oclkernels.h"

/* The limits of a device, measured with the kernels of kernels/limits.cl, and
 * the costs of launching a kernel and of transfers between the host and the
 * device. Not thread-safe: one thread at a time. */

/* Those up to LIMIT_COUNTER are measured with the clock of the device, the
 * others with that of the host. */
typedef enum
{
  LIMIT_FMA,                    /* fused if the device supports it */
  LIMIT_ARITHMETIC,             /* multiply-adds alone if these are faster */
  LIMIT_EXP,
  LIMIT_EXP2,                   /* denormal results may be 0 */
  LIMIT_NATIVE_EXP,
  LIMIT_NATIVE_EXP2,
  LIMIT_LOCAL,
  LIMIT_CACHE,                  /* the nearest one */
  LIMIT_FRAME,                  /* stays in any cache that is large enough */
  LIMIT_GLOBAL,                 /* too large for every cache */
  LIMIT_COPY_1,
  LIMIT_COPY_4,
  LIMIT_COPY_16,
  LIMIT_IMAGE,                  /* 0 if the device has no images */
  LIMIT_ATOMIC,
  LIMIT_COUNTER,
  LIMIT_UPLOAD,
  LIMIT_DOWNLOAD,
  LIMIT_UPLOAD_PINNED,
  LIMIT_DOWNLOAD_PINNED,
  LIMIT_LAUNCH,                 /* consecutive launches */
  N_LIMITS,
} Limit;

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

/* How a limit is measured, its name for columns, and its unit in words. @floats
 * is the number per step, or per work-item of a copy, 0 for a vector of the
 * device. Each counts @weight times: once, or as its bytes, which a copy reads
 * and writes. Both count. */
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

typedef struct
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
} Limits;

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

static const OclVariant limits_variant = {
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
  while (!g_str_equal (limits_variant.kernels[grid.kernel],
          infos[limit].kernel))
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

static void
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Limits, limits_free);

/* Builds the kernels and finds the duration of their runs. A frame has @width x
 * @height pixels of 4 bytes. Keeps a reference to @context. */
static Limits *
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
  self->kernels = ocl_kernels_new (context, &limits_variant, &build, error);
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

/* Measures every limit a few times. */
static gboolean
limits_measure (Limits * self, GError ** error)
{
  gdouble milliseconds = 0.0;

  for (guint i = 0; i < N_LIMITS * RUNS_OF_ROUND; i++) {
    if (!limits_run (self, i % N_LIMITS, &milliseconds, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns the best rate of all measurements of @limit, in operations, launches
 * or bytes per second. */
static gdouble
limits_get_rate (const Limits * self, Limit limit)
{
  /* Pure multiply-adds are an arithmetic mixture, too. */
  return limit == LIMIT_ARITHMETIC
      ? MAX (self->measured[limit].rate, self->measured[LIMIT_FMA].rate)
      : self->measured[limit].rate;
}

/* The comparison */

/* Rates that differ by less are reported as equal. */
#define ALIKE 0.05

static SeriesOptions options = SERIES_OPTIONS_INIT;
static gchar *size_text;
static gchar *page_path;

static const GOptionEntry entries[] = {
  {"frame-size", 0, 0, G_OPTION_ARG_STRING, &size_text,
      "Size of the frame (1280x720)", "SIZE"},
  {"page", 0, 0, G_OPTION_ARG_FILENAME, &page_path,
      "Also write a page about the device, in Markdown", "FILE"},
  G_OPTION_ENTRY_NULL
};

/* The columns after those that identify a case. */
static const ReportColumn columns[] = {
  {"exp2_rate", TRUE,.csv_only = TRUE}, {"exp2_count", TRUE,.csv_only = TRUE},
  {"exp2_ms", TRUE},
  {"frame_rate", TRUE,.csv_only = TRUE}, {"frame_count", TRUE,.csv_only = TRUE},
  {"frame_ms", TRUE},
  {"limit"}, {"limit_ms", TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"fraction", TRUE},
  {"note"},
};

/* The costs of a kernel, by the columns. */
static const Limit charged[] = { LIMIT_EXP2, LIMIT_FRAME };

static const ReportColumn limit_columns[] = {
  {"limit"}, {"unit", TRUE}, {"of what"},
};

static const gchar summary[] =
    "Measures the limits of an OpenCL device, and prints the fraction of "
    "the tighter of\n"
    "two limits that the kernels reach: the bytes of a frame, and the "
    "exponentials of a\n"
    "bilateral filter. Parameters without an option have their " "defaults.";

static const gchar description[] =
    "Limits are the best of all rounds. Each filter has to read the frame "
    "and to write\n"
    "it, once. An exact variant of the bilateral filter that is not for "
    "CPUs has an\n"
    "exponential for each tap of the square. median_ms is the time of "
    "the kernels\n"
    "without copies. fraction is limit_ms divided by it.\n"
    "\n"
    "The CSV also has the limits (_rate, per second) and the counts "
    "(_count, per frame).";

/* The measured cases and the options. */
typedef struct
{
  const OclDevice *device;
  ToolSize size;
  GPtrArray *params;            /* OclParam, the varied ones */
  GPtrArray *series;
  Limits *limits;
} Roofline;

/* Returns the minimum number of exponentials or bytes per frame. The variants
 * for CPUs compute exponentials from polynomials. */
static gdouble
get_count (const RunnerCase * item, Limit limit)
{
  const OclOperationClass *klass = item->variant.klass;
  const OclVariant *variant = item->variant.variant;
  const gdouble n_pixels = (gdouble) item->width * item->height;
  const gdouble diameter = runner_case_get_diameter (item);

  if (limit == LIMIT_FRAME)
    return n_pixels * 4 * (klass->flags & OCL_OPERATION_WRITES ? 2 : 1);
  return klass == &ocl_bilateral_class
      && !(variant->flags & (OCL_VARIANT_FOR_CPU | OCL_VARIANT_APPROXIMATE))
      ? n_pixels * diameter * diameter : 0.0;
}

static gdouble
get_milliseconds (const Roofline * self, const RunnerCase * item, Limit limit)
{
  return get_count (item, limit) / limits_get_rate (self->limits, limit) * 1e3;
}

static Limit
find_tightest (const Roofline * self, const RunnerCase * item)
{
  return get_milliseconds (self, item, LIMIT_FRAME)
      > get_milliseconds (self, item, LIMIT_EXP2) ? LIMIT_FRAME : LIMIT_EXP2;
}

/* Adds every variant of @classes, with every combination of parameters. */
static GPtrArray *
make_series (const ToolSize * size, GPtrArray * classes, GPtrArray * lists)
{
  GPtrArray *series = series_new ();

  for (guint i = 0; i < classes->len; i++) {
    const OclOperationClass *klass = classes->pdata[i];
    g_autoptr (GPtrArray) combined = param_lists_combine (lists, klass);

    for (guint j = 0; klass->variants[j]; j++) {
      const OclVariant *variant = klass->variants[j];
      RunnerCase item = {
        .variant = {.klass = klass,.name = variant->name,.variant = variant},
        .format = OCL_FORMAT_RGBA,.width = size->width,.height = size->height,
      };

      ocl_tuning_init (&item.tuning, variant->tunables);
      for (guint k = 0; k < OCL_N_STORAGES; k++) {
        item.storage = k;
        series_add (series, &item, combined);
      }
    }
  }
  return series;
}

static Report *
make_report (const Roofline * self)
{
  Report *report =
      series_report_new (self->params, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < self->series->len; i++) {
    const SeriesEntry *entry = self->series->pdata[i];
    const Limit tightest = find_tightest (self, &entry->item);
    const gdouble limit_ms = get_milliseconds (self, &entry->item, tightest);

    series_report_case (report, self->device, &entry->item, self->params);
    for (guint j = 0; j < G_N_ELEMENTS (charged); j++) {
      const gdouble count = get_count (&entry->item, charged[j]);

      report_add (report, "%.6g", limits_get_rate (self->limits, charged[j]));
      report_add (report, "%.10g", count);
      if (count > 0.0)
        report_add (report, "%.4f",
            get_milliseconds (self, &entry->item, charged[j]));
      else
        report_add_empty (report, 1);
    }
    report_add (report, "%s", infos[tightest].name);
    report_add (report, "%.4f", limit_ms);
    if (entry->note) {
      report_add_empty (report, 3);
      report_add (report, "%s", entry->note);
    } else {
      const gdouble median = tool_get_median (entry->kernels);

      report_add (report, "%.4f", median);
      /* They are sorted already. */
      report_add (report, "%.4f", g_array_index (entry->kernels, gdouble, 0));
      report_add (report, "%.3f", limit_ms / median);
      report_add_empty (report, 1);
    }
  }
  return report;
}

static gboolean
print_limits (const Roofline * self)
{
  g_autoptr (Report) report = report_new ();
  const Output table = { NULL, };

  report_add_columns (report, limit_columns, G_N_ELEMENTS (limit_columns));
  for (Limit limit = 0; limit < LIMIT_LAUNCH; limit++) {
    report_add (report, "%s", infos[limit].name);
    report_add (report, "%.2f", limits_get_rate (self->limits, limit) / 1e9);
    report_add (report, "%s", infos[limit].title);
  }
  printf ("%s (%s), %d rounds\n\n", self->device->name,
      self->device->platform_name, options.rounds);
  if (!output_write (&table, report))
    return FALSE;
  printf ("\n"
      "A launch of an empty kernel takes %.1f us.\n",
      1e6 / limits_get_rate (self->limits, LIMIT_LAUNCH));
  printf ("\nA frame of %dx%d:\n\n", self->size.width, self->size.height);
  return TRUE;
}

/* Appends a comparison of two rates. */
static void
append_comparison (GString * page, const gchar * what, gdouble rate,
    gdouble other, const gchar * other_what)
{
  if (rate <= 0.0 || other <= 0.0)
    return;
  const gdouble ratio = rate / other;

  if (ratio > 1.0 - ALIKE && ratio < 1.0 + ALIKE)
    g_string_append_printf (page, "- %s: as fast as %s.\n", what, other_what);
  else
    g_string_append_printf (page, "- %s: %.2f times as fast as %s.\n", what,
        ratio, other_what);
}

static void
append_limits (const Roofline * self, GString * page)
{
#define RATE(limit) limits_get_rate (self->limits, LIMIT_##limit)
  /* The unit of bytes and instructions is 10^9. */
  g_string_append (page, "## Limits\n"
      "\n" "| | 10^9 per second |\n" "| --- | --- |\n");
  for (Limit limit = 0; limit < LIMIT_LAUNCH; limit++) {
    const gdouble rate = limits_get_rate (self->limits, limit);

    if (rate > 0.0)
      g_string_append_printf (page, "| %s | %.*f |\n", infos[limit].title,
          rate < 1e10 ? 2 : rate < 1e12 ? 1 : 0, rate / 1e9);
  }
  g_string_append_printf (page,
      "\n"
      "A launch of an empty kernel takes %.1f microseconds.\n",
      1e6 / RATE (LAUNCH));
  g_string_append (page, "\n" "## Consequences for kernels\n" "\n");
  append_comparison (page, "Exponentials of 2", RATE (EXP2), RATE (EXP),
      "exp()");
  append_comparison (page, "Native exponentials of 2", RATE (NATIVE_EXP2),
      RATE (EXP2), "precise ones");
  if (RATE (EXP2) > 0.0)
    g_string_append_printf (page, "- Up to %.0f multiply-adds are free "
        "beside an exponential.\n", RATE (FMA) / RATE (EXP2));
  append_comparison (page, "Copies of 4 floats at a time", RATE (COPY_4),
      RATE (COPY_1), "copies of single floats");
  append_comparison (page, "Copies of 16 floats at a time", RATE (COPY_16),
      RATE (COPY_4), "copies of 4");
  append_comparison (page, "Frames in images", RATE (IMAGE), RATE (FRAME),
      "frames in buffers");
  append_comparison (page, "Local memory", RATE (LOCAL), RATE (CACHE),
      "cached memory");
  append_comparison (page, "Pinned memory, to the device",
      RATE (UPLOAD_PINNED), RATE (UPLOAD), "pageable memory");
  append_comparison (page, "Pinned memory, from the device",
      RATE (DOWNLOAD_PINNED), RATE (DOWNLOAD), "pageable memory");
#undef RATE
}

/* Returns the operation of @entry with the varied parameters. */
static gchar *
describe (const Roofline * self, const SeriesEntry * entry)
{
  GString *text = g_string_new (entry->item.variant.klass->name);

  for (guint i = 0; i < self->params->len; i++) {
    const OclParam *column = self->params->pdata[i];
    g_autofree gchar *value = series_print_param (&entry->item, column);

    if (value)
      g_string_append_printf (text, ", %s %s", column->name, value);
  }
  return g_string_free (text, FALSE);
}

/* Appends the fastest kernels for each operation with its parameters. */
static void
append_kernels (const Roofline * self, GString * page)
{
  g_autoptr (GHashTable) least =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->series->len; i++) {
    SeriesEntry *entry = self->series->pdata[i];
    g_autofree gchar *what = describe (self, entry);
    SeriesEntry *other = g_hash_table_lookup (least, what);

    if (!entry->note && (!other || tool_get_median (entry->kernels)
            < tool_get_median (other->kernels)))
      g_hash_table_insert (least, g_steal_pointer (&what), entry);
  }
  g_string_append_printf (page, "\n"
      "## Efficiency of kernels\n"
      "\n"
      "RGBA, %dx%d, the fastest variant and storage of each operation. An "
      "operation reads the frame and writes it, once. An exact bilateral "
      "filter has an exponential for each tap.\n"
      "\n"
      "| | variant | frames in | milliseconds | limited by | part of the "
      "limit |\n"
      "| --- | --- | --- | --- | --- | --- |\n", self->size.width,
      self->size.height);
  for (guint i = 0; i < self->series->len; i++) {
    const SeriesEntry *entry = self->series->pdata[i];
    g_autofree gchar *what = describe (self, entry);
    const SeriesEntry *fastest = g_hash_table_lookup (least, what);
    const Limit tightest = find_tightest (self, &entry->item);
    const gdouble median =
        entry->note ? G_MAXDOUBLE : tool_get_median (entry->kernels);

    if (!entry->note && median <= tool_get_median (fastest->kernels))
      g_string_append_printf (page, "| %s | %s | %s | %.4g | %s | %.0f %% |\n",
          what, entry->item.variant.name,
          ocl_storage_names[entry->item.storage], median,
          infos[tightest].title,
          100.0 * get_milliseconds (self, &entry->item, tightest) / median);
  }
}

static gboolean
roofline (Roofline * self, OclContext * context)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) page = g_string_new (NULL);
  const Output page_output = {.csv = page_path };

  if (!output_check (&options.output) || !output_check (&page_output))
    return FALSE;
  tool_show_progress ("measuring limits");
  g_autoptr (Limits) limits = limits_new (context, self->size.width,
      self->size.height, &error);
  if (!limits) {
    tool_complain ("%s", error->message);
    return FALSE;
  }
  self->limits = limits;
  g_autoptr (Runner) runner = runner_new (context, NULL);
  if (!series_warm_up (self->series, runner, options.max_seconds))
    return FALSE;
  for (gint round = 0; round < options.rounds; round++) {
    if (!limits_measure (limits, &error)) {
      tool_complain ("%s", error->message);
      return FALSE;
    }
    if (!series_run_round (self->series, runner, round, options.rounds))
      return FALSE;
  }

  g_autoptr (Report) report = make_report (self);
  if ((output_is_table (&options.output) && !print_limits (self))
      || !output_write (&options.output, report))
    return FALSE;
  if (!page_path)
    return TRUE;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree gchar *date = g_date_time_format (now, "%F");
  g_string_append_printf (page, "# %s\n\n%s, driver %s; "
      "`glopencl roofline --frame-size %dx%d --page FILE`, %s.\n\n",
      self->device->name, self->device->platform_name, self->device->driver,
      self->size.width, self->size.height, date);
  append_limits (self, page);
  append_kernels (self, page);
  return output_write_text (page_path, page->str);
}

int
roofline_main (int argc, char **argv)
{
  g_autoptr (GOptionContext) parser = tool_options_new (summary, description);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  g_autoptr (GPtrArray) classes = g_ptr_array_new ();
  int status;

  series_options_add (&options, parser);
  g_option_context_add_main_entries (parser, entries, NULL);
  g_autoptr (GPtrArray) lists = param_lists_new (parser, TRUE);
  if (!tool_parse_options (parser, argc, argv, &status))
    return status;
  for (guint i = 0; ocl_operations[i]; i++) {
    if (ocl_operations[i]->flags & OCL_OPERATION_READS)
      g_ptr_array_add (classes, (gpointer) ocl_operations[i]);
  }
  if (!tool_parse_sizes ("--frame-size", size_text ? size_text : "1280x720",
          sizes)
      || !param_lists_check (lists, classes)
      || !series_options_check (&options))
    return TOOL_MISUSED;
  if (sizes->len != 1) {
    tool_complain ("--frame-size: expected one size");
    return TOOL_MISUSED;
  }
  g_autoptr (OclContext) context = tool_open_device (options.device);
  if (!context)
    return TOOL_FAILED;
  const ToolSize size = g_array_index (sizes, ToolSize, 0);
  g_autoptr (GPtrArray) params = param_lists_get_listed (lists, classes);
  g_autoptr (GPtrArray) series = make_series (&size, classes, lists);
  Roofline self = {.device = context->device,.size = size,.params = params,
    .series = series
  };
  return roofline (&self, context) ? EXIT_SUCCESS : TOOL_FAILED;
}
