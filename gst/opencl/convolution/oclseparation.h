/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A matrix is separable if it is the product of a column and a row. A filter
 * with a separable matrix can process one direction after the other. */

#pragma once

#include "params/oclliteral.h"

G_BEGIN_DECLS

/* Returns whether the matrix @numbers, @height rows of @width numbers, is
 * separable. The norm of the matrix less the product of @rows and @columns must
 * be at most a millionth of the largest singular value. If the matrix is
 * separable, sets @rows to one number per row, and @columns to one number per
 * column. Thread-safe. */
gboolean ocl_separate (const gdouble * numbers, gint width, gint height,
    gdouble * rows, gdouble * columns);

G_END_DECLS
