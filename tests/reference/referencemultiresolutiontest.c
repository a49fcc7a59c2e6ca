/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the reference of the filter on bands must do, each expectation worked
 * out by hand or following from the definition. */

#include "referencemultiresolution.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* far above what a sum of doubles loses, far below what a mistake would cost */
#define EPSILON 1e-9

#define MAX_SIZE 12
#define MAX_SAMPLES (MAX_SIZE * MAX_SIZE)

/* The constant border has this level. */
#define COLOUR 40.0

static const ReferenceBorder borders[] = {
  REFERENCE_BORDER_CLAMP_TO_EDGE, REFERENCE_BORDER_REFLECT,
  REFERENCE_BORDER_REFLECT_101, REFERENCE_BORDER_WRAP,
  REFERENCE_BORDER_CONSTANT
};

/* All bands as they are. */
static ReferenceMultiresolution
neutral_parameters (int levels, ReferenceBorder border)
{
  ReferenceMultiresolution params = { 0, };
  int k;

  params.levels = levels;
  params.radius = 2;
  params.show_band = -1;
  params.border = border;
  for (k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++)
    params.gains[k] = 1.0;
  return params;
}

static void
fill_noise (guint32 seed, double range, double *levels, int count)
{
  GRand *random = g_rand_new_with_seed (seed);
  int index;

  for (index = 0; index < count; index++)
    levels[index] = g_rand_double_range (random, 0.0, range);
  g_rand_free (random);
}

static void
assert_near (const double *actual, const double *expected, int count)
{
  int index;

  for (index = 0; index < count; index++)
    g_assert_cmpfloat_with_epsilon (actual[index], expected[index], EPSILON);
}

static ReferencePlane
plane_of (const double *levels, int width, int height, double border_level)
{
  ReferencePlane plane = { 0, };

  plane.width = width;
  plane.height = height;
  plane.levels = levels;
  plane.border_level = border_level;
  return plane;
}

/* One channel, without a guide. */
static ReferencePlanes
planes_of (const double *levels, int width, int height)
{
  ReferencePlanes planes = { 0, };

  planes.width = width;
  planes.height = height;
  planes.x_pixels = planes.y_pixels = 1;
  planes.n_channels = 1;
  planes.channels[0] = levels;
  planes.border_channels[0] = COLOUR;
  planes.unit = 255.0;
  return planes;
}

static void
filter (const ReferenceMultiresolution * params, const ReferencePlanes * planes,
    double *output)
{
  double *const outputs[3] = { output, NULL, NULL };

  reference_multiresolution (params, planes, 255.0, outputs);
}

/* Of 16, 32, 0, 80, 48: 6 4 1, 1 4 6 4 1, and 1 4 6 of sixteenths are inside.
 * A border of k adds what is outside of them. */
static void
test_reduce_row (void)
{
  static const double row[5] = { 16.0, 32.0, 0.0, 80.0, 48.0 };
  static const double expected[5][3] = {
    {14.0 + 5.0, 1.0 + 8.0 + 20.0 + 3.0, 20.0 + 18.0 + 15.0},   /* aa .. ee */
    {14.0 + 4.0 + 2.0, 32.0, 38.0 + 12.0 + 5.0},        /* ba .. ed */
    {14.0 + 8.0 + 0.0, 32.0, 38.0 + 20.0 + 0.0},        /* cb .. dc */
    {14.0 + 12.0 + 5.0, 32.0, 38.0 + 4.0 + 2.0},        /* de .. ab */
    /* the rows above and below are outside, too: 6/16 of what is inside, and
     * of 5/16 of k, and 10/16 of k */
    {0.375 * (14.0 + 12.5) + 25.0, 0.375 * 32.0 + 25.0,
        0.375 * (38.0 + 12.5) + 25.0}
  };
  double output[3];
  guint border;

  for (border = 0; border < G_N_ELEMENTS (borders); border++) {
    ReferencePlane across = plane_of (row, 5, 1, 40.0);
    ReferencePlane down = plane_of (row, 1, 5, 40.0);

    reference_reduce (&across, borders[border], output);
    assert_near (output, expected[border], 3);
    reference_reduce (&down, borders[border], output);
    assert_near (output, expected[border], 3);
  }
}

/* An even width has no sample at its last position: 4 samples, 2 of them kept,
 * the last tap of the second outside. */
static void
test_reduce_even (void)
{
  static const double row[4] = { 16.0, 32.0, 0.0, 80.0 };
  static const double expected[2] = { 19.0, 1.0 + 8.0 + 20.0 + 5.0 };
  ReferencePlane plane = plane_of (row, 4, 1, 0.0);
  double output[2];

  reference_reduce (&plane, REFERENCE_BORDER_CLAMP_TO_EDGE, output);
  assert_near (output, expected, 2);
}

