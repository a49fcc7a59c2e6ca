/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

/* Whether the border of the parameters @data is the one that there is. */
#define CLAMPS(data, type) \
    (((const type *) (data))->border.mode == OCL_BORDER_CLAMP_TO_EDGE)

static gboolean
can_serve_bilateral (gconstpointer params)
{
  return CLAMPS (params, OclBilateralParams);
}

static void
run_bilateral (gconstpointer params, PlainCThreads threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  plain_c_bilateral (params, threads, input, output, width, height);
}

static gboolean
can_serve_sharpen (gconstpointer params)
{
  return CLAMPS (params, OclSharpenParams);
}

static void
run_sharpen (gconstpointer params, PlainCThreads threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  plain_c_sharpen (params, threads, input, output, width, height);
}

static gboolean
can_serve_convolution (gconstpointer params)
{
  return CLAMPS (params, OclConvolutionParams);
}

static void
run_convolution (gconstpointer params, PlainCThreads threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  plain_c_convolution (params, threads, input, output, width, height);
}

static gboolean
can_serve_gradient (gconstpointer data)
{
  const OclGradientParams *params = data;

  return CLAMPS (params, OclGradientParams)
      && params->output != OCL_GRADIENT_DIRECTION;
}

static void
run_gradient (gconstpointer params, PlainCThreads threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  plain_c_gradient (params, threads, input, output, width, height);
}

static gboolean
can_serve_multiresolution (gconstpointer params)
{
  return CLAMPS (params, OclMultiresolutionParams);
}

static void
run_multiresolution (gconstpointer params, PlainCThreads threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  plain_c_multiresolution (params, threads, input, output, width, height);
}

static void
run_histogram (G_GNUC_UNUSED gconstpointer params, PlainCThreads threads,
    const guint8 * input, gpointer output, gint width, gint height)
{
  plain_c_histogram (threads, input, width, height, output);
}

static const PlainC operations[] = {
  {"bilateral", can_serve_bilateral, run_bilateral},
  {"sharpen", can_serve_sharpen, run_sharpen},
  {"convolution", can_serve_convolution, run_convolution},
  {"gradient", can_serve_gradient, run_gradient},
  {"multiresolution", can_serve_multiresolution, run_multiresolution},
  {"histogram", NULL, run_histogram},
};

const PlainC *
plain_c_find (const gchar * operation)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++) {
    if (g_str_equal (operations[i].operation, operation))
      return &operations[i];
  }
  return NULL;
}

gboolean
plain_c_has_openmp (void)
{
#ifdef _OPENMP
  return TRUE;
#else
  return FALSE;
#endif
}
