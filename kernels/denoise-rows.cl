/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoising for CPUs: BLOCKS blocks at a time, 8 or 16, see denoise.cl.
 *
 * Blocks start at every second sample. So a plane of a picture is two: one of
 * the even columns and one of the odd columns, `half_size` floats later, and
 * BLOCKS blocks take consecutive floats of one of them. Rows are `half_pitch`
 * floats apart.
 *
 * The blocks that are side by side go down the picture together, two rows in
 * each step. A transform of blocks is one of rows, then one of columns, and
 * blocks that are above each other have 6 of 8 rows in common. So the transform
 * of a row is kept while the blocks pass over it; and the inverse transform of
 * a row follows when the columns of all blocks that cover it are added up.
 *
 * Build with EARLIER and LATER. BLOCKS is the number of floats in a vector of
 * the device, unless it is given. */

#pragma OPENCL FP_CONTRACT OFF

#include "vector.clh"

#ifndef BLOCKS
#ifdef __AVX512F__
#define BLOCKS 16
#else
#define BLOCKS 8
#endif
#endif

#if BLOCKS == 16
#define REAL float16
#define LOAD vload16
#define STORE vstore16
#define LOAD_HALF vload8
#else
#define REAL float8
#define LOAD vload8
#define STORE vstore8
#define LOAD_HALF vload4
#endif

#include "denoise.clh"
#include "shrink.clh"

/* Stores 16 levels, from an even column on, as columns of both planes. */
INLINE void
store_columns (COMPONENT16 components, global float *even, int half_size)
{
  const float16 levels = convert_float16 (components) * TO_8_BITS;

  vstore8 (levels.even, 0, even);
  vstore8 (levels.odd, 0, even + half_size);
}

/* Each work-item makes a row of the picture at float `offset`, for each
 * channel. */
kernel void
take_apart_rows (BUFFERS_IN, int width, int height, global float *pictures,
    int offset, int pitch, int plane_size, int border, float4 border_color)
{
  const int half_pitch = pitch / 2;
  const int half_size = plane_size / 2;
  const int row = get_global_id (0);
  if (row >= height + 2 * PAD_Y)
    return;

  global float *picture = pictures + offset + (size_t) row * half_pitch;
  for (int column = 0; column < 2 * half_pitch; column += 16) {
    Samples samples;

    read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height,
        column - PAD_X, row - PAD_Y, border, border_color);
#define STORE_COLUMNS(n) store_columns (samples.channel_##n, \
        picture + (size_t) plane_size * n + column / 2, half_size);
    EACH_CHANNEL (STORE_COLUMNS)
  }
}

/* Where the taps of blocks are: the even taps of a row of a block are
 * consecutive floats, and so are the odd ones. */
typedef struct
{
  global const float *even;
  global const float *odd;
} Taps;

/* The taps of blocks that start at a column of a plane with its border. */
INLINE Taps
get_taps (global const float *plane, int half_size, int column)
{
  const Taps taps = {
    plane + (column & 1) * half_size + (column >> 1),
    plane + (~column & 1) * half_size + ((column + 1) >> 1)
  };

  return taps;
}

#define TAP(taps, i) ((i) % 2 ? (taps).odd + (i) / 2 : (taps).even + (i) / 2)

/* The blocks have their middles in GROUPS blocks of luma that have a vector, as
 * many in each, and in CELLS cells. */
#define GROUPS ((2 * BLOCKS << X_SHIFT) / VECTOR_BLOCK)
#define CELLS ((2 * BLOCKS << X_SHIFT) / CELL)
#define GROUP_WIDTH (2 * BLOCKS / GROUPS)

#define PART(load, groups, n, i, offset) \
    load (0, TAP ((groups)[n], i) + (offset))
#if GROUPS == 1
#define LOAD_TAP(groups, i, offset) PART (LOAD, groups, 0, i, offset)
#elif GROUPS == 2
#define LOAD_TAP(groups, i, offset) ((REAL) ( \
    PART (LOAD_HALF, groups, 0, i, offset), \
    PART (LOAD_HALF, groups, 1, i, offset)))