/* 64 in the middle of three by three becomes 1 4 6 4 1, twice over, at two
 * samples for each; in a corner of it, and clamped, it is there outside, too:
 * 7 4 1 and 8 4 1 of eighths are left. */
static void
test_expand_impulse (void)
{
  static const double middle[6] = { 1.0, 4.0, 6.0, 4.0, 1.0, 0.0 };
  static const double corner[6] = { 7.0, 4.0, 1.0, 0.0, 0.0, 0.0 };
  double impulse[9] = { 0.0, }, output[36];
  ReferencePlane plane = plane_of (impulse, 3, 3, 0.0);
  int x, y;

  impulse[4] = 64.0;
  reference_expand (&plane, REFERENCE_BORDER_CLAMP_TO_EDGE, 6, 6, output);
  for (y = 0; y < 6; y++)
    for (x = 0; x < 6; x++)
      g_assert_cmpfloat_with_epsilon (output[y * 6 + x],
          middle[x] * middle[y], EPSILON);

  impulse[4] = 0.0;
  impulse[0] = 64.0;
  reference_expand (&plane, REFERENCE_BORDER_CLAMP_TO_EDGE, 5, 5, output);
  for (y = 0; y < 5; y++)
    for (x = 0; x < 5; x++)
      g_assert_cmpfloat_with_epsilon (output[y * 5 + x],
          corner[x] * corner[y], EPSILON);
}

/* Of 8, 24, 40: 1/8 6/8 1/8 at even samples, and 1/2 1/2 at odd ones, of the
 * grid of those three. */
static void
test_expand_row (void)
{
  static const double row[3] = { 8.0, 24.0, 40.0 };
  static const struct
  {
    ReferenceBorder border;
    double first, last;
  } cases[] = {
    {REFERENCE_BORDER_CLAMP_TO_EDGE, 7.0 + 3.0, 40.0},
    {REFERENCE_BORDER_REFLECT, 7.0 + 3.0, 40.0},
    {REFERENCE_BORDER_REFLECT_101, 3.0 + 6.0 + 3.0, 32.0},
    {REFERENCE_BORDER_WRAP, 5.0 + 6.0 + 3.0, 24.0}
  };
  double output[6];
  guint index;

  for (index = 0; index < G_N_ELEMENTS (cases); index++) {
    const double expected[4] = { cases[index].first, 16.0, 24.0, 32.0 };
    ReferencePlane across = plane_of (row, 3, 1, 0.0);
    ReferencePlane down = plane_of (row, 1, 3, 0.0);

    reference_expand (&across, cases[index].border, 6, 1, output);
    assert_near (output, expected, 4);
    g_assert_cmpfloat_with_epsilon (output[5], cases[index].last, EPSILON);
    reference_expand (&down, cases[index].border, 1, 6, output);
    assert_near (output, expected, 4);
    g_assert_cmpfloat_with_epsilon (output[5], cases[index].last, EPSILON);
  }
}

/* A single 16 in a constant of 80 is 6/8 of an even row or column, and 1/2 of
 * an odd one. */
static void
test_expand_constant_border (void)
{
  const double one = 16.0;
  const double expected[4] = {
    80.0 - 64.0 * 36.0 / 64.0, 80.0 - 64.0 * 6.0 / 16.0,
    80.0 - 64.0 * 6.0 / 16.0, 80.0 - 64.0 / 4.0
  };
  ReferencePlane plane = plane_of (&one, 1, 1, 80.0);
  double output[4];

  reference_expand (&plane, REFERENCE_BORDER_CONSTANT, 2, 2, output);
  assert_near (output, expected, 4);
}

static void
assert_all (const double *levels, int count, double expected)
{
  int index;

  for (index = 0; index < count; index++)
    g_assert_cmpfloat_with_epsilon (levels[index], expected, EPSILON);
}

static void
check_constant (ReferenceBorder border, int width, int height)
{
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  ReferenceMultiresolution params = neutral_parameters (8, border);
  double levels[MAX_SAMPLES], output[MAX_SAMPLES];
  ReferencePlanes planes = planes_of (levels, width, height);
  ReferencePlane plane = plane_of (levels, width, height, COLOUR);
  int k;

  for (k = 0; k < width * height; k++)
    levels[k] = COLOUR;
  reference_reduce (&plane, border, output);
  assert_all (output, half_width * half_height, COLOUR);
  plane.width = half_width;
  plane.height = half_height;
  reference_expand (&plane, border, width, height, output);
  assert_all (output, width * height, COLOUR);

  for (k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++) {
    params.spatial_sigmas[k] = 1.0;
    params.intensity_sigmas[k] = 0.1;
  }
  filter (&params, &planes, output);
  assert_all (output, width * height, COLOUR);
}

