/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclspectrum.h"

#include "oclmotion.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclSpectrumParams, member)

/* As in kernels/spectrum.clh and kernels/spectrum.cl. */
#define BLOCK_WORDS 72
#define COUNT_WORDS (105 * 1024 + 80)
#define BLOCK_ITEMS 8
#define BLOCKS_GROUP 64
#define N_PARTS 5
#define POOL_GROUPS (64 + OCL_NOISE_CURVE_BINS + 2)
#define MAX_BLOCKS 1536
#define TEXTURE_GROUPS (OCL_NOISE_CURVE_BINS + 2)
#define ENERGY_GROUPS (3 * OCL_NOISE_CURVE_BINS + N_PARTS + 1)

enum
{
  KERNEL_MEASURE_BLOCKS,
  KERNEL_COUNT_ENERGIES,
  KERNEL_COUNT_COEFFICIENTS,
  KERNEL_COMPARE,
  KERNEL_LIMIT_TEXTURES,
  KERNEL_LIMIT_ENERGIES,
  KERNEL_POOL_PICTURES,
  KERNEL_FIND_SPECTRUM,
  KERNEL_SET_GIVEN
};

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

static cl_mem
get_needed (const OclRun * run, guint n)
{
  return run->needed[n]->device.memory;
}

static const OclFrame *
get_candidate (const OclRun * run, gint n)
{
  return n < 0 ? run->input : &run->neighbours[n].frame;
}

/* Returns whether a work-item measures a block, and compares all its cells.
 * Otherwise several work-items measure a block, and one compares a cell. */
static gboolean
takes_blocks (const OclKernels * self)
{
  return *(const gboolean *) self->variant->family;
}

/* Returns the offset of the counts in the result, in words: after the masks.
 * The blocks follow the counts. */
static gint
get_scratch (const OclFrameInfo * info)
{
  return OCL_SPECTRUM_MASKS + ocl_motion_count_cells (info);
}

/* Measures the blocks of all channels, and computes the spectrum from them. */
static gboolean
enqueue_spectrum (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclSpectrumParams *params = run->params;
  const gint n = run->pass->n_channels;
  const OclNoiseBlocks blocks =
      ocl_noise_get_blocks (run->pass, &run->input->info, MAX_BLOCKS);
  const guint present =
      ocl_frame_cache_get_present (run, params->n_earlier + params->n_later);
  const gint next = run->n_earlier;
  /* The neighbours that a frame may be compared with: the frame before the
   * last one, the last one, the next one, or -1 for a missing one. */
  const cl_int4 candidates = { {
          run->n_earlier > 1 && present >> 1 & 1 ? 1 : -1,
          run->n_earlier > 0 && present & 1 ? 0 : -1,
      run->n_later > 0 && present >> next & 1 ? next : -1, -1}
  };
  const gint scratch = get_scratch (&run->input->info);
  /* Chroma has one class of brightness. */
  const gboolean is_ycbcr = self->build.format->model == OCL_MODEL_YCBCR;
  const cl_int2 n_classes = { {params->curve ? OCL_NOISE_CURVE_BINS : 1,
      params->curve && !is_ycbcr ? OCL_NOISE_CURVE_BINS : 1}
  };
  /* A wide step of luma may leave it fewer blocks than chroma. */
  const OclGrid energies = OCL_GRID (KERNEL_COUNT_ENERGIES,
      MAX (blocks.n_blocks.s[0], blocks.n_blocks.s[1]), n);
  OclGrid coefficients = energies;
  OclGrid measuring = OCL_GRID (KERNEL_MEASURE_BLOCKS,
      MAX (blocks.columns.s[0], blocks.columns.s[1]), blocks.all_rows);
  const cl_mem noise = get_needed (run, 0), result = run->result->device.memory;

  coefficients.kernel = KERNEL_COUNT_COEFFICIENTS;
  if (!takes_blocks (self)) {
    measuring.width *= BLOCK_ITEMS;
    measuring.group_width = BLOCKS_GROUP;
    measuring.group_height = 1;
  }
  return ocl_memory_enqueue_fill (&run->result->device, self->context, 0,
      scratch * sizeof (cl_int), OCL_NOISE_N_CHANNELS * COUNT_WORDS
      * sizeof (cl_int), run->timer, error)
      && OCL_LAUNCH (self, run, measuring, error, OCL_INPUT_PLANES,
      OCL_FRAME (get_candidate (run, candidates.s[0])),
      OCL_FRAME (get_candidate (run, candidates.s[1])),
      OCL_FRAME (get_candidate (run, candidates.s[2])),
      OCL_INT4 (blocks.sizes), OCL_INT2 (blocks.steps),
      OCL_INT2 (blocks.columns), OCL_INT2 (blocks.rows), OCL_INT2 (n_classes),
      OCL_INT4 (candidates), OCL_MEMORY (noise),
      OCL_MEMORY (get_needed (run, 1)), OCL_INT2 (ocl_motion_get_blocks (run)),
      OCL_MEMORY (result), OCL_INT (scratch))
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_LIMIT_TEXTURES,
          TEXTURE_GROUPS, n), error, OCL_MEMORY (result), OCL_INT (scratch),
      OCL_INT2 (n_classes))
      && OCL_LAUNCH (self, run, energies, error, OCL_MEMORY (result),
      OCL_INT (scratch), OCL_INT2 (blocks.n_blocks), OCL_INT (n))
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_LIMIT_ENERGIES,
          ENERGY_GROUPS, n), error, OCL_MEMORY (result), OCL_INT (scratch),
      OCL_INT2 (n_classes), OCL_INT (run->is_first), OCL_MEMORY (noise))
      && OCL_LAUNCH (self, run, coefficients, error, OCL_MEMORY (result),
      OCL_INT (scratch), OCL_INT2 (blocks.n_blocks), OCL_INT (n))
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_POOL_PICTURES,
          POOL_GROUPS, n), error, OCL_MEMORY (result), OCL_INT (scratch),
      OCL_MEMORY (noise))
      && OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_FIND_SPECTRUM, 1,
          OCL_NOISE_N_CHANNELS), error, OCL_MEMORY (result), OCL_INT (n),
      OCL_MEMORY (noise));
}

