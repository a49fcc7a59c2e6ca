/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include <math.h>

#include "core/oclmemory.h"

/* Approximates the bilateral filter at a cost that does not grow with the
 * window, for CPUs and for GPUs.
 *
 * The weight of a difference is a Gaussian of Δ in [-1, 1]. It is approximated
 * by a cosine expansion of K terms, with odd multiples of half of 1 / T as
 * frequencies:
 *
 *   exp (-Δ² / (2 σr²)) ≈ Σ a(k) cos (2π f(k) Δ),   f(k) = (k + 1/2) / T
 *   a(k) = 2 √(2π) σr / T · exp (-2 (π σr f(k))²)
 *
 * With K = ∞ the sum equals a Gaussian that is repeated every T with
 * alternating signs. T (T - 1) = 2π σr² (K + 1/2) makes the error of the
 * repetition, exp (-(T - 1)² / (2 σr²)), as large as the error of the omitted
 * terms. K is the smallest number for which this error is below 0.0002. K.
 * Sugimoto and S. Kamata choose T by both errors in "Compressive bilateral
 * filtering", IEEE Transactions on Image Processing 24 (11), 2015. The
 * decomposition into blurs is from K. N. Chaudhury, D. Sage and M. Unser, "Fast
 * O(1) bilateral filtering using trigonometric range kernels", IEEE
 * Transactions on Image Processing 20 (12), 2011.
 *
 * The input of the blurs is collected at nodes some pixels apart, and the blurs
 * are interpolated between the nodes, as S. Paris and F. Durand do in "A fast
 * approximation of the bilateral filter using a signal processing approach",
 * ECCV 2006. The weights between nodes are a least-squares fit: from every
 * pixel to every other pixel, they come closest to the weights of the window.
 * The fit keeps the shape and the finite extent of the window.
 *
 * Pixels outside the frame are read before all of these steps, so that the
 * result is as good at every border as inside the frame.
 *
 * The PSNR against the exact filter was measured for four photographs, each
 * without noise and with added noise of 10 and of 25 levels. The lowest PSNR is
 * 57 dB for sigmas of 16 and 0.25. It is 48 dB over spatial sigmas of 5 to 40,
 * at which nodes are furthest apart in relation to the sigma, and intensity
 * sigmas of 0.025 to 1. */

#define MIN_SPATIAL_SIGMA 5.0
#define MIN_RADIUS 10
#define MIN_STEP 4
#define MIN_TERMS 3
#define MAX_TERMS 32
#define MAX_EXPANSION_ERROR 0.0002

/* Maximum reach of a window in sigmas, where the weights are 4e-6. */
#define MAX_SIGMAS 5.0

/* Maximum reach of a window in nodes to each side: the step is more than 0.4 of
 * sigma, or more than 0.4 of half the radius. */
#define MAX_REACH 13
#define MAX_SIDE (2 * MAX_REACH + 1)

/* Number of consecutive nodes that are blurred together, and of zeros between
 * rows of weights. */
#define BLURRED_NODES 4
#define ZEROS (BLURRED_NODES - 1)

#define MAX_COEFFICIENTS (MAX_TERMS + ZEROS + MAX_SIDE * (MAX_SIDE + ZEROS))

/* Values that determine the coefficients, in samples of a pass. */
typedef struct
{
  gdouble spatial_sigma;
  gdouble intensity_sigma;
  gint radius;
  OclBilateralWindow window;
} Setting;

/**
 * Expansion:
 * @coefficients: the input of the kernels: the amplitudes of the terms, then
 *    the weights between nodes. There are 2 @reach + 1 rows of 2 @reach + 1
 *    weights, with zeros before each row and after the last row
 * @setting: the setting of @coefficients
 * @step: the number of samples from one node to the next: 4 or a larger power
 *    of 2
 * @reach: the number of nodes of the window on each side of its middle
 * @n_terms: the number of terms
 * @frequency: the frequency of the first term, in turns per unit of the guide.
 *    The frequency of term k is 2k + 1 times @frequency
 */
