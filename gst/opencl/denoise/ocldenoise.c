/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldenoise.h"

#include <math.h>
#include <string.h>

#include "oclmotion.h"
#include "oclspectrum.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclDenoiseParams, member)

/* Samples of border on each side of a frame for kernels, as in
 * denoise-planes.clh: a block reaches 8 samples, a vector
 * OCL_MOTION_MAX_VECTOR, and kernels for CPUs filter up to 16 blocks at a time,
 * @step samples apart, from 20 samples before the frame on. */
#define PAD_X(step) (32 + 16 * (step))
#define PAD_Y 32

static const OclValue efforts[] = {
  {OCL_DENOISE_EFFORT_FAST, "fast",
      "A quarter of the blocks: a block at every fourth sample"},
  {OCL_DENOISE_EFFORT_NORMAL, "normal", "A block at every second sample"},
  {OCL_DENOISE_EFFORT_BEST, "best",
      "As normal, with four previous and four following frames "
        "instead of history and lookahead. Four frames of latency"},
  {0, NULL, NULL},
};

static const OclValues effort_values = { "denoise-effort", efforts };

static const OclParam params_table[] = {
  {"noise", "Standard deviation of the noise in 8-bit levels, for all "
        "planes. -1 estimates it for each plane. 0 disables the filter",
        OCL_PARAM_DOUBLE, OFFSET (noise),
      .minimum = -1.0,.maximum = 255.0,.default_value = -1.0},
  {"strength", "Factor of the threshold below which details are removed as "
        "noise. 0 disables the filter",
        OCL_PARAM_DOUBLE, OFFSET (strength),
      .maximum = 10.0,.default_value = 1.0},
  {"chroma-strength", "Chroma strength. -1 uses strength",
        OCL_PARAM_DOUBLE, OFFSET (chroma_strength),
      .minimum = -1.0,.maximum = 10.0,.default_value = -1.0},
  {"curve", "Estimate the noise for each brightness, because camera noise "
        "depends on it. Has no effect on chroma, or if noise is set",
        OCL_PARAM_BOOLEAN, OFFSET (curve),
      .default_value = TRUE,.fixed = TRUE,.decides = TRUE},
  {"grain", "Fraction of the removed noise to add back, to keep some grain",
      OCL_PARAM_DOUBLE, OFFSET (grain),.maximum = 1.0},
  {"effort", "Quality against speed",
        OCL_PARAM_ENUM, OFFSET (effort),.values = &effort_values,
        .default_value = OCL_DENOISE_EFFORT_NORMAL,.fixed = TRUE,
      .decides = TRUE},
  {"history",
        "Number of previous frames to use. 0 filters each frame "
        "separately, and without lookahead detects white noise only",
        OCL_PARAM_UINT, OFFSET (history),
        .maximum = OCL_MAX_HISTORY,.default_value = 2,.fixed = TRUE,
      .decides = TRUE},
  {"lookahead", "Number of following frames to use. Each adds a frame of "
        "latency",
        OCL_PARAM_UINT, OFFSET (lookahead),
      .maximum = OCL_MAX_LOOKAHEAD,.fixed = TRUE,.decides = TRUE},
  {"motion", "Search for matching blocks in other frames, so that moving "
        "objects stay sharp",
        OCL_PARAM_BOOLEAN, OFFSET (motion),
      .default_value = TRUE,.fixed = TRUE},
  OCL_PLANES_PARAM (OclDenoiseParams, planes, OCL_PLANES_ALL),
  OCL_BORDER_PARAMS (OclDenoiseParams, border),
  {NULL},
};

OclNeighbours
ocl_denoise_params_get_neighbours (gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const gboolean is_best = params->effort == OCL_DENOISE_EFFORT_BEST;
  const OclNeighbours neighbours = {
    is_best ? OCL_MAX_HISTORY : params->history,
    is_best ? OCL_MAX_LOOKAHEAD : params->lookahead
  };

  return neighbours;
}

/* Returns the distance between the starts of blocks in samples. */
static gint
get_step (const OclDenoiseParams * params)
{
  return params->effort == OCL_DENOISE_EFFORT_FAST ? 4 : 2;
}

/* The digits of a specialization, from the lowest one: whether the noise
 * depends on the brightness, whether blocks start at every fourth sample, the
 * number of later frames, the number of earlier frames. */