/* Finds the matching neighbours, with the blurred frames of the motion
 * search. */
static gboolean
enqueue_compare (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclSpectrumParams *params = run->params;
  const guint n_neighbours = params->n_earlier + params->n_later;
  const OclMotionShared none = {.memory = run->result->device.memory };
  const OclMotionShared *shared = run->needed[1]->shared
      ? run->needed[1]->shared : &none;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const cl_int2 cells = ocl_motion_get_cells (run);
  const cl_int2 size = takes_blocks (self) ? blocks : cells;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_COMPARE, size.s[0],
          size.s[1]), error, OCL_MEMORY (shared->memory),
      OCL_INT (shared->offsets.current), OCL_INT8 (shared->offsets.neighbours),
      OCL_INT2 (blocks), OCL_INT2 (cells),
      OCL_INT (n_neighbours), OCL_INT (run->n_earlier),
      OCL_INT (run->needed[1]->shared
          ? ocl_frame_cache_get_present (run, n_neighbours) : 0),
      OCL_MEMORY (get_needed (run, 0)), OCL_MEMORY (get_needed (run, 1)),
      OCL_MEMORY (run->result->device.memory));
}

static gboolean
ocl_spectrum_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclSpectrumParams *params = run->params;
  const gboolean is_measured = params->estimate && run->input->info.width >= 8
      && run->input->info.height >= 8;

  return (is_measured ? enqueue_spectrum (self, run, error)
      : OCL_LAUNCH (self, run, OCL_COUNT_GRID (self, KERNEL_SET_GIVEN, 1,
              OCL_NOISE_N_CHANNELS), error,
          OCL_MEMORY (run->result->device.memory),
          OCL_MEMORY (get_needed (run, 0)), OCL_FLOAT (params->noise)))
      && enqueue_compare (self, run, error);
}

/* Sets the passes for @params of the class: OclOperationClass.get_passes. */
static guint
get_passes (gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  return ocl_noise_get_passes (passes, format,
      ((const OclSpectrumParams *) params)->planes);
}

static gboolean
ocl_spectrum_init (OclKernels * self, GError ** error)
{
  const guint group = ocl_kernels_get_count_group (self->context->device);

  return ocl_kernels_check_group (self, KERNEL_LIMIT_ENERGIES, group, 1, error)
      && ocl_kernels_check_group (self, KERNEL_FIND_SPECTRUM, group, 1, error)
      && ocl_kernels_check_group (self, KERNEL_POOL_PICTURES, group, 1, error)
      && (takes_blocks (self) || ocl_kernels_check_group (self,
          KERNEL_MEASURE_BLOCKS, BLOCKS_GROUP, 1, error));
}

static gsize
ocl_spectrum_get_result_size (const OclFrameInfo * info)
{
  return (get_scratch (info) + (gsize) OCL_NOISE_N_CHANNELS
      * (COUNT_WORDS + MAX_BLOCKS * BLOCK_WORDS)) * sizeof (cl_int);
}

#define MEASURING "measure_blocks", "count_energies", "count_coefficients"
#define GROUP_KERNELS OCL_NAMES ("limit_textures", "limit_energies", \
    "pool_pictures", "find_spectrum", "set_given")

/* The family data is that of takes_blocks(). */
static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "spectrum.cl",
  .kernels = OCL_NAMES (MEASURING, "compare"),
  .shared_source = "spectrum-groups.cl",
  .shared_kernels = GROUP_KERNELS,
  .get_shared_options = ocl_kernels_get_count_options,
  .group_width = 32,
  .group_height = 2,
  .family = &(const gboolean) {FALSE},
  .init = ocl_spectrum_init,
  .enqueue = ocl_spectrum_enqueue,
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "spectrum-rows.cl",
  .kernels = OCL_NAMES (MEASURING, "compare_blocks"),
  .shared_source = "spectrum-groups.cl",
  .shared_kernels = GROUP_KERNELS,
  .get_shared_options = ocl_kernels_get_count_options,
  .family = &(const gboolean) {TRUE},
  .init = ocl_spectrum_init,
  .enqueue = ocl_spectrum_enqueue,
};

static const OclVariant *const variants[] = { &plain, &rows, NULL };

const OclOperationClass ocl_spectrum_class = {
  .name = "spectrum",
  .flags = OCL_OPERATION_READS,
  .params_size = sizeof (OclSpectrumParams),
  .params = params_table,
  .variants = variants,
  .get_passes = get_passes,
  .get_result_size = ocl_spectrum_get_result_size,
};