typedef struct
{
  OclCoefficients coefficients;
  Setting setting;
  cl_int step;
  cl_int reach;
  cl_int n_terms;
  cl_float frequency;
} Expansion;

/* State of a variant that is kept between frames. */
typedef struct
{
  Expansion expansion;
  OclMemory planes;             /* for CPUs only */
  OclMemory nodes;
  OclMemory carries;            /* for CPUs only */
  OclMemory blurred;
} State;

static void
ocl_bilateral_fast_clear (gpointer data)
{
  State *state = data;

  ocl_coefficients_clear (&state->expansion.coefficients);
  ocl_memory_clear (&state->planes);
  ocl_memory_clear (&state->nodes);
  ocl_memory_clear (&state->carries);
  ocl_memory_clear (&state->blurred);
}

static gint
divide_up (gint value, gint divisor)
{
  return (value + divisor - 1) / divisor;
}

/* Returns T of the formula above. */
static gdouble
get_period (gdouble sigma, gint n_terms)
{
  return 0.5 + sqrt (0.25 + 2.0 * G_PI * sigma * sigma * (n_terms + 0.5));
}

gint
ocl_bilateral_count_terms (const OclBilateralParams * params,
    const OclPass * pass)
{
  const gdouble sigma = params->intensity_sigma;

  if (params->color_mode != OCL_BILATERAL_COLOR_INTENSITY
      || pass->x_shift != pass->y_shift
      || ocl_bilateral_get_radius (params) >> pass->x_shift < MIN_RADIUS
      || params->spatial_sigma < MIN_SPATIAL_SIGMA * (1 << pass->x_shift))
    return 0;
  for (gint n = MIN_TERMS; n <= MAX_TERMS; n++) {
    gdouble distance = (get_period (sigma, n) - 1.0) / sigma;

    if (exp (-0.5 * distance * distance) < MAX_EXPANSION_ERROR)
      return n;
  }
  return 0;
}

static gboolean
ocl_bilateral_fast_supports (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, const OclPass * pass)
{
  return ocl_bilateral_count_terms (params, pass) > 0;
}

/* Adds the contributions of a source pixel to a target pixel to @row, for
 * weights of 1 between nodes. The target pixel is at @x in the interval after
 * node 0, and the source pixel is @t pixels away from the target. Each of the
 * two pixels lies between two nodes. The entries of @row are for the distances
 * between nodes, from -@reach on. */
static void
add_contributions (gdouble * row, gint reach, gint step, gint x, gint t)
{
  gdouble target = (x + 0.5) / step;
  gdouble source = (x + t + 0.5) / step;
  gint node = (gint) floor (source);

  source -= node;
  for (gint i = 0; i < 2; i++) {
    for (gint j = 0; j < 2; j++) {
      gint distance = node + j - i;

      if (ABS (distance) <= reach)
        row[distance + reach] += (i ? target : 1.0 - target)
            * (j ? source : 1.0 - source);
    }
  }
}

/* Computes the normal equations of the fit along one axis. @matrix has 2 @reach
 * + 1 rows and columns. For every distance between nodes, @products has the
 * contributions of this distance to pixels that are -@radius to @radius
 * away. */
static void
make_normal_equations (gint step, gint reach, gint radius,
    gdouble matrix[MAX_SIDE][MAX_SIDE],
    gdouble products[MAX_SIDE][2 * OCL_BILATERAL_MAX_RADIUS + 1])
{
  const gint side = 2 * reach + 1;
  const gint extent = (reach + 2) * step;       /* of any contribution */

  for (gint x = 0; x < step; x++) {
    for (gint t = -extent; t <= extent; t++) {
      gdouble row[MAX_SIDE] = { 0.0, };

      add_contributions (row, reach, step, x, t);
      for (gint i = 0; i < side; i++) {
        for (gint j = 0; j < side; j++)
          matrix[i][j] += row[i] * row[j];
        if (ABS (t) <= radius)
          products[i][t + radius] += row[i];
      }
    }
  }
}

/* Replaces the columns of @values, which has @side rows of @n numbers, by the
 * solutions of the equations of @matrix. @matrix must be symmetric and positive
 * definite, and is overwritten. */
