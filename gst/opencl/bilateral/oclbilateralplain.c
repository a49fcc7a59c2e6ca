/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

/* Cost of a tap in taps of the other variants, because this variant computes
 * each tap again for each sample, with functions of full precision. With
 * L*a*b*, a tap needs nine functions of full precision instead of two. */
#define TAPS_OF_TAP 10
#define TAPS_OF_LAB_TAP 50

/* Returns -1 / (2 sigma²), which is finite even for the smallest sigma. */
static cl_float
get_exponent_scale (gdouble sigma)
{
  return MAX (-0.5 / sigma / sigma, -1e30);
}

static gboolean
ocl_bilateral_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclBilateralBorder color = ocl_bilateral_get_run_border (run);
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (params, run->input->info.format);
  const OclGrid grid = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .n_taps = ocl_bilateral_get_n_taps (run)
        * (color_mode == OCL_BILATERAL_COLOR_LAB ? TAPS_OF_LAB_TAP
        : TAPS_OF_TAP),
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_BILATERAL_SIZE (run),
      OCL_FLOAT (get_exponent_scale (params->spatial_sigma)),
      OCL_FLOAT (get_exponent_scale (params->intensity_sigma)),
      OCL_INT (ocl_bilateral_get_radius (params)),
      OCL_INT (color_mode),
      OCL_INT (params->window == OCL_BILATERAL_WINDOW_DISC),
      OCL_BILATERAL_BORDER (params, color));
}

const OclVariant ocl_bilateral_plain = {
  .name = "plain",
  .source = "bilateral.cl",
  .kernels = OCL_NAMES ("bilateral"),
  .group_width = 16,
  .group_height = 16,
  .enqueue = ocl_bilateral_plain_enqueue,
};
