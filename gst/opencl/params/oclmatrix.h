/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A matrix of numbers as a parameter: odd sizes, so that it has a middle.
 *
 * Errors are OCL_ERROR_SETTINGS, and name the row and the column, which count
 * from 1. */

#pragma once

#include "core/oclerror.h"

G_BEGIN_DECLS

#define OCL_MATRIX_MAX_SIDE 63

/* No number is larger, nor less than the negative: sums of products with levels
 * stay within float. */
#define OCL_MATRIX_MAX_NUMBER 1e9

/**
 * OclMatrix:
 * @width: columns; odd, up to OCL_MATRIX_MAX_SIDE
 * @height: rows; the same
 * @numbers: row by row, @width apart; what is behind them is 0
 *
 * Can be copied, and compared, as bytes.
 */
typedef struct
{
  gint width;
  gint height;
  gdouble numbers[OCL_MATRIX_MAX_SIDE * OCL_MATRIX_MAX_SIDE];
} OclMatrix;

/* All functions: any thread, unless another changes the matrix. */

/* To make one of numbers: begin, add the rows, and finish. After a failure it
 * is not to be used. */
void ocl_matrix_begin (OclMatrix * matrix);
gboolean ocl_matrix_add_row (OclMatrix * matrix, const gdouble * numbers,
    guint n, GError ** error);
gboolean ocl_matrix_finish (OclMatrix * matrix, GError ** error);

/* The error for what is at a place of a matrix, and is no number. */
void ocl_matrix_set_no_number (GError ** error, guint row, guint column,
    const gchar * text);

/* The error for a matrix that has something else at the place of that row. */
void ocl_matrix_set_no_rows (GError ** error, guint row);

/* Sets @matrix to rows in <>: <<1,2,1>,<2,4,2>,<1,2,1>>. It
 * is as before after a failure, here and below. */
gboolean ocl_matrix_parse (OclMatrix * matrix, const gchar * text,
    GError ** error);

/* Sets @matrix to what a regular file of text has, of 1 MiB at most: a row a
 * line, numbers with blanks or commas between them. Lines without a number are
 * left out. Does not wait for what another process writes. */
gboolean ocl_matrix_load (OclMatrix * matrix, const gchar * filename,
    GError ** error);

/* As ocl_matrix_parse() takes it; free it. */
gchar *ocl_matrix_print (const OclMatrix * matrix);

G_END_DECLS