#define N_LATER (OCL_MAX_LOOKAHEAD + 1)
#define EARLIER_OF(n) ((n) / 4 / N_LATER)
#define LATER_OF(n) ((n) / 4 % N_LATER)
#define FRAMES_OF(n) (EARLIER_OF (n) + 1 + LATER_OF (n))
#define STEP_OF(n) ((n) & 2 ? 4 : 2)
#define CURVE_OF(n) ((n) % 2)

static guint
ocl_denoise_get_specializations (gconstpointer data,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  const OclDenoiseParams *params = data;
  const OclNeighbours n = ocl_denoise_params_get_neighbours (params);

  specializations[0] = ((n.n_earlier * N_LATER + n.n_later) * 2
      + (get_step (params) == 4)) * 2 + params->curve;
  return 1;
}

/* Options for any frames. */
static gchar *
ocl_denoise_get_shared_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-D EARLIER=%u -D LATER=%u -D BLOCK_STEP=%d",
      EARLIER_OF (build->specialization), LATER_OF (build->specialization),
      STEP_OF (build->specialization));
}

/* Returns whether the noise of the channels of @build is measured by
 * brightness. */
static gboolean
is_by_brightness (const OclBuild * build)
{
  return CURVE_OF (build->specialization)
      && !(build->format->model == OCL_MODEL_YCBCR
      && build->pass.first_channel > 0);
}

static gchar *
ocl_denoise_get_options (const OclBuild * build, const OclDevice * device)
{
  g_autofree gchar *shared = ocl_denoise_get_shared_options (build, device);

  return g_strdup_printf ("%s -D CURVE=%d", shared, is_by_brightness (build));
}

/* State of a variant that is kept between frames. */
typedef struct
{
  OclFrameCache cache;          /* pictures, see denoise-planes.clh */
  OclBorderMode border;         /* of the frames */
  cl_float4 color;              /* of their border, in levels */
  cl_mem bases;                 /* E for each mask of frames (owned) */
  OclMemory scratch;            /* intermediate data of kernels */
} State;

/* Sets @basis to E of kernels/shrink.clh for the frames in @mask and the
 * current frame. The row is q, the column is the frame: 0 is the current frame,
 * followed by the earlier and the later ones, each from the nearest one on. */
static void
fill_basis (cl_float * basis, guint specialization, guint mask)
{
  const gint n_earlier = EARLIER_OF (specialization), n_later =
      LATER_OF (specialization);
  guint order[OCL_MAX_NEIGHBOURS + 1];  /* the frames, by time */
  guint n = 0;

  for (gint time = -n_earlier; time <= n_later; time++) {
    const guint frame = time > 0 ? n_earlier + time : -time;

    if (frame == 0 || mask & 1 << (frame - 1))
      order[n++] = frame;
  }
  for (guint q = 0; q < n; q++) {
    for (guint i = 0; i < n; i++)
      basis[q * FRAMES_OF (specialization) + order[i]] =
          sqrt ((q > 0 ? 2.0 : 1.0) / n)
          * cos (G_PI * (2 * i + 1) * q / (2.0 * n));
  }
}

static gboolean
ocl_denoise_init (OclKernels * self, GError ** error)
{
  State *state = self->state;
  const guint n_frames = FRAMES_OF (self->build.specialization);
  const guint n_masks = 1 << (n_frames - 1);
  const guint n_entries = n_frames * n_frames;
  g_autofree cl_float *bases = g_new0 (cl_float, n_masks * n_entries);
  cl_int status = CL_SUCCESS;

  for (guint mask = 0; mask < n_masks; mask++)
    fill_basis (bases + mask * n_entries, self->build.specialization, mask);
  state->bases = clCreateBuffer (self->context->context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      n_masks * n_entries * sizeof (cl_float), bases, &status);
  return ocl_check (status, "clCreateBuffer", error);
}

static void
ocl_denoise_clear (gpointer data)
{
  State *state = data;

  ocl_frame_cache_clear (&state->cache);
  g_clear_pointer (&state->bases, clReleaseMemObject);
  ocl_memory_clear (&state->scratch);
}

/* Layout of the planes of a frame. */
typedef struct
{
  gint step;                    /* samples between the starts of blocks */
  gint pitch;                   /* floats of a row, in @step parts on CPUs */
  gint plane_size;              /* floats of a plane */
} Layout;

