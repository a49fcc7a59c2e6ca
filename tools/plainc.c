/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

#include <math.h>
#include <string.h>

#include "opencl/bilateral/oclbilateral.h"
#include "opencl/convolution/oclsharpen.h"
#include "opencl/histogram/oclhistogram.h"
#include "opencl/pyramid/oclmultiresolution.h"

/* Of 8 bits. */
#define N_BINS 256

/* A frame, or a band of one: three floats per pixel, in levels of bytes. */
typedef struct
{
  gint width;
  gint height;
  gfloat *pixels;
} Band;

/* The guide of a bilateral filter, whose differences are computed. */
typedef struct
{
  gint radius;
  gint n_guides;                /* floats per pixel */
  const gfloat *guides;
  const gfloat *spatial;        /* weights, 0 outside the window */
  gfloat range_scale;           /* factor from a squared difference to an
                                 * exponent */
} Bilateral;

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
band_load (Band * band, const guint8 * input, gint width, gint height,
    gboolean threads)
{
  band_init (band, width, height);
#pragma omp parallel for if (threads)
  for (gint y = 0; y < height; y++) {
    const guint8 *pixel = input + (gsize) y * width * 4;
    gfloat *row = get_row (band, y);

    for (gint x = 0; x < width; x++)
      for (gint c = 0; c < 3; c++)
        row[x * 3 + c] = pixel[x * 4 + c];
  }
}

/* Stores @band with @offset and the alpha of @input, and frees its pixels. */
static void
band_store (Band * band, gfloat offset, const guint8 * input, guint8 * output,
    gboolean threads)
{
#pragma omp parallel for if (threads)
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
  g_free (band->pixels);
}

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

/* Returns L*a*b* or a hundred times the luma, which is an integer, for each
 * pixel. */
static gfloat *
create_guides (const Band * band, gboolean is_lab, gboolean threads)
{
  const gsize n = (gsize) band->width * band->height;
  gfloat *guides = g_new (gfloat, is_lab ? n * 3 : n);

#pragma omp parallel for if (threads)
  for (gsize i = 0; i < n; i++) {
    const gfloat *pixel = band->pixels + i * 3;

    if (is_lab) {
      gfloat r = srgb_to_linear (pixel[0] / 255.0f);
      gfloat g = srgb_to_linear (pixel[1] / 255.0f);
      gfloat b = srgb_to_linear (pixel[2] / 255.0f);
      gfloat fx = lab_f ((0.4124564f * r + 0.3575761f * g + 0.1804375f * b)
          / 0.95047f);
      gfloat fy = lab_f (0.2126729f * r + 0.7151522f * g + 0.0721750f * b);
      gfloat fz = lab_f ((0.0193339f * r + 0.1191920f * g + 0.9503041f * b)
          / 1.08883f);

      guides[i * 3] = 116.0f * fy - 16.0f;
      guides[i * 3 + 1] = 500.0f * (fx - fy);
      guides[i * 3 + 2] = 200.0f * (fy - fz);
    } else {
      guides[i] = 30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2];
    }
  }
  return guides;
}

/* Returns (2 radius + 1)² weights. */
static gfloat *
create_spatial (const OclBilateralParams * params, gint radius)
{
  const gsize diameter = 2 * radius + 1;
  gfloat *spatial = g_new (gfloat, diameter * diameter);
  gfloat *weight = spatial;

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
  return spatial;
}

/* For one weight per tap (of the distance of n_guides) or for three (if it is
 * 3). Constant arguments of the callers produce separate loops. */
