/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the float64 references of the bilateral and the multiresolution filter
 * with values that were worked out by hand, or that follow from the definition.
 * tests/peers compares all references with OpenCV and NumPy. */

#include <math.h>
#include <string.h>

#include "references.h"
#include "testcase.h"

/* Far above the rounding error of a sum of doubles, far below the effect of a
 * bug. */
#define EPSILON 1e-9

#define MAX_SIZE 12
#define MAX_SAMPLES (MAX_SIZE * MAX_SIZE)

static const ReferenceBorder borders[] = {
  REFERENCE_BORDER_CLAMP_TO_EDGE, REFERENCE_BORDER_REFLECT,
  REFERENCE_BORDER_REFLECT_101, REFERENCE_BORDER_WRAP,
  REFERENCE_BORDER_CONSTANT
};

static void
assert_near (const gdouble * actual, const gdouble * expected, gint n)
{
  for (gint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (actual[i], expected[i], EPSILON);
}

static void
assert_all (const gdouble * levels, gint n, gdouble expected)
{
  for (gint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (levels[i], expected, EPSILON);
}

/* Borders */

/* Values read around the row `a b c d`, or as many letters as @n, in each
 * border from position @first on. k is the constant colour. */
static const struct
{
  gint n, first;
  const gchar *read[G_N_ELEMENTS (borders)];
} rows[] = {
  {4, -2, {"aaabcddd", "baabcddc", "cbabcdcb", "cdabcdab", "kkabcdkk"}},
  /* Several periods on each side. */
  {3, -7, {"a" "aaa" "aaa" "abc" "ccc" "ccc" "c",
              "a" "abc" "cba" "abc" "cba" "abc" "c",
              "b" "cb" "ab" "cb" "abc" "ba" "bc" "ba" "b",
              "c" "abc" "abc" "abc" "abc" "abc" "a",
          "k" "kkk" "kkk" "abc" "kkk" "kkk" "k"}},
  {2, -5, {"aaaaaabbbbbb", "a" "ab" "ba" "ab" "ba" "ab" "b",
          "b" "ab" "ab" "ab" "ab" "ab" "a", "babababababa", "kkkkkabkkkkk"}},
  {1, -3, {"aaaaaaa", "aaaaaaa", "aaaaaaa", "aaaaaaa", "kkkakkk"}},
  /* The periods are 8 for reflect, 6 for reflect-101 and 4 for wrap. 2^31 - 1
   * leaves 7, 1 and 3 of them, -2^31 leaves 0, 4 and 0. */
  {4, G_MAXINT, {"d", "a", "b", "d", "k"}},
  {4, G_MININT, {"a", "a", "c", "a", "k"}},
  /* Twice a row of 2^31 - 1 pixels is no int. */
  {G_MAXINT, -1, {"a", "a", "b", NULL, "k"}},
};

TEST (test_borders)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (borders); j++) {
      const gchar *read = rows[i].read[j];

      for (gint x = 0; read && read[x]; x++) {
        const gint position = reference_border_index (borders[j],
            rows[i].first + x, rows[i].n);

        g_assert_cmpint (position, <, rows[i].n);
        g_assert_cmpint (position < 0 ? 'k' : 'a' + position, ==, read[x]);
      }
    }
  }
}

/* The bilateral filter */

/* A sigma that makes powers of two of the weights: 2^-(i² + j²) for the distance
 * and, with 0.2 of it, 2^-(Δ / 0.2)² for the difference: 51 levels of grey weigh
 * 1/2 and 102 levels 1/16. */
#define BINARY sqrt (1.0 / (2.0 * log (2.0)))

#define CORNER {102, 153, 102, 51, 102, 204, 102, 102, 0}

/* Grey frames, and the level that a pixel gets. @is_mean: infinite sigmas leave
 * the mean of the window. The constant border is 153. */