static Layout
get_layout (const OclRun * run)
{
  const gint step = get_step (run->params);
  /* Kernels for CPUs load 16 samples of a part. */
  const gint unit = 16 * step;
  const gint width = ocl_run_get_width (run) + 2 * PAD_X (step);
  Layout layout = {.step = step,.pitch = (width + unit - 1) / unit * unit };

  layout.plane_size = layout.pitch * (ocl_run_get_height (run) + 2 * PAD_Y);
  return layout;
}

/* Drops frames with another border, and computes the missing frames of @run by
 * @fill. Sets @offsets as ocl_frame_cache_ensure() does. */
static gboolean
ensure_frames (OclKernels * self, const OclRun * run, OclFrameCacheFill fill,
    OclFrameCacheOffsets * offsets, GError ** error)
{
  const OclDenoiseParams *params = run->params;
  State *state = self->state;
  const cl_float4 color =
      ocl_pass_get_color (run->pass, &run->input->info, params->border.color);

  if (state->border != params->border.mode
      || memcmp (&state->color, &color, sizeof (color)) != 0)
    ocl_frame_cache_invalidate (&state->cache);
  state->border = params->border.mode;
  state->color = color;
  return ocl_frame_cache_ensure (&state->cache, self, run,
      FRAMES_OF (self->build.specialization) - 1,
      (gsize) get_layout (run).plane_size * run->pass->n_channels, fill,
      offsets, error);
}

enum
{
  KERNEL_TAKE_APART,
  KERNEL_JOIN,
  KERNEL_SHRINK,
};

/* Writes a frame at word @offset of @memory, @width x @height work-items. */
static gboolean
enqueue_take_apart (OclKernels * self, const OclRun * run, gsize width,
    gsize height, cl_mem memory, cl_int offset, GError ** error)
{
  const OclBorder *border = &((const OclDenoiseParams *) run->params)->border;
  const Layout layout = get_layout (run);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_APART, width, height),
      error, OCL_INPUT_PLANES, OCL_INT (ocl_run_get_width (run)),
      OCL_INT (ocl_run_get_height (run)), OCL_MEMORY (memory),
      OCL_INT (offset), OCL_INT (layout.pitch), OCL_INT (layout.plane_size),
      OCL_INT (border->mode), OCL_FLOAT4 (ocl_pass_get_color (run->pass,
              &run->input->info, border->color)));
}

/* An OclFrameCacheFill with one work-item for each sample. */
static gboolean
take_samples_apart (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  return enqueue_take_apart (self, run, get_layout (run).pitch,
      ocl_run_get_height (run) + 2 * PAD_Y, memory, offset, error);
}

/* Returns the number of runs of kernels for rows that compute a pass: one for
 * each plane, or one for all channels. */
static guint
count_parts (const OclKernels * self)
{
  return ocl_kernels_is_by_plane (self) ? self->build.pass.n_channels : 1;
}

/* Returns part @n of @run, see count_parts(). Sets @pass to its pass. */
static OclRun
get_part (const OclKernels * self, const OclRun * run, guint n, OclPass * pass)
{
  OclRun part = *run;

  *pass = ocl_kernels_is_by_plane (self)
      ? ocl_pass_get_channel (run->pass, n) : *run->pass;
  part.pass = pass;
  return part;
}

