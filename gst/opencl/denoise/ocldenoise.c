/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldenoise.h"

#include <math.h>
#include <string.h>

#include "oclmotion.h"
#include "oclspectrum.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclDenoiseParams, member)

static const OclValue efforts[] = {
  {OCL_DENOISE_EFFORT_FAST, "fast",
      "A quarter of the blocks: they start at every fourth sample"},
  {OCL_DENOISE_EFFORT_NORMAL, "normal", "Blocks start at every second sample"},
  {OCL_DENOISE_EFFORT_BEST, "best",
      "As normal, with four earlier and four later frames, whatever history "
        "and lookahead say: four frames of latency"},
  {0, NULL, NULL},
};

static const OclValues effort_values = { "denoise-effort", efforts };

static const OclParam params_table[] = {
  {"noise", "How strong the noise is: its standard deviation in levels of 8 "
        "bits, for all planes; -1 estimates it for each plane; 0 turns the "
        "filter off",
        OCL_PARAM_DOUBLE, OFFSET (noise),
      .minimum = -1.0,.maximum = 255.0,.default_value = -1.0},
  {"strength", "How much of the noise is removed: a factor of the threshold "
        "below which details count as noise; 0 turns the filter off",
        OCL_PARAM_DOUBLE, OFFSET (strength),
      .maximum = 10.0,.default_value = 1.0},
  {"chroma-strength", "Strength for the chroma planes; -1 takes strength",
        OCL_PARAM_DOUBLE, OFFSET (chroma_strength),
      .minimum = -1.0,.maximum = 10.0,.default_value = -1.0},
  {"curve", "Estimate the noise by brightness, because the noise of cameras "
        "depends on it; has no effect on chroma, nor if noise is given",
        OCL_PARAM_BOOLEAN, OFFSET (curve),
      .default_value = TRUE,.fixed = TRUE,.decides = TRUE},
  {"grain", "Part of the removed noise that is added back, so that the picture "
        "keeps some grain",
      OCL_PARAM_DOUBLE, OFFSET (grain),.maximum = 1.0},
  {"effort", "How much time is spent on a frame",
        OCL_PARAM_ENUM, OFFSET (effort),.values = &effort_values,
        .default_value = OCL_DENOISE_EFFORT_NORMAL,.fixed = TRUE,
      .decides = TRUE},
  {"history",
        "How many earlier frames are used; 0 filters each frame by itself, and "
        "without lookahead finds white noise only",
        OCL_PARAM_UINT, OFFSET (history),
        .maximum = OCL_MAX_HISTORY,.default_value = 2,.fixed = TRUE,
      .decides = TRUE},
  {"lookahead", "How many later frames are used. Each adds one frame of "
        "latency; 0 delays no frame",
        OCL_PARAM_UINT, OFFSET (lookahead),
      .maximum = OCL_MAX_LOOKAHEAD,.fixed = TRUE,.decides = TRUE},
  {"motion", "Search for blocks in other frames, so that moving things stay "
        "sharp",
        OCL_PARAM_BOOLEAN, OFFSET (motion),
      .default_value = TRUE,.fixed = TRUE},
  OCL_PLANES_PARAM (OclDenoiseParams, planes, OCL_PLANES_ALL),
  OCL_BORDER_PARAMS (OclDenoiseParams, border),
  {NULL},
};

OclNeighbours
ocl_denoise_params_get_neighbours (const OclDenoiseParams * params)
{
  const gboolean is_best = params->effort == OCL_DENOISE_EFFORT_BEST;
  const OclNeighbours neighbours = {
    is_best ? OCL_MAX_HISTORY : params->history,
    is_best ? OCL_MAX_LOOKAHEAD : params->lookahead
  };

  return neighbours;
}

guint
ocl_denoise_params_get_step (const OclDenoiseParams * params)
{
  return params->effort == OCL_DENOISE_EFFORT_FAST ? 4 : 2;
}

