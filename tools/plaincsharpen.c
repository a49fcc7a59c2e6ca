/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

#include <math.h>

typedef struct
{
  const guint8 *input;
  guint8 *output;
  gint width;
  gint height;
  gint radius;
  const gfloat *weights;        /* (2 radius + 1)², of sum 1 */
  gfloat centre;
  gfloat scale;
  gfloat offset;                /* in levels */
} Job;

static void
filter_row (const Job * job, gint y)
{
  for (gint x = 0; x < job->width; x++) {
    const gsize centre = ((gsize) y * job->width + x) * 4;
    const gfloat *weight = job->weights;
    gfloat sums[3] = { 0.0f, 0.0f, 0.0f };

    for (gint j = -job->radius; j <= job->radius; j++) {
      const gsize row = (gsize) CLAMP (y + j, 0, job->height - 1) * job->width;

      for (gint i = -job->radius; i <= job->radius; i++, weight++) {
        const guint8 *tap =
            job->input + (row + CLAMP (x + i, 0, job->width - 1)) * 4;
        for (gint c = 0; c < 3; c++)
          sums[c] += *weight * tap[c];
      }
    }
    for (gint c = 0; c < 3; c++) {
      gfloat level = job->centre * job->input[centre + c]
          + job->scale * sums[c] + job->offset;
      job->output[centre + c] = (guint8) (CLAMP (level, 0.0f, 255.0f) + 0.5f);
    }
    job->output[centre + 3] = job->input[centre + 3];
  }
}

static gfloat *
create_weights (const OclSharpenParams * params)
{
  const gint radius = params->radius;
  const gint side = 2 * radius + 1;
  gfloat *weights = g_new (gfloat, side * side);
  gdouble sum = 0.0;

  for (gint n = 0; n < side * side; n++) {
    const gint i = n % side - radius;
    const gint j = n / side - radius;
    weights[n] = params->kernel == OCL_SHARPEN_AVERAGE ? 1.0
        : exp (-0.5 * (i * i + j * j) / params->sigma / params->sigma);
    sum += weights[n];
  }
  if (params->kernel == OCL_SHARPEN_GAUSSIAN_RAW)
    sum = params->sigma * sqrt (2.0 * G_PI) * side * side;
  for (gint n = 0; n < side * side; n++)
    weights[n] /= sum;
  return weights;
}

void
plain_c_sharpen (const OclSharpenParams * params, PlainCThreads threads,
    const guint8 * input, guint8 * output, gint width, gint height)
{
  const gboolean sharp = params->output == OCL_SHARPEN_SHARP;
  const gboolean delta = params->output == OCL_SHARPEN_DELTA;
  g_autofree gfloat *weights = create_weights (params);
  const Job job = {
    .input = input,.output = output,.width = width,.height = height,
    .radius = params->radius,.weights = weights,
    .centre = sharp ? params->alpha : delta ? 1.0 : 0.0,
    .scale = sharp ? params->beta : delta ? -1.0 : 1.0,
    .offset = 255.0 * (sharp ? params->gamma : delta ? 0.5 : 0.0),
  };

  g_assert (params->border.mode == OCL_BORDER_CLAMP_TO_EDGE);
#pragma omp parallel for schedule (dynamic) if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < height; y++)
    filter_row (&job, y);
}