/* An OclFrameCacheFill with one work-item for each row. */
static gboolean
take_rows_apart (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const gint plane_size = get_layout (run).plane_size;

  for (guint i = 0; i < count_parts (self); i++) {
    OclPass pass;
    const OclRun part = get_part (self, run, i, &pass);

    if (!enqueue_take_apart (self, &part, ocl_run_get_height (run) + 2 * PAD_Y,
            1, memory, offset + i * plane_size, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns the threshold for the pass of @run as a factor of σ. */
static gdouble
get_factor (const OclRun * run)
{
  const OclDenoiseParams *params = run->params;
  const gboolean is_chroma = run->pass->first_channel > 0;

  return OCL_DENOISE_THRESHOLD * (is_chroma && params->chroma_strength >= 0.0
      ? params->chroma_strength : params->strength);
}

/* The needed results, in the order of @needs below. */
enum
{
  NEED_NOISE,
  NEED_MOTION,
  NEED_SPECTRUM,
};

/* Returns the buffer with needed result @n, or any buffer if @run has no such
 * result. */
static cl_mem
get_needed (const OclKernels * self, const OclRun * run, guint n)
{
  const State *state = self->state;

  return run->needed[n] ? run->needed[n]->device.memory : state->bases;
}

/* Expands to @argument for programs for more than one frame. Other programs
 * have no arguments for motion. */
#define IF_FRAMES(kernels, argument) \
    OCL_IF (FRAMES_OF ((kernels)->build.specialization) > 1, argument)

/* Expands to the arguments for motion. */
#define MOTION(kernels, run) \
    IF_FRAMES (kernels, OCL_MEMORY (get_needed (kernels, run, NEED_MOTION))), \
    IF_FRAMES (kernels, OCL_INT2 (ocl_motion_get_blocks (run))), \
    IF_FRAMES (kernels, \
        OCL_MEMORY (get_needed (kernels, run, NEED_SPECTRUM))), \
    IF_FRAMES (kernels, OCL_INT2 (ocl_motion_get_cells (run))), \
    IF_FRAMES (kernels, OCL_MEMORY (((State *) (kernels)->state)->bases))

/* Expands to the arguments for the noise. */
#define NOISE(kernels, run) \
    OCL_MEMORY (get_needed (kernels, run, NEED_NOISE)), \
    IF_FRAMES (kernels, \
        OCL_MEMORY (get_needed (kernels, run, NEED_SPECTRUM))), \
    OCL_INT ((run)->pass->first_channel), \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->noise), \
    OCL_FLOAT (get_factor (run))

/* Expands to the fraction of the noise that is kept. */
#define GRAIN(run) \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->grain)

/* Members of the tables of all variants. */
#define VARIANT \
    .state_size = sizeof (State), \
    .get_specializations = ocl_denoise_get_specializations, \
    .clear = ocl_denoise_clear

/* The plain variant, one block for each work-item. As in the kernels: */
#define FIRST_BLOCK(step) ((step) - 8)
#define BLOCK_FLOATS 65

/* Approximate maximum size of the blocks of a slice in bytes, for each
 * channel. */
#define MAX_BLOCK_BYTES (16 << 20)

static gboolean
ocl_denoise_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const Layout layout = get_layout (run);
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  const gint columns = (width + 7) / layout.step;
  const gsize row_bytes = columns * BLOCK_FLOATS * sizeof (cl_float);
  const gint slice = MAX (MAX_BLOCK_BYTES / row_bytes, 8) * layout.step;
  OclFrameCacheOffsets offsets;

  if (!ensure_frames (self, run, take_samples_apart, &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          (MIN (slice, height) + 7) / layout.step * row_bytes
          * run->pass->n_channels, error))
    return FALSE;
  for (gint y = 0; y < height; y += slice) {
    const gint n_rows = MIN (slice, height - y);
    const gint rows = (n_rows + 7) / layout.step;
    const gint channel_size = columns * rows * BLOCK_FLOATS;

    for (guint i = 0; i < run->pass->n_channels; i++) {
      if (!OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SHRINK, columns, rows),
              error, OCL_MEMORY (state->cache.memory.memory),
              OCL_INT (offsets.current), OCL_INT8 (offsets.neighbours),
              OCL_INT (layout.pitch), OCL_INT (layout.plane_size), OCL_INT (i),
              OCL_INT (y + FIRST_BLOCK (layout.step)), OCL_INT (columns),
              OCL_INT (rows), MOTION (self, run), NOISE (self, run),
              OCL_MEMORY (state->scratch.memory), OCL_INT (i * channel_size)))
        return FALSE;
    }
    if (!OCL_LAUNCH (self, run, OCL_GRID (KERNEL_JOIN, width, n_rows), error,
            OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (height),
            OCL_INT (y), OCL_INT (n_rows), GRAIN (run),
            OCL_MEMORY (state->scratch.memory), OCL_INT (columns),
            OCL_INT (channel_size)))
      return FALSE;
  }
  return TRUE;
}

static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise.cl",
  .kernels = OCL_NAMES ("take_apart", "put_together", "shrink"),
  .group_width = 32,
  .group_height = 4,
  .get_options = ocl_denoise_get_options,
  .init = ocl_denoise_init,
  .enqueue = ocl_denoise_plain_enqueue,
  VARIANT,
};

