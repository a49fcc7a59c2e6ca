/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclmatrix.h"

#include "gstglopenclnumbers.h"

static gboolean
add_row (OclMatrix * matrix, const GValue * row, GError ** error)
{
  const guint n = gst_value_array_get_size (row);
  g_autofree gdouble *numbers = g_new (gdouble, n);

  for (guint i = 0; i < n; i++) {
    const GValue *value = gst_value_array_get_value (row, i);

    if (gst_gl_opencl_numbers_get_number (value, &numbers[i]))
      continue;
    g_autofree gchar *text = gst_gl_opencl_numbers_describe (value);
    ocl_matrix_set_no_number (error, matrix->height, i, text);
    return FALSE;
  }
  return ocl_matrix_add_row (matrix, numbers, n, error);
}

gboolean
gst_gl_opencl_matrix_set (OclMatrix * matrix, const GValue * value,
    GError ** error)
{
  OclMatrix made;

  ocl_matrix_begin (&made);
  for (guint i = 0; i < gst_value_array_get_size (value); i++) {
    const GValue *row = gst_value_array_get_value (value, i);

    if (!GST_VALUE_HOLDS_ARRAY (row)) {
      ocl_matrix_set_no_rows (error, i);
      return FALSE;
    }
    if (!add_row (&made, row, error))
      return FALSE;
  }
  if (!ocl_matrix_finish (&made, error))
    return FALSE;
  *matrix = made;
  return TRUE;
}

void
gst_gl_opencl_matrix_get (const OclMatrix * matrix, GValue * value)
{
  for (gint j = 0; j < matrix->height; j++) {
    GValue row = G_VALUE_INIT;

    g_value_init (&row, GST_TYPE_ARRAY);
    for (gint i = 0; i < matrix->width; i++) {
      gst_gl_opencl_numbers_append (&row,
          matrix->numbers[j * matrix->width + i]);
    }
    gst_value_array_append_and_take_value (value, &row);
  }
}
