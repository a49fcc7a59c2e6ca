/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters as numbers, whatever their type, for tests that know none by
 * name. */

#pragma once

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Whether it is one: a matrix is none, nor is a file. */
gboolean is_number (const OclParam * param);

/* The parameter of @params, which is a number, here and below; UINT64
 * rounds beyond 2^53. */
gdouble get_number (const OclParam * param, gconstpointer params);

/* Sets it to @number, which must be in the range of its type. */
void set_number (const OclParam * param, gpointer params, gdouble number);

/* Doubles that a parameter is tried with: its limits, or all its values, and of
 * flags their sum. None where it is no number. */
GArray *get_numbers (const OclParam * param);

G_END_DECLS