static inline void
filter_pixel (const Band * band, const Bilateral * filter, gfloat * output,
    gint x, gint y, gint n_guides, gint n_weights)
{
  const gint radius = filter->radius;
  const gsize centre = (gsize) y * band->width + x;
  const gfloat *centre_guide = filter->guides + centre * n_guides;
  const gfloat *spatial = filter->spatial;
  gfloat sums[3] = { 0.0f, 0.0f, 0.0f };
  gfloat weights[3] = { 0.0f, 0.0f, 0.0f };

  for (gint j = -radius; j <= radius; j++) {
    const gsize row = (gsize) CLAMP (y + j, 0, band->height - 1) * band->width;

    for (gint i = -radius; i <= radius; i++, spatial++) {
      if (*spatial == 0.0f)
        continue;

      const gsize tap = row + CLAMP (x + i, 0, band->width - 1);
      gfloat distances[3] = { 0.0f, 0.0f, 0.0f };

      for (gint c = 0; c < n_guides; c++) {
        gfloat d = filter->guides[tap * n_guides + c] - centre_guide[c];
        distances[c % n_weights] += d * d;
      }
      for (gint c = 0; c < n_weights; c++)
        distances[c] = *spatial * expf (distances[c] * filter->range_scale);
      for (gint c = 0; c < 3; c++) {
        sums[c] += distances[c % n_weights] * band->pixels[tap * 3 + c];
        weights[c] += distances[c % n_weights];
      }
    }
  }
  for (gint c = 0; c < 3; c++)
    output[centre * 3 + c] = sums[c] / weights[c];
}

static void
band_filter (Band * band, const OclBilateralParams * params, gboolean threads)
{
  /* Divisor of a guide so that its distance is Δ. */
  static const gdouble units[] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = 25500.0,
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = 255.0,
    [OCL_BILATERAL_COLOR_LAB] = 100.0,
  };
  const OclBilateralColorMode mode = params->color_mode;
  const gdouble sigma = units[mode] * params->intensity_sigma;
  const gint radius = ocl_bilateral_get_radius (params);

  if (radius == 0 || sigma == 0.0 || params->spatial_sigma == 0.0)
    return;
  g_autofree gfloat *spatial = create_spatial (params, radius);
  g_autofree gfloat *guides = mode == OCL_BILATERAL_COLOR_PER_CHANNEL ? NULL
      : create_guides (band, mode == OCL_BILATERAL_COLOR_LAB, threads);
  const Bilateral filter = {
    .radius = radius,.spatial = spatial,.range_scale = -0.5 / sigma / sigma,
    .guides = guides ? guides : band->pixels,
  };
  gfloat *output = g_new (gfloat, (gsize) band->width * band->height * 3);

#pragma omp parallel for schedule (dynamic) if (threads)
  for (gint y = 0; y < band->height; y++) {
    for (gint x = 0; x < band->width; x++) {
      if (mode == OCL_BILATERAL_COLOR_INTENSITY)
        filter_pixel (band, &filter, output, x, y, 1, 1);
      else if (mode == OCL_BILATERAL_COLOR_LAB)
        filter_pixel (band, &filter, output, x, y, 3, 1);
      else
        filter_pixel (band, &filter, output, x, y, 3, 3);
    }
  }
  g_free (band->pixels);
  band->pixels = output;
}

static void
run_bilateral (gconstpointer params, gboolean threads, const guint8 * input,
    gpointer output, gint width, gint height)
{
  Band band;

  band_load (&band, input, width, height, threads);
  band_filter (&band, params, threads);
  band_store (&band, 0.0f, input, output, threads);
}

