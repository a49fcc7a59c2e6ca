/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoising for CPUs: BLOCKS blocks at a time, 8 or 16, see denoise.cl. The
 * kernel reads pictures and writes means. denoise-rows.cl converts from and to
 * frames, so that planes of all formats share this program.
 *
 * Blocks start at every BLOCK_STEP-th sample. So a plane of a picture is split
 * into as many parts, one for each column from 0 to BLOCK_STEP - 1 and the
 * columns that are multiples of BLOCK_STEP after it. Parts are `part_size`
 * floats apart, and BLOCKS blocks take consecutive floats of one of them. Rows
 * are `part_pitch` floats apart.
 *
 * Adjacent blocks move down the picture together, BLOCK_STEP rows in each step.
 * A transform of blocks is one of rows, then one of columns, and vertically
 * overlapping blocks have rows in common. So the transform of a row is kept
 * while the blocks pass over it. The inverse transform of a row follows when
 * the columns of all blocks that cover it are added up.
 *
 * Loops that are not unrolled, and bodies that are not repeated, keep the code
 * short, because compilers take long for it.
 *
 * Build with EARLIER, LATER and BLOCK_STEP. BLOCKS is the number of floats in a
 * vector of the device, unless it is given. */

#pragma OPENCL FP_CONTRACT OFF

#ifndef BLOCKS
#ifdef __AVX512F__
#define BLOCKS 16
#else
#define BLOCKS 8
#endif
#endif

#if BLOCKS == 16
#define REAL float16
#define INTEGERS int16
#define LOAD vload16
#define STORE vstore16
#define LOAD_HALF vload8
#define DOUBLED(half) (half).s0011223344556677
#else
#define REAL float8
#define INTEGERS int8
#define LOAD vload8
#define STORE vstore8
#define LOAD_HALF vload4
#define DOUBLED(half) (half).s00112233
#endif

#include "denoise.clh"
#include "prefetch.clh"
#include "shrink.clh"

/* Positions of the taps of blocks: taps of a row that are BLOCK_STEP apart are
 * consecutive floats of a part. */
typedef struct
{
  global const float *parts[BLOCK_STEP];
} Taps;

/* The taps of blocks that start at a column of a plane with its border. */
INLINE Taps
get_taps (global const float *plane, int part_size, int column)
{
  Taps taps;

#pragma unroll
  for (int i = 0; i < BLOCK_STEP; i++) {
    const int own = column + i;

    taps.parts[i] = plane + (own & (BLOCK_STEP - 1)) * part_size
        + (own >> (BLOCK_STEP / 2));
  }
  return taps;
}

#define TAP(taps, i) ((taps).parts[(i) % BLOCK_STEP] + (i) / BLOCK_STEP)

/* The middles of 8 samples across, in planes of any subsampling, are in one
 * block of luma that has a vector. The blocks have GROUPS of them. */
#define GROUP_WIDTH (VECTOR_BLOCK / 2)
#define GROUPS (BLOCK_STEP * BLOCKS / GROUP_WIDTH)
#if BLOCK_STEP == 2
#define LOAD_GROUP vload4
#define STORE_GROUP vstore4
#else
#define LOAD_GROUP vload2
#define STORE_GROUP vstore2
#endif

/* Blocks move down the picture, so rows are fetched before they are loaded. */
#define ROWS_AHEAD 4

/* Loads a row of the blocks, and transforms it. `move_together` is whether all
 * groups have the same vector. Also fetches a row below, `ahead` bytes from
 * this one. */
INLINE void
transform_row (REAL *row, const Taps *groups, int move_together, int offset,
    int ahead)
{
  REAL values[8];

#pragma unroll
  for (int n = 0; n < GROUPS; n++) {
#pragma unroll
    for (int i = 0; i < BLOCK_STEP; i++) {
      if (n == 0 || !move_together) {
        PREFETCH ((size_t) (groups[n].parts[i] + offset) + ahead, 0)
        PREFETCH ((size_t) (TAP (groups[n], 8 - BLOCK_STEP + i) + offset
                + BLOCKS - 1) + ahead, 0)
      }
    }
  }
  if (move_together) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      values[i] = LOAD (0, TAP (groups[0], i) + offset);
  } else {
#pragma unroll 1
    for (int i = 0; i < 8; i++) {
      float taps[BLOCKS];

#pragma unroll
      for (int n = 0; n < GROUPS; n++)
        STORE_GROUP (LOAD_GROUP (0, TAP (groups[n], i) + offset), n, taps);
      values[i] = LOAD (0, taps);
    }
  }
  dct_8 (values, 1);
