/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramidkernels.h"

static gchar *
get_options (const OclPass * pass, OclStorage storage)
{
  static const gchar *const storages[] = {
    [OCL_STORAGE_BUFFER] = "",
    [OCL_STORAGE_IMAGE] = " -D BANDS_IN_IMAGES=IMAGE",
    [OCL_STORAGE_IMAGE_ARRAY] = " -D BANDS_IN_IMAGES=LAYER",
    [OCL_STORAGE_IMAGE_BUFFER] = " -D BANDS_IN_IMAGES=TEXELS",
  };

  return g_strdup_printf ("-D BAND_CHANNELS=%u -D BAND_FIRST=%d%s",
      ocl_levels_count_floats (pass), pass->guided ? 1 : 0, storages[storage]);
}

gboolean
ocl_pyramid_build_kernels (OclContext * context, const gchar * source_name,
    const OclBuild * build, OclStorage storage, const gchar * const *names,
    cl_kernel * outer, cl_kernel * inner, guint n, GError ** error)
{
  g_autofree gchar *options = get_options (&build->pass, storage);
  g_autofree gchar *tuning =
      ocl_tuning_get_options (&build->tuning, build->tunables);
  g_autofree gchar *inner_options =
      g_strdup_printf ("%s%s -D INNER", options, tuning);
  const OclBuild inner_build = {.programs = build->programs };

  return ocl_program_build_kernels (context, source_name, build, options,
      names, outer, n, error)
      && ocl_program_build_kernels (context, source_name, &inner_build,
      inner_options, names, inner, n, error);
}

static void
add_layout (OclPyramidArguments * self, const OclFrame * level)
{
  const gint unit = sizeof (cl_float);
  const OclPlane *planes = level->planes;
  cl_int4 *layout = &self->layouts[self->n_layouts++];

  layout->s[0] = planes[0].offset / unit;
  layout->s[1] = planes[0].stride / unit;
  layout->s[2] = level->format->n_planes > 1
      ? (planes[1].offset - planes[0].offset) / unit : 0;
  layout->s[3] = 0;
  OCL_ARGUMENTS_ADD (&self->arguments, *layout);
}

void
ocl_pyramid_add_level (OclPyramidArguments * self, const OclFrame * level)
{
  OCL_ARGUMENTS_ADD (&self->arguments, level->planes[0].memory);
  if (level->storage == OCL_STORAGE_BUFFER)
    add_layout (self, level);
  else if (level->storage != OCL_STORAGE_IMAGE)
    /* The layer of an array, or the offset and stride of pixels. */
    ocl_arguments_add (&self->arguments, sizeof (cl_int2),
        &level->planes[0].offset);
}

void
ocl_pyramid_add_fine (OclPyramidArguments * self, const OclPyramidStep * step,
    const OclPass * pass)
{
  if (step->is_outer)
    ocl_arguments_add_input (&self->arguments, step->fine, pass);
  else
    ocl_pyramid_add_level (self, step->fine);
}

void
ocl_pyramid_add_output (OclPyramidArguments * self,
    const OclPyramidStep * step, const OclPass * pass)
{
  if (step->is_outer)
    ocl_arguments_add_planes (&self->arguments, step->output, pass);
  else
    ocl_pyramid_add_level (self, step->output);
}

void
ocl_pyramid_add_numbers (OclPyramidArguments * self,
    const OclPyramidStep * step)
{
  OCL_ARGUMENTS_ADD (&self->arguments, step->border);
  OCL_ARGUMENTS_ADD (&self->arguments, step->outside);
  if (step->kind != OCL_PYRAMID_ADD)
    return;
  OCL_ARGUMENTS_ADD (&self->arguments, step->gain);
  OCL_ARGUMENTS_ADD (&self->arguments, step->coarse_gain);
  OCL_ARGUMENTS_ADD (&self->arguments, step->offset);
}

gboolean
ocl_pyramid_sets_init (OclPyramidSets * self, OclContext * context,
    const gchar * source_name, const OclBuild * build, OclStorage storage,
    GError ** error)
{
  static const gchar *const names[OCL_PYRAMID_N_KINDS] = {
    [OCL_PYRAMID_REDUCE] = "reduce",
    [OCL_PYRAMID_SUBTRACT] = "subtract",
    [OCL_PYRAMID_ADD] = "add",
  };

  return ocl_pyramid_build_kernels (context, source_name, build, storage,
      names, self->kernels[0], self->kernels[OCL_PYRAMID_INNER],
      OCL_PYRAMID_N_KINDS, error);
}

void
ocl_pyramid_sets_clear (OclPyramidSets * self)
{
  for (guint i = 0; i < OCL_PYRAMID_N_SETS; i++) {
    for (guint j = 0; j < OCL_PYRAMID_N_KINDS; j++)
      g_clear_pointer (&self->kernels[i][j], clReleaseKernel);
  }
}

cl_kernel
ocl_pyramid_sets_get (const OclPyramidSets * self, const OclPyramidStep * step)
{
  return self->kernels[step->is_outer ? 0 : OCL_PYRAMID_INNER][step->kind];
}

void
ocl_pyramid_add_levels (OclPyramidArguments * self,
    const OclPyramidStep * step, const OclPass * pass)
{
  ocl_pyramid_add_fine (self, step, pass);
  if (step->kind == OCL_PYRAMID_ADD) {
    ocl_pyramid_add_output (self, step, pass);
    ocl_pyramid_add_level (self, step->band);
  }
  ocl_pyramid_add_level (self, step->coarse);
  if (step->kind == OCL_PYRAMID_SUBTRACT)
    ocl_pyramid_add_level (self, step->band);
  OCL_ARGUMENTS_ADD (&self->arguments, step->width);
  OCL_ARGUMENTS_ADD (&self->arguments, step->height);
  OCL_ARGUMENTS_ADD (&self->arguments, step->coarse_width);
  OCL_ARGUMENTS_ADD (&self->arguments, step->coarse_height);
}
