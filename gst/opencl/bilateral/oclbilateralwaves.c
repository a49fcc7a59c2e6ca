/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralwaves.h"

#include <math.h>

#define MIN_SPATIAL_SIGMA 5.0
#define MIN_RADIUS 10
#define MIN_STEP 4
#define MIN_WAVES 3
#define MAX_WAVES 32
#define MAX_WAVE_ERROR 0.0002

/* Maximum reach of a window in sigmas, where the weights are 4e-6. */
#define MAX_SIGMAS 5.0

/* Maximum reach of a window in nodes to each side: the step is more than 0.4 of
 * sigma, or more than 0.4 of half the radius. */
#define MAX_REACH 13
#define MAX_SIDE (2 * MAX_REACH + 1)

/* Number of zeros between rows of weights. */
#define ZEROS (OCL_BILATERAL_BLURRED_NODES - 1)

#define MAX_COEFFICIENTS (MAX_WAVES + ZEROS + MAX_SIDE * (MAX_SIDE + ZEROS))

/* Returns T of the formula in the header. */
static gdouble
get_period (gdouble sigma, gint waves)
{
  return 0.5 + sqrt (0.25 + 2.0 * G_PI * sigma * sigma * (waves + 0.5));
}

gint
ocl_bilateral_waves_count (const OclBilateralParams * params,
    const OclPass * pass)
{
  const gdouble sigma = params->intensity_sigma;

  if (params->color_mode != OCL_BILATERAL_COLOR_INTENSITY
      || pass->x_shift != pass->y_shift
      || ocl_bilateral_get_radius (params) >> pass->x_shift < MIN_RADIUS
      || params->spatial_sigma < MIN_SPATIAL_SIGMA * (1 << pass->x_shift))
    return 0;
  for (gint waves = MIN_WAVES; waves <= MAX_WAVES; waves++) {
    gdouble distance = (get_period (sigma, waves) - 1.0) / sigma;

    if (exp (-0.5 * distance * distance) < MAX_WAVE_ERROR)
      return waves;
  }
  return 0;
}

gboolean
ocl_bilateral_waves_can_serve (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, const OclPass * pass)
{
  return ocl_bilateral_waves_count (params, pass) > 0;
}

void
ocl_bilateral_waves_clear (OclBilateralWaves * self)
{
  ocl_coefficients_clear (&self->coefficients);
}

/* Adds the contributions of a source pixel to a target pixel to @row, for
 * weights of 1 between nodes. The target pixel is at @x in the interval after
 * node 0, and the source pixel is @t pixels away from the target. Each of the
 * two pixels lies between two nodes. The entries of @row are for the distances
 * between nodes, from -@reach on. */
static void
add_contributions (gdouble * row, gint reach, gint step, gint x, gint t)
{
  gdouble target = (x + 0.5) / step;
  gdouble source = (x + t + 0.5) / step;
  gint node = (gint) floor (source);

  source -= node;
  for (gint i = 0; i < 2; i++) {
    for (gint j = 0; j < 2; j++) {
      gint distance = node + j - i;

      if (ABS (distance) <= reach)
        row[distance + reach] += (i ? target : 1.0 - target)
            * (j ? source : 1.0 - source);
    }
  }
}

/* Computes the normal equations of the fit along one axis. @matrix has 2 @reach
 * + 1 rows and columns. For every distance between nodes, @products has the
 * contributions of this distance to pixels that are -@radius to @radius
 * away. */
static void
make_normal_equations (gint step, gint reach, gint radius,
    gdouble matrix[MAX_SIDE][MAX_SIDE],
    gdouble products[MAX_SIDE][2 * OCL_BILATERAL_MAX_RADIUS + 1])
{
  const gint side = 2 * reach + 1;
  const gint extent = (reach + 2) * step;       /* of any contribution */

  for (gint x = 0; x < step; x++) {
    for (gint t = -extent; t <= extent; t++) {
      gdouble row[MAX_SIDE] = { 0.0, };

      add_contributions (row, reach, step, x, t);
      for (gint i = 0; i < side; i++) {
        for (gint j = 0; j < side; j++)
          matrix[i][j] += row[i] * row[j];
        if (ABS (t) <= radius)
          products[i][t + radius] += row[i];
      }
    }
  }
}

/* Replaces the columns of @values, which has @side rows of @n numbers, by the
 * solutions of the equations of @matrix. @matrix must be symmetric and positive
 * definite, and is overwritten. */
static void
solve (gdouble matrix[MAX_SIDE][MAX_SIDE], gint side, gdouble * values, gint n)
{
  for (gint pivot = 0; pivot < side; pivot++) {
    for (gint row = 0; row < side; row++) {
      if (row == pivot)
        continue;

      gdouble factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (gint i = pivot; i < side; i++)
        matrix[row][i] -= factor * matrix[pivot][i];
      for (gint i = 0; i < n; i++)
        values[row * n + i] -= factor * values[pivot * n + i];
    }
  }
  for (gint row = 0; row < side; row++) {
    for (gint i = 0; i < n; i++)
      values[row * n + i] /= matrix[row][row];
  }
}

/* Sets @taps to the weights between nodes: 2 @reach + 1 rows of 2 @reach + 1
 * weights, with zeros before each row and after the last row. The fit is
 * separable, also if the window is not. Returns the number of floats in
 * @taps. */
