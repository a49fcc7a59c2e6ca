/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "paramlists.h"

#include "opencl/ocloperations.h"
#include "tool.h"

/* A list, and what it belongs to in the first operation that has it. */
typedef struct
{
  const OclParam *param;
  gchar *help;
  gchar *text;                  /* NULL where none was given */
} List;

struct _ParamLists
{
  GPtrArray *lists;             /* List; GOption knows where each is */
};

static void
list_free (gpointer data)
{
  List *list = data;

  g_free (list->help);
  g_free (list->text);
  g_free (list);
}

static List *
param_lists_find (const ParamLists * self, const gchar * name)
{
  for (guint i = 0; i < self->lists->len; i++) {
    List *list = self->lists->pdata[i];

    if (g_str_equal (list->param->name, name))
      return list;
  }
  return NULL;
}

static void
param_lists_add (ParamLists * self, const OclOperationClass * klass,
    const OclParam * param)
{
  List *list = param_lists_find (self, param->name);

  if (list)
    return;
  g_autofree gpointer defaults = ocl_operation_class_create_params (klass);
  g_autofree gchar *value = ocl_param_print (param, defaults);
  list = g_new0 (List, 1);
  list->param = param;
  list->help = g_strdup_printf ("%s (%s)", param->blurb,
      param->bench ? param->bench : value);
  g_ptr_array_add (self->lists, list);
}

ParamLists *
param_lists_new (gboolean swept_only)
{
  ParamLists *self = g_new0 (ParamLists, 1);

  self->lists = g_ptr_array_new_with_free_func (list_free);
  for (guint i = 0; ocl_operations[i]; i++) {
    const OclParam *param = ocl_operations[i]->params;

    for (; param && param->name; param++) {
      if (param->bench || !swept_only)
        param_lists_add (self, ocl_operations[i], param);
    }
  }
  return self;
}

void
param_lists_free (ParamLists * self)
{
  g_ptr_array_unref (self->lists);
  g_free (self);
}

static gboolean
has_entry (GArray * entries, const gchar * name)
{
  for (guint i = 0; i < entries->len; i++) {
    if (g_str_equal (g_array_index (entries, GOptionEntry, i).long_name, name))
      return TRUE;
  }
  return FALSE;
}

void
param_lists_add_options (ParamLists * self, GArray * entries)
{
  for (guint i = 0; i < self->lists->len; i++) {
    List *list = self->lists->pdata[i];
    const GOptionEntry entry = { list->param->name, 0, 0,
      G_OPTION_ARG_STRING, &list->text, list->help, "LIST"
    };

    /* GOption would take the first of two, and say nothing. */
    g_assert (!has_entry (entries, entry.long_name));
    g_array_append_val (entries, entry);
  }
}

static gchar *
describe_number (const OclParam * param, const gchar * kind)
{
  gchar minimum[G_ASCII_DTOSTR_BUF_SIZE];
  gchar maximum[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (minimum, sizeof (minimum), "%.10g", param->minimum);
  g_ascii_formatd (maximum, sizeof (maximum), "%.10g", param->maximum);
  return g_strdup_printf ("%s from %s to %s", kind, minimum, maximum);
}

static gchar *
describe_nicks (const OclParam * param)
{
  GString *text = g_string_new ("one of ");

  for (const OclValue * value = param->values->values; value->nick; value++)
    g_string_append_printf (text, "%s%s",
        value == param->values->values ? "" : ", ", value->nick);
  if (param->type == OCL_PARAM_FLAGS)
    g_string_append (text, ", or several with + between them");
  return g_string_free (text, FALSE);
}

gchar *
param_describe_values (const OclParam * param)
{
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
      return describe_nicks (param);
    case OCL_PARAM_MATRIX:
      return g_strdup_printf ("rows of numbers, odd in number and length, such "
          "as %s", param->default_text);
    case OCL_PARAM_NUMBERS:
      return describe_number (param, "<> with numbers, each");
    case OCL_PARAM_NAMED_NUMBERS:
      return g_strdup ("<> with numbers that have names, such as <size=2>");
    case OCL_PARAM_FILE:
      return g_strdup ("the name of a file that can be used");
    case OCL_PARAM_TEXT:
      return g_strdup ("a text that can be used");
  }
  g_assert_not_reached ();
}