static void
solve (gdouble matrix[MAX_SIDE][MAX_SIDE], gint side, gdouble * values, gint n)
{
  for (gint pivot = 0; pivot < side; pivot++) {
    for (gint row = 0; row < side; row++) {
      if (row == pivot)
        continue;

      gdouble factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (gint i = pivot; i < side; i++)
        matrix[row][i] -= factor * matrix[pivot][i];
      for (gint i = 0; i < n; i++)
        values[row * n + i] -= factor * values[pivot * n + i];
    }
  }
  for (gint row = 0; row < side; row++) {
    for (gint i = 0; i < n; i++)
      values[row * n + i] /= matrix[row][row];
  }
}

/* Sets @taps to the weights between nodes: 2 @reach + 1 rows of 2 @reach + 1
 * weights, with zeros before each row and after the last row. The fit is
 * separable, also if the window is not. Returns the number of floats in
 * @taps. */
static gint
fit_taps (const Setting * setting, gint step, gint reach, cl_float * taps)
{
  const gint radius = setting->radius;
  const gint side = 2 * reach + 1;
  gdouble matrix[MAX_SIDE][MAX_SIDE] = { 0, };
  gdouble products[MAX_SIDE][2 * OCL_BILATERAL_MAX_RADIUS + 1] = { 0, };
  gdouble weights[2 * OCL_BILATERAL_MAX_RADIUS + 1];
  gdouble fitted[MAX_SIDE * MAX_SIDE] = { 0, };

  make_normal_equations (step, reach, radius, matrix, products);
  solve (matrix, side, products[0], G_N_ELEMENTS (products[0]));
  for (gint i = -radius; i <= radius; i++) {
    gdouble distance = i / setting->spatial_sigma;

    weights[i + radius] = exp (-0.5 * distance * distance);
  }

  for (gint y = -radius; y <= radius; y++) {
    gint extent = setting->window == OCL_BILATERAL_WINDOW_DISC
        ? (gint) sqrt (radius * radius - y * y) : radius;

    for (gint i = 0; i < side; i++) {
      gdouble sum = 0.0;

      for (gint x = -extent; x <= extent; x++)
        sum += products[i][x + radius] * weights[x + radius];
      for (gint j = 0; j < side; j++)
        fitted[j * side + i] += products[j][y + radius] * weights[y + radius]
            * sum;
    }
  }

  gint n = 0;
  for (gint i = 0; i < side * side; i++) {
    for (gint zero = 0; i % side == 0 && zero < ZEROS; zero++)
      taps[n++] = 0.0f;
    taps[n++] = fitted[i];
  }
  for (gint zero = 0; zero < ZEROS; zero++)
    taps[n++] = 0.0f;
  return n;
}

/* Updates the coefficients for @run. The frames of all runs must have the same
 * format. If the coefficients change, waits until their last change has reached
 * the device, and enqueues a write of the new coefficients. */
