/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencilvariants.h"

#include <string.h>

/* Local memory in bytes that drivers use. NVIDIA's driver includes it in the
 * local memory of a work-group. */
#define RESERVED_SIZE 1024

#define MAX_ROWS 8
#define MAX_WEIGHTS (2 * OCL_STENCIL_MAX_SIDE + MAX_ROWS - 1)

/* The tunables are the work-items of a group and the samples per work-item. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
};

const OclTunable ocl_stencil_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 64, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 2, OCL_CHOICES (2, 4, 8)},
  [ROWS] = {"ROWS", 8, OCL_CHOICES (1, 2, 4, MAX_ROWS)},
  {NULL},
};

const OclTunable ocl_stencil_dense_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4, 8)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  {NULL},
};

/* Returns the size in bytes of the channels of a sample of @pass in local
 * memory. */
static gsize
get_sample_size (const OclPass * pass)
{
  static const gsize sizes[OCL_MAX_PASS_CHANNELS + 1] = {
    0, sizeof (cl_float), sizeof (cl_float2), sizeof (cl_float4)
  };

  return sizes[pass->n_channels];
}

static gsize
divide_up (gsize value, gsize divisor)
{
  return (value + divisor - 1) / divisor;
}

/* Up to this radius, a program that is specialised for one radius is faster.
 * Its form is the radius. */
#define MAX_SPECIAL_RADIUS 4

guint
ocl_stencil_tiled_get_forms (gint radius, guint forms[OCL_MAX_FORMS])
{
  guint n = 0;

  if (radius <= MAX_SPECIAL_RADIUS)
    forms[n++] = MAX (radius, 1);
  forms[n++] = 0;
  return n;
}

gchar *
ocl_stencil_tiled_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-D RADIUS=%u", build->form);
}

/* Up to this radius, one kernel computes both sums. Beyond this radius, the
 * sums that a group computes left and right of its samples cost more than the
 * use of global memory. */
#define MAX_RADIUS_OF_TILE 12

enum
{
  KERNEL_TILED,
  KERNEL_DOWN,
  KERNEL_ACROSS,
};

/* Returns the size in bytes of the sums of @rows rows of a group, for a window
 * of @radius_x. */
static gsize
get_sums_size (const OclKernels * self, gsize rows, gint radius_x)
{
  return get_sample_size (&self->build.pass) * rows
      * (self->group_width + 2 * radius_x);
}

gboolean
ocl_stencil_tiled_init (OclKernels * self, GError ** error)
{
  const OclDevice *device = self->context->device;

  if (get_sums_size (self, self->group_height, OCL_STENCIL_MAX_RADIUS)
      <= device->local_size)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "%s has too little local memory for a tile.", device->name);
  return FALSE;
}

/* Writes the weights of the rows of a window with the radii of @n, then zeros,
 * and then the weights of the columns. Sets @first to the index of the first
 * weight of the columns. The stencil may be smaller than the window. */
static gboolean
ocl_stencil_tiled_set_weights (OclKernels * self, const OclStencilNumbers * n,
    cl_int * first, OclTimer * timer, GError ** error)
{
  OclStencilState *state = self->state;
  const OclStencil *stencil = &state->stencil;
  cl_float *values = ocl_weights_begin (&state->weights, MAX_WEIGHTS);
  cl_float *rows = values + n->radius_y - stencil->radius_y;
  cl_float *columns;

  *first = 2 * n->radius_y + ocl_kernels_get_tuning (self, ROWS);
  columns = values + *first + n->radius_x - stencil->radius_x;
  memset (values, 0, MAX_WEIGHTS * sizeof (cl_float));
  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    rows[j] = stencil->rows[j];
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    columns[i] = stencil->columns[i];
  return ocl_weights_end (&state->weights, self->context,
      *first + 2 * n->radius_x + 1, timer, error);
}

