/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the reference of the filter on bands must do, each expectation worked
 * out by hand, following from the definition, or made in another way. */

#include "referencemultiresolution.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* far above what a sum of doubles loses, far below what a mistake would cost */
#define EPSILON 1e-9

#define MAX_SIZE 12
#define MAX_SAMPLES (MAX_SIZE * MAX_SIZE)

/* Of the constant border, and of its guide. */
#define COLOUR 40.0
#define GUIDE_COLOUR 0.7

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
  ReferencePlanes planes = planes_of (levels, width, height);
  int n, k;

  fill_noise (width * 100 + height, 255.0, levels, width * height);
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

/* g(0) + l(0). */
static void
check_details (ReferenceBorder border, int width, int height)
{
  ReferenceMultiresolution params = neutral_parameters (3, border);
  double levels[MAX_SAMPLES], coarse[MAX_SAMPLES], expanded[MAX_SAMPLES];
  double output[MAX_SAMPLES];
  ReferencePlanes planes = planes_of (levels, width, height);
  ReferencePlane fine = plane_of (levels, width, height, COLOUR);
  ReferencePlane half = plane_of (coarse, (width + 1) / 2, (height + 1) / 2,
      COLOUR);
  int index;

  /* a single sample has no details */
  if (width * height == 1)
    return;
  fill_noise (width * 100 + height, 255.0, levels, width * height);
  reference_reduce (&fine, border, coarse);
  reference_expand (&half, border, width, height, expanded);
  for (index = 0; index < width * height; index++)
    expanded[index] = 2.0 * levels[index] - expanded[index];
  params.gains[0] = 2.0;
  filter (&params, &planes, output);
  assert_near (output, expanded, width * height);
}

