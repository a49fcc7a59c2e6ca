/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclliteral.h"

#include <math.h>
#include <string.h>

#include "core/ocltext.h"

#define EXAMPLE "<<1,2,1>,<2,4,2>,<1,2,1>>"

/* These characters separate the numbers of a line of a file. */
#define SEPARATORS " ,\t\r"

/* Maximum size of a file in bytes, far above the largest matrix. */
#define MAX_FILE_SIZE (1 << 20)

/* Maximum number of words of a list, far above OCL_MAX_NUMBERS. */
#define MAX_WORDS 1000

OclLiteral *
ocl_literal_new (const gchar * text)
{
  OclLiteral *self;

  if (!text || !*text)
    return NULL;
  self = g_atomic_rc_box_new0 (OclLiteral);
  self->text = g_strdup (text);
  self->hash = g_str_hash (text);
  return self;
}

OclLiteral *
ocl_literal_ref (OclLiteral * self)
{
  return self ? g_atomic_rc_box_acquire (self) : NULL;
}

static void
literal_clear (gpointer data)
{
  OclLiteral *self = data;

  if (self->insert)
    self->free_insert (self->insert);
  g_free (self->name);
  g_free (self->text);
  g_free (self->numbers);
  g_strfreev (self->names);
}

void
ocl_literal_unref (OclLiteral * self)
{
  if (self)
    g_atomic_rc_box_release_full (self, literal_clear);
}

void
ocl_literal_take (OclLiteral ** self, OclLiteral * other)
{
  ocl_literal_unref (*self);
  *self = other;
}

gboolean
ocl_literal_equals (const OclLiteral * a, const OclLiteral * b)
{
  return a == b || (a && b && a->hash == b->hash
      && g_str_equal (a->text, b->text) && g_strcmp0 (a->name, b->name) == 0);
}

const gchar *
ocl_literal_get_text (const OclLiteral * self)
{
  return self ? self->text : "";
}

/* Position of a number: in a row of a matrix, after a name, or in a list. */
typedef struct
{
  const gchar *what;
  const gchar *name;
  gint row;
  gint column;
} Place;

/* Adds the number in @word. */
static gboolean
add_number (GArray * numbers, const Place * place, const gchar * word,
    gdouble minimum, gdouble maximum, GError ** error)
{
  gchar *end = NULL;
  const gdouble number = g_ascii_strtod (word, &end);
  const gboolean is_number = end != word && *end == '\0';

  /* NaN is never in the range. */
  if (is_number && number >= minimum && number <= maximum) {
    g_array_append_val (numbers, number);
    return TRUE;
  }
  g_autofree gchar *found = is_number ? ocl_number_print (number)
      : ocl_text_shorten (word);
  g_autofree gchar *where = place->name ? ocl_text_shorten (place->name)
      : place->row > 0 ? g_strdup_printf ("row %d, column %d", place->row,
      place->column) : g_strdup_printf ("place %d", place->column);
  g_autofree gchar *least = ocl_number_print (minimum);
  g_autofree gchar *most = ocl_number_print (maximum);
  /* A text may be quoted. */
  const gchar *mark = *found == '"' ? "" : "\"";

  return is_number ? ocl_fail (error, "%s has %s in %s: numbers can be from %s "
      "to %s.", place->what, found, where, least, most)
      : ocl_fail (error, "%s has %s%s%s in %s, where a number is needed.",
      place->what, mark, found, mark, where);
}

/* Returns a literal of @numbers, with @names or as rows of @width numbers.
 * Takes ownership of both arrays. */
