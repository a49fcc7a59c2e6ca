/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fuzzes the text of a chain's operations. A parsed value must be printed as a
 * text that parses again. */

#include <string.h>

#include "opencl/ocloperations.h"

int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  g_autofree gchar *text = g_strndup ((const gchar *) data, size);
  g_autoptr (GError) error = NULL;
  OclOperationList list = { 0, }, again = { 0, };

  /* Properties are UTF-8. No file is to be read. */
  if (!g_utf8_validate (text, -1, NULL) || strstr (text, "location")
      || strstr (text, "file"))
    return 0;
  if (!ocl_operation_list_parse (&list, text, &error)) {
    g_assert_nonnull (error);
    return 0;
  }
  g_assert_cmpuint (list.n, <=, OCL_MAX_OPERATIONS);
  g_autofree gchar *printed = ocl_operation_list_print (&list);
  if (!ocl_operation_list_parse (&again, printed, &error))
    g_error ("%s: %s", printed, error->message);
  g_assert_cmpuint (again.n, ==, list.n);
  ocl_operation_list_clear (&list);
  ocl_operation_list_clear (&again);
  return 0;
}