/**
 * OclDenoiseState:
 * @pictures: pictures as planes of floats, see kernels/denoise.clh
 * @bases: E for each set of frames that match, see kernels/shrink.clh (owned)
 * @border: the border of @pictures
 * @color: its colour, in levels
 * @scratch: intermediate data of kernels
 *
 * The state of a variant.
 */
typedef struct
{
  OclPictures pictures;
  cl_mem bases;
  OclBorderMode border;
  cl_float4 color;
  OclMemory scratch;
} OclDenoiseState;

/**
 * OclDenoiseLayout:
 * @step: the distance between the starts of blocks in samples
 * @pitch: the floats of a row of a plane: all columns of the picture, which may
 *    be split into @step parts
 * @plane_size: the floats of a plane
 * @n_floats: the floats of a picture
 *
 * Layout of the planes of a picture.
 */
typedef struct
{
  gint step;
  gint pitch;
  gint plane_size;
  gsize n_floats;
} OclDenoiseLayout;

/* Expands to @argument for programs for more than one frame. Other programs
 * have no arguments for motion. */
#define OCL_DENOISE_IF_FRAMES(kernels, argument) \
    OCL_IF (ocl_denoise_get_n_frames (kernels) > 1, argument)

/* Expands to the arguments for motion. */
#define OCL_DENOISE_MOTION(kernels, run) \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (ocl_denoise_get_motion (kernels, run))), \
    OCL_DENOISE_IF_FRAMES (kernels, OCL_INT2 (ocl_motion_get_blocks (run))), \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (ocl_denoise_get_spectrum (kernels, run))), \
    OCL_DENOISE_IF_FRAMES (kernels, OCL_INT2 (ocl_motion_get_cells (run))), \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (((OclDenoiseState *) (kernels)->state)->bases))

/* Expands to the arguments for the noise. */
#define OCL_DENOISE_NOISE(kernels, run) \
    OCL_MEMORY (ocl_denoise_get_noise (kernels, run)), \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (ocl_denoise_get_spectrum (kernels, run))), \
    OCL_INT ((run)->pass->first_channel), \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->noise), \
    OCL_FLOAT (ocl_denoise_get_factor (run))

/* Expands to the fraction of the noise that is kept. */
#define OCL_DENOISE_GRAIN(run) \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->grain)

