/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "referencedenoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 8
#define FIRST (-6)
#define MAX_FRAMES (REFERENCE_MAX_HISTORY + 1 + REFERENCE_MAX_LOOKAHEAD)

static int
clamp_int (int value, int least, int most)
{
  return value < least ? least : value > most ? most : value;
}

int
reference_denoise_get_width (const ReferenceDenoiseFrame * frame, int n)
{
  const int shift = n > 0 && !frame->is_rgb ? frame->x_shift : 0;

  return (frame->width + (1 << shift) - 1) >> shift;
}

int
reference_denoise_get_height (const ReferenceDenoiseFrame * frame, int n)
{
  const int shift = n > 0 && !frame->is_rgb ? frame->y_shift : 0;

  return ((frame->height + (1 << shift) - 1) >> shift)
      - (shift > 0 && frame->lacks_row);
}

/* D(k,i) = a(k) cos ((2 i + 1) k π / 16), which is computed once. */
static const double *
get_basis (void)
{
  static double basis[SIDE * SIDE];

  if (basis[0] == 0.0) {
    for (int k = SIDE - 1; k >= 0; k--) {
      for (int i = SIDE - 1; i >= 0; i--)
        basis[k * SIDE + i] = (k ? 0.5 : sqrt (0.125))
            * cos ((2 * i + 1) * k * M_PI / 16);
    }
  }
  return basis;
}

/* C = D B Dᵀ; the inverse if `inverse` is set. */
static void
transform (const double in[SIDE * SIDE], double out[SIDE * SIDE], int inverse)
{
  const double *basis = get_basis ();
  double matrix[SIDE][SIDE], half[SIDE * SIDE];

  for (int k = 0; k < SIDE; k++) {
    for (int i = 0; i < SIDE; i++)
      matrix[k][i] = inverse ? basis[i * SIDE + k] : basis[k * SIDE + i];
  }
  for (int y = 0; y < SIDE; y++) {
    for (int k = 0; k < SIDE; k++) {
      half[y * SIDE + k] = 0.0;
      for (int i = 0; i < SIDE; i++)
        half[y * SIDE + k] += matrix[k][i] * in[y * SIDE + i];
    }
  }
  for (int k = 0; k < SIDE; k++) {
    for (int x = 0; x < SIDE; x++) {
      out[k * SIDE + x] = 0.0;
      for (int i = 0; i < SIDE; i++)
        out[k * SIDE + x] += matrix[k][i] * half[i * SIDE + x];
    }
  }
}

/* Counts in bins: a power of 2 has 32 bins, from 2^-12 on. */
#define BINS 1024

static int
get_bin (double value)
{
  int exponent;
  const double mantissa = frexp (value, &exponent);

  if (value <= 0.0)
    return 0;
  return clamp_int ((exponent + 11) * 32 + (int) ((2.0 * mantissa - 1.0) * 32),
      0, BINS - 1);
}

static double
get_bin_start (int bin)
{
  return ldexp (1.0 + bin % 32 / 32.0, bin / 32 - 12);
}

/* Returns the first bin up to which @wanted are counted; sets @before to how many
 * are counted in the bins before it. */
static int
find_bin (const int counts[BINS], double wanted, int *before)
{
  int bin = 0;

  *before = 0;
  while (bin < BINS - 2 && *before + counts[bin] < wanted)
    *before += counts[bin++];
  return bin;
}

/* Transforms the block at x, y, in levels of 8 bits. Returns how many samples are
 * clipped. */
static int
transform_block (const ReferenceDenoiseFrame * frame, int n, int x, int y,
    double out[SIDE * SIDE])
{
  const int width = reference_denoise_get_width (frame, n);
  double block[SIDE * SIDE];
  int clipped = 0;

  for (int i = 0; i < SIDE * SIDE; i++) {
    const double level =
        frame->channels[n][(y + i / SIDE) * width + x + i % SIDE];

    clipped += level <= 0.0 || level >= frame->max_level;
    block[i] = level * 255.0 / frame->max_level;
  }
  transform (block, out, 0);
  return clipped;
}