#else
#define LOAD_TAP(groups, i, offset) ((REAL) ( \
    PART (vload4, groups, 0, i, offset), PART (vload4, groups, 1, i, offset), \
    PART (vload4, groups, 2, i, offset), PART (vload4, groups, 3, i, offset)))
#endif

/* Loads a row of the blocks, and transforms it. */
INLINE void
transform_row (REAL *row, const Taps *groups, int offset)
{
  REAL values[8];

#pragma unroll
  for (int i = 0; i < 8; i++)
    values[i] = LOAD_TAP (groups, i, offset);
  dct_8 (values, 1);
#pragma unroll
  for (int i = 0; i < 8; i++)
    row[i] = values[i];
}

/* Where a frame has the blocks, and which of its rows are transformed. */
typedef struct
{
  int2 vectors[GROUPS];
  int end;                      /* the row after the last one */
} Source;

/* A plane of pictures, and the place of the blocks in it: the first one starts
 * at x, y. */
typedef struct
{
  global const float *plane;
  int half_pitch;
  int half_size;
  int x;
  int y;
} Place;

/* Transforms the rows of a frame that the blocks at `place` need, and that are
 * not transformed yet. `rows` holds 8 rows; row y has index y & 7. */
INLINE void
transform_rows (REAL *rows, Source *source, Place place)
{
  Taps groups[GROUPS];

#pragma unroll
  for (int n = 0; n < GROUPS; n++)
    groups[n] = get_taps (place.plane + (PAD_Y + source->vectors[n].y)
        * place.half_pitch, place.half_size, place.x + GROUP_WIDTH * n
        + source->vectors[n].x + PAD_X);
  for (int y = max (source->end, place.y); y < place.y + 8; y++)
    transform_row (rows + 8 * (y & 7), groups, y * place.half_pitch);
  source->end = place.y + 8;
}

#if FRAMES > 1

/* Gets the vectors of neighbour k. Where they are not those of the row
 * before, all rows have to be transformed. */
INLINE void
update_vectors (Source *source, Place place, MOTION_IN, int k)
{
  const int luma_y = (place.y + 4) << Y_SHIFT;

#pragma unroll
  for (int n = 0; n < GROUPS; n++) {
    const int x = place.x + GROUP_WIDTH * n;
    const int2 vector = TO_SAMPLES (VECTOR_AT (k, (x + 4) << X_SHIFT, luma_y));

    if (vector.x != source->vectors[n].x || vector.y != source->vectors[n].y)
      source->end = place.y;
    source->vectors[n] = vector;
  }
}

/* Gets the masks of all cells of the blocks. Sets `all` to the frames that
 * match everywhere. Returns the frames that match anywhere. */
INLINE int
load_masks (int *masks, Place place, MOTION_IN, int *all)
{
  const int luma_x = (place.x + 4) << X_SHIFT;
  const int luma_y = (place.y + 4) << Y_SHIFT;
  int any = 0;

  *all = ~0;
#pragma unroll
  for (int n = 0; n < CELLS; n++) {
    masks[n] = MASK_AT (luma_x + n * CELL, luma_y);
    *all &= masks[n];
    any |= masks[n];
  }
  return any;
}

/* Sets E for the frames that match each block. */
INLINE void
load_basis (REAL *basis, const int *masks, global const float *bases)
{
#pragma unroll
  for (int i = 0; i < FRAMES * FRAMES; i++) {
    float values[BLOCKS];

#pragma unroll
    for (int n = 0; n < BLOCKS; n++)
      values[n] = bases[masks[n * CELLS / BLOCKS] * FRAMES * FRAMES + i];
    basis[i] = LOAD (0, values);
  }
}

#endif

