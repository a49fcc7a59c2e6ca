/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

#include <math.h>

typedef struct
{
  const guint8 *input;
  guint8 *output;
  gint width;
  gint height;
  gint radius;
  OclBilateralColorMode color_mode;
  gint n_guides;
  gfloat *guides;               /* what differences are taken of, n a pixel */
  gfloat *spatial;              /* weights; 0 outside the window */
  gfloat range_scale;           /* makes a squared difference an exponent */
} Job;

/* IEC 61966-2-1 */
static gfloat
srgb_to_linear (gfloat value)
{
  return value <= 0.04045f ? value / 12.92f
      : powf ((value + 0.055f) / 1.055f, 2.4f);
}

/* CIE 15 */
static gfloat
lab_f (gfloat t)
{
  return t > 216.0f / 24389.0f ? cbrtf (t)
      : t * (841.0f / 108.0f) + 4.0f / 29.0f;
}

static void
get_lab (const guint8 * pixel, gfloat * lab)
{
  gfloat r = srgb_to_linear (pixel[0] / 255.0f);
  gfloat g = srgb_to_linear (pixel[1] / 255.0f);
  gfloat b = srgb_to_linear (pixel[2] / 255.0f);
  gfloat fx = lab_f ((0.4124564f * r + 0.3575761f * g + 0.1804375f * b)
      / 0.95047f);
  gfloat fy = lab_f (0.2126729f * r + 0.7151522f * g + 0.0721750f * b);
  gfloat fz = lab_f ((0.0193339f * r + 0.1191920f * g + 0.9503041f * b)
      / 1.08883f);

  lab[0] = 116.0f * fy - 16.0f;
  lab[1] = 500.0f * (fx - fy);
  lab[2] = 200.0f * (fy - fz);
}

static void
fill_guides (const Job * job, gint y)
{
  for (gint x = 0; x < job->width; x++) {
    const gsize n = (gsize) y * job->width + x;
    const guint8 *pixel = job->input + n * 4;
    gfloat *guide = job->guides + n * job->n_guides;

    if (job->color_mode == OCL_BILATERAL_COLOR_LAB) {
      get_lab (pixel, guide);
    } else if (job->color_mode == OCL_BILATERAL_COLOR_INTENSITY) {
      /* A hundred times the luma is an integer: no rounding. */
      guide[0] = 30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2];
    } else {
      for (gint c = 0; c < 3; c++)
        guide[c] = pixel[c];
    }
  }
}

/* For one weight a tap (of the distance of n_guides) or for three (where it is
 * 3): the callers' constants make loops of their own of this. */
static inline void
filter_pixel (const Job * job, gint x, gint y, gint n_guides, gint n_weights)
{
  const gint radius = job->radius;
  const gsize centre = (gsize) y * job->width + x;
  const gfloat *centre_guide = job->guides + centre * n_guides;
  const gfloat *spatial = job->spatial;
  gfloat sums[3] = { 0.0f, 0.0f, 0.0f };
  gfloat weights[3] = { 0.0f, 0.0f, 0.0f };

  for (gint j = -radius; j <= radius; j++) {
    const gsize row = (gsize) CLAMP (y + j, 0, job->height - 1) * job->width;

    for (gint i = -radius; i <= radius; i++, spatial++) {
      if (*spatial == 0.0f)
        continue;

      const gsize tap = row + CLAMP (x + i, 0, job->width - 1);
      const guint8 *pixel = job->input + tap * 4;
      gfloat distances[3] = { 0.0f, 0.0f, 0.0f };

      for (gint c = 0; c < n_guides; c++) {
        gfloat d = job->guides[tap * n_guides + c] - centre_guide[c];
        distances[c % n_weights] += d * d;
      }
      for (gint c = 0; c < n_weights; c++)
        distances[c] = *spatial * expf (distances[c] * job->range_scale);
      for (gint c = 0; c < 3; c++) {
        sums[c] += distances[c % n_weights] * pixel[c];
        weights[c] += distances[c % n_weights];
      }
    }
  }

  guint8 *output = job->output + centre * 4;
  for (gint c = 0; c < 3; c++)
    output[c] = (guint8) (sums[c] / weights[c] + 0.5f);
  output[3] = job->input[centre * 4 + 3];
}

static void
filter_row (const Job * job, gint y)
{
  for (gint x = 0; x < job->width; x++) {
    if (job->color_mode == OCL_BILATERAL_COLOR_INTENSITY)
      filter_pixel (job, x, y, 1, 1);
    else if (job->color_mode == OCL_BILATERAL_COLOR_LAB)
      filter_pixel (job, x, y, 3, 1);
    else
      filter_pixel (job, x, y, 3, 3);
  }
}

static void
fill_spatial (const Job * job, const OclBilateralParams * params)
{
  const gint radius = job->radius;
  gfloat *weight = job->spatial;

  for (gint j = -radius; j <= radius; j++) {
    for (gint i = -radius; i <= radius; i++, weight++) {
      if (params->window == OCL_BILATERAL_WINDOW_DISC
          && i * i + j * j > radius * radius)
        *weight = 0.0f;
      else
        *weight = exp (-0.5 * (i * i + j * j) / params->spatial_sigma
            / params->spatial_sigma);
    }
  }
}

void
plain_c_bilateral (const OclBilateralParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output,
    gint width, gint height)
{
  /* What a guide has to be divided by for its distance to be Δ. */
  static const gdouble units[] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = 25500.0,
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = 255.0,
    [OCL_BILATERAL_COLOR_LAB] = 100.0,
  };
  const gdouble sigma = units[params->color_mode] * params->intensity_sigma;
  const gint n_guides =
      params->color_mode == OCL_BILATERAL_COLOR_INTENSITY ? 1 : 3;
  const gint radius = ocl_bilateral_get_radius (params);
  const gsize diameter = 2 * radius + 1;
  const Job job = {
    .input = input,.output = output,.width = width,.height = height,
    .radius = radius,.color_mode = params->color_mode,
    .n_guides = n_guides,
    .guides = g_new (gfloat, (gsize) width * height * n_guides),
    .spatial = g_new (gfloat, diameter * diameter),
    .range_scale = -0.5 / sigma / sigma,
  };

  g_assert (params->border.mode == OCL_BORDER_CLAMP_TO_EDGE && radius > 0);
  fill_spatial (&job, params);
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < height; y++)
    fill_guides (&job, y);
#pragma omp parallel for schedule (dynamic) if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < height; y++)
    filter_row (&job, y);
  g_free (job.guides);
  g_free (job.spatial);
}
