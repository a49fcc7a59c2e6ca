/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How strong the noise is, and whether there was a cut: see noise.clh. One
 * block for each work-item. */

#include "pixel.clh"
#include "color.clh"
#include "components.clh"

#define REAL float
#include "dct.clh"
#include "noise.clh"

/* The luma of a pixel in levels of the format. */
#if CHANNELS == 3
#define LUMA_OF(levels) (LUMA_100 ((levels).x, (levels).y, (levels).z) / 100.0f)
#else
#define LUMA_OF(levels) ((levels).x)
#endif

/* Each work-item takes the mean of one of `size` blocks, which are spread over
 * all blocks of 8 x 8, and counts it. Means are at word `offset`. */
kernel void
take_means (INPUT_PIXELS, int width, int height, int2 size,
    global int *means, int offset)
{
  int n = get_global_id (0);
  int m = get_global_id (1);
  if (n >= size.x || m >= size.y)
    return;

  const int first_x = n * (width / 8) / size.x * 8;
  const int first_y = m * (height / 8) / size.y * 8;
  float sum = 0.0f;

  for (int y = first_y; y < first_y + 8; y++) {
    for (int x = first_x; x < first_x + 8; x++)
      sum += LUMA_OF (READ_PIXEL (x, y));
  }
  /* Components may have bits above the depth. */
  const int mean =
      min ((int) rint (sum * (255.0f / MAX_LEVEL / 16.0f)), MAX_MEAN);

  means += offset;
  means[MEAN_BINS + m * size.x + n] = mean;
  atomic_inc ((volatile global int *) means
      + mean / ((MAX_MEAN + 1) / MEAN_BINS));
}

/* Returns whether a picture with `means` does not continue the picture with the
 * means `before`. */
INLINE int
is_cut (global const int *means, global const int *before, int n_means)
{
  uint16 a_sum = 0, b_sum = 0, aa_sum = 0, bb_sum = 0, ab_sum = 0;
  int difference = 0;
  uint distance = 0;

  for (int i = 0; i < MEAN_BINS; i++) {
    difference += means[i] - before[i];
    distance = max (distance, abs (difference));
  }
  for (int i = MEAN_BINS; i < MEAN_BINS + n_means; i += 16) {
    const uint16 a = as_uint16 (vload16 (0, means + i));
    const uint16 b = as_uint16 (vload16 (0, before + i));

    a_sum += a;
    b_sum += b;
    aa_sum += a * a;
    bb_sum += b * b;
    ab_sum += a * b;
  }

  const long a = sum_components (a_sum), b = sum_components (b_sum);
  const float covariance = n_means * (long) sum_components (ab_sum) - a * b;
  const float a_variance = n_means * (long) sum_components (aa_sum) - a * a;
  const float b_variance = n_means * (long) sum_components (bb_sum) - b * b;

  return distance > CUT_DISTANCE * n_means + sqrt ((float) n_means)
      && (covariance <= 0.0f
      || 4.0f * covariance * covariance < a_variance * b_variance);
}

/* Returns how many of the pictures whose means start at `starts` continue each
 * other and the picture with the means at `before`. */
INLINE int
count_of_shot (global const int *means, int before, const int *starts, int n,
    int n_means)
{
  for (int i = 0; i < n; i++) {
    if (is_cut (means + starts[i], means + before, n_means))
      return i;
    before = starts[i];
  }
  return n;
}

/* One work-item decides where cuts are, and keeps the means. The means of the
 * picture are at word `current`, those of the `n_later` pictures behind it at
 * `later`. If `is_first` is set, nothing earlier counts. Channels without a bit
 * in `channels` have no estimates from now on. */