static gboolean
expansion_update (Expansion * self, OclContext * context, const OclRun * run,
    GError ** error)
{
  const OclBilateralParams *params = run->params;
  const Setting *old = &self->setting;
  const gdouble spatial_sigma =
      params->spatial_sigma / (1 << run->pass->x_shift);
  const Setting setting = {
    .spatial_sigma = spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = MIN (ocl_bilateral_get_radius (params) >> run->pass->x_shift,
        ceil (MAX_SIGMAS * spatial_sigma)),
    .window = params->window,
  };

  if (old->spatial_sigma == setting.spatial_sigma
      && old->intensity_sigma == setting.intensity_sigma
      && old->radius == setting.radius && old->window == setting.window)
    return TRUE;

  self->setting.radius = -1;    /* until the device has the coefficients */
  /* At most 0.8 of sigma and 0.8 of half the radius. With the next larger power
   * of 2, photographs lose 6 dB. */
  self->step = MIN_STEP;
  while (2 * self->step <= 0.8 * setting.spatial_sigma
      && 4 * self->step <= 0.8 * setting.radius)
    self->step *= 2;
  self->reach = divide_up (setting.radius, self->step);
  self->n_terms = ocl_bilateral_count_terms (params, run->pass);
  g_assert (self->n_terms > 0); /* see ocl_bilateral_fast_supports () */
  const gdouble period = get_period (setting.intensity_sigma, self->n_terms);
  self->frequency = 0.5 / period
      / ocl_bilateral_get_guide_unit (OCL_BILATERAL_COLOR_INTENSITY,
      run->input->info.format);

  if (!ocl_coefficients_begin (&self->coefficients, context,
          MAX_COEFFICIENTS * sizeof (cl_float), error))
    return FALSE;
  cl_float *amplitudes = self->coefficients.data;
  for (gint term = 0; term < self->n_terms; term++) {
    const gdouble angle = G_PI * setting.intensity_sigma * (term + 0.5)
        / period;

    amplitudes[term] = 2.0 * sqrt (2.0 * G_PI) * setting.intensity_sigma
        / period * exp (-2.0 * angle * angle);
  }
  const gint n_taps = fit_taps (&setting, self->step, self->reach,
      amplitudes + self->n_terms);
  if (!ocl_coefficients_enqueue_write (&self->coefficients, context,
          (self->n_terms + n_taps) * sizeof (cl_float), run->timer, error))
    return FALSE;
  self->setting = setting;
  return TRUE;
}

/* Returns the number of columns (or rows) of nodes that enclose @samples
 * columns (or rows) of samples, if @unit samples are interpolated at a time. */
static gint
expansion_count_nodes (const Expansion * self, gint samples, gint unit)
{
  return (samples - 1) / unit * unit / self->step
      + MAX (unit / self->step, 1) + 1;
}

/* The variant for CPUs. */

/* Number of samples that a work-item computes. */
#define VECTOR 16

/* Floats of a term at a node, see kernels/bilateral-fast.cl. */
#define NODE_FLOATS 8

/* Maximum size of the planes and nodes of one band in bytes, less than a large
 * cache. */
#define BAND_BYTES (12 * 1024 * 1024)

enum
{
  KERNEL_PLANES,
  KERNEL_SPLAT,
  KERNEL_BLUR,
  KERNEL_SLICE,
};

/* A band of rows of the frame, and the layout of its planes and nodes, see
 * kernels/bilateral-fast.cl. */
typedef struct
{
  cl_int y;
  cl_int height;                /* multiple of the step, except the last */
  cl_int intervals;             /* between nodes that a vector covers */
  cl_int spans;
  cl_int pitch;                 /* in floats, all used */
  cl_int plane_size;            /* in floats */
  cl_int plane_rows;
  cl_int columns;               /* of nodes after the blur, a multiple of 4 */
  cl_int rows;                  /* of nodes around pixels */
  cl_int padded_rows;           /* of nodes, including the margin of the blur */
} Band;

static guint
count_planes (const OclRun * run)
{
  return run->pass->n_channels > 1 ? run->pass->n_channels + 1 : 1;
}

/* Sets the height of @band to @height rows. */
static void
set_height (Band * band, const Expansion * expansion, gint height)
{
  band->height = height;
  band->rows = expansion_count_nodes (expansion, height, 1);
  band->padded_rows = band->rows + 2 * expansion->reach;
  band->plane_rows = (band->padded_rows + 1) * expansion->step;
  band->plane_size = band->plane_rows * band->pitch;
}

/* Returns the first band. All bands except the last have its height: the
 * largest within the limit, and at least one step. */
static Band
get_band (const OclKernels * self, const OclRun * run)
{
  const Expansion *expansion = &((const State *) self->state)->expansion;
  const gint n_columns =
      expansion_count_nodes (expansion, ocl_run_get_width (run), VECTOR);
  Band band = {
    .intervals = MAX (VECTOR / expansion->step, 1),
    .columns = divide_up (n_columns, BLURRED_NODES) * BLURRED_NODES,
  };

  band.spans = (band.columns + 2 * expansion->reach + band.intervals)
      / band.intervals;
  band.pitch = band.spans * MAX (VECTOR, expansion->step);
  const gsize floats_of_step =
      (gsize) band.pitch * expansion->step * count_planes (run)
      + (gsize) NODE_FLOATS * expansion->n_terms * (band.columns
      + band.spans * (band.intervals + 1));
  const gsize budget = MIN ((guint64) BAND_BYTES,
      self->context->device->max_alloc_size);
  const gssize steps = (gssize) (budget / (floats_of_step * sizeof (cl_float)))
      - 2 * (expansion->reach + 1);

  set_height (&band, expansion, CLAMP (steps, 1,
          divide_up (ocl_run_get_height (run),
              expansion->step)) * expansion->step);
  return band;
}

