/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Operations in plain C, on one thread or with OpenMP over the rows. Published
 * work compares its OpenCL kernels with such code.
 *
 * The code is what a C programmer would write first: it computes in floats,
 * makes the spatial weights and the guide once per frame, and calls expf() for
 * each tap. The results differ from those of the kernels by 1 at most. Frames
 * are packed RGBA. Functions may be called from any thread. */

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
 * @operation: the name of the operation's class
 * @can_serve: returns whether the code supports @params, which are not neutral;
 *    NULL if it supports all parameters
 * @run: computes @output from @input. @output receives pixels, or the result if
 *    the operation writes no pixels. It must not overlap @input.
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

/* Returns the plain C of the operation named @operation, or NULL if it has
 * none. */
const PlainC *plain_c_find (const gchar * operation);

/* Returns whether this program was built with OpenMP. */
gboolean plain_c_has_openmp (void);

/* Filters @input to @output. Both must not overlap. The filter is always exact.
 * @params must not be neutral, and the border mode must be clamp to edge. */
void plain_c_bilateral (const OclBilateralParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* Sharpens @input to @output, like plain_c_bilateral(). Sums up all taps. */
void plain_c_sharpen (const OclSharpenParams * params, PlainCThreads threads,
    const guint8 * input, guint8 * output, gint width, gint height);

void plain_c_convolution (const OclConvolutionParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* Computes every output except the direction. */
void plain_c_gradient (const OclGradientParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* Runs the bilateral filter on each band of a pyramid. */
void plain_c_multiresolution (const OclMultiresolutionParams * params,
    PlainCThreads threads, const guint8 * input, guint8 * output, gint width,
    gint height);

/* Counts the histograms of @pixels. */
void plain_c_histogram (PlainCThreads threads, const guint8 * pixels,
    gint width, gint height, OclHistogramCounts * counts);

G_END_DECLS
