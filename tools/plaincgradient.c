/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

#include <math.h>

typedef struct
{
  const guint8 *input;
  guint8 *output;
  gint width;
  gint height;
  gint step;
  gfloat scale;
  OclGradientOutput output_kind;
  gboolean luma;
} Job;

static gfloat
get_tap (const Job * job, gint x, gint y, gint channel)
{
  const guint8 *pixel = job->input
      + ((gsize) CLAMP (y, 0, job->height - 1) * job->width
      + CLAMP (x, 0, job->width - 1)) * 4;

  return job->luma ? 0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2]
      : pixel[channel];
}

static guint8
derive (const Job * job, gint x, gint y, gint channel)
{
  static const gfloat coefficients[] = { 3.0f / 16, 10.0f / 16, 3.0f / 16 };
  const gint h = job->step;
  gfloat gx = 0.0f, gy = 0.0f;

  for (gint i = 0; i < 3; i++) {
    gx += coefficients[i] * (get_tap (job, x + h, y + (i - 1) * h, channel)
        - get_tap (job, x - h, y + (i - 1) * h, channel));
    gy += coefficients[i] * (get_tap (job, x + (i - 1) * h, y + h, channel)
        - get_tap (job, x + (i - 1) * h, y - h, channel));
  }
  gfloat level = job->output_kind == OCL_GRADIENT_MAGNITUDE
      ? job->scale * sqrtf (gx * gx + gy * gy)
      : 127.5f + job->scale * (job->output_kind == OCL_GRADIENT_X ? gx : gy)
      / 2.0f;
  return (guint8) (CLAMP (level, 0.0f, 255.0f) + 0.5f);
}

static void
filter_row (const Job * job, gint y)
{
  for (gint x = 0; x < job->width; x++) {
    const gsize centre = ((gsize) y * job->width + x) * 4;

    for (gint c = 0; c < 3; c++)
      job->output[centre + c] = c > 0 && job->luma ? job->output[centre]
          : derive (job, x, y, c);
    job->output[centre + 3] = job->input[centre + 3];
  }
}

void
plain_c_gradient (const OclGradientParams * params, PlainCThreads threads,
    const guint8 * input, guint8 * output, gint width, gint height)
{
  const Job job = {
    .input = input,.output = output,.width = width,.height = height,
    .step = params->size / 2,.scale = params->scale,
    .output_kind = params->output,
    .luma = params->channels == OCL_GRADIENT_LUMA,
  };

  g_assert (params->border.mode == OCL_BORDER_CLAMP_TO_EDGE
      && params->output != OCL_GRADIENT_DIRECTION);
#pragma omp parallel for schedule (dynamic) if (threads == PLAIN_C_OPENMP)
  for (gint y = 0; y < height; y++)
    filter_row (&job, y);
}
