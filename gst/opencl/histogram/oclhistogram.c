/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogram.h"

#include "core/oclmemory.h"
#include "operation/oclkernels.h"

guint
ocl_histogram_get_n_bins (const OclFormat * format)
{
  return MIN (ocl_format_get_max_level (format) + 1, OCL_HISTOGRAM_MAX_BINS);
}

guint
ocl_histogram_get_n_channels (const OclFormat * format)
{
  /* Luma is counted with red, green and blue. */
  return format->model == OCL_MODEL_RGB ? OCL_HISTOGRAM_N_CHANNELS
      : format->model == OCL_MODEL_YCBCR ? 3 : 1;
}

const gchar *
ocl_histogram_get_channel_name (const OclFormat * format, guint channel)
{
  return channel == OCL_HISTOGRAM_N_CHANNELS - 1 ? "luma"
      : ocl_format_get_channel_name (format, channel);
}

/* Launches a kernel, and clears the counts before the first pass. Both variants
 * have the same arguments. @rows is the number of rows of a work-item, or of a
 * slice. */
static gboolean
ocl_histogram_launch (OclKernels * self, const OclRun * run,
    const OclGrid * grid, cl_int rows, GError ** error)
{
  return (run->pass->first_channel > 0
      || ocl_memory_enqueue_fill (&run->result->device, self->context, 0, 0,
          sizeof (OclHistogramCounts), run->timer, error))
      && OCL_LAUNCH (self, run, *grid, error, OCL_INPUT,
      OCL_INT (ocl_run_get_width (run)), OCL_INT (ocl_run_get_height (run)),
      OCL_INT (rows), OCL_INT (run->pass->first_channel),
      OCL_MEMORY (run->result->device.memory));
}

#define MAX_GROUP_WIDTH 256
#define MAX_COPIES 8

/* Number of work-groups per compute unit. Several groups hide latency. */
#define GROUPS_OF_UNIT 8

/* Chooses the number of copies of the bins so that two groups can run side by
 * side. */
static gchar *
ocl_histogram_groups_get_options (const OclBuild * build,
    const OclDevice * device)
{
  const guint n_channels = build->pass.n_channels;
  const gsize size = (n_channels == 3 ? OCL_HISTOGRAM_N_CHANNELS : n_channels)
      * ocl_histogram_get_n_bins (build->format) * sizeof (cl_uint);
  guint copies = MAX_COPIES;

  while (copies > 1 && copies * size * 2 > device->local_size)
    copies /= 2;
  return g_strdup_printf ("-D COPIES=%u", copies);
}

static gboolean
ocl_histogram_groups_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  const guint64 n_groups_across =
      (width + self->group_width - 1) / self->group_width;
  const guint64 n_groups_wanted =
      self->context->device->n_units * GROUPS_OF_UNIT;
  const gint rows = MAX (1, height * n_groups_across / n_groups_wanted);
  const OclGrid grid = OCL_GRID (0, width, (height + rows - 1) / rows);

  return ocl_histogram_launch (self, run, &grid, rows, error);
}

static const OclVariant groups = {
  .name = "groups",
  .flags = OCL_VARIANT_FOR_GPU,
  .source = "histogram.cl",
  .kernels = OCL_NAMES ("histogram"),
  .group_width = MAX_GROUP_WIDTH,
  .get_options = ocl_histogram_groups_get_options,
  .enqueue = ocl_histogram_groups_enqueue,
};

/* Number of slices per compute unit. Several slices balance the load. */
#define SLICES_OF_UNIT 2

static gboolean
ocl_histogram_slices_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const guint height = ocl_run_get_height (run);
  const guint n_slices =
      MIN (self->context->device->n_units * SLICES_OF_UNIT, height);
  const OclGrid grid = OCL_GRID (0, n_slices, 1);

  return ocl_histogram_launch (self, run, &grid,
      (height + n_slices - 1) / n_slices, error);
}

static const OclVariant slices = {
  .name = "strips",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "histogram-strips.cl",
  .kernels = OCL_NAMES ("histogram_strips"),
  .enqueue = ocl_histogram_slices_enqueue,
};

static const OclVariant *const variants[] = {
  &groups, &slices, NULL,
};

const OclOperationClass ocl_histogram_class = {
  .name = "histogram",
  .flags = OCL_OPERATION_READS,
  .variants = variants,
  .result_size = sizeof (OclHistogramCounts),
};
