/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan.h"

#include "opencl/ocloperations.h"
#include "opencl/pyramid/ocloctaves.h"
#include "tool.h"
#include "tunings.h"

#define MAX_IMAGES 16

Plan *
plan_new (void)
{
  Plan *self = g_new0 (Plan, 1);
  g_autofree const gchar **operations = runner_operation_get_names ();

  self->classes = g_ptr_array_new ();
  self->variants = g_array_new (FALSE, FALSE, sizeof (RunnerVariant));
  self->sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  self->storages = g_array_new (FALSE, FALSE, sizeof (guint));
  self->formats = g_array_new (FALSE, FALSE, sizeof (guint));
  self->params = param_lists_new (FALSE);
  self->operations_text = g_strjoinv (",", (gchar **) operations);
  self->operations_help = g_strdup_printf ("Operations (%s)",
      self->operations_text);
  self->sizes_text = g_strdup ("1280x720");
  self->n_images = 1;
  self->formats_text = g_strdup (OCL_FORMAT_RGBA->name);
  return self;
}

void
plan_free (Plan * self)
{
  g_ptr_array_unref (self->classes);
  g_array_unref (self->variants);
  g_array_unref (self->sizes);
  g_array_unref (self->storages);
  g_array_unref (self->formats);
  param_lists_free (self->params);
  g_clear_pointer (&self->tunings, g_hash_table_unref);
  g_free (self->operations_text);
  g_free (self->sizes_text);
  g_free (self->variants_text);
  g_free (self->storages_text);
  g_free (self->formats_text);
  g_free (self->tuning_text);
  g_free (self->operations_help);
  g_free (self);
}

void
plan_set_default_operations (Plan * self, OclOperationFlags with,
    OclOperationFlags without)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];

    if ((klass->flags & with) == with && !(klass->flags & without))
      g_string_append_printf (names, "%s%s", names->len ? "," : "",
          klass->name);
  }
  g_free (self->operations_text);
  g_free (self->operations_help);
  self->operations_text = g_string_free (names, FALSE);
  self->operations_help =
      g_strdup_printf ("Operations (%s)", self->operations_text);
}

void
plan_add_frame_options (Plan * self, GArray * entries)
{
  const GOptionEntry own[] = {
    {"operation", 0, 0, G_OPTION_ARG_STRING, &self->operations_text,
        self->operations_help, "LIST"},
    {"sizes", 0, 0, G_OPTION_ARG_STRING, &self->sizes_text,
        "Sizes of the frame (1280x720)", "LIST"},
    {"storage", 0, 0, G_OPTION_ARG_STRING, &self->storages_text,
        "Where frames are: buffer, image (both); with --octaves also "
          "image-array, image-buffer (all)", "LIST"},
    {"format", 0, 0, G_OPTION_ARG_STRING, &self->formats_text,
        "Formats of the frame, see glopencl operations (RGBA)", "LIST"},
  };

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  param_lists_add_options (self->params, entries);
}

void
plan_add_options (Plan * self, GArray * entries)
{
  const GOptionEntry own[] = {
    {"variants", 0, 0, G_OPTION_ARG_STRING, &self->variants_text,
        "Variants, see below (all but " RUNNER_VARIANT_AUTO ")", "LIST"},
    {"octaves", 0, 0, G_OPTION_ARG_INT, &self->n_octaves,
        "Run on the images of a pyramid of floats, each octave of half the "
          "size of the one before", "N"},
    {"images", 0, 0, G_OPTION_ARG_INT, &self->n_images,
        "Images of an octave (1)", "N"},
    {"tuning", 0, 0, G_OPTION_ARG_STRING, &self->tuning_text,
        "Values for tunables, see glopencl operations", "MACRO=VALUE,..."},
  };

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  plan_add_frame_options (self, entries);
}

static gboolean
plan_parse_operations (Plan * self)
{
  g_autofree const gchar **names = runner_operation_get_names ();
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!tool_parse_names ("--operation", self->operations_text, names, indices))
    return FALSE;
  for (guint i = 0; i < indices->len; i++) {
    const OclOperationClass *klass =
        ocl_operations[g_array_index (indices, guint, i)];

    if (!g_ptr_array_find (self->classes, klass, NULL))
      g_ptr_array_add (self->classes, (gpointer) klass);
  }
  return TRUE;
}

