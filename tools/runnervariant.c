/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "opencl/ocloperations.h"
#include "runnervariant.h"

static void
add_variants (GArray * variants, const OclOperationClass * klass)
{
  RunnerVariant variant = {.klass = klass,.name = RUNNER_VARIANT_AUTO };

  g_array_append_val (variants, variant);
  for (guint i = 0; klass->variants[i]; i++) {
    variant.name = klass->variants[i]->name;
    variant.variant = klass->variants[i];
    g_array_append_val (variants, variant);
  }

  variant.variant = NULL;
  variant.plain_c = plain_c_find (klass->name);
  if (!variant.plain_c)
    return;
  variant.name = "serial";
  g_array_append_val (variants, variant);
  variant.name = "openmp";
  variant.threads = TRUE;
  g_array_append_val (variants, variant);
}

GArray *
runner_variant_list (void)
{
  GArray *variants = g_array_new (FALSE, FALSE, sizeof (RunnerVariant));

  for (guint i = 0; ocl_operations[i]; i++)
    add_variants (variants, ocl_operations[i]);
  return variants;
}

gboolean
runner_variant_find (const OclOperationClass * klass, const gchar * name,
    RunnerVariant * variant)
{
  g_autoptr (GArray) variants = runner_variant_list ();

  for (guint i = 0; i < variants->len; i++) {
    *variant = g_array_index (variants, RunnerVariant, i);
    if (variant->klass == klass && g_str_equal (variant->name, name))
      return TRUE;
  }
  return FALSE;
}

gchar **
runner_variant_get_names (const OclOperationClass * klass)
{
  g_autoptr (GArray) variants = runner_variant_list ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < variants->len; i++) {
    const RunnerVariant *variant = &g_array_index (variants, RunnerVariant, i);

    if ((!klass || variant->klass == klass)
        && g_hash_table_add (seen, (gpointer) variant->name))
      g_strv_builder_add (builder, variant->name);
  }
  return g_strv_builder_end (builder);
}

const gchar **
runner_operation_get_names (void)
{
  guint n = 0;

  while (ocl_operations[n])
    n++;

  const gchar **names = g_new0 (const gchar *, n + 1);
  for (guint i = 0; i < n; i++)
    names[i] = ocl_operations[i]->name;
  return names;
}

const gchar **
runner_format_get_names (void)
{
  guint n = 0;

  while (ocl_formats[n])
    n++;

  const gchar **names = g_new0 (const gchar *, n + 1);
  for (guint i = 0; i < n; i++)
    names[i] = ocl_formats[i]->name;
  return names;
}
