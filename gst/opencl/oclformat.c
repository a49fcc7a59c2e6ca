/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclformat.h"

static const OclFormat rgba, bgra;

static const OclFormat rgba = {
  .name = "RGBA",.depth = 8,.component_bytes = 1,.n_planes = 1,
  .pixel_components = {4},.position = {0, 1, 2, 3},.swapped = &bgra,
};

static const OclFormat bgra = {
  .name = "BGRA",.depth = 8,.component_bytes = 1,.n_planes = 1,
  .pixel_components = {4},.position = {2, 1, 0, 3},.swapped = &rgba,
};

const OclFormat *const ocl_formats[] = { &rgba, &bgra, NULL };

const OclFormat *
ocl_format_find (const gchar * name)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    if (g_str_equal (ocl_formats[i]->name, name))
      return ocl_formats[i];
  }
  return NULL;
}

guint
ocl_format_get_max_level (const OclFormat * format)
{
  return (1u << format->depth) - 1;
}

gfloat
ocl_format_get_level (const OclFormat * format, guint8 value)
{
  return (gdouble) value * ocl_format_get_max_level (format) / 255.0;
}

guint
ocl_format_get_pixel_bytes (const OclFormat * format, guint plane)
{
  return format->component_bytes * format->pixel_components[plane];
}

cl_image_format
ocl_format_get_image_format (const OclFormat * format, guint plane)
{
  static const cl_channel_order orders[] = {
    [1] = CL_R,[2] = CL_RG,[4] = CL_RGBA,
  };

  return (cl_image_format) {
    .image_channel_order = orders[format->pixel_components[plane]],
    .image_channel_data_type = format->component_bytes == 1
        ? CL_UNORM_INT8 : CL_UNORM_INT16,
  };
}

gchar *
ocl_format_get_options (const OclFormat * format)
{
  return g_strdup_printf ("-D MAX_LEVEL=%u%s",
      ocl_format_get_max_level (format),
      format->position[0] == 2 ? " -D BLUE_FIRST" : "");
}
