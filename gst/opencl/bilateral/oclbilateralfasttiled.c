/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include "core/oclmemory.h"
#include "oclbilateralwaves.h"

/* The tunables are, in this order: the work-items of a group of the splat
 * kernel (at least two steps), the rows of pixels between the first and the
 * last node that a work-item of the splat kernel computes, the work-items of
 * the other groups, the pixels that a work-item of the slice kernel computes,
 * and the maximum size of the nodes of a strip in MiB. */
enum
{
  SPLAT_WIDTH,
  SPLAT_ROWS,
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  STRIP_MEGABYTES,
};

static const OclTunable tunables[] = {
  [SPLAT_WIDTH] = {"SPLAT_WIDTH", 128, OCL_CHOICES (64, 128, 256)},
  [SPLAT_ROWS] = {"SPLAT_ROWS", 64, OCL_CHOICES (32, 64, 128)},
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  [STRIP_MEGABYTES] = {"STRIP_MEGABYTES", 64,
      OCL_CHOICES (8, 32, 64, 128, 256)},
  {NULL},
};

/* Local memory that any device has in addition to the memory of the driver.
 * Sufficient for the columns of a group with all values of the tunables and all
 * reaches. */
#define TILE_BYTES (32768 - 4096)

enum
{
  KERNEL_SPLAT,
  KERNEL_BLUR,
  KERNEL_SLICE,
};

/* State that is kept between frames. */
typedef struct
{
  OclBilateralWaves waves;
  OclMemory nodes;
  OclMemory blurred;
} State;

/* A strip of rows of the frame, and the numbers of columns and rows of nodes
 * around its pixels. On each side, the blur reads the additional nodes of the
 * reach of the window. */
typedef struct
{
  cl_int y;                     /* a multiple of the step */
  cl_int height;
  cl_int columns;
  cl_int rows;
} Strip;

static void
ocl_bilateral_fast_tiled_clear (gpointer data)
{
  State *state = data;

  ocl_bilateral_waves_clear (&state->waves);
  ocl_memory_clear (&state->nodes);
  ocl_memory_clear (&state->blurred);
}

static gboolean
ocl_bilateral_fast_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_SPLAT,
      ocl_kernels_get_tuning (self, SPLAT_WIDTH), 1, error);
}

static gint
divide_up (gint value, gint divisor)
{
  return (value + divisor - 1) / divisor;
}

/* Returns the size of the kernels' NODE in bytes. */
static gsize
get_node_size (const OclKernels * self)
{
  return self->build.pass.n_channels > 1
      ? sizeof (cl_float4) : sizeof (cl_float2);
}

/* Returns the size of the nodes of all waves in bytes. Each wave has a cosine
 * and a sine. */
static gsize
get_nodes_size (const OclKernels * self, gsize columns, gsize rows)
{
  const OclBilateralWaves *waves = &((const State *) self->state)->waves;

  return columns * rows * 2 * waves->n_waves * get_node_size (self);
}

/* Returns the first strip. There are as few strips as memory allows. All strips
 * except the last have the height of the first, which is at least one step. */
static Strip
get_strip (const OclKernels * self, const OclRun * run)
{
  const OclBilateralWaves *waves = &((const State *) self->state)->waves;
  const gsize columns =
      ocl_bilateral_waves_count_nodes (waves, ocl_run_get_width (run), 1);
  const gsize budget = MIN (self->context->device->max_alloc_size,
      (guint64) ocl_kernels_get_tuning (self, STRIP_MEGABYTES) * 1024 * 1024
      / 2);
  const gsize row_size = get_nodes_size (self, columns + 2 * waves->reach, 1);
  const gint steps = divide_up (ocl_run_get_height (run), waves->step);
  const gint max_steps = MAX (1, (gssize) (budget / row_size)
      - 2 * waves->reach - 1);
  const gint n_strips = divide_up (steps, max_steps);
  const gint height = divide_up (steps, n_strips) * waves->step;
  const Strip strip = {
    .height = height,
    .columns = columns,
    .rows = ocl_bilateral_waves_count_nodes (waves, height, 1),
  };

  return strip;
}

static gboolean
ocl_bilateral_fast_tiled_ensure_memory (OclKernels * self, const Strip * strip,
    GError ** error)
{
  State *state = self->state;
  const gint around = 2 * state->waves.reach;

  return ocl_memory_ensure (&state->nodes, self->context,
      get_nodes_size (self, strip->columns + around, strip->rows + around),
      error)
      && ocl_memory_ensure (&state->blurred, self->context,
      get_nodes_size (self, strip->columns, strip->rows), error);
}