/* Counts |C(i,j)|, i + j >= 9. */
static void
count_magnitudes (const double spectrum[SIDE * SIDE], int counts[BINS])
{
  for (int i = 0; i < SIDE * SIDE; i++) {
    if (i / SIDE + i % SIDE >= 9)
      counts[get_bin (fabs (spectrum[i]))]++;
  }
}

/* Returns the mean of C(i,j)² over @first <= i + j <= @last. */
static double
get_mean_square (const double spectrum[SIDE * SIDE], int first, int last)
{
  double sum = 0.0;
  int count = 0;

  for (int i = 0; i < SIDE * SIDE; i++) {
    if (i / SIDE + i % SIDE >= first && i / SIDE + i % SIDE <= last) {
      sum += spectrum[i] * spectrum[i];
      count++;
    }
  }
  return sum / count;
}

/* Returns the median of the counted values, which are spread evenly in a bin. */
static double
get_median (const int counts[BINS])
{
  int n = 0, before;

  for (int i = 0; i < BINS; i++)
    n += counts[i];
  const int bin = find_bin (counts, 0.5 * n, &before);
  const double start = get_bin_start (bin);

  return start + (0.5 * n - before) / (counts[bin] > 0 ? counts[bin] : 1)
      * (get_bin_start (bin + 1) - start);
}

/* Returns the distance of the blocks whose noise is estimated. */
static int
get_step (int width, int height)
{
  int step = 4;

  while (((width - SIDE) / step + 1) * ((height - SIDE) / step + 1) > 4096)
    step += 8;
  return step;
}

/* The bins of brightness, and the class of a block: 0 is that of all blocks. */
#define CURVE_BINS 8

static int
is_of_class (const double spectrum[SIDE * SIDE], int class)
{
  return class == 0
      || clamp_int (floor (spectrum[0] / 256.0 + 0.001), 0, CURVE_BINS - 1)
      == class - 1;
}

/* Returns whether the samples of a row or of a column of a block are equal. */
static int
has_flat_line (const ReferenceDenoiseFrame * frame, int n, int x, int y)
{
  const int width = reference_denoise_get_width (frame, n);
  const double *block = frame->channels[n] + y * width + x;
  int found = 0;

  for (int i = 0; i < SIDE; i++) {
    int row = 1, column = 1;

    for (int j = 1; j < SIDE; j++) {
      row = row && block[i * width + j] == block[i * width];
      column = column && block[j * width + i] == block[i];
    }
    found = found || row || column;
  }
  return found;
}

/* Transforms the block at x, y. Returns whether it counts for @class: it has few
 * clipped samples, and is not flat. Adds 1 to @n_flat if it is. */
static int
take_block (const ReferenceDenoiseFrame * frame, int n, int x, int y, int class,
    double spectrum[SIDE * SIDE], int *n_flat)
{
  if (transform_block (frame, n, x, y, spectrum) > 3)
    return 0;
  if (has_flat_line (frame, n, x, y)
      || get_mean_square (spectrum, 2, 8) < 0.25) {
    ++*n_flat;
    return 0;
  }
  return is_of_class (spectrum, class);
}

