/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include <math.h>

cl_float
ocl_bilateral_get_exponent_scale (gdouble unit, gdouble sigma)
{
  return MAX (-0.5 * M_LOG2E / (unit * sigma) / (unit * sigma), -1e28);
}

OclBilateralBorder
ocl_bilateral_get_run_border (const OclRun * run)
{
  return ocl_bilateral_get_border (run->params, &run->input->info, run->pass);
}

gint
ocl_bilateral_get_tap_columns (const OclRun * run)
{
  return 2 * (ocl_bilateral_get_radius (run->params) >> run->pass->x_shift) + 1;
}

gint
ocl_bilateral_get_tap_rows (const OclRun * run)
{
  return 2 * (ocl_bilateral_get_radius (run->params) >> run->pass->y_shift) + 1;
}

gint
ocl_bilateral_get_n_taps (const OclRun * run)
{
  return ocl_bilateral_get_tap_columns (run) * ocl_bilateral_get_tap_rows (run);
}
