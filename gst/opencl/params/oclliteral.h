/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A literal is a value of a parameter that is more than one number: a text, the
 * name of a file, a matrix, a list of numbers, or numbers with names. It never
 * changes, and it is freed with its last reference. So copies of parameters
 * share it, and equal parameters mostly have the same one.
 *
 * NULL is the empty literal. Errors are OCL_ERROR_SETTINGS. Messages name the
 * place of what is wrong, and count from 1. All functions may be called from
 * any thread. */

#pragma once

#include "core/oclerror.h"
#include "core/oclformat.h"

G_BEGIN_DECLS

#define OCL_MATRIX_MAX_SIDE 63

/* The largest absolute value of a number in a matrix. It keeps sums of products
 * with levels within the range of float. */
#define OCL_MATRIX_MAX_NUMBER 1e9

/* The most numbers of a list, and the most numbers with names. */
#define OCL_MAX_NUMBERS 9
#define OCL_MAX_NAMED_NUMBERS 16

/* The longest name of a number, with the zero at its end. */
#define OCL_MAX_NUMBER_NAME 32

/* The longest name of a file, with the zero at its end. */
#define OCL_MAX_FILE_NAME 4096

/**
 * OclLiteral:
 * @text: the value as users write it; owned. Equal numbers have equal texts
 * @hash: a hash of @text
 * @name: the name of the file that a text is from; owned, or NULL
 * @insert: what an operation has read from a text for programs; owned, or NULL
 * @free_insert: frees @insert
 * @width: number of columns of a matrix, which is odd; otherwise 0
 * @height: number of rows of a matrix, which is odd
 * @n: how many numbers there are
 * @numbers: the numbers, those of a matrix row by row; owned
 * @names: the name of each number, ended by NULL; owned, or NULL
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
 * owns. This one makes a text of a copy of @text; NULL and "" make the empty
 * one. */
OclLiteral *ocl_literal_new (const gchar * text);

OclLiteral *ocl_literal_ref (OclLiteral * literal);
void ocl_literal_unref (OclLiteral * literal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclLiteral, ocl_literal_unref)

/* Releases the literal in @*literal, and puts @other there, whose reference it
 * takes. */
void ocl_literal_take (OclLiteral ** literal, OclLiteral * other);

/* Returns whether @a and @b have the same text from a file of the same name. */
gboolean ocl_literal_equals (const OclLiteral * a, const OclLiteral * b);

/* Returns the text of @literal; "" for the empty one. */
const gchar *ocl_literal_get_text (const OclLiteral * literal);

/* Creates a matrix. Both sides are odd, so that there is a middle. */
OclLiteral *ocl_matrix_new (gint width, gint height, const gdouble * numbers);

/* Creates the matrix with the rows in @text, each in <>:
 * <<1,2,1>,<2,4,2>,<1,2,1>>. Returns NULL with @error if it is none. */
OclLiteral *ocl_matrix_parse (const gchar * text, GError ** error);

/* Creates the matrix in a regular text file of at most 1 MiB. Each line is a
 * row, with blanks or commas between the numbers. Lines without a number are
 * skipped. Does not wait for another process to write data. */
OclLiteral *ocl_matrix_load (const gchar * filename, GError ** error);

/* Sets @list to the numbers in <>, such as <1,2,0.5>, which must be from
 * @minimum to @maximum. If it @has_names, each number has one, such as
 * <strength=0.5,size=2>. <> is empty. @what is the name of the list that users
 * know. On failure, @list does not change. */
gboolean ocl_list_parse (OclLiteral ** list, const gchar * what,
    const gchar * text, gboolean has_names, gdouble minimum, gdouble maximum,
    GError ** error);

/* Returns the number at @place, which counts from 0. Returns @otherwise if the
 * list has no number there. */
gdouble ocl_list_get (const OclLiteral * list, gint place,
    gdouble otherwise);

G_END_DECLS