static void
for_each_size (void (*check) (ReferenceBorder border, int width, int height))
{
  guint border;
  int width, height;

  for (border = 0; border < G_N_ELEMENTS (borders); border++)
    for (height = 1; height <= MAX_SIZE; height++)
      for (width = 1; width <= MAX_SIZE; width++)
        check (borders[border], width, height);
}

static void
test_constant (void)
{
  for_each_size (check_constant);
}

/* Bands that are as they were make the plane; with one gain for all that gain
 * times the plane, and so has the border to be. */
static void
check_reconstruction (ReferenceBorder border, int width, int height)
{
  double levels[MAX_SAMPLES], output[MAX_SAMPLES];
  ReferencePlanes planes;
  int n, k;

  fill_noise (width * 100 + height, 255.0, levels, width * height);
  planes = planes_of (levels, width, height);
  for (n = 0; n <= REFERENCE_MULTIRESOLUTION_MAX_LEVELS; n++) {
    ReferenceMultiresolution params = neutral_parameters (n, border);

    filter (&params, &planes, output);
    assert_near (output, levels, width * height);
    for (k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++)
      params.gains[k] = 0.25;
    filter (&params, &planes, output);
    for (k = 0; k < width * height; k++)
      output[k] *= 4.0;
    assert_near (output, levels, width * height);
  }
}

static void
test_reconstruction (void)
{
  for_each_size (check_reconstruction);
}

/* n of three levels. */
static int
count_levels (int width, int height)
{
  const int size = MAX (width, height);

  return size <= 2 ? 1 : size <= 4 ? 2 : 3;
}

/* Bands seen alone, of which those of differences are around 127.5, are the
 * plane together. A band behind the last is the last. */
static void
check_shown (ReferenceBorder border, int width, int height)
{
  const int n = count_levels (width, height);
  ReferenceMultiresolution params = neutral_parameters (3, border);
  double levels[MAX_SAMPLES], output[MAX_SAMPLES], sum[MAX_SAMPLES];
  ReferencePlanes planes = planes_of (levels, width, height);
  int index;

  fill_noise (width * 100 + height, 255.0, levels, width * height);
  params.show_band = 8;
  filter (&params, &planes, sum);
  params.show_band = n;
  filter (&params, &planes, output);
  assert_near (output, sum, width * height);
  while (params.show_band-- > 0) {
    filter (&params, &planes, output);
    for (index = 0; index < width * height; index++)
      sum[index] += output[index] - 127.5;
  }
  assert_near (sum, levels, width * height);

  params.show_band = 0;
  params.gains[0] = 0.0;
  filter (&params, &planes, output);
  assert_all (output, width * height, n > 0 ? 127.5 : 0.0);
}

static void
test_shown (void)
{
  for_each_size (check_shown);
}

/* One sample has one level, which is one sample, too: of [1 6 1] and of what is
 * outside. */
static void
test_single_sample (void)
{
  ReferenceMultiresolution params =
      neutral_parameters (8, REFERENCE_BORDER_CONSTANT);
  const double level = 100.0;
  ReferencePlanes planes = planes_of (&level, 1, 1);
  const double outside = planes.border_channels[0];
  const double reduced = (36.0 * level + 220.0 * outside) / 256.0;
  const double expanded = (36.0 * reduced + 28.0 * outside) / 64.0;
  double output;

  g_assert_cmpfloat (fabs (expanded - level), >, 1.0);
  filter (&params, &planes, &output);
  g_assert_cmpfloat_with_epsilon (output, level, EPSILON);
  params.gains[1] = 0.5;
  filter (&params, &planes, &output);
  g_assert_cmpfloat_with_epsilon (output, level - 0.5 * expanded, EPSILON);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/reduce/row", test_reduce_row);
  g_test_add_func ("/reduce/even", test_reduce_even);
  g_test_add_func ("/expand/impulse", test_expand_impulse);
  g_test_add_func ("/expand/row", test_expand_row);
  g_test_add_func ("/expand/constant-border", test_expand_constant_border);
  g_test_add_func ("/multiresolution/constant", test_constant);
  g_test_add_func ("/multiresolution/reconstruction", test_reconstruction);
  g_test_add_func ("/multiresolution/shown", test_shown);
  g_test_add_func ("/multiresolution/single-sample", test_single_sample);
  return g_test_run ();
}
