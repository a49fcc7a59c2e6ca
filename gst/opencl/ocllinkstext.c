/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocllinkstext.h"

#include <string.h>

#include "core/ocltext.h"
#include "ocloperations.h"

#define BETWEEN "!"

gchar *
ocl_links_list_operations (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; ocl_operations[i]; i++) {
    if (ocl_operation_class_filters (ocl_operations[i]))
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
          ocl_operations[i]->name);
  }
  return g_string_free (list, FALSE);
}

static const OclParam *
find_arguments (const OclOperationClass * klass)
{
  for (const OclParam * param = klass->params; param && param->name; param++) {
    if (param->type == OCL_PARAM_NAMED_NUMBERS)
      return param;
  }
  return NULL;
}

/* Adds the operation @name. */
static gboolean
add_operation (OclLinks * self, const gchar * name, GError ** error)
{
  const OclOperationClass *klass = ocl_operations_find (name);
  OclLink *link = &self->items[self->n];

  if (!klass || !ocl_operation_class_filters (klass)) {
    g_autofree gchar *list = ocl_links_list_operations ();
    g_autofree gchar *shown = ocl_text_shorten (name);

    return ocl_fail (error,
        "Operation %u: there is no operation %s. The operations are %s.",
        self->n + 1, shown, list);
  }
  link->klass = klass;
  link->params = ocl_operation_class_create_params (klass);
  self->n++;
  return TRUE;
}

static gboolean
fail_without_parameter (const OclOperationClass * klass, const gchar * name,
    GError ** error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree gchar *shown = ocl_text_shorten (name);

  for (const OclParam * param = klass->params; param && param->name; param++)
    g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
        param->name);
  return ocl_fail (error, "there is no parameter %s. The parameters are %s.",
      shown, list->str);
}

static gboolean
fail_without_value (const OclParam * param, const gchar * value,
    GError ** error)
{
  g_autofree gchar *range = param->maximum > param->minimum
      ? g_strdup_printf (" It is a number from %g to %g.", param->minimum,
      param->maximum) : g_strdup ("");
  g_autofree gchar *shown = ocl_text_shorten (value);

  return ocl_fail (error, "%s cannot be %s.%s %s.", param->name, shown, range,
      param->blurb);
}

static gboolean
set_parameter (OclLink * link, const gchar * name, const gchar * value,
    GError ** error)
{
  const OclOperationClass *klass = link->klass;
  const OclParam *param = ocl_params_find (klass->params, name);
  const OclParam *arguments = find_arguments (klass);

  /* Arguments of a user's kernel are written like parameters. */
  if (!param && arguments)
    return ocl_param_set_named (arguments, name, value, link->params, error)
        && ocl_operation_class_changed (klass, link->params, arguments, error);
  if (!param)
    return fail_without_parameter (klass, name, error);
  if (!ocl_param_parse (param, value, link->params))
    return fail_without_value (param, value, error);
  return ocl_operation_class_changed (klass, link->params, param, error);
}

/* Applies the word NAME=VALUE to the last operation. */
static gboolean
take_parameter (OclLinks * self, const gchar * word, GError ** error)
{
  OclLink *link = &self->items[self->n - 1];
  const gchar *sign = strchr (word, '=');
  g_autofree gchar *name = sign ? g_strndup (word, sign - word) : NULL;
  g_autofree gchar *shown = ocl_text_shorten (word);
  gboolean ok;

  ok = sign ? set_parameter (link, name, sign + 1, error)
      : ocl_fail (error, "%s is no parameter: write NAME=VALUE, and a ! before "
      "the next operation.", shown);
  if (!ok)
    g_prefix_error (error, "Operation %u, %s: ", self->n, link->klass->name);
  return ok;
}

/* Returns whether the last operation is valid at its position. */
static gboolean
check_last (const OclLinks * self, GError ** error)
{
  const OclLink *link = &self->items[self->n - 1];

  return self->n < 2 || ocl_operation_class_get_neighbours (link->klass,
      link->params).n_later == 0 || ocl_fail (error,
      "Operation %u, %s: only the first operation can read later frames.",
      self->n, link->klass->name);
}

