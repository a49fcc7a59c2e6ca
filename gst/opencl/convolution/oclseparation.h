/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Matrices that are a column times a row: filters with them can take one
 * direction after the other. */

#pragma once

#include "params/oclmatrix.h"

G_BEGIN_DECLS

/* Whether @numbers, @height rows of @width, are a column times a row: what is
 * left without these has, as a norm, at most a millionth of the largest
 * singular value. Sets @rows, a number for each, and @columns then. Any
 * thread. */
gboolean ocl_separate (const gdouble * numbers, gint width, gint height,
    gdouble * rows, gdouble * columns);

G_END_DECLS
