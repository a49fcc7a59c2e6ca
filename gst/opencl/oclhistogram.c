/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogram.h"

#include "oclpinned.h"
#include "oclprogram.h"

/* Of the kernel for work-groups. */
#define MAX_GROUP_WIDTH 256
#define MAX_COPIES 8

/* Work-groups that a compute unit is given, to hide that they wait, and bands
 * that it is given, to share out the work evenly. */
#define GROUPS_OF_UNIT 8
#define BANDS_OF_UNIT 2

struct _OclHistogram
{
  OclContext *context;
  OclHistogramVariant variant;  /* never AUTO */
  cl_mem memory;                /* OclHistogramCounts */
  OclPinned host;               /* n_slots + 1 OclHistogramCounts */
  guint n_slots;
  cl_uint compute_units;
  cl_kernel bands;              /* when prepared */
  OclFrame copy;                /* for frames that are images */
  cl_kernel groups[2];          /* by OclStorage; when prepared */
  gsize group_width[2];
};

OclHistogram *
ocl_histogram_new (OclContext * context, OclHistogramVariant variant,
    guint n_slots)
{
  OclHistogram *self = g_new0 (OclHistogram, 1);

  if (variant == OCL_HISTOGRAM_VARIANT_AUTO)
    variant = context->device->type & CL_DEVICE_TYPE_CPU
        ? OCL_HISTOGRAM_VARIANT_BANDS : OCL_HISTOGRAM_VARIANT_GROUPS;
  self->context = ocl_context_ref (context);
  self->variant = variant;
  self->n_slots = n_slots;
  return self;
}

