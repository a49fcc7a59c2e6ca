/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The motion search for GPUs, see motion.clh: a group blurs a tile, and a group
 * finds a vector. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"
#include "motion-pixels.clh"

#define TILE_WIDTH 32
#define TILE_HEIGHT 8
#define LUMA_WIDTH (TILE_WIDTH + 6)
#define LUMA_HEIGHT (TILE_HEIGHT + 6)

/* Each work-item makes a sample of the blurred plane at word `offset`. */
kernel __attribute__ ((reqd_work_group_size (TILE_WIDTH, TILE_HEIGHT, 1))) void
blur_tiles (INPUT_PIXELS, int width, int height, global ushort *pictures,
    int offset, int2 blocks)
{
  local int luma[LUMA_WIDTH * LUMA_HEIGHT];
  local int across[TILE_WIDTH * LUMA_HEIGHT];
  const int weights[7] = MOTION_WEIGHTS;
  const int pitch = MOTION_PITCH (blocks.x, 0);
  const int x = get_global_id (0);
  const int y = get_global_id (1);
  const int left = (int) get_group_id (0) * TILE_WIDTH - MOTION_PAD - 3;
  const int top = (int) get_group_id (1) * TILE_HEIGHT - MOTION_PAD - 3;
  const int item = get_local_id (1) * TILE_WIDTH + get_local_id (0);

  for (int n = item; n < LUMA_WIDTH * LUMA_HEIGHT;
      n += TILE_WIDTH * TILE_HEIGHT)
    luma[n] = read_luma (INPUT_ARGUMENTS,
        clamp (left + n % LUMA_WIDTH, 0, width - 1),
        clamp (top + n / LUMA_WIDTH, 0, height - 1));
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int n = item; n < TILE_WIDTH * LUMA_HEIGHT;
      n += TILE_WIDTH * TILE_HEIGHT) {
    int sum = 0;

#pragma unroll
    for (int i = 0; i < 7; i++)
      sum += weights[i] * luma[n / TILE_WIDTH * LUMA_WIDTH + n % TILE_WIDTH
          + i];
    across[n] = sum;
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  int sum = 0;
#pragma unroll
  for (int j = 0; j < 7; j++)
    sum += weights[j] * across[item + j * TILE_WIDTH];
  if (x < pitch && y < MOTION_PITCH (blocks.y, 0))
    pictures[2 * (size_t) offset + y * pitch + x] = (sum + 32768) >> 16;
}

#define GROUP_SIZE 128

/* Vectors of the search at a quarter of the size. */
#define SIDE_OF_VECTORS (2 * MOTION_RANGE + 1)
#define N_VECTORS (SIDE_OF_VECTORS * SIDE_OF_VECTORS)

/* The side of the window at a quarter of the size, and of the area it covers
 * with all vectors. */
#define SMALL_SIDE 8
#define COVERED_SIDE (SMALL_SIDE + 2 * MOTION_RANGE)

/* A cost and the place of its vector in the order of the search. The least
 * number has the least cost and, of these, the first place. */
#define PLACES 128
#define MAKE_CHOICE(cost, place) ((uint) (cost) * PLACES + (place))

/* The work-items of a group share this struct. */
typedef struct
{
  ushort current[SMALL_SIDE * SMALL_SIDE];
  ushort neighbour[COVERED_SIDE * COVERED_SIDE];
  int parts[9 * GROUP_SIZE];
  int sums[9];
  uint choice;
} Shared;

/* Finds the best vector at a quarter of the size: one vector for each
 * work-item. */