/* Returns σ of the blocks of a class, or -1 if they do not count. */
static double
estimate_class (const ReferenceDenoiseFrame * frame, int n, int class)
{
  const int width = reference_denoise_get_width (frame, n);
  const int height = reference_denoise_get_height (frame, n);
  const int step = get_step (width, height);
  const int least = class ? 16 : 50;
  int energies[BINS] = { 0 }, magnitudes[BINS] = { 0 };
  int count = 0, n_flat = 0, before;
  double spectrum[SIDE * SIDE];

  for (int y = 0; y + SIDE <= height; y += step) {
    for (int x = 0; x + SIDE <= width; x += step) {
      if (take_block (frame, n, x, y, class, spectrum, &n_flat)) {
        energies[get_bin (get_mean_square (spectrum, 1, 7))]++;
        count++;
      }
    }
  }
  const int is_beside_flat = !class && n_flat * 10 > count;

  if (!class && count * 10 < n_flat)
    return 0.0;
  if (count < (class ? least : 1))
    return -1.0;
  const int tenth = count / 10 > least ? count / 10 : least;
  const int limit = find_bin (energies, tenth < count ? tenth : count, &before);

  for (int y = 0; y + SIDE <= height; y += step) {
    for (int x = 0; x + SIDE <= width; x += step) {
      if (take_block (frame, n, x, y, class, spectrum, &n_flat)
          && get_bin (get_mean_square (spectrum, 1, 7)) <= limit)
        count_magnitudes (spectrum, magnitudes);
    }
  }
  const double s = get_median (magnitudes) / 0.6745;
  const double energy = get_bin_start (limit);

  if (class && energy > 3.0 * s * s)
    return -1.0;
  if (is_beside_flat && energy > 10.0 * s * s)
    return 0.0;
  return sqrt (fmax (0.0, s * s - 0.64));
}

double
reference_denoise_estimate (const ReferenceDenoiseFrame * frame, int n)
{
  return estimate_class (frame, n, 0);
}

static double
get_luma (const ReferenceDenoiseFrame * frame, int x, int y)
{
  const int i = y * frame->width + x;

  return frame->is_rgb ? (30.0 * frame->channels[0][i]
      + 59.0 * frame->channels[1][i] + 11.0 * frame->channels[2][i]) / 100.0
      : frame->channels[0][i];
}

int
reference_denoise_is_cut (const ReferenceDenoiseFrame * before,
    const ReferenceDenoiseFrame * frame)
{
  const int across = frame->width / SIDE, down = frame->height / SIDE;
  const int columns = across < 32 ? across : 32;
  const int rows = down < 32 ? down : 32;
  const int n = columns * rows;
  int histogram[64] = { 0 };
  double sums[5] = { 0 }, distance = 0.0;

  for (int b = 0; b < n; b++) {
    const int x = b % columns * across / columns * SIDE;
    const int y = b / columns * down / rows * SIDE;
    double means[2] = { 0 };

    for (int i = 0; i < SIDE * SIDE; i++) {
      means[0] += get_luma (frame, x + i % SIDE, y + i / SIDE);
      means[1] += get_luma (before, x + i % SIDE, y + i / SIDE);
    }
    for (int i = 0; i < 2; i++) {
      means[i] = rint (means[i] * 255.0 / frame->max_level / 16.0);
      histogram[(int) means[i] / 16] += i ? -1 : 1;
    }
    sums[0] += means[0];
    sums[1] += means[1];
    sums[2] += means[0] * means[0];
    sums[3] += means[1] * means[1];
    sums[4] += means[0] * means[1];
  }
  for (int i = 0, difference = 0; i < 64; i++) {
    difference += histogram[i];
    distance = fmax (distance, abs (difference));
  }
  const double covariance = sums[4] - sums[0] * sums[1] / n;
  const double variances = (sums[2] - sums[0] * sums[0] / n)
      * (sums[3] - sums[1] * sums[1] / n);
  return distance > 0.1 * n + sqrt (n) && (covariance <= 0.0
      || 4.0 * covariance * covariance < variances);
}

/* Luma at three sizes, with a border, in sixteenths of a level of 8 bits. */
#define PAD 32
#define SCALES 3

typedef struct
{
  int pitch[SCALES];
  int rows[SCALES];
  int *planes[SCALES];
} Blurred;

