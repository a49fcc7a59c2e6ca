/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A list of a few numbers as a parameter, such as one number for each band of a
 * pyramid.
 *
 * Errors are OCL_ERROR_SETTINGS. Their messages name the place in the list,
 * which counts from 1.
 *
 * All functions may be called from any thread if no other thread changes the
 * list. */

#pragma once

#include "core/oclerror.h"

G_BEGIN_DECLS

#define OCL_MAX_NUMBERS 9

/**
 * OclNumbers:
 * @n: how many numbers the list has, up to OCL_MAX_NUMBERS; the list may be
 *    empty
 * @numbers: the numbers; the rest of the array is 0
 *
 * An OclNumbers can be copied and compared as bytes.
 */
typedef struct
{
  gint n;
  gdouble numbers[OCL_MAX_NUMBERS];
} OclNumbers;

/* Sets @numbers to the @n numbers at @values, which must be from @minimum to
 * @maximum. @name is the name of the list that users know. If this function or
 * ocl_numbers_parse() fails, @numbers does not change. */
gboolean ocl_numbers_set (OclNumbers * numbers, const gchar * name,
    const gdouble * values, guint n, gdouble minimum, gdouble maximum,
    GError ** error);

/* Sets @error for a list that has @text, which is not a number, at @place. */
void ocl_numbers_set_no_number (GError ** error, const gchar * name,
    guint place, const gchar * text);

/* Sets @numbers to a list in <>, such as <1,2,0.5>. <> is an empty list. */
gboolean ocl_numbers_parse (OclNumbers * numbers, const gchar * name,
    const gchar * text, gdouble minimum, gdouble maximum, GError ** error);

/* Returns @numbers as text that ocl_numbers_parse() accepts. The caller frees
 * the text. */
gchar *ocl_numbers_print (const OclNumbers * numbers);

/* Returns the number at @place, which counts from 0. Returns @otherwise if the
 * list has no number there. */
gdouble ocl_numbers_get (const OclNumbers * numbers, guint place,
    gdouble otherwise);

G_END_DECLS