INLINE int2
search_small (local Shared *shared, Window window, int rate)
{
  const int item = get_local_id (0);
  const int2 first = 0;
  const int2 vector = (int2) (item % SIDE_OF_VECTORS, item / SIDE_OF_VECTORS)
      - MOTION_RANGE;
  int sum = 0;

  if (item < SMALL_SIDE * SMALL_SIDE)
    shared->current[item] = window.current[item / SMALL_SIDE * window.pitch
        + item % SMALL_SIDE];
  for (int n = item; n < COVERED_SIDE * COVERED_SIDE; n += GROUP_SIZE)
    shared->neighbour[n] = window.neighbour[(n / COVERED_SIDE - MOTION_RANGE)
        * window.pitch + n % COVERED_SIDE - MOTION_RANGE];
  shared->choice = UINT_MAX;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < N_VECTORS) {
    local const ushort *neighbour = shared->neighbour
        + item / SIDE_OF_VECTORS * COVERED_SIDE + item % SIDE_OF_VECTORS;

    for (int y = 0; y < SMALL_SIDE; y++) {
#pragma unroll
      for (int x = 0; x < SMALL_SIDE; x++)
        sum += abs ((int) shared->current[y * SMALL_SIDE + x]
            - neighbour[y * COVERED_SIDE + x]);
    }
    atomic_min (&shared->choice, MAKE_CHOICE (sum + MOTION_COST (rate, vector,
                first, SMALL_SIDE * SMALL_SIDE), item));
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  const int place = shared->choice % PLACES;

  barrier (CLK_LOCAL_MEM_FENCE);
  return (int2) (place % SIDE_OF_VECTORS, place / SIDE_OF_VECTORS)
      - MOTION_RANGE;
}

/* Adds up the differences of the 9 vectors around `middle`, whose costs get the
 * places from `place` on. */
INLINE void
compare_nine (local Shared *shared, Window window, int side, int2 middle,
    int2 first, int rate, int place)
{
  const int item = get_local_id (0);
  const int step = MOTION_STEP (0);
  const int rows = side * side / GROUP_SIZE;
  const int row = item / side * rows;
  const int pitch = window.pitch;
  global const ushort *current = window.current + row * pitch + item % side;
  global const ushort *neighbour = window.neighbour
      + (row + middle.y - 1) * pitch + item % side + middle.x - 1;
  int sums[9] = { 0 };

#pragma unroll
  for (int y = 0; y < rows; y += step) {
#pragma unroll
    for (int n = 0; n < 9; n++)
      sums[n] += abs ((int) current[y * pitch]
          - neighbour[(y + n / 3) * pitch + n % 3]);
  }
#pragma unroll
  for (int n = 0; n < 9; n++)
    shared->parts[n * GROUP_SIZE + item] = sums[n];
  if (item < 9)
    shared->sums[item] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < 9 * 8) {
    local const int *parts = shared->parts + item / 8 * GROUP_SIZE + item % 8;
    int sum = 0;

    /* Unrolling all 16 takes more time on NVIDIA's GPUs. */
#pragma unroll 4
    for (int n = 0; n < GROUP_SIZE; n += 8)
      sum += parts[n];
    atomic_add (&shared->sums[item / 8], sum);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < 9) {
    const int2 vector = middle + (int2) (item % 3, item / 3) - 1;
    const uint2 away = abs (vector - first);

    if (place == 0 || away.x > 1 || away.y > 1)
      atomic_min (&shared->choice, MAKE_CHOICE (shared->sums[item]
              + MOTION_COST (rate, vector, first, side * side / step),
              place + item));
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* Finds the best vector at the next scale. */
INLINE int2
refine (local Shared *shared, Window window, int side, int2 best, int rate)
{
  const int2 first = 2 * best;
  const int has_more = any (first != 0);

  shared->choice = UINT_MAX;
  barrier (CLK_LOCAL_MEM_FENCE);
  compare_nine (shared, window, side, first, first, rate, 0);
  if (has_more)
    compare_nine (shared, window, side, 0, first, rate, 9);

  const int place = shared->choice % PLACES;

  barrier (CLK_LOCAL_MEM_FENCE);
  return (place < 9 ? first : 0) + (int2) (place % 9 % 3, place % 9 / 3) - 1;
}

/* Each group finds the vector of a block in a neighbour, see `search` in
 * motion.cl. */
kernel __attribute__ ((reqd_work_group_size (GROUP_SIZE, 1, 1))) void
search_tiles (SEARCH_IN)
{
  local Shared shared;
  const int x = get_group_id (0);
  const int y = (int) get_group_id (1) % blocks.y;
  const int n = (int) get_group_id (1) / blocks.y;
  if (!(present >> n & 1))
    return;

  const Pair pair = PAIR_OF_SEARCH;
  int2 best = search_small (&shared, get_window (&pair, 2, x, y), pair.rate);

  best = refine (&shared, get_window (&pair, 1, x, y), MOTION_BLOCK, best,
      pair.rate);
  best = refine (&shared, get_window (&pair, 0, x, y), 2 * MOTION_BLOCK, best,
      pair.rate);
  if (get_local_id (0) == 0)
    STORE_VECTOR (best, x, y);
}
