/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Operations in plain C, on one thread or with OpenMP over the rows: what
 * published work measures its OpenCL kernels with.
 *
 * Written as a C programmer would at first: in floats, the spatial weights and
 * the guide made once a frame, an expf a tap. The results are within 1 of those
 * of the kernels. Frames are packed RGBA. Any thread. */

#pragma once

#include "opencl/bilateral/oclbilateral.h"
#include "opencl/convolution/oclconvolution.h"
#include "opencl/convolution/oclgradient.h"
#include "opencl/convolution/oclsharpen.h"
#include "opencl/histogram/oclhistogram.h"
#include "opencl/pyramid/oclmultiresolution.h"

G_BEGIN_DECLS

typedef enum
{
  PLAIN_C_SERIAL,
  PLAIN_C_OPENMP,
} PlainCThreads;

/**
 * PlainC:
 * @operation: the name of its class
 * @can_serve: whether it can compute what @params, which are not neutral, ask
 *    for; NULL where it always can
 * @run: computes @output, pixels or, of an operation that writes none, the
 *    result, of @input, which it may not overlap
 *
 * An operation in plain C.
 */
typedef struct
{
  const gchar *operation;
  gboolean (*can_serve) (gconstpointer params);
  void (*run) (gconstpointer params, PlainCThreads threads,
      const guint8 * input, gpointer output, gint width, gint height);
} PlainC;

/* That of the operation of that name, or NULL where there is none. */
const PlainC *plain_c_find (const gchar * operation);

/* Whether there is an OpenMP to be had. */
gboolean plain_c_has_openmp (void);

/* Filters @input to @output, which may not overlap; always exact. @params must
 * not be neutral, and clamp to edge for a border. */
void plain_c_bilateral (const OclBilateralParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* The same, by the sum of all taps. */
void plain_c_sharpen (const OclSharpenParams * params, PlainCThreads threads,
    const guint8 * input, guint8 * output, gint width, gint height);

void plain_c_convolution (const OclConvolutionParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* All outputs but the direction. */
void plain_c_gradient (const OclGradientParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* The bilateral filter on each band of a pyramid. */
void plain_c_multiresolution (const OclMultiresolutionParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* Counts @pixels. */
void plain_c_histogram (PlainCThreads threads, const guint8 * pixels,
    gint width, gint height, OclHistogramCounts * counts);

G_END_DECLS
