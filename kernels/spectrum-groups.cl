/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels that find the spectrum of the noise from the counts of blocks. Each
 * runs in few work-groups, and reads no samples, see spectrum.clh. Long loops
 * are not unrolled, or only by 8, because compilers take long for their
 * code. */

#pragma OPENCL FP_CONTRACT OFF

#include "motion.clh"
#include "noise.clh"
#include "counts.clh"
#include "spectrum.clh"

/* Each group finds the limit of the quiet blocks of a class, or the limits of
 * the parts, or the median of the shifts. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
limit_textures (global int *result, int scratch, int2 classes)
{
  SHARED Counted counted;
  float places[PARTS + 1] = { 0.02f, 0.17f, 0.33f, 0.5f, 0.67f, 0.83f };
  const int item = get_item ();
  const int class = get_group_id (0);
  const int channel = get_global_id (1);
  const int n_classes = OF_CHANNEL (classes, channel);
  global int *counts = get_counts (result, scratch, channel);
  global const int *own = counts + (class > CURVE_BINS ? HISTOGRAM_SHIFT
      : HISTOGRAM_TEXTURE + class) * BINS;
  global int *limits = counts + LIMITS;
  global float *floats = (global float *) limits;

  if (class >= n_classes && class < CURVE_BINS)
    return;
  if (class != CURVE_BINS)
    places[0] = 0.5f;

  const int n = find_bins (&counted, own, places,
      class != CURVE_BINS ? 1 : PARTS + 1, 1);

  if (class != CURVE_BINS) {
    if (item == 0) {
      const float median = get_quantile (&counted, own, 0, 0.5f * n);

      if (class < CURVE_BINS)
        limits[LIMIT_QUIET + class] =
            n < MIN_OF_CLASS_OVER_TIME ? -1 : counted.bins[0];
      floats[class < CURVE_BINS ? LIMIT_T + class : LIMIT_SHIFT] = median;
    }
    return;
  }

  float middles[PARTS];
  int is_empty[PARTS];
  int low = counted.before[0];

  for (int i = 0; i < PARTS; i++) {
    const int end = counted.before[i + 1] + own[counted.bins[i + 1]];

    middles[i] = 0.5f * (low + end);
    is_empty[i] = end <= low;
    low = end;
  }
  if (item == 0)
    limits[LIMIT_N] = n;
  for (int i = item; i <= PARTS; i += COUNT_GROUP)
    limits[LIMIT_PARTS + i] = counted.bins[i];
  find_bins (&counted, own, middles, PARTS, 0);
  for (int i = item; i < PARTS; i += COUNT_GROUP)
    floats[LIMIT_TEXTURES + i] = is_empty[i] ? -1.0f
        : get_quantile (&counted, own, i, middles[i]);
}

/* The position in the ring of a channel of the picture with an index. */
INLINE global float *
get_entry (global int *result, int channel, int index)
{
  return (global float *) result + SPECTRUM_RING
      + (channel * PICTURES + (index & (PICTURES - 1))) * ENTRY_WORDS;
}

/* Starts the entry of a picture, which is valid if there are enough blocks and
 * if `light`, the median of |R(0, 0)|, is consistent with `energy`, that of e.
 * If it is the first one, there are no others. */
GROUP_FUNCTION void
start_entry (global int *result, int channel, int index, int is_first,
    int n_classes, int n, int n_quiet, float light, float energy)
{
  global float *entry = get_entry (result, channel, index);

#pragma unroll 1
  for (int i = n_classes; i < CURVE_BINS; i++)
    entry[ENTRY_N + i] = 0.0f;
#pragma unroll 1
  for (int i = 1; is_first && i < PICTURES; i++)
    get_entry (result, channel, index + i)[ENTRY_IS_VALID] = 0.0f;
  entry[ENTRY_IS_VALID] = n >= MIN_BLOCKS && n_quiet > 0
      && light <= 3.0f * sqrt (energy) + 1.5f;
}

