/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoiser for GPUs, one tile of blocks for each work-group. */
#include "ocldenoisevariants.h"

enum
{
  KERNEL_TAKE_APART,
  KERNEL_SHRINK,
  KERNEL_JOIN
};

/* Approximate maximum size of the tiles of a strip in bytes, for each
 * channel. */
#define MAX_STRIP_BYTES (32 << 20)

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
enqueue_strip (OclKernels * self, const OclRun * run,
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
  const gint strip = MAX (MAX_STRIP_BYTES / row_bytes, 4) * tiles.step_y;
  OclPicturesOffsets offsets;

  if (!ocl_denoise_ensure_pictures (self, run, ocl_denoise_take_samples_apart,
          &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          count_tiles (MIN (strip, height), tiles.step_y) * row_bytes
          * run->pass->n_channels, error))
    return FALSE;
  for (gint y = 0; y < height; y += strip) {
    if (!enqueue_strip (self, run, &offsets, y, MIN (strip, height - y), error))
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

const OclVariant ocl_denoise_tiled = {
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
