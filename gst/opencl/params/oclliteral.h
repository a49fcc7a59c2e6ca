/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A literal is a parameter value other than a single number: a text, the name
 * of a file, a matrix, a list of numbers, or numbers with names. Immutable and
 * reference-counted. Copies of parameters share it, and equal parameters
 * usually have the same one.
 *
 * NULL is the empty literal. Errors are OCL_ERROR_SETTINGS. Messages name the
 * position of the error, counted from 1. All functions may be called from any
 * thread. */

#pragma once

#include "core/oclerror.h"
#include "core/oclformat.h"

G_BEGIN_DECLS

#define OCL_MATRIX_MAX_SIDE 63

/* Maximum absolute value of a number in a matrix. Keeps sums of products with
 * levels within the range of float. */
#define OCL_MATRIX_MAX_NUMBER 1e9

/* Maximum length of a list, and maximum number of numbers with names. */
#define OCL_MAX_NUMBERS 9
#define OCL_MAX_NAMED_NUMBERS 16

/* Maximum size of the name of a number, with the final zero. */
#define OCL_MAX_NUMBER_NAME 32

/* Maximum size of the name of a file, with the final zero. */
#define OCL_MAX_FILE_NAME 4096

/**
 * OclLiteral:
 * @text: the value as users write it (owned). Equal numbers have equal texts
 * @hash: a hash of @text
 * @name: the name of the file of a text (owned), or NULL
 * @insert: the data that an operation parsed from a text (owned), or NULL
 * @free_insert: frees @insert
 * @width: number of columns of a matrix, which is odd, otherwise 0
 * @height: number of rows of a matrix, which is odd
 * @n: the number of @numbers
 * @numbers: the numbers (owned). A matrix is stored row by row
 * @names: the name of each number, ended by NULL (owned), or NULL
 */
typedef struct
{
  gchar *text;
  guint hash;
  gchar *name;
  OclInsert *insert;
  GDestroyNotify free_insert;
  gint width;
  gint height;
  gint n;
  gdouble *numbers;
  gchar **names;
} OclLiteral;

/* The functions that create a literal return a reference, which the caller
 * owns. This one creates a text from a copy of @text. NULL and "" return
 * NULL. */
OclLiteral *ocl_literal_new (const gchar * text);

OclLiteral *ocl_literal_ref (OclLiteral * literal);
void ocl_literal_unref (OclLiteral * literal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclLiteral, ocl_literal_unref)

/* Replaces the literal in @*literal by @other. Takes ownership of @other. */
void ocl_literal_take (OclLiteral ** literal, OclLiteral * other);

/* Returns whether @a and @b have equal texts and equal file names. */
gboolean ocl_literal_equals (const OclLiteral * a, const OclLiteral * b);

/* Returns the text of @literal, or "" if it is NULL. */
const gchar *ocl_literal_get_text (const OclLiteral * literal);

/* Creates a matrix. Width and height must be odd, so that there is a middle. */
OclLiteral *ocl_matrix_new (gint width, gint height, const gdouble * numbers);

/* Creates the matrix with the rows in @text, each in <>:
 * <<1,2,1>,<2,4,2>,<1,2,1>>. Returns NULL with @error if @text is not a
 * matrix. */
OclLiteral *ocl_matrix_parse (const gchar * text, GError ** error);

/* Reads a matrix from a regular text file of at most 1 MiB. Each line is a row,
 * with blanks or commas between the numbers. Lines without a number are
 * skipped. Does not wait for another process to write data. */
OclLiteral *ocl_matrix_load (const gchar * filename, GError ** error);

/* Sets @list to the numbers in <>, such as <1,2,0.5>, which must be from
 * @minimum to @maximum. If @has_names is set, each number has a name, as in
 * <strength=0.5,size=2>. <> is empty. @what is the user-visible name of the
 * list. On failure, @list does not change. */
gboolean ocl_list_parse (OclLiteral ** list, const gchar * what,
    const gchar * text, gboolean has_names, gdouble minimum, gdouble maximum,
    GError ** error);

/* Returns the number at @place, counted from 0, or @otherwise if the list is
 * shorter. */
gdouble ocl_list_get (const OclLiteral * list, gint place,
    gdouble otherwise);

G_END_DECLS