static gboolean
plan_parse_formats (Plan * self)
{
  g_autofree const gchar **names = runner_format_get_names ();

  return tool_parse_names ("--format", self->formats_text, names,
      self->formats);
}

static gboolean
is_wanted (gchar ** names, const gchar * name)
{
  if (!names)
    return !g_str_equal (name, RUNNER_VARIANT_AUTO);
  return g_strv_contains ((const gchar * const *) names, name);
}

static gboolean
plan_parse_variants (Plan * self)
{
  g_auto (GStrv) known = runner_variant_get_names (NULL);
  g_auto (GStrv) names =
      self->variants_text ? ocl_param_split (self->variants_text) : NULL;
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) all = runner_variant_list ();

  if (names && !tool_parse_names ("--variants", self->variants_text,
          (const gchar * const *) known, indices))
    return FALSE;
  for (guint i = 0; i < self->classes->len; i++) {
    for (guint j = 0; j < all->len; j++) {
      const RunnerVariant *variant = &g_array_index (all, RunnerVariant, j);

      if (variant->klass == self->classes->pdata[i]
          && is_wanted (names, variant->name))
        g_array_append_vals (self->variants, variant, 1);
    }
  }
  return TRUE;
}

static gboolean
plan_parse_tuning (Plan * self)
{
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();

  if (!self->tuning_text)
    return TRUE;
  for (guint i = 0; i < self->variants->len; i++) {
    const OclVariant *variant =
        g_array_index (self->variants, RunnerVariant, i).variant;

    if (variant)
      g_ptr_array_add (variants, (gpointer) variant);
  }
  self->tunings = tunings_parse (self->tuning_text, variants);
  return self->tunings != NULL;
}

static gboolean
plan_parse_storages (Plan * self)
{
  if (!tool_check_count ("--octaves", self->n_octaves, 0, OCL_MAX_OCTAVES)
      || !tool_check_count ("--images", self->n_images, 1, MAX_IMAGES))
    return FALSE;
  if (!self->storages_text)
    self->storages_text = g_strdup (self->n_octaves > 0
        ? "buffer,image,image-array,image-buffer" : "buffer,image");
  return tool_parse_names ("--storage", self->storages_text,
      ocl_storage_names, self->storages);
}

gboolean
plan_parse (Plan * self)
{
  return plan_parse_operations (self)
      && tool_parse_sizes ("--sizes", self->sizes_text, self->sizes)
      && plan_parse_storages (self)
      && plan_parse_formats (self)
      && plan_parse_variants (self)
      && param_lists_check (self->params, self->classes)
      && plan_parse_tuning (self);
}

static void
plan_add_cases (const Plan * self, const ToolSize * size,
    const RunnerVariant * variant, GPtrArray * series)
{
  g_autoptr (GPtrArray) params =
      param_lists_combine (self->params, variant->klass);
  /* Plain C knows no storage. */
  const guint n_storages = variant->plain_c ? 1 : self->storages->len;
  RunnerCase item = {.variant = *variant,.width = size->width,
    .height = size->height,.n_octaves = self->n_octaves,
    .n_images = self->n_images
  };

  if (variant->variant)
    tunings_get (self->tunings, variant->variant, &item.tuning);
  for (guint i = 0; i < self->formats->len; i++) {
    item.format = ocl_formats[g_array_index (self->formats, guint, i)];
    for (guint j = 0; j < n_storages; j++) {
      item.storage = g_array_index (self->storages, guint, j);
      series_add (series, &item, params);
    }
  }
}

GPtrArray *
plan_make_series (const Plan * self)
{
  GPtrArray *series = series_new ();

  for (guint i = 0; i < self->classes->len; i++) {
    for (guint j = 0; j < self->sizes->len; j++) {
      for (guint k = 0; k < self->variants->len; k++) {
        const RunnerVariant *variant =
            &g_array_index (self->variants, RunnerVariant, k);

        if (variant->klass == self->classes->pdata[i])
          plan_add_cases (self, &g_array_index (self->sizes, ToolSize, j),
              variant, series);
      }
    }
  }
  return series;
}
