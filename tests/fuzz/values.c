/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fuzzes the parser of parameter values. The first two bytes choose the
 * parameter, the rest is the text. A valid text is parsed and printed, and the
 * printed text must be parsed and printed identically. */

#include <string.h>

#include "opencl/ocloperations.h"

int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

static void
check_printed (const OclOperationClass * klass, const OclParam * param,
    gconstpointer params)
{
  g_autofree gchar *printed = ocl_param_print (param, params);
  g_autoptr (OclParams) again = ocl_operation_class_create_params (klass);

  if (!ocl_param_parse (param, printed, again))
    g_error ("%s %s: %s is printed, and is no value", klass->name, param->name,
        printed);
  g_autofree gchar *printed_again = ocl_param_print (param, again);
  if (!g_str_equal (printed, printed_again))
    g_error ("%s %s: %s is printed as %s", klass->name, param->name, printed,
        printed_again);
}

static guint
count_params (const OclOperationClass * klass)
{
  guint n = 0;

  while (klass->params && klass->params[n].name)
    n++;
  return n;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  guint n_operations = 0;

  while (ocl_operations[n_operations])
    n_operations++;
  if (size < 2)
    return 0;
  const OclOperationClass *klass = ocl_operations[data[0] % n_operations];
  const guint n_params = count_params (klass);
  if (n_params == 0)
    return 0;

  const OclParam *param = &klass->params[data[1] % n_params];
  g_autofree gchar *text = g_strndup ((const gchar *) data + 2, size - 2);
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);

  if (ocl_operation_class_parse (klass, param, text, params)
      && param->type != OCL_PARAM_FILE && param->type != OCL_PARAM_TEXT)
    check_printed (klass, param, params);
  return 0;
}