#pragma unroll
  for (int i = 0; i < 8; i++)
    row[i] = values[i];
}

/* The position of the blocks in a frame, and the transformed rows. */
typedef struct
{
  int2 vectors[GROUPS];
  int end;                      /* the row after the last one */
} Source;

/* A plane of pictures, its subsampling, and the place of the blocks in it: the
 * first one starts at x, y. */
typedef struct
{
  global const float *plane;
  int2 shift;
  int part_pitch;
  int part_size;
  int x;
  int y;
} Place;

/* Transforms the rows of a frame that the blocks at `place` need, and that are
 * not transformed yet. `rows` contains 8 rows. Row y has index y & 7. */
INLINE void
transform_rows (REAL *rows, Source *source, Place place)
{
  Taps groups[GROUPS];
  int2 differences = 0;

#pragma unroll
  for (int n = 1; n < GROUPS; n++)
    differences |= source->vectors[n] ^ source->vectors[0];
  const int move_together = (differences.x | differences.y) == 0;

#pragma unroll
  for (int n = 0; n < GROUPS; n++) {
    if (n == 0 || !move_together)
      groups[n] = get_taps (place.plane + (PAD_Y + source->vectors[n].y)
          * place.part_pitch, place.part_size, place.x + GROUP_WIDTH * n
          + source->vectors[n].x + PAD_X);
  }
  for (int y = max (source->end, place.y); y < place.y + 8; y++)
    transform_row (rows + 8 * (y & 7), groups, move_together,
        y * place.part_pitch,
        ROWS_AHEAD * place.part_pitch * (int) sizeof (float));
  source->end = place.y + 8;
}

#if FRAMES > 1

/* Gets the vectors of neighbour k. If they differ from those of the previous
 * row, all rows have to be transformed. */
INLINE void
update_vectors (Source *source, Place place, MOTION_IN, int k)
{
  const int luma_y = (place.y + 4) << place.shift.y;
  int2 vector = 0;

#pragma unroll
  for (int n = 0; n < GROUPS; n++) {
    const int luma_x = (place.x + GROUP_WIDTH * n + 4) << place.shift.x;

    /* Two groups of luma have one vector. */
    if (n % 2 == 0 || place.shift.x > 0)
      vector = TO_SAMPLES (VECTOR_AT (k, luma_x, luma_y), place.shift);
    if (vector.x != source->vectors[n].x || vector.y != source->vectors[n].y)
      source->end = place.y;
    source->vectors[n] = vector;
  }
}

/* Gets the masks of the blocks. Sets `all` to the frames that match everywhere.
 * Returns the frames that match anywhere. */
INLINE int
load_masks (int *masks, Place place, MOTION_IN, int *all)
{
  /* The first cell, and how many pixels of luma are from block to block. */
  const int first = ((place.x + 4) << place.shift.x) / CELL;
  const int step = BLOCK_STEP << place.shift.x;
  global const int *row = &MASK_AT (0, (place.y + 4) << place.shift.y);
  INTEGERS own;

  if (first < 0 || first + BLOCKS * step / CELL > cells.x) {
#pragma unroll 1
    for (int n = 0; n < BLOCKS; n++)
      masks[n] = row[clamp (first + n * step / CELL, 0, cells.x - 1)];
    own = LOAD (0, masks);
  } else if (step < CELL) {
    own = DOUBLED (LOAD_HALF (0, row + first));
  } else if (step == CELL) {
    own = LOAD (0, row + first);
  } else {
    own = (INTEGERS) (LOAD (0, row + first).even,
        LOAD (1, row + first).even);
  }
  STORE (own, 0, masks);
#if BLOCKS == 16
  const int8 both = own.lo & own.hi, either = own.lo | own.hi;
#else
  const int8 both = own, either = own;
#endif
  const int4 both_4 = both.lo & both.hi, either_4 = either.lo | either.hi;
  const int2 both_2 = both_4.lo & both_4.hi;
  const int2 either_2 = either_4.lo | either_4.hi;

  *all = both_2.x & both_2.y;
  return either_2.x | either_2.y;
}