static gboolean
enqueue_band (OclKernels * self, const OclRun * run, const Band * band,
    GError ** error)
{
  State *state = self->state;
  const Expansion *expansion = &state->expansion;
  const OclBilateralParams *params = run->params;
  const OclBilateralBorder color = ocl_bilateral_get_border (run);
  const cl_int pad = (expansion->reach + 1) * expansion->step;
  const gint width = ocl_run_get_width (run);
  const gsize n_blocks = band->columns / BLURRED_NODES;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_PLANES, band->pitch / VECTOR,
          band->plane_rows), error, OCL_INPUT, OCL_BILATERAL_SIZE (run),
      OCL_INT (band->y), OCL_INT (band->plane_rows),
      OCL_MEMORY (state->planes.memory), OCL_INT (band->pitch),
      OCL_INT (band->plane_size), OCL_INT (pad),
      OCL_BILATERAL_BORDER (params, color))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SPLAT,
          (gsize) band->spans * expansion->n_terms, band->padded_rows), error,
      OCL_MEMORY (state->planes.memory), OCL_INT (band->pitch),
      OCL_INT (band->plane_size), OCL_INT (expansion->step),
      OCL_INT (expansion->n_terms), OCL_FLOAT (expansion->frequency),
      OCL_INT (band->spans), OCL_INT (band->padded_rows),
      OCL_MEMORY (state->nodes.memory), OCL_MEMORY (state->carries.memory))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_BLUR,
          n_blocks * expansion->n_terms, band->rows), error,
      OCL_MEMORY (state->nodes.memory), OCL_MEMORY (state->carries.memory),
      OCL_INT (band->spans), OCL_INT (band->intervals),
      OCL_INT (expansion->n_terms), OCL_MEMORY (expansion->coefficients.memory),
      OCL_INT (expansion->n_terms), OCL_INT (expansion->reach),
      OCL_INT (band->columns), OCL_INT (band->rows),
      OCL_MEMORY (state->blurred.memory))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SLICE,
          divide_up (width, VECTOR), band->height), error,
      OCL_MEMORY (state->planes.memory), OCL_INT (band->pitch),
      OCL_INT (band->plane_size), OCL_INT (pad), OCL_INT (expansion->step),
      OCL_INT (expansion->n_terms), OCL_FLOAT (expansion->frequency),
      OCL_MEMORY (state->blurred.memory), OCL_INT (band->columns),
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (band->y),
      OCL_INT (band->height));
}

static gboolean
ocl_bilateral_fast_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const Expansion *expansion = &state->expansion;
  const gint height = ocl_run_get_height (run);

  if (!expansion_update (&state->expansion, self->context, run, error))
    return FALSE;
  Band band = get_band (self, run);
  const gsize term_bytes = expansion->n_terms * NODE_FLOATS * sizeof (cl_float);
  const gsize span_bytes = (gsize) band.padded_rows * band.spans * term_bytes;
  if (!ocl_memory_ensure (&state->planes, self->context,
          (gsize) band.plane_size * count_planes (run) * sizeof (cl_float),
          error)
      || !ocl_memory_ensure (&state->carries, self->context, span_bytes, error)
      || !ocl_memory_ensure (&state->nodes, self->context,
          span_bytes * band.intervals, error)
      || !ocl_memory_ensure (&state->blurred, self->context,
          (gsize) band.padded_rows * band.columns * term_bytes, error))
    return FALSE;
  for (; band.y < height; band.y += band.height) {
    set_height (&band, expansion, MIN (band.height, height - band.y));
    if (!enqueue_band (self, run, &band, error))
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
  .supports = ocl_bilateral_fast_supports,
  .clear = ocl_bilateral_fast_clear,
  .enqueue = ocl_bilateral_fast_enqueue,
};