static gboolean
ocl_bilateral_fast_tiled_enqueue_splat (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralParams *params = run->params;
  const OclBilateralWaves *waves = &state->waves;
  const OclBilateralBorder color = ocl_bilateral_get_run_border (run);
  const cl_int n_rows = ocl_kernels_get_tuning (self, SPLAT_ROWS) / waves->step;
  const cl_int columns = strip->columns + 2 * waves->reach;
  const cl_int rows = strip->rows + 2 * waves->reach;
  const gint group_width = ocl_kernels_get_tuning (self, SPLAT_WIDTH);
  const gint n_groups = divide_up (columns, group_width / waves->step - 1);
  const OclGrid grid = {.kernel = KERNEL_SPLAT,
    .width = (gsize) n_groups * group_width,
    .height = (gsize) divide_up (rows, n_rows) * waves->n_waves,
    .group_width = group_width,.group_height = 1
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT,
      OCL_BILATERAL_SIZE (run), OCL_INT (strip->y), OCL_INT (waves->step),
      OCL_INT (waves->reach), OCL_INT (waves->n_waves),
      OCL_FLOAT (waves->frequency), OCL_INT (n_rows),
      OCL_BILATERAL_BORDER (params, color), OCL_MEMORY (state->nodes.memory),
      OCL_INT (columns), OCL_INT (rows));
}

static gboolean
ocl_bilateral_fast_tiled_enqueue_blur (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralWaves *waves = &state->waves;
  const gint block_height = self->group_height * OCL_BILATERAL_BLURRED_NODES;
  const gsize column_size = (block_height + 2 * waves->reach)
      * get_node_size (self);
  const cl_int chunk = MIN (2 * waves->reach + 1,
      (gint) (TILE_BYTES / column_size) - (gint) self->group_width + 1);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_BLUR, strip->columns,
          (gsize) divide_up (strip->rows, block_height) * 2 * waves->n_waves
          * self->group_height), error, OCL_MEMORY (state->nodes.memory),
      OCL_MEMORY (waves->coefficients.memory), OCL_INT (waves->n_waves),
      OCL_INT (waves->reach), OCL_INT (chunk),
      OCL_MEMORY (state->blurred.memory), OCL_INT (strip->columns),
      OCL_INT (strip->rows),
      OCL_LOCAL ((self->group_width + chunk - 1) * column_size));
}

static gboolean
ocl_bilateral_fast_tiled_enqueue_slice (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralWaves *waves = &state->waves;
  const gint width = ocl_run_get_width (run);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SLICE, width,
          divide_up (strip->height, ocl_kernels_get_tuning (self, ROWS))),
      error, OCL_INPUT, OCL_OUTPUT, OCL_INT (width), OCL_INT (strip->y),
      OCL_INT (strip->height), OCL_INT (waves->step), OCL_INT (waves->n_waves),
      OCL_FLOAT (waves->frequency), OCL_MEMORY (state->blurred.memory),
      OCL_INT (strip->columns), OCL_INT (strip->rows));
}

static gboolean
ocl_bilateral_fast_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const gint height = ocl_run_get_height (run);

  if (!ocl_bilateral_waves_update (&state->waves, self->context, run, error))
    return FALSE;

  Strip strip = get_strip (self, run);
  if (!ocl_bilateral_fast_tiled_ensure_memory (self, &strip, error))
    return FALSE;
  for (; strip.y < height; strip.y += strip.height) {
    strip.height = MIN (strip.height, height - strip.y);
    strip.rows =
        ocl_bilateral_waves_count_nodes (&state->waves, strip.height, 1);
    if (!ocl_bilateral_fast_tiled_enqueue_splat (self, run, &strip, error)
        || !ocl_bilateral_fast_tiled_enqueue_blur (self, run, &strip, error)
        || !ocl_bilateral_fast_tiled_enqueue_slice (self, run, &strip, error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_fast_tiled = {
  .name = "fast-tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_APPROXIMATE,
  .tunables = tunables,
  .source = "bilateral-fast-tiled.cl",
  .kernels = OCL_NAMES ("splat", "blur", "slice"),
  .state_size = sizeof (State),
  .can_serve = ocl_bilateral_waves_can_serve,
  .init = ocl_bilateral_fast_tiled_init,
  .clear = ocl_bilateral_fast_tiled_clear,
  .enqueue = ocl_bilateral_fast_tiled_enqueue,
};
