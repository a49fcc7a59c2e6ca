/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tests the reference filter with values that were worked out by hand. */

#include "reference.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* far above what a sum of doubles loses, far below what a mistake would cost */
#define EPSILON 1e-9

static const ReferenceBorder borders[] = {
  REFERENCE_BORDER_CLAMP_TO_EDGE, REFERENCE_BORDER_REFLECT,
  REFERENCE_BORDER_REFLECT_101, REFERENCE_BORDER_WRAP,
  REFERENCE_BORDER_CONSTANT
};

/* Sigmas that make powers of two of the weights: 2^-(i² + j²) for the
 * distance and 2^-(Δ / 0.2)² for the difference, so that 51 levels of grey
 * weigh 1/2 and 102 levels 1/16. */
static ReferenceBilateral
binary_parameters (int radius)
{
  ReferenceBilateral params = { 0, };

  params.spatial_sigma = sqrt (1.0 / (2.0 * log (2.0)));
  params.intensity_sigma = 0.2 * params.spatial_sigma;
  params.radius = radius;
  params.color_mode = REFERENCE_COLOR_PER_CHANNEL;
  params.window = REFERENCE_WINDOW_DISC;
  return params;
}

static void
fill_grey (const guint8 * grey, int pixels, guint8 * rgba)
{
  int index;

  for (index = 0; index < pixels; index++) {
    memset (rgba + index * 4, grey[index], 3);
    rgba[index * 4 + 3] = 255;
  }
}

static void
assert_near (const double *actual, const double *expected, int count,
    double epsilon)
{
  int index;

  for (index = 0; index < count; index++)
    g_assert_cmpfloat_with_epsilon (actual[index], expected[index], epsilon);
}

/* Compares the row `a b c d` and what surrounds it, `expected` beginning at
 * position `first`, with k for the constant colour. */
static void
assert_row (ReferenceBorder border, int n, int first, const char *expected)
{
  int index;

  for (index = 0; expected[index] != '\0'; index++) {
    int position = reference_border_index (border, first + index, n);
    char read = position < 0 ? 'k' : (char) ('a' + position);

    g_assert_cmpint (position, <, n);
    g_assert_cmpint (read, ==, expected[index]);
  }
}

static void
test_border_rows (void)
{
  assert_row (REFERENCE_BORDER_CLAMP_TO_EDGE, 4, -2, "aaabcddd");
  assert_row (REFERENCE_BORDER_REFLECT, 4, -2, "baabcddc");
  assert_row (REFERENCE_BORDER_REFLECT_101, 4, -2, "cbabcdcb");
  assert_row (REFERENCE_BORDER_WRAP, 4, -2, "cdabcdab");
  assert_row (REFERENCE_BORDER_CONSTANT, 4, -2, "kkabcdkk");
}

/* Seven pixels before a row of three and seven after it; five about a row of
 * two. */
static void
test_border_periods (void)
{
  assert_row (REFERENCE_BORDER_CLAMP_TO_EDGE, 3, -7,
      "a" "aaa" "aaa" "abc" "ccc" "ccc" "c");
  assert_row (REFERENCE_BORDER_REFLECT, 3, -7,
      "a" "abc" "cba" "abc" "cba" "abc" "c");
  assert_row (REFERENCE_BORDER_REFLECT_101, 3, -7,
      "b" "cb" "ab" "cb" "abc" "ba" "bc" "ba" "b");
  assert_row (REFERENCE_BORDER_WRAP, 3, -7,
      "c" "abc" "abc" "abc" "abc" "abc" "a");
  assert_row (REFERENCE_BORDER_CONSTANT, 3, -7,
      "k" "kkk" "kkk" "abc" "kkk" "kkk" "k");
  assert_row (REFERENCE_BORDER_REFLECT, 2, -5,
      "a" "ab" "ba" "ab" "ba" "ab" "b");
  assert_row (REFERENCE_BORDER_REFLECT_101, 2, -5,
      "b" "ab" "ab" "ab" "ab" "ab" "a");
}