static const struct
{
  const gchar *name;
  gboolean is_mean;
  gint radius;
  OclBilateralWindow window;
  ReferenceBorder border;
  gint width, height;
  guint8 grey[9];
  gint pixel;
  gdouble level;
} greys[] = {
  /* Four taps of 153, each weighing 1/2 for its distance and 1/2 for its
   * difference: (102 + 4/4 * 153) / (1 + 4/4). */
  {"single-pixel-constant", FALSE, 1, OCL_BILATERAL_WINDOW_DISC,
      REFERENCE_BORDER_CONSTANT, 1, 1, {102}, 0, 127.5},
  /* The centre of
   *   102 153 102      distance 1/4 1/2 1/4    difference  1  1/2   1
   *    51 102 204               1/2  1  1/2               1/2  1  1/16
   *   102 102   0               1/4 1/2 1/4                1   1  1/16
   * Square: the weights sum to 179/64 and the deviations from 102 to
   * 51/4 - 51/4 + 102/32 - 102/64 = 102/64.  Disc, without the corners: 65/32
   * and 102/32. */
  {"square", FALSE, 1, OCL_BILATERAL_WINDOW_SQUARE,
      REFERENCE_BORDER_CLAMP_TO_EDGE, 3, 3, CORNER, 4, 102.0 + 102.0 / 179.0},
  {"disc", FALSE, 1, OCL_BILATERAL_WINDOW_DISC,
      REFERENCE_BORDER_CLAMP_TO_EDGE, 3, 3, CORNER, 4, 102.0 + 102.0 / 65.0},
  /* Three periods of a frame repeat its own mean. */
  {"window-larger-than-frame", TRUE, 4, OCL_BILATERAL_WINDOW_SQUARE,
        REFERENCE_BORDER_WRAP, 3, 3, {9, 200, 31, 4, 5, 66, 7, 118, 255}, 1,
      695.0 / 9.0},
  /* The seven taps about the `a` of a row of `a b c`. */
  {"mean/aaa-abcc", TRUE, 3, OCL_BILATERAL_WINDOW_SQUARE,
        REFERENCE_BORDER_CLAMP_TO_EDGE, 3, 1, {10, 40, 160}, 0,
      (4 * 10 + 40 + 2 * 160) / 7.0},
  {"mean/cba-abcc", TRUE, 3, OCL_BILATERAL_WINDOW_SQUARE,
        REFERENCE_BORDER_REFLECT, 3, 1, {10, 40, 160}, 0,
      (2 * 10 + 2 * 40 + 3 * 160) / 7.0},
  {"mean/bcb-abcb", TRUE, 3, OCL_BILATERAL_WINDOW_SQUARE,
        REFERENCE_BORDER_REFLECT_101, 3, 1, {10, 40, 160}, 0,
      (10 + 4 * 40 + 2 * 160) / 7.0},
  {"mean/abc-abca", TRUE, 3, OCL_BILATERAL_WINDOW_SQUARE,
        REFERENCE_BORDER_WRAP, 3, 1, {10, 40, 160}, 0,
      (3 * 10 + 2 * 40 + 2 * 160) / 7.0},
  /* And six rows of k. */
  {"mean/kkk-abck", TRUE, 3, OCL_BILATERAL_WINDOW_SQUARE,
        REFERENCE_BORDER_CONSTANT, 3, 1, {10, 40, 160}, 0,
      (10 + 40 + 160 + 46 * 153) / 49.0},
};

static void
filter_rgba (const OclBilateralParams * params, const guint8 * rgba, gint width,
    gint height, gdouble * levels)
{
  reference_filter_rgba (reference_find ("bilateral"), params, rgba, width,
      height, levels);
}

/* The luma of grey is that of its channels, so that two modes agree, and so do a
 * frame and its transpose with these windows. */