/* Computes the sums of columns, and writes them to global memory. */
static gboolean
ocl_stencil_tiled_enqueue_down (OclKernels * self, const OclRun * run,
    const OclStencilNumbers * n, GError ** error)
{
  OclStencilState *state = self->state;

  return ocl_memory_ensure (&state->sums, self->context,
      get_sample_size (run->pass) * n->width * n->height, error)
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_DOWN, n->width,
          divide_up (n->height, ocl_kernels_get_tuning (self, ROWS))), error,
      OCL_INPUT, OCL_MEMORY (state->sums.memory), OCL_STENCIL_SIZE (*n),
      OCL_INT (n->radius_y), OCL_MEMORY (state->weights.coefficients.memory),
      OCL_STENCIL_BORDER (*n));
}

/* Adds the column sums along the rows. */
static gboolean
ocl_stencil_tiled_enqueue_across (OclKernels * self, const OclRun * run,
    const OclStencilNumbers * n, cl_int first, GError ** error)
{
  OclStencilState *state = self->state;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ACROSS, n->width, n->height),
      error, OCL_MEMORY (state->sums.memory), OCL_INPUT, OCL_OUTPUT,
      OCL_STENCIL_SIZE (*n), OCL_STENCIL_RADII (*n),
      OCL_MEMORY (state->weights.coefficients.memory), OCL_INT (first),
      OCL_STENCIL_SUM (*n), OCL_STENCIL_BORDER (*n),
      OCL_LOCAL (get_sums_size (self, self->group_height, n->radius_x)));
}

gboolean
ocl_stencil_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  OclStencilNumbers n = ocl_stencil_begin (self, run);
  const gint special_radius = self->build.form;
  const gsize rows = ocl_kernels_get_tuning (self, ROWS);
  gsize sums_size;
  cl_int first;

  if (special_radius > 0) {
    n.radius_x = special_radius;
    n.radius_y = special_radius;
  }
  sums_size = get_sums_size (self, self->group_height * rows, n.radius_x);
  if (!ocl_stencil_tiled_set_weights (self, &n, &first, run->timer, error))
    return FALSE;
  if (MAX (n.radius_x, n.radius_y) <= MAX_RADIUS_OF_TILE
      && sums_size + RESERVED_SIZE <= self->context->device->local_size)
    return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TILED, n.width,
            divide_up (n.height, rows)), error, OCL_INPUT, OCL_OUTPUT,
        OCL_STENCIL_SIZE (n), OCL_STENCIL_RADII (n),
        OCL_MEMORY (state->weights.coefficients.memory), OCL_INT (first),
        OCL_STENCIL_SUM (n), OCL_STENCIL_BORDER (n), OCL_LOCAL (sums_size));
  return ocl_stencil_tiled_enqueue_down (self, run, &n, error)
      && ocl_stencil_tiled_enqueue_across (self, run, &n, first, error);
}

enum
{
  KERNEL_DENSE,
  KERNEL_DIRECT,
};

gboolean
ocl_stencil_dense_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const OclStencilNumbers n = ocl_stencil_begin (self, run);
  const gsize rows = ocl_kernels_get_tuning (self, ROWS);
  const gsize tile_size = get_sample_size (run->pass)
      * (self->group_width + 2 * n.radius_x)
      * (self->group_height * rows + 2 * n.radius_y);
  const gboolean fits =
      tile_size + RESERVED_SIZE <= self->context->device->local_size;
  OclGrid grid = {.kernel = fits ? KERNEL_DENSE : KERNEL_DIRECT,
    .width = n.width,.height = divide_up (n.height, rows)
  };

  if (!ocl_taps_set (&state->taps, self->context, &state->stencil,
          run->input->info.format, run->timer, error))
    return FALSE;
  grid.n_taps = rows * MAX (state->taps.n_taps, 1);
  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_STENCIL_SIZE (n), OCL_STENCIL_RADII (n),
      OCL_MEMORY (state->taps.coefficients.memory),
      OCL_INT (state->taps.n_groups), OCL_FLOAT (n.offset),
      OCL_STENCIL_BORDER (n), fits ? OCL_LOCAL (tile_size) : OCL_NONE);
}
