/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers with names as a parameter, for an operation whose numbers are not
 * known before it is given some text.
 *
 * Errors are OCL_ERROR_SETTINGS.
 *
 * All functions may be called from any thread if no other thread changes the
 * numbers. */

#pragma once

#include "core/oclerror.h"

G_BEGIN_DECLS

#define OCL_MAX_NAMED_NUMBERS 16

/* The longest name, with the zero at its end. */
#define OCL_MAX_NUMBER_NAME 32

/**
 * OclNamedNumbers:
 * @n: how many numbers there are
 * @names: the name of each; the rest of the array is 0
 * @numbers: the numbers; the rest of the array is 0
 *
 * An OclNamedNumbers can be copied and compared as bytes.
 */
typedef struct
{
  gint n;
  gchar names[OCL_MAX_NAMED_NUMBERS][OCL_MAX_NUMBER_NAME];
  gdouble numbers[OCL_MAX_NAMED_NUMBERS];
} OclNamedNumbers;

/* Adds a number. Fails if there are too many, if @name is too long, empty or
 * there already, or if @number is not finite; then @numbers does not change. */
gboolean ocl_named_numbers_add (OclNamedNumbers * numbers, const gchar * name,
    gdouble number, GError ** error);

/* Removes the number at @place. */
void ocl_named_numbers_remove (OclNamedNumbers * numbers, guint place);

/* Sets @error for @text, which @name is set to, and which is not a number. */
void ocl_named_numbers_set_no_number (GError ** error, const gchar * name,
    const gchar * text);

/* Sets @numbers to those in <>, such as <strength=0.5,size=2>; <> has none. If
 * this fails, @numbers does not change. */
gboolean ocl_named_numbers_parse (OclNamedNumbers * numbers,
    const gchar * text, GError ** error);

/* Returns @numbers as text that ocl_named_numbers_parse() accepts. The caller
 * frees the text. */
gchar *ocl_named_numbers_print (const OclNamedNumbers * numbers);

/* Returns the place of @name, or -1. */
gint ocl_named_numbers_find (const OclNamedNumbers * numbers,
    const gchar * name);

G_END_DECLS