static gint
round_up (gint value, gint multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

static OclDenoiseLayout
ocl_denoise_get_layout (const OclRun * run)
{
  OclDenoiseLayout layout;

  /* Kernels for CPUs load 16 samples of a part. */
  layout.step = ocl_denoise_params_get_step (run->params);
  layout.pitch = round_up (ocl_run_get_width (run)
      + 2 * OCL_DENOISE_PAD_X (layout.step), 16 * layout.step);
  layout.plane_size = layout.pitch
      * (ocl_run_get_height (run) + 2 * OCL_DENOISE_PAD_Y);
  layout.n_floats = (gsize) layout.plane_size * run->pass->n_channels;
  return layout;
}

/* The digits of a form, from the lowest one: whether there is a curve, whether
 * blocks start at every fourth sample, the number of later frames, the number
 * of earlier frames. */
#define N_LATER (OCL_MAX_LOOKAHEAD + 1)
#define FORM_OF(neighbours, step, curve) \
    ((((neighbours).n_earlier * N_LATER + (neighbours).n_later) * 2 \
            + ((step) == 4)) * 2 + (curve))
#define EARLIER_OF(form) ((form) / 4 / N_LATER)
#define LATER_OF(form) ((form) / 4 % N_LATER)
#define STEP_OF(form) ((form) & 2 ? 4 : 2)
#define CURVE_OF(form) ((form) % 2)

static OclNeighbours
get_neighbours (const OclKernels * self)
{
  const OclNeighbours neighbours = {
    EARLIER_OF (self->build.form), LATER_OF (self->build.form)
  };

  return neighbours;
}

/* Returns the number of frames that the programs filter together. */
static guint
ocl_denoise_get_n_frames (const OclKernels * self)
{
  return EARLIER_OF (self->build.form) + 1 + LATER_OF (self->build.form);
}

/* The form of a variant encodes the numbers of earlier and later frames, the
 * distance of blocks, and whether the noise depends on the brightness. */
static guint
ocl_denoise_get_forms (gconstpointer data, const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  const OclDenoiseParams *params = data;

  (void) format;
  forms[0] = FORM_OF (ocl_denoise_params_get_neighbours (params),
      ocl_denoise_params_get_step (params), params->curve);
  return 1;
}

/* Returns the number of frames of a variant of @form: the earlier frames, the
 * later frames and the current frame. */
static guint
ocl_denoise_count_frames (guint form)
{
  return EARLIER_OF (form) + 1 + LATER_OF (form);
}

/* Returns the distance between the starts of blocks in samples. */
static guint
ocl_denoise_get_step (guint form)
{
  return STEP_OF (form);
}

static gchar *
ocl_denoise_get_options (const OclBuild * build, const OclDevice * device)
{
  const gboolean is_chroma = build->format->model == OCL_MODEL_YCBCR
      && build->pass.first_channel > 0;

  (void) device;
  return g_strdup_printf ("-D EARLIER=%u -D LATER=%u -D BLOCK_STEP=%d "
      "-D CURVE=%d", EARLIER_OF (build->form), LATER_OF (build->form),
      STEP_OF (build->form), CURVE_OF (build->form) && !is_chroma);
}

/* Sets @order to the frames in @mask and the current frame, in the order of
 * time. The current frame is 0, and its neighbours follow, the nearest one
 * first. Returns the number of frames. */
static guint
get_order (OclNeighbours neighbours, guint mask,
    guint order[OCL_MAX_NEIGHBOURS + 1])
{
  guint n = 0;

  for (guint frame = neighbours.n_earlier; frame > 0; frame--) {
    if (mask & 1 << (frame - 1))
      order[n++] = frame;
  }
  order[n++] = 0;
  for (guint i = 1; i <= neighbours.n_later; i++) {
    const guint frame = neighbours.n_earlier + i;

    if (mask & 1 << (frame - 1))
      order[n++] = frame;
  }
  return n;
}

/* Sets @basis to E for the frames in @mask and the current frame. The row is q,
 * the column is the frame, where 0 is the current frame. */
static void
fill_basis (cl_float * basis, OclNeighbours neighbours, guint mask)
{
  const guint n_frames = 1 + neighbours.n_earlier + neighbours.n_later;
  guint order[OCL_MAX_NEIGHBOURS + 1];
  const guint n = get_order (neighbours, mask, order);

  for (guint q = 0; q < n; q++) {
    for (guint i = 0; i < n; i++)
      basis[q * n_frames + order[i]] = sqrt ((q > 0 ? 2.0 : 1.0) / n)
          * cos (G_PI * (2 * i + 1) * q / (2.0 * n));
  }
}

static gboolean
ocl_denoise_init (OclKernels * self, GError ** error)
{
  OclDenoiseState *state = self->state;
  const guint n_frames = ocl_denoise_get_n_frames (self);
  const guint n_masks = 1 << (n_frames - 1);
  const guint n_entries = n_frames * n_frames;
  g_autofree cl_float *bases = g_new0 (cl_float, n_masks * n_entries);
  cl_int status = CL_SUCCESS;

  for (guint mask = 0; mask < n_masks; mask++)
    fill_basis (bases + mask * n_entries, get_neighbours (self), mask);
  state->bases = clCreateBuffer (self->context->context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      n_masks * n_entries * sizeof (cl_float), bases, &status);
  return ocl_check (status, "clCreateBuffer", error);
}

static void
ocl_denoise_clear (gpointer data)
{
  OclDenoiseState *state = data;

  ocl_pictures_clear (&state->pictures);
  g_clear_pointer (&state->bases, clReleaseMemObject);
  ocl_memory_clear (&state->scratch);
}

/* Computes the missing pictures of @run with @fill. Sets @offsets as
 * ocl_pictures_ensure() does. */
static gboolean
ocl_denoise_ensure_pictures (OclKernels * self, const OclRun * run,
    OclPicturesFill fill, OclPicturesOffsets * offsets, GError ** error)
{
  const OclDenoiseParams *params = run->params;
  OclDenoiseState *state = self->state;
  const cl_float4 color =
      ocl_pass_get_color (run->pass, &run->input->info, params->border.color);

  if (state->border != params->border.mode
      || memcmp (&state->color, &color, sizeof (color)) != 0)
    ocl_pictures_forget (&state->pictures);
  state->border = params->border.mode;
  state->color = color;
  return ocl_pictures_ensure (&state->pictures, self, run,
      ocl_denoise_get_n_frames (self) - 1,
      ocl_denoise_get_layout (run).n_floats, fill, offsets, error);
}

/* Launches a kernel that writes a picture at word @offset of @memory. */
static gboolean
ocl_denoise_take_apart (OclKernels * self, const OclRun * run, OclGrid grid,
    cl_mem memory, cl_int offset, GError ** error)
{
  const OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT_PLANES,
      OCL_INT (ocl_run_get_width (run)), OCL_INT (ocl_run_get_height (run)),
      OCL_MEMORY (memory), OCL_INT (offset), OCL_INT (layout.pitch),
      OCL_INT (layout.plane_size), OCL_INT (state->border),
      OCL_FLOAT4 (state->color));
}

