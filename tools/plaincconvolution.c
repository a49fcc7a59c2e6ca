/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

typedef struct
{
  const guint8 *input;
  guint8 *output;
  gint width;
  gint height;
  gint columns;                 /* of the matrix */
  gint rows;
  const gfloat *weights;        /* row by row, divided */
  gfloat offset;                /* in levels */
} Job;

static void
filter_row (const Job * job, gint y)
{
  for (gint x = 0; x < job->width; x++) {
    const gsize centre = ((gsize) y * job->width + x) * 4;
    const gfloat *weight = job->weights;
    gfloat sums[3] = { job->offset, job->offset, job->offset };

    for (gint j = 0; j < job->rows; j++) {
      const gsize row = (gsize) CLAMP (y + j - job->rows / 2, 0,
          job->height - 1) * job->width;

      for (gint i = 0; i < job->columns; i++, weight++) {
        const guint8 *tap = job->input
            + (row + CLAMP (x + i - job->columns / 2, 0, job->width - 1)) * 4;
        for (gint c = 0; c < 3; c++)
          sums[c] += *weight * tap[c];
      }
    }
    for (gint c = 0; c < 3; c++)
      job->output[centre + c] = (guint8) (CLAMP (sums[c], 0.0f, 255.0f) + 0.5f);
    job->output[centre + 3] = job->input[centre + 3];
  }
}

void
plain_c_convolution (const OclConvolutionParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height)
{
  const OclMatrix *matrix = &params->matrix;
  const gint n = matrix->width * matrix->height;
  const gdouble divisor = ocl_convolution_get_divisor (params);
  g_autofree gfloat *weights = g_new (gfloat, n);
  const Job job = {
    .input = input,.output = output,.width = width,.height = height,
    .columns = matrix->width,.rows = matrix->height,.weights = weights,
    .offset = 255.0 * params->bias,
  };

  g_assert (params->border.mode == OCL_BORDER_CLAMP_TO_EDGE);
  for (gint i = 0; i < n; i++)
    weights[i] = matrix->numbers[i] / divisor;
#pragma omp parallel for schedule (dynamic) if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < height; y++)
    filter_row (&job, y);
}
