/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

#include <math.h>

/* A band: three floats a pixel, in levels of bytes. */
typedef struct
{
  gint width;
  gint height;
  gfloat *pixels;
} Band;

typedef struct
{
  const Band *band;
  gfloat *output;
  gint radius;
  gint n_guides;                /* what differences are taken of, n a pixel */
  const gfloat *guides;
  const gfloat *spatial;        /* weights */
  gfloat range_scale;           /* makes a squared difference an exponent */
} Job;

static void
band_init (Band * band, gint width, gint height)
{
  band->width = width;
  band->height = height;
  band->pixels = g_new (gfloat, (gsize) width * height * 3);
}

static gfloat *
get_row (const Band * band, gint y)
{
  return band->pixels + (gsize) CLAMP (y, 0, band->height - 1)
      * band->width * 3;
}

static void
reduce_across (const Band * fine, Band * half, gint y)
{
  const gfloat *in = get_row (fine, y);
  gfloat *out = get_row (half, y);

  for (gint x = 0; x < half->width; x++) {
    const gint last = fine->width - 1;
    const gfloat *a = in + MAX (2 * x - 2, 0) * 3;
    const gfloat *b = in + MAX (2 * x - 1, 0) * 3;
    const gfloat *c = in + 2 * x * 3;
    const gfloat *d = in + MIN (2 * x + 1, last) * 3;
    const gfloat *e = in + MIN (2 * x + 2, last) * 3;

    for (gint i = 0; i < 3; i++)
      out[x * 3 + i] =
          (a[i] + e[i] + 4.0f * (b[i] + d[i]) + 6.0f * c[i]) / 16.0f;
  }
}

static void
reduce_down (const Band * half, Band * coarse, gint y)
{
  const gfloat *a = get_row (half, 2 * y - 2);
  const gfloat *b = get_row (half, 2 * y - 1);
  const gfloat *c = get_row (half, 2 * y);
  const gfloat *d = get_row (half, 2 * y + 1);
  const gfloat *e = get_row (half, 2 * y + 2);
  gfloat *out = get_row (coarse, y);

  for (gint i = 0; i < coarse->width * 3; i++)
    out[i] = (a[i] + e[i] + 4.0f * (b[i] + d[i]) + 6.0f * c[i]) / 16.0f;
}

/* Makes the next level; free its pixels. */
static void
reduce (const Band * fine, Band * coarse, PlainCThreads threads)
{
  Band half;

  band_init (&half, (fine->width + 1) / 2, fine->height);
  band_init (coarse, half.width, (fine->height + 1) / 2);
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < half.height; y++)
    reduce_across (fine, &half, y);
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < coarse->height; y++)
    reduce_down (&half, coarse, y);
  g_free (half.pixels);
}

/* Between zeros the taps of [1 4 6 4 1] are 1 6 1 and 4 4 in turn. */
static void
expand_across (const Band * coarse, Band * wide, gint y)
{
  const gfloat *in = get_row (coarse, y);
  gfloat *out = get_row (wide, y);

  for (gint x = 0; x < wide->width; x++) {
    const gfloat *a = in + MAX (x / 2 - 1, 0) * 3;
    const gfloat *b = in + x / 2 * 3;
    const gfloat *c = in + MIN (x / 2 + 1, coarse->width - 1) * 3;

    for (gint i = 0; i < 3; i++)
      out[x * 3 + i] = x % 2 ? (b[i] + c[i]) / 2.0f
          : (a[i] + 6.0f * b[i] + c[i]) / 8.0f;
  }
}

static void
add_down (Band * fine, const Band * wide, gfloat factor, gint y)
{
  const gfloat *a = get_row (wide, y / 2 - 1);
  const gfloat *b = get_row (wide, y / 2);
  const gfloat *c = get_row (wide, y / 2 + 1);
  gfloat *out = get_row (fine, y);

  for (gint i = 0; i < fine->width * 3; i++)
    out[i] += factor * (y % 2 ? (b[i] + c[i]) / 2.0f
        : (a[i] + 6.0f * b[i] + c[i]) / 8.0f);
}

/* Adds @factor times the next level, expanded. */
static void
add_expanded (Band * fine, const Band * coarse, gfloat factor,
    PlainCThreads threads)
{
  Band wide;

  band_init (&wide, fine->width, coarse->height);
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < wide.height; y++)
    expand_across (coarse, &wide, y);
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < fine->height; y++)
    add_down (fine, &wide, factor, y);
  g_free (wide.pixels);
}

/* For one weight a tap, or for three, of as many guides: the callers' constants
 * make loops of their own of this. */
static inline void
filter_pixel (const Job * job, gint x, gint y, gint n_guides)
{
  const Band *band = job->band;
  const gsize centre = (gsize) y * band->width + x;
  const gfloat *centre_guide = job->guides + centre * n_guides;
  const gfloat *spatial = job->spatial;
  gfloat sums[3] = { 0.0f, 0.0f, 0.0f };
  gfloat weights[3] = { 0.0f, 0.0f, 0.0f };
  gfloat weight[3];

  for (gint j = -job->radius; j <= job->radius; j++) {
    const gsize row = (gsize) CLAMP (y + j, 0, band->height - 1) * band->width;

    for (gint i = -job->radius; i <= job->radius; i++, spatial++) {
      const gsize tap = row + CLAMP (x + i, 0, band->width - 1);

      for (gint c = 0; c < n_guides; c++) {
        gfloat d = job->guides[tap * n_guides + c] - centre_guide[c];
        weight[c] = *spatial * expf (d * d * job->range_scale);
      }
      for (gint c = 0; c < 3; c++) {
        sums[c] += weight[c % n_guides] * band->pixels[tap * 3 + c];
        weights[c] += weight[c % n_guides];
      }
    }
  }
  for (gint c = 0; c < 3; c++)
    job->output[centre * 3 + c] = sums[c] / weights[c];
}

