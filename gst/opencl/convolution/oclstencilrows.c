/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include "oclmemory.h"

/* As in kernels/stencil-rows.cl: samples a vector, floats a step of a loop. */
#define VECTOR 16
#define STEP 64

/* Bands that a thread takes, so that one that is kept from work does not hold up
 * the frame; and the least rows of a band, as each loads the rows of a window
 * first. */
#define BANDS_OF_THREAD 4
#define MIN_BAND_HEIGHT 16
#define WINDOWS_OF_BAND 2

enum
{
  KERNEL_SEPARABLE,
  KERNEL_BOX,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_SEPARABLE] = "separable",
  [KERNEL_BOX] = "box",
};

typedef struct
{
  cl_int pad;
  cl_int pitch;                 /* in floats */
  cl_int scratch_floats;        /* of a band */
  cl_int band_height;
  gsize n_bands;
} Layout;

typedef struct
{
  OclContext *context;
  OclPass pass;
  cl_uint n_threads;
  cl_kernel kernels[N_KERNELS];
  OclStencilWeights weights;    /* of rows, then of columns */
  OclMemory scratch;
} OclStencilRows;

void
ocl_stencil_rows_free (gpointer object)
{
  OclStencilRows *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_stencil_weights_clear (&self->weights);
  ocl_memory_clear (&self->scratch);
  ocl_context_unref (self->context);
  g_free (self);
}

gpointer
ocl_stencil_rows_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilRows *self = g_new0 (OclStencilRows, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  if (!ocl_context_get_compute_units (context, &self->n_threads, error)
      || !ocl_program_build_kernels (context, "stencil-rows.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_stencil_weights_init (&self->weights, context,
          2 * OCL_STENCIL_MAX_SIDE, error)) {
    ocl_stencil_rows_free (self);
    return NULL;
  }
  return self;
}

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

static Layout
ocl_stencil_rows_get_layout (OclStencilRows * self, const OclStencil * stencil,
    gint width, gint height)
{
  const gint rows = 2 * stencil->radius_y + 1;
  const gint threads = self->n_threads;
  const gint least = MAX (MIN_BAND_HEIGHT, WINDOWS_OF_BAND * rows);
  const gint bands = CLAMP (height / least / threads, 1, BANDS_OF_THREAD)
      * threads;
  Layout layout;

  layout.pad = round_up (stencil->radius_x + 1, VECTOR);
  layout.pitch = round_up (2 * layout.pad + round_up (width, VECTOR), STEP);
  layout.scratch_floats =
      (rows + 1) * (gint) self->pass.n_channels * layout.pitch;
  layout.band_height = (height + bands - 1) / bands;
  layout.n_bands = (height + layout.band_height - 1) / layout.band_height;
  return layout;
}

gboolean
ocl_stencil_rows_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilRows *self = object;
  const cl_kernel kernel =
      self->kernels[stencil->box ? KERNEL_BOX : KERNEL_SEPARABLE];
  OclStencilNumbers numbers;
  OclArguments arguments = { 0, };

  ocl_stencil_get_numbers (stencil, run, &numbers);
  const Layout layout = ocl_stencil_rows_get_layout (self, stencil,
      numbers.width, numbers.height);
  if (!ocl_stencil_weights_set_lines (&self->weights, self->context, stencil,
          run->timer, error)
      || !ocl_memory_ensure (&self->scratch, self->context, layout.n_bands
          * layout.scratch_floats * sizeof (cl_float), error))
    return FALSE;
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  OCL_ARGUMENTS_ADD (&arguments, layout.band_height);
  OCL_ARGUMENTS_ADD (&arguments, self->scratch.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout.scratch_floats);
  OCL_ARGUMENTS_ADD (&arguments, layout.pitch);
  OCL_ARGUMENTS_ADD (&arguments, layout.pad);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->weights.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, numbers.centre);
  OCL_ARGUMENTS_ADD (&arguments, numbers.scale);
  OCL_ARGUMENTS_ADD (&arguments, numbers.offset);
  OCL_ARGUMENTS_ADD (&arguments, numbers.border);
  OCL_ARGUMENTS_ADD (&arguments, numbers.outside);
  return ocl_kernel_set_arguments (kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, kernel, 0, layout.n_bands, 1, 1, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}