/* Writes a picture with the first kernel of the variant, one sample for each
 * work-item: an OclPicturesFill. */
static gboolean
ocl_denoise_take_samples_apart (OclKernels * self, const OclRun * run,
    cl_mem memory, cl_int offset, GError ** error)
{
  const OclGrid grid = OCL_GRID (0, ocl_denoise_get_layout (run).pitch,
      ocl_run_get_height (run) + 2 * OCL_DENOISE_PAD_Y);

  return ocl_denoise_take_apart (self, run, grid, memory, offset, error);
}

/* Returns the threshold for the pass of @run as a factor of σ. */
static gdouble
ocl_denoise_get_factor (const OclRun * run)
{
  const OclDenoiseParams *params = run->params;
  const gboolean is_chroma = run->pass->first_channel > 0;

  return OCL_DENOISE_THRESHOLD * (is_chroma && params->chroma_strength >= 0.0
      ? params->chroma_strength : params->strength);
}

/* Returns the buffer with σ of each channel of the format, or any buffer if σ
 * is given. */
static cl_mem
ocl_denoise_get_noise (OclKernels * self, const OclRun * run)
{
  const OclDenoiseState *state = self->state;

  return run->needed[0] ? run->needed[0]->device.memory : state->bases;
}

/* Returns the buffer with vectors, or any buffer if there is none. */
static cl_mem
ocl_denoise_get_motion (OclKernels * self, const OclRun * run)
{
  const OclDenoiseState *state = self->state;

  return run->needed[1] ? run->needed[1]->device.memory : state->bases;
}

/* Returns the buffer with the spectrum of the noise and masks, or any buffer if
 * there is none. */
static cl_mem
ocl_denoise_get_spectrum (OclKernels * self, const OclRun * run)
{
  const OclDenoiseState *state = self->state;

  return run->needed[2] ? run->needed[2]->device.memory : state->bases;
}

/* Denoiser for any device, one block for each work-item. */
enum
{
  KERNEL_TAKE_APART,
  KERNEL_SHRINK,
  KERNEL_JOIN,
};

/* As in the kernels. */
#define FIRST_BLOCK(step) ((step) - 8)
#define BLOCK_FLOATS 65

/* Approximate maximum size of the blocks of a strip in bytes, for each
 * channel. */
#define MAX_PLAIN_STRIP_BYTES (16 << 20)