/* The variant for GPUs. */

/* The tunables are, in this order: the work-items of a group of the splat
 * kernel (at least two steps), the rows of pixels between the first and the
 * last node that a work-item of the splat kernel computes, the work-items of
 * the other groups, the pixels that a work-item of the slice kernel computes,
 * and the maximum size of the nodes of a band in MiB. */
enum
{
  SPLAT_WIDTH,
  SPLAT_ROWS,
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  STRIP_MEGABYTES,
};

static const OclTunable tunables[] = {
  [SPLAT_WIDTH] = {"SPLAT_WIDTH", 128, OCL_CHOICES (64, 128, 256)},
  [SPLAT_ROWS] = {"SPLAT_ROWS", 64, OCL_CHOICES (32, 64, 128)},
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  [STRIP_MEGABYTES] = {"STRIP_MEGABYTES", 64,
      OCL_CHOICES (8, 32, 64, 128, 256)},
  {NULL},
};

/* Local memory that any device has in addition to the memory of the driver.
 * Sufficient for the columns of a group with all values of the tunables and all
 * reaches. */
#define TILE_BYTES (32768 - 4096)

enum
{
  TILED_SPLAT,
  TILED_BLUR,
  TILED_SLICE,
};

/* A band of rows of the frame, and the numbers of columns and rows of nodes
 * around its pixels. On each side, the blur reads the additional nodes of the
 * reach of the window. */
typedef struct
{
  cl_int y;                     /* a multiple of the step */
  cl_int height;
  cl_int columns;
  cl_int rows;
} TiledBand;

static gboolean
ocl_bilateral_fast_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, TILED_SPLAT,
      ocl_kernels_get_tuning (self, SPLAT_WIDTH), 1, error);
}

/* Returns the size of the kernels' NODE in bytes. */
static gsize
get_node_size (const OclKernels * self)
{
  return self->build.pass.n_channels > 1
      ? sizeof (cl_float4) : sizeof (cl_float2);
}

/* Returns the size of the nodes of all terms in bytes. Each term has a cosine
 * and a sine. */
static gsize
get_nodes_size (const OclKernels * self, gsize columns, gsize rows)
{
  const Expansion *expansion = &((const State *) self->state)->expansion;

  return columns * rows * 2 * expansion->n_terms * get_node_size (self);
}

/* Returns the first band. There are as few bands as memory allows. All bands
 * except the last have the height of the first, which is at least one step. */
static TiledBand
get_tiled_band (const OclKernels * self, const OclRun * run)
{
  const Expansion *expansion = &((const State *) self->state)->expansion;
  const gsize columns =
      expansion_count_nodes (expansion, ocl_run_get_width (run), 1);
  const gsize budget = MIN (self->context->device->max_alloc_size,
      (guint64) ocl_kernels_get_tuning (self, STRIP_MEGABYTES) * 1024 * 1024
      / 2);
  const gsize row_size =
      get_nodes_size (self, columns + 2 * expansion->reach, 1);
  const gint steps = divide_up (ocl_run_get_height (run), expansion->step);
  const gint max_steps = MAX (1, (gssize) (budget / row_size)
      - 2 * expansion->reach - 1);
  const gint n_bands = divide_up (steps, max_steps);
  const gint height = divide_up (steps, n_bands) * expansion->step;
  const TiledBand band = {
    .height = height,
    .columns = columns,
    .rows = expansion_count_nodes (expansion, height, 1),
  };

  return band;
}

