/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoising for CPUs: BLOCKS blocks at a time, 8 or 16, see denoise.cl.
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
 * Build with EARLIER, LATER and BLOCK_STEP. BLOCKS is the number of floats in a
 * vector of the device, unless it is given. */

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

/* Repeats a statement for all parts, with the components of 16 consecutive
 * samples that are in the part. */
#if BLOCK_STEP == 2
#define EACH_PART(statement) statement (0, even) statement (1, odd)
#define LOAD_PART vload8
#define STORE_PART vstore8
#else
#define EACH_PART(statement) statement (0, s048c) statement (1, s159d) \
    statement (2, s26ae) statement (3, s37bf)
#define LOAD_PART vload4
#define STORE_PART vstore4
#endif

/* Stores 16 levels, from a column of the first part on. */
INLINE void
store_columns (COMPONENT16 components, global float *part, int part_size)
{
  const float16 levels = convert_float16 (components) * TO_8_BITS;

#define STORE_LEVELS(n, components) \
    STORE_PART (levels.components, 0, part + (n) * part_size);
  EACH_PART (STORE_LEVELS)
}

/* Each work-item computes a row of the picture at float `offset`, for each
 * channel. */
kernel void
take_apart_rows (BUFFERS_IN, int width, int height, global float *pictures,
    int offset, int pitch, int plane_size, int border, float4 border_color)
{
  const int part_pitch = pitch / BLOCK_STEP;
  const int part_size = plane_size / BLOCK_STEP;
  const int row = get_global_id (0);
  if (row >= height + 2 * PAD_Y)
    return;

  global float *picture = pictures + offset + (size_t) row * part_pitch;
  for (int column = 0; column < pitch; column += 16) {
    Samples samples;

    read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height,
        column - PAD_X, row - PAD_Y, border, border_color);
#define STORE_COLUMNS(n) store_columns (samples.channel_##n, \
        picture + (size_t) plane_size * n + column / BLOCK_STEP, part_size);
    EACH_CHANNEL (STORE_COLUMNS)
  }
}

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

/* The blocks have their middles in GROUPS blocks of luma that have a vector, as
 * many in each, and in CELLS cells, CELL_STEP pixels of luma apart. */
#define LUMA_STEP (BLOCK_STEP << X_SHIFT)
#define GROUPS (LUMA_STEP * BLOCKS / VECTOR_BLOCK)
#if BLOCK_STEP << X_SHIFT > CELL
#define CELL_STEP LUMA_STEP
#else
#define CELL_STEP CELL
#endif
#define CELLS (LUMA_STEP * BLOCKS / CELL_STEP)
#define GROUP_WIDTH (BLOCK_STEP * BLOCKS / GROUPS)

#define PART(load, groups, n, i, offset) \
    load (0, TAP ((groups)[n], i) + (offset))
#if GROUPS == 1
#define LOAD_TAP(groups, i, offset) PART (LOAD, groups, 0, i, offset)
#elif GROUPS == 2
#define LOAD_TAP(groups, i, offset) ((REAL) ( \
    PART (LOAD_HALF, groups, 0, i, offset), \
    PART (LOAD_HALF, groups, 1, i, offset)))
#elif GROUPS == 4 && BLOCKS == 8
#define LOAD_TAP(groups, i, offset) ((REAL) ( \
    PART (vload2, groups, 0, i, offset), PART (vload2, groups, 1, i, offset), \
    PART (vload2, groups, 2, i, offset), PART (vload2, groups, 3, i, offset)))
#elif GROUPS == 8
#define LOAD_TAP(groups, i, offset) ((REAL) ( \
    PART (vload2, groups, 0, i, offset), PART (vload2, groups, 1, i, offset), \
    PART (vload2, groups, 2, i, offset), PART (vload2, groups, 3, i, offset), \
    PART (vload2, groups, 4, i, offset), PART (vload2, groups, 5, i, offset), \
    PART (vload2, groups, 6, i, offset), PART (vload2, groups, 7, i, offset)))
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

/* The position of the blocks in a frame, and the transformed rows. */
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

#pragma unroll
  for (int n = 0; n < GROUPS; n++)
    groups[n] = get_taps (place.plane + (PAD_Y + source->vectors[n].y)
        * place.part_pitch, place.part_size, place.x + GROUP_WIDTH * n
        + source->vectors[n].x + PAD_X);
  for (int y = max (source->end, place.y); y < place.y + 8; y++)
    transform_row (rows + 8 * (y & 7), groups, y * place.part_pitch);
  source->end = place.y + 8;
}

#if FRAMES > 1

/* Gets the vectors of neighbour k. If they differ from those of the previous
 * row, all rows have to be transformed. */
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
    masks[n] = MASK_AT (luma_x + n * CELL_STEP, luma_y);
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
 * back, into `block`. Returns the sum of the gains. */
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