/* Computes the next level, which has half the size. */
static void
reduce (const Band * fine, Band * coarse, gboolean threads)
{
  const gint last = fine->width - 1;
  Band half;

  band_init (&half, (fine->width + 1) / 2, fine->height);
  band_init (coarse, half.width, (fine->height + 1) / 2);
#pragma omp parallel for if (threads)
  for (gint y = 0; y < half.height; y++) {
    const gfloat *in = get_row (fine, y);
    gfloat *out = get_row (&half, y);

    for (gint x = 0; x < half.width; x++) {
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
#pragma omp parallel for if (threads)
  for (gint y = 0; y < coarse->height; y++) {
    const gfloat *a = get_row (&half, 2 * y - 2);
    const gfloat *b = get_row (&half, 2 * y - 1);
    const gfloat *c = get_row (&half, 2 * y);
    const gfloat *d = get_row (&half, 2 * y + 1);
    const gfloat *e = get_row (&half, 2 * y + 2);
    gfloat *out = get_row (coarse, y);

    for (gint i = 0; i < coarse->width * 3; i++)
      out[i] = (a[i] + e[i] + 4.0f * (b[i] + d[i]) + 6.0f * c[i]) / 16.0f;
  }
  g_free (half.pixels);
}

/* Adds @factor times the next level, expanded. Between zeros the taps of [1 4 6
 * 4 1] are alternately 1 6 1 and 4 4. */
static void
add_expanded (Band * fine, const Band * coarse, gfloat factor, gboolean threads)
{
  Band wide;

  band_init (&wide, fine->width, coarse->height);
#pragma omp parallel for if (threads)
  for (gint y = 0; y < wide.height; y++) {
    const gfloat *in = get_row (coarse, y);
    gfloat *out = get_row (&wide, y);

    for (gint x = 0; x < wide.width; x++) {
      const gfloat *a = in + MAX (x / 2 - 1, 0) * 3;
      const gfloat *b = in + x / 2 * 3;
      const gfloat *c = in + MIN (x / 2 + 1, coarse->width - 1) * 3;

      for (gint i = 0; i < 3; i++)
        out[x * 3 + i] = x % 2 ? (b[i] + c[i]) / 2.0f
            : (a[i] + 6.0f * b[i] + c[i]) / 8.0f;
    }
  }
#pragma omp parallel for if (threads)
  for (gint y = 0; y < fine->height; y++) {
    const gfloat *a = get_row (&wide, y / 2 - 1);
    const gfloat *b = get_row (&wide, y / 2);
    const gfloat *c = get_row (&wide, y / 2 + 1);
    gfloat *out = get_row (fine, y);

    for (gint i = 0; i < fine->width * 3; i++)
      out[i] += factor * (y % 2 ? (b[i] + c[i]) / 2.0f
          : (a[i] + 6.0f * b[i] + c[i]) / 8.0f);
  }
  g_free (wide.pixels);
}

/* The bilateral filter on each band of a pyramid. */
static void
run_multiresolution (gconstpointer params, gboolean threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  const gint n = ocl_multiresolution_get_n_levels (params, width, height);
  Band bands[OCL_MULTIRESOLUTION_MAX_BANDS];

  band_load (&bands[0], input, width, height, threads);
  for (gint k = 0; k < n; k++) {
    reduce (&bands[k], &bands[k + 1], threads);
    add_expanded (&bands[k], &bands[k + 1], -1.0f, threads);
  }
  for (gint k = 0; k <= n; k++) {
    const OclBilateralParams bilateral =
        ocl_multiresolution_get_bilateral (params, k);
    const gfloat gain = ocl_multiresolution_get_gain (params, k, n);
    Band *band = &bands[k];

    band_filter (band, &bilateral, threads);
    if (gain == 1.0f)
      continue;
#pragma omp parallel for if (threads)
    for (gint y = 0; y < band->height; y++) {
      gfloat *row = get_row (band, y);

      for (gint i = 0; i < band->width * 3; i++)
        row[i] *= gain;
    }
  }
  for (gint k = n - 1; k >= 0; k--) {
    add_expanded (&bands[k], &bands[k + 1], 1.0f, threads);
    g_free (bands[k + 1].pixels);
  }
  band_store (&bands[0], 255.0 * ocl_multiresolution_get_offset (params, n),
      input, output, threads);
}

static void
run_sharpen (gconstpointer data, gboolean threads, const guint8 * input,
    gpointer result, gint width, gint height)
{
  const OclSharpenParams *params = data;
  const gboolean sharp = params->output == OCL_SHARPEN_SHARP;
  const gboolean delta = params->output == OCL_SHARPEN_DELTA;
  const gfloat centre_scale = sharp ? params->alpha : delta ? 1.0 : 0.0;
  const gfloat scale = sharp ? params->beta : delta ? -1.0 : 1.0;
  const gfloat offset = 255.0 * (sharp ? params->gamma : delta ? 0.5 : 0.0);
  const gint radius = params->radius;
  const gint side = 2 * radius + 1;
  g_autofree gfloat *weights = g_new (gfloat, side * side);
  guint8 *output = result;
  gdouble sum = 0.0;

  for (gint n = 0; n < side * side; n++) {
    const gint i = n % side - radius;
    const gint j = n / side - radius;
    weights[n] = params->kernel == OCL_SHARPEN_AVERAGE ? 1.0
        : exp (-0.5 * (i * i + j * j) / params->sigma / params->sigma);
    sum += weights[n];
  }
  if (params->kernel == OCL_SHARPEN_GAUSSIAN_RAW)
    sum = params->sigma * sqrt (2.0 * G_PI) * side * side;
  for (gint n = 0; n < side * side; n++)
    weights[n] /= sum;
#pragma omp parallel for schedule (dynamic) if (threads)
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      const gsize centre = ((gsize) y * width + x) * 4;
      const gfloat *weight = weights;
      gfloat sums[3] = { 0.0f, 0.0f, 0.0f };

      for (gint j = -radius; j <= radius; j++) {
        const gsize row = (gsize) CLAMP (y + j, 0, height - 1) * width;

        for (gint i = -radius; i <= radius; i++, weight++) {
          const guint8 *tap = input + (row + CLAMP (x + i, 0, width - 1)) * 4;
          for (gint c = 0; c < 3; c++)
            sums[c] += *weight * tap[c];
        }
      }
      for (gint c = 0; c < 3; c++) {
        gfloat level =
            centre_scale * input[centre + c] + scale * sums[c] + offset;
        output[centre + c] = (guint8) (CLAMP (level, 0.0f, 255.0f) + 0.5f);
      }
      output[centre + 3] = input[centre + 3];
    }
  }
}