kernel void
find_cuts (global int *result, global const int *means, int current,
    int8 later, int n_means, int is_first, int n_later, int channels)
{
  if (get_global_id (0) > 0 || get_global_id (1) > 0)
    return;

  int starts_of_later[8];

  vstore8 (later, 0, starts_of_later);
  result[RESULT_LATER] =
      count_of_shot (means, current, starts_of_later, n_later, n_means);
  means += current;

  const int starts = is_first
      || is_cut (means, result + RESULT_MEANS, n_means);

  for (int i = 0; i < MEANS_WORDS; i += 16)
    vstore16 (vload16 (0, means + i), 0, result + RESULT_MEANS + i);

  /* How many earlier pictures this one continues. */
  result[RESULT_EARLIER] =
      starts ? 0 : result[RESULT_EARLIER] < MAX_EARLIER
      ? result[RESULT_EARLIER] + 1 : MAX_EARLIER / 2 + 1;
  for (int i = 0; i < 3; i++) {
    global float *estimates = (global float *) result + RESULT_ESTIMATES
        + i * PICTURES * CLASSES;

    /* The picture may get an estimate later. */
    for (int j = 0; j < PICTURES; j++) {
      if (starts || j == (result[RESULT_EARLIER] & (PICTURES - 1)))
        estimates[j * CLASSES] = -1.0f;
    }
    if (!starts && channels >> i & 1)
      continue;
    result[RESULT_COUNT + i] = 0;
    ((global float *) result)[RESULT_SIGMA + i] = 0.0f;
    for (int j = 0; j < CURVE_BINS; j++)
      ((global float *) result)[RESULT_CURVE + i * CURVE_BINS + j] = 0.0f;
  }
}

/* Loads and transforms the block of a channel; returns how many of its samples
 * are clipped. Sets `is_flat` to whether all samples of a row or of a column
 * are equal. */
INLINE int
load_block (float *block, int *is_flat, INPUT_PIXELS, int x, int y, int channel)
{
  int n_clipped = 0, flat_columns = 255;

  *is_flat = 0;
  for (int row = 0; row < 8; row++) {
    int is_flat_row = 1;

    for (int column = 0; column < 8; column++) {
      const float4 levels = READ_PIXEL (x + column, y + row);
      const float level = channel == 0 ? levels.x
          : channel == 1 ? levels.y : levels.z;

      n_clipped += level <= 0.0f || level >= LEVELS;
      block[8 * row + column] = level * (255.0f / MAX_LEVEL);
      is_flat_row &= block[8 * row + column] == block[8 * row];
      if (block[8 * row + column] != block[column])
        flat_columns &= ~(1 << column);
    }
    *is_flat |= is_flat_row;
  }
  *is_flat |= flat_columns != 0;
  dct_block (block);
  return n_clipped;
}

/* Returns the mean square of the coefficients C(i, j) of a block with
 * first <= i + j <= last, of which there are `n`. */
INLINE float
get_mean_square (const float *block, int first, int last, int n)
{
  float sum = 0.0f;

  for (int i = 0; i < 64; i++) {
    if (i / 8 + i % 8 >= first && i / 8 + i % 8 <= last)
      sum += block[i] * block[i];
  }
  return sum / n;
}


/* Each work-item finds the energy of a block, and counts it in the classes that
 * there are. Rows of blocks of all channels follow each other. */
kernel void
take_energies (INPUT_PIXELS, int step, int columns, int rows, int n_classes,
    global float *energies, global int *counts)
{
  int n = get_global_id (0);
  int m = get_global_id (1);
  if (n >= columns || m >= rows * CHANNELS)
    return;

  const int channel = m / rows;
  float block[64];
  int is_flat;
  const int n_clipped = load_block (block, &is_flat, INPUT_ARGUMENTS, n * step,
      m % rows * step, channel);

  is_flat |= get_mean_square (block, 2, 8, 40) < MIN_NOISE;
  counts += channel * n_classes * COUNT_WORDS;
  if (n_clipped > MAX_CLIPPED || is_flat) {
    energies[m * columns + n] = NO_ENERGY;
    if (n_clipped <= MAX_CLIPPED)
      atomic_inc ((volatile global int *) counts + COUNT_FLAT);
    return;
  }

  const float energy = get_mean_square (block, 1, 7, 35);

  energies[m * columns + n] = energy;
  counts += COUNT_ENERGIES + BIN_OF (energy);
  atomic_inc ((volatile global int *) counts);
  if (n_classes > 1)
    atomic_inc ((volatile global int *) counts + CLASS_OF (block)
        * COUNT_WORDS);
}