static int
get_sixteenths (const ReferenceDenoiseFrame * frame, int i)
{
  const long max_level = frame->max_level;
  const long level = frame->is_rgb
      ? ((long) frame->channels[0][i] * 30 + (long) frame->channels[1][i] * 59
      + (long) frame->channels[2][i] * 11 + 50) / 100
      : (long) frame->channels[0][i];

  return (level * 4080 + max_level / 2) / max_level;
}

static Blurred
blur (const ReferenceDenoiseFrame * frame)
{
  static const int weights[7] = { 1, 14, 62, 102, 62, 14, 1 };
  Blurred blurred;

  for (int s = 0; s < SCALES; s++) {
    blurred.pitch[s] = ((frame->width + 15) / 16 * 16 + 2 * PAD) >> s;
    blurred.rows[s] = ((frame->height + 15) / 16 * 16 + 2 * PAD) >> s;
    blurred.planes[s] =
        malloc (blurred.pitch[s] * blurred.rows[s] * sizeof (int));
  }
  int *sixteenths = malloc (frame->width * frame->height * sizeof (int));

  for (int i = 0; i < frame->width * frame->height; i++)
    sixteenths[i] = get_sixteenths (frame, i);
  for (int y = 0; y < blurred.rows[0]; y++) {
    for (int x = 0; x < blurred.pitch[0]; x++) {
      long sum = 0;

      for (int j = -3; j <= 3; j++) {
        const int *row = sixteenths + frame->width
            * clamp_int (y - PAD + j, 0, frame->height - 1);

        for (int i = -3; i <= 3; i++)
          sum += (long) weights[j + 3] * weights[i + 3]
              * row[clamp_int (x - PAD + i, 0, frame->width - 1)];
      }
      blurred.planes[0][y * blurred.pitch[0] + x] = (sum + 32768) / 65536;
    }
  }
  free (sixteenths);
  for (int s = 1; s < SCALES; s++) {
    for (int y = 0; y < blurred.rows[s]; y++) {
      for (int x = 0; x < blurred.pitch[s]; x++) {
        const int *from = blurred.planes[s - 1]
            + 2 * y * blurred.pitch[s - 1] + 2 * x;

        blurred.planes[s][y * blurred.pitch[s] + x] = (from[0] + from[1]
            + from[blurred.pitch[s - 1]] + from[blurred.pitch[s - 1] + 1]
            + 2) / 4;
      }
    }
  }
  return blurred;
}

static void
blurred_clear (Blurred * blurred)
{
  for (int s = 0; s < SCALES; s++)
    free (blurred->planes[s]);
}

static int
get_difference (const Blurred * a, const Blurred * b, int scale, int x, int y,
    int side, int step, int vx, int vy)
{
  const int pitch = a->pitch[scale], pad = PAD >> scale;
  int sum = 0;

  for (int j = 0; j < side; j += step) {
    for (int i = 0; i < side; i++)
      sum += abs (a->planes[scale][(y + j + pad) * pitch + x + i + pad]
          - b->planes[scale][(y + vy + j + pad) * pitch + x + vx + i + pad]);
  }
  return sum;
}

static void
search_block (const Blurred * a, const Blurred * b, int x, int y, double sigma,
    int best[2])
{
  const int rate = floor (sigma * 16.0 * 0.004 * 256.0 + 0.5);

  best[0] = best[1] = 0;
  for (int scale = SCALES - 1; scale >= 0; scale--) {
    const int first[2] = { 2 * best[0], 2 * best[1] };
    const int middles[2][2] = { {first[0], first[1]}, {0, 0} };
    const int range = scale == SCALES - 1 ? 4 : 1, side = 32 >> scale;
    const int step = scale == SCALES - 1 ? 1 : 2;
    long least = -1;

    for (int m = 0; m < (first[0] || first[1] ? 2 : 1); m++) {
      for (int j = -range; j <= range; j++) {
        for (int i = -range; i <= range; i++) {
          const int vx = middles[m][0] + i, vy = middles[m][1] + j;
          const long length = abs (vx - first[0]) + abs (vy - first[1])
              + (vx || vy ? 4 : 0);
          const long cost = get_difference (a, b, scale, (x * 16 - 8) / (1 <<
                  scale), (y * 16 - 8) / (1 << scale), side, step, vx, vy)
              + rate * length * (side * side / step) / 256;

          if (least < 0 || cost < least) {
            least = cost;
            best[0] = vx;
            best[1] = vy;
          }
        }
      }
    }
  }
}

