/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralparams.h"

#include <math.h>

gint
ocl_bilateral_get_radius (const OclBilateralParams * params)
{
  gint radius = params->radius < 0
      ? (gint) floor (2.0 * params->spatial_sigma) : params->radius;

  return MIN (radius, OCL_BILATERAL_MAX_RADIUS);
}

gdouble
ocl_bilateral_get_guide_unit (OclBilateralColorMode color_mode,
    const OclFormat * format)
{
  gdouble level = ocl_format_get_max_level (format);

  if (color_mode == OCL_BILATERAL_COLOR_LAB)
    return 100.0;
  return color_mode == OCL_BILATERAL_COLOR_INTENSITY
      && format->model == OCL_MODEL_RGB ? 100.0 * level : level;
}

OclBilateralColorMode
ocl_bilateral_get_color_mode (const OclBilateralParams * params,
    const OclFormat * format)
{
  return params->color_mode == OCL_BILATERAL_COLOR_LAB
      && format->model != OCL_MODEL_RGB
      ? OCL_BILATERAL_COLOR_INTENSITY : params->color_mode;
}

OclBilateralBorder
ocl_bilateral_get_border (const OclBilateralParams * params,
    const OclFrameInfo * info, const OclPass * pass)
{
  const OclBilateralBorder border = {
    .channels = ocl_pass_get_color (pass, info, params->border.color),
    .luma = ocl_format_convert_color (info->format, &info->colorimetry,
        params->border.color).s[OCL_CHANNEL_LUMA],
  };

  return border;
}
