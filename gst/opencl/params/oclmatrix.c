/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmatrix.h"

#include <math.h>
#include <string.h>

#include "core/ocltext.h"
#include "core/ocltextfile.h"

#define EXAMPLE "<<1,2,1>,<2,4,2>,<1,2,1>>"

/* These characters separate the numbers of a line of a file. */
#define SEPARATORS " ,\t\r"

/* The largest size of a file in bytes, far more than the largest matrix
 * takes. */
#define MAX_FILE_SIZE (1 << 20)

void
ocl_matrix_begin (OclMatrix * self)
{
  memset (self, 0, sizeof (*self));
}

void
ocl_matrix_set_no_number (GError ** error, guint row, guint column,
    const gchar * text)
{
  g_autofree gchar *shown = ocl_text_shorten (text);

  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "The matrix has \"%s\" in row %u, column %u, where a number is needed.",
      shown, row + 1, column + 1);
}

void
ocl_matrix_set_no_rows (GError ** error, guint row)
{
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "The matrix has no list of numbers in <> as row %u, from column 1 "
      "on: write it as %s.", row + 1, EXAMPLE);
}

static gboolean
check_number (guint row, guint column, gdouble number, GError ** error)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (fabs (number) <= OCL_MATRIX_MAX_NUMBER)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "The matrix has %s in row %u, column %u: numbers can be from -%.0f to "
      "%.0f.", g_ascii_formatd (text, sizeof (text), "%g", number), row + 1,
      column + 1, OCL_MATRIX_MAX_NUMBER, OCL_MATRIX_MAX_NUMBER);
  return FALSE;
}

gboolean
ocl_matrix_add_row (OclMatrix * self, const gdouble * numbers, guint n,
    GError ** error)
{
  const guint row = self->height;

  for (guint i = 0; i < n; i++) {
    if (!check_number (row, i, numbers[i], error))
      return FALSE;
  }
  if (row >= OCL_MATRIX_MAX_SIDE || n > OCL_MATRIX_MAX_SIDE) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The matrix reaches row %u, column %u: at most %d rows and "
        "columns are possible.", row + 1, MAX (n, 1), OCL_MATRIX_MAX_SIDE);
    return FALSE;
  }
  if (n == 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The matrix has no number in row %u, column 1: write rows "
        "of numbers, such as %s.", row + 1, EXAMPLE);
    return FALSE;
  }
  if (row == 0)
    self->width = n;
  if (n != (guint) self->width) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The matrix has %u columns in row %u, and %d in row 1: all "
        "rows need the same number of columns.", n, row + 1, self->width);
    return FALSE;
  }
  memcpy (self->numbers + row * n, numbers, n * sizeof (gdouble));
  self->height++;
  return TRUE;
}

gboolean
ocl_matrix_finish (OclMatrix * self, GError ** error)
{
  if (self->width == 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The matrix has no row 1, column 1: it is empty. Write rows of "
        "numbers, such as %s.", EXAMPLE);
    return FALSE;
  }
  if (self->width % 2 == 0 || self->height % 2 == 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The matrix ends with row %d, column %d: both numbers must "
        "be odd, so that the matrix has a middle.", self->height, self->width);
    return FALSE;
  }
  for (gint i = 0; i < self->width * self->height; i++) {
    if (self->numbers[i] != 0.0)
      return TRUE;
  }
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "The matrix is 0 from row 1, column 1 to row %d, column "
      "%d: at least one number must not be 0.", self->height, self->width);
  return FALSE;
}

/* Adds the numbers of @text as the next row. @separators are the characters
 * between numbers. If a blank is one of them, several separators may follow
 * each other. */
static gboolean
parse_row (OclMatrix * self, const gchar * text, const gchar * separators,
    GError ** error)
{
  const gboolean several = strchr (separators, ' ') != NULL;
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_auto (GStrv) words = g_strsplit_set (text, separators, -1);

  for (guint i = 0; words[i]; i++) {
    gchar *end = NULL;
    const gdouble number = g_ascii_strtod (words[i], &end);

    if (!*words[i] && several)
      continue;
    if (!*words[i] || *end) {
      ocl_matrix_set_no_number (error, self->height, numbers->len, words[i]);
      return FALSE;
    }
    g_array_append_val (numbers, number);
  }
  return ocl_matrix_add_row (self, (const gdouble *) numbers->data,
      numbers->len, error);
}

/* Adds the rows of @text, which has no blanks and starts with the <...> of the
 * next row. */
static gboolean
parse_rows (OclMatrix * self, const gchar * text, GError ** error)
{
  while (*text == '<') {
    const gchar *end = strchr (text, '>');

    if (!end)
      break;
    g_autofree gchar *row = g_strndup (text + 1, end - text - 1);
    if (!parse_row (self, row, ",", error))
      return FALSE;
    text = end + 1;
    if (g_str_equal (text, ">"))
      return TRUE;
    if (*text++ != ',')
      break;
  }
  ocl_matrix_set_no_rows (error, self->height);
  return FALSE;
}

static gchar *
remove_blanks (const gchar * text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n", -1);

  return g_strjoinv (NULL, words);
}

gboolean
ocl_matrix_parse (OclMatrix * self, const gchar * text, GError ** error)
{
  g_autofree gchar *bare = remove_blanks (text);
  OclMatrix matrix;

  ocl_matrix_begin (&matrix);
  if (*bare != '<') {
    ocl_matrix_set_no_rows (error, 0);
    return FALSE;
  }
  if (!g_str_equal (bare, "<>") && !parse_rows (&matrix, bare + 1, error))
    return FALSE;
  if (!ocl_matrix_finish (&matrix, error))
    return FALSE;
  *self = matrix;
  return TRUE;
}

static gboolean
parse_lines (OclMatrix * self, gchar ** lines, GError ** error)
{
  ocl_matrix_begin (self);
  for (guint i = 0; lines[i]; i++) {
    const gboolean blank = lines[i][strspn (lines[i], SEPARATORS)] == '\0';

    if (!blank && !parse_row (self, lines[i], SEPARATORS, error))
      return FALSE;
  }
  return ocl_matrix_finish (self, error);
}

gboolean
ocl_matrix_load (OclMatrix * self, const gchar * filename, GError ** error)
{
  OclMatrix matrix;
  g_autofree gchar *text = ocl_text_file_load (filename, "The matrix",
      "with one row of a matrix per line", MAX_FILE_SIZE, error);
  g_auto (GStrv) lines = text ? g_strsplit (text, "\n", -1) : NULL;

  if (!text)
    return FALSE;
  if (!parse_lines (&matrix, lines, error)) {
    g_autofree gchar *name = g_filename_display_name (filename);

    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  *self = matrix;
  return TRUE;
}

gchar *
ocl_matrix_print (const OclMatrix * self)
{
  GString *text = g_string_new ("<");

  for (gint i = 0; i < self->width * self->height; i++) {
    g_autofree gchar *number = ocl_number_print (self->numbers[i]);

    if (i % self->width == 0)
      g_string_append (text, i == 0 ? "<" : ">,<");
    else
      g_string_append_c (text, ',');
    g_string_append (text, number);
  }
  g_string_append (text, ">>");
  return g_string_free (text, FALSE);
}
