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
#define COUNT_GROUP 64          /* see counts.clh */
#define MEANS_GROUP 16

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

/* Creates a grid of @n groups of @size work-items. */
#define GROUPS(n_kernel, n, size) ((OclGrid) {.kernel = (n_kernel), \
    .width = (gsize) (n) * (size), .height = 1, \
    .group_width = (size), .group_height = 1})

OclNoiseBlocks
ocl_noise_get_blocks (const OclPass * pass, const OclFrameInfo * info,
    gint most)
{
  const gint width = ocl_pass_get_width (pass, info);
  const gint height = ocl_pass_get_height (pass, info);
  OclNoiseBlocks blocks = {.step = 4 };

  if (width < 8 || height < 8)
    return blocks;
  for (;; blocks.step += 8) {
    blocks.columns = (width - 8) / blocks.step + 1;
    blocks.rows = (height - 8) / blocks.step + 1;
    if (blocks.columns * blocks.rows <= most)
      return blocks;
  }
}

cl_int2
ocl_noise_count_blocks (const OclPass * passes, guint n,
    const OclFrameInfo * info, gint most)
{
  const OclNoiseBlocks first = ocl_noise_get_blocks (&passes[0], info, most);
  const OclNoiseBlocks last = ocl_noise_get_blocks (&passes[n - 1], info, most);
  const cl_int2 n_blocks = { {first.columns * first.rows,
      last.columns * last.rows}
  };

  return n_blocks;
}

guint
ocl_noise_get_passes (OclPass passes[OCL_MAX_PASSES], const OclFormat * format,
    OclPlanes planes, const OclFrameInfo * info)
{
  guint n = ocl_passes_init (passes, format, planes, FALSE);

  /* A field of one row has no chroma, and no pass for chroma. */
  while (n > 1 && ocl_pass_get_height (&passes[n - 1], info) == 0)
    n--;
  return n;
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
      && OCL_LAUNCH (self, run, GROUPS (KERNEL_FIND_CUTS, 1, COUNT_GROUP),
      error,
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
  OclPass passes[OCL_MAX_PASSES];
  const guint n_passes = ocl_noise_get_passes (passes, self->build.format,
      params->planes, info);
  const OclPass *last = &passes[n_passes - 1];
  const gint n = last->first_channel + last->n_channels;
  const OclNoiseBlocks blocks =
      ocl_noise_get_blocks (run->pass, info, MAX_BLOCKS);
  const cl_int2 n_blocks =
      ocl_noise_count_blocks (passes, n_passes, info, MAX_BLOCKS);
  const gboolean is_first = run->pass->first_channel == 0;

  g_assert (passes[0].first_channel == 0);
  if (is_first && !enqueue_cuts (self, run, error))
    return FALSE;
  if (!params->estimate || n_blocks.s[0] == 0)
    return TRUE;
  if (is_first && !ocl_memory_enqueue_fill (&run->result->device,
          self->context, 0, COUNTS_START * sizeof (cl_int),
          OCL_NOISE_N_CHANNELS * n_classes * COUNT_WORDS * sizeof (cl_int),
          run->timer, error))
    return FALSE;
  if (blocks.rows > 0
      && !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_ENERGIES, blocks.columns,
              blocks.rows * run->pass->n_channels), error, OCL_INPUT_PLANES,
          OCL_INT (blocks.step), OCL_INT (blocks.columns),
          OCL_INT (blocks.rows), OCL_INT (run->pass->first_channel),
          OCL_INT (n_classes), OCL_MEMORY (result)))
    return FALSE;
  /* All channels are estimated together: many small commands take longer. */
  if (!ocl_pass_equals (run->pass, last))
    return TRUE;
  return OCL_LAUNCH (self, run, GROUPS (KERNEL_FIND_LIMIT, n * n_classes,
          COUNT_GROUP), error, OCL_MEMORY (result), OCL_INT (n_classes))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_MAGNITUDES,
          MAX (n_blocks.s[0], n_blocks.s[1]), n), error, OCL_MEMORY (result),
      OCL_INT (n_classes), OCL_INT2 (n_blocks), OCL_INT (n))
      && OCL_LAUNCH (self, run, GROUPS (KERNEL_ESTIMATE, n * n_classes,
          COUNT_GROUP), error, OCL_MEMORY (result), OCL_INT (n_classes))
      && OCL_LAUNCH (self, run, GROUPS (KERNEL_TAKE_MEANS_OF_ESTIMATES, n,
          MEANS_GROUP), error, OCL_MEMORY (result), OCL_INT (n_classes));
}

static gboolean
ocl_noise_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_FIND_CUTS, COUNT_GROUP, 1, error)
      && ocl_kernels_check_group (self, KERNEL_ESTIMATE, COUNT_GROUP, 1, error);
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
  .group_source = "noise-groups.cl",
  .group_kernels = OCL_NAMES ("find_cuts", "find_limit", "take_magnitudes",
      "estimate", "take_means_of_estimates"),
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
  .result_size = RESULT_WORDS * sizeof (cl_int),
};