static void
search_blurred (const Blurred * a, const Blurred * b, int width, int height,
    double sigma, int *vectors)
{
  const int columns = (width + 15) / 16;

  for (int i = 0; i < columns * ((height + 15) / 16); i++)
    search_block (a, b, i % columns, i / columns, sigma, vectors + 2 * i);
}

void
reference_denoise_search (const ReferenceDenoiseFrame * frame,
    const ReferenceDenoiseFrame * earlier, double sigma, int *vectors)
{
  Blurred a = blur (frame), b = blur (earlier);

  search_blurred (&a, &b, frame->width, frame->height, sigma, vectors);
  blurred_clear (&a);
  blurred_clear (&b);
}

/* The frames that one frame is filtered with, in the order of time, with their
 * vectors and the cells in which they match. The current frame has neither. */
typedef struct
{
  int n;                        /* frames, the current one too */
  int current;                  /* the index of the current frame */
  const ReferenceDenoiseFrame *frames[MAX_FRAMES];
  int *vectors[MAX_FRAMES];
  unsigned char *matches[MAX_FRAMES];
} Sources;

static void
sources_add (Sources * sources, const Blurred * current,
    const ReferenceDenoiseFrame * frame, double sigma, int motion)
{
  const int columns = (frame->width + 15) / 16;
  const int cells = (frame->width + 3) / 4;
  const int limit = floor (64.0 * (sigma * 16.0 * 0.477 + 48.0) + 0.5);
  Blurred blurred = blur (frame);
  const int n = sources->n++;

  sources->frames[n] = frame;
  sources->vectors[n] =
      calloc (2 * columns * ((frame->height + 15) / 16), sizeof (int));
  sources->matches[n] = malloc (cells * ((frame->height + 3) / 4));
  if (motion)
    search_blurred (current, &blurred, frame->width, frame->height, sigma,
        sources->vectors[n]);
  for (int i = 0; i < cells * ((frame->height + 3) / 4); i++) {
    const int x = i % cells * 4, y = i / cells * 4;
    const int *vector = sources->vectors[n] + 2 * (y / 16 * columns + x / 16);

    sources->matches[n][i] = get_difference (current, &blurred, 0, x - 2, y - 2,
        SIDE, 1, vector[0], vector[1]) <= limit;
  }
  blurred_clear (&blurred);
}

/* The mean of the estimates of the last 8 frames since @first, or -1. */
static double
get_mean_estimate (const ReferenceDenoiseFrame * frames, int first, int last,
    int n, int class)
{
  double sum = 0.0;
  int count = 0;

  for (int i = last; i >= first && i > last - 8; i--) {
    const double sigma = estimate_class (&frames[i], n, class);

    if (sigma >= 0.0) {
      sum += sigma;
      count++;
    }
  }
  return count ? sum / count : -1.0;
}

/* σ of a channel, and its curve. */
typedef struct
{
  double sigma;
  int has_curve;
  double curve[CURVE_BINS];
} Noise;

/* Bins that do not count lie between those that do. */
static void
fill_curve (Noise * noise)
{
  double known[CURVE_BINS];

  memcpy (known, noise->curve, sizeof (known));
  for (int i = 0; i < CURVE_BINS; i++) {
    int below = i, above = i;

    while (below >= 0 && known[below] < 0.0)
      below--;
    while (above < CURVE_BINS && known[above] < 0.0)
      above++;
    if (below < 0 && above == CURVE_BINS)
      noise->curve[i] = noise->sigma;
    else if (below < 0 || above == CURVE_BINS || below == above)
      noise->curve[i] = known[below < 0 ? above : below];
    else
      noise->curve[i] = (known[below] * (above - i)
          + known[above] * (i - below)) / (above - below);
  }
}