static void
test_details (void)
{
  for_each_size (check_details);
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

/* The definition once more, by matrices. All of it is the same when a colour is
 * taken from the frame first, and a(n) times it added last: a constant border
 * is 0 then, and is left out of sums. */
typedef struct
{
  int width;
  int height;
  double at[MAX_SIZE][MAX_SIZE];        /* row, column */
} Grid;

static Grid
grid_of (const double *levels, int width, int height, double less)
{
  Grid grid = { 0, };
  int x, y;

  grid.width = width;
  grid.height = height;
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      grid.at[y][x] = levels[y * width + x] - less;
  return grid;
}

/* What makes a row of n of one of half of that (or the other way) is a matrix
 * with a row for each sample of the result. */
static Grid
matrix_of (ReferenceBorder border, int n, int reduces)
{
  static const double weights[5] = { 0.0625, 0.25, 0.375, 0.25, 0.0625 };
  Grid matrix = { 0, };
  int half = (n + 1) / 2;
  int to, from, i;

  matrix.height = reduces ? half : n;
  matrix.width = reduces ? n : half;
  for (to = 0; to < matrix.height; to++) {
    for (i = 0; i < 5; i++) {
      int at = reduces ? 2 * to + i - 2 : to + i - 2;

      if (!reduces && (at & 1))
        continue;
      from = reference_border_index (border, reduces ? at : at / 2,
          matrix.width);
      if (from >= 0)
        matrix.at[to][from] += reduces ? weights[i] : 2.0 * weights[i];
    }
  }
  return matrix;
}

static Grid
transform (const Grid * down, const Grid * across, const Grid * grid)
{
  Grid result = { 0, };
  int x, y, i, j;

  result.width = across->height;
  result.height = down->height;
  for (y = 0; y < result.height; y++)
    for (x = 0; x < result.width; x++)
      for (j = 0; j < grid->height; j++)
        for (i = 0; i < grid->width; i++)
          result.at[y][x] += down->at[y][j] * across->at[x][i]
              * grid->at[j][i];
  return result;
}

static Grid
resize (ReferenceBorder border, const Grid * grid, int width, int height,
    int reduces)
{
  Grid down = matrix_of (border, height, reduces);
  Grid across = matrix_of (border, width, reduces);

  return transform (&down, &across, grid);
}

static void
add (Grid * grid, const Grid * other, double times)
{
  int x, y;

  for (y = 0; y < grid->height; y++)
    for (x = 0; x < grid->width; x++)
      grid->at[y][x] += times * other->at[y][x];
}

static double
grid_get (const Grid * grid, ReferenceBorder border, int x, int y)
{
  int column = reference_border_index (border, x, grid->width);
  int row = reference_border_index (border, y, grid->height);

  return column < 0 || row < 0 ? 0.0 : grid->at[row][column];
}

/* Of samples of @pixels pixels across; differences are those of @guide, by
 * @unit. */
static Grid
smooth (const ReferenceMultiresolution * params, int k, const Grid * grid,
    const Grid * guide, double unit, int pixels)
{
  const double spatial = params->spatial_sigmas[k];
  const double range = params->intensity_sigmas[k] * unit;
  const int r = params->radius, r_x = r / pixels;
  Grid result = *grid;
  int x, y, i, j;

  for (y = 0; y < grid->height; y++) {
    for (x = 0; x < grid->width; x++) {
      double sum = 0.0, weights = 0.0;

      for (j = -r; j <= r; j++) {
        for (i = -r_x; i <= r_x; i++) {
          double delta = grid_get (guide, params->border, x + i, y + j)
              - guide->at[y][x];
          double weight = exp (-(i * i * pixels * pixels + j * j)
              / (2.0 * spatial * spatial)
              - delta * delta / (2.0 * range * range));

          sum += weight * grid_get (grid, params->border, x + i, y + j);
          weights += weight;
        }
      }
      result.at[y][x] = sum / weights;
    }
  }
  return result;
}

/* Three levels, of which each is made from the ones before it. */
static Grid
filter_slowly (const ReferenceMultiresolution * params, Grid grid, Grid guide,
    double unit, int pixels, int k)
{
  Grid coarse, coarse_guide, expanded, result;

  if (k == 3) {
    result = smooth (params, k, &grid, &guide, unit, pixels);
    add (&result, &result, params->gains[k] - 1.0);
    return result;
  }
  coarse = resize (params->border, &grid, grid.width, grid.height, 1);
  coarse_guide = resize (params->border, &guide, grid.width, grid.height, 1);
  expanded = resize (params->border, &coarse, grid.width, grid.height, 0);
  add (&grid, &expanded, -1.0);
  expanded = resize (params->border, &coarse_guide, grid.width, grid.height, 0);
  add (&guide, &expanded, -1.0);

  result = smooth (params, k, &grid, &guide, unit, pixels);
  add (&result, &result, params->gains[k] - 1.0);
  coarse = filter_slowly (params, coarse, coarse_guide, unit, pixels, k + 1);
  expanded = resize (params->border, &coarse, grid.width, grid.height, 0);
  add (&result, &expanded, 1.0);
  return result;
}

static ReferenceMultiresolution
example_parameters (ReferenceBorder border)
{
  static const double spatial[4] = { 1.0, 1.5, 0.8, 2.0 };
  static const double intensity[4] = { 0.1, 0.2, 0.3, 0.15 };
  static const double gains[4] = { 1.5, 0.5, 2.0, 0.75 };
  ReferenceMultiresolution params = neutral_parameters (3, border);

  memcpy (params.spatial_sigmas, spatial, sizeof spatial);
  memcpy (params.intensity_sigmas, intensity, sizeof intensity);
  memcpy (params.gains, gains, sizeof gains);
  return params;
}

static void
check_example (ReferenceBorder border, int with_guide, int pixels)
{
  const int width = 11, height = 7;
  ReferenceMultiresolution params = example_parameters (border);
  double levels[2][11 * 7], guide[11 * 7], outputs[2][11 * 7];
  double *const filtered[3] = { outputs[0], outputs[1], NULL };
  ReferencePlanes planes = planes_of (levels[0], width, height);
  int i, y;

  fill_noise (1, 255.0, levels[0], 2 * width * height);
  fill_noise (2, 1.0, guide, width * height);
  planes.x_pixels = pixels;
  planes.n_channels = 2;
  planes.channels[1] = levels[1];
  planes.border_channels[1] = 3.0 * COLOUR;
  planes.n_guides = with_guide;
  planes.guides[0] = guide;
  planes.border_guides[0] = GUIDE_COLOUR;
  reference_multiresolution (&params, &planes, 255.0, filtered);

  for (i = 0; i < 2; i++) {
    const double colour = planes.border_channels[i];
    Grid grid = grid_of (levels[i], width, height, colour);
    Grid by = with_guide ? grid_of (guide, width, height, GUIDE_COLOUR) : grid;
    Grid result = filter_slowly (&params, grid, by, with_guide ? 1.0 : 255.0,
        pixels, 0);

    for (y = 0; y < height * width; y++)
      result.at[y / width][y % width] += params.gains[3] * colour;
    for (y = 0; y < height; y++)
      assert_near (outputs[i] + y * width, result.at[y], width);
  }
}

static void
test_example (void)
{
  guint border;

  for (border = 0; border < G_N_ELEMENTS (borders); border++) {
    check_example (borders[border], 0, 1);
    check_example (borders[border], 1, 1);
    check_example (borders[border], 0, 2);
    check_example (borders[border], 1, 2);
  }
}

/* Three channels without guides are three planes. */
static void
test_channels (void)
{
  ReferenceMultiresolution params = example_parameters (REFERENCE_BORDER_WRAP);
  double levels[3][9 * 4], together[3][9 * 4], alone[9 * 4];
  double *const outputs[3] = { together[0], together[1], together[2] };
  ReferencePlanes planes = planes_of (levels[0], 9, 4);
  int i;

  fill_noise (3, 255.0, levels[0], 3 * 9 * 4);
  planes.n_channels = 3;
  planes.channels[1] = levels[1];
  planes.channels[2] = levels[2];
  reference_multiresolution (&params, &planes, 255.0, outputs);
  for (i = 0; i < 3; i++) {
    ReferencePlanes plane = planes_of (levels[i], 9, 4);

    filter (&params, &plane, alone);
    assert_near (together[i], alone, 9 * 4);
  }
}

/* A sigma or a radius of 0 leaves a band alone; a negative radius is that of
 * the sigma. */
static void
test_radius (void)
{
  ReferenceMultiresolution params =
      example_parameters (REFERENCE_BORDER_REFLECT);
  ReferenceMultiresolution neutral = params;
  double levels[8 * 6], output[8 * 6], expected[8 * 6];
  ReferencePlanes planes = planes_of (levels, 8, 6);
  int k;

  fill_noise (4, 255.0, levels, 8 * 6);
  for (k = 0; k < 4; k++)
    neutral.spatial_sigmas[k] = 0.0;
  filter (&neutral, &planes, expected);
  neutral = params;
  neutral.radius = 0;
  filter (&neutral, &planes, output);
  assert_near (output, expected, 8 * 6);
  neutral = params;
  for (k = 0; k < 4; k++)
    neutral.intensity_sigmas[k] = 0.0;
  filter (&neutral, &planes, output);
  assert_near (output, expected, 8 * 6);

  for (k = 0; k < 4; k++)
    params.spatial_sigmas[k] = 1.2;
  filter (&params, &planes, expected);
  params.radius = -1;
  filter (&params, &planes, output);
  assert_near (output, expected, 8 * 6);
  params.radius = 1;
  filter (&params, &planes, output);
  g_assert_cmpfloat (fabs (output[0] - expected[0]), >, 1e-3);
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
  g_test_add_func ("/multiresolution/details", test_details);
  g_test_add_func ("/multiresolution/shown", test_shown);
  g_test_add_func ("/multiresolution/example", test_example);
  g_test_add_func ("/multiresolution/channels", test_channels);
  g_test_add_func ("/multiresolution/radius", test_radius);
  g_test_add_func ("/multiresolution/single-sample", test_single_sample);
  return g_test_run ();
}