/* The variant for CPUs, with as many blocks at a time as a vector has floats.
 * A compute unit has several slices, so that a busy unit does not delay the
 * frame. A slice filters the blocks of 6 rows again. */
#define SLICES_OF_UNIT 3
#define MIN_SLICE_HEIGHT 32

/* The floats of a Carry of the kernel, which @step rows share. */
#define CARRY_FLOATS(step) (4 * (step) * (step) + 4)

static gboolean
ocl_denoise_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const Layout layout = get_layout (run);
  const gint step = layout.step;
  const gint height = ocl_run_get_height (run);
  const gint most = self->context->device->n_units * SLICES_OF_UNIT;
  const gint least_rows = MAX ((height + most - 1) / most, MIN_SLICE_HEIGHT);
  const gint slice = (least_rows + step - 1) / step * step;
  const gint n_slices = (height + slice - 1) / slice;
  const gint scratch = layout.pitch * slice * run->pass->n_channels
      + slice / step * CARRY_FLOATS (step);
  const cl_int2 shift = { {run->pass->x_shift, run->pass->y_shift} };
  OclFrameCacheOffsets offsets;

  if (!ensure_frames (self, run, take_rows_apart, &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          (gsize) scratch * n_slices * sizeof (cl_float), error)
      || !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SHRINK, n_slices, 1), error,
          OCL_INT (ocl_run_get_width (run)), OCL_INT (height),
          OCL_INT (run->pass->n_channels), OCL_INT2 (shift), OCL_INT (slice),
          OCL_MEMORY (state->scratch.memory), OCL_INT (scratch),
          OCL_MEMORY (state->cache.memory.memory), OCL_INT (offsets.current),
          OCL_INT8 (offsets.neighbours), MOTION (self, run),
          OCL_INT (layout.pitch / step), OCL_INT (layout.plane_size / step),
          NOISE (self, run), OCL_INT (is_by_brightness (&self->build))))
    return FALSE;
  for (guint i = 0; i < count_parts (self); i++) {
    OclPass pass;
    const OclRun part = get_part (self, run, i, &pass);

    if (!OCL_LAUNCH (self, &part, OCL_GRID (KERNEL_JOIN, height, 1), error,
            OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (ocl_run_get_width (run)),
            OCL_INT (height), OCL_INT (slice),
            OCL_MEMORY (state->scratch.memory), OCL_INT (scratch),
            OCL_INT (i * slice * layout.pitch),
            OCL_MEMORY (state->cache.memory.memory),
            OCL_INT (offsets.current + i * layout.plane_size),
            OCL_INT (layout.pitch / step), OCL_INT (layout.plane_size / step),
            GRAIN (run)))
      return FALSE;
  }
  return TRUE;
}

static gchar *
ocl_denoise_rows_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-D BLOCK_STEP=%d", STEP_OF (build->specialization));
}

static const OclTunable tunables[] = {
  {"BLOCKS", 0, OCL_CHOICES (8, 16)},
  {NULL},
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY
      | OCL_VARIANT_BY_PLANE,
  .source = "denoise-rows.cl",
  .kernels = OCL_NAMES ("take_apart_rows", "join_rows"),
  .shared_source = "denoise-strips.cl",
  .shared_kernels = OCL_NAMES ("shrink_rows"),
  .tunables = tunables,
  .get_options = ocl_denoise_rows_get_options,
  .get_shared_options = ocl_denoise_get_shared_options,
  .init = ocl_denoise_init,
  .enqueue = ocl_denoise_rows_enqueue,
  VARIANT,
};

/* The variant for GPUs, one tile of blocks for each work-group. As in the
 * kernels: */
typedef struct
{
  gint step_x;                  /* samples from one tile to the next */
  gint step_y;
  gint group_size;              /* work-items of a tile */
  gint n_floats;                /* of a tile in global memory */
} Tiles;

/* Approximate maximum size of the tiles of a slice in bytes, for each
 * channel. */
#define MAX_TILE_BYTES (32 << 20)

/* Tiles of more frames have 8 rows in place of 16: 16 rows of 9 frames exceed
 * the local memory of a work-group with NVIDIA's drivers, 48 KiB. */
#define MAX_FRAMES 7

