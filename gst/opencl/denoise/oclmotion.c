/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmotion.h"

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

gsize
ocl_motion_get_result_size (const OclFrameInfo * info)
{
  const cl_int2 blocks = count_parts (info, OCL_MOTION_BLOCK);

  return 2 * (gsize) OCL_MAX_NEIGHBOURS *blocks.s[0] * blocks.s[1]
  * sizeof (cl_int);
}

/* Number of planes of a blurred picture, as in kernels/motion.clh. */
#define OCL_MOTION_SCALES 3

/**
 * OclMotionState:
 * @pictures: blurred pictures of luma, see kernels/motion.clh
 * @luma: luma before it is blurred
 * @shared: the shared data of the last result
 *
 * The state of a variant.
 */
typedef struct
{
  OclPictures pictures;
  OclMemory luma;
  OclMotionShared shared;
} OclMotionState;

/**
 * OclMotionFamily:
 * @fill: writes a blurred picture
 * @search: the index of the kernel that searches
 * @search_size: number of work-items that search for a vector, in one
 *    work-group. 0 for one work-item
 * @search_blocks: number of adjacent blocks for which a work-item searches. 0
 *    for one block
 *
 * The differences of the variants.
 */
typedef struct
{
  OclPicturesFill fill;
  guint search;
  gsize search_size;
  gint search_blocks;
} OclMotionFamily;

/* As in kernels/motion.clh. */
#define PAD 32

/* Returns the side of a plane of a blurred picture at a scale, in samples, for
 * @n_blocks blocks. */
static gint
ocl_motion_get_side (gint n_blocks, guint scale)
{
  return (n_blocks * OCL_MOTION_BLOCK + 2 * PAD) >> scale;
}

/* Returns the size of a blurred picture in words of 4 bytes. */
static gsize
ocl_motion_get_picture_words (const OclRun * run)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  gsize n = 0;

  for (guint scale = 0; scale < OCL_MOTION_SCALES; scale++)
    n += (gsize) ocl_motion_get_side (blocks.s[0], scale)
        * ocl_motion_get_side (blocks.s[1], scale);
  return (n + 1) / 2;
}

/* Writes a blurred picture at word @offset of @memory: launches a kernel that
 * blurs over @grid, and kernel @halve for the smaller planes. Common to the
 * variants that compute single pixels. */
static gboolean
ocl_motion_fill_picture (OclKernels * self, const OclRun * run, OclGrid grid,
    guint halve, cl_mem memory, cl_int offset, GError ** error)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);

  if (!OCL_LAUNCH (self, run, grid, error, OCL_INPUT_PLANES,
          OCL_INT (run->input->info.width), OCL_INT (run->input->info.height),
          OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks)))
    return FALSE;
  for (guint scale = 1; scale < OCL_MOTION_SCALES; scale++) {
    if (!OCL_LAUNCH (self, run, OCL_GRID (halve,
                ocl_motion_get_side (blocks.s[0], scale),
                ocl_motion_get_side (blocks.s[1], scale)), error,
            OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks),
            OCL_INT (scale)))
      return FALSE;
  }
  return TRUE;
}

/* Returns the memory with the result of the noise. It is missing in warm-up
 * runs, which get any other memory that is only read. */
static cl_mem
get_noise (const OclKernels * self, const OclRun * run)
{
  const OclMotionState *state = self->state;
  const cl_mem memory = run->needed[0]->device.memory;

  return memory ? memory : state->pictures.memory.memory;
}

/* Searches for the vectors in neighbour @n. */
static gboolean
enqueue_search (OclKernels * self, const OclRun * run,
    const OclPicturesOffsets * offsets, guint n, GError ** error)
{
  const OclMotionFamily *family = self->variant->family;
  const OclMotionParams *params = run->params;
  const OclMotionState *state = self->state;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint n_blocks = MAX (family->search_blocks, 1);
  const OclGrid grid = {.kernel = family->search,
    .width = (blocks.s[0] + n_blocks - 1) / n_blocks
        * MAX (family->search_size, 1),
    .height = blocks.s[1],.group_width = family->search_size,.group_height = 1
  };

  return OCL_LAUNCH (self, run, grid, error,
      OCL_MEMORY (state->pictures.memory.memory),
      OCL_INT (offsets->current), OCL_INT (offsets->neighbours.s[n]),
      OCL_INT2 (blocks), OCL_INT (n), OCL_MEMORY (get_noise (self, run)),
      OCL_FLOAT (params->noise), OCL_MEMORY (run->result->device.memory));
}