static OclLiteral *
create (GArray * numbers, GPtrArray * names, gint width)
{
  OclLiteral *self = NULL;

  if (numbers->len > 0) {
    GString *text = g_string_new ("<");

    self = g_atomic_rc_box_new0 (OclLiteral);
    self->n = numbers->len;
    self->width = width;
    self->height = width > 0 ? self->n / width : 0;
    self->numbers = (gdouble *) g_array_free (numbers, FALSE);
    if (names) {
      g_ptr_array_add (names, NULL);
      self->names = (gchar **) g_ptr_array_free (names, FALSE);
    }
    for (gint i = 0; i < self->n; i++) {
      g_autofree gchar *number = ocl_number_print (self->numbers[i]);

      if (width > 0 && i % width == 0)
        g_string_append (text, i == 0 ? "<" : ">,<");
      else if (i > 0)
        g_string_append_c (text, ',');
      if (names)
        g_string_append_printf (text, "%s=", self->names[i]);
      g_string_append (text, number);
    }
    g_string_append (text, width > 0 ? ">>" : ">");
    self->text = g_string_free (text, FALSE);
    self->hash = g_str_hash (self->text);
  } else {
    g_array_unref (numbers);
    g_clear_pointer (&names, g_ptr_array_unref);
  }
  return self;
}

/* State while a matrix is read. */
typedef struct
{
  gint width;
  gint height;
  GArray *numbers;
} Rows;

static gboolean
fail_without_row (const Rows * self, GError ** error)
{
  return ocl_fail (error,
      "The matrix has no list of numbers in <> as row %d, from column 1 "
      "on: write it as %s.", self->height + 1, EXAMPLE);
}

/* Adds the numbers of @text as the next row. @separators are the characters
 * between numbers. If they include a blank, several separators may be
 * adjacent. */
static gboolean
rows_add (Rows * self, const gchar * text, const gchar * separators,
    GError ** error)
{
  const gboolean several = strchr (separators, ' ') != NULL;
  const gint row = ++self->height;
  g_auto (GStrv) words = g_strsplit_set (text, separators, -1);
  gint n = 0;

  for (guint i = 0; words[i]; i++) {
    const Place place = { "The matrix", NULL, row, n + 1 };

    if (!*words[i] && several)
      continue;
    if (!add_number (self->numbers, &place, words[i], -OCL_MATRIX_MAX_NUMBER,
            OCL_MATRIX_MAX_NUMBER, error))
      return FALSE;
    n++;
  }
  if (row > OCL_MATRIX_MAX_SIDE || n > OCL_MATRIX_MAX_SIDE)
    return ocl_fail (error,
        "The matrix reaches row %d, column %d: at most %d rows "
        "and columns are possible.", row, MAX (n, 1), OCL_MATRIX_MAX_SIDE);
  if (n == 0)
    return ocl_fail (error,
        "The matrix has no number in row %d, column 1: write "
        "rows of numbers, such as %s.", row, EXAMPLE);
  if (row == 1)
    self->width = n;
  return n == self->width
      || ocl_fail (error,
      "The matrix has %d columns in row "
      "%d, and %d in row 1: all rows need the same number of columns.", n, row,
      self->width);
}

static gboolean
rows_check (const Rows * self, GError ** error)
{
  gboolean is_zero = TRUE;

  if (self->width == 0)
    return ocl_fail (error,
        "The matrix has no row 1, column 1: it is empty. Write "
        "rows of numbers, such as %s.", EXAMPLE);
  if (self->width % 2 == 0 || self->height % 2 == 0)
    return ocl_fail (error,
        "The matrix ends with row %d, column %d: both numbers "
        "must be odd, so that the matrix has a middle.", self->height,
        self->width);
  for (guint i = 0; i < self->numbers->len; i++)
    is_zero &= g_array_index (self->numbers, gdouble, i) == 0.0;
  return !is_zero
      || ocl_fail (error,
      "The matrix is 0 from row 1, column 1 to row "
      "%d, column %d: at least one number must not be 0.", self->height,
      self->width);
}

/* Returns the matrix of the rows if @ok is set, or NULL. */
static OclLiteral *
rows_end (Rows * self, gboolean ok, GError ** error)
{
  if (ok && rows_check (self, error))
    return create (self->numbers, NULL, self->width);
  g_array_unref (self->numbers);
  return NULL;
}

/* Adds the rows of @text, which has no blanks and starts with the <...> of the
 * next row. */