/* Sets E for the frames that match each block. */
INLINE void
load_basis (REAL *basis, const int *masks, global const float *bases)
{
  float values[FRAMES * FRAMES * BLOCKS];

#pragma unroll 1
  for (int n = 0; n < BLOCKS; n++) {
#pragma unroll
    for (int i = 0; i < FRAMES * FRAMES; i++)
      values[BLOCKS * i + n] = bases[masks[n] * FRAMES * FRAMES + i];
  }
#pragma unroll
  for (int i = 0; i < FRAMES * FRAMES; i++)
    basis[i] = LOAD (i, values);
}

#endif

/* Which frames match the blocks. */
#define MATCHES_NONE 0
#define MATCHES_ALL 1
#define MATCHES_SOME 2

/* Filters a column of the blocks' coefficients, whose transformed rows in all
 * frames are in `rows`. Puts the result, transformed back, into `block`.
 * Returns the sum of the gains. */
INLINE REAL
filter_column (REAL *block, const REAL *rows, int y, const REAL *basis,
    Ramps ramps, global const float *scales, int matches, int column)
{
  const int n = matches == MATCHES_NONE ? 1 : FRAMES;
  const int sums = matches == MATCHES_ALL ? SUMS : 0;
  REAL values[8 * FRAMES];
  REAL kept = 0.0f;

#pragma unroll
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      values[8 * k + i] = rows[64 * k + 8 * ((y + i) & 7) + column];
  }
#if SUMS > 0
  if (sums > 0) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      combine (values + i, 8);
  }
#endif
#pragma unroll
  for (int k = 0; k < (sums > 0 ? sums : n); k++)
    dct_8 (values + 8 * k, 1);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const int is_mean = i == 0 && column == 0;
    const REAL ramp = RAMP_AT (ramps, scales[8 * i + column]);

    values[i] = matches == MATCHES_NONE
        ? shrink_alone (values[i], ramp, is_mean, &kept)
#if SUMS > 0
        : sums > 0 ? shrink_sums (values + i, 8, ramp, is_mean, &kept)
#endif
        : shrink_over_time (values + i, 8, basis, ramp, is_mean, &kept);
  }
  inverse_dct_8 (values, 1);
#pragma unroll
  for (int i = 0; i < 8; i++)
    block[8 * i + column] = values[i];
  return kept;
}

/* The means of the blocks of the current frame, by their transformed rows. */
INLINE REAL
get_mean (const REAL *rows, int y)
{
  REAL sum = 0.0f;

#pragma unroll
  for (int i = 0; i < 8; i++)
    sum += rows[8 * ((y + i) & 7)];
  return sum * (DCT_4 / 8.0f);
}

/* Filters blocks into `block`. Returns the sum of the gains. */
INLINE REAL
filter_blocks (REAL *block, const REAL *rows, int y, const REAL *basis,
    Ramps ramps, global const float *scales, int matches)
{
  REAL kept = 0.0f;

#pragma unroll 1
  for (int j = 0; j < 8; j++)
    kept += filter_column (block, rows, y, basis, ramps, scales, matches, j);

#if FRAMES > 1
  if (matches == MATCHES_ALL)
    kept *= FRAMES;
  else if (matches == MATCHES_SOME)
    kept *= COUNT_OF (basis);
#endif
  return kept;
}

/* Adds blocks to `sums`, which is indexed like `rows`. Returns their weight. */
INLINE REAL
add_blocks (REAL *sums, const REAL *block, int y, REAL kept)
{
  const REAL weight = 1.0f / (kept + 0.5f);

#pragma unroll 1
  for (int i = 0; i < 8; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++) {
      REAL *sum = sums + 8 * ((y + i) & 7) + j;

      *sum = FMA (weight, block[8 * i + j], *sum);
    }
  }
  return weight;
}

/* Vectors are added up displaced. The sums of the columns after those of the
 * blocks, COVERING - 1 at most, are in `rest`. The next blocks share these
 * columns. */

#if BLOCKS == 16
#define DISPLACE(v) ((float16) (0.0f, (v).s0, (v).s12, (v).s3456, (v).s789a, \
    (v).sbc, (v).sde))
#define LAST(v) (v).sf
#else
#define DISPLACE(v) ((float8) (0.0f, (v).s0, (v).s12, (v).s3456))
#define LAST(v) (v).s7
#endif

/* Displaces the sums by one column, and adds a vector. */
INLINE REAL
displace_and_add (REAL sum, float4 *rest, REAL v)
{
  *rest = (float4) (LAST (sum), (*rest).s012);
  return v + DISPLACE (sum);
}

/* Returns the sum of values that are BLOCK_STEP apart, from number `first` on:
 * the first one, the second one displaced by 1, and so on. Sets `rest`. */
