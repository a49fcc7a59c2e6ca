/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A matrix as a value of GStreamer's: an array of rows, each an array of
 * numbers, which may be integers, fractions and of floating point, in any
 * mixture. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclmatrix.h"

G_BEGIN_DECLS

/* Any thread. */

/* Sets @matrix to @value, a GstValueArray of anything. OCL_ERROR_SETTINGS where
 * that is no matrix, which says what is wrong in which row and column; @matrix
 * is as before then. */
gboolean gst_gl_opencl_matrix_set (OclMatrix * matrix, const GValue * value,
    GError ** error);

/* Adds the rows of @matrix, as doubles, to @value, an empty GstValueArray. */
void gst_gl_opencl_matrix_get (const OclMatrix * matrix, GValue * value);

G_END_DECLS
