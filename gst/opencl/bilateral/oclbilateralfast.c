/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include "core/oclmemory.h"
#include "oclbilateralwaves.h"

/* Number of samples that a work-item computes. */
#define VECTOR 16

/* Floats of a wave at a node, see kernels/bilateral-fast.cl. */
#define NODE_FLOATS 8

/* Maximum size of the planes and nodes of one strip in bytes, less than a large
 * cache. */
#define STRIP_BYTES (12 * 1024 * 1024)

enum
{
  KERNEL_PLANES,
  KERNEL_SPLAT,
  KERNEL_BLUR,
  KERNEL_SLICE,
};

/* State that is kept between frames. */
typedef struct
{
  OclBilateralWaves waves;
  OclMemory planes;
  OclMemory nodes;
  OclMemory carries;
  OclMemory blurred;
} State;

/* A strip of rows of the frame, and the layout of its planes and nodes, see
 * kernels/bilateral-fast.cl. */
typedef struct
{
  cl_int y;
  cl_int height;                /* multiple of the step, except the last */
  cl_int spans;
  cl_int pitch;                 /* in floats, all used */
  cl_int plane_size;            /* in floats */
  cl_int plane_rows;
  cl_int pad;
  cl_int columns;               /* of nodes after the blur, a multiple of 4 */
  cl_int rows;                  /* of nodes around pixels */
  cl_int padded_rows;           /* of nodes, including the margin of the blur */
} Strip;

static void
ocl_bilateral_fast_clear (gpointer data)
{
  State *state = data;

  ocl_bilateral_waves_clear (&state->waves);
  ocl_memory_clear (&state->planes);
  ocl_memory_clear (&state->nodes);
  ocl_memory_clear (&state->carries);
  ocl_memory_clear (&state->blurred);
}

static gint
round_up (gint value, gint multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

static guint
count_planes (const OclRun * run)
{
  return run->pass->n_channels > 1 ? run->pass->n_channels + 1 : 1;
}

/* Returns the number of intervals between nodes that a vector covers. */
static gint
count_intervals (const OclBilateralWaves * waves)
{
  return MAX (VECTOR / waves->step, 1);
}

/* Returns the height of a strip: the largest height within the limit, and at
 * least one step. */
static gint
get_strip_height (const OclKernels * self, const OclRun * run,
    const Strip * strip)
{
  const OclBilateralWaves *waves = &((const State *) self->state)->waves;
  const gint height = ocl_run_get_height (run);
  const gsize floats_of_step =
      (gsize) strip->pitch * waves->step * count_planes (run)
      + (gsize) NODE_FLOATS * waves->n_waves * (strip->columns
      + strip->spans * (count_intervals (waves) + 1));
  const gsize budget = MIN ((guint64) STRIP_BYTES,
      self->context->device->max_alloc_size);
  const gssize steps = (gssize) (budget / (floats_of_step * sizeof (cl_float)))
      - 2 * (waves->reach + 1);

  return CLAMP (steps, 1, (height + waves->step - 1) / waves->step)
      * waves->step;
}

/* Sets the height of @strip to @height rows. */
static void
set_height (Strip * strip, const OclBilateralWaves * waves, gint height)
{
  strip->height = height;
  strip->rows = ocl_bilateral_waves_count_nodes (waves, height, 1);
  strip->padded_rows = strip->rows + 2 * waves->reach;
  strip->plane_rows = (strip->padded_rows + 1) * waves->step;
  strip->plane_size = strip->plane_rows * strip->pitch;
}

/* Returns the first strip. All strips except the last have its height. */
static Strip
get_strip (const OclKernels * self, const OclRun * run)
{
  const OclBilateralWaves *waves = &((const State *) self->state)->waves;
  const gint intervals = count_intervals (waves);
  Strip strip = {
    .columns = round_up (ocl_bilateral_waves_count_nodes (waves,
            ocl_run_get_width (run), VECTOR), OCL_BILATERAL_BLURRED_NODES),
    .pad = (waves->reach + 1) * waves->step,
  };

  strip.spans = (strip.columns + 2 * waves->reach + intervals) / intervals;
  strip.pitch = strip.spans * MAX (VECTOR, waves->step);
  set_height (&strip, waves, get_strip_height (self, run, &strip));
  return strip;
}

static gboolean
ocl_bilateral_fast_ensure_memory (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralWaves *waves = &state->waves;
  const gsize wave_bytes = waves->n_waves * NODE_FLOATS * sizeof (cl_float);
  const gsize rows = strip->padded_rows;

  return ocl_memory_ensure (&state->planes, self->context,
      (gsize) strip->plane_size * count_planes (run) * sizeof (cl_float), error)
      && ocl_memory_ensure (&state->carries, self->context,
      rows * strip->spans * wave_bytes, error)
      && ocl_memory_ensure (&state->nodes, self->context,
      rows * strip->spans * count_intervals (waves) * wave_bytes, error)
      && ocl_memory_ensure (&state->blurred, self->context,
      rows * strip->columns * wave_bytes, error);
}

static gboolean
ocl_bilateral_fast_enqueue_planes (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralParams *params = run->params;
  const OclBilateralBorder color = ocl_bilateral_get_run_border (run);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_PLANES, strip->pitch / VECTOR,
          strip->plane_rows), error, OCL_INPUT, OCL_BILATERAL_SIZE (run),
      OCL_INT (strip->y), OCL_INT (strip->plane_rows),
      OCL_MEMORY (state->planes.memory), OCL_INT (strip->pitch),
      OCL_INT (strip->plane_size), OCL_INT (strip->pad),
      OCL_BILATERAL_BORDER (params, color));
}

