/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "referencedenoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 8
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

/* C = D B Dᵀ. The inverse if `inverse` is set. */
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

/* Returns the first bin up to which @wanted are counted. Sets @before to how
 * many are counted in the bins before it. */
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

static int
count_all (const int counts[BINS])
{
  int n = 0;

  for (int i = 0; i < BINS; i++)
    n += counts[i];
  return n;
}

/* Returns the value up to which @wanted of the counted values are. They are
 * spread evenly in a bin. */
static double
get_value (const int counts[BINS], double wanted)
{
  int before;
  const int bin = find_bin (counts, wanted, &before);
  const double start = get_bin_start (bin);

  return start + (wanted - before) / (counts[bin] > 0 ? counts[bin] : 1)
      * (get_bin_start (bin + 1) - start);
}

/* Returns the value of a part of the counted values. */
static double
get_quantile (const int counts[BINS], double part)
{
  return get_value (counts, part * count_all (counts));
}

/* Returns the distance of the blocks whose noise is estimated. */
static int
get_step (int width, int height, int max_blocks)
{
  int step = 4;

  while (((width - SIDE) / step + 1) * ((height - SIDE) / step + 1)
      > max_blocks)
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
  const int step = get_step (width, height, 4096);
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
  const double s = get_quantile (magnitudes, 0.5) / 0.6745;
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
    const ReferenceDenoiseFrame * frame, double sigma, double blurred_sigma,
    int motion)
{
  const int columns = (frame->width + 15) / 16;
  const int cells = (frame->width + 3) / 4;
  const int limit =
      floor (64.0 * (blurred_sigma * 16.0 * 1.5 * 1.128 + 48.0) + 0.5);
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

/* The mean of the estimates of a class, or -1. Of the last 16 frames since
 * @first, the newest 8 that have an estimate are used. */
static double
get_mean_estimate (const ReferenceDenoiseFrame * frames, int first, int last,
    int n, int class)
{
  double sum = 0.0;
  int count = 0, n_frames = 0;

  for (int i = last; i >= first && i > last - 16 && n_frames < 8; i--) {
    if (estimate_class (&frames[i], n, 0) < 0.0)
      continue;
    n_frames++;
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

/* The spectrum of the noise, measured along the motion. */
#define MAX_BLOCKS 1536
#define PICTURES 16
#define POOLED 8
#define PARTS 5

/* A block that was compared with another frame: R, its energies, and its class,
 * or -1 if it is not valid. */
typedef struct
{
  double r[SIDE * SIDE];
  double energy, even, odd, texture, shift;
  int class;
} Measured;

/* The measurements of one frame. */
typedef struct
{
  int is_valid;
  double s[SIDE * SIDE];
  double a[CURVE_BINS], b[CURVE_BINS], t[CURVE_BINS], n[CURVE_BINS];
  double beta, shift;
} Picture;

typedef struct
{
  double levels[CURVE_BINS];
  double shape[SIDE * SIDE];    /* variances over that of the low frequencies */
  double blurred;               /* σ after the blur */
} Spectrum;

static double
get_clamped (const ReferenceDenoiseFrame * frame, int n, int x, int y)
{
  const int width = reference_denoise_get_width (frame, n);
  const int height = reference_denoise_get_height (frame, n);

  return frame->channels[n][clamp_int (y, 0, height - 1) * width
      + clamp_int (x, 0, width - 1)] * 255.0 / frame->max_level;
}

/* Returns the mean of C(i,j)² over first <= i + j <= last whose sum is odd or
 * even, or both if @parity is negative. */
static double
get_band (const double spectrum[SIDE * SIDE], int first, int last, int parity)
{
  double sum = 0.0;
  int n = 0;

  for (int i = 0; i < SIDE * SIDE; i++) {
    const int place = i / SIDE + i % SIDE;

    if (place < first || place > last || (parity >= 0 && (place & 1) != parity))
      continue;
    sum += spectrum[i] * spectrum[i];
    n++;
  }
  return sum / n;
}

static double
clamp (double value, double least, double most)
{
  return fmin (fmax (value, least), most);
}

static Measured
measure_block (const ReferenceDenoiseFrame * frame,
    const ReferenceDenoiseFrame * other, int n, int x, int y, int vx, int vy,
    int n_classes)
{
  double m[12][12], d[SIDE * SIDE], gx[SIDE * SIDE], gy[SIDE * SIDE];
  double mean[SIDE * SIDE], spectrum[SIDE * SIDE];
  double sums[4] = { 0 }, xx = 1.0, xy = 0.0, yy = 1.0, xd = 0.0, yd = 0.0;
  Measured block;
  int clipped = 0;

  for (int j = 0; j < 12; j++) {
    for (int i = 0; i < 12; i++)
      m[j][i] = 0.5 * (get_clamped (frame, n, x + i - 2, y + j - 2)
          + get_clamped (other, n, x + vx + i - 2, y + vy + j - 2));
  }
  for (int k = 0; k < SIDE * SIDE; k++) {
    const int i = k % SIDE + 2, j = k / SIDE + 2;
    const double own = get_clamped (frame, n, x + i - 2, y + j - 2);

    clipped += own <= 0.0 || own >= 255.0;
    mean[k] = m[j][i];
    d[k] = 2.0 * (own - m[j][i]);
    gx[k] = (m[j][i - 2] - 8.0 * m[j][i - 1] + 8.0 * m[j][i + 1]
        - m[j][i + 2]) / 12.0;
    gy[k] = (m[j - 2][i] - 8.0 * m[j - 1][i] + 8.0 * m[j + 1][i]
        - m[j + 2][i]) / 12.0;
    sums[0] += d[k] / 64.0;
    sums[1] += gx[k] / 64.0;
    sums[2] += gy[k] / 64.0;
    sums[3] += own / 64.0;
  }
  for (int k = 0; k < SIDE * SIDE; k++) {
    const double a = gx[k] - sums[1], b = gy[k] - sums[2], c = d[k] - sums[0];

    xx += a * a;
    xy += a * b;
    yy += b * b;
    xd += a * c;
    yd += b * c;
  }
  const double det = xx * yy - xy * xy;
  const double u = clamp ((xd * yy - yd * xy) / det, -1.0, 1.0);
  const double v = clamp ((yd * xx - xd * xy) / det, -1.0, 1.0);

  for (int k = 0; k < SIDE * SIDE; k++)
    d[k] = (d[k] - u * gx[k] - v * gy[k]) * sqrt (0.5);
  transform (d, block.r, 0);
  transform (mean, spectrum, 0);
  block.energy = get_band (block.r, 2, 6, -1);
  block.even = get_band (block.r, 2, 6, 0);
  block.odd = get_band (block.r, 2, 6, 1);
  block.texture = get_band (spectrum, 2, 8, -1);
  block.shift = u * u + v * v;
  block.class = clipped > 3 || block.texture < 0.25 ? -1 : n_classes == 1 ? 0
      : clamp_int (floor (sums[3] / 32.0 + 0.001), 0, CURVE_BINS - 1);
  return block;
}

/* The slope of the energies of blocks over their textures, by five parts. */
static double
get_slope (const Measured * blocks, int n, const int textures[BINS])
{
  static const double places[PARTS + 1] = { 0.02, 0.17, 0.33, 0.5, 0.67, 0.83 };
  double x[PARTS], y[PARTS], x_sum = 0.0, xx = 0.0, xy = 0.0;
  int bins[PARTS + 1], count = 0, low = 0;

  for (int p = 0; p <= PARTS; p++) {
    int before;

    bins[p] = find_bin (textures, places[p] * count_all (textures), &before);
    const int end = before + textures[bins[p]];

    if (p > 0) {
      int energies[BINS] = { 0 };

      for (int i = 0; i < n; i++) {
        const int bin = get_bin (blocks[i].texture);

        if (blocks[i].class >= 0 && bin <= bins[p]
            && (p > 1 ? bin > bins[p - 1] : bin >= bins[0]))
          energies[get_bin (blocks[i].energy)]++;
      }
      if (end > low && count_all (energies) > 0) {
        x[count] = get_value (textures, 0.5 * (low + end));
        y[count] = get_quantile (energies, 0.5);
        x_sum += x[count++];
      }
    }
    low = p > 0 ? end : before;
  }
  for (int p = 0; p < count; p++) {
    xx += (x[p] - x_sum / count) * (x[p] - x_sum / count);
    xy += (x[p] - x_sum / count) * y[p];
  }
  return fmax (xy / fmax (xx, 1e-9), 0.0);
}

/* Sets S of a picture: each half of the frequencies by quiet blocks whose other
 * half is usual for their class. */
static void
set_coefficients (Picture * picture, const Measured * blocks,
    const unsigned char *is_quiet, int n)
{
  for (int f = 0; f < SIDE * SIDE; f++) {
    const int is_odd = (f / SIDE + f % SIDE) & 1;
    int squares[BINS] = { 0 };

    for (int class = 0; class < CURVE_BINS; class++) {
      int energies[BINS] = { 0 }, before;

      for (int i = 0; i < n; i++) {
        if (is_quiet[i] && blocks[i].class == class)
          energies[get_bin (is_odd ? blocks[i].even : blocks[i].odd)]++;
      }
      const int all = count_all (energies);
      const int first = find_bin (energies, 0.5 * all, &before);
      const int last = find_bin (energies, 0.97 * all, &before);

      for (int i = 0; i < n; i++) {
        const int bin = get_bin (is_odd ? blocks[i].even : blocks[i].odd);

        if (is_quiet[i] && blocks[i].class == class && bin >= first
            && bin <= last)
          squares[get_bin (blocks[i].r[f] * blocks[i].r[f])]++;
      }
    }
    picture->s[f] = count_all (squares)
        ? get_quantile (squares, 0.5) / 0.4549 : 0.0;
  }
}

static Picture
measure_picture (const ReferenceDenoiseFrame * frame,
    const ReferenceDenoiseFrame * other, int n, const int *vectors,
    int n_classes)
{
  const int width = reference_denoise_get_width (frame, n);
  const int height = reference_denoise_get_height (frame, n);
  const int x_shift = n > 0 && !frame->is_rgb ? frame->x_shift : 0;
  const int y_shift = n > 0 && !frame->is_rgb ? frame->y_shift : 0;
  const int across = (frame->width + 15) / 16, down = (frame->height + 15) / 16;
  const int step = get_step (width, height, MAX_BLOCKS);
  Measured *blocks = malloc (MAX_BLOCKS * sizeof (Measured));
  unsigned char *is_quiet = calloc (MAX_BLOCKS, 1);
  int textures[BINS] = { 0 }, quiet[BINS] = { 0 }, lights[BINS] = { 0 };
  int shifts[BINS] = { 0 };
  int count = 0, n_valid = 0;
  Picture picture = { 0 };

  for (int y = 0; y + SIDE <= height; y += step) {
    for (int x = 0; x + SIDE <= width; x += step) {
      const int column = clamp_int (((x + 4) << x_shift) / 16, 0, across - 1);
      const int row = clamp_int (((y + 4) << y_shift) / 16, 0, down - 1);
      const int *vector = vectors + 2 * (row * across + column);

      blocks[count] = measure_block (frame, other, n, x, y,
          (vector[0] + x_shift) >> x_shift, (vector[1] + y_shift) >> y_shift,
          n_classes);
      if (blocks[count].class >= 0) {
        textures[get_bin (blocks[count].texture)]++;
        shifts[get_bin (blocks[count].shift)]++;
        n_valid++;
      }
      count++;
    }
  }
  for (int class = 0; class < n_classes; class++) {
    int own[BINS] = { 0 }, energies[BINS] = { 0 }, before;

    for (int i = 0; i < count; i++) {
      if (blocks[i].class == class)
        own[get_bin (blocks[i].texture)]++;
    }
    if (count_all (own) < 32)
      continue;
    const int limit = find_bin (own, 0.5 * count_all (own), &before);

    for (int i = 0; i < count; i++) {
      if (blocks[i].class != class || get_bin (blocks[i].texture) > limit)
        continue;
      is_quiet[i] = 1;
      energies[get_bin (blocks[i].energy)]++;
      quiet[get_bin (blocks[i].energy)]++;
      lights[get_bin (fabs (blocks[i].r[0]))]++;
    }
    picture.n[class] = count_all (energies);
    picture.a[class] = get_quantile (energies, 0.5);
    picture.b[class] = get_quantile (energies, 0.9);
    picture.t[class] = get_quantile (own, 0.5);
  }
  picture.beta = get_slope (blocks, count, textures);
  picture.shift = get_quantile (shifts, 0.5);
  set_coefficients (&picture, blocks, is_quiet, count);
  picture.is_valid = n_valid >= 50 && count_all (quiet) > 0
      && get_quantile (lights, 0.5) <= 3.0 * sqrt (get_quantile (quiet, 0.5))
      + 1.5;
  free (blocks);
  free (is_quiet);
  return picture;
}

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
get_middle (double *values, int n)
{
  qsort (values, n, sizeof (double), compare_doubles);
  return n ? 0.5 * (values[n / 2] + values[(n - 1) / 2]) : 0.0;
}

/* Pools a class: the upper half by A without the highest quarter. */
static void
pool_class (Picture * pool, const Picture * pictures, int n, int class)
{
  const Picture *sorted[POOLED];
  int count = 0;

  for (int i = 0; i < n; i++) {
    int place = count;

    if (pictures[i].n[class] == 0.0)
      continue;
    pool->n[class] += pictures[i].n[class];
    count++;
    for (; place > 0 && sorted[place - 1]->a[class] > pictures[i].a[class];
        place--)
      sorted[place] = sorted[place - 1];
    sorted[place] = &pictures[i];
  }
  const int begin = count / 2;
  const int end = count - count / 4 > begin + 1 ? count - count / 4 : begin + 1;

  for (int i = begin; i < end && i < count; i++) {
    pool->a[class] += sorted[i]->a[class] / (end - begin);
    pool->b[class] += sorted[i]->b[class] / (end - begin);
    pool->t[class] += sorted[i]->t[class] / (end - begin);
  }
}

static Picture
pool_pictures (const Picture * pictures, int n)
{
  Picture pool = { 0 };
  double values[POOLED];

  for (int f = 0; f < SIDE * SIDE; f++) {
    for (int i = 0; i < n; i++)
      values[i] = pictures[i].s[f];
    pool.s[f] = get_middle (values, n);
  }
  for (int i = 0; i < n; i++)
    values[i] = pictures[i].beta;
  pool.beta = get_middle (values, n);
  for (int i = 0; i < n; i++)
    values[i] = pictures[i].shift;
  pool.shift = get_middle (values, n);
  for (int class = 0; class < CURVE_BINS; class++)
    pool_class (&pool, pictures, n, class);
  pool.s[1] = fmin (pool.s[1], 1.3 * fmax (pool.s[9], pool.s[2]));
  pool.s[8] = fmin (pool.s[8], 1.3 * fmax (pool.s[9], pool.s[16]));
  pool.s[0] = fmin (pool.s[1], pool.s[8]);
  return pool;
}

/* r: the square root of the median of B / A, weighted by the blocks. */
static double
get_ratio (const Picture * pool)
{
  double ratios[CURVE_BINS], n = 0.0, part = 0.0;
  int is_used[CURVE_BINS] = { 0 };

  for (int i = 0; i < CURVE_BINS; i++) {
    ratios[i] = pool->b[i] / fmax (pool->a[i], 1e-6);
    n += pool->n[i];
  }
  for (;;) {
    int least = -1;

    for (int i = 0; i < CURVE_BINS; i++) {
      if (pool->n[i] > 0.0 && !is_used[i]
          && (least < 0 || ratios[i] < ratios[least]))
        least = i;
    }
    if (least < 0)
      return 1.0;
    is_used[least] = 1;
    part += pool->n[least];
    if (part >= 0.5 * n)
      return sqrt (ratios[least]);
  }
}

/* L of a class by A' and r, without p. */
static double
get_level (double energy, double ratio)
{
  const double a = sqrt (fmax (energy, 1e-12)) / 0.986;
  const double b = ratio * sqrt (fmax (energy, 1e-12)) / 1.173;
  const double l = fmin (b * clamp (1.0 + 1.5 * (b / a - 1.03), 1.0, 1.35),
      2.2 * a);

  return sqrt (fmax (l * l - 2.25, 0.0));
}

/* The blur's response to a frequency. */
static double
get_response (int frequency)
{
  static const double weights[7] = { 1, 14, 62, 102, 62, 14, 1 };
  double sum = 0.0;

  for (int k = -3; k <= 3; k++)
    sum += weights[k + 3] / 256.0 * cos (M_PI * frequency * k / 8.0);
  return sum;
}

static Spectrum
no_spectrum (double sigma)
{
  Spectrum spectrum = {.blurred = 0.282 * sigma };

  for (int f = 0; f < SIDE * SIDE; f++)
    spectrum.shape[f] = 1.0;
  return spectrum;
}

/* T over all classes. */
static double
get_texture (const Picture * pool)
{
  double n = 0.0, texture = 0.0;

  for (int i = 0; i < CURVE_BINS; i++) {
    n += pool->n[i];
    texture += pool->n[i] * pool->t[i];
  }
  return n > 0.0 ? sqrt (texture / n) : 0.0;
}

/* Sets L of the classes, and returns that of all. @luma is channel 0. */
static double
set_levels (double levels[CURVE_BINS], const Picture * pool, double ratio,
    double part, const Picture * luma)
{
  const double texture = get_texture (pool);
  double squares[CURVE_BINS], n = 0.0, level = 0.0;

  for (int i = 0; i < CURVE_BINS; i++) {
    const double left = 0.5 * pool->beta
        * clamp ((0.5 - pool->beta) / 0.2, 0.0, 1.0) * pool->t[i];
    const double energy = fmax (pool->a[i] - left, 0.1 * pool->a[i]);

    squares[i] = pow (part * get_level (energy, ratio), 2.0);
    n += pool->n[i];
    level += pool->n[i] * squares[i];
  }
  level = sqrt (level / n);
  const double luma_texture = get_texture (luma);
  const double fine = 0.7 * clamp ((luma_texture - 16.0) / 4.0, 0.0, 1.0)
      * clamp ((luma->shift - 0.08) / 0.08, 0.0, 1.0);
  const double factor = level > 0.0
      ? clamp (1.0 - 0.15 * (texture / level - 1.5), 0.4, 1.0)
      * clamp (1.0 - fine * (fmax (texture, luma_texture) / level - 1.8), 0.0,
      1.0) : 0.0;

  for (int i = 0; i < CURVE_BINS; i++) {
    double sum = 0.0, weights = 0.0;

    for (int j = 0; j < CURVE_BINS; j++) {
      const double weight = pool->n[j] * pow (0.05, abs (i - j));

      sum += weight * squares[j];
      weights += weight;
    }
    levels[i] = factor * sqrt (sum / weights);
  }
  return factor * level;
}

/* The spectrum from the pool. @sigma is that of one frame, and @luma is channel
 * 0. */
static Spectrum
get_spectrum (const Picture * pool, double sigma, const Picture * luma)
{
  Spectrum spectrum = no_spectrum (sigma);
  double low = 0.0, high = 0.0, blurred = 0.0;

  for (int f = 0; f < SIDE * SIDE; f++) {
    const int sum = f / SIDE + f % SIDE;

    low += sum >= 2 && sum <= 6 ? pool->s[f] / 25.0 : 0.0;
    high += sum >= 8 ? pool->s[f] / 28.0 : 0.0;
  }
  low = fmax (low, 1e-9);
  const double h = sqrt (high / low), ratio = get_ratio (pool);
  const int is_sharp = sigma > 0.7 * sqrt (high);
  const double level = set_levels (spectrum.levels, pool, ratio,
      is_sharp ? 1.0 : clamp ((1.5 - h) / 0.4, 0.0, 1.0), luma);
  const double power = 1.0 - clamp ((h - 0.55) / 0.1, 0.0, 1.0);

  if (fabs (h - 1.0) < 0.08 && ratio < 1.27
      && fabs (sigma - level) < 0.1 * level)
    return no_spectrum (sigma);
  for (int f = 0; f < SIDE * SIDE; f++) {
    const double s = h > 1.1 && !is_sharp ? fmin (pool->s[f], 1.21 * low)
        : pool->s[f];

    spectrum.shape[f] = fmax (s / low, 1e-6);
    if (spectrum.shape[f] < 1.0)
      spectrum.shape[f] = pow (spectrum.shape[f], power);
    blurred += spectrum.shape[f] * pow (get_response (f / SIDE)
        * get_response (f % SIDE), 2.0) / 64.0;
  }
  spectrum.blurred = fmax (level * sqrt (blurred), 0.282 * sigma);
  return spectrum;
}

/* Returns the value of a curve for blocks with a mean. */
static double
interpolate (const double curve[CURVE_BINS], double mean)
{
  const double place = clamp (mean / 32.0 - 0.5, 0.0, CURVE_BINS - 1.0);
  const int bin = clamp_int (place, 0, CURVE_BINS - 2);

  return curve[bin] + (curve[bin + 1] - curve[bin]) * (place - bin);
}

/* Sets @pool to the measurements of channel @n in the frames up to @current of
 * a shot, and returns their number. The shot begins at frame @first. @last is
 * the last frame of it that is known. */
static int
pool_frames (const ReferenceDenoise * params,
    const ReferenceDenoiseFrame * frames, int first, int current, int last,
    int n, Picture * pool)
{
  const ReferenceDenoiseFrame *frame = &frames[current];
  const int n_classes = params->curve && (n == 0 || frame->is_rgb)
      ? CURVE_BINS : 1;
  Picture pictures[POOLED];
  int count = 0;

  for (int i = current; i >= first && i > current - PICTURES && count < POOLED;
      i--) {
    const int other = params->history > 1 && i - 2 >= first ? i - 2
        : params->history > 0 && i - 1 >= first ? i - 1
        : params->lookahead > 0 && (i < current || last > current) ? i + 1 : -1;
    int *vectors = calloc (2 * ((frame->width + 15) / 16)
        * ((frame->height + 15) / 16), sizeof (int));

    if (other >= 0) {
      if (params->motion)
        reference_denoise_search (&frames[i], &frames[other],
            fmax (get_mean_estimate (frames, first, i, 0, 0), 0.0), vectors);
      pictures[count] =
          measure_picture (&frames[i], &frames[other], n, vectors, n_classes);
      count += pictures[count].is_valid;
    }
    free (vectors);
  }
  *pool = pool_pictures (pictures, count);
  return count;
}

/* Measures the spectrum of channel @n of frame @current, see pool_frames (). */
static Spectrum
find_spectrum (const ReferenceDenoise * params,
    const ReferenceDenoiseFrame * frames, int first, int current, int last,
    int n, double sigma)
{
  const ReferenceDenoiseFrame *frame = &frames[current];
  Picture pool, luma;

  if (params->noise >= 0.0 || params->history + params->lookahead == 0
      || reference_denoise_get_width (frame, n) < SIDE
      || reference_denoise_get_height (frame, n) < SIDE
      || pool_frames (params, frames, first, current, last, n, &pool) == 0)
    return no_spectrum (sigma);
  pool_frames (params, frames, first, current, last, 0, &luma);
  return get_spectrum (&pool, sigma, &luma);
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

/* Collects the spectra of the block at x, y in the order of time. Sets @current
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
    int x, int y, const Noise * noise, const Spectrum * spectrum,
    double strength, double block[SIDE * SIDE])
{
  double spectra[MAX_FRAMES][SIDE * SIDE], result[SIDE * SIDE] = { 0 };
  int current = 0;
  const int count = take_spectra (params, sources, n, x, y, spectra, &current);
  const double mean = spectra[current][0] / 8.0;
  const double sigma = noise->has_curve ? interpolate (noise->curve, mean)
      : noise->sigma;
  const double level = params->curve && (n == 0
      || sources->frames[0]->is_rgb) ? interpolate (spectrum->levels, mean)
      : spectrum->levels[0];
  double kept = 0.0;

  for (int i = 0; i < SIDE * SIDE; i++) {
    const double threshold = 2.8 * strength
        * fmax (sigma, level * sqrt (spectrum->shape[i]));

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
    const Noise * noise, const Spectrum * spectrum, double *output)
{
  const ReferenceDenoiseFrame *frame = sources->frames[sources->current];
  const int width = reference_denoise_get_width (frame, n);
  const int height = reference_denoise_get_height (frame, n);
  const double strength = n > 0 && !frame->is_rgb
      && params->chroma_strength >= 0.0
      ? params->chroma_strength : params->strength;
  const int step = params->fast ? 4 : 2;
  double *weights = calloc (width * height, sizeof (double));

  memset (output, 0, width * height * sizeof (double));
  for (int y = step - SIDE; y < height; y += step) {
    for (int x = step - SIDE; x < width; x += step) {
      double block[SIDE * SIDE];
      const double weight = filter_block (params, sources, n, x, y, noise,
          spectrum, strength, block);

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
  const Spectrum luma = find_spectrum (params, frames, first, current, last, 0,
      luma_sigma);
  for (int i = first; i <= last; i++) {
    if (i < current - params->history)
      continue;
    if (i != current) {
      sources_add (&sources, &blurred, &frames[i], luma_sigma, luma.blurred,
          params->motion);
      continue;
    }
    sources.current = sources.n;
    sources.frames[sources.n++] = frame;
  }
  for (int n = 0; n < frame->n_channels; n++) {
    const Noise noise = get_noise (params, frames, first, current, n);
    const Spectrum spectrum = n == 0 ? luma : find_spectrum (params, frames,
        first, current, last, n, noise.sigma);

    if (outputs[n])
      filter_channel (params, &sources, n, &noise, &spectrum, outputs[n]);
  }
  blurred_clear (&blurred);
  for (int i = 0; i < sources.n; i++) {
    free (sources.vectors[i]);
    free (sources.matches[i]);
  }
}