/* Returns the sum of the counts of all bins. */
INLINE int
count_all (global const int *counts)
{
  uint16 sum = 0;

  for (int i = 0; i < BINS; i += 16)
    sum += as_uint16 (vload16 (0, counts + i));
  return sum_components (sum);
}

/* Returns the first bin up to which `wanted` are counted; sets `before` to how
 * many are counted in the bins before it. */
INLINE int
find_bin (global const int *counts, float wanted, int *before)
{
  int sum = 0, bin = 0;

  for (; bin < BINS - 16; bin += 16) {
    const int part = sum_components (as_uint16 (vload16 (0,
                counts + bin)));

    if (sum + part >= wanted)
      break;
    sum += part;
  }
  while (bin < BINS - 2 && sum + counts[bin] < wanted)
    sum += counts[bin++];
  *before = sum;
  return bin;
}

/* Each work-item finds the last bin of the quiet blocks of a class. */
kernel void
find_limit (int n_classes, global int *counts)
{
  const int id = get_global_id (0);
  if (id >= CHANNELS * n_classes || get_global_id (1) > 0)
    return;

  counts += id * COUNT_WORDS;
  const int least = id % n_classes > 0 ? MIN_OF_CLASS : MIN_QUIET;
  const int n = count_all (counts + COUNT_ENERGIES);
  const int wanted = min (max (n / QUIET_SHARE, least), n);
  int before;
  const int bin = find_bin (counts + COUNT_ENERGIES, wanted, &before);

  counts[COUNT_LIMIT] =
      n >= (id % n_classes > 0 ? MIN_OF_CLASS : 1) ? bin : -1;
}

/* Counts the magnitudes of a block in a class, if it is quiet there. */
INLINE void
count_magnitudes (global int *counts, const float *block, int bin)
{
  if (bin > counts[COUNT_LIMIT])
    return;
  for (int i = 0; i < 64; i++) {
    if (i / 8 + i % 8 >= 9)
      atomic_inc ((volatile global int *) counts + COUNT_MAGNITUDES
          + BIN_OF (fabs (block[i])));
  }
}

/* Each work-item counts the magnitudes of a block, if it is quiet in a
 * class. */
kernel void
take_magnitudes (INPUT_PIXELS, int step, int columns, int rows, int n_classes,
    global const float *energies, global int *counts)
{
  int n = get_global_id (0);
  int m = get_global_id (1);
  if (n >= columns || m >= rows * CHANNELS)
    return;

  const int channel = m / rows;
  const float energy = energies[m * columns + n];
  const int bin = BIN_OF (energy);
  int is_quiet = 0;

  counts += channel * n_classes * COUNT_WORDS;
  for (int i = 0; i < n_classes; i++)
    is_quiet |= bin <= counts[i * COUNT_WORDS + COUNT_LIMIT];
  if (!(energy < NO_ENERGY) || !is_quiet)
    return;

  float block[64];
  int is_flat;
  load_block (block, &is_flat, INPUT_ARGUMENTS, n * step, m % rows * step,
      channel);
  count_magnitudes (counts, block, bin);
  if (n_classes > 1)
    count_magnitudes (counts + CLASS_OF (block) * COUNT_WORDS, block, bin);
}

/* Returns the median of the `n` magnitudes that are counted; within a bin they
 * are taken as evenly spread. */
INLINE float
get_median (global const int *counts, int n)
{
  int before;
  const int bin = find_bin (counts, 0.5f * n, &before);

  return START_OF_BIN (bin) + (0.5f * n - before) / max (counts[bin], 1)
      * (START_OF_BIN (bin + 1) - START_OF_BIN (bin));
}

/* Returns the noise of a class, of whose quiet blocks `n` magnitudes are
 * counted, or -1 if it has no estimate. */
