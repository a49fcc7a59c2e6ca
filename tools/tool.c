/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tool.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl/ocloperations.h"

/* Limit of a frame whose bytes can be counted in 32 bits. */
#define MAX_SIDE 16384

/* The values of a parameter, of the first operation that has it. */
typedef struct
{
  const OclParam *param;
  gchar *help;
  gchar *text;                  /* as given, or NULL */
} ParamList;

GOptionContext *
tool_options_new (const gchar * summary, const gchar * description)
{
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  /* GLib's --help would exit before write errors are checked. */
  g_option_context_set_help_enabled (context, FALSE);
  return context;
}

gboolean
tool_parse_options (GOptionContext * context, int argc, char **argv,
    int *status)
{
  gboolean help = FALSE;
  const GOptionEntry entries[] = {
    {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL},
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  *status = TOOL_MISUSED;
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    tool_complain ("%s. See %s --help.", error->message, g_get_prgname ());
    return FALSE;
  }
  if (help) {
    g_autofree gchar *text = g_option_context_get_help (context, TRUE, NULL);

    fputs (text, stdout);
    *status = EXIT_SUCCESS;
    return FALSE;
  }
  if (argc > 1) {
    tool_complain ("Unexpected argument \"%s\". See %s --help.", argv[1],
        g_get_prgname ());
    return FALSE;
  }
  return TRUE;
}

void
tool_complain (const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree gchar *complaint = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  tool_show_progress ("%s", "");
  fprintf (stderr, "%s: %s\n", g_get_prgname (), complaint);
}

void
tool_complain_of_value (const gchar * option, const gchar * value,
    const gchar * expected)
{
  tool_complain ("%s: \"%s\" is not %s", option, value, expected);
}

gboolean
tool_check_count (const gchar * option, gint n, gint least, gint most)
{
  if (n >= least && n <= most)
    return TRUE;
  tool_complain ("%s: \"%d\" is not an integer from %d to %d", option, n, least,
      most);
  return FALSE;
}

const gchar **
tool_list_names (gconstpointer things, gsize offset)
{
  GPtrArray *names = g_ptr_array_new ();

  for (const gpointer * thing = things; *thing; thing++)
    g_ptr_array_add (names, G_STRUCT_MEMBER (gpointer, *thing, offset));
  g_ptr_array_add (names, NULL);
  return (const gchar **) g_ptr_array_free (names, FALSE);
}

gint
tool_find_name (const gchar * option, const gchar * text,
    const gchar * const *names)
{
  for (gint i = 0; names[i]; i++) {
    if (g_str_equal (names[i], text))
      return i;
  }
  g_autofree gchar *known = g_strjoinv (", ", (gchar **) names);
  g_autofree gchar *expected = g_strdup_printf ("one of %s", known);
  tool_complain_of_value (option, text, expected);
  return -1;
}

gboolean
tool_parse_names (const gchar * option, const gchar * text,
    const gchar * const *names, GArray * values)
{
  g_auto (GStrv) parts = ocl_param_split (text);

  for (guint i = 0; parts[i]; i++) {
    const gint found = tool_find_name (option, parts[i], names);

    if (found < 0)
      return FALSE;
    g_array_append_val (values, found);
  }
  return TRUE;
}

gboolean
tool_parse_sizes (const gchar * option, const gchar * text, GArray * values)
{
  g_auto (GStrv) parts = ocl_param_split (text);

  for (guint i = 0; parts[i]; i++) {
    g_auto (GStrv) sides = g_strsplit (parts[i], "x", -1);
    guint64 n[2];

    if (g_strv_length (sides) != 2
        || !g_ascii_string_to_unsigned (sides[0], 10, 1, MAX_SIDE, &n[0], NULL)
        || !g_ascii_string_to_unsigned (sides[1], 10, 1, MAX_SIDE, &n[1], NULL)) {
      tool_complain_of_value (option, parts[i], "a size such as 1280x720");
      return FALSE;
    }
    const ToolSize size = { n[0], n[1] };
    g_array_append_val (values, size);
  }
  return TRUE;
}

static void
param_list_free (gpointer data)
{
  ParamList *list = data;

  g_free (list->help);
  g_free (list->text);
  g_free (list);
}

static ParamList *
param_lists_find (GPtrArray * lists, const gchar * name)
{
  for (guint i = 0; i < lists->len; i++) {
    ParamList *list = lists->pdata[i];

    if (g_str_equal (list->param->name, name))
      return list;
  }
  return NULL;
}