/* Filters blocks into `block`. Returns the sum of the gains. */
INLINE REAL
filter_blocks (REAL *block, const REAL *rows, int y, const REAL *basis,
    Noise noise, int matches)
{
  const Ramps ramps = get_ramps (noise, get_mean (rows, y));
  REAL kept = 0.0f;

#pragma unroll 1
  for (int j = 0; j < 8; j++)
    kept += filter_column (block + j, rows + j, y, basis, ramps,
        SCALES_OF (noise) + j, matches, j == 0);

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
 * columns after them, COVERING - 1 at most, which the next blocks share. */
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

/* The sum of values that are BLOCK_STEP apart, from number `first` of `n` on:
 * the first one, the second one displaced by 1, and so on. */
INLINE Displaced
add_displaced (const REAL *values, int first)
{
  Displaced sums = { values[first + 8 - BLOCK_STEP], 0.0f };

#pragma unroll
  for (int i = COVERING - 2; i >= 0; i--)
    sums = displace_and_add (sums, values[first + BLOCK_STEP * i]);
  return sums;
}

/* As many weights of blocks, displaced alike. */
INLINE Displaced
add_weights (REAL weights)
{
  Displaced sums = { weights, 0.0f };

#pragma unroll
  for (int i = COVERING - 2; i >= 0; i--)
    sums = displace_and_add (sums, weights);
  return sums;
}

/* Adds the carry of the previous blocks, and stores the carry for the next
 * ones. */
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
  for (int i = 0; i < BLOCK_STEP; i++)
    STORE (carry_over (add_displaced (values, i), carry + i) * scale, 0,
        part + i * part_floats);
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
  const REAL scale = 1.0f / carry_over (add_weights (weights),
      &carry->weights);

#pragma unroll
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
  int masks[CELLS];
  int all;
  const int any = load_masks (masks, place, MOTION_ARGUMENTS, &all);
  REAL basis[FRAMES * FRAMES];

  vstore8 (neighbours, 0, starts);
  /* One copy of the body: compilers take long for two. */
#pragma unroll 1
  for (int k = 0; k < FRAMES; k++) {
    if (k > 0 && !(any >> (k - 1) & 1))
      continue;
    place.plane = pictures + (k > 0 ? starts[k - 1] : current);
    if (k > 0)
      update_vectors (&sources[k], place, MOTION_ARGUMENTS, k - 1);
    transform_rows (rows + 64 * k, &sources[k], place);
  }
  if (all == (1 << (FRAMES - 1)) - 1) {
#pragma unroll
    for (int i = 0; i < FRAMES * FRAMES; i++)
      basis[i] = bases[all * FRAMES * FRAMES + i];
    kept = filter_blocks (block, rows, place.y, basis, noise, MATCHES_ALL);
  } else if (any) {
    load_basis (basis, masks, bases);
    kept = filter_blocks (block, rows, place.y, basis, noise, MATCHES_SOME);
  } else
#else
  (void) neighbours;
  place.plane = pictures + current;
  transform_rows (rows, &sources[0], place);
#endif
    kept = filter_blocks (block, rows, place.y, 0, noise, MATCHES_NONE);
  return add_blocks (sums, block, place.y, kept);
}

/* Filters blocks all the way down a strip, from row `begin` to row `end`. */
INLINE void
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

/* Reads 16 means, and adds `grain` of the removed noise. Parts of means are
 * `mean_floats` apart, those of the picture `part_size`. */
INLINE float16
take_means (global const float *means, int mean_floats,
    global const float *picture, int part_size, float grain)
{
  float16 levels;

#define TAKE_PART(n, components) \
    levels.components = mix (LOAD_PART (0, means + (n) * mean_floats), \
        LOAD_PART (0, picture + (n) * part_size), grain) * FROM_8_BITS;
  EACH_PART (TAKE_PART)
  return levels;
}

/* Writes 16 samples of row y from column x on. The means of channels are
 * `channel_floats` apart. */
INLINE void
write_means (BUFFERS_IN, BUFFERS_OUT, int width, int x, int y,
    global const float *means, int channel_floats, int mean_floats,
    global const float *picture, int part_size, float grain)
{
  Levels levels;

#define TAKE_MEANS(n) levels.channel_##n = take_means (means \
        + n * channel_floats, mean_floats, picture \
        + BLOCK_STEP * (size_t) part_size * n, part_size, grain);
  EACH_CHANNEL (TAKE_MEANS)
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y, width - x,
      levels);
}

/* Each work-item filters a strip of `strip_height` rows, a multiple of
 * BLOCK_STEP. Its scratch memory holds a Carry for BLOCK_STEP rows, then the
 * means of each channel. */
kernel void
shrink_rows (BUFFERS_IN, BUFFERS_OUT, int width, int height, int strip_height,
    global float *scratch, int scratch_floats, global const float *pictures,
    int current, FILTER_IN, int part_pitch, int part_size,
    NOISE_IN, float grain)
{
  const int strip = get_global_id (0);
  const int begin = strip * strip_height;
  const int end = min (begin + strip_height, height);
  const int channel_floats = BLOCK_STEP * strip_height * part_pitch;
  if (begin >= height)
    return;

  scratch += (size_t) strip * scratch_floats;
  global Carry *carries = (global Carry *) scratch;
  const int carry_floats =
      strip_height / BLOCK_STEP * (int) (sizeof (Carry) / sizeof (float));
  global float *means = scratch + carry_floats;

  for (int channel = 0; channel < CHANNELS; channel++) {
    const Noise noise_of_channel =
        get_noise (NOISE_ARGUMENTS, channel);
    const Means own = { means + channel * channel_floats, strip_height, begin };
    Place place = { pictures + BLOCK_STEP * (size_t) part_size * channel,
      part_pitch, part_size, 0, 0
    };

    for (int i = 0; i < carry_floats; i += 4)
      vstore4 (0.0f, 0, scratch + i);
    /* The middles of the blocks start at a multiple of 16. */
    for (place.x = -20; place.x < width; place.x += BLOCK_STEP * BLOCKS)
      filter_strip (own, carries, place, begin, end, current, FILTER_ARGUMENTS,
          noise_of_channel);
  }
  pictures += current;
  for (int y = begin; y < end; y++) {
    for (int x = 0; x < width; x += 16)
      write_means (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, width, x, y,
          means + (y - begin) * part_pitch + (x + PAD_X) / BLOCK_STEP,
          channel_floats, strip_height * part_pitch,
          pictures + (y + PAD_Y) * part_pitch + (x + PAD_X) / BLOCK_STEP,
          part_size, grain);
  }
}
