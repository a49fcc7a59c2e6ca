/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations in plain C, on one thread or with OpenMP over the rows: the
 * yardstick that published work measures its OpenCL kernels with.
 *
 * Written as a C programmer would at first: in floats, the spatial weights and
 * the guide made once a frame, an expf a tap. The results are within 1 of those
 * of the kernels. Frames are packed RGBA. Any thread. */

#pragma once

#include "opencl/oclbilateral.h"
#include "opencl/oclhistogram.h"

G_BEGIN_DECLS

typedef enum
{
  YARDSTICK_SERIAL,
  YARDSTICK_OPENMP,
} YardstickThreads;

/* Whether there is an OpenMP to be had. */
gboolean yardstick_has_openmp (void);

/* Filters @input to @output, which may not overlap. @params must not be neutral
 * and must have a radius, and clamp to edge for a border. */
void yardstick_bilateral (const OclBilateralParams * params,
    YardstickThreads threads, const guint8 * input, guint8 * output,
    gint width, gint height);

/* Counts @pixels. */
void yardstick_histogram (YardstickThreads threads, const guint8 * pixels,
    gint width, gint height, OclHistogramCounts * counts);

G_END_DECLS