static void
run_histogram (G_GNUC_UNUSED gconstpointer params, gboolean threads,
    const guint8 * pixels, gpointer output, gint width, gint height)
{
  const gsize n_pixels = (gsize) width * height;
  OclHistogramCounts *counts = output;

  memset (counts, 0, sizeof (*counts));
#pragma omp parallel if (threads)
  {
    OclHistogramCounts own = { 0 };

#pragma omp for
    for (gsize i = 0; i < n_pixels; i++) {
      const guint8 *pixel = pixels + i * 4;

      own.counts[OCL_HISTOGRAM_RED][pixel[0]]++;
      own.counts[OCL_HISTOGRAM_GREEN][pixel[1]]++;
      own.counts[OCL_HISTOGRAM_BLUE][pixel[2]]++;
      own.counts[OCL_HISTOGRAM_LUMA][(30 * pixel[0] + 59 * pixel[1]
              + 11 * pixel[2] + 50) / 100]++;
    }
#pragma omp critical
    for (gint channel = 0; channel < OCL_HISTOGRAM_N_CHANNELS; channel++) {
      for (gint bin = 0; bin < N_BINS; bin++)
        counts->counts[channel][bin] += own.counts[channel][bin];
    }
  }
}

static const PlainC operations[] = {
  {"bilateral", run_bilateral},
  {"sharpen", run_sharpen},
  {"multiresolution", run_multiresolution},
  {"histogram", run_histogram},
};

const PlainC *
plain_c_find (const gchar * operation)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++) {
    if (g_str_equal (operations[i].operation, operation))
      return &operations[i];
  }
  return NULL;
}

gboolean
plain_c_supports (const OclOperationClass * klass, gconstpointer params)
{
  const OclParam *border = ocl_params_find (klass->params, "border");

  return !border || *(const gint *) ((const gchar *) params + border->offset)
      == OCL_BORDER_CLAMP_TO_EDGE;
}
