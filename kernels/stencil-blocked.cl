/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for GPUs and small
 * windows. A work-item computes ROWS x BLOCK_COLUMNS samples in registers: it
 * reads each sample of their windows once, and needs no local memory. Windows
 * are squares of RADIUS. `weights` holds all weights, row by row, for `dense`,
 * whose centre and scale are part of the weights. For `separable` it contains
 * the weights of the rows, followed by those of the columns.
 *
 * `separable` sums down the columns and then along the rows, in the order of
 * stencil-tiled.cl: frames in buffers and frames in images get equal bytes. */

#include "stencil-tiles.clh"

/* BLOCK_COLUMNS() in oclstencil.c. */
#if CHANNELS == 1
#define BLOCK_COLUMNS 4
#else
#define BLOCK_COLUMNS 2
#endif

#define SIDE (2 * RADIUS + 1)

/* Code for blocks inside the frame is long, and slow to compile. Kernels that
 * do not need it are built without. */
#define UNROLLS_DENSE (RADIUS <= 2)
#define UNROLLS_SEPARABLE (CHANNELS == 1 || RADIUS == 1)

#define PARAMETERS INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, \
    constant float *weights, float centre, float scale, float offset, \
    int border, float4 border_color

/* Rows of one channel in a buffer are read and written four samples at a time,
 * if addresses are aligned for four. */
#if !defined (PIXELS_IN_IMAGES) && CHANNELS == 1 && STEP_0 == 1 \
    && (defined (BYTES_IN) || defined (SHORTS_IN)) && !defined (FUSED)
#define TAKES_FOURS
#define ARE_FOURS(name) ((((size_t) (name) | name##_rows.x | name##_rows.y) \
    & (4 * sizeof (STORED_IN) - 1 | 4 * sizeof (RESULT) - 1)) == 0)
/* How many columns are read left and right of a block. */
#define READ_AROUND 4
#else
#define ARE_FOURS(name) 1
#define READ_AROUND RADIUS
#endif

/* The columns of the windows of a block. */
#define WINDOW_COLUMNS (BLOCK_COLUMNS + 2 * RADIUS)

/* Reads the columns of the windows of row y, which are all in the frame. The
 * block starts at x. */
INLINE void
read_columns (SUM *samples, INPUT_PIXELS, int x, int y)
{
#ifdef TAKES_FOURS
  global const STORED4_IN *fours = (global const STORED4_IN *) (CONST_ROW_OF
      (input_0, input_0_rows, y) + x);
  float levels[12];

#pragma unroll
  for (int n = 0; n < 3; n++)
    vstore4 (convert_float4 (TAKE_LEVELS4_OF (fours[n - 1])), n, levels);
#pragma unroll
  for (int i = 0; i < WINDOW_COLUMNS; i++)
    samples[i] = levels[4 - RADIUS + i];
#else
#pragma unroll
  for (int i = 0; i < WINDOW_COLUMNS; i++)
    samples[i] = TO_SUM (READ_PIXEL (x - RADIUS + i, y));
#endif
}

/* Reads the columns of row y, some of which are outside the frame. `columns`
 * has their coordinates, see border_coordinate (). */
INLINE void
read_columns_anywhere (SUM *samples, INPUT_PIXELS, const int *columns, int y,
    float4 border_color)
{
#pragma unroll
  for (int i = 0; i < WINDOW_COLUMNS; i++)
    samples[i] = columns[i] < 0 || y < 0 ? TO_SUM (border_color)
        : TO_SUM (READ_PIXEL (columns[i], y));
}

/* Adds row j of the windows to the sums. */
INLINE void
add_dense (SUM sums[ROWS][BLOCK_COLUMNS], const SUM *samples, int j,
    constant float *weights)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (j < k || j > k + 2 * RADIUS)
      continue;
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      const SUM weight = weights[(j - k) * SIDE + i];

#pragma unroll
      for (int c = 0; c < BLOCK_COLUMNS; c++)
        sums[k][c] = mad (samples[c + i], weight, sums[k][c]);
    }
  }
}

/* Adds row j of the windows to the sums down the columns. */
INLINE void
add_down (SUM sums[ROWS][WINDOW_COLUMNS], const SUM *samples, int j,
    constant float *weights)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (j < k || j > k + 2 * RADIUS)
      continue;
#pragma unroll
    for (int i = 0; i < WINDOW_COLUMNS; i++)
      sums[k][i] = mad (samples[i], (SUM) weights[j - k], sums[k][i]);
  }
}