GPtrArray *
param_lists_new (GOptionContext * context, gboolean swept_only)
{
  GPtrArray *lists = g_ptr_array_new_with_free_func (param_list_free);

  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];
    const OclParam *param = klass->params;
    g_autoptr (OclParams) defaults = ocl_operation_class_create_params (klass);

    for (; param && param->name; param++) {
      if ((swept_only && !param->bench)
          || param_lists_find (lists, param->name))
        continue;
      g_autofree gchar *value = ocl_param_print (param, defaults);
      ParamList *list = g_new0 (ParamList, 1);
      list->param = param;
      list->help = g_strdup_printf ("%s (%s)", param->blurb,
          param->bench ? param->bench : value);
      g_ptr_array_add (lists, list);
      const GOptionEntry entries[] = {
        {param->name, 0, 0, G_OPTION_ARG_STRING, &list->text, list->help,
            "LIST"},
        G_OPTION_ENTRY_NULL
      };
      g_option_context_add_main_entries (context, entries, NULL);
    }
  }
  return lists;
}

static gchar *
describe_number (const OclParam * param, const gchar * kind)
{
  return g_strdup_printf ("%s from %.10g to %.10g", kind, param->minimum,
      param->maximum);
}

gchar *
param_describe_values (const OclParam * param)
{
  GString *nicks;

  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      return g_strdup ("true or false");
    case OCL_PARAM_INT:
    case OCL_PARAM_UINT:
      return describe_number (param, "an integer");
    case OCL_PARAM_UINT64:
      return g_strdup ("an integer from 0 to 2^64 - 1");
    case OCL_PARAM_DOUBLE:
      return describe_number (param, "a number");
    case OCL_PARAM_ENUM:
    case OCL_PARAM_FLAGS:
      nicks = g_string_new (NULL);
      for (const OclValue * value = param->values->values; value->nick; value++)
        g_string_append_printf (nicks, "%s%s", nicks->len ? ", " : "one of ",
            value->nick);
      if (param->type == OCL_PARAM_FLAGS)
        g_string_append (nicks, ", or several joined by +");
      return g_string_free (nicks, FALSE);
    case OCL_PARAM_MATRIX:
      return g_strdup_printf ("rows of numbers, odd in number and length, such "
          "as %s", param->default_text);
    case OCL_PARAM_NUMBERS:
      return describe_number (param, "<> with numbers, each");
    case OCL_PARAM_NAMED_NUMBERS:
      return g_strdup ("<> with named numbers, such as <size=2>");
    case OCL_PARAM_FILE:
      return g_strdup ("the name of a usable file");
    case OCL_PARAM_TEXT:
      return g_strdup ("a usable text");
  }
  g_assert_not_reached ();
}

