/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclusersource.h"

#include <math.h>
#include <string.h>

#include "core/ocltext.h"
#include "ocluserexpander.h"

/* Arguments are floats. */
#define MAX_ARGUMENT 1e9

#define IDENTIFIER "[A-Za-z_][A-Za-z_0-9]*"

/* Words of a pragma's line, after the first two. */
typedef struct
{
  const gchar *file;
  guint line;
  gchar **words;
  guint n;
} Words;

/* Kind of pragma: name, number of following words, and syntax. */
typedef struct
{
  const gchar *name;
  guint least;
  guint most;
  const gchar *usage;
    gboolean (*read) (OclUserSource * self, const Words * words,
      GError ** error);
} Pragma;

G_GNUC_PRINTF (3, 4)
     static gboolean
         fail (const Words * words, GError ** error, const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree gchar *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return ocl_fail (error, "%s:%u: %s", words->file, words->line, text);
}

static gboolean
read_natural (const Words * words, guint place, guint maximum, guint * number,
    GError ** error)
{
  guint64 value;

  if (g_ascii_string_to_unsigned (words->words[place], 10, 0, maximum, &value,
          NULL)) {
    *number = value;
    return TRUE;
  }
  g_autofree gchar *shown = ocl_text_shorten (words->words[place]);
  return fail (words, error, "\"%s\" is not an integer from 0 to %u.", shown,
      maximum);
}

static gboolean
read_number (const Words * words, guint place, gdouble * number,
    GError ** error)
{
  const gchar *word = words->words[place];
  gchar *end = NULL;

  *number = g_ascii_strtod (word, &end);
  /* NaN is in no range. */
  if (end != word && *end == '\0' && fabs (*number) <= MAX_ARGUMENT)
    return TRUE;
  g_autofree gchar *shown = ocl_text_shorten (word);
  return fail (words, error, "\"%s\" is not a number up to %g.",
      shown, MAX_ARGUMENT);
}

/* Reads one of two words. */
static gboolean
read_choice (const Words * words, const gchar * first, const gchar * second,
    guint * chosen, GError ** error)
{
  *chosen = !g_str_equal (words->words[0], first);
  if (*chosen == 0 || (second && g_str_equal (words->words[0], second)))
    return TRUE;
  g_autofree gchar *shown = ocl_text_shorten (words->words[0]);
  return fail (words, error, "\"%s\" is not %s%s%s.", shown, first,
      second ? " or " : "", second ? second : "");
}

static gboolean
read_radius (OclUserSource * self, const Words * words, GError ** error)
{
  guint columns, rows;

  if (!read_natural (words, 0, OCL_USER_MAX_RADIUS, &columns, error)
      || !read_natural (words, words->n - 1, OCL_USER_MAX_RADIUS, &rows, error))
    return FALSE;
  self->radius_x = columns;
  self->radius_y = rows;
  return TRUE;
}

static gboolean
read_history (OclUserSource * self, const Words * words, GError ** error)
{
  return read_natural (words, 0, OCL_USER_MAX_HISTORY, &self->history, error);
}

static gboolean
read_planes (OclUserSource * self, const Words * words, GError ** error)
{
  guint chosen;

  if (!read_choice (words, "luma", "each", &chosen, error))
    return FALSE;
  self->planes = chosen == 0 ? OCL_PLANES_LUMA : OCL_PLANES_ALL;
  return TRUE;
}

static gboolean
read_guide (OclUserSource * self, const Words * words, GError ** error)
{
  guint chosen;

  self->guided = TRUE;
  return read_choice (words, "luma", NULL, &chosen, error);
}

static gboolean
read_alpha (OclUserSource * self, G_GNUC_UNUSED const Words * words,
    G_GNUC_UNUSED GError ** error)
{
  self->alpha = TRUE;
  return TRUE;
}

static gboolean
read_scalar (OclUserSource * self, G_GNUC_UNUSED const Words * words,
    G_GNUC_UNUSED GError ** error)
{
  self->scalar = TRUE;
  return TRUE;
}

/* Names of the inputs of the function besides its arguments. */
static const gchar *const reserved[] = {
  "x", "y", "width", "height", "time", "number", NULL,
};

