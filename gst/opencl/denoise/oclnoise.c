/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclnoise.h"

#include "oclframecache.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclNoiseParams, member)

/* As in kernels/noise.clh. */
#define MAX_BLOCKS 4096         /* MAX_NOISE_BLOCKS */
#define BLOCK_WORDS 12          /* NOISE_BLOCK_SIZE / 2 */
#define MAX_MEANS_SIDE 32
#define MAX_MEANS (MAX_MEANS_SIDE * MAX_MEANS_SIDE)
#define CLASSES (1 + OCL_NOISE_CURVE_BINS)
#define COUNT_WORDS (2 * 1024 + 16)
#define COUNTS_START (512 + MAX_MEANS)
#define RESULT_WORDS (COUNTS_START \
    + OCL_NOISE_N_CHANNELS * (CLASSES * COUNT_WORDS + MAX_BLOCKS * BLOCK_WORDS))

enum
{
  KERNEL_TAKE_MEANS,
  KERNEL_TAKE_ENERGIES,
  KERNEL_FIND_CUTS,
  KERNEL_FIND_LIMIT,
  KERNEL_TAKE_MAGNITUDES,
  KERNEL_ESTIMATE,
  KERNEL_TAKE_MEANS_OF_ESTIMATES
};

typedef struct
{
  OclFrameCache means;
} State;

static const OclParam params_table[] = {
  {"estimate", "Estimate the noise, and not only find cuts",
        OCL_PARAM_BOOLEAN, OFFSET (estimate),.default_value = TRUE,
      .fixed = TRUE},
  {"curve", "Estimate the noise by brightness, too",
      OCL_PARAM_BOOLEAN, OFFSET (curve),.fixed = TRUE},
  OCL_PLANES_PARAM (OclNoiseParams, planes, OCL_PLANES_ALL),
  {NULL},
};

/* Sets the blocks of channel 0, or for @n of 1 those of the other channels. */
static void
set_blocks (OclNoiseBlocks * blocks, guint n, gint most)
{
  const gint width = blocks->sizes.s[2 * n];
  const gint height = blocks->sizes.s[2 * n + 1];
  gint columns = 0, rows = 0, step = 4;

  for (; width >= 8 && height >= 8; step += 8) {
    columns = (width - 8) / step + 1;
    rows = (height - 8) / step + 1;
    if (columns * rows <= most)
      break;
  }
  blocks->steps.s[n] = step;
  blocks->columns.s[n] = columns;
  blocks->rows.s[n] = rows;
  blocks->n_blocks.s[n] = columns * rows;
}

OclNoiseBlocks
ocl_noise_get_blocks (const OclPass * pass, const OclFrameInfo * info,
    gint most)
{
  const OclPass chroma = {
    .x_shift = info->format->chroma_x_shift,
    .y_shift = info->format->chroma_y_shift
  };
  OclNoiseBlocks blocks = {
    .sizes = {{ocl_pass_get_width (pass, info),
            ocl_pass_get_height (pass, info)}}
  };

  if (pass->n_channels > 1) {
    blocks.sizes.s[2] = ocl_pass_get_width (&chroma, info);
    blocks.sizes.s[3] = ocl_pass_get_height (&chroma, info);
  }
  set_blocks (&blocks, 0, most);
  set_blocks (&blocks, 1, most);
  blocks.all_rows =
      blocks.rows.s[0] + (pass->n_channels - 1) * blocks.rows.s[1];
  return blocks;
}

guint
ocl_noise_get_passes (OclPass passes[OCL_MAX_PASSES], const OclFormat * format,
    OclPlanes planes)
{
  const guint n = ocl_passes_init (passes, format, planes, FALSE);

  g_assert (planes & OCL_PLANES_LUMA);
  /* The pass for luma, with chroma. */
  if (n > 1)
    passes[0].n_channels = OCL_NOISE_N_CHANNELS;
  return 1;
}

/* Returns the number of blocks of a frame whose means are compared. */
static cl_int2
count_means (const OclRun * run)
{
  const cl_int2 n = { {MIN (ocl_run_get_width (run) / 8, MAX_MEANS_SIDE),
      MIN (ocl_run_get_height (run) / 8, MAX_MEANS_SIDE)}
  };

  return n;
}

/* Computes the means of a frame: an OclFrameCacheFill. */
static gboolean
take_means (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const cl_int2 n = count_means (run);

  return n.s[0] * n.s[1] == 0
      || OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_MEANS, n.s[0], n.s[1]),
      error, OCL_INPUT_PLANES, OCL_INT (ocl_run_get_width (run)),
      OCL_INT (ocl_run_get_height (run)), OCL_INT2 (n),
      OCL_MEMORY (memory), OCL_INT (offset));
}

/* Finds the neighbours of the current frame in the same shot. The result has
 * the means of the previous frame. */