static gboolean
rows_parse (Rows * self, const gchar * text, GError ** error)
{
  while (*text == '<') {
    const gchar *end = strchr (text, '>');

    if (!end)
      break;
    g_autofree gchar *row = g_strndup (text + 1, end - text - 1);
    if (!rows_add (self, row, ",", error))
      return FALSE;
    text = end + 1;
    if (g_str_equal (text, ">"))
      return TRUE;
    if (*text++ != ',')
      break;
  }
  return fail_without_row (self, error);
}

OclLiteral *
ocl_matrix_parse (const gchar * text, GError ** error)
{
  Rows rows = {.numbers = g_array_new (FALSE, FALSE, sizeof (gdouble)) };
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n", -1);
  g_autofree gchar *bare = g_strjoinv (NULL, words);
  const gboolean ok = g_str_equal (bare, "<>")
      || (*bare == '<' ? rows_parse (&rows, bare + 1, error)
      : fail_without_row (&rows, error));

  return rows_end (&rows, ok, error);
}

OclLiteral *
ocl_matrix_load (const gchar * filename, GError ** error)
{
  Rows rows = {.numbers = g_array_new (FALSE, FALSE, sizeof (gdouble)) };
  g_autofree gchar *name = g_filename_display_name (filename);
  g_autofree gchar *text = ocl_text_file_load (filename, "The matrix",
      "with one row of a matrix per line", MAX_FILE_SIZE, error);
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);
  gboolean ok = text != NULL;

  for (guint i = 0; ok && lines[i]; i++)
    ok = lines[i][strspn (lines[i], SEPARATORS)] == '\0'
        || rows_add (&rows, lines[i], SEPARATORS, error);
  OclLiteral *matrix = rows_end (&rows, ok, error);
  if (text && !matrix)
    g_prefix_error (error, "%s: ", name);
  return matrix;
}

OclLiteral *
ocl_matrix_new (gint width, gint height, const gdouble * numbers)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (gdouble));

  return create (g_array_append_vals (copy, numbers, width * height), NULL,
      width);
}

gboolean
ocl_list_parse (OclLiteral ** self, const gchar * what, const gchar * text,
    gboolean has_names, gdouble minimum, gdouble maximum, GError ** error)
{
  const guint most = has_names ? OCL_MAX_NAMED_NUMBERS : OCL_MAX_NUMBERS;
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *bare = g_strstrip (g_strdup (text));
  const gsize length = strlen (bare);

  if (length < 2 || bare[0] != '<' || bare[length - 1] != '>')
    return ocl_fail (error, "%s is not a list of numbers in <>: write it as "
        "%s.", what, has_names ? "<NAME=NUMBER,NAME=NUMBER>" : "<1,2>");
  bare[length - 1] = '\0';
  g_auto (GStrv) words = g_strsplit (g_strstrip (bare + 1), ",", MAX_WORDS);
  for (gint i = 0; words[i]; i++) {
    Place place = { what, NULL, 0, i + 1 };
    gchar *value = g_strstrip (words[i]);

    if (has_names) {
      g_autofree gchar *shown = ocl_text_shorten (words[i]);
      gchar *equals = strchr (words[i], '=');
      const gsize n = equals ? equals - words[i] : 0;

      if (n == 0 || n >= OCL_MAX_NUMBER_NAME)
        return ocl_fail (error,
            "\"%s\" is not a name of 1 to %d characters, =, " "and a number.",
            shown, OCL_MAX_NUMBER_NAME - 1);
      *equals = '\0';
      if (g_ptr_array_find_with_equal_func (names, value, g_str_equal, NULL))
        return ocl_fail (error, "%s is set twice.", value);
      g_ptr_array_add (names, g_strdup (value));
      place.name = value;
      value = equals + 1;
    }
    if (!add_number (numbers, &place, value, minimum, maximum, error))
      return FALSE;
  }
  if (numbers->len > most)
    return ocl_fail (error, "%s has %u numbers; at most %u are possible.", what,
        numbers->len, most);
  ocl_literal_take (self, create (g_steal_pointer (&numbers),
          has_names ? g_steal_pointer (&names) : NULL, 0));
  return TRUE;
}

gdouble
ocl_list_get (const OclLiteral * self, gint place, gdouble otherwise)
{
  return self && place < self->n ? self->numbers[place] : otherwise;
}
