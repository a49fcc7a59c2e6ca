/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include <string.h>

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
    values[n++] = stencil->box ? 1.0 : stencil->rows[j];
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    values[n++] = stencil->box ? 1.0 : stencil->columns[i];
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