gboolean
param_lists_check (GPtrArray * lists, GPtrArray * classes)
{
  for (guint i = 0; i < lists->len; i++) {
    const ParamList *list = lists->pdata[i];
    g_auto (GStrv) values = list->text ? ocl_param_split (list->text) : NULL;
    gboolean found = FALSE;

    for (guint j = 0; values && j < classes->len; j++) {
      const OclOperationClass *klass = classes->pdata[j];
      const OclParam *param =
          ocl_params_find (klass->params, list->param->name);
      g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);

      for (guint n = 0; param && values[n]; n++) {
        if (!ocl_operation_class_parse (klass, param, values[n], params)) {
          g_autofree gchar *option = g_strdup_printf ("--%s", param->name);
          g_autofree gchar *legal = param_describe_values (param);

          tool_complain_of_value (option, values[n], legal);
          return FALSE;
        }
      }
      found = found || param;
    }
    if (values && !found) {
      tool_complain ("--%s: not a parameter of these operations. See "
          "glopencl operations", list->param->name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Returns the list of a parameter of @klass, or NULL for its default. */
static const gchar *
param_lists_get_text (GPtrArray * lists, const OclOperationClass * klass,
    const OclParam * param)
{
  for (guint i = 0; i < lists->len; i++) {
    const ParamList *list = lists->pdata[i];

    if (list->text && ocl_params_find (klass->params, list->param->name)) {
      list = param_lists_find (lists, param->name);
      return list ? list->text : NULL;
    }
  }
  return param->bench;
}

GPtrArray *
param_lists_get_listed (GPtrArray * lists, GPtrArray * classes)
{
  GPtrArray *listed = g_ptr_array_new ();

  for (guint i = 0; i < lists->len; i++) {
    const ParamList *list = lists->pdata[i];

    for (guint j = 0; j < classes->len; j++) {
      const OclOperationClass *klass = classes->pdata[j];
      const OclParam *param =
          ocl_params_find (klass->params, list->param->name);

      if (param && param_lists_get_text (lists, klass, param)) {
        g_ptr_array_add (listed, (gpointer) list->param);
        break;
      }
    }
  }
  return listed;
}

GPtrArray *
param_lists_combine (GPtrArray * lists, const OclOperationClass * klass)
{
  GPtrArray *combined = g_ptr_array_new_with_free_func (ocl_params_free);
  const OclParam *param = klass->params;

  g_ptr_array_add (combined, ocl_operation_class_create_params (klass));
  for (; param && param->name; param++) {
    const gchar *text = param_lists_get_text (lists, klass, param);
    g_auto (GStrv) values = text ? ocl_param_split (text) : NULL;

    if (!values)
      continue;
    g_autoptr (GPtrArray) before = combined;
    combined = g_ptr_array_new_with_free_func (ocl_params_free);
    for (guint i = 0; i < before->len; i++) {
      for (guint j = 0; values[j]; j++) {
        OclParams *params =
            ocl_operation_class_copy_params (klass, before->pdata[i]);

        ocl_operation_class_parse (klass, param, values[j], params);
        g_ptr_array_add (combined, params);
      }
    }
  }
  return combined;
}

OclContext *
tool_open_device (const gchar * selector)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  g_autoptr (OclDevice) device = devices
      ? ocl_device_select (devices, selector, &error) : NULL;
  OclContext *context = device ? ocl_context_new (device, NULL, &error) : NULL;

  if (!context)
    tool_complain ("%s", error->message);
  return context;
}

void
tool_show_progress (const gchar * format, ...)
{
  va_list arguments;

  if (!isatty (STDERR_FILENO))
    return;
  va_start (arguments, format);
  g_autofree gchar *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* The start of the line, the text, and a clear to the end of the line. */
  fprintf (stderr, "\r%.78s\033[K", text);
  fflush (stderr);
}

gchar *
tool_get_first_line (const GError * error)
{
  return g_strndup (error->message, strcspn (error->message, "\n"));
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble first = *(const gdouble *) a;
  gdouble second = *(const gdouble *) b;

  return (first > second) - (first < second);
}

gdouble
tool_get_median (GArray * values)
{
  const guint n = values->len;

  g_array_sort (values, compare_doubles);
  return (g_array_index (values, gdouble, (n - 1) / 2)
      + g_array_index (values, gdouble, n / 2)) / 2.0;
}

/* Reports */

struct _Report
{
  GArray *columns;              /* ReportColumn */
  GPtrArray *cells;             /* strings, row after row */
};

Report *
report_new (void)
{
  Report *self = g_new0 (Report, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (ReportColumn));
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
report_free (Report * self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

void
report_add_columns (Report * self, const ReportColumn * columns, guint n)
{
  g_array_append_vals (self->columns, columns, n);
}

void
report_add (Report * self, const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->cells, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

void
report_add_empty (Report * self, guint n)
{
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->cells, g_strdup (""));
}

/* Returns a heading and the rows. Spaces align the columns. */
static gchar *
print_table (const Report * self)
{
  const guint n = self->columns->len;
  const ReportColumn *columns = (const ReportColumn *) self->columns->data;
  g_autofree glong *widths = g_new (glong, n);
  g_autoptr (GString) line = g_string_new (NULL);
  GString *table = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    widths[i] = g_utf8_strlen (columns[i].name, -1);
    for (guint j = i; j < self->cells->len; j += n)
      widths[i] = MAX (widths[i], g_utf8_strlen (self->cells->pdata[j], -1));
  }
  for (guint row = 0; row <= self->cells->len / n; row++) {
    for (guint i = 0; i < n; i++) {
      const gchar *text = row == 0 ? columns[i].name
          : self->cells->pdata[(row - 1) * n + i];
      const gint padding = widths[i] - g_utf8_strlen (text, -1);

      if (!columns[i].csv_only)
        g_string_append_printf (line, "%s%*s%s%*s", line->len > 0 ? "  " : "",
            columns[i].is_number ? padding : 0, "", text,
            columns[i].is_number ? 0 : padding, "");
    }
    g_string_append_printf (table, "%s\n", g_strchomp (line->str));
    g_string_truncate (line, 0);
  }
  return g_string_free (table, FALSE);
}

static gchar *
print_csv (const Report * self)
{
  const guint n = self->columns->len;
  GString *csv = g_string_new (NULL);

  for (guint i = 0; i < n + self->cells->len; i++) {
    const gchar *text = i < n
        ? g_array_index (self->columns, ReportColumn, i).name
        : self->cells->pdata[i - n];

    if (strpbrk (text, ",\"\n")) {
      g_auto (GStrv) parts = g_strsplit (text, "\"", -1);
      g_autofree gchar *doubled = g_strjoinv ("\"\"", parts);

      g_string_append_printf (csv, "\"%s\"", doubled);
    } else {
      g_string_append (csv, text);
    }
    g_string_append_c (csv, i % n == n - 1 ? '\n' : ',');
  }
  return g_string_free (csv, FALSE);
}

static void
append_json_text (GString * json, const gchar * text)
{
  g_string_append_c (json, '"');
  for (; *text; text++) {
    if ((guchar) * text < ' ')
      g_string_append_printf (json, "\\u%04x", *text);
    else
      g_string_append_printf (json, "%s%c",
          *text == '"' || *text == '\\' ? "\\" : "", *text);
  }
  g_string_append_c (json, '"');
}

static gchar *
print_json (const Report * self)
{
  const guint n = self->columns->len;
  GString *json = g_string_new ("[");

  for (guint i = 0; i < self->cells->len; i++) {
    const ReportColumn *column =
        &g_array_index (self->columns, ReportColumn, i % n);
    const gchar *text = self->cells->pdata[i];

    g_string_append (json, i % n > 0 ? ", " : i > 0 ? ",\n  {" : "\n  {");
    append_json_text (json, column->name);
    g_string_append (json, ": ");
    if (!*text)
      g_string_append (json, "null");
    else if (column->is_number && g_regex_match_simple
        ("^-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?$", text, 0, 0))
      g_string_append (json, text);
    else
      append_json_text (json, text);
    if (i % n == n - 1)
      g_string_append_c (json, '}');
  }
  g_string_append (json, "\n]\n");
  return g_string_free (json, FALSE);
}

void
output_add_options (Output * self, GOptionContext * context)
{
  const GOptionEntry entries[] = {
    {"csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
        "Write CSV instead of tables, - for standard output", "FILE"},
    {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
        "Write JSON instead of tables, - for standard output", "FILE"},
    G_OPTION_ENTRY_NULL
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

gboolean
output_is_table (const Output * self)
{
  return !self->csv && !self->json;
}

static void
complain_of_file (const gchar * path, int code)
{
  tool_complain ("%s cannot be written: %s", path,
      g_strerror (code ? code : EIO));
}

/* Returns the target of the link @path, or @path itself. The caller frees
 * it. */
static gchar *
follow_links (const gchar * path)
{
  char *real = realpath (path, NULL);

  return real ? real : g_strdup (path);
}

/* Does not open a pipe, which would block until there is a reader. */
static gboolean
check_path (const gchar * given)
{
  struct stat info;
  int code = 0;

  if (!given || g_str_equal (given, "-"))
    return TRUE;
  g_autofree gchar *path = follow_links (given);
  g_autofree gchar *folder = g_path_get_dirname (path);
  const gboolean exists = stat (path, &info) == 0;
  if (!exists && errno != ENOENT)
    code = errno;
  else if (exists && S_ISDIR (info.st_mode))
    code = EISDIR;
  else if ((exists && access (path, W_OK) != 0)
      || ((!exists || S_ISREG (info.st_mode))
          && access (folder, W_OK | X_OK) != 0))
    code = errno;
  if (code)
    complain_of_file (given, code);
  return !code;
}

gboolean
output_check (const Output * self)
{
  return check_path (self->csv) && check_path (self->json);
}

gboolean
output_write_text (const gchar * given, const gchar * text)
{
  g_autofree gchar *path = follow_links (given);
  g_autoptr (GError) error = NULL;
  struct stat info;

  if (g_str_equal (given, "-")) {
    fputs (text, stdout);
    return TRUE;
  }
  const gboolean exists = stat (path, &info) == 0;
  errno = 0;
  if (exists && !S_ISREG (info.st_mode)) {
    FILE *file = fopen (path, "w");
    gboolean ok = file && fputs (text, file) >= 0;

    ok = file && fclose (file) == 0 && ok;
    if (!ok)
      complain_of_file (given, errno);
    return ok;
  }
  if (!g_file_set_contents_full (path, text, -1,
          G_FILE_SET_CONTENTS_CONSISTENT, exists ? info.st_mode & 0777 : 0666,
          &error)) {
    tool_complain ("%s cannot be written: %s", given, error->message);
    return FALSE;
  }
  /* The umask may have changed the mode of the file. */
  if (!exists || g_chmod (path, info.st_mode & 07777) == 0)
    return TRUE;
  complain_of_file (given, errno);
  return FALSE;
}

gboolean
output_write (const Output * self, const Report * report)
{
  const struct
  {
    const gchar *path;
    gchar *(*print) (const Report * report);
  } writers[] = {
    {output_is_table (self) ? "-" : NULL, print_table},
    {self->csv, print_csv},
    {self->json, print_json},
  };

  for (guint i = 0; i < G_N_ELEMENTS (writers); i++) {
    if (!writers[i].path)
      continue;
    g_autofree gchar *text = writers[i].print (report);

    if (!output_write_text (writers[i].path, text))
      return FALSE;
  }
  return TRUE;
}

gboolean
output_end (void)
{
  errno = 0;
  gboolean ok = !ferror (stdout);
  ok = fclose (stdout) == 0 && ok;
  if (!ok)
    complain_of_file ("standard output", errno);
  return ok;
}
