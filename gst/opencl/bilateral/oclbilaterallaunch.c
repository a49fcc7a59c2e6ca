/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilaterallaunch.h"

#include <math.h>

#include "oclprogram.h"

/* A GPU is reset when one launch takes seconds: larger work is cut up. The
 * slowest compute units take about a tenth of a second for this, and a launch
 * still has work for all of them. */
#define MAX_TAPS_OF_UNIT G_GUINT64_CONSTANT (100000000)

cl_float
ocl_bilateral_get_exponent_scale (gdouble unit, gdouble sigma)
{
  return MAX (-0.5 * M_LOG2E / (unit * sigma) / (unit * sigma), -1e28);
}

gboolean
ocl_bilateral_launch (const OclBilateralLaunch * self, OclContext * context,
    cl_kernel kernel, OclTimer * timer, GError ** error)
{
  /* In rows of work-items from here on. */
  const gsize n_rows = (self->height + self->rows - 1) / self->rows;
  const guint64 taps_of_row = (guint64) self->width * self->rows * self->n_taps;
  const gsize most = CLAMP (self->n_units * MAX_TAPS_OF_UNIT / taps_of_row,
      self->group_height, n_rows + self->group_height)
      / self->group_height * self->group_height;

  for (gsize row = 0; row < n_rows; row += most) {
    if (!ocl_kernel_enqueue (context, kernel, row, self->width,
            MIN (most, n_rows - row), self->group_width, self->group_height,
            ocl_timer_add (timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}