static gboolean
enqueue_splat (OclKernels * self, const OclRun * run,
    const TiledBand * band, GError ** error)
{
  State *state = self->state;
  const OclBilateralParams *params = run->params;
  const Expansion *expansion = &state->expansion;
  const OclBilateralBorder color = ocl_bilateral_get_border (run);
  const cl_int n_rows =
      ocl_kernels_get_tuning (self, SPLAT_ROWS) / expansion->step;
  const cl_int columns = band->columns + 2 * expansion->reach;
  const cl_int rows = band->rows + 2 * expansion->reach;
  const gint group_width = ocl_kernels_get_tuning (self, SPLAT_WIDTH);
  const gint n_groups = divide_up (columns, group_width / expansion->step - 1);
  const OclGrid grid = {.kernel = TILED_SPLAT,
    .width = (gsize) n_groups * group_width,
    .height = (gsize) divide_up (rows, n_rows) * expansion->n_terms,
    .group_width = group_width,.group_height = 1
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT,
      OCL_BILATERAL_SIZE (run), OCL_INT (band->y), OCL_INT (expansion->step),
      OCL_INT (expansion->reach), OCL_INT (expansion->n_terms),
      OCL_FLOAT (expansion->frequency), OCL_INT (n_rows),
      OCL_BILATERAL_BORDER (params, color), OCL_MEMORY (state->nodes.memory),
      OCL_INT (columns), OCL_INT (rows));
}

static gboolean
enqueue_blur (OclKernels * self, const OclRun * run,
    const TiledBand * band, GError ** error)
{
  State *state = self->state;
  const Expansion *expansion = &state->expansion;
  const gint block_height = self->group_height * BLURRED_NODES;
  const gsize column_size = (block_height + 2 * expansion->reach)
      * get_node_size (self);
  const cl_int chunk = MIN (2 * expansion->reach + 1,
      (gint) (TILE_BYTES / column_size) - (gint) self->group_width + 1);

  return OCL_LAUNCH (self, run, OCL_GRID (TILED_BLUR, band->columns,
          (gsize) divide_up (band->rows, block_height) * 2 * expansion->n_terms
          * self->group_height), error, OCL_MEMORY (state->nodes.memory),
      OCL_MEMORY (expansion->coefficients.memory), OCL_INT (expansion->n_terms),
      OCL_INT (expansion->reach), OCL_INT (chunk),
      OCL_MEMORY (state->blurred.memory), OCL_INT (band->columns),
      OCL_INT (band->rows),
      OCL_LOCAL ((self->group_width + chunk - 1) * column_size));
}

static gboolean
ocl_bilateral_fast_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const Expansion *expansion = &state->expansion;
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);

  if (!expansion_update (&state->expansion, self->context, run, error))
    return FALSE;
  TiledBand band = get_tiled_band (self, run);
  const gint around = 2 * expansion->reach;
  if (!ocl_memory_ensure (&state->nodes, self->context, get_nodes_size (self,
              band.columns + around, band.rows + around), error)
      || !ocl_memory_ensure (&state->blurred, self->context,
          get_nodes_size (self, band.columns, band.rows), error))
    return FALSE;
  for (; band.y < height; band.y += band.height) {
    band.height = MIN (band.height, height - band.y);
    band.rows = expansion_count_nodes (expansion, band.height, 1);
    if (!enqueue_splat (self, run, &band, error)
        || !enqueue_blur (self, run, &band, error)
        || !OCL_LAUNCH (self, run, OCL_GRID (TILED_SLICE, width,
                divide_up (band.height, ocl_kernels_get_tuning (self, ROWS))),
            error, OCL_INPUT, OCL_OUTPUT, OCL_INT (width), OCL_INT (band.y),
            OCL_INT (band.height), OCL_INT (expansion->step),
            OCL_INT (expansion->n_terms), OCL_FLOAT (expansion->frequency),
            OCL_MEMORY (state->blurred.memory), OCL_INT (band.columns),
            OCL_INT (band.rows)))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_fast_tiled = {
  .name = "fast-tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_APPROXIMATE,
  .tunables = tunables,
  .source = "bilateral-fast-tiled.cl",
  .kernels = OCL_NAMES ("splat", "blur", "slice"),
  .state_size = sizeof (State),
  .supports = ocl_bilateral_fast_supports,
  .init = ocl_bilateral_fast_tiled_init,
  .clear = ocl_bilateral_fast_clear,
  .enqueue = ocl_bilateral_fast_tiled_enqueue,
};
