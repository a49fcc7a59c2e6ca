/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fuzzes the text of a user's kernel: its pragmas, and in which form it is. */

#include <string.h>

#include "opencl/user/oclusersource.h"

int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  g_autofree gchar *text = g_strndup ((const gchar *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (OclUserSource) source = NULL;

  /* As ocl_text_file_load () does. */
  if (!g_utf8_validate (text, -1, NULL))
    return 0;
  source = ocl_user_source_new ("fuzz.cl", text, &error);
  g_assert_true ((source == NULL) == (error != NULL));
  if (source) {
    g_assert_cmpint (source->radius_x, <=, OCL_USER_MAX_RADIUS);
    g_assert_cmpint (source->radius_y, <=, OCL_USER_MAX_RADIUS);
    g_assert_cmpuint (source->history, <=, OCL_USER_MAX_HISTORY);
    g_assert_cmpuint (source->n_arguments, <=, OCL_USER_MAX_ARGUMENTS);
    g_assert_true ((source->native_name != NULL) == source->native);
  }
  return 0;
}