/* Which frames match the blocks. */
#define MATCHES_NONE 0
#define MATCHES_ALL 1
#define MATCHES_SOME 2

/* Filters one column of the blocks' coefficients: `rows` holds the transformed
 * rows of all frames, from their first column on. Puts the result, transformed
 * back, into `block`. Returns the sum of what is kept. */
INLINE REAL
filter_column (REAL *block, const REAL *rows, int y, const REAL *basis,
    Ramps ramps, global const float *scales, int matches, int has_mean)
{
  const int n = matches == MATCHES_NONE ? 1 : FRAMES;
  const int sums = matches == MATCHES_ALL ? SUMS : 0;
  REAL values[8 * FRAMES];
  REAL kept = 0.0f;

#pragma unroll
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      values[8 * k + i] = rows[64 * k + 8 * ((y + i) & 7)];
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
    const int is_mean = i == 0 && has_mean;
    const REAL ramp = RAMP_AT (ramps, scales[8 * i]);

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
    block[8 * i] = values[i];
  return kept;
}

/* The means of the blocks of the current frame, by their transformed rows. */
INLINE REAL
get_mean (const REAL *rows, int y)
{
  REAL sum = 0.0f;

#if CURVE
#pragma unroll
  for (int i = 0; i < 8; i++)
    sum += rows[8 * ((y + i) & 7)];
#endif
  return sum * (DCT_4 / 8.0f);
}

/* Filters blocks, and adds them to `sums`, which is indexed like `rows`.
 * Returns their weight. */
INLINE REAL
filter_blocks (REAL *sums, const REAL *rows, int y, const REAL *basis,
    Noise noise, int matches)
{
  const Ramps ramps = get_ramps (noise, get_mean (rows, y));
  REAL block[64];
  REAL kept = filter_column (block, rows, y, basis, ramps, SCALES_OF (noise),
      matches, 1);

#pragma unroll 1
  for (int j = 1; j < 8; j++)
    kept += filter_column (block + j, rows + j, y, basis, ramps,
        SCALES_OF (noise) + j, matches, 0);

#if FRAMES > 1
  if (matches == MATCHES_ALL)
    kept *= FRAMES;
  else if (matches == MATCHES_SOME)
    kept *= COUNT_OF (basis);
#endif

  const REAL weight = 1.0f / (kept + 0.5f);

#pragma unroll
  for (int i = 0; i < 8; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++) {
      REAL *sum = sums + 8 * ((y + i) & 7) + j;

      *sum = FMA (weight, block[8 * i + j], *sum);
    }
  }
  return weight;
}

/* Sums of vectors that are displaced: of the columns of the blocks, and of the
 * 3 columns after them, which the next blocks share. */
typedef struct
{
  REAL sum;
  float4 rest;
} Displaced;

#if BLOCKS == 16
#define DISPLACE(v) ((float16) (0.0f, (v).s0, (v).s12, (v).s3456, (v).s789a, \
    (v).sbc, (v).sde))
#define LAST(v) (v).sf
#else
#define DISPLACE(v) ((float8) (0.0f, (v).s0, (v).s12, (v).s3456))
#define LAST(v) (v).s7
#endif

/* Displaces the sums by one column, and adds a vector. */
INLINE Displaced
displace_and_add (Displaced sums, REAL v)
{
  const Displaced result = {
    v + DISPLACE (sums.sum), (float4) (LAST (sums.sum), sums.rest.s012)
  };

  return result;
}

/* a, b displaced by 1, c displaced by 2 and d displaced by 3, added up. */
INLINE Displaced
add_displaced (REAL a, REAL b, REAL c, REAL d)
{
  Displaced sums = { d, 0.0f };

  sums = displace_and_add (sums, c);
  sums = displace_and_add (sums, b);
  return displace_and_add (sums, a);
}

