/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Access to parameters of any type as numbers, for tests that know no parameter
 * by name. */

#pragma once

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Returns whether @param is a number. Matrices, lists of numbers and files are
 * no numbers. */
gboolean is_number (const OclParam * param);

/* Returns the value of @param in @params. In this and the next function @param
 * must be a number. Values of UINT64 above 2^53 are rounded. */
gdouble get_number (const OclParam * param, gconstpointer params);

/* Sets @param in @params to @number, which must be in the range of the
 * parameter's type. */
void set_number (const OclParam * param, gpointer params, gdouble number);

/* Returns an array of doubles to try the parameter with: its limits, or all its
 * values. For flags, also the sum of the values. The array is empty if @param
 * is not a number. */
GArray *get_numbers (const OclParam * param);

G_END_DECLS