static gboolean
ocl_bilateral_fast_enqueue_splat (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralWaves *waves = &state->waves;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SPLAT,
          (gsize) strip->spans * waves->n_waves, strip->padded_rows), error,
      OCL_MEMORY (state->planes.memory), OCL_INT (strip->pitch),
      OCL_INT (strip->plane_size), OCL_INT (waves->step),
      OCL_INT (waves->n_waves), OCL_FLOAT (waves->frequency),
      OCL_INT (strip->spans), OCL_INT (strip->padded_rows),
      OCL_MEMORY (state->nodes.memory), OCL_MEMORY (state->carries.memory));
}

static gboolean
ocl_bilateral_fast_enqueue_blur (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralWaves *waves = &state->waves;
  const gint n_blocks = strip->columns / OCL_BILATERAL_BLURRED_NODES;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_BLUR,
          (gsize) n_blocks * waves->n_waves, strip->rows), error,
      OCL_MEMORY (state->nodes.memory), OCL_MEMORY (state->carries.memory),
      OCL_INT (strip->spans), OCL_INT (count_intervals (waves)),
      OCL_INT (waves->n_waves), OCL_MEMORY (waves->coefficients.memory),
      OCL_INT (waves->n_waves), OCL_INT (waves->reach),
      OCL_INT (strip->columns), OCL_INT (strip->rows),
      OCL_MEMORY (state->blurred.memory));
}

static gboolean
ocl_bilateral_fast_enqueue_slice (OclKernels * self, const OclRun * run,
    const Strip * strip, GError ** error)
{
  State *state = self->state;
  const OclBilateralWaves *waves = &state->waves;
  const gint width = ocl_run_get_width (run);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SLICE,
          (width + VECTOR - 1) / VECTOR, strip->height), error,
      OCL_MEMORY (state->planes.memory), OCL_INT (strip->pitch),
      OCL_INT (strip->plane_size), OCL_INT (strip->pad), OCL_INT (waves->step),
      OCL_INT (waves->n_waves), OCL_FLOAT (waves->frequency),
      OCL_MEMORY (state->blurred.memory), OCL_INT (strip->columns),
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width),
      OCL_INT (strip->y), OCL_INT (strip->height));
}

static gboolean
ocl_bilateral_fast_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const gint height = ocl_run_get_height (run);

  if (!ocl_bilateral_waves_update (&state->waves, self->context, run, error))
    return FALSE;

  Strip strip = get_strip (self, run);
  if (!ocl_bilateral_fast_ensure_memory (self, run, &strip, error))
    return FALSE;
  for (; strip.y < height; strip.y += strip.height) {
    set_height (&strip, &state->waves, MIN (strip.height, height - strip.y));
    if (!ocl_bilateral_fast_enqueue_planes (self, run, &strip, error)
        || !ocl_bilateral_fast_enqueue_splat (self, run, &strip, error)
        || !ocl_bilateral_fast_enqueue_blur (self, run, &strip, error)
        || !ocl_bilateral_fast_enqueue_slice (self, run, &strip, error))
      return FALSE;
  }
  return TRUE;
}

/* The size of a work-group is fixed, because some drivers compile a kernel
 * again for each size. */
const OclVariant ocl_bilateral_fast = {
  .name = "fast",
  .flags = OCL_VARIANT_BUFFERS_ONLY | OCL_VARIANT_APPROXIMATE,
  .source = "bilateral-fast.cl",
  .kernels = OCL_NAMES ("planes", "splat", "blur", "slice"),
  .group_width = 32,
  .state_size = sizeof (State),
  .can_serve = ocl_bilateral_waves_can_serve,
  .clear = ocl_bilateral_fast_clear,
  .enqueue = ocl_bilateral_fast_enqueue,
};
