/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels that find the noise and cuts from the counts of blocks. They read no
 * samples, see noise.clh. */

#pragma OPENCL FP_CONTRACT OFF

#include "noise.clh"
#include "counts.clh"

/* Shared data of a group for comparing two lists of means: sums, and the
 * difference of their histograms. */
typedef struct
{
  uint sums[5];
  int distance;
  int counts[MEAN_BINS];
} Compared;

/* Returns whether a picture with `means` does not continue the picture with the
 * means `before`. All work-items of the group call this function. */
GROUP_FUNCTION int
is_cut (SHARED Compared *compared, global const int *means,
    global const int *before, int n_means)
{
  const int item = get_item ();
  uint own[5] = { 0, 0, 0, 0, 0 };

  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int i = item; i < 5; i += COUNT_GROUP)
    compared->sums[i] = 0;
  if (item == 0)
    compared->distance = 0;
  for (int i = item; i < MEAN_BINS; i += COUNT_GROUP)
    compared->counts[i] = 0;
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < n_means; i += COUNT_GROUP) {
    const uint a = means[i], b = before[i];

    ADD_SHARED (compared->counts + BIN_OF_MEAN (a), 1);
    ADD_SHARED (compared->counts + BIN_OF_MEAN (b), -1);
    own[0] += a;
    own[1] += b;
    own[2] += a * a;
    own[3] += b * b;
    own[4] += a * b;
  }
  for (int i = 0; i < 5; i++)
    ADD_SHARED (compared->sums + i, own[i]);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  for (int bin = item; bin < MEAN_BINS; bin += COUNT_GROUP) {
    int difference = 0;

    for (int i = 0; i <= bin; i++)
      difference += compared->counts[i];
    MAX_SHARED (&compared->distance, abs (difference));
  }
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);

  const long a = compared->sums[0], b = compared->sums[1];
  const float covariance = n_means * (long) compared->sums[4] - a * b;
  const float a_variance = n_means * (long) compared->sums[2] - a * a;
  const float b_variance = n_means * (long) compared->sums[3] - b * b;

  return compared->distance > CUT_DISTANCE * n_means + sqrt ((float) n_means)
      && (covariance <= 0.0f
      || 4.0f * covariance * covariance < a_variance * b_variance);
}

/* One group decides where cuts are, and keeps the means. The means of the
 * picture are at word `current`, those of the `n_later` pictures after it at
 * `later`. If `is_first` is set, earlier pictures are ignored. Channels without
 * a bit in `channels` have no estimates from now on. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
find_cuts (global int *result, global const int *means, int current,
    int8 later, int n_means, int is_first, int n_later, int channels)
{
  SHARED Compared compared;
  const int item = get_item ();
  int starts_of_later[8];
  int before = current, n_of_shot = 0, is_of_shot = 1;

  vstore8 (later, 0, starts_of_later);
  for (int i = 0; i < n_later; i++) {
    is_of_shot &= !is_cut (&compared, means + starts_of_later[i],
        means + before, n_means);
    n_of_shot += is_of_shot;
    before = starts_of_later[i];
  }
  means += current;

  /* The first picture has no means before it. */
  const int starts = is_first
      || is_cut (&compared, means, result + RESULT_MEANS, n_means);
  const int last = result[RESULT_EARLIER];
  /* Number of earlier pictures that this one continues. */
  const int earlier = starts ? 0 : last < MAX_EARLIER ? last + 1
      : MAX_EARLIER / 2 + 1;

  GROUP_BARRIER (CLK_GLOBAL_MEM_FENCE);
  for (int i = item; i < n_means; i += COUNT_GROUP)
    result[RESULT_MEANS + i] = means[i];
  if (item == 0) {
    result[RESULT_LATER] = n_of_shot;
    result[RESULT_EARLIER] = earlier;
  }

  /* The picture may get an estimate later. */
  for (int i = item; i < 3 * PICTURES; i += COUNT_GROUP) {
    if (starts || (i & (PICTURES - 1)) == (earlier & (PICTURES - 1)))
      ((global float *) result)[RESULT_ESTIMATES + i * CLASSES] = -1.0f;
  }
  for (int channel = item; channel < 3; channel += COUNT_GROUP) {
    if (!starts && channels >> channel & 1)
      continue;
    result[RESULT_COUNT + channel] = 0;
    ((global float *) result)[RESULT_SIGMA + channel] = 0.0f;
#pragma unroll 1
    for (int i = 0; i < CURVE_BINS; i++)
      ((global float *) result)[RESULT_CURVE + channel * CURVE_BINS + i] = 0.0f;
  }
}

/* Each group finds the last bin of the quiet blocks of a class of a channel. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
find_limit (global int *result, int n_classes)
{
  SHARED Counted counted;
  const int id = get_group_id (0);
  const int least = id % n_classes > 0 ? MIN_OF_CLASS : MIN_QUIET;
  const float nothing = 0.0f;
  global int *counts = NOISE_COUNTS (result, id);

  const int n =
      find_bins (&counted, counts + COUNT_ENERGIES, &nothing, 0, 0);
  const float wanted = min (max (n / QUIET_SHARE, least), n);

  find_bins (&counted, counts + COUNT_ENERGIES, &wanted, 1, 0);
  if (get_item () == 0)
    counts[COUNT_LIMIT] = n >= (id % n_classes > 0 ? MIN_OF_CLASS : 1)
        ? counted.bins[0] : -1;
}

/* Counts the magnitudes of a block in a class, if it is quiet there. */
INLINE void
count_magnitudes (global int *counts, global const ushort *block)
{
  if (block[NOISE_BLOCK_ENERGY] > counts[COUNT_LIMIT])
    return;
  for (int i = 0; i < N_MAGNITUDES; i++)
    atomic_inc ((volatile global int *) counts + COUNT_MAGNITUDES + block[i]);
}