/* Filters rows @y to @y + @n_rows. */
static gboolean
enqueue_plain_strip (OclKernels * self, const OclRun * run,
    const OclPicturesOffsets * offsets, gint y, gint n_rows, GError ** error)
{
  OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  const gint columns = (width + 7) / layout.step;
  const gint rows = (n_rows + 7) / layout.step;
  const gint channel_size = columns * rows * BLOCK_FLOATS;

  for (guint i = 0; i < run->pass->n_channels; i++) {
    if (!OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SHRINK, columns, rows), error,
            OCL_MEMORY (state->pictures.memory.memory),
            OCL_INT (offsets->current), OCL_INT8 (offsets->neighbours),
            OCL_INT (layout.pitch), OCL_INT (layout.plane_size), OCL_INT (i),
            OCL_INT (y + FIRST_BLOCK (layout.step)), OCL_INT (columns),
            OCL_INT (rows), OCL_DENOISE_MOTION (self, run),
            OCL_DENOISE_NOISE (self, run), OCL_MEMORY (state->scratch.memory),
            OCL_INT (i * channel_size)))
      return FALSE;
  }
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_JOIN, width, n_rows),
      error, OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (height),
      OCL_INT (y), OCL_INT (n_rows), OCL_DENOISE_GRAIN (run),
      OCL_MEMORY (state->scratch.memory), OCL_INT (columns),
      OCL_INT (channel_size));
}

static gboolean
ocl_denoise_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclDenoiseState *state = self->state;
  const gint height = ocl_run_get_height (run);
  const gint step = ocl_denoise_params_get_step (run->params);
  const gsize row_bytes = (ocl_run_get_width (run) + 7) / step * BLOCK_FLOATS
      * sizeof (cl_float);
  const gint strip = MAX (MAX_PLAIN_STRIP_BYTES / row_bytes, 8) * step;
  OclPicturesOffsets offsets;

  if (!ocl_denoise_ensure_pictures (self, run, ocl_denoise_take_samples_apart,
          &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          (MIN (strip, height) + 7) / step * row_bytes * run->pass->n_channels,
          error))
    return FALSE;
  for (gint y = 0; y < height; y += strip) {
    if (!enqueue_plain_strip (self, run, &offsets, y, MIN (strip, height - y),
            error))
      return FALSE;
  }
  return TRUE;
}

static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise.cl",
  .kernels = OCL_NAMES ("take_apart", "shrink", "put_together"),
  .group_width = 32,
  .group_height = 4,
  .state_size = sizeof (OclDenoiseState),
  .get_forms = ocl_denoise_get_forms,
  .get_options = ocl_denoise_get_options,
  .init = ocl_denoise_init,
  .clear = ocl_denoise_clear,
  .enqueue = ocl_denoise_plain_enqueue,
};

/* Denoiser for CPUs, with as many blocks at a time as a vector has floats. */
/* Number of strips of a compute unit, so that a busy unit does not delay the
 * frame. A strip filters the blocks of 6 rows again. */
#define STRIPS_OF_UNIT 3
#define MIN_STRIP_HEIGHT 32

/* The floats of a Carry of the kernel, which @step rows share. */
#define CARRY_FLOATS(step) (4 * (step) * (step) + 4)

static gboolean
take_rows_apart (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const OclGrid grid = OCL_GRID (KERNEL_TAKE_APART,
      ocl_run_get_height (run) + 2 * OCL_DENOISE_PAD_Y, 1);

  return ocl_denoise_take_apart (self, run, grid, memory, offset, error);
}

/* Returns the rows of a strip, a multiple of @step. */
static gint
get_strip_height (const OclKernels * self, gint height, gint step)
{
  const gint n = self->context->device->n_units * STRIPS_OF_UNIT;
  const gint rows = MAX ((height + n - 1) / n, MIN_STRIP_HEIGHT);

  return (rows + step - 1) / step * step;
}

static gboolean
ocl_denoise_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);
  const gint height = ocl_run_get_height (run);
  const gint strip = get_strip_height (self, height, layout.step);
  const gint n_strips = (height + strip - 1) / strip;
  const gint scratch = layout.pitch * strip * run->pass->n_channels
      + strip / layout.step * CARRY_FLOATS (layout.step);
  OclPicturesOffsets offsets;

  if (!ocl_denoise_ensure_pictures (self, run, take_rows_apart, &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          (gsize) scratch * n_strips * sizeof (cl_float), error))
    return FALSE;
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SHRINK, n_strips, 1), error,
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (ocl_run_get_width (run)),
      OCL_INT (height), OCL_INT (strip), OCL_MEMORY (state->scratch.memory),
      OCL_INT (scratch), OCL_MEMORY (state->pictures.memory.memory),
      OCL_INT (offsets.current), OCL_INT8 (offsets.neighbours),
      OCL_DENOISE_MOTION (self, run), OCL_INT (layout.pitch / layout.step),
      OCL_INT (layout.plane_size / layout.step), OCL_DENOISE_NOISE (self, run),
      OCL_DENOISE_GRAIN (run));
}

