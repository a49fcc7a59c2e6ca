/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Operations in plain C, on one thread or with OpenMP over the rows. Published
 * work compares its OpenCL kernels with such code.
 *
 * The code is a straightforward implementation: it computes in floats, makes
 * the spatial weights and the guide once per frame, sums up all taps and calls
 * expf() for each tap. The results differ from those of the kernels by 1 at
 * most. Frames are packed RGBA. Functions may be called from any thread. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * PlainC:
 * @operation: the name of the operation's class
 * @run: computes @output from @input, with OpenMP if @threads. @output receives
 *    pixels, or the result if the operation writes no pixels. It must not
 *    overlap @input. @params must not be neutral
 *
 * An operation in plain C.
 */
typedef struct
{
  const gchar *operation;
  void (*run) (gconstpointer params, gboolean threads, const guint8 * input,
      gpointer output, gint width, gint height);
} PlainC;

/* Returns the plain C of the operation named @operation, or NULL if it has
 * none. */
const PlainC *plain_c_find (const gchar * operation);

/* Returns whether the plain C of @klass supports @params. Its only border is
 * clamp to edge. */
gboolean plain_c_supports (const OclOperationClass * klass,
    gconstpointer params);

G_END_DECLS
