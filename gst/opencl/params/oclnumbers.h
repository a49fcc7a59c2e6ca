/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A few numbers as a parameter, such as one for each band of a pyramid.
 *
 * Errors are OCL_ERROR_SETTINGS, and name the place, which counts from 1.
 *
 * All functions: any thread, unless another changes the numbers. */

#pragma once

#include "core/oclerror.h"

G_BEGIN_DECLS

#define OCL_MAX_NUMBERS 9

/**
 * OclNumbers:
 * @n: how many there are, up to OCL_MAX_NUMBERS; none is a list, too
 * @numbers: what is behind the last is 0
 *
 * Can be copied, and compared, as bytes.
 */
typedef struct
{
  gint n;
  gdouble numbers[OCL_MAX_NUMBERS];
} OclNumbers;

/* Sets @numbers to those @n from @values on, each from @minimum to @maximum. It
 * is as before after a failure, here and below. @name is what users call it. */
gboolean ocl_numbers_set (OclNumbers * numbers, const gchar * name,
    const gdouble * values, guint n, gdouble minimum, gdouble maximum,
    GError ** error);

/* The error for what is at a place, and is no number. */
void ocl_numbers_set_no_number (GError ** error, const gchar * name,
    guint place, const gchar * text);

/* Sets @numbers to a list in <>: <1,2,0.5>, or <> for none. */
gboolean ocl_numbers_parse (OclNumbers * numbers, const gchar * name,
    const gchar * text, gdouble minimum, gdouble maximum, GError ** error);

/* As ocl_numbers_parse() takes it; free it. */
gchar *ocl_numbers_print (const OclNumbers * numbers);

/* The number at @place, which counts from 0, or @otherwise where there is
 * none. */
gdouble ocl_numbers_get (const OclNumbers * numbers, guint place,
    gdouble otherwise);

G_END_DECLS
