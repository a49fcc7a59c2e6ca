/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperationlist.h"

#include <string.h>

guint
ocl_operation_list_create_id (void)
{
  static gint last = 0;

  return g_atomic_int_add (&last, 1) + 1;
}

void
ocl_operation_list_copy (OclOperationList * self,
    const OclOperationList * source)
{
  if (self->id != source->id) {
    ocl_operation_list_clear (self);
    self->id = source->id;
    self->n = source->n;
    for (guint i = 0; i < self->n; i++) {
      self->items[i].klass = source->items[i].klass;
      self->items[i].params =
          ocl_operation_class_create_params (self->items[i].klass);
    }
  }
  self->exact = source->exact;
  for (guint i = 0; i < self->n; i++) {
    if (source->items[i].params)
      ocl_params_copy (self->items[i].klass->params,
          self->items[i].klass->params_size, self->items[i].params,
          source->items[i].params);
  }
}

void
ocl_operation_list_clear (OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++)
    ocl_params_free (self->items[i].params);
  memset (self, 0, sizeof (*self));
}

gboolean
ocl_operation_list_is_neutral (const OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++) {
    if (!ocl_operation_class_is_neutral (self->items[i].klass,
            self->items[i].params))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_operation_list_check (const OclOperationList * self,
    const OclFormat * format, GError ** error)
{
  for (guint i = 0; i < self->n; i++) {
    const OclOperation *operation = &self->items[i];

    if (ocl_operation_class_check (operation->klass, operation->params, format,
            error))
      continue;
    if (self->n > 1)
      g_prefix_error (error, "Operation %u, %s: ", i + 1,
          operation->klass->name);
    return FALSE;
  }
  return TRUE;
}

OclNeighbours
ocl_operation_list_get_neighbours (const OclOperationList * self)
{
  const OclNeighbours none = { 0, 0 };
  const OclOperation *first = &self->items[0];

  if (self->n == 0
      || ocl_operation_class_is_neutral (first->klass, first->params))
    return none;
  return ocl_operation_class_get_neighbours (first->klass, first->params);
}

gint
ocl_operation_list_find_report (const OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++) {
    if (self->items[i].klass->report)
      return i;
  }
  return -1;
}

gboolean
ocl_operation_list_has_texts (const OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++) {
    if (self->items[i].klass->flags & OCL_OPERATION_IS_TEXT)
      return TRUE;
  }
  return FALSE;
}

gboolean
ocl_operation_list_has_same_texts (const OclOperationList * a,
    const OclOperationList * b)
{
  if (a->id != b->id)
    return FALSE;
  for (guint i = 0; i < a->n; i++) {
    if (a->items[i].klass->flags & OCL_OPERATION_IS_TEXT
        && !ocl_operation_class_decide_alike (a->items[i].klass,
            a->items[i].params, b->items[i].params))
      return FALSE;
  }
  return TRUE;
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
append_params (GString * text, const OclOperation * operation)
{
  const OclParam *table = operation->klass->params;
  g_autoptr (OclParams) defaults =
      ocl_operation_class_create_params (operation->klass);

  for (const OclParam * param = table; param && param->name; param++) {
    g_autofree gchar *value = ocl_param_print (param, operation->params);
    g_autofree gchar *default_value = ocl_param_print (param, defaults);
    const OclLiteral *numbers = param->type == OCL_PARAM_NAMED_NUMBERS
        ? ocl_param_get_literal (param, operation->params) : NULL;
    gboolean is_shown = param->type != OCL_PARAM_NAMED_NUMBERS
        && !g_str_equal (value, default_value);

    for (gint i = 0; numbers && i < numbers->n; i++) {
      gchar number[G_ASCII_DTOSTR_BUF_SIZE];

      append_word (text, numbers->names[i], g_ascii_dtostr (number,
              sizeof (number), numbers->numbers[i]));
    }
    /* If a parameter was read from a file, the name of the file is printed
     * instead. */
    for (const OclParam * file = table; is_shown && file->name; file++)
      is_shown = g_strcmp0 (file->sets, param->name) != 0
          || !ocl_param_get_literal (file, operation->params);
    if (is_shown)
      append_word (text, param->name, value);
  }
}

gchar *
ocl_operation_list_print (const OclOperationList * self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++) {
    g_string_append_printf (text, "%s%s",
        i > 0 ? " " OCL_BETWEEN_OPERATIONS " " : "",
        self->items[i].klass->name);
    append_params (text, &self->items[i]);
  }
  return g_string_free (text, FALSE);
}