/* Each group evaluates a class, a half of its frequencies or a part, or whether
 * the picture is valid: CURVE_BINS groups for classes, twice as many for their
 * halves, PARTS for parts, and one. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
limit_energies (global int *result, int scratch, int2 classes, int is_first,
    global const int *noise)
{
  SHARED Counted counted;
  const int group = get_group_id (0);
  const int channel = get_global_id (1);
  const int n_classes = OF_CHANNEL (classes, channel);
  const int class = group % CURVE_BINS;
  const int part = group - 3 * CURVE_BINS;
  const int index = noise[RESULT_EARLIER];
  const int is_writer = get_item () == 0;
  const float of_class[2] = { 0.5f, 0.9f }, of_half[2] = { 0.5f, 0.97f };
  global float *entry = get_entry (result, channel, index);
  global int *counts = get_counts (result, scratch, channel);
  global int *limits = counts + LIMITS;
  global float *floats = (global float *) limits;
  global const int *own = counts + (part < 0
      ? group / CURVE_BINS * CURVE_BINS + HISTOGRAM_E + class
      : part < PARTS ? HISTOGRAM_PARTS + part : HISTOGRAM_QUIET) * BINS;

  if (part < 0 && class >= n_classes)
    return;

  const int n = find_bins (&counted, own, group < CURVE_BINS ? of_class
      : of_half, 2, 1);

  if (part == PARTS) {
    const float energy = get_quantile (&counted, own, 0, 0.5f * n);
    global const int *light = counts + HISTOGRAM_LIGHT * BINS;

    find_bins (&counted, light, of_half, 1, 1);
    if (is_writer)
      start_entry (result, channel, index, is_first || index == 0, n_classes,
          limits[LIMIT_N], n, get_quantile (&counted, light, 0, 0.5f * n),
          energy);
  } else if (!is_writer) {
    return;
  } else if (group < CURVE_BINS) {
    entry[ENTRY_N + class] = n;
    entry[ENTRY_A + class] = get_quantile (&counted, own, 0, 0.5f * n);
    entry[ENTRY_B + class] = get_quantile (&counted, own, 1, 0.9f * n);
    entry[ENTRY_T + class] = floats[LIMIT_T + class];
  } else if (part < 0) {
    const int place = (group < 2 * CURVE_BINS ? LIMIT_EVEN : LIMIT_ODD)
        + 2 * class;

    limits[place] = counted.bins[0];
    limits[place + 1] = counted.bins[1];
  } else {
    floats[LIMIT_ENERGIES + part] =
        n > 0 ? get_quantile (&counted, own, 0, 0.5f * n) : -1.0f;
  }
}

/* Sorts up to POOLED values. */
INLINE void
sort_values (float *values, int n)
{
  for (int i = 1; i < n; i++) {
    const float value = values[i];
    int place = i;

    for (; place > 0 && values[place - 1] > value; place--)
      values[place] = values[place - 1];
    values[place] = value;
  }
}

INLINE float
get_median_of (float *values, int n)
{
  sort_values (values, n);
  return n > 0 ? 0.5f * (values[n / 2] + values[(n - 1) / 2]) : 0.0f;
}

/* Sets `places` to the entries of the pictures that are pooled, the newest one
 * first, and returns how many there are. */
INLINE int
find_pooled (global int *result, int channel, int index, int *places)
{
  int n = 0;

#pragma unroll 1
  for (int i = 0; i < PICTURES && i <= index && n < POOLED; i++) {
    const int place = (index - i) & (PICTURES - 1);

    if (get_entry (result, channel, place)[ENTRY_IS_VALID] > 0.0f)
      places[n++] = place;
  }
  return n;
}

/* Returns beta, by the five parts of the blocks. */
INLINE float
get_slope (global const float *limits)
{
  float x_sum = 0.0f, xx = 0.0f, xy = 0.0f;
  int n = 0;

  for (int i = 0; i < PARTS; i++) {
    const float x = limits[LIMIT_TEXTURES + i];
    const float y = limits[LIMIT_ENERGIES + i];

    if (x < 0.0f || y < 0.0f)
      continue;
    x_sum += x;
    n++;
  }
  for (int i = 0; i < PARTS; i++) {
    const float x = limits[LIMIT_TEXTURES + i];
    const float y = limits[LIMIT_ENERGIES + i];

    if (x < 0.0f || y < 0.0f)
      continue;
    xx += (x - x_sum / n) * (x - x_sum / n);
    xy += (x - x_sum / n) * y;
  }
  return max (xy / max (xx, 1e-9f), 0.0f);
}

/* The pool of a channel. */
INLINE global float *
get_pool (global int *result, int channel)
{
  return (global float *) result + SPECTRUM_POOLS + channel * POOL_WORDS;
}

