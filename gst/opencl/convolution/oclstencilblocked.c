/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencilblocked.h"

#include <math.h>
#include <string.h>

/* The tunables are the work-items of a group and the rows of a block. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
};

const OclTunable ocl_stencil_blocked_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (1, 2, 4, 8)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (2, 4, 8)},
  {NULL},
};

enum
{
  KERNEL_DENSE,
  KERNEL_SEPARABLE,
};

/* Loops are unrolled up to these radii. */
#define MAX_DENSE_RADIUS 2
#define MAX_SEPARABLE_RADIUS 3
#define MAX_WEIGHTS \
    ((2 * MAX_SEPARABLE_RADIUS + 1) * (2 * MAX_SEPARABLE_RADIUS + 1))

/* With several channels, a larger block needs more registers than available,
 * and tiles are faster in images. */
#define GET_MAX_SEPARABLE_RADIUS(n_channels) \
    ((n_channels) == 1 ? MAX_SEPARABLE_RADIUS : 1)

/* BLOCK_COLUMNS in stencil-blocked.cl. */
#define BLOCK_COLUMNS(n_channels) ((n_channels) == 1 ? 4 : 2)

/* Rounding of a sum of floats, relative to the sum. */
#define FLOAT_UNIT (1.0 / (1 << 24))
#define MAX_ERROR 0.25          /* levels */

gchar *
ocl_stencil_blocked_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-D RADIUS=%u", build->form);
}

guint
ocl_stencil_blocked_get_forms (gint radius, guint forms[OCL_MAX_FORMS])
{
  forms[0] = CLAMP (radius, 1, MAX_SEPARABLE_RADIUS);
  return 1;
}

/* Floats outside of the range are rare, and not rounded to whole levels. */
static gdouble
get_largest_level (const OclFormat * format)
{
  return format->is_float ? ocl_format_get_max_level (format)
      : ocl_format_get_largest_difference (format);
}

/* Returns whether floats hold a sum of levels in any order. */
static gboolean
is_exact (const OclStencil * stencil, const OclFormat * format)
{
  const gint n_taps = ocl_stencil_get_n_taps (stencil);
  gdouble gain = 0.0;

  for (gint i = 0; i < n_taps; i++)
    gain += fabs (stencil->taps[i]);
  return n_taps * FLOAT_UNIT * gain * get_largest_level (format) <= MAX_ERROR;
}

gboolean
ocl_stencil_blocked_can_serve (const OclStencil * stencil,
    const OclFormat * format, const OclPass * pass, gint radius)
{
  if (stencil->kind == OCL_STENCIL_DENSE)
    return radius <= MAX_DENSE_RADIUS && is_exact (stencil, format);
  return radius <= GET_MAX_SEPARABLE_RADIUS (pass->n_channels);
}

/* Sets @values, which are zeros, to the weights of the square of @radius, row
 * by row, and returns their number. */
static gsize
fill_dense (const OclStencil * stencil, gint radius, cl_float * values)
{
  const gint side = 2 * radius + 1;
  const gint width = 2 * stencil->radius_x + 1;
  cl_float *first = values + (radius - stencil->radius_y) * side
      + radius - stencil->radius_x;

  for (gint i = 0; i < ocl_stencil_get_n_taps (stencil); i++)
    first[i / width * side + i % width] = stencil->taps[i] * stencil->scale;
  values[side * side / 2] += stencil->centre;
  return side * side;
}

/* Sets @values, which are zeros, to the weights of the rows of the square and
 * of its columns, and returns their number. */
static gsize
fill_separable (const OclStencil * stencil, gint radius, cl_float * values)
{
  const gint side = 2 * radius + 1;
  cl_float *rows = values + radius - stencil->radius_y;
  cl_float *columns = values + side + radius - stencil->radius_x;

  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    rows[j] = stencil->rows[j];
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    columns[i] = stencil->columns[i];
  return 2 * side;
}

static gboolean
set_weights (OclStencilState * self, OclContext * context, gint radius,
    OclTimer * timer, GError ** error)
{
  const OclStencil *stencil = &self->stencil;
  cl_float *values = ocl_weights_begin (&self->weights, MAX_WEIGHTS);

  g_assert (MAX (stencil->radius_x, stencil->radius_y) <= radius);
  memset (values, 0, MAX_WEIGHTS * sizeof (cl_float));
  return ocl_weights_end (&self->weights, context,
      stencil->kind == OCL_STENCIL_DENSE ? fill_dense (stencil, radius, values)
      : fill_separable (stencil, radius, values), timer, error);
}

gboolean
ocl_stencil_blocked_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const OclStencilNumbers n = ocl_stencil_begin (self, run);
  const gint radius = self->build.form;
  const gint rows = ocl_kernels_get_tuning (self, ROWS);
  const gint columns = BLOCK_COLUMNS (run->pass->n_channels);
  const gint kernel = state->stencil.kind == OCL_STENCIL_DENSE
      ? KERNEL_DENSE : KERNEL_SEPARABLE;

  return set_weights (state, self->context, radius, run->timer, error)
      && OCL_LAUNCH (self, run, OCL_GRID (kernel,
          (n.width + columns - 1) / columns, (n.height + rows - 1) / rows),
      error, OCL_INPUT, OCL_OUTPUT, OCL_STENCIL_SIZE (n),
      OCL_MEMORY (state->weights.coefficients.memory), OCL_STENCIL_SUM (n),
      OCL_STENCIL_BORDER (n));
}