INLINE float
get_estimate (global const int *counts, int n, int class)
{
  const int n_flat = class == 0 ? counts[COUNT_FLAT] : 0;
  const int n_blocks = count_all (counts + COUNT_ENERGIES);

  if (n_blocks * FLAT_SHARE < n_flat)
    return 0.0f;
  if (n == 0)
    return -1.0f;

  const float s = get_median (counts + COUNT_MAGNITUDES, n) / NORMAL_MEDIAN;
  const float energy = START_OF_BIN (counts[COUNT_LIMIT]);

  if (class > 0 && energy > MAX_ENERGY * s * s)
    return -1.0f;
  if (n_flat * FLAT_SHARE > n_blocks
      && energy > MAX_ENERGY_BESIDE_FLAT * s * s)
    return 0.0f;
  return sqrt (max (s * s - DETAIL * DETAIL, 0.0f));
}

/* Each work-item estimates the noise of a class; -1 says that the class does
 * not count. `first_channel` is the first channel of the pass. */
kernel void
estimate (global int *result, global const int *counts, int first_channel,
    int n_classes)
{
  const int id = get_global_id (0);
  if (id >= CHANNELS * n_classes || get_global_id (1) > 0)
    return;

  const int class = id % n_classes;

  counts += id * COUNT_WORDS;
  ((global float *) result)[RESULT_FRESH + (first_channel + id / n_classes)
      * CLASSES + class] = get_estimate (counts,
      count_all (counts + COUNT_MAGNITUDES), class);
}

/* Returns the mean of the estimates of a class, those that count, or -1 if none
 * does. They are in `n` places, the newest one first, and are added up from the
 * oldest on, so that the sum does not depend on where the film began. */
INLINE float
get_mean_estimate (global const float *estimates, const int *places, int n)
{
  float sum = 0.0f;
  int n_valid = 0;

  for (int i = n - 1; i >= 0; i--) {
    const float estimate = estimates[places[i] * CLASSES];

    if (estimate < 0.0f)
      continue;
    sum += estimate;
    n_valid++;
  }
  return n_valid > 0 ? sum / n_valid : -1.0f;
}

/* Puts bins that do not count between those that do. */
INLINE void
fill_curve (global float *curve, const float *known, float sigma)
{
  for (int i = 0; i < CURVE_BINS; i++) {
    int below = i, above = i;

    while (below >= 0 && known[below] < 0.0f)
      below--;
    while (above < CURVE_BINS && known[above] < 0.0f)
      above++;
    if (below < 0 && above == CURVE_BINS)
      curve[i] = sigma;
    else if (below < 0)
      curve[i] = known[above];
    else if (above == CURVE_BINS || above == below)
      curve[i] = known[below];
    else
      curve[i] = known[below] + (known[above] - known[below])
          * (i - below) / (above - below);
  }
}

/* Each work-item takes the mean of the last estimates of a channel. */
kernel void
take_means_of_estimates (global int *result, int first_channel, int n_classes)
{
  if (get_global_id (0) >= CHANNELS || get_global_id (1) > 0)
    return;

  const int channel = first_channel + get_global_id (0);
  const int index = result[RESULT_EARLIER];
  global float *floats = (global float *) result;
  global const float *fresh = floats + RESULT_FRESH + channel * CLASSES;
  global float *estimates =
      floats + RESULT_ESTIMATES + channel * PICTURES * CLASSES;
  global float *own = estimates + (index & (PICTURES - 1)) * CLASSES;
  int places[ESTIMATES];
  int n = 0;

  for (int i = 0; i < CLASSES; i++)
    own[i] = i < n_classes ? fresh[i] : -1.0f;
  for (int i = 0; i < PICTURES && i <= index && n < ESTIMATES; i++) {
    const int place = (index - i) & (PICTURES - 1);

    if (estimates[place * CLASSES] >= 0.0f)
      places[n++] = place;
  }
  result[RESULT_COUNT + channel] = n;

  const float sigma = max (get_mean_estimate (estimates, places, n), 0.0f);
  float known[CURVE_BINS];

  floats[RESULT_SIGMA + channel] = sigma;
  if (n_classes == 1)
    return;
  for (int i = 0; i < CURVE_BINS; i++)
    known[i] = get_mean_estimate (estimates + 1 + i, places, n);
  fill_curve (floats + RESULT_CURVE + channel * CURVE_BINS, known, sigma);
}
