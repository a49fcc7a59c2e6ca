/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgradient.h"

#include "oclgradientvariants.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclGradientParams, member)

/* Of the coefficients on one side. */
#define SUM_OF_COEFFICIENTS 16.0
/* Of LUMA_100() in kernels/color.clh. */
#define SUM_OF_LUMA 100.0

static const OclValue sizes[] = {
  {3, "3", "Of neighbours"},
  {5, "5", "Two pixels away"},
  {7, "7", "Three pixels away"},
  {9, "9", "Four pixels away"},
  {0, NULL, NULL},
};

static const OclValue outputs[] = {
  {OCL_GRADIENT_MAGNITUDE, "magnitude", "How strong an edge is"},
  {OCL_GRADIENT_X, "x", "From left to right, on grey"},
  {OCL_GRADIENT_Y, "y", "From top to bottom, on grey"},
  {OCL_GRADIENT_DIRECTION, "direction", "Where brightness grows, as a hue, as "
        "bright as the edge is strong; of RGB only"},
  {0, NULL, NULL},
};

static const OclValue channels[] = {
  {OCL_GRADIENT_LUMA, "luma", "Of brightness, the same in all channels"},
  {OCL_GRADIENT_EACH, "each", "Of red, green and blue by themselves"},
  {0, NULL, NULL},
};

static const OclValues size_values = { "GstGLOpenCLGradientSize", sizes };

static const OclValues output_values = {
  "GstGLOpenCLGradientOutput", outputs
};

static const OclValues channels_values = {
  "GstGLOpenCLGradientChannels", channels
};

static const OclParam params_table[] = {
  {"size", "Pixels across the window; its six coefficients are at its rim",
        OCL_PARAM_ENUM, OFFSET (size),.default_value = 3,
      .values = &size_values},
  {"output", "What is shown",
      OCL_PARAM_ENUM, OFFSET (output),.values = &output_values},
  {"channels", "What of RGB it is taken of",
      OCL_PARAM_ENUM, OFFSET (channels),.values = &channels_values},
  {"scale", "Times the response, which is from 0 to 1 for magnitudes",
        OCL_PARAM_DOUBLE, OFFSET (scale),
      .maximum = 1000.0,.default_value = 1.0},
  OCL_PLANES_PARAM (OclGradientParams, planes, OCL_PLANES_LUMA),
  OCL_BORDER_PARAMS (OclGradientParams, border),
  {NULL},
};

static const OclVariant *const variants[] = {
  &ocl_gradient_plain, &ocl_gradient_rows, &ocl_gradient_tiled, NULL,
};

const gchar *const ocl_gradient_kernel_names[OCL_GRADIENT_N_KERNELS] = {
  [OCL_GRADIENT_KERNEL_EACH] = "each",
  [OCL_GRADIENT_KERNEL_LUMA] = "luma",
};

void
ocl_gradient_get_numbers (const OclRun * run, OclGradientNumbers * numbers)
{
  const OclGradientParams *params = run->params;
  const OclFrame *input = run->input;
  const gint step = params->size / 2;
  const gboolean luma = input->format->model == OCL_MODEL_RGB
      && (params->channels == OCL_GRADIENT_LUMA
      || params->output == OCL_GRADIENT_DIRECTION);

  numbers->width = ocl_pass_get_width (run->pass, input);
  numbers->height = ocl_pass_get_height (run->pass, input);
  numbers->step_x = MAX (step >> run->pass->x_shift, 1);
  numbers->step_y = MAX (step >> run->pass->y_shift, 1);
  numbers->output = params->output;
  numbers->luma = luma;
  numbers->unit = params->scale / SUM_OF_COEFFICIENTS
      / ocl_format_get_max_level (input->format) / (luma ? SUM_OF_LUMA : 1.0);
  numbers->border = params->border.mode;
  numbers->outside = ocl_pass_get_color (run->pass, input,
      params->border.color);
}

static gboolean
ocl_gradient_check (gconstpointer data, const OclFormat * format,
    GError ** error)
{
  const OclGradientParams *params = data;

  if (params->output != OCL_GRADIENT_DIRECTION
      || format->model == OCL_MODEL_RGB)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "output=direction is a colour and needs red, green and blue, and frames "
      "are %s. Set it before the pipeline is started, or put glcolorconvert and "
      "video/x-raw(memory:GLMemory),format=RGBA before this element.",
      format->name);
  return FALSE;
}

static guint
ocl_gradient_get_passes (gconstpointer data, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  const OclGradientParams *params = data;

  return ocl_passes_init (passes, format, params->planes, FALSE);
}

static gint
ocl_gradient_get_reach (gconstpointer data)
{
  const OclGradientParams *params = data;

  return params->size / 2;
}

static void
ocl_gradient_get_plan_key (gconstpointer data, gpointer key)
{
  const OclGradientParams *params = data;

  ((OclGradientParams *) key)->planes = params->planes;
}

const OclOperationClass ocl_gradient_class = {
  .name = "gradient",
  .flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (OclGradientParams),
  .params = params_table,
  .variants = variants,
  .check = ocl_gradient_check,
  .get_passes = ocl_gradient_get_passes,
  .get_reach = ocl_gradient_get_reach,
  .get_plan_key = ocl_gradient_get_plan_key,
};