INLINE REAL
add_displaced (const REAL *values, int first, float4 *rest)
{
  REAL sum = values[first + 8 - BLOCK_STEP];

  *rest = 0.0f;
#pragma unroll
  for (int i = COVERING - 2; i >= 0; i--)
    sum = displace_and_add (sum, rest, values[first + BLOCK_STEP * i]);
  return sum;
}

/* Returns the sum of as many weights of blocks, displaced alike. Sets
 * `rest`. */
INLINE REAL
add_weights (REAL weights, float4 *rest)
{
  REAL sum = weights;

  *rest = 0.0f;
#pragma unroll
  for (int i = COVERING - 2; i >= 0; i--)
    sum = displace_and_add (sum, rest, weights);
  return sum;
}

/* Adds the carry of the previous blocks, and stores the carry for the next
 * ones. */
INLINE REAL
carry_over (REAL sum, float4 rest, global float4 *carry)
{
  const float4 before = *carry;

  *carry = rest;
#if BLOCKS == 16
  return sum + (float16) (before, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f,
      0.0f, 0.0f, 0.0f, 0.0f, 0.0f);
#else
  return sum + (float8) (before, 0.0f, 0.0f, 0.0f, 0.0f);
#endif
}

/* The next blocks get these sums, for BLOCK_STEP rows: of the parts of each
 * row, and of the weights, which the rows share. */
typedef struct
{
  float4 rows[BLOCK_STEP][BLOCK_STEP];
  float4 weights;
} Carry;

/* Transforms a row of the sums back, and puts the means of samples into the
 * parts. */
INLINE void
finish_row (const REAL *sum, REAL scale, global float4 *carry,
    global float *part, int part_floats)
{
  REAL values[8];

#pragma unroll
  for (int i = 0; i < 8; i++)
    values[i] = sum[i];
  inverse_dct_8 (values, 1);
#pragma unroll
  for (int i = 0; i < BLOCK_STEP; i++) {
    float4 rest;
    const REAL sums = add_displaced (values, i, &rest);

    STORE (carry_over (sums, rest, carry + i) * scale, 0,
        part + i * part_floats);
  }
}

/* The means of a strip: of all parts, `rows` rows each. */
typedef struct
{
  global float *part;
  int rows;
  int first_y;
} Means;

/* Finishes BLOCK_STEP rows from place.y on, which no further block covers. */
INLINE void
finish_rows (REAL *sums, REAL weights, global Carry *carry, Means means,
    Place place)
{
  float4 rest;
  const REAL sum = add_weights (weights, &rest);
  const REAL scale = 1.0f / carry_over (sum, rest, &carry->weights);

#pragma unroll 1
  for (int j = 0; j < BLOCK_STEP; j++)
    finish_row (sums + 8 * ((place.y + j) & 7), scale, carry->rows[j],
        means.part + (place.y + j - means.first_y) * place.part_pitch
        + (place.x + PAD_X) / BLOCK_STEP, means.rows * place.part_pitch);
}

/* The arguments with the positions of the frames and the strength of the
 * filter. */
#if FRAMES > 1
#define FILTER_IN int8 neighbours, MOTION_IN, global const float *bases
#define FILTER_ARGUMENTS neighbours, MOTION_ARGUMENTS, bases
#else
#define FILTER_IN int8 neighbours
#define FILTER_ARGUMENTS neighbours
#endif

/* Filters the blocks at `place`, whose plane is that of all pictures. Returns
 * their weight. */
INLINE REAL
filter_place (REAL *sums, REAL *rows, Source *sources, Place place,
    int current, FILTER_IN, Noise noise)
{
  global const float *pictures = place.plane;
  REAL block[64];
  REAL kept;

#if FRAMES > 1
  int starts[8];
  int masks[BLOCKS];
  int all;
  const int any = load_masks (masks, place, MOTION_ARGUMENTS, &all);
  REAL basis[FRAMES * FRAMES];

  vstore8 (neighbours, 0, starts);
#pragma unroll 1
  for (int k = 0; k < FRAMES; k++) {
    if (k > 0 && !(any >> (k - 1) & 1))
      continue;
    place.plane = pictures + (k > 0 ? starts[k - 1] : current);
    if (k > 0)
      update_vectors (&sources[k], place, MOTION_ARGUMENTS, k - 1);
    transform_rows (rows + 64 * k, &sources[k], place);
  }
#else
  (void) neighbours;
  place.plane = pictures + current;
  transform_rows (rows, &sources[0], place);
#endif

  const Ramps ramps = get_ramps (noise, get_mean (rows, place.y));
  global const float *scales = SCALES_OF (noise);

#if FRAMES > 1
  if (all == (1 << (FRAMES - 1)) - 1) {
#pragma unroll
    for (int i = 0; i < FRAMES * FRAMES; i++)
      basis[i] = bases[all * FRAMES * FRAMES + i];
    kept = filter_blocks (block, rows, place.y, basis, ramps, scales,
        MATCHES_ALL);
  } else if (any) {
    load_basis (basis, masks, bases);
    kept = filter_blocks (block, rows, place.y, basis, ramps, scales,
        MATCHES_SOME);
  } else
#endif
    kept = filter_blocks (block, rows, place.y, 0, ramps, scales, MATCHES_NONE);
  return add_blocks (sums, block, place.y, kept);
}