static void
test_grey (gconstpointer data)
{
  const __typeof__ (greys[0]) * item = data;
  OclBilateralParams params = {
    .spatial_sigma = item->is_mean ? INFINITY : BINARY,
    .intensity_sigma = item->is_mean ? INFINITY : 0.2 * BINARY,
    .radius = item->radius,.window = item->window,
    .border = {(OclBorderMode) item->border, 0xff999999}
  };
  guint8 rgba[9 * 4];
  gdouble levels[9 * 3];

  for (gint i = 0; i < item->width * item->height; i++) {
    memset (rgba + 4 * i, item->grey[i], 3);
    rgba[4 * i + 3] = 7;
  }
  for (guint i = 0; i < 4; i++) {
    params.color_mode = i % 2 ? OCL_BILATERAL_COLOR_INTENSITY
        : OCL_BILATERAL_COLOR_PER_CHANNEL;
    filter_rgba (&params, rgba, i < 2 ? item->width : item->height,
        i < 2 ? item->height : item->width, levels);
    if (i < 2 || item->height == 1)
      assert_all (levels + 3 * item->pixel, 3, item->level);
  }
}

/* A row of two pixels, clamped: of the five taps of the left one, four read
 * itself and weigh 1 + 3/2, the fifth reads the right one and weighs 1/2 times
 * 2^-@exponents. */
static void
check_pair (OclBilateralColorMode color_mode, gdouble intensity_sigma,
    const guint8 left[3], const guint8 right[3], const gdouble exponents[3],
    gdouble epsilon)
{
  const OclBilateralParams params = {.spatial_sigma = BINARY,
    .intensity_sigma = intensity_sigma,.radius = 1,.color_mode = color_mode,
    .window = OCL_BILATERAL_WINDOW_DISC
  };
  const guint8 rgba[8] = { left[0], left[1], left[2], 0,
    right[0], right[1], right[2], 0
  };
  gdouble levels[6];

  filter_rgba (&params, rgba, 2, 1, levels);
  for (guint c = 0; c < 3; c++) {
    const gdouble weight = exp2 (-exponents[c]) / 2.0;

    g_assert_cmpfloat_with_epsilon (levels[c],
        (2.5 * left[c] + weight * right[c]) / (2.5 + weight), epsilon);
  }
}

