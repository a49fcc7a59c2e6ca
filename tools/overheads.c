/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overheads.h"

#include "opencl/core/oclpinned.h"
#include "opencl/operation/oclkernels.h"

#define RUNS 7
#define LAUNCHES 500

const gchar *const overhead_names[N_OVERHEADS] = {
  "launch", "upload", "download", "upload-pinned", "download-pinned",
};

const gchar *const overhead_titles[N_OVERHEADS] = {
  "launches of a kernel that does nothing",
  "bytes of a frame to the device, pageable memory",
  "bytes of a frame from the device, pageable memory",
  "bytes of a frame to the device, pinned memory",
  "bytes of a frame from the device, pinned memory",
};

/* A Bench holds what launches and transfers are measured with. */
typedef struct
{
  OclContext *context;
  OclKernels *kernels;
  OclTimer *timer;
  gsize bytes;
  cl_mem memory;
  OclPinned pinned;
  guint8 *pageable;
} Bench;

static const OclVariant variant = {
  .name = "overheads",
  .source = "limits.cl",
  .kernels = OCL_NAMES ("limit_nothing"),
};

static gboolean
bench_init (Bench * self, GError ** error)
{
  const OclBuild build = { NULL, };
  cl_int status = CL_SUCCESS;

  self->timer = ocl_timer_new ();
  /* Its pages are there. */
  self->pageable = g_malloc (self->bytes);
  for (gsize i = 0; i < self->bytes; i++)
    self->pageable[i] = i;
  self->kernels = ocl_kernels_new (self->context, &variant, &build, error);
  if (!self->kernels)
    return FALSE;
  self->memory = clCreateBuffer (self->context->context, CL_MEM_READ_WRITE,
      self->bytes, NULL, &status);
  return ocl_check (status, "clCreateBuffer", error)
      && ocl_pinned_ensure (&self->pinned, self->context, self->bytes, error);
}

static void
bench_clear (Bench * self)
{
  ocl_context_finish (self->context, NULL);
  ocl_pinned_clear (&self->pinned, self->context);
  g_clear_pointer (&self->memory, clReleaseMemObject);
  ocl_kernels_unref (self->kernels);
  g_free (self->pageable);
  ocl_timer_free (self->timer);
}

static gboolean
bench_launch (Bench * self, GError ** error)
{
  const OclRun run = {.timer = self->timer };
  const OclGrid grid = OCL_GRID (0, 1, 1);

  for (guint i = 0; i < LAUNCHES; i++) {
    if (!OCL_LAUNCH (self->kernels, &run, grid, error,
            OCL_MEMORY (self->memory)))
      return FALSE;
  }
  return TRUE;
}

/* Enqueues what is measured. */
static gboolean
bench_enqueue (Bench * self, Overhead overhead, GError ** error)
{
  const gboolean is_pinned = overhead >= OVERHEAD_UPLOAD_PINNED;
  void *host = is_pinned ? self->pinned.data : self->pageable;
  cl_command_queue queue = self->context->queue;

  if (overhead == OVERHEAD_LAUNCH)
    return bench_launch (self, error);
  if (overhead == OVERHEAD_UPLOAD || overhead == OVERHEAD_UPLOAD_PINNED)
    return ocl_check (clEnqueueWriteBuffer (queue, self->memory, CL_FALSE, 0,
            self->bytes, host, 0, NULL, NULL), "clEnqueueWriteBuffer", error);
  return ocl_check (clEnqueueReadBuffer (queue, self->memory, CL_FALSE, 0,
          self->bytes, host, 0, NULL, NULL), "clEnqueueReadBuffer", error);
}

gboolean
overheads_measure (OclContext * context, gsize frame_bytes,
    gdouble rates[N_OVERHEADS], GError ** error)
{
  Bench self = {.context = context,.bytes = MAX (frame_bytes, 4) };
  gboolean ok = bench_init (&self, error);

  for (guint i = 0; i < N_OVERHEADS; i++)
    rates[i] = 0.0;
  for (guint run = 0; ok && run < RUNS; run++) {
    for (guint i = 0; ok && i < N_OVERHEADS; i++) {
      const gint64 begin = g_get_monotonic_time ();

      ok = bench_enqueue (&self, i, error);
      ok = ocl_context_finish (context, ok ? error : NULL) && ok;
      const gdouble seconds = MAX (g_get_monotonic_time () - begin, 1) / 1e6;
      rates[i] = MAX (rates[i], (i == OVERHEAD_LAUNCH ? LAUNCHES
              : (gdouble) self.bytes) / seconds);
      ocl_timer_reset (self.timer);
    }
  }
  bench_clear (&self);
  return ok;
}