/* Pools a class. */
INLINE void
pool_class (global int *result, global float *pool, int channel,
    const int *places, int n, int class)
{
  float a[POOLED], b[POOLED], t[POOLED];
  float sums[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
  int count = 0;

  for (int i = 0; i < n; i++) {
    global const float *entry = get_entry (result, channel, places[i]);
    int place = count;

    if (entry[ENTRY_N + class] == 0.0f)
      continue;
    sums[3] += entry[ENTRY_N + class];
    count++;
    for (; place > 0 && a[place - 1] > entry[ENTRY_A + class]; place--) {
      a[place] = a[place - 1];
      b[place] = b[place - 1];
      t[place] = t[place - 1];
    }
    a[place] = entry[ENTRY_A + class];
    b[place] = entry[ENTRY_B + class];
    t[place] = entry[ENTRY_T + class];
  }

  const int begin = count / 2, end = max (begin + 1, count - count / 4);

  for (int i = begin; i < end && i < count; i++) {
    sums[0] += a[i];
    sums[1] += b[i];
    sums[2] += t[i];
  }
  for (int i = 0; i < 3; i++)
    sums[i] /= end - begin;
  pool[ENTRY_A + class] = sums[0];
  pool[ENTRY_B + class] = sums[1];
  pool[ENTRY_T + class] = sums[2];
  pool[ENTRY_N + class] = sums[3];
}

/* Pools coefficient `item`, or a class, the slope or the shift. `own` is the
 * value of a coefficient of the current picture. */
GROUP_FUNCTION void
pool_item (global int *result, int channel, int index, int item, float own,
    global const float *limits)
{
  global float *entry = get_entry (result, channel, index);
  global float *pool = get_pool (result, channel);
  const int word = item < 64 ? ENTRY_S + item
      : item == 64 + CURVE_BINS ? ENTRY_BETA : ENTRY_SHIFT;
  float values[POOLED];
  int places[POOLED];

  /* Other items do not read the output of this one. */
  if (item < 64)
    entry[ENTRY_S + item] = own;
  else if (item == 64 + CURVE_BINS)
    entry[ENTRY_BETA] = get_slope (limits);
  else if (item > 64 + CURVE_BINS)
    entry[ENTRY_SHIFT] = limits[LIMIT_SHIFT];

  const int n = find_pooled (result, channel, index, places);

  if (item >= 64 && item < 64 + CURVE_BINS) {
    pool_class (result, pool, channel, places, n, item - 64);
    return;
  }
  for (int i = 0; i < n; i++)
    values[i] = get_entry (result, channel, places[i])[word];
  pool[word] = get_median_of (values, n);
  if (item == 64 + CURVE_BINS)
    result[SPECTRUM_COUNTS + channel] = n;
}

/* The groups of a channel pool its 64 coefficients, its classes, its slope and
 * its shift. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
pool_pictures (global int *result, int scratch, global const int *noise)
{
  SHARED Counted counted;
  const int group = get_group_id (0);
  const int channel = get_global_id (1);
  const float half_of_all = 0.5f;
  global int *counts = get_counts (result, scratch, channel);
  /* Groups of no coefficient look at the first ones. */
  global const int *own = counts + (HISTOGRAM_S + group % 64) * BINS;
  const int n = find_bins (&counted, own, &half_of_all, 1, 1);

  if (get_item () == 0)
    pool_item (result, channel, noise[RESULT_EARLIER], group,
        get_quantile (&counted, own, 0, 0.5f * n) / NORMAL_SQUARE,
        (global const float *) counts + LIMITS);
}

/* Returns r: the median of B / A, weighted by the blocks of the classes. */
INLINE float
get_ratio (global const float *pool)
{
  float ratios[CURVE_BINS], weights[CURVE_BINS];
  float sum = 0.0f, part = 0.0f;
  int n = 0;

#pragma unroll 1
  for (int i = 0; i < CURVE_BINS; i++) {
    const float weight = pool[ENTRY_N + i];
    const float ratio = pool[ENTRY_B + i] / max (pool[ENTRY_A + i], 1e-6f);
    int place = n;

    if (weight == 0.0f)
      continue;
    n++;
    sum += weight;
    for (; place > 0 && ratios[place - 1] > ratio; place--) {
      ratios[place] = ratios[place - 1];
      weights[place] = weights[place - 1];
    }
    ratios[place] = ratio;
    weights[place] = weight;
  }
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    part += weights[i];
    if (part >= 0.5f * sum)
      return sqrt (ratios[i]);
  }
  return 1.0f;
}

