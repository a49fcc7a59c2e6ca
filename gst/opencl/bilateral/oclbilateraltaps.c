/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateraltaps.h"

#include <math.h>

#define MAX_ROWS (2 * OCL_BILATERAL_MAX_RADIUS + 1)
#define MAX_TAPS (MAX_ROWS * MAX_ROWS)

/* Returns the number of taps on either side of the middle tap in row @j of the
 * window. */
static gint
get_extent (const OclPass * pass, OclBilateralWindow window, gint radius,
    gint j)
{
  const gint y = j * (1 << pass->y_shift);
  gint extent = radius >> pass->x_shift;

  if (window == OCL_BILATERAL_WINDOW_DISC) {
    while ((extent << pass->x_shift) * (extent << pass->x_shift) + y * y
        > radius * radius)
      extent--;
  }
  return extent;
}

/* Returns log2 of the spatial weight of a tap that is @x and @y pixels away
 * from the middle of the window. Returns 0 in the middle for any sigma. */
static cl_float
get_exponent (gint x, gint y, gdouble sigma)
{
  gdouble distance = sqrt (x * x + y * y) / sigma;

  return x == 0 && y == 0 ? 0.0 : MAX (-0.5 * M_LOG2E * distance * distance,
      OCL_BILATERAL_TAPS_LEAST_EXPONENT);
}

static gboolean
ocl_bilateral_taps_write (OclBilateralTaps * self, OclContext * context,
    const OclPass * pass, const OclBilateralParams * params,
    OclTimer * timer, GError ** error)
{
  const gint radius = ocl_bilateral_get_radius (params);
  const gint n_rows = 2 * (radius >> pass->y_shift) + 1;
  gint n_taps = 0;

  self->radius = -1;            /* until the device has the weights */
  /* The memory is large enough for the largest window. */
  if (!ocl_coefficients_begin (&self->exponents, context,
          MAX_TAPS * sizeof (cl_float), error)
      || !ocl_coefficients_begin (&self->rows, context,
          MAX_ROWS * sizeof (cl_int2), error))
    return FALSE;

  cl_float *exponents = self->exponents.data;
  cl_int2 *rows = self->rows.data;
  for (gint row = 0; row < n_rows; row++) {
    gint j = row - n_rows / 2;
    gint extent = get_extent (pass, params->window, radius, j);

    rows[row].s[0] = extent;
    rows[row].s[1] = n_taps + extent;
    for (gint i = -extent; i <= extent; i++)
      exponents[n_taps++] = get_exponent (i * (1 << pass->x_shift),
          j * (1 << pass->y_shift), params->spatial_sigma);
  }
  if (!ocl_coefficients_enqueue_write (&self->exponents, context,
          n_taps * sizeof (cl_float), timer, error)
      || !ocl_coefficients_enqueue_write (&self->rows, context,
          n_rows * sizeof (cl_int2), timer, error))
    return FALSE;

  self->radius = radius;
  self->window = params->window;
  self->spatial_sigma = params->spatial_sigma;
  return TRUE;
}

static gboolean
ocl_bilateral_taps_are (const OclBilateralTaps * self,
    const OclBilateralParams * params)
{
  return self->exponents.memory
      && self->radius == ocl_bilateral_get_radius (params)
      && self->window == params->window
      && self->spatial_sigma == params->spatial_sigma;
}

const OclBilateralTaps *
ocl_bilateral_windows_get (OclBilateralWindows * self, OclContext * context,
    const OclPass * pass, const OclBilateralParams * params,
    OclTimer * timer, GError ** error)
{
  OclBilateralTaps *found = &self->taps[0];

  for (guint i = 0; i < OCL_BILATERAL_TAPS_MAX_WINDOWS; i++) {
    OclBilateralTaps *taps = &self->taps[i];

    if (ocl_bilateral_taps_are (taps, params)) {
      taps->last_use = ++self->n_uses;
      return taps;
    }
    if (taps->last_use < found->last_use)
      found = taps;
  }
  if (!ocl_bilateral_taps_write (found, context, pass, params, timer, error))
    return NULL;
  found->last_use = ++self->n_uses;
  return found;
}

void
ocl_bilateral_windows_clear (OclBilateralWindows * self)
{
  for (guint i = 0; i < OCL_BILATERAL_TAPS_MAX_WINDOWS; i++) {
    ocl_coefficients_clear (&self->taps[i].exponents);
    ocl_coefficients_clear (&self->taps[i].rows);
  }
}