/* Makes the sums of windows from the sums down their columns. */
INLINE void
add_along (SUM sums[ROWS][BLOCK_COLUMNS], SUM columns[ROWS][WINDOW_COLUMNS],
    constant float *weights)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
#pragma unroll
    for (int c = 0; c < BLOCK_COLUMNS; c++) {
      sums[k][c] = 0.0f;
#pragma unroll
      for (int i = 0; i < SIDE; i++)
        sums[k][c] = mad (columns[k][c + i], (SUM) weights[i], sums[k][c]);
    }
  }
}

/* Writes the block whose first sample is x, y. It may end outside the frame.
 * `is_whole` is a constant in each call: whether the sums include the centre
 * and the scale. */
INLINE void
write_block (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int x, int y,
    SUM sums[ROWS][BLOCK_COLUMNS], int is_whole, float centre, float scale,
    float offset)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
#ifdef TAKES_FOURS
    if (y + k < height && x + BLOCK_COLUMNS <= width && ARE_FOURS (output_0)
        && (is_whole || ARE_FOURS (input_0))) {
      float4 levels = vload4 (0, sums[k]);

      if (is_whole)
        levels += offset;
      else
        levels = mad (levels, (float4) scale,
            mad (convert_float4 (TAKE_LEVELS4_OF (*(global const STORED4_IN *)
                        (CONST_ROW_OF (input_0, input_0_rows, y + k) + x))),
                (float4) centre, (float4) offset));
      *(global RESULT4 *) (ROW_OF (output_0, output_0_rows, y + k) + x) =
          TAKE_COMPONENTS_OF (TO_RESULT4 (levels));
      continue;
    }
#endif
#pragma unroll
    for (int c = 0; c < BLOCK_COLUMNS; c++) {
      if (x + c < width && y + k < height)
        write_sum (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, x + c, y + k, sums[k][c],
            is_whole ? 0.0f : centre, is_whole ? 1.0f : scale, offset);
    }
  }
}

/* Without this pragma, compilers may unroll a loop of known length. */
#ifdef cl_nv_pragma_unroll
#define ROW_BY_ROW _Pragma ("unroll 1")
#else
#define ROW_BY_ROW
#endif

/* Makes sums of the rows of the windows: ROWS rows of `n_columns` sums. */
#define ADD_ROWS(ADD, sums, n_columns, unrolls) \
  const int x = get_global_id (0) * BLOCK_COLUMNS; \
  const int y = get_global_id (1) * ROWS; \
  SUM samples[WINDOW_COLUMNS]; \
\
  if (x >= width || y >= height) \
    return; \
  _Pragma ("unroll") \
  for (int n = 0; n < ROWS * (n_columns); n++) \
    sums[n / (n_columns)][n % (n_columns)] = 0.0f; \
  if (unrolls && x >= READ_AROUND && x + BLOCK_COLUMNS + READ_AROUND <= width \
      && y >= RADIUS && y + ROWS + RADIUS <= height \
      && ARE_FOURS (input_0)) { \
    _Pragma ("unroll") \
    for (int j = 0; j < ROWS + 2 * RADIUS; j++) { \
      read_columns (samples, INPUT_ARGUMENTS, x, y - RADIUS + j); \
      ADD (sums, samples, j, weights); \
    } \
  } else { \
    int columns[WINDOW_COLUMNS]; \
\
    _Pragma ("unroll") \
    for (int i = 0; i < WINDOW_COLUMNS; i++) \
      columns[i] = border_coordinate (border, x - RADIUS + i, width); \
    ROW_BY_ROW \
    for (int j = 0; j < ROWS + 2 * RADIUS; j++) { \
      read_columns_anywhere (samples, INPUT_ARGUMENTS, columns, \
          border_coordinate (border, y - RADIUS + j, height), border_color); \
      ADD (sums, samples, j, weights); \
    } \
  }

kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
dense (PARAMETERS)
{
  SUM sums[ROWS][BLOCK_COLUMNS];

  (void) centre;
  (void) scale;
  ADD_ROWS (add_dense, sums, BLOCK_COLUMNS, UNROLLS_DENSE)
  write_block (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, width, height, x, y, sums, 1,
      0.0f, 1.0f, offset);
}

kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
separable (PARAMETERS)
{
  SUM columns_sums[ROWS][WINDOW_COLUMNS];
  SUM sums[ROWS][BLOCK_COLUMNS];

  ADD_ROWS (add_down, columns_sums, WINDOW_COLUMNS, UNROLLS_SEPARABLE)
  add_along (sums, columns_sums, weights + SIDE);
  write_block (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, width, height, x, y, sums, 0,
      centre, scale, offset);
}

#include "fuse.clh"
