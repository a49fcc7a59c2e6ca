/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclvariant.h"

gboolean
ocl_variant_can_serve (const OclVariant * variant, gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  return !variant->can_serve || variant->can_serve (params, format, pass);
}

guint
ocl_variant_get_form (const OclVariant * variant, gconstpointer params,
    const OclFormat * format)
{
  return variant->get_form ? variant->get_form (params, format) : 0;
}

guint
ocl_variant_get_special_form (const OclVariant * variant, gconstpointer params,
    const OclFormat * format)
{
  return variant->get_special_form
      ? variant->get_special_form (params, format) : 0;
}

gchar *
ocl_variant_get_label (const OclVariant * variant, OclStorage storage)
{
  if (variant->flags & OCL_VARIANT_BUFFERS_ONLY)
    return g_strdup (variant->name);
  return g_strdup_printf ("%s-%s", variant->name,
      storage == OCL_STORAGE_IMAGE ? "image" : "buffer");
}