static void
filter_row (const Job * job, gint y)
{
  for (gint x = 0; x < job->band->width; x++) {
    if (job->n_guides == 1)
      filter_pixel (job, x, y, 1);
    else
      filter_pixel (job, x, y, 3);
  }
}

static gfloat *
create_spatial (const OclBilateralParams * params, gint radius)
{
  const gsize diameter = 2 * radius + 1;
  gfloat *spatial = g_new (gfloat, diameter * diameter);
  gfloat *weight = spatial;

  for (gint j = -radius; j <= radius; j++)
    for (gint i = -radius; i <= radius; i++, weight++)
      *weight = exp (-0.5 * (i * i + j * j) / params->spatial_sigma
          / params->spatial_sigma);
  return spatial;
}

static gfloat *
create_luma (const Band * band, PlainCThreads threads)
{
  gfloat *luma = g_new (gfloat, (gsize) band->width * band->height);

#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < band->height; y++) {
    const gfloat *pixel = get_row (band, y);

    for (gint x = 0; x < band->width; x++, pixel += 3)
      luma[(gsize) y * band->width + x] =
          0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2];
  }
  return luma;
}

static void
filter (Band * band, const OclBilateralParams * params, PlainCThreads threads)
{
  const gint radius = ocl_bilateral_get_radius (params);
  const gdouble sigma = 255.0 * params->intensity_sigma;

  if (radius == 0 || sigma == 0.0 || params->spatial_sigma == 0.0)
    return;

  const gboolean by_luma = params->color_mode == OCL_BILATERAL_COLOR_INTENSITY;
  g_autofree gfloat *luma = by_luma ? create_luma (band, threads) : NULL;
  g_autofree gfloat *spatial = create_spatial (params, radius);
  const Job job = {
    .band = band,
    .output = g_new (gfloat, (gsize) band->width * band->height * 3),
    .radius = radius,.n_guides = by_luma ? 1 : 3,
    .guides = by_luma ? luma : band->pixels,.spatial = spatial,
    .range_scale = -0.5 / sigma / sigma,
  };

#pragma omp parallel for schedule (dynamic) if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < band->height; y++)
    filter_row (&job, y);
  g_free (band->pixels);
  band->pixels = job.output;
}

static void
scale (Band * band, gfloat gain, PlainCThreads threads)
{
  if (gain == 1.0f)
    return;
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < band->height; y++) {
    gfloat *row = get_row (band, y);

    for (gint i = 0; i < band->width * 3; i++)
      row[i] *= gain;
  }
}

static void
load (Band * band, const guint8 * input, PlainCThreads threads)
{
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < band->height; y++) {
    const guint8 *pixel = input + (gsize) y * band->width * 4;
    gfloat *row = get_row (band, y);

    for (gint x = 0; x < band->width; x++)
      for (gint c = 0; c < 3; c++)
        row[x * 3 + c] = pixel[x * 4 + c];
  }
}

static void
store (const Band * band, gfloat offset, const guint8 * input, guint8 * output,
    PlainCThreads threads)
{
#pragma omp parallel for if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < band->height; y++) {
    const gsize first = (gsize) y * band->width * 4;
    const gfloat *row = get_row (band, y);

    for (gint x = 0; x < band->width; x++) {
      guint8 *pixel = output + first + x * 4;

      for (gint c = 0; c < 3; c++) {
        gfloat level = row[x * 3 + c] + offset;
        pixel[c] = (guint8) (CLAMP (level, 0.0f, 255.0f) + 0.5f);
      }
      pixel[3] = input[first + x * 4 + 3];
    }
  }
}

void
plain_c_multiresolution (const OclMultiresolutionParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height)
{
  const gint n = ocl_multiresolution_get_n_octaves (params, width, height);
  Band bands[OCL_MULTIRESOLUTION_MAX_BANDS];

  g_assert (params->border.mode == OCL_BORDER_CLAMP_TO_EDGE);
  band_init (&bands[0], width, height);
  load (&bands[0], input, threads);
  for (gint k = 0; k < n; k++) {
    reduce (&bands[k], &bands[k + 1], threads);
    add_expanded (&bands[k], &bands[k + 1], -1.0f, threads);
  }
  for (gint k = 0; k <= n; k++) {
    const OclBilateralParams bilateral =
        ocl_multiresolution_get_bilateral (params, k);

    filter (&bands[k], &bilateral, threads);
    scale (&bands[k], ocl_multiresolution_get_gain (params, k, n), threads);
  }
  for (gint k = n - 1; k >= 0; k--)
    add_expanded (&bands[k], &bands[k + 1], 1.0f, threads);
  store (&bands[0], 255.0 * ocl_multiresolution_get_offset (params, n), input,
      output, threads);
  for (gint k = 0; k <= n; k++)
    g_free (bands[k].pixels);
}
