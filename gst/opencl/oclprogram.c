/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclprogram.h"

static gchar *
ocl_program_get_options (const OclBuild * build, const gchar * options)
{
  static const gchar *const storages[] = {
    [OCL_STORAGE_BUFFER] = "",
    [OCL_STORAGE_IMAGE] = " -D PIXELS_IN_IMAGES=IMAGE",
    [OCL_STORAGE_IMAGE_ARRAY] = " -D PIXELS_IN_IMAGES=LAYER",
    [OCL_STORAGE_IMAGE_BUFFER] = " -D PIXELS_IN_IMAGES=TEXELS",
  };

  if (!build->format)
    return g_strdup (options);

  g_autofree gchar *format = ocl_pass_get_options (&build->pass, build->format);
  g_autofree gchar *tuning =
      ocl_tuning_get_options (&build->tuning, build->tunables);

  return g_strdup_printf ("%s%s%s%s%s", format, storages[build->storage],
      tuning, *options ? " " : "", options);
}

gboolean
ocl_program_build_kernels (OclContext * context, const gchar * source_name,
    const OclBuild * build, const gchar * further_options,
    const gchar * const *names, cl_kernel * kernels, guint n_kernels,
    GError ** error)
{
  g_autofree gchar *options = ocl_program_get_options (build, further_options);
  OclProgram *program = ocl_program_get (context, source_name, options, error);
  gboolean ok = program != NULL;

  for (guint i = 0; ok && i < n_kernels; i++) {
    kernels[i] = ocl_program_create_kernel (program, names[i], error);
    ok = kernels[i] != NULL;
  }
  if (program && build->programs)
    g_ptr_array_add (build->programs, program);
  else if (program)
    ocl_program_unref (program);
  return ok;
}

cl_kernel
ocl_program_build_kernel (OclContext * context, const gchar * source_name,
    const OclBuild * build, const gchar * further_options, const gchar * name,
    GError ** error)
{
  cl_kernel kernel = NULL;

  ocl_program_build_kernels (context, source_name, build, further_options,
      &name, &kernel, 1, error);
  return kernel;
}

gboolean
ocl_kernel_get_group_size (OclContext * context, cl_kernel kernel, gsize limit,
    gsize * size, GError ** error)
{
  size_t largest = 1;

  if (!ocl_check (clGetKernelWorkGroupInfo (kernel, context->device->id,
              CL_KERNEL_WORK_GROUP_SIZE, sizeof (largest), &largest, NULL),
          "clGetKernelWorkGroupInfo", error))
    return FALSE;
  *size = limit;
  while (*size > largest)
    *size /= 2;
  return TRUE;
}

static gboolean
ocl_kernel_check_group (OclContext * context, cl_kernel kernel, gsize size,
    cl_ulong memory, GError ** error)
{
  cl_device_id device = context->device->id;
  cl_ulong memory_needed = 0;
  size_t largest = 0;

  if (!ocl_check (clGetKernelWorkGroupInfo (kernel, device,
              CL_KERNEL_LOCAL_MEM_SIZE, sizeof (memory_needed), &memory_needed,
              NULL), "clGetKernelWorkGroupInfo", error)
      || !ocl_check (clGetKernelWorkGroupInfo (kernel, device,
              CL_KERNEL_WORK_GROUP_SIZE, sizeof (largest), &largest, NULL),
          "clGetKernelWorkGroupInfo", error))
    return FALSE;
  if (memory_needed <= memory && size <= largest)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "%s has %" G_GUINT64_FORMAT " bytes of local memory and groups of %"
      G_GSIZE_FORMAT " work-items: too little for a tile.",
      context->device->name, (guint64) memory, (gsize) largest);
  return FALSE;
}

gboolean
ocl_kernels_check_group (OclContext * context, const cl_kernel * kernels,
    guint n, gsize size, GError ** error)
{
  cl_ulong memory = 0;

  if (!ocl_check (clGetDeviceInfo (context->device->id,
              CL_DEVICE_LOCAL_MEM_SIZE, sizeof (memory), &memory, NULL),
          "clGetDeviceInfo", error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (!ocl_kernel_check_group (context, kernels[i], size, memory, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_kernel_get_group_side (OclContext * context, cl_kernel kernel, gsize limit,
    gsize * side, GError ** error)
{
  gsize size = 0;

  if (!ocl_kernel_get_group_size (context, kernel, limit * limit, &size, error))
    return FALSE;
  *side = limit;
  while (*side * *side > size)
    *side /= 2;
  return TRUE;
}

void
ocl_arguments_add (OclArguments * self, size_t size, gconstpointer value)
{
  g_assert (self->n < OCL_MAX_ARGUMENTS);
  self->sizes[self->n] = size;
  self->values[self->n++] = value;
}

static void
ocl_arguments_add_plane (OclArguments * self, const OclFrame * frame,
    guint plane)
{
  const OclPlane *where = &frame->planes[plane];

  OCL_ARGUMENTS_ADD (self, where->memory);
  /* An int2 of both. */
  G_STATIC_ASSERT (G_STRUCT_OFFSET (OclPlane, stride)
      == G_STRUCT_OFFSET (OclPlane, offset) + sizeof (cl_int));
  if (frame->storage != OCL_STORAGE_IMAGE)
    ocl_arguments_add (self, sizeof (cl_int2), &where->offset);
}

void
ocl_arguments_add_planes (OclArguments * self, const OclFrame * frame,
    const OclPass * pass)
{
  for (guint i = 0; i < frame->format->n_planes; i++) {
    if (ocl_pass_has_plane (pass, frame->format, i))
      ocl_arguments_add_plane (self, frame, i);
  }
}

void
ocl_arguments_add_input (OclArguments * self, const OclFrame * frame,
    const OclPass * pass)
{
  ocl_arguments_add_planes (self, frame, pass);
  if (!pass->guided)
    return;
  ocl_arguments_add_plane (self, frame,
      frame->format->channels[OCL_CHANNEL_LUMA].plane);
  self->luma_width = ocl_format_count_samples (frame->width,
      frame->format->luma_x_shift);
  self->luma_height = ocl_format_count_samples (frame->height,
      frame->format->luma_y_shift);
  OCL_ARGUMENTS_ADD (self, self->luma_width);
  OCL_ARGUMENTS_ADD (self, self->luma_height);
}

gboolean
ocl_kernel_set_arguments (cl_kernel kernel, const OclArguments * arguments,
    GError ** error)
{
  for (guint i = 0; i < arguments->n; i++) {
    if (!ocl_check (clSetKernelArg (kernel, i, arguments->sizes[i],
                arguments->values[i]), "clSetKernelArg", error))
      return FALSE;
  }
  return TRUE;
}

static gsize
ocl_round_up (gsize value, gsize multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

gboolean
ocl_kernel_enqueue (OclContext * context, cl_kernel kernel, gsize y,
    gsize width, gsize height, gsize group_width, gsize group_height,
    cl_event * event, GError ** error)
{
  const size_t offset[2] = { 0, y };
  const size_t global[2] = { ocl_round_up (width, group_width),
    ocl_round_up (height, group_height)
  };
  const size_t local[2] = { group_width, group_height };

  /* OpenCL 1.2 has no commands without work-items. */
  g_assert (width > 0 && height > 0);
  return ocl_check (clEnqueueNDRangeKernel (context->queue, kernel, 2, offset,
          global, local, 0, NULL, event), "clEnqueueNDRangeKernel", error);
}
