/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "references.h"

#include "opencl/histogram/oclhistogram.h"

ReferenceBilateral
get_reference_bilateral (const OclBilateralParams * params)
{
  const guint color = params->border.color;

  const ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = params->radius,
    .color_mode = (ReferenceColorMode) params->color_mode,
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border.mode,
    .border_color = {color >> 16, color >> 8, color, color >> 24},
  };

  return reference;
}

static void
filter_bilateral (gconstpointer params, const Picture * input, gdouble * levels)
{
  const ReferenceBilateral bilateral = get_reference_bilateral (params);

  reference_bilateral (&bilateral, input->pixels, input->stride, input->width,
      input->height, levels);
}

static void
find_histogram (G_GNUC_UNUSED gconstpointer params, const Picture * input,
    gpointer result)
{
  OclHistogramCounts *counts = result;

  reference_histogram (input->pixels, input->stride, input->width,
      input->height, counts->counts);
}

static void
draw_histogram_overlay (G_GNUC_UNUSED gconstpointer params,
    gconstpointer result, Picture * picture)
{
  const OclHistogramCounts *counts = result;

  reference_histogram_overlay (picture->pixels, picture->stride,
      picture->width, picture->height, counts->counts);
}

static const Reference references[] = {
  {"bilateral",.filter = filter_bilateral},
  {"histogram",.find = find_histogram},
  {"histogram-overlay",.draw = draw_histogram_overlay},
};

const Reference *
reference_find (const gchar * operation)
{
  for (guint i = 0; i < G_N_ELEMENTS (references); i++) {
    if (g_str_equal (references[i].operation, operation))
      return &references[i];
  }
  g_error ("%s has no float64 reference: add one to references.c", operation);
}
