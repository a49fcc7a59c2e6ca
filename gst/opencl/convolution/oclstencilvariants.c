/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencilvariants.h"

void
ocl_stencil_state_clear (gpointer state)
{
  OclStencilState *self = state;

  ocl_weights_clear (&self->weights);
  ocl_taps_clear (&self->taps);
  ocl_strips_clear (&self->strips);
  ocl_memory_clear (&self->sums);
}

OclStencilNumbers
ocl_stencil_begin (OclKernels * kernels, const OclRun * run)
{
  const OclStencilFamily *family = kernels->variant->family;
  OclStencil *stencil = &((OclStencilState *) kernels->state)->stencil;

  family->init (stencil, run);
  const OclStencilNumbers numbers = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .radius_x = stencil->radius_x,.radius_y = stencil->radius_y,
    .centre = stencil->centre,.scale = stencil->scale,
    .offset =
        stencil->offset * ocl_format_get_max_level (run->input->info.format),
    .border = stencil->border.mode,
    .outside = ocl_pass_get_color (run->pass, &run->input->info,
        stencil->border.color),
  };

  return numbers;
}

#define MAX_TAPS (OCL_STENCIL_MAX_SIDE * OCL_STENCIL_MAX_SIDE)

/* Cost of a tap in taps of the other variants, because the plain variant
 * handles the border for each tap. In the program for pairs, a weight is two
 * floats, and a tap takes about eight times as long. */
#define TAPS_OF_TAP 4
#define TAPS_OF_PAIR (8 * TAPS_OF_TAP)
#define FLOATS_OF_PAIR 2

gchar *
ocl_stencil_plain_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return build->form == OCL_STENCIL_PAIRS ? g_strdup ("-D PAIRS") : NULL;
}

/* Writes the weights of all taps, row by row. */
static gboolean
ocl_stencil_plain_set_weights (OclStencilState * self, OclContext * context,
    gboolean pairs, OclTimer * timer, GError ** error)
{
  const gint n_taps = ocl_stencil_get_n_taps (&self->stencil);
  cl_float *values = ocl_weights_begin (&self->weights,
      FLOATS_OF_PAIR * MAX_TAPS);
  gint n = 0;

  for (gint i = 0; i < n_taps; i++) {
    const gdouble weight = ocl_stencil_get_weight (&self->stencil, i);

    values[n++] = weight;
    if (pairs) {
      values[n] = weight - values[n - 1];
      n++;
    }
  }
  return ocl_weights_end (&self->weights, context, n, timer, error);
}

gboolean
ocl_stencil_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const gboolean pairs = self->build.form == OCL_STENCIL_PAIRS;
  const OclStencilNumbers n = ocl_stencil_begin (self, run);
  const gint n_taps = ocl_stencil_get_n_taps (&state->stencil);
  const OclGrid grid = {.width = n.width,.height = n.height,
    .n_taps = (guint64) n_taps * (pairs ? TAPS_OF_PAIR : TAPS_OF_TAP)
  };

  return ocl_stencil_plain_set_weights (state, self->context, pairs,
      run->timer, error)
      && OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_STENCIL_SIZE (n), OCL_STENCIL_RADII (n),
      OCL_MEMORY (state->weights.coefficients.memory), OCL_STENCIL_SUM (n),
      OCL_STENCIL_BORDER (n));
}

/* SMALL_RADIUS in stencil-rows.cl. */
#define SMALL_RADIUS 4

enum
{
  KERNEL_SEPARABLE,
  KERNEL_BOX,
};

/* Writes the weights of the rows, and then the weights of the columns. */
static gboolean
ocl_stencil_rows_set_weights (OclStencilState * self, OclContext * context,
    OclTimer * timer, GError ** error)
{
  const OclStencil *stencil = &self->stencil;
  cl_float *values = ocl_weights_begin (&self->weights,
      2 * OCL_STENCIL_MAX_SIDE);
  gsize n = 0;

  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    values[n++] = stencil->rows[j];
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    values[n++] = stencil->columns[i];
  return ocl_weights_end (&self->weights, context, n, timer, error);
}

/* Prepares strips that keep @n_rows rows, and @n_words words after the rows. */
static gboolean
ocl_stencil_ensure_strips (OclKernels * self, const OclRun * run,
    const OclStencilNumbers * n, gint n_rows, gint n_words, GError ** error)
{
  const OclStripsNeeds needs = {
    .width = n->width,.height = n->height,
    .reach_x = n->radius_x,.reach_y = n->radius_y,
    .n_planes = run->pass->n_channels,.n_rows = n_rows,.n_words = n_words,
  };

  return ocl_strips_ensure (&((OclStencilState *) self->state)->strips,
      self->context, &needs, error);
}

/* Returns whether running sums of a box are exact. */
static gboolean
have_running_sums (const OclFormat * format, const OclStencilNumbers * n)
{
  return !format->is_float || (format->steps > 0
      && MAX (n->radius_x, n->radius_y) <= SMALL_RADIUS);
}

gboolean
ocl_stencil_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const OclStencilNumbers n = ocl_stencil_begin (self, run);
  const gboolean is_box = state->stencil.kind == OCL_STENCIL_BOX
      && have_running_sums (run->input->info.format, &n);
  /* A box keeps one row of sums. Otherwise a strip keeps the rows of the
   * windows of two rows, and one row of sums for each of the two. */
  const gint n_rows = is_box ? 1 : 2 * n.radius_y + 2 + 2;

  return ocl_stencil_rows_set_weights (state, self->context, run->timer, error)
      && ocl_stencil_ensure_strips (self, run, &n, n_rows, 0, error)
      && OCL_LAUNCH (self, run, OCL_STRIPS_GRID (is_box ? KERNEL_BOX
          : KERNEL_SEPARABLE, &state->strips), error, OCL_INPUT, OCL_OUTPUT,
      OCL_STENCIL_SIZE (n), OCL_STRIPS (&state->strips), OCL_STENCIL_RADII (n),
      OCL_MEMORY (state->weights.coefficients.memory), OCL_STENCIL_SUM (n),
      OCL_STENCIL_BORDER (n));
}

gchar *
ocl_stencil_dense_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup (ocl_taps_get_options (build->form));
}

/* Number of rows of sums after the rows of the window. */
#define N_SUMS 1

gboolean
ocl_stencil_dense_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const OclStencilNumbers n = ocl_stencil_begin (self, run);
  const OclTaps *taps = &state->taps;

  return ocl_taps_set (&state->taps, self->context, &state->stencil,
      run->input->info.format, run->timer, error)
      && ocl_stencil_ensure_strips (self, run, &n, 2 * n.radius_y + 1 + N_SUMS,
      taps->n_taps, error)
      && OCL_LAUNCH (self, run, OCL_STRIPS_GRID (0, &state->strips), error,
      OCL_INPUT, OCL_OUTPUT, OCL_STENCIL_SIZE (n), OCL_STRIPS (&state->strips),
      OCL_STENCIL_RADII (n), OCL_MEMORY (taps->coefficients.memory),
      OCL_INT (taps->n_groups), OCL_INT (taps->n_taps), OCL_FLOAT (n.offset),
      OCL_STENCIL_BORDER (n));
}
