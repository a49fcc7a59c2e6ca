/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fuzzes a file of the database of settings. Whatever is in it, settings that
 * are found are allowed ones. */

#include <string.h>

#include "opencl/core/ocldatabase.h"

int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

static const OclTunable table[] = {
  {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  {NULL},
};

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  static const OclDevice device = {
    .name = (gchar *) "D",.vendor = (gchar *) "V",.driver = (gchar *) "1",
    .type = CL_DEVICE_TYPE_GPU,
  };
  static const OclDatabaseKey key = {
    .operation = "o",.variant = "v",.format = "RGBA",.storage = "buffer",
    .width = 16,.height = 16,.reach = 1,.source = "stencil.cl",
  };
  g_autofree gchar *text = g_strndup ((const gchar *) data, size);
  g_autoptr (OclDatabase) database = ocl_database_new (&device);
  g_autoptr (GError) error = NULL;
  OclTuning tuning;

  /* Files are UTF-8. */
  if (!g_utf8_validate (text, -1, NULL))
    return 0;
  if (!ocl_database_add (database, text, &error)) {
    g_assert_nonnull (error);
    g_assert_cmpuint (ocl_database_count (database), ==, 0);
  }
  if (ocl_database_find (database, &key, table, &tuning))
    g_assert_true (tuning.values[0] == 1 || tuning.values[0] == 2
        || tuning.values[0] == 4);
  return 0;
}
