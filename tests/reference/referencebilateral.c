/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The frame with its border, `radius` pixels wide on each side, so that the
 * sums below read every tap alike.  A pixel is three doubles in each array. */
typedef struct
{
  int radius;
  int width;
  int height;
  double *levels;               /* what is averaged: R, G, B, 0 .. 255 */
  double *guide;                /* what Δ is measured on; see guide_of() */
} BorderedFrame;

static double *
new_doubles (size_t width, size_t height, size_t depth)
{
  double *doubles = calloc (width * height, depth * sizeof (double));

  if (doubles == NULL) {
    fprintf (stderr, "reference: out of memory\n");
    abort ();
  }
  return doubles;
}

static int
radius_of (const ReferenceBilateral * params)
{
  double radius = floor (2.0 * params->spatial_sigma);

  if (params->radius >= 0)
    return params->radius;
  assert (radius <= 32767.0);
  return (int) radius;
}

/* exp (-distance² / (2 sigma²)), divided before it is squared because the
 * square of a small sigma can be zero. */
static double
gaussian (double distance, double sigma)
{
  double ratio = distance / sigma;

  return exp (-ratio * ratio / 2.0);
}

static const uint8_t *
colour_of_tap (const ReferenceBilateral * params, const uint8_t * rgba,
    int stride, int width, int height, int x, int y)
{
  int column = reference_border_index (params->border, x, width);
  int row = reference_border_index (params->border, y, height);

  if (column < 0 || row < 0)
    return params->border_color;
  return rgba + stride * (ptrdiff_t) row + 4 * (ptrdiff_t) column;
}

/* The coordinates whose differences make Δ: Y alone, or R, G and B, or L*, a*
 * and b* over 100. */
static void
guide_of (ReferenceColorMode mode, const uint8_t * colour, double guide[3])
{
  int channel;

  switch (mode) {
    case REFERENCE_COLOR_INTENSITY:
      guide[0] = 0.3 * (colour[0] / 255.0) + 0.59 * (colour[1] / 255.0)
          + 0.11 * (colour[2] / 255.0);
      break;
    case REFERENCE_COLOR_PER_CHANNEL:
      for (channel = 0; channel < 3; channel++)
        guide[channel] = colour[channel] / 255.0;
      break;
    case REFERENCE_COLOR_LAB:
      reference_lab (colour, guide);
      for (channel = 0; channel < 3; channel++)
        guide[channel] /= 100.0;
      break;
  }
}

static void
bordered_frame_init (BorderedFrame * frame, const ReferenceBilateral * params,
    const uint8_t * rgba, int stride, int width, int height)
{
  int x, y, channel;

  frame->radius = radius_of (params);
  frame->width = width + 2 * frame->radius;
  frame->height = height + 2 * frame->radius;
  frame->levels = new_doubles (frame->width, frame->height, 3);
  frame->guide = new_doubles (frame->width, frame->height, 3);

  for (y = 0; y < frame->height; y++) {
    for (x = 0; x < frame->width; x++) {
      size_t offset = ((size_t) y * frame->width + x) * 3;
      const uint8_t *colour = colour_of_tap (params, rgba, stride, width,
          height, x - frame->radius, y - frame->radius);

      for (channel = 0; channel < 3; channel++)
        frame->levels[offset + channel] = colour[channel];
      guide_of (params->color_mode, colour, frame->guide + offset);
    }
  }
}

static void
bordered_frame_clear (BorderedFrame * frame)
{
  free (frame->levels);
  free (frame->guide);
}

/* The factor of each tap that does not depend on the frame; zero for the taps
 * of the square that are outside the window. */
static double *
new_spatial_weights (const ReferenceBilateral * params, int radius)
{
  int size = 2 * radius + 1;
  double *weights = new_doubles (size, size, 1);
  int i, j;

  for (j = -radius; j <= radius; j++) {
    for (i = -radius; i <= radius; i++) {
      double distance_squared = (double) i * i + (double) j * j;
      int inside = params->window == REFERENCE_WINDOW_SQUARE
          || distance_squared <= (double) radius * radius;

      if (inside)
        weights[(size_t) (j + radius) * size + (i + radius)] =
            gaussian (sqrt (distance_squared), params->spatial_sigma);
    }
  }
  return weights;
}