/* Returns a mask of the neighbours of @run that are not missing. */
static gint
get_present (const OclRun * run)
{
  const OclMotionParams *params = run->params;
  const guint n = MIN (run->n_earlier + run->n_later, params->n_neighbours);
  gint present = 0;

  for (guint i = 0; i < n; i++) {
    if (run->neighbours[i].serial != 0)
      present |= 1 << i;
  }
  return present;
}

static gboolean
ocl_motion_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclMotionParams *params = run->params;
  const OclMotionFamily *family = self->variant->family;
  OclMotionState *state = self->state;
  const gint present = get_present (run);
  OclPicturesOffsets offsets;

  if (!ocl_pictures_ensure (&state->pictures, self, run, params->n_neighbours,
          ocl_motion_get_picture_words (run), family->fill, &offsets, error))
    return FALSE;
  /* Pictures that are not searched have vectors of 0. */
  if ((!params->search || present != (1 << params->n_neighbours) - 1)
      && !ocl_memory_enqueue_fill (&run->result->device, self->context, 0, 0,
          run->result->device.size, run->timer, error))
    return FALSE;
  for (guint i = 0; params->search && i < params->n_neighbours; i++) {
    if (present >> i & 1 && !enqueue_search (self, run, &offsets, i, error))
      return FALSE;
  }
  state->shared.memory = state->pictures.memory.memory;
  state->shared.offsets = offsets;
  run->result->shared = &state->shared;
  return TRUE;
}

static void
ocl_motion_clear (gpointer data)
{
  OclMotionState *state = data;

  ocl_pictures_clear (&state->pictures);
  ocl_memory_clear (&state->luma);
}

/* Motion search for any device. */
enum
{
  PLAIN_BLUR,
  PLAIN_HALVE,
  PLAIN_SEARCH
};

static gboolean
fill_picture_plain (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const OclGrid grid = OCL_GRID (PLAIN_BLUR,
      ocl_motion_get_side (blocks.s[0], 0),
      ocl_motion_get_side (blocks.s[1], 0));

  return ocl_motion_fill_picture (self, run, grid, PLAIN_HALVE, memory,
      offset, error);
}

static const OclMotionFamily plain_family = {
  .fill = fill_picture_plain,.search = PLAIN_SEARCH
};

static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion.cl",
  .kernels = OCL_NAMES ("blur", "halve", "search"),
  .group_width = 32,
  .group_height = 2,
  .state_size = sizeof (OclMotionState),
  .family = &plain_family,
  .clear = ocl_motion_clear,
  .enqueue = ocl_motion_enqueue,
};

/* Motion search for CPUs. */
enum
{
  ROWS_TAKE_LUMA,
  ROWS_BLUR,
  ROWS_HALVE,
  ROWS_SEARCH
};

/* As in the kernels. */
#define VECTOR 16
#define SEARCH_BLOCKS 3

/* Number of rows that a work-item blurs. It loads 6 rows first. */
#define BLURRED_ROWS 96

static gint
divide_up (gint value, gint divisor)
{
  return (value + divisor - 1) / divisor;
}

static gboolean
take_luma (OclKernels * self, const OclRun * run, gint pitch, GError ** error)
{
  OclMotionState *state = self->state;
  const gint height = run->input->info.height;

  return ocl_memory_ensure (&state->luma, self->context,
      (gsize) pitch * height * sizeof (cl_ushort), error)
      && OCL_LAUNCH (self, run, OCL_GRID (ROWS_TAKE_LUMA, height, 1), error,
      OCL_INPUT_PLANES, OCL_INT (run->input->info.width), OCL_INT (height),
      OCL_MEMORY (state->luma.memory), OCL_INT (pitch));
}

