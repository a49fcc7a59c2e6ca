/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for GPUs and small
 * windows. A work-item makes ROWS x COLUMNS samples in registers: it reads each
 * sample of their windows once, and needs no local memory. `weights` holds
 * 2 radius + 1 weights of rows, and the weights of columns follow; or all
 * weights, row by row. Windows are square.
 *
 * The kernels differ in their radius, with which loops are unrolled. */

#include "stencil-tiles.clh"

/* BLOCK_COLUMNS in oclstencilblocked.c. */
#if CHANNELS == 1
#define COLUMNS 4
#else
#define COLUMNS 2
#endif

#define MAX_RADIUS 3
#define MAX_SIDE (2 * MAX_RADIUS + 1)

#define PARAMETERS INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, \
    constant float *weights, float centre, float offset, int border, \
    float4 border_color

/* Rows of one channel in a buffer are read and written four samples at a time,
 * if addresses are aligned for four. */
#if !defined (PIXELS_IN_IMAGES) && CHANNELS == 1 && STEP_0 == 1 \
    && !defined (FLOATS_IN) && !defined (FLOATS_OUT) && !defined (FUSED)
#define TAKES_FOURS
#define ARE_FOURS(name) ((((size_t) (name) | name##_rows.x | name##_rows.y) \
    & (4 * sizeof (COMPONENT) - 1)) == 0)
/* How many columns are read left and right of a block. */
#define READ_AROUND(radius) 4
#else
#define ARE_FOURS(name) 1
#define READ_AROUND(radius) (radius)
#endif

/* Reads the columns x - radius to x + COLUMNS - 1 + radius of row y, which are
 * all in the frame. */
INLINE void
read_columns (SUM *samples, INPUT_PIXELS, int x, int y, int radius)
{
#ifdef TAKES_FOURS
  global const COMPONENT4 *fours = (global const COMPONENT4 *) (CONST_ROW_OF
      (input_0, input_0_rows, y) + x);
  float levels[12];

#pragma unroll
  for (int n = 0; n < 3; n++)
    vstore4 (convert_float4 (TAKE_LEVELS_OF (fours[n - 1])), n, levels);
#pragma unroll
  for (int i = 0; i < COLUMNS + 2 * radius; i++)
    samples[i] = levels[4 - radius + i];
#else
#pragma unroll
  for (int i = 0; i < COLUMNS + 2 * radius; i++)
    samples[i] = TO_SUM (READ_PIXEL (x - radius + i, y));
#endif
}

/* Reads the columns of row y, some of which are outside the frame; `columns`
 * has their coordinates, see border_coordinate (). */
INLINE void
read_columns_anywhere (SUM *samples, INPUT_PIXELS, const int *columns, int y,
    int radius, float4 border_color)
{
#pragma unroll
  for (int i = 0; i < COLUMNS + 2 * radius; i++)
    samples[i] = columns[i] < 0 || y < 0 ? TO_SUM (border_color)
        : TO_SUM (READ_PIXEL (columns[i], y));
}

/* Adds what row j of the windows gives to the sums. */
INLINE void
add_dense (SUM sums[ROWS][COLUMNS], const SUM *samples, int j, int radius,
    const float *weights, float centre)
{
  (void) centre;
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (j < k || j > k + 2 * radius)
      continue;
#pragma unroll
    for (int i = 0; i < 2 * radius + 1; i++) {
      const SUM weight = weights[(j - k) * (2 * radius + 1) + i];

#pragma unroll
      for (int c = 0; c < COLUMNS; c++)
        sums[k][c] = mad (samples[c + i], weight, sums[k][c]);
    }
  }
}