static void
test_border_single_pixel (void)
{
  assert_row (REFERENCE_BORDER_CLAMP_TO_EDGE, 1, -3, "aaaaaaa");
  assert_row (REFERENCE_BORDER_REFLECT, 1, -3, "aaaaaaa");
  assert_row (REFERENCE_BORDER_REFLECT_101, 1, -3, "aaaaaaa");
  assert_row (REFERENCE_BORDER_WRAP, 1, -3, "aaaaaaa");
  assert_row (REFERENCE_BORDER_CONSTANT, 1, -3, "kkkakkk");
}

/* The periods are 8 for reflect, 6 for reflect-101 and 4 for wrap; 2^31 - 1
 * leaves 7, 1 and 3 of them, -2^31 leaves 0, 4 and 0. */
static void
test_border_extremes (void)
{
  assert_row (REFERENCE_BORDER_CLAMP_TO_EDGE, 4, G_MAXINT, "d");
  assert_row (REFERENCE_BORDER_CLAMP_TO_EDGE, 4, G_MININT, "a");
  assert_row (REFERENCE_BORDER_REFLECT, 4, G_MAXINT, "a");
  assert_row (REFERENCE_BORDER_REFLECT, 4, G_MININT, "a");
  assert_row (REFERENCE_BORDER_REFLECT_101, 4, G_MAXINT, "b");
  assert_row (REFERENCE_BORDER_REFLECT_101, 4, G_MININT, "c");
  assert_row (REFERENCE_BORDER_WRAP, 4, G_MAXINT, "d");
  assert_row (REFERENCE_BORDER_WRAP, 4, G_MININT, "a");
  assert_row (REFERENCE_BORDER_CONSTANT, 4, G_MAXINT, "k");
  assert_row (REFERENCE_BORDER_CONSTANT, 4, G_MININT, "k");

  g_assert_cmpint (reference_border_index (REFERENCE_BORDER_REFLECT, -1,
          G_MAXINT), ==, 0);
  g_assert_cmpint (reference_border_index (REFERENCE_BORDER_REFLECT_101, -1,
          G_MAXINT), ==, 1);
}

static void
assert_lab (guint8 red, guint8 green, guint8 blue, double lightness, double a,
    double b)
{
  const guint8 rgb[3] = { red, green, blue };
  const double expected[3] = { lightness, a, b };
  double lab[3];

  reference_lab (rgb, lab);
  assert_near (lab, expected, 3, 0.02);
}

/* The published values for the corners of the sRGB cube; the dark grey is on
 * the straight parts of both curves: 10 / 255 / 12.92 * 24389 / 27. */
static void
test_lab (void)
{
  assert_lab (0, 0, 0, 0.0, 0.0, 0.0);
  assert_lab (255, 255, 255, 100.0, 0.0, 0.0);
  assert_lab (255, 0, 0, 53.24, 80.09, 67.20);
  assert_lab (0, 255, 0, 87.74, -86.18, 83.18);
  assert_lab (0, 0, 255, 32.30, 79.19, -107.86);
  assert_lab (0, 255, 255, 91.11, -48.09, -14.13);
  assert_lab (255, 0, 255, 60.32, 98.24, -60.83);
  assert_lab (255, 255, 0, 97.14, -21.55, 94.48);
  assert_lab (119, 119, 119, 50.03, 0.0, 0.0);
  assert_lab (10, 10, 10, 2.742, 0.0, 0.0);
}

/* One pixel of 102 and four taps of 153, each weighing 1/2 for its distance
 * and 1/2 for its difference: (102 + 4/4 * 153) / (1 + 4/4). */
static void
test_single_pixel_constant (void)
{
  ReferenceBilateral params = binary_parameters (1);
  const guint8 rgba[4] = { 102, 102, 102, 7 };
  const double expected[3] = { 127.5, 127.5, 127.5 };
  double output[3];

  params.border = REFERENCE_BORDER_CONSTANT;
  memset (params.border_color, 153, 4);
  reference_bilateral (&params, rgba, 4, 1, 1, output);
  assert_near (output, expected, 3, EPSILON);
}

/* The centre of
 *   102 153 102      distance 1/4 1/2 1/4    difference  1  1/2   1
 *    51 102 204               1/2  1  1/2               1/2  1  1/16
 *   102 102   0               1/4 1/2 1/4                1   1  1/16
 * Square: the weights sum to 179/64 and the deviations from 102 to
 * 51/4 - 51/4 + 102/32 - 102/64 = 102/64.  Disc, without the corners: 65/32
 * and 102/32. */
