/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts a matrix to and from a GStreamer value. The value is an array of
 * rows, and each row is an array of numbers. The numbers may be integers,
 * fractions and floating-point numbers, in any mixture. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclmatrix.h"

G_BEGIN_DECLS

/* All functions may be called from any thread. */

/* Sets @matrix from @value, a GstValueArray of anything. If @value is not a
 * matrix, sets @error to OCL_ERROR_SETTINGS with a message that says what is
 * wrong in which row and column, and leaves @matrix unchanged. */
gboolean gst_gl_opencl_matrix_set (OclMatrix * matrix, const GValue * value,
    GError ** error);

/* Adds the rows of @matrix, as doubles, to @value, an empty GstValueArray. */
void gst_gl_opencl_matrix_get (const OclMatrix * matrix, GValue * value);

G_END_DECLS
