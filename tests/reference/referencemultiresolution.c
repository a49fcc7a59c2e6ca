/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referencemultiresolution.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BANDS REFERENCE_MULTIRESOLUTION_MAX_BANDS

static const double lowpass[5] = {
  1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0
};

/* The bands of a plane, finest first, and their outside values. */
typedef struct
{
  ReferencePlane planes[MAX_BANDS];
  double *levels[MAX_BANDS];
} Bands;

static size_t
count_samples (const ReferencePlane * plane)
{
  return (size_t) plane->width * plane->height;
}

static double *
new_levels (const ReferencePlane * plane)
{
  double *levels = calloc (count_samples (plane), sizeof (double));

  if (levels == NULL) {
    fprintf (stderr, "reference: out of memory\n");
    abort ();
  }
  return levels;
}

static int
halve (int size)
{
  return size / 2 + size % 2;
}

static double
reduce_sample (const ReferencePlane * fine, ReferenceBorder border, int x,
    int y)
{
  double sum = 0.0;

  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++)
      sum += lowpass[i + 2] * lowpass[j + 2]
          * reference_plane_get_tap (fine, border, 2 * x + i, 2 * y + j);
  return sum;
}

void
reference_reduce (const ReferencePlane * fine, ReferenceBorder border,
    double *output)
{
  int width = halve (fine->width), height = halve (fine->height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      output[(size_t) y * width + x] = reduce_sample (fine, border, x, y);
}

static double
expand_sample (const ReferencePlane * coarse, ReferenceBorder border, int x,
    int y)
{
  double sum = 0.0;

  for (int j = -2; j <= 2; j++) {
    for (int i = -2; i <= 2; i++) {
      if ((x + i) % 2 != 0 || (y + j) % 2 != 0)
        continue;
      sum += 4.0 * lowpass[i + 2] * lowpass[j + 2]
          * reference_plane_get_tap (coarse, border, (x + i) / 2, (y + j) / 2);
    }
  }
  return sum;
}

void
reference_expand (const ReferencePlane * coarse, ReferenceBorder border,
    int width, int height, double *output)
{
  assert (coarse->width == halve (width) && coarse->height == halve (height));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      output[(size_t) y * width + x] = expand_sample (coarse, border, x, y);
}

/* n, which is the same for all planes of a size. */
static int
count_levels (const ReferenceMultiresolution * params, int width, int height)
{
  int n = 0;

  assert (params->levels >= 0
      && params->levels <= REFERENCE_MULTIRESOLUTION_MAX_LEVELS);
  for (n = 0; n < params->levels && (n == 0 || width > 1 || height > 1); n++) {
    width = halve (width);
    height = halve (height);
  }
  return n;
}

static void
bands_clear (Bands * bands, int n)
{
  for (int k = 0; k <= n; k++)
    free (bands->levels[k]);
}

/* Makes g(k), which is there, l(k), and the next band g(k+1). */
static void
bands_split (Bands * bands, int k, ReferenceBorder border)
{
  ReferencePlane *fine = &bands->planes[k];
  ReferencePlane *coarse = &bands->planes[k + 1];
  double *expanded = new_levels (fine);

  *coarse = *fine;
  coarse->width = halve (fine->width);
  coarse->height = halve (fine->height);
  bands->levels[k + 1] = new_levels (coarse);
  coarse->levels = bands->levels[k + 1];
  reference_reduce (fine, border, bands->levels[k + 1]);

  reference_expand (coarse, border, fine->width, fine->height, expanded);
  for (size_t index = 0; index < count_samples (fine); index++)
    bands->levels[k][index] -= expanded[index];
  /* the difference of a colour and itself */
  fine->border_level = 0.0;
  free (expanded);
}

static void
bands_init (Bands * bands, int n, ReferenceBorder border,
    const ReferencePlanes * planes, const double *levels, double border_level)
{
  ReferencePlane *first = &bands->planes[0];

  memset (bands, 0, sizeof *bands);
  first->width = planes->width;
  first->height = planes->height;
  first->border_level = border_level;
  bands->levels[0] = new_levels (first);
  first->levels = bands->levels[0];
  memcpy (bands->levels[0], levels, count_samples (first) * sizeof (double));
  for (int k = 0; k < n; k++)
    bands_split (bands, k, border);
}

/* BF of band k of all channels. */
static void
filter_bands (const ReferenceMultiresolution * params,
    const ReferencePlanes * planes, int k, Bands * channels,
    const Bands * guides)
{
  ReferenceBilateral bilateral = { 0, };
  ReferencePlanes band = *planes;
  double *outputs[3] = { NULL, };

  bilateral.spatial_sigma = params->spatial_sigmas[k];
  bilateral.intensity_sigma = params->intensity_sigmas[k];
  bilateral.radius = params->radius >= 0 ? params->radius
      : (int) floor (2.0 * bilateral.spatial_sigma);
  bilateral.window = REFERENCE_WINDOW_SQUARE;
  bilateral.border = params->border;
  if (bilateral.spatial_sigma == 0.0 || bilateral.intensity_sigma == 0.0
      || bilateral.radius == 0)
    return;

  band.width = channels[0].planes[k].width;
  band.height = channels[0].planes[k].height;
  for (int i = 0; i < planes->n_guides; i++) {
    band.guides[i] = guides[i].levels[k];
    band.border_guides[i] = guides[i].planes[k].border_level;
  }
  for (int i = 0; i < planes->n_channels; i++) {
    band.channels[i] = channels[i].levels[k];
    band.border_channels[i] = channels[i].planes[k].border_level;
    outputs[i] = new_levels (&channels[i].planes[k]);
  }
  reference_bilateral_planes (&bilateral, &band, outputs);
  for (int i = 0; i < planes->n_channels; i++) {
    memcpy (channels[i].levels[k], outputs[i],
        count_samples (&channels[i].planes[k]) * sizeof (double));
    free (outputs[i]);
  }
}

/* The band to be seen alone, -1 for all. */
static int
get_shown (const ReferenceMultiresolution * params, int n)
{
  return params->show_band > n ? n : params->show_band;
}

static double
get_gain (const ReferenceMultiresolution * params, int k, int n)
{
  int shown = get_shown (params, n);

  return shown >= 0 && shown != k ? 0.0 : params->gains[k];
}

/* Makes o(0) of the filtered bands, in place of the first. */
static void
bands_join (Bands * bands, int n, const ReferenceMultiresolution * params)
{
  double border_gain = get_gain (params, n, n);
  int k;

  for (k = n; k >= 0; k--) {
    const ReferencePlane *plane = &bands->planes[k];
    double *expanded = new_levels (plane);

    if (k < n) {
      ReferencePlane coarse = bands->planes[k + 1];

      /* outside values are part of the last band only */
      coarse.border_level = border_gain * bands->planes[n].border_level;
      reference_expand (&coarse, params->border, plane->width, plane->height,
          expanded);
    }
    for (size_t index = 0; index < count_samples (plane); index++)
      bands->levels[k][index] = expanded[index]
          + get_gain (params, k, n) * bands->levels[k][index];
    free (expanded);
  }
}

void
reference_multiresolution (const ReferenceMultiresolution * params,
    const ReferencePlanes * planes, double max_level, double *const outputs[3])
{
  int n = count_levels (params, planes->width, planes->height);
  int shown = get_shown (params, n);
  double offset = shown >= 0 && shown < n ? 0.5 * max_level : 0.0;
  Bands channels[3], guides[3];
  int i, k;

  for (i = 0; i < planes->n_channels; i++)
    bands_init (&channels[i], n, params->border, planes, planes->channels[i],
        planes->border_channels[i]);
  for (i = 0; i < planes->n_guides; i++)
    bands_init (&guides[i], n, params->border, planes, planes->guides[i],
        planes->border_guides[i]);
  for (k = 0; k <= n; k++)
    filter_bands (params, planes, k, channels, guides);
  for (i = 0; i < planes->n_channels; i++) {
    bands_join (&channels[i], n, params);
    for (size_t index = 0; index < count_samples (&channels[i].planes[0]);
        index++)
      outputs[i][index] = channels[i].levels[0][index] + offset;
    bands_clear (&channels[i], n);
  }
  for (i = 0; i < planes->n_guides; i++)
    bands_clear (&guides[i], n);
}