static gboolean
enqueue_cuts (OclKernels * self, const OclRun * run, GError ** error)
{
  State *state = self->state;
  const OclNoiseParams *params = run->params;
  const cl_int2 n = count_means (run);
  OclFrameCacheOffsets offsets;
  OclRun later = *run;
  gint channels = 7;            /* a mask of the channels that are estimated */
  gint n_later = 0;             /* consecutive later frames */

  if (self->build.format->model == OCL_MODEL_YCBCR)
    channels = (params->planes & OCL_PLANES_LUMA ? 1 : 0)
        | (params->planes & OCL_PLANES_CHROMA ? 6 : 0);
  later.neighbours += run->n_earlier;
  later.n_earlier = 0;
  while (n_later < (gint) later.n_later
      && later.neighbours[n_later].serial != 0)
    n_later++;
  return ocl_frame_cache_ensure (&state->means, self, &later, later.n_later,
      MAX_MEANS, take_means, &offsets, error)
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_FIND_CUTS,
          1, 1), error,
      OCL_MEMORY (run->result->device.memory),
      OCL_MEMORY (state->means.memory.memory), OCL_INT (offsets.current),
      OCL_INT8 (offsets.neighbours), OCL_INT (n.s[0] * n.s[1]),
      OCL_INT (run->is_first), OCL_INT (n_later),
      OCL_INT (params->estimate ? channels : 0));
}

static gboolean
ocl_noise_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclNoiseParams *params = run->params;
  const OclFrameInfo *info = &run->input->info;
  const cl_mem result = run->result->device.memory;
  const gint n_classes = params->curve ? CLASSES : 1;
  const gint n = run->pass->n_channels;
  const OclNoiseBlocks blocks =
      ocl_noise_get_blocks (run->pass, info, MAX_BLOCKS);

  if (!enqueue_cuts (self, run, error))
    return FALSE;
  if (!params->estimate || blocks.n_blocks.s[0] == 0)
    return TRUE;
  /* All channels are processed together: many small commands take longer. */
  if (!ocl_memory_enqueue_fill (&run->result->device, self->context, 0,
          COUNTS_START * sizeof (cl_int), OCL_NOISE_N_CHANNELS * n_classes
          * COUNT_WORDS * sizeof (cl_int), run->timer, error)
      || !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_ENERGIES,
              MAX (blocks.columns.s[0], blocks.columns.s[1]), blocks.all_rows),
          error, OCL_INPUT_PLANES, OCL_INT2 (blocks.steps),
          OCL_INT2 (blocks.columns), OCL_INT2 (blocks.rows),
          OCL_INT (n_classes), OCL_MEMORY (result)))
    return FALSE;
  return OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_FIND_LIMIT,
          n * n_classes, 1), error, OCL_MEMORY (result), OCL_INT (n_classes))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_MAGNITUDES,
          MAX (blocks.n_blocks.s[0], blocks.n_blocks.s[1]), n), error,
      OCL_MEMORY (result), OCL_INT (n_classes), OCL_INT2 (blocks.n_blocks),
      OCL_INT (n))
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_ESTIMATE,
          n * n_classes, 1), error, OCL_MEMORY (result), OCL_INT (n_classes))
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self,
          KERNEL_TAKE_MEANS_OF_ESTIMATES, n, 1), error, OCL_MEMORY (result),
      OCL_INT (n_classes));
}

/* Sets the passes for @params of the class: OclOperationClass.get_passes. */
static guint
get_passes (gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  return ocl_noise_get_passes (passes, format,
      ((const OclNoiseParams *) params)->planes);
}

static gboolean
ocl_noise_init (OclKernels * self, GError ** error)
{
  const guint group = ocl_kernels_get_count_group (self->context->device);

  return ocl_kernels_check_group (self, KERNEL_FIND_CUTS, group, 1, error)
      && ocl_kernels_check_group (self, KERNEL_ESTIMATE, group, 1, error);
}

static void
ocl_noise_clear (gpointer data)
{
  State *state = data;

  ocl_frame_cache_clear (&state->means);
}

static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "noise.cl",
  .kernels = OCL_NAMES ("take_means", "take_energies"),
  .shared_source = "noise-groups.cl",
  .shared_kernels = OCL_NAMES ("find_cuts", "find_limit", "take_magnitudes",
      "estimate", "take_means_of_estimates"),
  .get_shared_options = ocl_kernels_get_count_options,
  .group_width = 32,
  .group_height = 2,
  .state_size = sizeof (State),
  .init = ocl_noise_init,
  .clear = ocl_noise_clear,
  .enqueue = ocl_noise_enqueue,
};

static const OclVariant *const variants[] = { &plain, NULL };

const OclOperationClass ocl_noise_class = {
  .name = "noise",
  .flags = OCL_OPERATION_READS,
  .params_size = sizeof (OclNoiseParams),
  .params = params_table,
  .variants = variants,
  .get_passes = get_passes,
  .result_size = RESULT_WORDS * sizeof (cl_int),
};
