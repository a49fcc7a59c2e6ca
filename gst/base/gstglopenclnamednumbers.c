/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclnamednumbers.h"

#include <string.h>

static gboolean
add_field (OclNamedNumbers * numbers, const gchar * name, const GValue * value,
    GError ** error)
{
  gdouble number;

  if (gst_gl_opencl_numbers_get_number (value, &number))
    return ocl_named_numbers_add (numbers, name, number, error);
  g_autofree gchar *text = gst_gl_opencl_numbers_describe (value);
  ocl_named_numbers_set_no_number (error, name, text);
  return FALSE;
}

gboolean
gst_gl_opencl_named_numbers_set (OclNamedNumbers * numbers,
    const GValue * value, GError ** error)
{
  const GstStructure *structure = gst_value_get_structure (value);
  const gboolean keeps = structure
      && gst_structure_has_name (structure, GST_GL_OPENCL_NAMED_NUMBERS_CHANGE);
  OclNamedNumbers found;

  memset (&found, 0, sizeof (found));
  for (gint i = 0; keeps && i < numbers->n; i++) {
    if (!gst_structure_has_field (structure, numbers->names[i])
        && !ocl_named_numbers_add (&found, numbers->names[i],
            numbers->numbers[i], error))
      return FALSE;
  }
  for (gint i = 0; structure && i < gst_structure_n_fields (structure); i++) {
    const gchar *name = gst_structure_nth_field_name (structure, i);

    if (!add_field (&found, name, gst_structure_get_value (structure, name),
            error))
      return FALSE;
  }
  memcpy (numbers, &found, sizeof (found));
  return TRUE;
}

void
gst_gl_opencl_named_numbers_get (const OclNamedNumbers * numbers,
    GValue * value)
{
  GstStructure *structure = gst_structure_new_empty ("arguments");

  for (gint i = 0; i < numbers->n; i++)
    gst_structure_set (structure, numbers->names[i], G_TYPE_DOUBLE,
        numbers->numbers[i], NULL);
  g_value_take_boxed (value, structure);
}
