/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A matrix of numbers as a parameter. Its width and height are odd, so that it
 * has a middle.
 *
 * Errors are OCL_ERROR_SETTINGS. Their messages name the row and the column,
 * which count from 1. */

#pragma once

#include "core/oclerror.h"

G_BEGIN_DECLS

#define OCL_MATRIX_MAX_SIDE 63

/* The largest absolute value of a number in a matrix. It keeps sums of products
 * with levels within the range of float. */
#define OCL_MATRIX_MAX_NUMBER 1e9

/**
 * OclMatrix:
 * @width: number of columns; odd, up to OCL_MATRIX_MAX_SIDE
 * @height: number of rows; odd, up to OCL_MATRIX_MAX_SIDE
 * @numbers: the numbers row by row, @width numbers in a row; the rest of the
 *    array is 0
 *
 * An OclMatrix can be copied and compared as bytes.
 */
typedef struct
{
  gint width;
  gint height;
  gdouble numbers[OCL_MATRIX_MAX_SIDE * OCL_MATRIX_MAX_SIDE];
} OclMatrix;

/* All functions may be called from any thread if no other thread changes the
 * matrix. */

/* These functions make a matrix from numbers: begin, add the rows, then finish.
 * After a failure, do not use the matrix. */
void ocl_matrix_begin (OclMatrix * matrix);
gboolean ocl_matrix_add_row (OclMatrix * matrix, const gdouble * numbers,
    guint n, GError ** error);
gboolean ocl_matrix_finish (OclMatrix * matrix, GError ** error);

/* Sets @error for a matrix that has @text, which is not a number, at @row and
 * @column. */
void ocl_matrix_set_no_number (GError ** error, guint row, guint column,
    const gchar * text);

/* Sets @error for a matrix that has something else than a row in <> at the
 * place of @row. */
void ocl_matrix_set_no_rows (GError ** error, guint row);

/* Sets @matrix to the rows in @text, each in <>: <<1,2,1>,<2,4,2>,<1,2,1>>. If
 * this function or ocl_matrix_load() fails, @matrix does not change. */
gboolean ocl_matrix_parse (OclMatrix * matrix, const gchar * text,
    GError ** error);

/* Sets @matrix to the contents of a regular text file of at most 1 MiB. Each
 * line is a row, with blanks or commas between the numbers. Lines without a
 * number are skipped. Does not wait for another process to write data. */
gboolean ocl_matrix_load (OclMatrix * matrix, const gchar * filename,
    GError ** error);

/* Returns @matrix as text that ocl_matrix_parse() accepts. The caller frees the
 * text. */
gchar *ocl_matrix_print (const OclMatrix * matrix);

G_END_DECLS