static Tiles
get_tiles (const OclPass * pass, guint specialization)
{
  const gint step = STEP_OF (specialization);
  const gint height = OCL_MOTION_BLOCK >> pass->y_shift;
  Tiles tiles = {
    .step_x = OCL_MOTION_BLOCK >> pass->x_shift,
    .step_y = FRAMES_OF (specialization) > MAX_FRAMES
        && height == 16 ? 8 : height,
  };
  const gint width = tiles.step_x + 8 - step;
  const gint n_samples = width * (tiles.step_y + 8 - step);

  tiles.group_size = 2 * tiles.step_x * tiles.step_y / step;
  tiles.n_floats = n_samples + n_samples / (step * step);
  return tiles;
}

/* Returns the number of tiles that cover @size samples, if tiles are @step
 * apart. */
static gint
count_tiles (gint size, gint step)
{
  return (size + 3) / step + 2;
}

static gboolean
ocl_denoise_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const Layout layout = get_layout (run);
  const Tiles tiles = get_tiles (run->pass, self->build.specialization);
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  const gint columns = count_tiles (width, tiles.step_x);
  const gsize row_bytes = columns * tiles.n_floats * sizeof (cl_float);
  const gint slice = MAX (MAX_TILE_BYTES / row_bytes, 4) * tiles.step_y;
  OclFrameCacheOffsets offsets;

  if (!ensure_frames (self, run, take_samples_apart, &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          count_tiles (MIN (slice, height), tiles.step_y) * row_bytes
          * run->pass->n_channels, error))
    return FALSE;
  for (gint y = 0; y < height; y += slice) {
    const gint n_rows = MIN (slice, height - y);
    const gint rows = count_tiles (n_rows, tiles.step_y);
    const gint channel_size = columns * rows * tiles.n_floats;
    const OclGrid grid = {.kernel = KERNEL_SHRINK,
      .width = (gsize) columns * tiles.group_size,
      .height = rows * run->pass->n_channels,
      .group_width = tiles.group_size,.group_height = 1
    };

    if (!OCL_LAUNCH (self, run, grid, error,
            OCL_MEMORY (state->cache.memory.memory),
            OCL_INT (offsets.current), OCL_INT8 (offsets.neighbours),
            OCL_INT (layout.pitch), OCL_INT (layout.plane_size),
            OCL_INT (height), OCL_INT (rows), OCL_INT (y / tiles.step_y),
            MOTION (self, run), NOISE (self, run),
            OCL_MEMORY (state->scratch.memory)))
      return FALSE;
    if (!OCL_LAUNCH (self, run, OCL_GRID (KERNEL_JOIN, width, n_rows), error,
            OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (y),
            OCL_INT (n_rows), GRAIN (run), OCL_MEMORY (state->scratch.memory),
            OCL_INT (columns), OCL_INT (channel_size)))
      return FALSE;
  }
  return TRUE;
}

static gchar *
ocl_denoise_tiled_get_options (const OclBuild * build, const OclDevice * device)
{
  const Tiles tiles = get_tiles (&build->pass, build->specialization);
  g_autofree gchar *options = ocl_denoise_get_options (build, device);

  return g_strdup_printf ("%s -D STEP_Y=%d", options, tiles.step_y);
}

static gboolean
ocl_denoise_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_SHRINK,
      get_tiles (&self->build.pass, self->build.specialization).group_size, 1,
      error)
      && ocl_denoise_init (self, error);
}

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise-tiled.cl",
  .kernels = OCL_NAMES ("take_apart", "join_tiles", "shrink_tiles"),
  .group_width = 32,
  .group_height = 4,
  .get_options = ocl_denoise_tiled_get_options,
  .init = ocl_denoise_tiled_init,
  .enqueue = ocl_denoise_tiled_enqueue,
  VARIANT,
};

static const OclVariant *const variants[] = { &plain, &tiled, &rows, NULL };

static gboolean
ocl_denoise_is_neutral (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  return params->noise == 0.0 || params->strength == 0.0
      || params->grain == 1.0;
}

static gboolean
needs_motion (gconstpointer data)
{
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (data);

  return neighbours.n_earlier + neighbours.n_later > 0;
}

/* The noise operation also finds cuts. */
static gboolean
needs_noise (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  return params->noise < 0.0 || needs_motion (params);
}

static void
set_noise_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  OclNoiseParams *noise = needed;

  noise->estimate = params->noise < 0.0;
  noise->curve = params->curve;
  noise->planes = params->planes | OCL_PLANES_LUMA;
}