/* A keyword cannot be the name of a member of a struct. */
#define KEYWORDS "(?:__)?(?:(?:u?(?:char|short|int|long)|float|double|half)" \
    "(?:2|3|4|8|16)?|bool|void|signed|unsigned|event_t|sampler_t|size_t|" \
    "u?intptr_t|ptrdiff_t|image\\w*_t|real|integer|Pixel|Info|auto|break|" \
    "case|const|continue|default|do|else|enum|extern|for|goto|if|inline|" \
    "register|restrict|return|sizeof|static|struct|switch|typedef|union|" \
    "volatile|while|kernel|global|local|constant|private|generic|pipe|" \
    "read_only|write_only|read_write|attribute__|asm)"

/* Returns whether @name is a macro of a program that includes the text. Macros
 * in capitals only are defined by options. */
static gboolean
is_macro (const gchar * name)
{
  const gboolean is_option = strlen (name) > 1
      && !g_regex_match_simple ("[a-z]", name, 0, 0);
  g_autofree gchar *pattern = g_strdup_printf (is_option ? "\\b%s\\b"
      : "(?m)^\\s*#\\s*define\\s+%s\\b", name);

  for (const OclKernelSource * source = ocl_kernel_sources; source->name;
      source++) {
    if (strstr (source->text, "\nINSERTED_TEXT\n")
        && g_regex_match_simple (pattern, source->text, G_REGEX_RAW, 0))
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_name (const OclUserSource * self, const Words * words, GError ** error)
{
  const gchar *name = words->words[0];
  g_autofree gchar *shown = ocl_text_shorten (name);

  if (strlen (name) >= OCL_MAX_NUMBER_NAME
      || !g_regex_match_simple ("^" IDENTIFIER "$", name,
          G_REGEX_DOLLAR_ENDONLY, 0) || g_str_has_prefix (name, "glo_")
      || g_strv_contains (reserved, name))
    return fail (words, error,
        "\"%s\" is no name for an argument: it has letters, digits and _, does "
        "not begin with a digit or glo_, and is not x, y, width, height, time "
        "or number.", shown);
  if (g_regex_match_simple ("^" KEYWORDS "$", name, 0, 0) || is_macro (name))
    return fail (words, error, "An argument cannot be called %s, "
        "which is a word of OpenCL C or of the program. Choose another name.",
        shown);
  if (ocl_user_source_find (self, name) < 0)
    return TRUE;
  return fail (words, error, "The argument %s is there twice.", shown);
}

static gboolean
read_argument (OclUserSource * self, const Words * words, GError ** error)
{
  OclUserArgument argument = { NULL, };

  if (!check_name (self, words, error)
      || !read_number (words, 1, &argument.minimum, error)
      || !read_number (words, 2, &argument.maximum, error)
      || !read_number (words, 3, &argument.default_value, error))
    return FALSE;
  if (!(argument.minimum <= argument.default_value
          && argument.default_value <= argument.maximum))
    return fail (words, error,
        "The default %g is not between %g and %g: write the least value, the "
        "largest, and then the default.", argument.default_value,
        argument.minimum, argument.maximum);
  if (self->n_arguments == OCL_USER_MAX_ARGUMENTS)
    return fail (words, error, "There are more than %d arguments.",
        OCL_USER_MAX_ARGUMENTS);
  argument.name = g_strdup (words->words[0]);
  argument.blurb = g_strdup (words->n > 4 ? words->words[4] : "");
  self->arguments[self->n_arguments++] = argument;
  return TRUE;
}

static const Pragma pragmas[] = {
  {"radius", 1, 2, "radius COLUMNS [ROWS]", read_radius},
  {"history", 1, 1, "history FRAMES", read_history},
  {"argument", 4, 5, "argument NAME LEAST MOST DEFAULT \"MEANING\"",
      read_argument},
  {"planes", 1, 1, "planes luma|each", read_planes},
  {"guide", 1, 1, "guide luma", read_guide},
  {"alpha", 0, 0, "alpha", read_alpha},
  {"scalar", 0, 0, "scalar", read_scalar},
};

static gboolean
read_words (OclUserSource * self, const Words * all, GError ** error)
{
  g_autofree gchar *shown = ocl_text_shorten (all->n > 0 ? all->words[0] : "");

  for (guint i = 0; i < G_N_ELEMENTS (pragmas) && all->n > 0; i++) {
    const Pragma *pragma = &pragmas[i];
    Words words = *all;

    if (!g_str_equal (all->words[0], pragma->name))
      continue;
    words.words++;
    words.n--;
    if (words.n >= pragma->least && words.n <= pragma->most)
      return pragma->read (self, &words, error);
    return fail (all, error, "Write #pragma glopencl %s.", pragma->usage);
  }
  return fail (all, error,
      "There is no #pragma glopencl %s. There are radius, history, argument, "
      "planes, guide, alpha and scalar.", shown);
}

/* Reads the pragmas, and blanks their lines. */
static gboolean
read_pragmas (OclUserSource * self, gchar ** lines, GError ** error)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("^\\s*#\\s*pragma\\s+glopencl\\b(.*)$", G_REGEX_RAW, 0,
      NULL);

  for (guint i = 0; lines[i]; i++) {
    Words words = {.file = self->insert.name,.line = i + 1 };
    g_autoptr (GMatchInfo) match = NULL;
    g_auto (GStrv) list = NULL;
    g_autoptr (GError) problem = NULL;

    if (!g_regex_match (regex, lines[i], 0, &match))
      continue;
    g_autofree gchar *rest = g_match_info_fetch (match, 1);
    if (!g_shell_parse_argv (rest, NULL, &list, &problem)
        && !g_error_matches (problem, G_SHELL_ERROR,
            G_SHELL_ERROR_EMPTY_STRING))
      return fail (&words, error, "A quotation mark is missing.");
    words.words = list;
    words.n = list ? g_strv_length (list) : 0;
    if (!read_words (self, &words, error))
      return FALSE;
    lines[i][0] = '\0';
  }
  return TRUE;
}

/* Detects the form of the text, whose macros are expanded. */
static gboolean
read_form (OclUserSource * self, const gchar * text, GError ** error)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("\\b(?:__)?kernel\\s+void\\s+(" IDENTIFIER ")\\s*\\(",
      G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (strstr (text, "image2d_t") && g_regex_match (regex, text, 0, &match)) {
    self->native_name = g_match_info_fetch (match, 1);
    self->planes = OCL_PLANES_ALL;
    return TRUE;
  }
  if (g_regex_match_simple ("\\bfilter\\s*\\(", text, G_REGEX_RAW, 0))
    return TRUE;
  return ocl_fail (error,
      "%s has no function filter: write Pixel filter (FRAME) { ... }.",
      self->insert.name);
}

/* Returns the definitions for programs with the function, see
 * kernels/user.clh. */
static gchar *
create_definitions (const OclUserSource * self)
{
  GString *text = g_string_new (NULL);

  if (self->native_name) {
    g_string_printf (text, "#define NATIVE\n#define %s user\n",
        self->native_name);
    return g_string_free (text, FALSE);
  }
  g_string_printf (text, "#define RADIUS_X %d\n#define RADIUS_Y %d\n"
      "#define HISTORY %u\n#define HAS_ALPHA %d\n#define USES_LUMA %d\n"
      "#define ARGUMENTS", self->radius_x, self->radius_y, self->history,
      self->alpha, self->guided);
  for (guint i = 0; i < self->n_arguments; i++)
    g_string_append_printf (text, " float %s;", self->arguments[i].name);
  g_string_append (text, "\n#define SET_ARGUMENTS(info, values)");
  for (guint i = 0; i < self->n_arguments; i++)
    g_string_append_printf (text, " (info).%s = (values).s%x;",
        self->arguments[i].name, i);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

/* Source without a text. */
static const OclUserSource identity = {
  .insert = {.name = "identity",.text = "#line 1 \"identity\"\n"
        "Pixel filter (FRAME)\n{\n  return pixel (frame, 0, 0);\n}\n",
      .definitions = "#define RADIUS_X 0\n#define RADIUS_Y 0\n"
        "#define HISTORY 0\n#define HAS_ALPHA 0\n#define USES_LUMA 0\n"
        "#define ARGUMENTS\n#define SET_ARGUMENTS(info, values)\n"},
};

static const OclInsert harmless_native = {
  .name = "identity",.definitions = "#define NATIVE\n",
  .text =
      "#line 1 \"identity\"\nkernel void user (write_only image2d_t target, "
      "unsigned int index, read_only image2d_t source)\n{\n}\n",
};

/* Returns the text, with line directives, so that the driver's messages name
 * the user's file and lines. Macros of the program with names in @macros are
 * hidden from the text, and restored after it. */
static gchar *
create_text (const gchar * name, const gchar * text, GHashTable * macros)
{
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (macros, NULL);
  GString *result = g_string_new (NULL);

  for (guint i = 0; names[i]; i++)
    g_string_append_printf (result, "#pragma push_macro(\"%s\")\n",
        (const gchar *) names[i]);
  g_string_append_printf (result, "#line 1 \"%s\"\n%s\n", name, text);
  for (guint i = 0; names[i]; i++)
    g_string_append_printf (result, "#pragma pop_macro(\"%s\")\n",
        (const gchar *) names[i]);
  g_string_append (result, "#line 1 \"glopencl\"\n");
  return g_string_free (result, FALSE);
}

OclUserSource *
ocl_user_source_new (const gchar * name, const gchar * text, GError ** error)
{
  g_autoptr (OclUserSource) self = g_new0 (OclUserSource, 1);
  g_autoptr (GHashTable) macros =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  /* Some editors begin files with a byte order mark. */
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  self->insert.name = ocl_text_shorten (name);
  /* The name in a line directive is a C string. */
  for (gchar * c = self->insert.name; *c; c++) {
    if (*c == '"' || *c == '\\' || g_ascii_iscntrl (*c))
      *c = '_';
  }
  if (strlen (text) > OCL_USER_MAX_TEXT) {
    ocl_fail (error, "%s has more than %d bytes.", self->insert.name,
        OCL_USER_MAX_TEXT);
    return NULL;
  }
  if (!read_pragmas (self, lines, error))
    return NULL;
  g_autofree gchar *joined = g_strjoinv ("\n", lines);
  g_autofree gchar *expanded =
      ocl_user_expand (self->insert.name, joined, macros, error);
  if (!expanded || !read_form (self, expanded, error))
    return NULL;
  self->insert.definitions = create_definitions (self);
  self->insert.text = create_text (self->insert.name, joined, macros);
  self->insert.harmless =
      self->native_name ? &harmless_native : &identity.insert;
  if (self->native_name)
    self->insert.hint = g_strdup_printf ("Write kernel void %s (write_only "
        "image2d_t target, unsigned int index, read_only image2d_t source).",
        self->native_name);
  return g_steal_pointer (&self);
}

void
ocl_user_source_free (OclUserSource * self)
{
  for (guint i = 0; i < self->n_arguments; i++) {
    g_free (self->arguments[i].name);
    g_free (self->arguments[i].blurb);
  }
  g_free (self->insert.definitions);
  g_free (self->insert.text);
  g_free (self->insert.hint);
  g_free (self->native_name);
  g_free (self->insert.name);
  g_free (self);
}

static void
free_insert (gpointer insert)
{
  ocl_user_source_free (insert);
}

OclLiteral *
ocl_user_source_create_text (const gchar * name, const gchar * text,
    GError ** error)
{
  OclUserSource *source =
      *text ? ocl_user_source_new (name, text, error) : NULL;
  OclLiteral *literal = source ? ocl_literal_new (text) : NULL;

  if (literal) {
    literal->name = g_strdup (name);
    literal->insert = &source->insert;
    literal->free_insert = free_insert;
  }
  return literal;
}

const OclUserSource *
ocl_user_source_of (const OclLiteral * text)
{
  return text && text->insert ? (const OclUserSource *) text->insert
      : &identity;
}

gint
ocl_user_source_find (const OclUserSource * self, const gchar * name)
{
  for (guint i = 0; i < self->n_arguments; i++) {
    if (g_str_equal (self->arguments[i].name, name))
      return i;
  }
  return -1;
}