static const OclTunable tunables[] = {
  {"BLOCKS", 0, OCL_CHOICES (8, 16)},
  {NULL},
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise-rows.cl",
  .kernels = OCL_NAMES ("take_apart_rows", "shrink_rows"),
  .tunables = tunables,
  .state_size = sizeof (OclDenoiseState),
  .get_forms = ocl_denoise_get_forms,
  .get_options = ocl_denoise_get_options,
  .init = ocl_denoise_init,
  .clear = ocl_denoise_clear,
  .enqueue = ocl_denoise_rows_enqueue,
};

/* Denoiser for GPUs, one tile of blocks for each work-group. */
/* Approximate maximum size of the tiles of a strip in bytes, for each
 * channel. */
#define MAX_TILED_STRIP_BYTES (32 << 20)

/* The tiles of a picture, as in the kernels. */
typedef struct
{
  gint step_x;                  /* samples from one tile to the next */
  gint step_y;
  gint n_blocks;
  gint n_rows;                  /* floats of the rows of a frame */
  gint group_size;              /* work-items of a tile */
  gint n_floats;                /* of a tile in global memory */
} Tiles;

/* The rows of more frames of 16 x 16 samples exceed the local memory of a
 * work-group with NVIDIA's drivers, 48 KiB. */
#define MAX_FRAMES 7

static Tiles
get_tiles (const OclPass * pass, guint form)
{
  const gint step = ocl_denoise_get_step (form);
  const gint height = OCL_MOTION_BLOCK >> pass->y_shift;
  Tiles tiles = {
    .step_x = OCL_MOTION_BLOCK >> pass->x_shift,
    .step_y = ocl_denoise_count_frames (form) > MAX_FRAMES && height == 16
        ? 8 : height,
  };
  const gint width = tiles.step_x + 8 - step;
  const gint n_samples = width * (tiles.step_y + 8 - step);

  tiles.n_blocks = tiles.step_x / step * (tiles.step_y / step);
  tiles.n_rows = (tiles.step_y + 8 - step) * (tiles.step_x / step) * 8;
  tiles.group_size = tiles.n_blocks * 2 * step;
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

/* Filters rows @y to @y + @n_rows, where @y is a multiple of the step of the
 * tiles. */
static gboolean
enqueue_tiled_strip (OclKernels * self, const OclRun * run,
    const OclPicturesOffsets * offsets, gint y, gint n_rows, GError ** error)
{
  OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);
  const Tiles tiles = get_tiles (run->pass, self->build.form);
  const gint width = ocl_run_get_width (run);
  const gint columns = count_tiles (width, tiles.step_x);
  const gint rows = count_tiles (n_rows, tiles.step_y);
  const gint channel_size = columns * rows * tiles.n_floats;
  const OclGrid grid = {.kernel = KERNEL_SHRINK,
    .width = (gsize) columns * tiles.group_size,.height = rows,
    .group_width = tiles.group_size,.group_height = 1
  };

  for (guint i = 0; i < run->pass->n_channels; i++) {
    if (!OCL_LAUNCH (self, run, grid, error,
            OCL_MEMORY (state->pictures.memory.memory),
            OCL_INT (offsets->current), OCL_INT8 (offsets->neighbours),
            OCL_INT (layout.pitch), OCL_INT (layout.plane_size), OCL_INT (i),
            OCL_INT (ocl_run_get_height (run)), OCL_INT (y / tiles.step_y),
            OCL_DENOISE_MOTION (self, run), OCL_DENOISE_NOISE (self, run),
            OCL_MEMORY (state->scratch.memory), OCL_INT (i * channel_size)))
      return FALSE;
  }
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_JOIN, width, n_rows), error,
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (y),
      OCL_INT (n_rows), OCL_DENOISE_GRAIN (run),
      OCL_MEMORY (state->scratch.memory), OCL_INT (columns),
      OCL_INT (channel_size));
}