/* Blurs the picture, and halves it. */
static gboolean
fill_picture_rows (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const OclMotionState *state = self->state;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint width = ocl_motion_get_side (blocks.s[0], 0);
  const gint height = ocl_motion_get_side (blocks.s[1], 0);
  const gint luma_pitch = width + VECTOR;

  if (!take_luma (self, run, luma_pitch, error)
      || !OCL_LAUNCH (self, run, OCL_GRID (ROWS_BLUR, width / VECTOR,
              divide_up (height, BLURRED_ROWS)), error,
          OCL_MEMORY (state->luma.memory), OCL_INT (luma_pitch),
          OCL_INT (run->input->info.height), OCL_MEMORY (memory),
          OCL_INT (offset), OCL_INT2 (blocks), OCL_INT (BLURRED_ROWS)))
    return FALSE;
  for (guint scale = 1; scale < OCL_MOTION_SCALES; scale++) {
    if (!OCL_LAUNCH (self, run, OCL_GRID (ROWS_HALVE,
                ocl_motion_get_side (blocks.s[1], scale), 1), error,
            OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks),
            OCL_INT (scale)))
      return FALSE;
  }
  return TRUE;
}

static const OclMotionFamily rows_family = {
  .fill = fill_picture_rows,.search = ROWS_SEARCH,.search_blocks = SEARCH_BLOCKS
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion-rows.cl",
  .kernels = OCL_NAMES ("take_luma", "blur_rows", "halve_rows",
      "search_rows"),
  .state_size = sizeof (OclMotionState),
  .family = &rows_family,
  .clear = ocl_motion_clear,
  .enqueue = ocl_motion_enqueue,
};

/* Motion search for GPUs. */
enum
{
  TILED_BLUR,
  TILED_HALVE,
  TILED_SEARCH
};

/* As in the kernels. */
#define TILE_WIDTH 32
#define TILE_HEIGHT 8
#define SEARCH_SIZE 128

static gboolean
fill_picture_tiled (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const OclGrid grid = {.kernel = TILED_BLUR,
    .width = ocl_motion_get_side (blocks.s[0], 0),
    .height = ocl_motion_get_side (blocks.s[1], 0),
    .group_width = TILE_WIDTH,.group_height = TILE_HEIGHT
  };

  return ocl_motion_fill_picture (self, run, grid, TILED_HALVE, memory,
      offset, error);
}

static gboolean
ocl_motion_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, TILED_BLUR, TILE_WIDTH, TILE_HEIGHT,
      error)
      && ocl_kernels_check_group (self, TILED_SEARCH, SEARCH_SIZE, 1, error);
}

static const OclMotionFamily tiled_family = {
  .fill = fill_picture_tiled,.search = TILED_SEARCH,.search_size = SEARCH_SIZE
};

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion-tiled.cl",
  .kernels = OCL_NAMES ("blur_tiles", "halve", "search_tiles"),
  .group_width = 32,
  .group_height = 4,
  .state_size = sizeof (OclMotionState),
  .family = &tiled_family,
  .init = ocl_motion_tiled_init,
  .clear = ocl_motion_clear,
  .enqueue = ocl_motion_enqueue,
};

#define OFFSET(member) G_STRUCT_OFFSET (OclMotionParams, member)

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

/* The vectors are common to luma, or to red, green and blue. */
static guint
ocl_motion_get_passes (gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  (void) params;
  return ocl_passes_init (passes, format, OCL_PLANES_LUMA, FALSE);
}

static const OclVariant *const variants[] = {
  &plain, &tiled, &rows, NULL,
};

const OclOperationClass ocl_motion_class = {
  .name = "motion",
  .flags = OCL_OPERATION_READS,
  .params_size = sizeof (OclMotionParams),
  .params = params_table,
  .variants = variants,
  .get_passes = ocl_motion_get_passes,
  .get_result_size = ocl_motion_get_result_size,
};
