/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

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