/* Parses the @n words of an operation. */
static gboolean
take_operation (OclLinks * self, gchar ** words, gint n, GError ** error)
{
  g_autofree gchar *shown = ocl_text_shorten (n > 0 ? words[0] : "");

  if (n == 0)
    return ocl_fail (error,
        "Operation %u is missing: a ! is between two operations.", self->n + 1);
  if (self->n == OCL_MAX_LINKS)
    return ocl_fail (error,
        "Operation %u, %s: a chain has at most %d operations.", self->n + 1,
        shown, OCL_MAX_LINKS);
  if (!add_operation (self, words[0], error))
    return FALSE;
  for (gint i = 1; i < n; i++) {
    if (!take_parameter (self, words[i], error))
      return FALSE;
  }
  return check_last (self, error);
}

static gboolean
take_words (OclLinks * self, gchar ** words, gint n, GError ** error)
{
  gint first = 0;

  for (gint i = 0; i <= n; i++) {
    if (i < n && !g_str_equal (words[i], BETWEEN))
      continue;
    if (!take_operation (self, words + first, i - first, error))
      return FALSE;
    first = i + 1;
  }
  return TRUE;
}

gboolean
ocl_links_parse (OclLinks * self, const gchar * text, GError ** error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) problem = NULL;
  gint n = 0;

  self->id = ocl_links_create_id ();
  if (!g_shell_parse_argv (text, &n, &words, &problem)) {
    if (g_error_matches (problem, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
      return TRUE;
    /* GLib's message includes the whole text. */
    return ocl_fail (error,
        "The operations cannot be read: a quotation mark has no second one, or "
        "a backslash is the last character.");
  }
  if (take_words (self, words, n, error))
    return TRUE;
  ocl_links_clear (self);
  return FALSE;
}

static void
append_word (GString * text, const gchar * name, const gchar * value)
{
  g_autofree gchar *word = g_strdup_printf ("%s=%s", name, value);
  g_autofree gchar *quoted = g_shell_quote (word);
  const gboolean is_plain = strspn (word, "abcdefghijklmnopqrstuvwxyz"
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=.,:/+") == strlen (word);

  g_string_append_printf (text, " %s", is_plain ? word : quoted);
}

static void
append_arguments (GString * text, const OclLiteral * numbers)
{
  for (gint i = 0; numbers && i < numbers->n; i++) {
    gchar value[G_ASCII_DTOSTR_BUF_SIZE];

    append_word (text, numbers->names[i], g_ascii_dtostr (value,
            sizeof (value), numbers->numbers[i]));
  }
}

/* Returns whether @param was read from a file, whose name is printed
 * instead. */
static gboolean
is_from_file (const OclLink * link, const OclParam * param)
{
  const OclParam *table = link->klass->params;

  for (const OclParam * file = table; file->name; file++) {
    if (g_strcmp0 (file->sets, param->name) == 0
        && ocl_param_get_literal (file, link->params))
      return TRUE;
  }
  return FALSE;
}

static void
append_params (GString * text, const OclLink * link)
{
  g_autoptr (OclParams) defaults =
      ocl_operation_class_create_params (link->klass);

  for (const OclParam * param = link->klass->params; param && param->name;
      param++) {
    g_autofree gchar *value = ocl_param_print (param, link->params);
    g_autofree gchar *default_value = ocl_param_print (param, defaults);

    if (param->type == OCL_PARAM_NAMED_NUMBERS)
      append_arguments (text, ocl_param_get_literal (param, link->params));
    else if (!g_str_equal (value, default_value) && !is_from_file (link, param))
      append_word (text, param->name, value);
  }
}

gchar *
ocl_links_print (const OclLinks * self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++) {
    g_string_append_printf (text, "%s%s", i > 0 ? " " BETWEEN " " : "",
        self->items[i].klass->name);
    append_params (text, &self->items[i]);
  }
  return g_string_free (text, FALSE);
}
