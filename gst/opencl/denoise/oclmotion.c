/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmotion.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclMotionParams, member)

/* As in the kernels. */
#define PAD 32
#define N_SCALES 3              /* planes of a blurred frame */
#define VECTOR 16
#define TILE_WIDTH 32
#define TILE_HEIGHT 8
#define TILED_SEARCH_SIZE 128
#define ROWS_SEARCH_BLOCKS 3

/* Number of rows that a work-item blurs. It loads 6 rows first. */
#define BLURRED_ROWS 96

static const OclParam params_table[] = {
  {"neighbours", "How many other pictures are compared",
        OCL_PARAM_UINT, OFFSET (n_neighbours),
      .maximum = OCL_MAX_NEIGHBOURS,.default_value = 2,.fixed = TRUE},
  {"search", "Search for blocks",
        OCL_PARAM_BOOLEAN, OFFSET (search),.default_value = TRUE,
      .fixed = TRUE,.decides = TRUE},
  {"noise", "Standard deviation of the noise of luma",
        OCL_PARAM_DOUBLE, OFFSET (noise),
      .minimum = -1.0,.maximum = 255.0,.default_value = -1.0},
  {NULL},
};

/* The kernels of all variants. TAKE_LUMA is for the variant for CPUs only. */
enum
{
  KERNEL_BLUR,
  KERNEL_HALVE,
  KERNEL_SEARCH,
  KERNEL_TAKE_LUMA,
};

/* State of a variant that is kept between frames. */
typedef struct
{
  OclFrameCache cache;          /* blurred luma, see kernels/motion.clh */
  OclMemory luma;               /* before it is blurred */
  OclMotionShared shared;       /* of the last result */
} State;

/* The differences of the variants. */
typedef struct
{
  gboolean by_rows;             /* whether work-items blur and halve rows */
  gsize blur_width;             /* of a work-group that blurs, or 0 for any */
  gsize blur_height;
  gsize search_size;            /* work-items in a group that find a vector */
  gint search_blocks;           /* blocks for which work-items search */
} Family;

static cl_int2
count_parts (const OclFrameInfo * info, gint side)
{
  const cl_int2 n = { {(info->width + side - 1) / side,
      (info->height + side - 1) / side}
  };

  return n;
}

cl_int2
ocl_motion_get_blocks (const OclRun * run)
{
  return count_parts (&run->input->info, OCL_MOTION_BLOCK);
}

cl_int2
ocl_motion_get_cells (const OclRun * run)
{
  return count_parts (&run->input->info, OCL_MOTION_CELL);
}

gsize
ocl_motion_count_cells (const OclFrameInfo * info)
{
  const cl_int2 cells = count_parts (info, OCL_MOTION_CELL);

  return (gsize) cells.s[0] * cells.s[1];
}

static gsize
ocl_motion_get_result_size (const OclFrameInfo * info)
{
  const cl_int2 blocks = count_parts (info, OCL_MOTION_BLOCK);

  return 2 * (gsize) OCL_MAX_NEIGHBOURS *blocks.s[0] * blocks.s[1]
  * sizeof (cl_int);
}

/* Returns the side of a plane of a blurred frame at a scale, in samples, for
 * @n_blocks blocks. */
static gint
get_side (gint n_blocks, guint scale)
{
  return (n_blocks * OCL_MOTION_BLOCK + 2 * PAD) >> scale;
}

/* Writes a blurred frame: an OclFrameCacheFill. */
static gboolean
fill_frame (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const Family *family = self->variant->family;
  State *state = self->state;
  const OclFrameInfo *info = &run->input->info;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint width = get_side (blocks.s[0], 0);
  const gint height = get_side (blocks.s[1], 0);
  const gint luma_pitch = width + VECTOR;
  const gint n_columns = get_side (blocks.s[0], N_SCALES - 1);
  const gint n_rows = get_side (blocks.s[1], N_SCALES - 1);
  const OclGrid blur = {.kernel = KERNEL_BLUR,.width = width,.height = height,
    .group_width = family->blur_width,.group_height = family->blur_height
  };

  if (family->by_rows) {
    if (!ocl_memory_ensure (&state->luma, self->context,
            (gsize) luma_pitch * info->height * sizeof (cl_ushort), error)
        || !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_LUMA, info->height, 1),
            error, OCL_INPUT_PLANES, OCL_INT (info->width),
            OCL_INT (info->height), OCL_MEMORY (state->luma.memory),
            OCL_INT (luma_pitch))
        || !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_BLUR, width / VECTOR,
                (height + BLURRED_ROWS - 1) / BLURRED_ROWS), error,
            OCL_MEMORY (state->luma.memory), OCL_INT (luma_pitch),
            OCL_INT (info->height), OCL_MEMORY (memory), OCL_INT (offset),
            OCL_INT2 (blocks), OCL_INT (BLURRED_ROWS)))
      return FALSE;
  } else if (!OCL_LAUNCH (self, run, blur, error, OCL_INPUT_PLANES,
          OCL_INT (info->width), OCL_INT (info->height), OCL_MEMORY (memory),
          OCL_INT (offset), OCL_INT2 (blocks))) {
    return FALSE;
  }
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_HALVE,
          family->by_rows ? n_rows : n_columns, family->by_rows ? 1 : n_rows),
      error, OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks));
}