/* Filters blocks all the way down a strip, from row `begin` to row `end`. */
NOINLINE void
filter_strip (Means means, global Carry *carries, Place place, int begin,
    int end, int current, FILTER_IN, Noise noise)
{
  REAL rows[FRAMES * 64];
  REAL sums[64];
  REAL weights[COVERING];
  Source sources[FRAMES];

  for (int k = 0; k < FRAMES; k++) {
#pragma unroll
    for (int n = 0; n < GROUPS; n++)
      sources[k].vectors[n] = 0;
    sources[k].end = begin + FIRST_BLOCK;
  }
  /* E is 0 for frames that do not match, whose rows may be missing. */
#pragma unroll 1
  for (int i = 0; i < FRAMES * 64; i++)
    rows[i] = 0.0f;
#pragma unroll 1
  for (int i = 0; i < 64; i++)
    sums[i] = 0.0f;
#pragma unroll
  for (int i = 0; i < COVERING; i++)
    weights[i] = 0.0f;
  for (place.y = begin + FIRST_BLOCK; place.y < end; place.y += BLOCK_STEP) {
    weights[place.y / BLOCK_STEP & (COVERING - 1)] = filter_place (sums, rows,
        sources, place, current, FILTER_ARGUMENTS, noise);
    if (place.y >= begin) {
      REAL weight = weights[0];

#pragma unroll
      for (int i = 1; i < COVERING; i++)
        weight += weights[i];
      finish_rows (sums, weight, carries + (place.y - begin) / BLOCK_STEP,
          means, place);
    }
#pragma unroll
    for (int j = 0; j < BLOCK_STEP; j++) {
#pragma unroll
      for (int i = 0; i < 8; i++)
        sums[8 * ((place.y + j) & 7) + i] = 0.0f;
    }
  }
}

/* Each work-item filters a strip of `strip_height` rows, a multiple of
 * BLOCK_STEP, of `channels` planes, whose subsampling is `shift`. Its scratch
 * memory gets the means of each channel, followed by a Carry for BLOCK_STEP
 * rows. */
kernel void
shrink_rows (int width, int height, int channels, int2 shift, int strip_height,
    global float *scratch, int scratch_floats, global const float *pictures,
    int current, FILTER_IN, int part_pitch, int part_size,
    NOISE_IN, int by_brightness)
{
  const int strip = get_global_id (0);
  const int begin = strip * strip_height;
  const int end = min (begin + strip_height, height);
  const int channel_floats = BLOCK_STEP * strip_height * part_pitch;
  const int n_carries = strip_height / BLOCK_STEP;
  if (begin >= height)
    return;

  global float *means = scratch + (size_t) strip * scratch_floats;
  global Carry *carries = (global Carry *) (means + channels * channel_floats);

  for (int channel = 0; channel < channels; channel++) {
    const Noise noise_of_channel =
        get_noise (NOISE_ARGUMENTS, channel, by_brightness);
    const Means own = { means + channel * channel_floats, strip_height, begin };
    Place place = { pictures + BLOCK_STEP * (size_t) part_size * channel,
      shift, part_pitch, part_size, 0, 0
    };

    for (int i = 0; i < n_carries * (int) (sizeof (Carry) / 16); i++)
      vstore4 (0.0f, i, (global float *) carries);
    /* The middles of the blocks start at a multiple of 16. */
    for (place.x = -20; place.x < width; place.x += BLOCK_STEP * BLOCKS)
      filter_strip (own, carries, place, begin, end, current, FILTER_ARGUMENTS,
          noise_of_channel);
  }
}