static gint
fit_taps (const OclBilateralWavesSetting * setting, gint step, gint reach,
    cl_float * taps)
{
  const gint radius = setting->radius;
  const gint side = 2 * reach + 1;
  gdouble matrix[MAX_SIDE][MAX_SIDE] = { 0, };
  gdouble products[MAX_SIDE][2 * OCL_BILATERAL_MAX_RADIUS + 1] = { 0, };
  gdouble weights[2 * OCL_BILATERAL_MAX_RADIUS + 1];
  gdouble fitted[MAX_SIDE * MAX_SIDE] = { 0, };

  make_normal_equations (step, reach, radius, matrix, products);
  solve (matrix, side, products[0], G_N_ELEMENTS (products[0]));
  for (gint i = -radius; i <= radius; i++) {
    gdouble distance = i / setting->spatial_sigma;

    weights[i + radius] = exp (-0.5 * distance * distance);
  }

  for (gint y = -radius; y <= radius; y++) {
    gint extent = setting->window == OCL_BILATERAL_WINDOW_DISC
        ? (gint) sqrt (radius * radius - y * y) : radius;

    for (gint i = 0; i < side; i++) {
      gdouble sum = 0.0;

      for (gint x = -extent; x <= extent; x++)
        sum += products[i][x + radius] * weights[x + radius];
      for (gint j = 0; j < side; j++)
        fitted[j * side + i] += products[j][y + radius] * weights[y + radius]
            * sum;
    }
  }

  gint n = 0;
  for (gint i = 0; i < side * side; i++) {
    for (gint zero = 0; i % side == 0 && zero < ZEROS; zero++)
      taps[n++] = 0.0f;
    taps[n++] = fitted[i];
  }
  for (gint zero = 0; zero < ZEROS; zero++)
    taps[n++] = 0.0f;
  return n;
}

/* Sets @amplitudes to a (k) of the formula in the header. */
static void
fill_amplitudes (gdouble sigma, gint waves, cl_float * amplitudes)
{
  const gdouble period = get_period (sigma, waves);

  for (gint wave = 0; wave < waves; wave++) {
    gdouble angle = G_PI * sigma * (wave + 0.5) / period;

    amplitudes[wave] = 2.0 * sqrt (2.0 * G_PI) * sigma / period
        * exp (-2.0 * angle * angle);
  }
}

/* Returns the largest power of 2 that is at most 0.8 of sigma and at most 0.8
 * of half the radius. With the next larger power, photographs lose 6 dB. */
static gint
get_step (const OclBilateralWavesSetting * setting)
{
  gint step = MIN_STEP;

  while (2 * step <= 0.8 * setting->spatial_sigma
      && 4 * step <= 0.8 * setting->radius)
    step *= 2;
  return step;
}

static gboolean
ocl_bilateral_waves_write (OclBilateralWaves * self, OclContext * context,
    const OclBilateralWavesSetting * setting, OclTimer * timer, GError ** error)
{
  if (!ocl_coefficients_begin (&self->coefficients, context,
          MAX_COEFFICIENTS * sizeof (cl_float), error))
    return FALSE;

  cl_float *amplitudes = self->coefficients.data;
  fill_amplitudes (setting->intensity_sigma, self->n_waves, amplitudes);
  gint n_taps = fit_taps (setting, self->step, self->reach,
      amplitudes + self->n_waves);

  return ocl_coefficients_enqueue_write (&self->coefficients, context,
      (self->n_waves + n_taps) * sizeof (cl_float), timer, error);
}

gboolean
ocl_bilateral_waves_update (OclBilateralWaves * self, OclContext * context,
    const OclRun * run, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclBilateralWavesSetting *old = &self->setting;
  const gdouble spatial_sigma =
      params->spatial_sigma / (1 << run->pass->x_shift);
  const OclBilateralWavesSetting setting = {
    .spatial_sigma = spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = MIN (ocl_bilateral_get_radius (params) >> run->pass->x_shift,
        ceil (MAX_SIGMAS * spatial_sigma)),
    .window = params->window,
  };

  if (old->spatial_sigma == setting.spatial_sigma
      && old->intensity_sigma == setting.intensity_sigma
      && old->radius == setting.radius && old->window == setting.window)
    return TRUE;

  self->setting.radius = -1;    /* until the device has the coefficients */
  self->step = get_step (&setting);
  self->reach = (setting.radius + self->step - 1) / self->step;
  self->n_waves = ocl_bilateral_waves_count (params, run->pass);
  g_assert (self->n_waves > 0); /* see ocl_bilateral_waves_can_serve () */
  self->frequency = 0.5 / get_period (setting.intensity_sigma, self->n_waves)
      / ocl_bilateral_get_guide_unit (OCL_BILATERAL_COLOR_INTENSITY,
      run->input->info.format);
  if (!ocl_bilateral_waves_write (self, context, &setting, run->timer, error))
    return FALSE;
  self->setting = setting;
  return TRUE;
}

gint
ocl_bilateral_waves_count_nodes (const OclBilateralWaves * self, gint samples,
    gint unit)
{
  return (samples - 1) / unit * unit / self->step
      + MAX (unit / self->step, 1) + 1;
}