/* The level of a class by A' and r. */
INLINE float
get_level (float energy, float ratio)
{
  const float a = sqrt (max (energy, 1e-12f)) / 0.986f;
  const float b = ratio * sqrt (max (energy, 1e-12f)) / 1.173f;
  const float l = min (b * clamp (1.0f + 1.5f * (b / a - 1.03f), 1.0f, 1.35f),
      2.2f * a);

  return sqrt (max (l * l - 1.5f * 1.5f, 0.0f));
}

/* The response of the blur of motion.clh, squared, at a frequency. */
INLINE float
get_response (int frequency)
{
  /* 1 14 62 102 62 14 1 over 256: g (i) */
  const float responses[8] = {
    1.0f, 0.926271167f, 0.735418075f, 0.499242175f, 0.289062500f, 0.142953217f,
    0.061456925f, 0.025283441f
  };

  return responses[frequency] * responses[frequency];
}

/* Shared data of a group for computing a spectrum. */
typedef struct
{
  float s[64];
  float squares[CURVE_BINS];    /* of the levels of classes */
} Spectrum;

/* Returns T over all classes. */
INLINE float
get_texture (global const float *pool)
{
  float n = 0.0f, texture = 0.0f;

  for (int i = 0; i < CURVE_BINS; i++) {
    n += pool[ENTRY_N + i];
    texture += pool[ENTRY_N + i] * pool[ENTRY_T + i];
  }
  return n > 0.0f ? sqrt (texture / n) : 0.0f;
}

/* Sets the levels of the classes from the pool, including p and the rules for
 * texture. `luma` is the pool of channel 0. Returns L over all classes. All
 * work-items of the group call this function. */
INLINE float
set_levels (SHARED Spectrum *shared, global float *levels,
    global const float *pool, float ratio, float part,
    global const float *luma)
{
  const int item = get_item ();
  const float texture = get_texture (pool);
  float n = 0.0f, level = 0.0f;

  for (int i = item; i < CURVE_BINS; i += COUNT_GROUP) {
    const float energy = pool[ENTRY_A + i];
    const float beta = pool[ENTRY_BETA];
    const float left = 0.5f * beta * clamp ((0.5f - beta) / 0.2f, 0.0f, 1.0f)
        * pool[ENTRY_T + i];
    const float own = part * get_level (max (energy - left, 0.1f * energy),
        ratio);

    shared->squares[i] = own * own;
  }
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < CURVE_BINS; i++) {
    n += pool[ENTRY_N + i];
    level += pool[ENTRY_N + i] * shared->squares[i];
  }
  level = sqrt (level / n);

  const float luma_texture = get_texture (luma);
  const float fine = 0.7f * clamp ((luma_texture - 16.0f) / 4.0f, 0.0f, 1.0f)
      * clamp ((luma[ENTRY_SHIFT] - 0.08f) / 0.08f, 0.0f, 1.0f);
  const float factor = level > 0.0f
      ? clamp (1.0f - 0.15f * (texture / level - 1.5f), 0.4f, 1.0f)
      * clamp (1.0f - fine * (max (texture, luma_texture) / level - 1.8f), 0.0f,
      1.0f) : 0.0f;

  for (int class = item; class < CURVE_BINS; class += COUNT_GROUP) {
    float sum = 0.0f, weights = 0.0f;

    for (int i = 0; i < CURVE_BINS; i++) {
      /* 0.05^distance */
      const float weight = pool[ENTRY_N + i]
          * exp2 (-4.3219280949f * abs (i - class));

      sum += weight * shared->squares[i];
      weights += weight;
    }
    levels[class] = factor * sqrt (sum / max (weights, 1e-30f));
  }
  return factor * level;
}

/* Sets the spectrum of a channel, in which pictures are pooled. Returns the
 * noise after the blur. `spatial` is the estimate of noise.clh. All work-items
 * of the group call this function. */