static void
set_motion_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (data);
  OclMotionParams *motion = needed;

  motion->n_neighbours = neighbours.n_earlier + neighbours.n_later;
  motion->search = params->motion;
  motion->noise = params->noise;
}

static void
set_spectrum_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (data);
  OclSpectrumParams *spectrum = needed;

  spectrum->estimate = params->noise < 0.0;
  spectrum->curve = params->curve;
  spectrum->planes = params->planes | OCL_PLANES_LUMA;
  spectrum->n_earlier = neighbours.n_earlier;
  spectrum->n_later = neighbours.n_later;
  spectrum->noise = params->noise;
}

static guint
ocl_denoise_get_lead (gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const guint n_earlier = ocl_denoise_params_get_neighbours (data).n_earlier;

  if (params->noise < 0.0)
    return n_earlier + OCL_SPECTRUM_MEMORY;
  /* The frame before the first one that is used shows a cut. */
  return n_earlier > 0 ? n_earlier + 1 : 0;
}

static const OclNeed needs[] = {
  [NEED_NOISE] = {&ocl_noise_class, needs_noise, set_noise_params},
  [NEED_MOTION] = {&ocl_motion_class, needs_motion, set_motion_params},
  [NEED_SPECTRUM] = {&ocl_spectrum_class, needs_motion, set_spectrum_params},
  {NULL},
};

static const OclParam report_params[] = {
  {"noise-messages", "Post a message with the estimated noise of each "
        "frame. While " G_STRINGIFY (OCL_MAX_REPORT_MESSAGES)
        " messages are unread on the bus, further messages are dropped",
      OCL_PARAM_BOOLEAN, G_STRUCT_OFFSET (OclReportSettings, messages)},
  {NULL},
};

/* Returns the kind of the noise of a channel. Noise that varies between blocks
 * is encoded. Correlated noise has a third to a half of its level in the high
 * frequencies. Encoded noise that varies little has 0.7 to 0.9. */
static const gchar *
get_kind (const OclNoiseResult * noise, const OclSpectrumResult * spectrum,
    guint channel)
{
  const gfloat ratio = spectrum->ratio[channel];
  const gfloat slope = spectrum->slope[channel];

  if (spectrum->mean[channel] <= noise->sigma[channel]
      || (slope > 0.92f && ratio < 1.3f))
    return "white";
  return slope < 0.62f && ratio < 1.45f ? "correlated" : "encoded";
}

/* Reports the standard deviation of the estimated noise of each channel, in
 * levels of 8 bits, and the kind of the noise of the first of them: "white",
 * "correlated" (from demosaicing, scaling or film grain) or "encoded" (after an
 * encoder). For interlaced frames, it is the noise of the first field. */
static guint
describe_noise (gconstpointer const results[OCL_MAX_NEEDS],
    const OclFormat * format, OclReportField fields[OCL_MAX_REPORT_FIELDS])
{
  static const OclSpectrumResult none = { 0 };
  const OclNoiseResult *noise = results[0];
  const OclSpectrumResult *spectrum = results[1] ? results[1] : &none;
  guint n = 0;

  for (guint i = 0; i < OCL_NOISE_N_CHANNELS; i++) {
    const gchar *name = ocl_format_get_channel_name (format, i);

    if (!name || noise->n_estimates[i] == 0)
      continue;
    fields[n++] = (OclReportField) {
      .name = name,.number = MAX (noise->sigma[i], spectrum->mean[i])
    };
    if (n == 1)
      fields[n++] = (OclReportField) {
      .name = "kind",.text = get_kind (noise, spectrum, i)
      };
  }
  return n;
}

static const OclReport report = {
  .name = "noise",
  .remedy = "noise-messages to false",
  .params = report_params,
  .results = {
        {&ocl_noise_class, sizeof (OclNoiseResult)},
        {&ocl_spectrum_class, sizeof (OclSpectrumResult)},
      },
  .describe = describe_noise,
};

const OclOperationClass ocl_denoise_class = {
  .name = "denoise",
  .flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (OclDenoiseParams),
  .params = params_table,
  .variants = variants,
  .is_neutral = ocl_denoise_is_neutral,
  .get_neighbours = ocl_denoise_params_get_neighbours,
  .get_lead = ocl_denoise_get_lead,
  .needs = needs,
  .report = &report,
};