/* Searches for the vectors in all neighbours with a bit in @present. */
static gboolean
enqueue_search (OclKernels * self, const OclRun * run,
    const OclFrameCacheOffsets * offsets, gint present, GError ** error)
{
  const Family *family = self->variant->family;
  const OclMotionParams *params = run->params;
  const cl_mem frames = ((State *) self->state)->cache.memory.memory;
  const cl_mem noise = run->needed[0]->device.memory;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint n_blocks = MAX (family->search_blocks, 1);
  const OclGrid grid = {.kernel = KERNEL_SEARCH,
    .width = (blocks.s[0] + n_blocks - 1) / n_blocks
        * MAX (family->search_size, 1),
    .height = blocks.s[1] * params->n_neighbours,
    .group_width = family->search_size,.group_height = 1
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_MEMORY (frames),
      OCL_INT (offsets->current), OCL_INT8 (offsets->neighbours),
      OCL_INT2 (blocks), OCL_INT (present), OCL_MEMORY (noise),
      OCL_FLOAT (params->noise), OCL_MEMORY (run->result->device.memory));
}

static gboolean
ocl_motion_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclMotionParams *params = run->params;
  State *state = self->state;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint present = ocl_frame_cache_get_present (run, params->n_neighbours);
  OclFrameCacheOffsets offsets;
  gsize n = 0;                  /* samples of a frame, of 2 bytes each */

  for (guint scale = 0; scale < N_SCALES; scale++)
    n += (gsize) get_side (blocks.s[0], scale) * get_side (blocks.s[1], scale);
  if (!ocl_frame_cache_ensure (&state->cache, self, run, params->n_neighbours,
          (n + 1) / 2, fill_frame, &offsets, error))
    return FALSE;
  /* Frames that are not searched have vectors of 0. */
  if ((!params->search || present != (1 << params->n_neighbours) - 1)
      && !ocl_memory_enqueue_fill (&run->result->device, self->context, 0, 0,
          run->result->device.size, run->timer, error))
    return FALSE;
  if (params->search && present != 0
      && !enqueue_search (self, run, &offsets, present, error))
    return FALSE;
  state->shared.memory = state->cache.memory.memory;
  state->shared.offsets = offsets;
  run->result->shared = &state->shared;
  return TRUE;
}

static void
ocl_motion_clear (gpointer data)
{
  State *state = data;

  ocl_frame_cache_clear (&state->cache);
  ocl_memory_clear (&state->luma);
}

static gboolean
ocl_motion_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_BLUR, TILE_WIDTH, TILE_HEIGHT,
      error)
      && ocl_kernels_check_group (self, KERNEL_SEARCH, TILED_SEARCH_SIZE, 1,
      error);
}

/* Members of the tables of all variants. */
#define VARIANT .state_size = sizeof (State), .clear = ocl_motion_clear, \
    .enqueue = ocl_motion_enqueue

/* For any device. */
static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion.cl",
  .kernels = OCL_NAMES ("blur", "halve", "search"),
  .group_width = 32,
  .group_height = 2,
  .family = &(const Family) {FALSE},
  VARIANT,
};

/* For GPUs. */
static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion-tiled.cl",
  .kernels = OCL_NAMES ("blur_tiles", "halve", "search_tiles"),
  .group_width = 32,
  .group_height = 4,
  .family = &(const Family) {.blur_width = TILE_WIDTH,
      .blur_height = TILE_HEIGHT,.search_size = TILED_SEARCH_SIZE},
  .init = ocl_motion_tiled_init,
  VARIANT,
};

/* For CPUs. */
static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion-rows.cl",
  .kernels = OCL_NAMES ("blur_rows", "halve_rows", "search_rows", "take_luma"),
  .family = &(const Family) {.by_rows = TRUE,
      .search_blocks = ROWS_SEARCH_BLOCKS},
  VARIANT,
};

static const OclVariant *const variants[] = { &plain, &tiled, &rows, NULL };

/* The vectors are common to luma, or to red, green and blue. */
static guint
ocl_motion_get_passes (G_GNUC_UNUSED gconstpointer params,
    const OclFormat * format, OclPass passes[OCL_MAX_PASSES])
{
  return ocl_passes_init (passes, format, OCL_PLANES_LUMA, FALSE);
}

const OclOperationClass ocl_motion_class = {
  .name = "motion",
  .flags = OCL_OPERATION_READS,
  .params_size = sizeof (OclMotionParams),
  .params = params_table,
  .variants = variants,
  .get_passes = ocl_motion_get_passes,
  .get_result_size = ocl_motion_get_result_size,
};
