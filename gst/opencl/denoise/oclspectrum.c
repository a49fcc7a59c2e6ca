/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclspectrum.h"

#include "oclmotionresult.h"
#include "oclmotionvariants.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclSpectrumParams, member)

/* As in kernels/spectrum.clh and kernels/counts.clh. */
#define BLOCK_WORDS 72
#define COUNT_WORDS (104 * 1024 + 80)
#define COUNT_GROUP 64
#define N_PARTS 5
#define POOL_GROUPS (64 + OCL_NOISE_CURVE_BINS + 1)
#define MAX_BLOCKS 4096

enum
{
  KERNEL_MEASURE_BLOCKS,
  KERNEL_LIMIT_TEXTURES,
  KERNEL_COUNT_ENERGIES,
  KERNEL_LIMIT_ENERGIES,
  KERNEL_COUNT_COEFFICIENTS,
  KERNEL_POOL_PICTURES,
  KERNEL_FIND_SPECTRUM,
  KERNEL_SET_GIVEN,
  KERNEL_COMPARE
};

typedef struct
{
  OclMemory blocks;
  OclMemory counts;
} State;

/* Whether a work-item compares all cells of a block; otherwise one cell. */
typedef struct
{
  gboolean compares_blocks;
} Family;

static const OclParam params_table[] = {
  {"estimate", "Measure the spectrum, and not only find pictures that match",
        OCL_PARAM_BOOLEAN, OFFSET (estimate),.default_value = TRUE,
      .fixed = TRUE},
  {"curve", "Measure the noise by brightness, too",
        OCL_PARAM_BOOLEAN, OFFSET (curve),.default_value = TRUE,
      .fixed = TRUE},
  OCL_PLANES_PARAM (OclSpectrumParams, planes, OCL_PLANES_ALL),
  {"earlier", "How many earlier pictures have vectors",
        OCL_PARAM_UINT, OFFSET (n_earlier),.maximum = OCL_MAX_HISTORY,
      .default_value = 2,.fixed = TRUE},
  {"later", "How many later pictures have vectors",
        OCL_PARAM_UINT, OFFSET (n_later),.maximum = OCL_MAX_LOOKAHEAD,
      .fixed = TRUE},
  {"noise", "Standard deviation of the noise of luma",
        OCL_PARAM_DOUBLE, OFFSET (noise),
      .minimum = -1.0,.maximum = 255.0,.default_value = -1.0},
  {NULL},
};

/* Returns the memory of a needed result. There is none when variants are warmed
 * up: then any other memory that is only read is passed. */
static cl_mem
get_needed (const OclRun * run, guint n)
{
  const cl_mem memory = run->needed[n]->device.memory;

  return memory ? memory : run->result->device.memory;
}

/* Returns a bit for each neighbour of @run that is not missing. */
static gint
get_present (const OclRun * run)
{
  const OclSpectrumParams *params = run->params;
  const guint n = MIN (run->n_earlier + run->n_later,
      params->n_earlier + params->n_later);
  gint present = 0;

  for (guint i = 0; i < n; i++) {
    if (run->neighbours[i].serial != 0)
      present |= 1 << i;
  }
  return present;
}

/* Returns the neighbours that a picture may be compared with: the picture
 * before the last one, the last one, the next one; -1 for what is missing. */
static cl_int4
get_candidates (const OclRun * run)
{
  const gint present = get_present (run);
  const gint next = run->n_earlier;
  const cl_int4 candidates = { {
          run->n_earlier > 1 && present >> 1 & 1 ? 1 : -1,
          run->n_earlier > 0 && present & 1 ? 0 : -1,
      run->n_later > 0 && present >> next & 1 ? next : -1, -1}
  };

  return candidates;
}

static const OclFrame *
get_candidate (const OclRun * run, gint n)
{
  return n < 0 ? run->input : &run->neighbours[n].frame;
}

