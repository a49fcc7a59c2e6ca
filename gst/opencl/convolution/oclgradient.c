/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgradient.h"

#include "operation/oclkernels.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclGradientParams, member)

/* Sum of the coefficients on one side. */
#define SUM_OF_COEFFICIENTS 16.0
/* Sum of the weights of LUMA_100() in kernels/color.clh. */
#define SUM_OF_LUMA 100.0

static const OclValue sizes[] = {
  {3, "3", "Coefficients one pixel away"},
  {5, "5", "Coefficients two pixels away"},
  {7, "7", "Coefficients three pixels away"},
  {9, "9", "Coefficients four pixels away"},
  {0, NULL, NULL},
};

static const OclValue outputs[] = {
  {OCL_GRADIENT_MAGNITUDE, "magnitude", "Edge strength"},
  {OCL_GRADIENT_X, "x", "Derivative from left to right, on grey"},
  {OCL_GRADIENT_Y, "y", "Derivative from top to bottom, on grey"},
  {OCL_GRADIENT_DIRECTION, "direction",
      "Direction of increasing brightness as hue, with the edge "
        "strength as brightness. RGB only"},
  {0, NULL, NULL},
};

static const OclValue channels[] = {
  {OCL_GRADIENT_LUMA, "luma", "Luma, with the same gradient in all channels"},
  {OCL_GRADIENT_EACH, "each", "Red, green and blue separately"},
  {0, NULL, NULL},
};

static const OclValues size_values = { "gradient-size", sizes };

static const OclValues output_values = {
  "gradient-output", outputs
};

static const OclValues channels_values = {
  "gradient-channels", channels
};

static const OclParam params_table[] = {
  {"size", "Width of the window in pixels. Only six outer coefficients "
        "are non-zero",
        OCL_PARAM_ENUM, OFFSET (size),.default_value = 3,
      .values = &size_values,.decides = TRUE},
  {"output", "Image to output",
      OCL_PARAM_ENUM, OFFSET (output),.values = &output_values},
  {"channels", "RGB channels to compute the gradient from",
      OCL_PARAM_ENUM, OFFSET (channels),.values = &channels_values},
  {"scale", "Factor of the output. Magnitudes range from 0 to 1 before it "
        "is applied",
        OCL_PARAM_DOUBLE, OFFSET (scale),
      .maximum = 1000.0,.default_value = 1.0},
  OCL_PLANES_PARAM (OclGradientParams, planes, OCL_PLANES_LUMA),
  OCL_BORDER_PARAMS (OclGradientParams, border),
  {NULL},
};

/* The tunables are the work-items of a group, the samples per work-item, and
 * the passes over the tile. With the defaults, local memory fits into 32 KiB,
 * which any device has. With the largest values, it takes 71 KiB. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  PASSES,
};

static const OclTunable tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 64, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 2, OCL_CHOICES (2, 4)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  [PASSES] = {"PASSES", 1, OCL_CHOICES (1, 2)},
  {NULL},
};

/* Number of rows of sums after the rows of the window. */
#define N_SUMS 2

/* The plain variant has one kernel. The others have one for each channel
 * separately, and one for the luma of red, green and blue. The state of the
 * variant for CPUs is its slices. */
static gboolean
ocl_gradient_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclGradientParams *params = run->params;
  const OclFormat *format = run->input->info.format;
  const gboolean has_luma_kernel = self->variant->rgb_kernels != NULL;
  const gboolean luma = format->model == OCL_MODEL_RGB
      && (params->channels == OCL_GRADIENT_LUMA
      || params->output == OCL_GRADIENT_DIRECTION);
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  /* Samples from the middle of the window to its taps. */
  const gint step_x = MAX (params->size / 2 >> run->pass->x_shift, 1);
  const gint step_y = MAX (params->size / 2 >> run->pass->y_shift, 1);
  /* The factor from sums to [0, 1], scaled. */
  const cl_float unit = params->scale / SUM_OF_COEFFICIENTS
      / ocl_format_get_max_level (format) / (luma ? SUM_OF_LUMA : 1.0);
  const gint n_rows =
      self->variant->tunables ? ocl_kernels_get_tuning (self, ROWS) : 1;
  OclGrid grid = OCL_GRID (has_luma_kernel && luma, width,
      (height + n_rows - 1) / n_rows);
  OclSlices *slices = self->state;

  if (slices) {
    const OclSlicesNeeds needs = {
      .width = width,.height = height,.reach_x = step_x,.reach_y = step_y,
      .n_planes = luma ? 1 : run->pass->n_channels,
      .n_rows = 2 * step_y + 1 + N_SUMS,
    };

    if (!ocl_slices_ensure (slices, self->context, &needs, error))
      return FALSE;
    grid = OCL_SLICES_GRID (grid.kernel, slices);
  }
  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_INT (width), OCL_INT (height),
      OCL_IF (slices, OCL_INT (slices->height)),
      OCL_IF (slices, OCL_MEMORY (slices->scratch.memory)),
      OCL_IF (slices, OCL_INT (slices->scratch_floats)),
      OCL_IF (slices, OCL_INT (slices->pitch)),
      OCL_IF (slices, OCL_INT (slices->pad)),
      OCL_INT (step_x), OCL_INT (step_y), OCL_INT (params->output),
      OCL_IF (!has_luma_kernel, OCL_INT (luma)), OCL_FLOAT (unit),
      OCL_INT (params->border.mode), OCL_FLOAT4 (ocl_pass_get_color (run->pass,
              &run->input->info, params->border.color)));
}

static const OclVariant plain = {
  .name = "plain",
  .source = "gradient.cl",
  .kernels = OCL_NAMES ("gradient"),
  .group_width = 16,
  .group_height = 16,
  .enqueue = ocl_gradient_enqueue,
};

static void
ocl_gradient_rows_clear (gpointer state)
{
  ocl_slices_clear (state);
}

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "gradient-rows.cl",
  .kernels = OCL_NAMES ("each"),
  .rgb_kernels = OCL_NAMES ("luma"),
  .state_size = sizeof (OclSlices),
  .clear = ocl_gradient_rows_clear,
  .enqueue = ocl_gradient_enqueue,
};

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .source = "gradient-tiled.cl",
  .kernels = OCL_NAMES ("each"),
  .rgb_kernels = OCL_NAMES ("luma"),
  .enqueue = ocl_gradient_enqueue,
};

static const OclVariant *const variants[] = { &plain, &rows, &tiled, NULL };

static gboolean
ocl_gradient_check (gconstpointer data, const OclFormat * format,
    GError ** error)
{
  const OclGradientParams *params = data;

  if (params->output != OCL_GRADIENT_DIRECTION
      || format->model == OCL_MODEL_RGB)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB,
      "output=direction is a colour and needs red, green and "
      "blue, but the frames are %s.", format->name);
  return FALSE;
}

static gint
ocl_gradient_get_reach (gconstpointer data)
{
  const OclGradientParams *params = data;

  return params->size / 2;
}

const OclOperationClass ocl_gradient_class = {
  .name = "gradient",
  .flags = OCL_OPERATION_FILTERS | OCL_OPERATION_FUSES,
  .params_size = sizeof (OclGradientParams),
  .params = params_table,
  .variants = variants,
  .check = ocl_gradient_check,
  .get_reach = ocl_gradient_get_reach,
};
