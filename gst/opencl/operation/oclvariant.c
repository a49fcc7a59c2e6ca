/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclvariant.h"

gboolean
ocl_variant_can_serve (const OclVariant * variant, gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  return !variant->can_serve || variant->can_serve (params, format, pass);
}

guint
ocl_variant_get_forms (const OclVariant * variant, gconstpointer params,
    const OclFormat * format, guint forms[OCL_MAX_FORMS])
{
  if (variant->get_forms)
    return variant->get_forms (params, format, forms);
  forms[0] = 0;
  return 1;
}

gint
ocl_run_get_width (const OclRun * run)
{
  return ocl_pass_get_width (run->pass,
      &(run->input ? run->input : run->output)->info);
}

gint
ocl_run_get_height (const OclRun * run)
{
  return ocl_pass_get_height (run->pass,
      &(run->input ? run->input : run->output)->info);
}

gchar *
ocl_variant_get_label (const OclVariant * variant, OclStorage storage)
{
  if (variant->flags & OCL_VARIANT_BUFFERS_ONLY)
    return g_strdup (variant->name);
  return g_strdup_printf ("%s-%s", variant->name, ocl_storage_names[storage]);
}
