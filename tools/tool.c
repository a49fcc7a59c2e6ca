/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