TEST (test_colors)
{
  static const struct
  {
    OclBilateralColorMode color_mode;
    guint8 left[3], right[3];
    gdouble exponents[3];
  } pairs[] = {
    /* Of one luma: 0.3 * 59 = 0.59 * 30. */
    {OCL_BILATERAL_COLOR_INTENSITY, {100, 100, 100}, {159, 70, 100}, {0}},
    /* ΔY = 0.3 * 0.2 */
    {OCL_BILATERAL_COLOR_INTENSITY, {102, 102, 0}, {153, 102, 0},
        {0.09, 0.09, 0.09}},
    {OCL_BILATERAL_COLOR_PER_CHANNEL, {102, 102, 7}, {153, 0, 7}, {1, 4, 0}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    check_pair (pairs[i].color_mode, 0.2 * BINARY, pairs[i].left,
        pairs[i].right, pairs[i].exponents, EPSILON);
}

/* The published L*a*b* of the corners of the sRGB cube. The dark grey is on the
 * straight parts of both curves: 10 / 255 / 12.92 * 24389 / 27. With a sigma of
 * its distance each colour halves the weight of each other one. */
TEST (test_lab)
{
  static const struct
  {
    guint8 rgb[3];
    gdouble lab[3];
  } colors[] = {
    {{0, 0, 0}, {0.0, 0.0, 0.0}}, {{255, 255, 255}, {100.0, 0.0, 0.0}},
    {{255, 0, 0}, {53.24, 80.09, 67.20}}, {{0, 255, 0}, {87.74, -86.18, 83.18}},
    {{0, 0, 255}, {32.30, 79.19, -107.86}},
    {{0, 255, 255}, {91.11, -48.09, -14.13}},
    {{255, 0, 255}, {60.32, 98.24, -60.83}},
    {{255, 255, 0}, {97.14, -21.55, 94.48}},
    {{119, 119, 119}, {50.03, 0.0, 0.0}}, {{10, 10, 10}, {2.742, 0.0, 0.0}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (colors); j++) {
      static const gdouble one[3] = { 1.0, 1.0, 1.0 };
      gdouble squared = 0.0;

      for (guint c = 0; c < 3; c++)
        squared += pow (colors[i].lab[c] - colors[j].lab[c], 2.0);
      if (i != j)
        check_pair (OCL_BILATERAL_COLOR_LAB, BINARY * sqrt (squared) / 100.0,
            colors[i].rgb, colors[j].rgb, one, 0.01);
    }
  }
}

/* The pyramid */

static ReferencePlane
plane_of (const gdouble * levels, gint width, gint height, gdouble outside)
{
  const ReferencePlane plane = {.width = width,.height = height,
    .levels = levels,.border_level = outside
  };

  return plane;
}

/* A row, and the same as a column. */
static void
check_reduced (const gdouble * row, gint n, ReferenceBorder border,
    const gdouble * expected)
{
  for (guint i = 0; i < 2; i++) {
    const ReferencePlane plane = plane_of (row, i ? 1 : n, i ? n : 1, 40.0);
    gdouble output[3];

    reference_reduce (&plane, border, output);
    assert_near (output, expected, (n + 1) / 2);
  }
}

/* Of 16, 32, 0, 80, 48: 6 4 1, 1 4 6 4 1, and 1 4 6 of sixteenths are inside. A
 * border of k adds the outside values. */
TEST (test_reduce)
{
  static const gdouble row[5] = { 16.0, 32.0, 0.0, 80.0, 48.0 };
  static const gdouble expected[5][3] = {
    {14.0 + 5.0, 1.0 + 8.0 + 20.0 + 3.0, 20.0 + 18.0 + 15.0},   /* aa .. ee */
    {14.0 + 4.0 + 2.0, 32.0, 38.0 + 12.0 + 5.0},        /* ba .. ed */
    {14.0 + 8.0 + 0.0, 32.0, 38.0 + 20.0 + 0.0},        /* cb .. dc */
    {14.0 + 12.0 + 5.0, 32.0, 38.0 + 4.0 + 2.0},        /* de .. ab */
    /* The rows above and below are outside, too: 6/16 of the inside value and
     * 5/16 of k, and 10/16 of k. */
    {0.375 * (14.0 + 12.5) + 25.0, 0.375 * 32.0 + 25.0,
        0.375 * (38.0 + 12.5) + 25.0}
  };
  /* An even width has no sample at its last position: 4 samples, 2 of them
   * kept, the last tap of the second outside. */
  static const gdouble even[2] = { 19.0, 1.0 + 8.0 + 20.0 + 5.0 };

  for (guint i = 0; i < G_N_ELEMENTS (borders); i++)
    check_reduced (row, 5, borders[i], expected[i]);
  check_reduced (row, 4, REFERENCE_BORDER_CLAMP_TO_EDGE, even);
}

/* 64 in the middle of three by three becomes 1 4 6 4 1, twice over, at two
 * samples for each. In a corner of it, and clamped, it is there outside, too: 7
 * 4 1 and 8 4 1 of eighths are left. */
TEST (test_expand_impulse)
{
  static const struct
  {
    gint place, size;
    gdouble factors[6];
  } cases[] = {
    {4, 6, {1.0, 4.0, 6.0, 4.0, 1.0, 0.0}},
    {0, 5, {7.0, 4.0, 1.0, 0.0, 0.0, 0.0}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gint size = cases[i].size;
    gdouble impulse[9] = { 0.0, }, output[36];
    const ReferencePlane plane = plane_of (impulse, 3, 3, 0.0);

    impulse[cases[i].place] = 64.0;
    reference_expand (&plane, REFERENCE_BORDER_CLAMP_TO_EDGE, size, size,
        output);
    for (gint n = 0; n < size * size; n++)
      g_assert_cmpfloat_with_epsilon (output[n],
          cases[i].factors[n % size] * cases[i].factors[n / size], EPSILON);
  }
}

/* Of 8, 24, 40: 1/8 6/8 1/8 at even samples, and 1/2 1/2 at odd ones, of the
 * grid of those three. */
TEST (test_expand_row)
{
  static const gdouble row[3] = { 8.0, 24.0, 40.0 };
  static const gdouble ends[4][2] = {
    {7.0 + 3.0, 40.0}, {7.0 + 3.0, 40.0}, {3.0 + 6.0 + 3.0, 32.0},
    {5.0 + 6.0 + 3.0, 24.0}
  };
  /* A single 16 in a constant of 80 is 6/8 of an even row or column, and 1/2 of
   * an odd one. */
  static const gdouble one = 16.0;
  static const gdouble around[4] = {
    80.0 - 64.0 * 36.0 / 64.0, 80.0 - 64.0 * 6.0 / 16.0,
    80.0 - 64.0 * 6.0 / 16.0, 80.0 - 64.0 / 4.0
  };
  const ReferencePlane single = plane_of (&one, 1, 1, 80.0);
  gdouble output[6];

  for (guint i = 0; i < 2 * G_N_ELEMENTS (ends); i++) {
    const gdouble expected[4] = { ends[i / 2][0], 16.0, 24.0, 32.0 };
    const ReferencePlane plane =
        plane_of (row, i % 2 ? 1 : 3, i % 2 ? 3 : 1, 0.0);

    reference_expand (&plane, borders[i / 2], i % 2 ? 1 : 6, i % 2 ? 6 : 1,
        output);
    assert_near (output, expected, 4);
    g_assert_cmpfloat_with_epsilon (output[5], ends[i / 2][1], EPSILON);
  }
  reference_expand (&single, REFERENCE_BORDER_CONSTANT, 2, 2, output);
  assert_near (output, around, 4);
}

/* The multiresolution filter */

/* The level of the constant border. */
#define OUTSIDE 40.0

/* All bands as they are. */
static ReferenceMultiresolution
neutral_parameters (gint levels, ReferenceBorder border)
{
  ReferenceMultiresolution params = {.levels = levels,.radius = 2,
    .show_band = -1,.border = border
  };

  for (gint k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++)
    params.gains[k] = 1.0;
  return params;
}

/* Filters one channel, without a guide. */
static void
filter (const ReferenceMultiresolution * params, const gdouble * levels,
    gint width, gint height, gdouble * output)
{
  const ReferencePlanes planes = {.width = width,.height = height,
    .x_pixels = 1,.y_pixels = 1,.n_channels = 1,.channels = {levels},
    .border_channels = {OUTSIDE},.unit = 255.0
  };
  gdouble *const outputs[3] = { output, NULL, NULL };

  reference_multiresolution (params, &planes, 255.0, outputs);
}

static void
check_constant (ReferenceBorder border, gint width, gint height)
{
  const gint half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  const gint n = width * height;
  ReferenceMultiresolution params = neutral_parameters (8, border);
  gdouble levels[MAX_SAMPLES], output[MAX_SAMPLES];
  ReferencePlane plane = plane_of (levels, width, height, OUTSIDE);

  for (gint i = 0; i < n; i++)
    levels[i] = OUTSIDE;
  reference_reduce (&plane, border, output);
  assert_all (output, half_width * half_height, OUTSIDE);
  plane.width = half_width;
  plane.height = half_height;
  reference_expand (&plane, border, width, height, output);
  assert_all (output, n, OUTSIDE);
  for (gint k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++) {
    params.spatial_sigmas[k] = 1.0;
    params.intensity_sigmas[k] = 0.1;
  }
  filter (&params, levels, width, height, output);
  assert_all (output, n, OUTSIDE);
}

static void
fill_noise (gdouble * levels, gint width, gint height)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (width * 100 + height);

  for (gint i = 0; i < width * height; i++)
    levels[i] = g_rand_double_range (random, 0.0, 255.0);
}

/* Bands that are as they were make the plane. With one gain for all that gain
 * times the plane, and so has the border to be. */
static void
check_reconstruction (ReferenceBorder border, gint width, gint height)
{
  gdouble levels[MAX_SAMPLES], output[MAX_SAMPLES];

  fill_noise (levels, width, height);
  for (gint n = 0; n <= REFERENCE_MULTIRESOLUTION_MAX_LEVELS; n++) {
    ReferenceMultiresolution params = neutral_parameters (n, border);

    filter (&params, levels, width, height, output);
    assert_near (output, levels, width * height);
    for (gint k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++)
      params.gains[k] = 0.25;
    filter (&params, levels, width, height, output);
    for (gint i = 0; i < width * height; i++)
      output[i] *= 4.0;
    assert_near (output, levels, width * height);
  }
}

/* Bands seen alone, of which those of differences are around 127.5, are the
 * plane together. A band after the last is the last. */
static void
check_shown (ReferenceBorder border, gint width, gint height)
{
  const gint size = MAX (width, height);
  const gint n_levels = size <= 2 ? 1 : size <= 4 ? 2 : 3;
  const gint n = width * height;
  ReferenceMultiresolution params = neutral_parameters (3, border);
  gdouble levels[MAX_SAMPLES], output[MAX_SAMPLES], sum[MAX_SAMPLES];

  fill_noise (levels, width, height);
  params.show_band = 8;
  filter (&params, levels, width, height, sum);
  params.show_band = n_levels;
  filter (&params, levels, width, height, output);
  assert_near (output, sum, n);
  while (params.show_band-- > 0) {
    filter (&params, levels, width, height, output);
    for (gint i = 0; i < n; i++)
      sum[i] += output[i] - 127.5;
  }
  assert_near (sum, levels, n);

  params.show_band = 0;
  params.gains[0] = 0.0;
  filter (&params, levels, width, height, output);
  assert_all (output, n, 127.5);
}

/* All sizes in all borders. */
static void
test_sizes (gconstpointer check)
{
  for (guint i = 0; i < G_N_ELEMENTS (borders) * MAX_SAMPLES; i++)
    ((void (*)(ReferenceBorder, gint, gint)) check) (borders[i / MAX_SAMPLES],
        1 + i % MAX_SIZE, 1 + i / MAX_SIZE % MAX_SIZE);
}

/* One sample has one pyramid level, which is one sample, too: of [1 6 1] and of
 * the outside values. */
TEST (test_single_sample)
{
  ReferenceMultiresolution params =
      neutral_parameters (8, REFERENCE_BORDER_CONSTANT);
  const gdouble level = 100.0;
  const gdouble reduced = (36.0 * level + 220.0 * OUTSIDE) / 256.0;
  const gdouble expanded = (36.0 * reduced + 28.0 * OUTSIDE) / 64.0;
  gdouble output;

  filter (&params, &level, 1, 1, &output);
  g_assert_cmpfloat_with_epsilon (output, level, EPSILON);
  params.gains[1] = 0.5;
  filter (&params, &level, 1, 1, &output);
  g_assert_cmpfloat_with_epsilon (output, level - 0.5 * expanded, EPSILON);
}

void
test_set_up (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (greys); i++)
    testcase_add_data (test_grey, &greys[i], "bilateral/%s", greys[i].name);
  testcase_add_data (test_sizes, (gconstpointer) check_constant, "constant");
  testcase_add_data (test_sizes, (gconstpointer) check_reconstruction,
      "reconstruction");
  testcase_add_data (test_sizes, (gconstpointer) check_shown, "shown");
}