/* Adds what the blocks before these left, and leaves the rest to the next. */
INLINE REAL
carry_over (Displaced sums, global float4 *carry)
{
  const float4 before = *carry;

  *carry = sums.rest;
#if BLOCKS == 16
  return sums.sum + (float16) (before, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f,
      0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f);
#else
  return sums.sum + (float8) (before, 0.0f, 0.0f, 0.0f, 0.0f);
#endif
}

/* The next blocks get these sums, for two rows: of even and of odd columns, and
 * of the weights of both rows. */
typedef struct
{
  float4 even[2];
  float4 odd[2];
  float4 weights;
} Carry;

/* Transforms row y of the sums back, and puts the means of samples into `even`
 * and `odd`. */
INLINE void
finish_row (const REAL *sum, REAL scale, global float4 *even_carry,
    global float4 *odd_carry, global float *even, global float *odd)
{
  REAL values[8];

#pragma unroll
  for (int i = 0; i < 8; i++)
    values[i] = sum[i];
  inverse_dct_8 (values, 1);

  const Displaced evens =
      add_displaced (values[0], values[2], values[4], values[6]);
  const Displaced odds =
      add_displaced (values[1], values[3], values[5], values[7]);

  STORE (carry_over (evens, even_carry) * scale, 0, even);
  STORE (carry_over (odds, odd_carry) * scale, 0, odd);
}

/* The means of a strip: of both planes, `rows` rows each. */
typedef struct
{
  global float *even;
  int rows;
  int first_y;
} Means;

/* Finishes the rows y and y + 1, which no further block covers. */
INLINE void
finish_rows (REAL *sums, REAL weights, global Carry *carry, Means means,
    Place place)
{
  const REAL scale = 1.0f / carry_over (add_displaced (weights, weights,
          weights, weights), &carry->weights);

#pragma unroll
  for (int j = 0; j < 2; j++) {
    global float *even = means.even + (place.y + j - means.first_y)
        * place.half_pitch + (place.x + PAD_X) / 2;

    finish_row (sums + 8 * ((place.y + j) & 7), scale, &carry->even[j],
        &carry->odd[j], even, even + means.rows * place.half_pitch);
  }
}

/* The arguments that say where the frames are and how strong they are
 * filtered. */
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

  place.plane = pictures + current;
  transform_rows (rows, &sources[0], place);
#if FRAMES > 1
  int starts[8];
  int masks[CELLS];
  int all;
  const int any = load_masks (masks, place, MOTION_ARGUMENTS, &all);
  REAL basis[FRAMES * FRAMES];

  vstore8 (neighbours, 0, starts);
  for (int k = 1; k < FRAMES; k++) {
    if (!(any >> (k - 1) & 1))
      continue;
    place.plane = pictures + starts[k - 1];
    update_vectors (&sources[k], place, MOTION_ARGUMENTS, k - 1);
    transform_rows (rows + 64 * k, &sources[k], place);
  }
  if (all == (1 << (FRAMES - 1)) - 1) {
#pragma unroll
    for (int i = 0; i < FRAMES * FRAMES; i++)
      basis[i] = bases[all * FRAMES * FRAMES + i];
    return filter_blocks (sums, rows, place.y, basis, noise, MATCHES_ALL);
  }
  if (any) {
    load_basis (basis, masks, bases);
    return filter_blocks (sums, rows, place.y, basis, noise, MATCHES_SOME);
  }
#else
  (void) neighbours;
#endif
  return filter_blocks (sums, rows, place.y, 0, noise, MATCHES_NONE);
}

