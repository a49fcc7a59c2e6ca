/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperations.h"

#include <string.h>

#include "bilateral/oclbilateral.h"
#include "convolution/oclconvolution.h"
#include "convolution/oclgradient.h"
#include "convolution/oclsharpen.h"
#include "core/ocltext.h"
#include "denoise/ocldenoise.h"
#include "histogram/oclhistogram.h"
#include "histogram/oclhistogramoverlay.h"
#include "pyramid/oclmultiresolution.h"
#include "user/ocluser.h"

const OclOperationClass *const ocl_operations[] = {
  &ocl_bilateral_class,
  &ocl_sharpen_class,
  &ocl_gradient_class,
  &ocl_convolution_class,
  &ocl_multiresolution_class,
  &ocl_denoise_class,
  &ocl_user_class,
  &ocl_histogram_class,
  &ocl_histogram_overlay_class,
  NULL,
};

const OclOperationClass *
ocl_operations_find (const gchar * name)
{
  for (guint i = 0; ocl_operations[i]; i++) {
    if (g_str_equal (ocl_operations[i]->name, name))
      return ocl_operations[i];
  }
  return NULL;
}

gchar *
ocl_operations_get_names (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; ocl_operations[i]; i++) {
    if (ocl_operation_class_filters (ocl_operations[i]))
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
          ocl_operations[i]->name);
  }
  return g_string_free (list, FALSE);
}

/* Applies the word NAME=VALUE to @operation. */
static gboolean
set_parameter (OclOperation * operation, const gchar * word, GError ** error)
{
  const OclParam *table = operation->klass->params;
  const gchar *sign = strchr (word, '=');
  g_autofree gchar *name = g_strndup (word, sign ? sign - word : 0);
  g_autofree gchar *shown = ocl_text_shorten (sign ? name : word);
  const OclParam *param = ocl_params_find (table, name);
  const OclParam *arguments = NULL;
  g_autoptr (GString) list = g_string_new (NULL);

  if (!sign)
    return ocl_fail (error, "%s is no parameter: write NAME=VALUE, and a ! "
        "before the next operation.", shown);
  for (const OclParam * one = table; one && one->name; one++) {
    g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", one->name);
    if (one->type == OCL_PARAM_NAMED_NUMBERS)
      arguments = one;
  }
  /* Arguments of a user's kernel are written like parameters. */
  if (!param && arguments)
    return ocl_param_set_named (arguments, name, sign + 1, operation->params,
        error)
        && ocl_operation_class_changed (operation->klass, operation->params,
        arguments, error);
  if (!param)
    return ocl_fail (error, "there is no parameter %s. The parameters are %s.",
        shown, list->str);
  if (!ocl_param_parse (param, sign + 1, operation->params)) {
    g_autofree gchar *value = ocl_text_shorten (sign + 1);
    g_autofree gchar *range = param->maximum > param->minimum
        ? g_strdup_printf (" It is a number from %g to %g.", param->minimum,
        param->maximum) : g_strdup ("");

    return ocl_fail (error, "%s cannot be %s.%s %s.", param->name, value,
        range, param->blurb);
  }
  return ocl_operation_class_changed (operation->klass, operation->params,
      param, error);
}

/* Adds the operation of @n @words. */
static gboolean
add_operation (OclOperationList * self, gchar ** words, gint n, GError ** error)
{
  const gchar *name = n > 0 ? words[0] : "";
  g_autofree gchar *shown = ocl_text_shorten (name);
  const OclOperationClass *klass = ocl_operations_find (name);
  const guint place = self->n + 1;

  if (n == 0)
    return ocl_fail (error,
        "Operation %u is missing: a ! is between two operations.", place);
  if (self->n == OCL_MAX_OPERATIONS)
    return ocl_fail (error,
        "Operation %u, %s: a chain has at most %d operations.", place, shown,
        OCL_MAX_OPERATIONS);
  if (!klass || !ocl_operation_class_filters (klass)) {
    g_autofree gchar *list = ocl_operations_get_names ();

    return ocl_fail (error,
        "Operation %u: there is no operation %s. The operations are %s.",
        place, shown, list);
  }
  OclOperation *operation = &self->items[self->n++];
  operation->klass = klass;
  operation->params = ocl_operation_class_create_params (klass);
  for (gint i = 1; i < n; i++) {
    if (!set_parameter (operation, words[i], error)) {
      g_prefix_error (error, "Operation %u, %s: ", place, klass->name);
      return FALSE;
    }
  }
  return place == 1 || ocl_operation_class_get_neighbours (klass,
      operation->params).n_later == 0 || ocl_fail (error,
      "Operation %u, %s: only the first operation can read later frames.",
      place, klass->name);
}

gboolean
ocl_operation_list_parse (OclOperationList * self, const gchar * text,
    GError ** error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) problem = NULL;
  gboolean ok = TRUE;
  gint n = 0, first = 0;

  self->id = ocl_operation_list_create_id ();
  if (!g_shell_parse_argv (text, &n, &words, &problem)) {
    if (g_error_matches (problem, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
      return TRUE;
    /* GLib's message includes the whole text. */
    return ocl_fail (error,
        "The operations cannot be read: a quotation mark has no second one, or "
        "a backslash is the last character.");
  }
  for (gint i = 0; ok && i <= n; i++) {
    if (i < n && !g_str_equal (words[i], OCL_BETWEEN_OPERATIONS))
      continue;
    ok = add_operation (self, words + first, i - first, error);
    first = i + 1;
  }
  if (!ok)
    ocl_operation_list_clear (self);
  return ok;
}
