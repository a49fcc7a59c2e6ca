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

/* Copies of a pass's bins that let two groups run side by side. */
static gboolean
ocl_histogram_groups_get_copies (OclContext * context, const OclBuild * build,
    guint * copies, GError ** error)
{
  const gsize size = ocl_histogram_get_n_counted (&build->pass)
      * ocl_histogram_get_n_bins (build->format) * sizeof (cl_uint);
  cl_ulong local_size = 0;

  if (!ocl_check (clGetDeviceInfo (context->device->id,
              CL_DEVICE_LOCAL_MEM_SIZE, sizeof (local_size), &local_size,
              NULL), "clGetDeviceInfo", error))
    return FALSE;
  *copies = MAX_COPIES;
  while (*copies > 1 && *copies * size * 2 > local_size)
    *copies /= 2;
  return TRUE;
}

static gboolean
ocl_histogram_groups_build (OclHistogramGroups * self, const OclBuild * build,
    GError ** error)
{
  guint copies = 0;

  if (!ocl_context_get_compute_units (self->context, &self->n_units, error)
      || !ocl_histogram_groups_get_copies (self->context, build, &copies,
          error))
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
  const cl_int width = ocl_pass_get_width (run->pass, run->input);
  const cl_int height = ocl_pass_get_height (run->pass, run->input);
  const cl_int first_channel = run->pass->first_channel;
  const guint64 n_groups_across =
      (width + self->group_width - 1) / self->group_width;
  const guint64 n_groups_wanted = self->n_units * GROUPS_OF_UNIT;
  const cl_int rows = MAX (1, height * n_groups_across / n_groups_wanted);
  OclArguments arguments = { 0, };

  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, first_channel);
  OCL_ARGUMENTS_ADD (&arguments, run->result->device.memory);
  return ocl_histogram_enqueue_clear (self->context, run, error)
      && ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, width,
      (height + rows - 1) / rows, self->group_width, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

const OclVariant ocl_histogram_groups = {
  .name = "groups",
  .flags = OCL_VARIANT_FOR_GPU,
  .new = ocl_histogram_groups_new,
  .enqueue = ocl_histogram_groups_enqueue,
  .free = ocl_histogram_groups_free,
};