/* Filters blocks all the way down a strip, from row `begin` to row `end`. */
INLINE void
filter_strip (Means means, global Carry *carries, Place place, int begin,
    int end, int current, FILTER_IN, Noise noise)
{
  REAL rows[FRAMES * 64];
  REAL sums[64];
  REAL weights[4];
  Source sources[FRAMES];

  for (int k = 0; k < FRAMES; k++) {
#pragma unroll
    for (int n = 0; n < GROUPS; n++)
      sources[k].vectors[n] = 0;
    sources[k].end = begin + FIRST_BLOCK;
  }
  /* E is 0 for frames that do not match, whose rows may be missing. */
#pragma unroll
  for (int i = 0; i < FRAMES * 64; i++)
    rows[i] = 0.0f;
#pragma unroll
  for (int i = 0; i < 64; i++)
    sums[i] = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; i++)
    weights[i] = 0.0f;
  for (place.y = begin + FIRST_BLOCK; place.y < end; place.y += 2) {
    weights[place.y / 2 & 3] = filter_place (sums, rows, sources, place,
        current, FILTER_ARGUMENTS, noise);
    if (place.y >= begin)
      finish_rows (sums, weights[0] + weights[1] + weights[2] + weights[3],
          carries + (place.y - begin) / 2, means, place);
#pragma unroll
    for (int i = 0; i < 8; i++) {
      sums[8 * (place.y & 7) + i] = 0.0f;
      sums[8 * ((place.y + 1) & 7) + i] = 0.0f;
    }
  }
}

/* Writes 16 samples of row y from column x on: the means, and `grain` of what
 * was removed from the picture. */
INLINE void
write_means (BUFFERS_IN, BUFFERS_OUT, int width, int x, int y,
    global const float *even, int channel_floats, int odd_floats,
    global const float *picture, int half_size, float grain)
{
  Levels levels;

#define TAKE_MEANS(n) { \
    global const float *own = picture + 2 * (size_t) half_size * n; \
    const float8 left = mix (vload8 (0, even + n * channel_floats), \
        vload8 (0, own), grain); \
    const float8 right = mix (vload8 (0, even + n * channel_floats \
            + odd_floats), vload8 (0, own + half_size), grain); \
    levels.channel_##n.even = left * FROM_8_BITS; \
    levels.channel_##n.odd = right * FROM_8_BITS; \
  }
  EACH_CHANNEL (TAKE_MEANS)
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y, width - x,
      levels);
}

/* Each work-item filters a strip of `strip_height` rows, an even number. Its
 * scratch memory holds a Carry for two rows, then the means of each channel. */
kernel void
shrink_rows (BUFFERS_IN, BUFFERS_OUT, int width, int height, int strip_height,
    global float *scratch, int scratch_floats, global const float *pictures,
    int current, FILTER_IN, int half_pitch, int half_size,
    NOISE_IN, float grain)
{
  const int strip = get_global_id (0);
  const int begin = strip * strip_height;
  const int end = min (begin + strip_height, height);
  const int channel_floats = 2 * strip_height * half_pitch;
  if (begin >= height)
    return;

  scratch += (size_t) strip * scratch_floats;
  global Carry *carries = (global Carry *) scratch;
  global float *means = scratch + strip_height / 2 * sizeof (Carry) / 4;

  for (int channel = 0; channel < CHANNELS; channel++) {
    const Noise noise_of_channel =
        get_noise (NOISE_ARGUMENTS, channel);
    const Means own = { means + channel * channel_floats, strip_height, begin };
    Place place = { pictures + 2 * (size_t) half_size * channel, half_pitch,
      half_size, 0, 0
    };

    for (int i = 0; i < strip_height / 2 * (int) (sizeof (Carry) / 4); i += 4)
      vstore4 (0.0f, 0, scratch + i);
    /* The middles of the blocks start at a multiple of 16. */
    for (place.x = -20; place.x < width; place.x += 2 * BLOCKS)
      filter_strip (own, carries, place, begin, end, current, FILTER_ARGUMENTS,
          noise_of_channel);
  }
  pictures += current;
  for (int y = begin; y < end; y++) {
    for (int x = 0; x < width; x += 16)
      write_means (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, width, x, y,
          means + (y - begin) * half_pitch + (x + PAD_X) / 2,
          channel_floats, strip_height * half_pitch,
          pictures + (y + PAD_Y) * half_pitch + (x + PAD_X) / 2,
          half_size, grain);
  }
}
