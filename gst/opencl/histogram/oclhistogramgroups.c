/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogramgroups.h"

#include "oclhistogram.h"

#define MAX_GROUP_WIDTH 256
#define MAX_COPIES 8

/* Work-groups that a compute unit is given, to hide that they wait. */
#define GROUPS_OF_UNIT 8

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  cl_uint n_units;
  gsize group_width;
} OclHistogramGroups;

static void
ocl_histogram_groups_free (gpointer object)
{
  OclHistogramGroups *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Copies of the bins that let two groups run side by side. */
static gboolean
ocl_histogram_groups_get_copies (OclContext * context, guint * copies,
    GError ** error)
{
  cl_ulong local_size = 0;

  if (!ocl_check (clGetDeviceInfo (context->device->id,
              CL_DEVICE_LOCAL_MEM_SIZE, sizeof (local_size), &local_size,
              NULL), "clGetDeviceInfo", error))
    return FALSE;
  *copies = MAX_COPIES;
  while (*copies > 1 && *copies * sizeof (OclHistogramCounts) * 2 > local_size)
    *copies /= 2;
  return TRUE;
}

static gboolean
ocl_histogram_groups_build (OclHistogramGroups * self, const OclBuild * build,
    GError ** error)
{
  guint copies = 0;

  if (!ocl_context_get_compute_units (self->context, &self->n_units, error)
      || !ocl_histogram_groups_get_copies (self->context, &copies, error))
    return FALSE;
  g_autofree gchar *options = g_strdup_printf ("-D COPIES=%u", copies);
  self->kernel = ocl_program_build_kernel (self->context, "histogram.cl",
      build, options, "histogram", error);
  return self->kernel && ocl_kernel_get_group_size (self->context,
      self->kernel, MAX_GROUP_WIDTH, &self->group_width, error);
}

static gpointer
ocl_histogram_groups_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclHistogramGroups *self = g_new0 (OclHistogramGroups, 1);

  self->context = ocl_context_ref (context);
  if (!ocl_histogram_groups_build (self, build, error)) {
    ocl_histogram_groups_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_histogram_groups_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclHistogramGroups *self = object;
  const OclFrame *frame = run->input;
  const guint64 n_groups_across =
      (frame->width + self->group_width - 1) / self->group_width;
  const guint64 n_groups_wanted = self->n_units * GROUPS_OF_UNIT;
  const cl_int rows = MAX (1,
      frame->height * n_groups_across / n_groups_wanted);
  OclArguments arguments = { 0, };

  ocl_arguments_add_frame (&arguments, frame);
  OCL_ARGUMENTS_ADD (&arguments, frame->width);
  OCL_ARGUMENTS_ADD (&arguments, frame->height);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, run->result->device.memory);
  return ocl_memory_enqueue_fill (&run->result->device, self->context, 0,
      sizeof (OclHistogramCounts), run->timer, error)
      && ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, frame->width,
      (frame->height + rows - 1) / rows, self->group_width, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

const OclVariant ocl_histogram_groups = {
  .name = "groups",
  .flags = OCL_VARIANT_FOR_GPU,
  .new = ocl_histogram_groups_new,
  .enqueue = ocl_histogram_groups_enqueue,
  .free = ocl_histogram_groups_free,
};