/* Each work-item counts the magnitudes of a block, if it is quiet in a class.
 * `n_blocks` is the number of blocks of channel 0, and of other channels. */
kernel void
take_magnitudes (global int *result, int n_classes, int2 n_blocks,
    int n_channels)
{
  const int n = get_global_id (0);
  const int channel = get_global_id (1);
  if (channel >= n_channels || n >= (channel == 0 ? n_blocks.x : n_blocks.y))
    return;

  global int *counts = NOISE_COUNTS (result, channel * n_classes);
  global const ushort *block = NOISE_BLOCK (result, channel, n);

  if (block[NOISE_BLOCK_ENERGY] == NO_ENERGY)
    return;
  count_magnitudes (counts, block);
  if (n_classes > 1)
    count_magnitudes (counts + block[NOISE_BLOCK_CLASS] * COUNT_WORDS, block);
}

/* Returns the noise of a class, of whose quiet blocks `n` magnitudes with a
 * median are counted, of `n_blocks` blocks, or -1 if it has no estimate. */
GROUP_FUNCTION float
get_estimate (global const int *counts, int n, float median, int n_blocks,
    int class)
{
  const int n_flat = class == 0 ? counts[COUNT_FLAT] : 0;

  if (n_blocks * FLAT_SHARE < n_flat)
    return 0.0f;
  if (n == 0)
    return -1.0f;

  const float s = median / NORMAL_MEDIAN;
  const float energy = START_OF_BIN (counts[COUNT_LIMIT]);

  if (class > 0 && energy > MAX_ENERGY * s * s)
    return -1.0f;
  if (n_flat * FLAT_SHARE > n_blocks
      && energy > MAX_ENERGY_BESIDE_FLAT * s * s)
    return 0.0f;
  return sqrt (max (s * s - DETAIL * DETAIL, 0.0f));
}

/* Each group estimates the noise of a class of a channel, or -1 if the class is
 * ignored. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
estimate (global int *result, int n_classes)
{
  SHARED Counted counted;
  const int id = get_group_id (0);
  const int class = id % n_classes;
  const float half_of_all = 0.5f;
  global const int *counts = NOISE_COUNTS (result, id);

  const int n_blocks =
      find_bins (&counted, counts + COUNT_ENERGIES, &half_of_all, 0, 1);
  const int n =
      find_bins (&counted, counts + COUNT_MAGNITUDES, &half_of_all, 1, 1);

  if (get_item () == 0)
    ((global float *) result)[RESULT_FRESH + id / n_classes * CLASSES + class] =
        get_estimate (counts, n, get_quantile (&counted,
            counts + COUNT_MAGNITUDES, 0, 0.5f * n), n_blocks, class);
}

/* Returns the mean of the valid estimates of a class, or -1 if there are none.
 * They are in `n` places, the newest one first, and are added up from the
 * oldest on, so that the sum does not depend on the start of the video. */
GROUP_FUNCTION float
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

/* Returns the value of a bin of a curve. Invalid bins are interpolated. */
GROUP_FUNCTION float
get_of_curve (SHARED const float *known, int bin, float sigma)
{
  int below = bin, above = bin;

  while (below >= 0 && known[below] < 0.0f)
    below--;
  while (above < CURVE_BINS && known[above] < 0.0f)
    above++;
  if (below < 0)
    return above == CURVE_BINS ? sigma : known[above];
  if (above == CURVE_BINS || above == below)
    return known[below];
  return known[below] + (known[above] - known[below])
      * (bin - below) / (above - below);
}

/* Each group computes the means of the last estimates of a channel. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
take_means_of_estimates (global int *result, int n_classes)
{
  SHARED float known[CLASSES];
  const int item = get_item ();
  const int channel = get_group_id (0);
  const int index = result[RESULT_EARLIER];
  global float *floats = (global float *) result;
  global float *estimates =
      floats + RESULT_ESTIMATES + channel * PICTURES * CLASSES;
  int places[ESTIMATES];
  int n = 0;

  for (int class = item; class < CLASSES; class += COUNT_GROUP)
    estimates[(index & (PICTURES - 1)) * CLASSES + class] =
        class < n_classes ? floats[RESULT_FRESH + channel * CLASSES + class]
        : -1.0f;
  GROUP_BARRIER (CLK_GLOBAL_MEM_FENCE);
#pragma unroll 1
  for (int i = 0; i < PICTURES && i <= index && n < ESTIMATES; i++) {
    const int place = (index - i) & (PICTURES - 1);

    if (estimates[place * CLASSES] >= 0.0f)
      places[n++] = place;
  }
  for (int class = item; class < CLASSES; class += COUNT_GROUP)
    known[class] = get_mean_estimate (estimates + class, places, n);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);

  const float sigma = max (known[0], 0.0f);

  if (item == 0) {
    result[RESULT_COUNT + channel] = n;
    floats[RESULT_SIGMA + channel] = sigma;
  }
  for (int bin = item; n_classes > 1 && bin < CURVE_BINS; bin += COUNT_GROUP)
    floats[RESULT_CURVE + channel * CURVE_BINS + bin] =
        get_of_curve (known + 1, bin, sigma);
}