/* Makes a grid of groups that look through histograms. */
#define GROUPS(n_kernel, n) ((OclGrid) {.kernel = (n_kernel), \
    .width = (gsize) (n) * COUNT_GROUP, .height = 1, \
    .group_width = COUNT_GROUP, .group_height = 1})

/* Returns how many blocks of 8 samples, @step apart, fit into @size samples. */
static gint
count_blocks (gint size, gint step)
{
  return size >= 8 ? (size - 8) / step + 1 : 0;
}

/* Measures the spectrum of the channels of the pass. */
static gboolean
enqueue_spectrum (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclSpectrumParams *params = run->params;
  State *state = self->state;
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  const gint n = run->pass->n_channels;
  const gint first = run->pass->first_channel;
  const gboolean is_chroma = self->build.format->model == OCL_MODEL_YCBCR
      && first > 0;
  const gint n_classes = params->curve && !is_chroma ? OCL_NOISE_CURVE_BINS : 1;
  const gsize counts_size = n * COUNT_WORDS * sizeof (cl_int);
  const cl_int4 candidates = get_candidates (run);
  const cl_mem noise = get_needed (run, 0), result = run->result->device.memory;
  gint step = 4;

  while (count_blocks (width, step) * count_blocks (height, step) > MAX_BLOCKS)
    step += 8;

  const gint columns = count_blocks (width, step);
  const gint rows = count_blocks (height, step);
  const OclGrid blocks = OCL_GRID (0, columns, rows * n);
  OclGrid energies = blocks, coefficients = blocks;

  energies.kernel = KERNEL_COUNT_ENERGIES;
  coefficients.kernel = KERNEL_COUNT_COEFFICIENTS;
  return ocl_memory_ensure (&state->blocks, self->context,
      (gsize) MAX_BLOCKS * n * BLOCK_WORDS * sizeof (cl_float), error)
      && ocl_memory_ensure (&state->counts, self->context, counts_size, error)
      && ocl_memory_enqueue_fill (&state->counts, self->context, 0, 0,
      counts_size, run->timer, error)
      && OCL_LAUNCH (self, run, blocks, error, OCL_INPUT_PLANES,
      OCL_FRAME (get_candidate (run, candidates.s[0])),
      OCL_FRAME (get_candidate (run, candidates.s[1])),
      OCL_FRAME (get_candidate (run, candidates.s[2])), OCL_INT (width),
      OCL_INT (height), OCL_INT (step), OCL_INT (columns), OCL_INT (rows),
      OCL_INT (n_classes), OCL_INT4 (candidates), OCL_MEMORY (noise),
      OCL_MEMORY (get_needed (run, 1)), OCL_INT2 (ocl_motion_get_blocks (run)),
      OCL_MEMORY (state->blocks.memory), OCL_MEMORY (state->counts.memory))
      && OCL_LAUNCH (self, run, GROUPS (KERNEL_LIMIT_TEXTURES,
          n * (n_classes + 1)), error, OCL_INT (n_classes),
      OCL_MEMORY (state->counts.memory))
      && OCL_LAUNCH (self, run, energies, error, OCL_INT (columns),
      OCL_INT (rows), OCL_MEMORY (state->blocks.memory),
      OCL_MEMORY (state->counts.memory))
      && OCL_LAUNCH (self, run, GROUPS (KERNEL_LIMIT_ENERGIES,
          n * (3 * n_classes + N_PARTS + 1)), error, OCL_MEMORY (result),
      OCL_INT (first), OCL_INT (n_classes), OCL_INT (run->is_first),
      OCL_MEMORY (noise), OCL_MEMORY (state->counts.memory))
      && OCL_LAUNCH (self, run, coefficients, error, OCL_INT (columns),
      OCL_INT (rows), OCL_MEMORY (state->blocks.memory),
      OCL_MEMORY (state->counts.memory))
      && OCL_LAUNCH (self, run, GROUPS (KERNEL_POOL_PICTURES,
          n * POOL_GROUPS), error, OCL_MEMORY (result), OCL_INT (first),
      OCL_MEMORY (noise), OCL_MEMORY (state->counts.memory))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_FIND_SPECTRUM, n, 1), error,
      OCL_MEMORY (result), OCL_INT (first), OCL_MEMORY (noise));
}