static Noise
get_noise (const ReferenceDenoise * params,
    const ReferenceDenoiseFrame * frames, int first, int last, int n)
{
  Noise noise = {.sigma = params->noise };

  if (params->noise >= 0.0)
    return noise;
  noise.sigma = fmax (get_mean_estimate (frames, first, last, n, 0), 0.0);
  noise.has_curve = params->curve && (n == 0 || frames[last].is_rgb);
  for (int i = 0; noise.has_curve && i < CURVE_BINS; i++)
    noise.curve[i] = get_mean_estimate (frames, first, last, n, 1 + i);
  if (noise.has_curve)
    fill_curve (&noise);
  return noise;
}

/* Returns σ of blocks with a mean. */
static double
get_sigma (const Noise * noise, double mean)
{
  const double place = fmin (fmax (mean / 32.0 - 0.5, 0.0), CURVE_BINS - 1.0);
  const int bin = clamp_int (place, 0, CURVE_BINS - 2);

  return noise->has_curve ? noise->curve[bin]
      + (noise->curve[bin + 1] - noise->curve[bin]) * (place - bin)
      : noise->sigma;
}

static double
get_sample (const ReferenceDenoise * params,
    const ReferenceDenoiseFrame * frame, int n, int x, int y)
{
  const int width = reference_denoise_get_width (frame, n);
  const int i = reference_border_index (params->border, x, width);
  const int j = reference_border_index (params->border, y,
      reference_denoise_get_height (frame, n));

  return (i < 0 || j < 0 ? params->border_levels[n]
      : frame->channels[n][j * width + i]) * 255.0 / frame->max_level;
}

/* Collects the spectra of the block at x, y in the order of time; sets @current
 * to the index of that of the current frame. Returns how many there are. */
