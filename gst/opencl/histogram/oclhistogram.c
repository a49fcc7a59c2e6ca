/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogram.h"

#include "oclhistogrambands.h"
#include "oclhistogramgroups.h"

/* By model and channel. */
static const gchar *const channel_names[][OCL_HISTOGRAM_N_CHANNELS] = {
  [OCL_MODEL_RGB] = {"red", "green", "blue", "luma"},
  [OCL_MODEL_YCBCR] = {"luma", "cb", "cr"},
  [OCL_MODEL_GREY] = {"luma"},
};

static const OclVariant *const variants[] = {
  &ocl_histogram_groups, &ocl_histogram_bands, NULL,
};

const OclOperationClass ocl_histogram_class = {
  .name = "histogram",
  .flags = OCL_OPERATION_READS,
  .variants = variants,
  .result_size = sizeof (OclHistogramCounts),
};

guint
ocl_histogram_get_n_bins (const OclFormat * format)
{
  return MIN (ocl_format_get_max_level (format) + 1, OCL_HISTOGRAM_MAX_BINS);
}

guint
ocl_histogram_get_n_channels (const OclFormat * format)
{
  guint n = 0;

  while (n < OCL_HISTOGRAM_N_CHANNELS && channel_names[format->model][n])
    n++;
  return n;
}

const gchar *
ocl_histogram_get_channel_name (const OclFormat * format, guint channel)
{
  return channel_names[format->model][channel];
}

guint
ocl_histogram_get_n_counted (const OclPass * pass)
{
  /* Luma is counted with red, green and blue. */
  return pass->n_channels == 3 ? OCL_HISTOGRAM_N_CHANNELS : pass->n_channels;
}

gboolean
ocl_histogram_enqueue_clear (OclContext * context, const OclRun * run,
    GError ** error)
{
  return run->pass->first_channel > 0
      || ocl_memory_enqueue_fill (&run->result->device, context, 0,
      sizeof (OclHistogramCounts), run->timer, error);
}