/* Finds the neighbours that match, with the blurred pictures of the motion
 * search. */
static gboolean
enqueue_compare (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclSpectrumParams *params = run->params;
  const Family *family = self->variant->family;
  const OclMotionShared none = {.memory = run->result->device.memory };
  const OclMotionShared *shared = run->needed[1]->shared
      ? run->needed[1]->shared : &none;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const cl_int2 cells = ocl_motion_get_cells (run);
  const cl_int2 size = family->compares_blocks ? blocks : cells;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_COMPARE, size.s[0],
          size.s[1]), error, OCL_MEMORY (shared->memory),
      OCL_INT (shared->offsets.current), OCL_INT8 (shared->offsets.neighbours),
      OCL_INT2 (blocks), OCL_INT2 (cells),
      OCL_INT (params->n_earlier + params->n_later), OCL_INT (run->n_earlier),
      OCL_INT (run->needed[1]->shared ? get_present (run) : 0),
      OCL_MEMORY (get_needed (run, 0)), OCL_MEMORY (get_needed (run, 1)),
      OCL_MEMORY (run->result->device.memory));
}

static gboolean
ocl_spectrum_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclSpectrumParams *params = run->params;
  const gboolean is_large = ocl_run_get_width (run) >= 8
      && ocl_run_get_height (run) >= 8;

  /* Channels that are not measured have no spectrum. */
  if (run->pass->first_channel == 0
      && !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SET_GIVEN, 1, 1), error,
          OCL_MEMORY (run->result->device.memory),
          OCL_MEMORY (get_needed (run, 0)), OCL_FLOAT (params->noise)))
    return FALSE;
  if (params->estimate && is_large && !enqueue_spectrum (self, run, error))
    return FALSE;
  return run->pass->first_channel > 0 || enqueue_compare (self, run, error);
}

static gboolean
ocl_spectrum_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_LIMIT_ENERGIES, COUNT_GROUP,
      1, error)
      && ocl_kernels_check_group (self, KERNEL_POOL_PICTURES, COUNT_GROUP,
      1, error);
}

static void
ocl_spectrum_clear (gpointer data)
{
  State *state = data;

  ocl_memory_clear (&state->blocks);
  ocl_memory_clear (&state->counts);
}

static gsize
ocl_spectrum_get_result_size (const OclFrame * frame)
{
  return (OCL_SPECTRUM_MASKS + ocl_motion_count_cells (frame))
      * sizeof (cl_int);
}

#define MEASURING "measure_blocks", "limit_textures", "count_energies", \
    "limit_energies", "count_coefficients", "pool_pictures", "find_spectrum", \
    "set_given"

static const Family cells = {.compares_blocks = FALSE };
static const Family blocks = {.compares_blocks = TRUE };

static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "spectrum.cl",
  .kernels = OCL_NAMES (MEASURING, "compare"),
  .group_width = 32,
  .group_height = 2,
  .state_size = sizeof (State),
  .family = &cells,
  .init = ocl_spectrum_init,
  .clear = ocl_spectrum_clear,
  .enqueue = ocl_spectrum_enqueue,
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "spectrum-rows.cl",
  .kernels = OCL_NAMES (MEASURING, "compare_blocks"),
  .state_size = sizeof (State),
  .family = &blocks,
  .init = ocl_spectrum_init,
  .clear = ocl_spectrum_clear,
  .enqueue = ocl_spectrum_enqueue,
};

static const OclVariant *const variants[] = { &plain, &rows, NULL };

const OclOperationClass ocl_spectrum_class = {
  .name = "spectrum",
  .flags = OCL_OPERATION_READS,
  .params_size = sizeof (OclSpectrumParams),
  .params = params_table,
  .variants = variants,
  .get_result_size = ocl_spectrum_get_result_size,
};