void
ocl_histogram_free (OclHistogram * self)
{
  g_clear_pointer (&self->bands, clReleaseKernel);
  for (guint i = 0; i < G_N_ELEMENTS (self->groups); i++)
    g_clear_pointer (&self->groups[i], clReleaseKernel);
  ocl_frame_clear (&self->copy);
  ocl_pinned_clear (&self->host, self->context);
  g_clear_pointer (&self->memory, clReleaseMemObject);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
ocl_histogram_ensure_memory (OclHistogram * self, GError ** error)
{
  cl_int status = CL_SUCCESS;

  if (!self->memory) {
    self->memory = clCreateBuffer (self->context->context, CL_MEM_READ_WRITE,
        sizeof (OclHistogramCounts), NULL, &status);
    if (!ocl_check (status, "clCreateBuffer", error))
      return FALSE;
  }
  return ocl_check (clGetDeviceInfo (self->context->device->id,
          CL_DEVICE_MAX_COMPUTE_UNITS, sizeof (self->compute_units),
          &self->compute_units, NULL), "clGetDeviceInfo", error)
      && ocl_pinned_ensure (&self->host, self->context,
      (self->n_slots + 1) * sizeof (OclHistogramCounts), error);
}

/* Copies of the bins that let two groups run side by side. */
static gboolean
ocl_histogram_get_copies (OclHistogram * self, guint * copies, GError ** error)
{
  cl_ulong local_size = 0;

  if (!ocl_check (clGetDeviceInfo (self->context->device->id,
              CL_DEVICE_LOCAL_MEM_SIZE, sizeof (local_size), &local_size,
              NULL), "clGetDeviceInfo", error))
    return FALSE;
  *copies = MAX_COPIES;
  while (*copies > 1 && *copies * sizeof (OclHistogramCounts) * 2 > local_size)
    *copies /= 2;
  return TRUE;
}

static gboolean
ocl_histogram_build_groups (OclHistogram * self, OclStorage storage,
    GError ** error)
{
  guint copies = 0;

  if (!ocl_histogram_get_copies (self, &copies, error))
    return FALSE;
  g_autofree gchar *options = g_strdup_printf ("-D COPIES=%u%s", copies,
      storage == OCL_STORAGE_IMAGE ? " -D PIXELS_IN_IMAGES" : "");
  self->groups[storage] = ocl_program_build_kernel (self->context,
      "histogram.cl", options, "histogram", error);
  return self->groups[storage]
      && ocl_kernel_get_group_size (self->context, self->groups[storage],
      MAX_GROUP_WIDTH, &self->group_width[storage], error);
}

/* Many drivers compile at the first enqueue. In a slot of its own: frames may
 * be on their way in the others. */
static gboolean
ocl_histogram_warm_up (OclHistogram * self, OclStorage storage, GError ** error)
{
  const OclFrame like = {.width = 16,.height = 1 };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame frame = { 0, };

  gboolean ok = ocl_frame_ensure (&frame, self->context, storage, &like, error)
      && ocl_frame_enqueue_blank (self->context, &frame, error)
      && ocl_histogram_enqueue (self, &frame, timer, error)
      && ocl_histogram_enqueue_read (self, self->n_slots, timer, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_frame_clear (&frame);
  return ok;
}

gboolean
ocl_histogram_prepare (OclHistogram * self, OclStorage storage, GError ** error)
{
  gboolean bands = self->variant == OCL_HISTOGRAM_VARIANT_BANDS;
  cl_kernel *kernel = bands ? &self->bands : &self->groups[storage];

  if (*kernel)
    return TRUE;
  if (!ocl_histogram_ensure_memory (self, error))
    return FALSE;
  if (bands)
    self->bands = ocl_program_build_kernel (self->context,
        "histogram-bands.cl", "", "histogram_bands", error);
  else if (!ocl_histogram_build_groups (self, storage, error))
    g_clear_pointer (kernel, clReleaseKernel);
  if (*kernel && !ocl_histogram_warm_up (self, storage, error))
    g_clear_pointer (kernel, clReleaseKernel);
  return *kernel != NULL;
}

static gboolean
ocl_histogram_enqueue_bands (OclHistogram * self, const OclFrame * frame,
    OclTimer * timer, GError ** error)
{
  const cl_int stride = frame->stride;
  const cl_int width = frame->width;
  const cl_int height = frame->height;
  const cl_int bgra = frame->bgra;
  const gsize n_bands = MIN (self->compute_units * BANDS_OF_UNIT,
      (guint) height);
  const cl_int band_height = (height + n_bands - 1) / n_bands;
  const OclArgument arguments[] = {
    OCL_ARGUMENT (frame->memory), OCL_ARGUMENT (stride), OCL_ARGUMENT (width),
    OCL_ARGUMENT (height), OCL_ARGUMENT (bgra), OCL_ARGUMENT (band_height),
    OCL_ARGUMENT (self->memory),
  };

  return ocl_kernel_set_arguments (self->bands, arguments,
      G_N_ELEMENTS (arguments), error)
      && ocl_kernel_enqueue (self->context, self->bands, 0, n_bands, 1, 1, 1,
      ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_histogram_enqueue_groups (OclHistogram * self, const OclFrame * frame,
    OclTimer * timer, GError ** error)
{
  cl_kernel kernel = self->groups[frame->storage];
  const gsize group_width = self->group_width[frame->storage];
  const cl_int stride = frame->stride;
  const cl_int width = frame->width;
  const cl_int height = frame->height;
  /* Images are read as red, green, blue, whatever their order. */
  const cl_int bgra = frame->storage == OCL_STORAGE_BUFFER && frame->bgra;
  const guint64 n_groups_across = (width + group_width - 1) / group_width;
  const guint64 n_groups_wanted = self->compute_units * GROUPS_OF_UNIT;
  const cl_int rows = MAX (1, height * n_groups_across / n_groups_wanted);
  OclArgument arguments[7];
  guint n = 0;

  arguments[n++] = (OclArgument) OCL_ARGUMENT (frame->memory);
  if (frame->storage == OCL_STORAGE_BUFFER)
    arguments[n++] = (OclArgument) OCL_ARGUMENT (stride);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (width);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (height);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (bgra);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (rows);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (self->memory);

  return ocl_kernel_set_arguments (kernel, arguments, n, error)
      && ocl_kernel_enqueue (self->context, kernel, 0, width,
      (height + rows - 1) / rows, group_width, 1,
      ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

gboolean
ocl_histogram_enqueue (OclHistogram * self, const OclFrame * frame,
    OclTimer * timer, GError ** error)
{
  const cl_uint zero = 0;

  if (!ocl_check (clEnqueueFillBuffer (self->context->queue, self->memory,
              &zero, sizeof (zero), 0, sizeof (OclHistogramCounts), 0, NULL,
              ocl_timer_add (timer, OCL_TIMER_KERNEL)), "clEnqueueFillBuffer",
          error))
    return FALSE;
  if (self->variant == OCL_HISTOGRAM_VARIANT_GROUPS)
    return ocl_histogram_enqueue_groups (self, frame, timer, error);
  if (frame->storage == OCL_STORAGE_BUFFER)
    return ocl_histogram_enqueue_bands (self, frame, timer, error);
  return ocl_frame_ensure (&self->copy, self->context, OCL_STORAGE_BUFFER,
      frame, error)
      && ocl_frame_enqueue_copy (self->context, frame, &self->copy, timer,
      error)
      && ocl_histogram_enqueue_bands (self, &self->copy, timer, error);
}

gboolean
ocl_histogram_enqueue_read (OclHistogram * self, guint slot,
    OclTimer * timer, GError ** error)
{
  OclHistogramCounts *counts = self->host.data;

  return ocl_check (clEnqueueReadBuffer (self->context->queue, self->memory,
          CL_FALSE, 0, sizeof (OclHistogramCounts), &counts[slot], 0, NULL,
          ocl_timer_add (timer, OCL_TIMER_TRANSFER)), "clEnqueueReadBuffer",
      error);
}

const OclHistogramCounts *
ocl_histogram_get_counts (OclHistogram * self, guint slot)
{
  const OclHistogramCounts *counts = self->host.data;

  return &counts[slot];
}

cl_mem
ocl_histogram_get_memory (OclHistogram * self)
{
  return self->memory;
}
