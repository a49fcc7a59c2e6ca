/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fuzzes the reader of matrix files. Nothing is read that is not a matrix
 * within the limits. */

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "opencl/params/oclliteral.h"

int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  static int file = -1;
  static gchar name[40];
  GError *error = NULL;

  if (file < 0) {
    file = memfd_create ("matrix", 0);
    g_snprintf (name, sizeof (name), "/proc/self/fd/%d", file);
  }
  if (ftruncate (file, 0) != 0 || pwrite (file, data, size, 0) != (gssize) size)
    abort ();
  g_autoptr (OclLiteral) matrix = ocl_matrix_load (name, &error);
  if (!matrix) {
    g_assert_nonnull (error);
    g_clear_error (&error);
    return 0;
  }
  g_assert_cmpint (matrix->width, >, 0);
  g_assert_cmpint (matrix->width, <=, OCL_MATRIX_MAX_SIDE);
  g_assert_cmpint (matrix->height, >, 0);
  g_assert_cmpint (matrix->height, <=, OCL_MATRIX_MAX_SIDE);
  return 0;
}