INLINE void
add_separable (SUM sums[ROWS][COLUMNS], const SUM *samples, int j, int radius,
    const float *weights, float centre)
{
  SUM row[COLUMNS];

#pragma unroll
  for (int c = 0; c < COLUMNS; c++) {
    row[c] = 0.0f;
#pragma unroll
    for (int i = 0; i < 2 * radius + 1; i++)
      row[c] = mad (samples[c + i], (SUM) weights[2 * radius + 1 + i], row[c]);
  }
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (j < k || j > k + 2 * radius)
      continue;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
      sums[k][c] = mad (row[c], (SUM) weights[j - k], sums[k][c]);
      if (j == k + radius)
        sums[k][c] = mad (samples[c + radius], (SUM) centre, sums[k][c]);
    }
  }
}

/* Writes the block whose first sample is x, y; it may end outside the
 * frame. */
INLINE void
write_block (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int x, int y,
    SUM sums[ROWS][COLUMNS], float offset)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
#ifdef TAKES_FOURS
    if (y + k < height && x + COLUMNS <= width && ARE_FOURS (output_0)) {
      const float4 levels = vload4 (0, sums[k]) + offset;

      *(global RESULT4 *) (ROW_OF (output_0, output_0_rows, y + k) + x) =
          TAKE_COMPONENTS_OF (CONVERT_RESULT4_SAT_RTE (min (levels, LEVELS)));
      continue;
    }
#endif
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
      if (x + c < width && y + k < height)
        write_sum (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, x + c, y + k, sums[k][c],
            0.0f, 1.0f, offset);
    }
  }
}

/* The code of all kernels. */
#define MAKE_BLOCK(ADD, radius, n_weights) \
  const int x = get_global_id (0) * COLUMNS; \
  const int y = get_global_id (1) * ROWS; \
  SUM sums[ROWS][COLUMNS]; \
  SUM samples[COLUMNS + 2 * MAX_RADIUS]; \
  float own_weights[n_weights]; \
\
  if (x >= width || y >= height) \
    return; \
  _Pragma ("unroll") \
  for (int n = 0; n < n_weights; n++) \
    own_weights[n] = weights[n]; \
  _Pragma ("unroll") \
  for (int n = 0; n < ROWS * COLUMNS; n++) \
    sums[n / COLUMNS][n % COLUMNS] = 0.0f; \
  if (x >= READ_AROUND (radius) \
      && x + COLUMNS + READ_AROUND (radius) <= width \
      && y >= radius && y + ROWS + radius <= height \
      && ARE_FOURS (input_0)) { \
    _Pragma ("unroll") \
    for (int j = 0; j < ROWS + 2 * radius; j++) { \
      read_columns (samples, INPUT_ARGUMENTS, x, y - radius + j, radius); \
      ADD (sums, samples, j, radius, own_weights, centre); \
    } \
  } else { \
    int columns[COLUMNS + 2 * MAX_RADIUS]; \
\
    _Pragma ("unroll") \
    for (int i = 0; i < COLUMNS + 2 * radius; i++) \
      columns[i] = border_coordinate (border, x - radius + i, width); \
    _Pragma ("unroll") \
    for (int j = 0; j < ROWS + 2 * radius; j++) { \
      read_columns_anywhere (samples, INPUT_ARGUMENTS, columns, \
          border_coordinate (border, y - radius + j, height), radius, \
          border_color); \
      ADD (sums, samples, j, radius, own_weights, centre); \
    } \
  } \
  write_block (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, width, height, x, y, sums, \
      offset);

#define DENSE(name, radius) \
kernel void name (PARAMETERS) \
{ \
  MAKE_BLOCK (add_dense, radius, (2 * radius + 1) * (2 * radius + 1)) \
}

#define SEPARABLE(name, radius) \
kernel void name (PARAMETERS) \
{ \
  MAKE_BLOCK (add_separable, radius, 2 * (2 * radius + 1)) \
}

DENSE (dense_1, 1)
DENSE (dense_2, 2)
SEPARABLE (separable_1, 1)
SEPARABLE (separable_2, 2)
SEPARABLE (separable_3, 3)

#include "fuse.clh"