/* The factor that depends on Δ, for each of the channels R, G, B. */
static void
range_weights (const ReferenceBilateral * params, const double centre[3],
    const double tap[3], double weights[3])
{
  double sigma = params->intensity_sigma;
  double difference[3];
  int channel;

  for (channel = 0; channel < 3; channel++)
    difference[channel] = tap[channel] - centre[channel];

  switch (params->color_mode) {
    case REFERENCE_COLOR_INTENSITY:
      weights[0] = weights[1] = weights[2] = gaussian (difference[0], sigma);
      break;
    case REFERENCE_COLOR_PER_CHANNEL:
      for (channel = 0; channel < 3; channel++)
        weights[channel] = gaussian (difference[channel], sigma);
      break;
    case REFERENCE_COLOR_LAB:
      weights[0] = weights[1] = weights[2] =
          gaussian (sqrt (difference[0] * difference[0]
              + difference[1] * difference[1]
              + difference[2] * difference[2]), sigma);
      break;
  }
}

/* 255 BF(p) for the pixel p = (x, y) of the frame.  The sum of the weights is
 * at least 1, the weight of the centre. */
static void
filter_pixel (const ReferenceBilateral * params, const BorderedFrame * frame,
    const double *spatial_weights, int x, int y, double output[3])
{
  int size = 2 * frame->radius + 1;
  size_t centre = ((size_t) (y + frame->radius) * frame->width
      + (x + frame->radius)) * 3;
  double sum[3] = { 0.0, 0.0, 0.0 };
  double sum_of_weights[3] = { 0.0, 0.0, 0.0 };
  int row, column, channel;

  for (row = 0; row < size; row++) {
    for (column = 0; column < size; column++) {
      size_t tap = ((size_t) (y + row) * frame->width + (x + column)) * 3;
      double spatial = spatial_weights[(size_t) row * size + column];
      double range[3] = { 0.0, 0.0, 0.0 };

      range_weights (params, frame->guide + centre, frame->guide + tap, range);
      for (channel = 0; channel < 3; channel++) {
        double weight = spatial * range[channel];

        sum[channel] += weight * frame->levels[tap + channel];
        sum_of_weights[channel] += weight;
      }
    }
  }

  for (channel = 0; channel < 3; channel++)
    output[channel] = sum[channel] / sum_of_weights[channel];
}

static void
copy_unfiltered (const uint8_t * rgba, int stride, int width, int height,
    double *output)
{
  int x, y, channel;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      for (channel = 0; channel < 3; channel++)
        output[((size_t) y * width + x) * 3 + channel] =
            rgba[(ptrdiff_t) y * stride + (ptrdiff_t) x * 4 + channel];
}

void
reference_bilateral (const ReferenceBilateral * params, const uint8_t * rgba,
    int stride, int width, int height, double *output)
{
  BorderedFrame frame;
  double *spatial_weights;
  int x, y;

  assert (width >= 1 && height >= 1);
  assert (params->spatial_sigma >= 0.0 && params->intensity_sigma >= 0.0);

  if (params->spatial_sigma == 0.0 || params->intensity_sigma == 0.0) {
    copy_unfiltered (rgba, stride, width, height, output);
    return;
  }

  bordered_frame_init (&frame, params, rgba, stride, width, height);
  spatial_weights = new_spatial_weights (params, frame.radius);

#ifdef _OPENMP
#pragma omp parallel for private(x)
#endif
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      filter_pixel (params, &frame, spatial_weights, x, y,
          output + ((size_t) y * width + x) * 3);

  free (spatial_weights);
  bordered_frame_clear (&frame);
}

void
reference_round (const double *rgb, const uint8_t * source, int source_stride,
    int width, int height, uint8_t * rgba, int stride)
{
  int x, y, channel;

  for (y = 0; y < height; y++) {
    for (x = 0; x < width; x++) {
      const double *levels = rgb + ((size_t) y * width + x) * 3;
      const uint8_t *from =
          source + (ptrdiff_t) y * source_stride + (ptrdiff_t) x * 4;
      uint8_t *to = rgba + (ptrdiff_t) y * stride + (ptrdiff_t) x * 4;

      for (channel = 0; channel < 3; channel++) {
        double level = round (levels[channel]);

        assert (level >= 0.0 && level <= 255.0);
        to[channel] = (uint8_t) level;
      }
      to[3] = from[3];
    }
  }
}
