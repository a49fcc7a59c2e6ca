/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclnumbers.h"

/* A boolean does not count as a number, although GLib would convert it to
 * one. */
gboolean
gst_gl_opencl_numbers_get_number (const GValue * value, gdouble * number)
{
  GValue transformed = G_VALUE_INIT;

  g_value_init (&transformed, G_TYPE_DOUBLE);
  gboolean ok = !G_VALUE_HOLDS_BOOLEAN (value) && !G_VALUE_HOLDS_STRING (value)
      && g_value_transform (value, &transformed);
  *number = g_value_get_double (&transformed);
  g_value_unset (&transformed);
  return ok;
}

gchar *
gst_gl_opencl_numbers_describe (const GValue * value)
{
  gchar *text = G_VALUE_HOLDS_STRING (value)
      ? g_value_dup_string (value) : g_strdup_value_contents (value);

  return text ? text : g_strdup ("");
}

void
gst_gl_opencl_numbers_append (GValue * array, gdouble number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  gst_value_array_append_and_take_value (array, &value);
}

gboolean
gst_gl_opencl_numbers_set (OclNumbers * numbers, const OclParam * param,
    const GValue * value, GError ** error)
{
  const guint n = gst_value_array_get_size (value);
  g_autofree gdouble *values = g_new (gdouble, n);

  for (guint i = 0; i < n; i++) {
    const GValue *item = gst_value_array_get_value (value, i);

    if (gst_gl_opencl_numbers_get_number (item, &values[i]))
      continue;
    g_autofree gchar *text = gst_gl_opencl_numbers_describe (item);
    ocl_numbers_set_no_number (error, param->name, i, text);
    return FALSE;
  }
  return ocl_numbers_set (numbers, param->name, values, n, param->minimum,
      param->maximum, error);
}

void
gst_gl_opencl_numbers_get (const OclNumbers * numbers, GValue * value)
{
  for (gint i = 0; i < numbers->n; i++)
    gst_gl_opencl_numbers_append (value, numbers->numbers[i]);
}