static gboolean
check_list (const List * list, const OclOperationClass * klass,
    const OclParam * param)
{
  g_autofree gpointer params = ocl_operation_class_create_params (klass);
  g_auto (GStrv) values = ocl_param_split (list->text);

  for (guint i = 0; values[i]; i++) {
    if (!ocl_operation_class_parse (klass, param, values[i], params)) {
      g_autofree gchar *option = g_strdup_printf ("--%s", param->name);
      g_autofree gchar *legal = param_describe_values (param);

      tool_complain_of_value (option, values[i], legal);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
param_lists_check (const ParamLists * self, GPtrArray * classes)
{
  for (guint i = 0; i < self->lists->len; i++) {
    const List *list = self->lists->pdata[i];
    gboolean found = FALSE;

    for (guint j = 0; list->text && j < classes->len; j++) {
      const OclOperationClass *klass = classes->pdata[j];
      const OclParam *param =
          ocl_params_find (klass->params, list->param->name);

      found = found || param;
      if (param && !check_list (list, klass, param))
        return FALSE;
    }
    if (list->text && !found) {
      tool_complain ("--%s: none of these operations has it; see glopencl "
          "operations", list->param->name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Whether a list was given for any parameter of @klass. */
static gboolean
param_lists_has_given (const ParamLists * self, const OclOperationClass * klass)
{
  for (guint i = 0; i < self->lists->len; i++) {
    const List *list = self->lists->pdata[i];

    if (list->text && ocl_params_find (klass->params, list->param->name))
      return TRUE;
  }
  return FALSE;
}

/* The list of a parameter of @klass, or NULL for its default. */
static const gchar *
param_lists_get_text (const ParamLists * self, const OclOperationClass * klass,
    const OclParam * param)
{
  if (param_lists_has_given (self, klass)) {
    const List *list = param_lists_find (self, param->name);

    return list ? list->text : NULL;
  }
  return param->bench;
}

GPtrArray *
param_lists_get_listed (const ParamLists * self, GPtrArray * classes)
{
  GPtrArray *listed = g_ptr_array_new ();

  for (guint i = 0; i < self->lists->len; i++) {
    const List *list = self->lists->pdata[i];
    gboolean is_listed = FALSE;

    for (guint j = 0; j < classes->len; j++) {
      const OclOperationClass *klass = classes->pdata[j];
      const OclParam *param =
          ocl_params_find (klass->params, list->param->name);

      is_listed = is_listed
          || (param && param_lists_get_text (self, klass, param));
    }
    if (is_listed)
      g_ptr_array_add (listed, (gpointer) list->param);
  }
  return listed;
}

GPtrArray *
param_lists_combine (const ParamLists * self, const OclOperationClass * klass)
{
  GPtrArray *combined = g_ptr_array_new_with_free_func (g_free);
  const OclParam *param = klass->params;

  g_ptr_array_add (combined, ocl_operation_class_create_params (klass));
  for (; param && param->name; param++) {
    const gchar *text = param_lists_get_text (self, klass, param);
    g_auto (GStrv) values = text ? ocl_param_split (text) : NULL;

    if (!values)
      continue;
    GPtrArray *before = combined;
    combined = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < before->len; i++) {
      for (guint j = 0; values[j]; j++) {
        gpointer params = g_memdup2 (before->pdata[i], klass->params_size);

        ocl_operation_class_parse (klass, param, values[j], params);
        g_ptr_array_add (combined, params);
      }
    }
    g_ptr_array_unref (before);
  }
  return combined;
}