static gboolean
ocl_denoise_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclDenoiseState *state = self->state;
  const Tiles tiles = get_tiles (run->pass, self->build.form);
  const gint height = ocl_run_get_height (run);
  const gsize row_bytes =
      count_tiles (ocl_run_get_width (run), tiles.step_x) * tiles.n_floats
      * sizeof (cl_float);
  const gint strip = MAX (MAX_TILED_STRIP_BYTES / row_bytes, 4) * tiles.step_y;
  OclPicturesOffsets offsets;

  if (!ocl_denoise_ensure_pictures (self, run, ocl_denoise_take_samples_apart,
          &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          count_tiles (MIN (strip, height), tiles.step_y) * row_bytes
          * run->pass->n_channels, error))
    return FALSE;
  for (gint y = 0; y < height; y += strip) {
    if (!enqueue_tiled_strip (self, run, &offsets, y, MIN (strip, height - y),
            error))
      return FALSE;
  }
  return TRUE;
}

/* Local memory that the driver uses. NVIDIA's driver includes it in the local
 * memory of a work-group. */
#define RESERVED_SIZE 1024

/* Returns the local memory of a work-group of shrink_tiles in bytes, if it does
 * not write results over the rows of frames, see the kernel. */
static gsize
get_local_size (const OclBuild * build, Tiles tiles)
{
  return (ocl_denoise_count_frames (build->form) * tiles.n_rows
      + tiles.n_blocks * (64 + 8 + 1)) * sizeof (cl_float);
}

/* Results have separate memory if enough is available: with up to 5 frames this
 * is faster by up to a tenth. */
static gchar *
ocl_denoise_tiled_get_options (const OclBuild * build, const OclDevice * device)
{
  const Tiles tiles = get_tiles (&build->pass, build->form);
  g_autofree gchar *options = ocl_denoise_get_options (build, device);

  return g_strdup_printf ("%s -D STEP_Y=%d -D REUSES_ROWS=%d", options,
      tiles.step_y, get_local_size (build, tiles) + RESERVED_SIZE
      > device->local_size);
}

static gboolean
ocl_denoise_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_SHRINK,
      get_tiles (&self->build.pass, self->build.form).group_size, 1, error)
      && ocl_denoise_init (self, error);
}

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise-tiled.cl",
  .kernels = OCL_NAMES ("take_apart", "shrink_tiles", "join_tiles"),
  .group_width = 32,
  .group_height = 4,
  .state_size = sizeof (OclDenoiseState),
  .get_forms = ocl_denoise_get_forms,
  .get_options = ocl_denoise_tiled_get_options,
  .init = ocl_denoise_tiled_init,
  .clear = ocl_denoise_clear,
  .enqueue = ocl_denoise_tiled_enqueue,
};

static const OclVariant *const variants[] = {
  &plain, &tiled, &rows, NULL,
};

static gboolean
ocl_denoise_is_neutral (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  return params->noise == 0.0 || params->strength == 0.0
      || params->grain == 1.0;
}

static OclNeighbours
ocl_denoise_get_neighbours (gconstpointer data)
{
  return ocl_denoise_params_get_neighbours (data);
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
  {&ocl_noise_class, needs_noise, set_noise_params},
  {&ocl_motion_class, needs_motion, set_motion_params},
  {&ocl_spectrum_class, needs_motion, set_spectrum_params},
  {NULL},
};

static const OclParam report_params[] = {
  {"noise-messages", "Post a message with the estimated noise of every "
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
  .get_neighbours = ocl_denoise_get_neighbours,
  .get_lead = ocl_denoise_get_lead,
  .needs = needs,
  .report = &report,
};