static void
test_three_by_three (void)
{
  static const guint8 grey[9] = { 102, 153, 102, 51, 102, 204, 102, 102, 0 };
  ReferenceBilateral params = binary_parameters (1);
  guint8 rgba[9 * 4];
  double output[9 * 3];
  guint mode;

  fill_grey (grey, 9, rgba);
  /* grey has Y equal to its channels, so that two modes agree */
  for (mode = REFERENCE_COLOR_INTENSITY; mode <= REFERENCE_COLOR_PER_CHANNEL;
      mode++) {
    params.color_mode = (ReferenceColorMode) mode;
    params.window = REFERENCE_WINDOW_SQUARE;
    reference_bilateral (&params, rgba, 3 * 4, 3, 3, output);
    g_assert_cmpfloat_with_epsilon (output[4 * 3], 102.0 + 102.0 / 179.0,
        EPSILON);
    params.window = REFERENCE_WINDOW_DISC;
    reference_bilateral (&params, rgba, 3 * 4, 3, 3, output);
    g_assert_cmpfloat_with_epsilon (output[4 * 3], 102.0 + 102.0 / 65.0,
        EPSILON);
  }
}

/* A row of two pixels, clamped: of the five taps of the left one, four read
 * itself and weigh 1 + 3/2, the fifth reads the right one and weighs 1/2
 * times what the mode makes of the difference. */
static void
assert_left_of_two (const ReferenceBilateral * params, const guint8 left[3],
    const guint8 right[3], const double range_weights[3], double epsilon)
{
  guint8 rgba[2 * 4] = { 0, };
  double output[2 * 3];
  int channel;

  memcpy (rgba, left, 3);
  memcpy (rgba + 4, right, 3);
  reference_bilateral (params, rgba, 2 * 4, 2, 1, output);
  for (channel = 0; channel < 3; channel++) {
    double weight = range_weights[channel] / 2.0;

    g_assert_cmpfloat_with_epsilon (output[channel],
        (2.5 * left[channel] + weight * right[channel]) / (2.5 + weight),
        epsilon);
  }
}

static void
test_intensity (void)
{
  /* of one luma: 0.3 * 59 = 0.59 * 30 */
  static const guint8 rose[3] = { 159, 70, 100 }, dull[3] = { 100, 100, 100 };
  static const guint8 reddish[3] = { 153, 102, 0 }, olive[3] = { 102, 102, 0 };
  const double same[3] = { 1.0, 1.0, 1.0 };
  /* ΔY = 0.3 * 0.2 */
  double luma = exp2 (-0.3 * 0.3);
  const double luma_differs[3] = { luma, luma, luma };
  ReferenceBilateral params = binary_parameters (1);

  params.color_mode = REFERENCE_COLOR_INTENSITY;
  assert_left_of_two (&params, dull, rose, same, EPSILON);
  assert_left_of_two (&params, olive, reddish, luma_differs, EPSILON);
}

static void
test_per_channel (void)
{
  static const guint8 left[3] = { 102, 102, 7 }, right[3] = { 153, 0, 7 };
  const double range_weights[3] = { 1.0 / 2.0, 1.0 / 16.0, 1.0 };
  ReferenceBilateral params = binary_parameters (1);

  assert_left_of_two (&params, left, right, range_weights, EPSILON);
}

/* ΔE between (53.24, 80.09, 67.20) and (100, 0, 0) is 114.56; a sigma five
 * times that of binary_parameters() makes the weight 2^-1.1456². */
static void
test_lab_distance (void)
{
  static const guint8 red[3] = { 255, 0, 0 }, white[3] = { 255, 255, 255 };
  double weight = exp2 (-1.1456 * 1.1456);
  const double range_weights[3] = { weight, weight, weight };
  ReferenceBilateral params = binary_parameters (1);

  params.color_mode = REFERENCE_COLOR_LAB;
  params.intensity_sigma *= 5.0;
  assert_left_of_two (&params, red, white, range_weights, 0.02);
}

/* Infinite sigmas leave the mean of the window; three periods of a frame
 * repeat its own. */
