/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters as numbers, whatever their type, for tests that know none by
 * name. */

#pragma once

#include "opencl/oclparam.h"

G_BEGIN_DECLS

/* The parameter of @params; UINT64 rounds beyond 2^53. */
gdouble get_number (const OclParam * param, gconstpointer params);

/* Sets it to @number, which must be in the range of its type. */
void set_number (const OclParam * param, gpointer params, gdouble number);

/* In bytes. */
gsize get_member_size (const OclParam * param);

/* Doubles that a parameter is tried with: its limits, or all its values, and of
 * flags their sum. */
GArray *get_numbers (const OclParam * param);

G_END_DECLS