GROUP_FUNCTION float
set_spectrum (SHARED Spectrum *shared, global float *floats, int channel,
    global const float *pool, float spatial)
{
  const int item = get_item ();
  global float *levels = floats + SPECTRUM_LEVELS + channel * CURVE_BINS;
  SHARED float *s = shared->s;
  float low = 0.0f, high = 0.0f, blurred = 0.0f;

  for (int i = item; i < 64; i += COUNT_GROUP)
    s[i] = pool[ENTRY_S + i];
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    s[1] = min (s[1], 1.3f * max (s[9], s[2]));
    s[8] = min (s[8], 1.3f * max (s[9], s[16]));
    s[0] = min (s[1], s[8]);
  }
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
  for (int i = 0; i < 64; i++) {
    const int sum = i / 8 + i % 8;

    low += sum >= LOW_BEGIN && sum <= LOW_END ? s[i] / N_LOW : 0.0f;
    high += sum >= HIGH_BEGIN ? s[i] / N_HIGH : 0.0f;
  }
  low = max (low, 1e-9f);

  const float ratio = get_ratio (pool);
  const float h = sqrt (high / low);
  const int is_sharp = spatial > 0.7f * sqrt (high);
  const float mean = set_levels (shared, levels, pool, ratio,
      is_sharp ? 1.0f : clamp ((1.5f - h) / 0.4f, 0.0f, 1.0f),
      get_pool ((global int *) floats, 0));
  const int is_white = fabs (h - 1.0f) < 0.08f && ratio < 1.27f
      && fabs (spatial - mean) < 0.1f * mean;
  const float power = 1.0f - clamp ((h - 0.55f) / 0.1f, 0.0f, 1.0f);

  /* Others have read s[i] only before the barrier in set_levels (). */
  for (int i = item; i < 64; i += COUNT_GROUP) {
    const float own = max ((h > 1.1f && !is_sharp ? min (s[i], 1.21f * low)
            : s[i]) / low, 1e-6f);
    const float shape = is_white ? 1.0f
        : own < 1.0f ? exp2 (power * log2 (own)) : own;

    s[i] = shape * get_response (i / 8) * get_response (i % 8);
    floats[SPECTRUM_SCALES + channel * 64 + i] = 1.0f / sqrt (shape);
  }
  for (int i = item; is_white && i < CURVE_BINS; i += COUNT_GROUP)
    levels[i] = 0.0f;
  if (item == 0) {
    floats[SPECTRUM_RATIOS + channel] = ratio;
    floats[SPECTRUM_SLOPES + channel] = h;
    floats[SPECTRUM_MEANS + channel] = is_white ? 0.0f : mean;
  }
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  if (is_white)
    return 0.282f * spatial;
#pragma unroll 8
  for (int i = 0; i < 64; i++)
    blurred += s[i];
  return max (mean * sqrt (blurred / 64.0f), 0.282f * spatial);
}

/* Sets a channel's spectrum to the noise found by noise.clh only. All
 * work-items of the group call this function. */
INLINE void
set_nothing (global float *floats, int channel, int item)
{
  for (int i = item; i < 64; i += COUNT_GROUP)
    floats[SPECTRUM_SCALES + channel * 64 + i] = 1.0f;
  for (int i = item; i < CURVE_BINS; i += COUNT_GROUP)
    floats[SPECTRUM_LEVELS + channel * CURVE_BINS + i] = 0.0f;
  if (item == 0) {
    floats[SPECTRUM_MEANS + channel] = 0.0f;
    floats[SPECTRUM_RATIOS + channel] = 0.0f;
    floats[SPECTRUM_SLOPES + channel] = 0.0f;
  }
}

/* Each group sets the spectrum of a channel, of which the first `n_channels`
 * are measured. The group of channel 0 also sets the limit of a match. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
find_spectrum (global int *result, int n_channels, global const float *noise)
{
  SHARED Spectrum shared;
  const int item = get_item ();
  const int channel = get_global_id (1);
  float blurred = 0.282f * noise[channel];

  if (channel < n_channels && result[SPECTRUM_COUNTS + channel] > 0) {
    blurred = set_spectrum (&shared, (global float *) result, channel,
        get_pool (result, channel), noise[channel]);
  } else {
    set_nothing ((global float *) result, channel, item);
    /* Work-items read the counts of measured channels, which are 0 here. */
    if (item == 0 && channel >= n_channels)
      result[SPECTRUM_COUNTS + channel] = 0;
  }
  if (channel == 0 && item == 0)
    result[SPECTRUM_LIMIT] = MATCH_LIMIT (blurred * MOTION_UNIT);
}

/* Sets the result for noise that is given, or only found by noise.clh. */
kernel __attribute__ ((reqd_work_group_size (COUNT_GROUP, 1, 1))) void
set_given (global int *result, global const float *noise, float given)
{
  const int item = get_item ();
  const int channel = get_global_id (1);

  set_nothing ((global float *) result, channel, item);
  if (item > 0)
    return;
  result[SPECTRUM_COUNTS + channel] = 0;
  if (channel == 0)
    result[SPECTRUM_LIMIT] =
        MATCH_LIMIT (0.282f * MOTION_SIGMA (given, noise));
}