static void
test_window_larger_than_frame (void)
{
  static const guint8 grey[9] = { 9, 200, 31, 4, 5, 66, 7, 118, 255 };
  ReferenceBilateral params = { INFINITY, INFINITY, 4,
    REFERENCE_COLOR_INTENSITY, REFERENCE_WINDOW_SQUARE,
    REFERENCE_BORDER_WRAP, {0,}
  };
  guint8 rgba[9 * 4];
  double output[9 * 3];
  int index;

  fill_grey (grey, 9, rgba);
  reference_bilateral (&params, rgba, 3 * 4, 3, 3, output);
  for (index = 0; index < 9 * 3; index++)
    g_assert_cmpfloat_with_epsilon (output[index], 695.0 / 9.0, EPSILON);
}

/* The mean, which infinite sigmas leave, of the seven taps about the `a` of a
 * row of `a b c`, the constant being 0; then the same along a column. */
static void
test_mean_of_each_border (void)
{
  static const guint8 grey[3] = { 10, 40, 160 };
  static const double left[5] = {
    (4 * 10 + 40 + 2 * 160) / 7.0,      /* aaa abcc */
    (2 * 10 + 2 * 40 + 3 * 160) / 7.0,  /* cba abcc */
    (10 + 4 * 40 + 2 * 160) / 7.0,      /* bcb abcb */
    (3 * 10 + 2 * 40 + 2 * 160) / 7.0,  /* abc abca */
    (10 + 40 + 160) / 49.0      /* kkk abck, and six rows of k */
  };
  ReferenceBilateral params = { INFINITY, INFINITY, 3,
    REFERENCE_COLOR_PER_CHANNEL, REFERENCE_WINDOW_SQUARE,
    REFERENCE_BORDER_CLAMP_TO_EDGE, {0,}
  };
  guint8 rgba[3 * 4];
  double row[3 * 3], column[3 * 3];
  guint border;

  fill_grey (grey, 3, rgba);
  for (border = 0; border < G_N_ELEMENTS (borders); border++) {
    params.border = borders[border];
    reference_bilateral (&params, rgba, 3 * 4, 3, 1, row);
    g_assert_cmpfloat_with_epsilon (row[0], left[border], EPSILON);
    reference_bilateral (&params, rgba, 4, 1, 3, column);
    assert_near (column, row, 3 * 3, EPSILON);
  }
}

static void
test_round (void)
{
  static const double rgb[4 * 3] = {
    0.0, 0.49999, 0.5, 1.5, 2.5, 2.49999, 254.5, 254.49999, 255.0,
    -1e-12, 255.0 + 1e-12, 127.5
  };
  static const guint8 source[2 * 9] = {
    9, 9, 9, 0, 9, 9, 9, 255, 77,
    9, 9, 9, 31, 9, 9, 9, 254, 77
  };
  static const guint8 expected[2 * 10] = {
    0, 0, 1, 0, 2, 3, 2, 255, 66, 66,
    255, 254, 255, 31, 0, 255, 128, 254, 66, 66
  };
  guint8 rounded[2 * 10];

  memset (rounded, 66, sizeof rounded);
  reference_round (rgb, source, 9, 2, 2, rounded, 10);
  g_assert_cmpmem (rounded, sizeof rounded, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/border/rows", test_border_rows);
  g_test_add_func ("/border/periods", test_border_periods);
  g_test_add_func ("/border/single-pixel", test_border_single_pixel);
  g_test_add_func ("/border/extremes", test_border_extremes);
  g_test_add_func ("/lab", test_lab);
  g_test_add_func ("/bilateral/single-pixel-constant",
      test_single_pixel_constant);
  g_test_add_func ("/bilateral/three-by-three", test_three_by_three);
  g_test_add_func ("/bilateral/intensity", test_intensity);
  g_test_add_func ("/bilateral/per-channel", test_per_channel);
  g_test_add_func ("/bilateral/lab-distance", test_lab_distance);
  g_test_add_func ("/bilateral/window-larger-than-frame",
      test_window_larger_than_frame);
  g_test_add_func ("/bilateral/mean-of-each-border", test_mean_of_each_border);
  g_test_add_func ("/round", test_round);
  return g_test_run ();
}
