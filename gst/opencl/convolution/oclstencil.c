/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include <string.h>

#define MAX_TAPS_OF_LAUNCH G_GUINT64_CONSTANT (400000000)

void
ocl_stencil_set_box (OclStencil * stencil)
{
  stencil->kind = OCL_STENCIL_BOX;
  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    stencil->rows[j] = 1.0;
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    stencil->columns[i] = 1.0;
}

gint
ocl_stencil_get_n_taps (const OclStencil * stencil)
{
  return (2 * stencil->radius_x + 1) * (2 * stencil->radius_y + 1);
}

gdouble
ocl_stencil_get_weight (const OclStencil * stencil, gint n)
{
  const gint width = 2 * stencil->radius_x + 1;

  return stencil->kind == OCL_STENCIL_DENSE ? stencil->taps[n]
      : stencil->rows[n / width] * stencil->columns[n % width];
}

gboolean
ocl_stencil_weights_init (OclStencilWeights * weights, OclContext * context,
    gsize limit, GError ** error)
{
  return ocl_table_init (&weights->table, context, limit * sizeof (cl_float),
      error);
}

void
ocl_stencil_weights_clear (OclStencilWeights * weights)
{
  ocl_table_clear (&weights->table);
}

gboolean
ocl_stencil_weights_set (OclStencilWeights * weights, OclContext * context,
    const cl_float * values, gsize n, OclTimer * timer, GError ** error)
{
  const gsize size = n * sizeof (cl_float);

  if (n == weights->n && memcmp (values, weights->table.data, size) == 0)
    return TRUE;
  weights->n = 0;               /* until the device has them */
  if (!ocl_table_begin (&weights->table, error))
    return FALSE;
  memcpy (weights->table.data, values, size);
  if (!ocl_table_enqueue_write (&weights->table, context, size, timer, error))
    return FALSE;
  weights->n = n;
  return TRUE;
}

gboolean
ocl_stencil_weights_set_lines (OclStencilWeights * weights,
    OclContext * context, const OclStencil * stencil, OclTimer * timer,
    GError ** error)
{
  cl_float values[2 * OCL_STENCIL_MAX_SIDE];
  gsize n = 0;

  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    values[n++] = stencil->rows[j];
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    values[n++] = stencil->columns[i];
  return ocl_stencil_weights_set (weights, context, values, n, timer, error);
}

void
ocl_stencil_get_numbers (const OclStencil * stencil, const OclRun * run,
    OclStencilNumbers * numbers)
{
  const OclFrame *input = run->input;

  numbers->width = ocl_pass_get_width (run->pass, input);
  numbers->height = ocl_pass_get_height (run->pass, input);
  numbers->radius_x = stencil->radius_x;
  numbers->radius_y = stencil->radius_y;
  numbers->centre = stencil->centre;
  numbers->scale = stencil->scale;
  numbers->offset = stencil->offset * ocl_format_get_max_level (input->format);
  numbers->border = stencil->border.mode;
  numbers->outside = ocl_pass_get_color (run->pass, input,
      stencil->border.color);
}

void
ocl_stencil_add_numbers (const OclStencilNumbers * numbers,
    OclArguments * arguments)
{
  OCL_ARGUMENTS_ADD (arguments, numbers->centre);
  OCL_ARGUMENTS_ADD (arguments, numbers->scale);
  OCL_ARGUMENTS_ADD (arguments, numbers->offset);
  OCL_ARGUMENTS_ADD (arguments, numbers->border);
  OCL_ARGUMENTS_ADD (arguments, numbers->outside);
}

void
ocl_stencil_add_dense_numbers (const OclStencilNumbers * numbers,
    OclArguments * arguments)
{
  g_assert (numbers->centre == 0.0f);
  OCL_ARGUMENTS_ADD (arguments, numbers->offset);
  OCL_ARGUMENTS_ADD (arguments, numbers->border);
  OCL_ARGUMENTS_ADD (arguments, numbers->outside);
}

gsize
ocl_stencil_get_sum_size (const OclPass * pass)
{
  static const gsize sizes[OCL_MAX_PASS_CHANNELS + 1] = {
    0, sizeof (cl_float), sizeof (cl_float2), sizeof (cl_float4)
  };

  return sizes[pass->n_channels];
}

gboolean
ocl_stencil_enqueue_kernel (OclContext * context, cl_kernel kernel,
    const OclStencilNumbers * numbers, gsize n_taps, gsize rows,
    gsize group_width, gsize group_height, OclTimer * timer, GError ** error)
{
  const gsize height = (numbers->height + rows - 1) / rows;
  const guint64 taps_of_row = (guint64) numbers->width * rows * MAX (n_taps, 1);
  const gsize most = CLAMP (MAX_TAPS_OF_LAUNCH / taps_of_row, group_height,
      height + group_height) / group_height * group_height;

  for (gsize y = 0; y < height; y += most) {
    if (!ocl_kernel_enqueue (context, kernel, y, numbers->width,
            MIN (most, height - y), group_width, group_height,
            ocl_timer_add (timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}