static int
take_spectra (const ReferenceDenoise * params, const Sources * sources, int n,
    int x, int y, double spectra[MAX_FRAMES][SIDE * SIDE], int *current)
{
  const ReferenceDenoiseFrame *frame = sources->frames[sources->current];
  const int is_chroma = n > 0 && !frame->is_rgb;
  const int x_shift = is_chroma ? frame->x_shift : 0;
  const int y_shift = is_chroma ? frame->y_shift : 0;
  const int luma_x = clamp_int ((x + 4) * (1 << x_shift), 0, frame->width - 1);
  const int luma_y = clamp_int ((y + 4) * (1 << y_shift), 0, frame->height - 1);
  const int cell = luma_y / 4 * ((frame->width + 3) / 4) + luma_x / 4;
  const int block = luma_y / 16 * ((frame->width + 15) / 16) + luma_x / 16;
  int count = 0;

  for (int k = 0; k < sources->n; k++) {
    const int is_other = k != sources->current;
    double samples[SIDE * SIDE];
    int vx = 0, vy = 0;

    if (is_other && !sources->matches[k][cell])
      continue;
    if (!is_other)
      *current = count;
    if (is_other) {
      vx = (sources->vectors[k][2 * block] + x_shift) >> x_shift;
      vy = (sources->vectors[k][2 * block + 1] + y_shift) >> y_shift;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
      samples[i] = get_sample (params, sources->frames[k], n,
          x + vx + i % SIDE, y + vy + i / SIDE);
    transform (samples, spectra[count++], 0);
  }
  return count;
}

/* Filters the block at x, y. Returns its weight. */
static double
filter_block (const ReferenceDenoise * params, const Sources * sources, int n,
    int x, int y, const Noise * noise, double strength,
    double block[SIDE * SIDE])
{
  double spectra[MAX_FRAMES][SIDE * SIDE], result[SIDE * SIDE] = { 0 };
  int current = 0;
  const int count = take_spectra (params, sources, n, x, y, spectra, &current);
  const double threshold =
      2.8 * strength * get_sigma (noise, spectra[current][0] / 8.0);
  double kept = 0.0;

  for (int i = 0; i < SIDE * SIDE; i++) {
    for (int q = 0; q < count; q++) {
      const double scale = sqrt ((q ? 2.0 : 1.0) / count);
      const double factor = count == 1 ? 1.0 : q ? 0.8 : 1.1;
      double u = 0.0, gain, own;

      for (int k = 0; k < count; k++)
        u += scale * cos ((2 * k + 1) * q * M_PI / (2 * count)) * spectra[k][i];
      gain = i == 0 && q == 0 ? 1.0 : threshold > 0.0
          ? fmin (fmax (5.0 * factor * fabs (u) / threshold - 4.5, 0.0), 1.0)
          : u != 0.0;
      own = scale * cos ((2 * current + 1) * q * M_PI / (2 * count));
      kept += count * own * own * gain;
      result[i] += own * gain * u;
    }
  }
  transform (result, block, 1);
  return 1.0 / (kept + 0.5);
}

static void
filter_channel (const ReferenceDenoise * params, const Sources * sources, int n,
    const Noise * noise, double *output)
{
  const ReferenceDenoiseFrame *frame = sources->frames[sources->current];
  const int width = reference_denoise_get_width (frame, n);
  const int height = reference_denoise_get_height (frame, n);
  const double strength = n > 0 && !frame->is_rgb
      && params->chroma_strength >= 0.0
      ? params->chroma_strength : params->strength;
  double *weights = calloc (width * height, sizeof (double));

  memset (output, 0, width * height * sizeof (double));
  for (int y = FIRST; y < height; y += 2) {
    for (int x = FIRST; x < width; x += 2) {
      double block[SIDE * SIDE];
      const double weight = filter_block (params, sources, n, x, y, noise,
          strength, block);

      for (int i = 0; i < SIDE * SIDE; i++) {
        const int column = x + i % SIDE, row = y + i / SIDE;

        if (column < 0 || row < 0 || column >= width || row >= height)
          continue;
        output[row * width + column] += weight * block[i];
        weights[row * width + column] += weight;
      }
    }
  }
  for (int i = 0; i < width * height; i++) {
    output[i] *= frame->max_level / 255.0 / weights[i];
    output[i] += params->grain * (frame->channels[n][i] - output[i]);
  }
  free (weights);
}

void
reference_denoise (const ReferenceDenoise * params,
    const ReferenceDenoiseFrame * frames, int n_frames, int current,
    double *outputs[3])
{
  const ReferenceDenoiseFrame *frame = &frames[current];
  const int end = current + params->lookahead + 1;
  Sources sources = { 0 };
  Blurred blurred = blur (frame);
  int first = current, last = current;

  while (first > 0 && !reference_denoise_is_cut (&frames[first - 1],
          &frames[first]))
    first--;
  while (last + 1 < n_frames && last + 1 < end
      && !reference_denoise_is_cut (&frames[last], &frames[last + 1]))
    last++;
  const double luma_sigma = get_noise (params, frames, first, current, 0).sigma;
  for (int i = first; i <= last; i++) {
    if (i < current - params->history)
      continue;
    if (i != current) {
      sources_add (&sources, &blurred, &frames[i], luma_sigma, params->motion);
      continue;
    }
    sources.current = sources.n;
    sources.frames[sources.n++] = frame;
  }
  for (int n = 0; n < frame->n_channels; n++) {
    const Noise noise = get_noise (params, frames, first, current, n);

    if (outputs[n])
      filter_channel (params, &sources, n, &noise, outputs[n]);
  }
  blurred_clear (&blurred);
  for (int i = 0; i < sources.n; i++) {
    free (sources.vectors[i]);
    free (sources.matches[i]);
  }
}
