/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cases.h"

#include "opencl/ocloperations.h"
#include "opencl/pyramid/oclpyramidlevels.h"

#define MAX_IMAGES 16
#define MAX_ROUNDS 10000

/* A run of this many milliseconds does not benefit from warm caches. */
#define LONG_RUN 100.0

static const ReportColumn columns[] = {
  {"device",.csv_only = TRUE}, {"operation"}, {"variant"}, {"storage"},
  {"format"}, {"width", TRUE}, {"height", TRUE},
};

static gchar *operations;       /* the default ones */
static gchar *operations_help;
static gchar *operations_text;
static gchar *sizes_text;
static gchar *variants_text;
static gchar *storages_text;
static gchar *formats_text;
static gchar *tuning_text;
static gint n_octaves;
static gint n_images = 1;
static GPtrArray *lists;        /* of parameters */

static const GOptionEntry run_entries[] = {
  {"variants", 0, 0, G_OPTION_ARG_STRING, &variants_text,
      "Variants, see below (all but " RUNNER_VARIANT_AUTO ")", "LIST"},
  {"octaves", 0, 0, G_OPTION_ARG_INT, &n_octaves,
      "Run on N levels of a pyramid of floats, each half the size of the "
        "previous one", "N"},
  {"images", 0, 0, G_OPTION_ARG_INT, &n_images,
      "Images of a pyramid level (1)", "N"},
  {"tuning", 0, 0, G_OPTION_ARG_STRING, &tuning_text,
      "Values for tunables, see glopencl operations", "MACRO=VALUE,..."},
  G_OPTION_ENTRY_NULL
};

static GOptionEntry frame_entries[] = {
  {"operation", 0, 0, G_OPTION_ARG_STRING, &operations_text, NULL, "LIST"},
  {"sizes", 0, 0, G_OPTION_ARG_STRING, &sizes_text,
      "Sizes of the frame (1280x720)", "LIST"},
  {"storage", 0, 0, G_OPTION_ARG_STRING, &storages_text,
      "Storage of the frames: buffer, image (both). With --octaves also "
        "image-array, image-buffer (all)", "LIST"},
  {"format", 0, 0, G_OPTION_ARG_STRING, &formats_text,
      "Formats of the frame, see glopencl operations (RGBA)", "LIST"},
  G_OPTION_ENTRY_NULL
};

void
plan_add_options (GOptionContext * context, gboolean tunes)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];

    if (!tunes || (ocl_operation_class_filters (klass)
            && !(klass->flags & OCL_OPERATION_IS_TEXT)))
      g_string_append_printf (names, "%s%s", names->len ? "," : "",
          klass->name);
  }
  operations = g_strdup (names->str);
  operations_help = g_strdup_printf ("Operations (%s)", operations);
  frame_entries[0].description = operations_help;
  if (tunes)
    variants_text = g_strdup (RUNNER_VARIANT_AUTO);
  else
    g_option_context_add_main_entries (context, run_entries, NULL);
  g_option_context_add_main_entries (context, frame_entries, NULL);
  lists = param_lists_new (context, FALSE);
}

void
plan_free (Plan * self)
{
  g_ptr_array_unref (self->series);
  g_clear_pointer (&self->params, g_ptr_array_unref);
  g_array_unref (self->sizes);
  g_hash_table_unref (self->tunings);
  g_free (self);
}

static void
add_unique (GPtrArray * names, const gchar * name)
{
  if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
}

/* Returns the variants (RunnerVariant) of @classes that --variants names, or
 * all, or NULL after a complaint. */
static GArray *
parse_variants (GPtrArray * classes)
{
  g_autoptr (GArray) all = runner_variant_list (NULL);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));
  g_auto (GStrv) names = variants_text ? ocl_param_split (variants_text) : NULL;

  for (guint i = 0; i < all->len; i++)
    add_unique (known, g_array_index (all, RunnerVariant, i).name);
  g_ptr_array_add (known, NULL);
  if (names && !tool_parse_names ("--variants", variants_text,
          (const gchar * const *) known->pdata, indices))
    return NULL;
  for (guint i = all->len; i > 0; i--) {
    const RunnerVariant *variant = &g_array_index (all, RunnerVariant, i - 1);
    const gboolean is_wanted = names
        ? g_strv_contains ((const gchar * const *) names, variant->name)
        : !g_str_equal (variant->name, RUNNER_VARIANT_AUTO);

    if (!is_wanted || !g_ptr_array_find (classes, variant->klass, NULL))
      g_array_remove_index (all, i - 1);
  }
  return g_steal_pointer (&all);
}

/* Parses --tuning into @tunings. At least one of @variants must have each
 * macro, and all that have it must allow the value. */
static gboolean
parse_tuning (GHashTable * tunings, GArray * variants)
{
  g_auto (GStrv) parts = tuning_text ? ocl_param_split (tuning_text) : NULL;
  g_autoptr (GPtrArray) known = g_ptr_array_new ();

  for (guint i = 0; i < variants->len; i++) {
    const OclVariant *variant =
        g_array_index (variants, RunnerVariant, i).variant;

    for (guint j = 0; variant && variant->tunables
        && variant->tunables[j].macro; j++)
      add_unique (known, variant->tunables[j].macro);
  }
  g_ptr_array_add (known, NULL);
  for (guint i = 0; parts && parts[i]; i++) {
    g_auto (GStrv) words = g_strsplit (parts[i], "=", 2);
    gint64 value = 0;

    if (g_strv_length (words) != 2) {
      tool_complain_of_value ("--tuning", parts[i], "MACRO=VALUE");
      return FALSE;
    }
    if (known->len == 1) {
      tool_complain_of_value ("--tuning", words[0],
          "useful: none of these variants can be tuned");
      return FALSE;
    }
    if (tool_find_name ("--tuning", words[0],
            (const gchar * const *) known->pdata) < 0)
      return FALSE;
    /* 0 is legal for none of them. */
    g_ascii_string_to_signed (words[1], 10, G_MININT, G_MAXINT, &value, NULL);
    for (guint j = 0; j < variants->len; j++) {
      const OclVariant *variant =
          g_array_index (variants, RunnerVariant, j).variant;
      const gint place =
          variant ? ocl_tunables_find (variant->tunables, words[0]) : -1;
      const OclTunable *tunable = place < 0 ? NULL : &variant->tunables[place];

      if (tunable && !ocl_tunable_allows (tunable, value)) {
        g_autoptr (GString) legal = g_string_new (NULL);

        g_string_printf (legal, "a %s, which is one of ", words[0]);
        for (guint n = 0; tunable->values[n]; n++)
          g_string_append_printf (legal, "%s%d", n ? ", " : "",
              tunable->values[n]);
        tool_complain_of_value ("--tuning", words[1], legal->str);
        return FALSE;
      }
    }
    g_hash_table_insert (tunings, g_strdup (words[0]), GINT_TO_POINTER (value));
  }
  return TRUE;
}

Plan *
plan_new (void)
{
  g_autoptr (Plan) self = g_new0 (Plan, 1);
  g_autofree const gchar **names = tool_list_names (ocl_operations,
      G_STRUCT_OFFSET (OclOperationClass, name));
  g_autofree const gchar **format_names =
      tool_list_names (ocl_formats, G_STRUCT_OFFSET (OclFormat, name));
  g_autoptr (GPtrArray) classes = g_ptr_array_new ();
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) storages = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) formats = g_array_new (FALSE, FALSE, sizeof (guint));

  self->series = series_new ();
  self->sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  self->tunings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->n_octaves = n_octaves;
  if (!tool_parse_names ("--operation", operations_text ? operations_text
          : operations, names, indices)
      || !tool_parse_sizes ("--sizes", sizes_text ? sizes_text : "1280x720",
          self->sizes)
      || !tool_check_count ("--octaves", n_octaves, 0, OCL_MAX_PYRAMID_LEVELS)
      || !tool_check_count ("--images", n_images, 1, MAX_IMAGES)
      || !tool_parse_names ("--storage", storages_text ? storages_text
          : n_octaves > 0 ? "buffer,image,image-array,image-buffer"
          : "buffer,image", ocl_storage_names, storages)
      || !tool_parse_names ("--format", formats_text ? formats_text
          : OCL_FORMAT_RGBA->name, format_names, formats))
    return NULL;
  for (guint i = 0; i < indices->len; i++) {
    const OclOperationClass *klass =
        ocl_operations[g_array_index (indices, guint, i)];

    if (!g_ptr_array_find (classes, klass, NULL))
      g_ptr_array_add (classes, (gpointer) klass);
  }
  g_autoptr (GArray) variants = parse_variants (classes);
  if (!variants || !param_lists_check (lists, classes)
      || !parse_tuning (self->tunings, variants))
    return NULL;
  self->params = param_lists_get_listed (lists, classes);
  for (guint i = 0; i < classes->len * self->sizes->len; i++) {
    const ToolSize *size = &g_array_index (self->sizes, ToolSize,
        i % self->sizes->len);

    for (guint j = 0; j < variants->len; j++) {
      RunnerCase item = {.variant = g_array_index (variants, RunnerVariant, j),
        .width = size->width,.height = size->height,.n_octaves = n_octaves,
        .n_images = n_images
      };
      /* Plain C has no storage. */
      const guint n_storages = item.variant.plain_c ? 1 : storages->len;

      if (item.variant.klass != classes->pdata[i / self->sizes->len])
        continue;
      g_autoptr (GPtrArray) params =
          param_lists_combine (lists, item.variant.klass);
      if (item.variant.variant)
        tunings_get (self->tunings, item.variant.variant, &item.tuning);
      for (guint k = 0; k < formats->len * n_storages; k++) {
        item.format = ocl_formats[g_array_index (formats, guint,
                k / n_storages)];
        item.storage = g_array_index (storages, guint, k % n_storages);
        series_add (self->series, &item, params);
      }
    }
  }
  return g_steal_pointer (&self);
}

void
tunings_get (GHashTable * tunings, const OclVariant * variant,
    OclTuning * tuning)
{
  const OclTunable *tunables = variant->tunables;

  ocl_tuning_init (tuning, tunables);
  for (guint i = 0; tunables && tunables[i].macro; i++) {
    gpointer value = g_hash_table_lookup (tunings, tunables[i].macro);

    if (value)
      tuning->values[i] = GPOINTER_TO_INT (value);
  }
}

void
series_options_add (SeriesOptions * options, GOptionContext * context)
{
  const GOptionEntry own[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->device,
        "gpu, cpu, 0:1 or part of a name, see glopencl devices", "SELECTOR"},
    {"rounds", 0, 0, G_OPTION_ARG_INT, &options->rounds,
        "Runs of each case (11)", "N"},
    {"max-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->max_seconds,
        "Skip cases that take longer per frame (2)", "SECONDS"},
    G_OPTION_ENTRY_NULL
  };

  g_option_context_add_main_entries (context, own, NULL);
  output_add_options (&options->output, context);
}

gboolean
series_options_check (const SeriesOptions * options)
{
  if (!tool_check_count ("--rounds", options->rounds, 1, MAX_ROUNDS))
    return FALSE;
  if (!(options->max_seconds > 0.0)) {
    tool_complain ("--max-seconds: \"%g\" is not greater than 0",
        options->max_seconds);
    return FALSE;
  }
  return TRUE;
}

static void
entry_free (gpointer data)
{
  SeriesEntry *entry = data;

  ocl_params_free ((gpointer) entry->item.params);
  g_array_unref (entry->kernels);
  g_array_unref (entry->times);
  g_array_unref (entry->walls);
  g_free (entry->note);
  g_free (entry);
}

GPtrArray *
series_new (void)
{
  return g_ptr_array_new_with_free_func (entry_free);
}

void
series_add (GPtrArray * series, const RunnerCase * item,
    GPtrArray * params_list)
{
  for (guint i = 0; i < params_list->len; i++) {
    SeriesEntry *entry = g_new0 (SeriesEntry, 1);

    entry->item = *item;
    entry->item.params =
        ocl_operation_class_copy_params (item->variant.klass,
        params_list->pdata[i]);
    entry->kernels = g_array_new (FALSE, FALSE, sizeof (gdouble));
    entry->times = g_array_new (FALSE, FALSE, sizeof (gdouble));
    entry->walls = g_array_new (FALSE, FALSE, sizeof (gdouble));
    g_ptr_array_add (series, entry);
  }
}

static void
complain_of_entry (const SeriesEntry * entry, const GError * error)
{
  tool_complain ("%s %s: %s", entry->item.variant.klass->name,
      entry->item.variant.name, error->message);
}

gboolean
series_warm_up (GPtrArray * series, Runner * runner, gdouble max_seconds)
{
  for (guint i = 0; i < series->len; i++) {
    g_autoptr (GError) error = NULL;
    SeriesEntry *entry = series->pdata[i];

    tool_show_progress ("warming up, %u of %u", i + 1, series->len);
    if (runner_warm_up (runner, &entry->item, max_seconds, &error))
      continue;
    if (error->code != OCL_ERROR_NOT_SUPPORTED
        && error->code != OCL_ERROR_BUILD) {
      complain_of_entry (entry, error);
      return FALSE;
    }
    g_autofree gchar *line = tool_get_first_line (error);
    entry->note = g_strdup_printf ("skipped: %s", line);
  }
  return TRUE;
}

gboolean
series_run_round (GPtrArray * series, Runner * runner, gint round,
    gint n_rounds)
{
  for (guint i = 0; i < series->len; i++) {
    g_autoptr (GError) error = NULL;
    SeriesEntry *entry = series->pdata[i];
    RunnerTimes times;

    tool_show_progress ("round %d of %d, %u of %u", round + 1, n_rounds, i + 1,
        series->len);
    if (entry->note)
      continue;
    /* The first run restores the data that other cases evicted from the
     * caches. */
    if (!runner_run (runner, &entry->item, &times, &error)
        || (times.wall < LONG_RUN
            && !runner_run (runner, &entry->item, &times, &error))) {
      complain_of_entry (entry, error);
      return FALSE;
    }
    const gdouble time = times.kernel + times.transfer;
    g_array_append_val (entry->kernels, times.kernel);
    g_array_append_val (entry->times, time);
    g_array_append_val (entry->walls, times.wall);
  }
  tool_show_progress ("%s", "");
  return TRUE;
}

Report *
series_report_new (GPtrArray * params, const ReportColumn * more, guint n)
{
  Report *report = report_new ();

  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < params->len; i++) {
    const OclParam *param = params->pdata[i];
    const ReportColumn column = { param->name,
      .is_number = param->type != OCL_PARAM_BOOLEAN
          && param->type != OCL_PARAM_ENUM && param->type != OCL_PARAM_FLAGS
    };

    report_add_columns (report, &column, 1);
  }
  report_add_columns (report, more, n);
  return report;
}

gchar *
series_print_param (const RunnerCase * item, const OclParam * column)
{
  const OclParam *param =
      ocl_params_find (item->variant.klass->params, column->name);

  return param ? ocl_param_print (param, item->params) : NULL;
}

void
series_report_case (Report * report, const OclDevice * device,
    const RunnerCase * item, GPtrArray * params)
{
  report_add (report, "%s", device->name);
  report_add (report, "%s", item->variant.klass->name);
  report_add (report, "%s", item->variant.name);
  report_add (report, "%s", item->variant.plain_c ? "host"
      : ocl_storage_names[item->storage]);
  report_add (report, "%s", item->n_octaves > 0 ? "float" : item->format->name);
  report_add (report, "%d", item->width);
  report_add (report, "%d", item->height);
  for (guint i = 0; i < params->len; i++) {
    g_autofree gchar *text = series_print_param (item, params->pdata[i]);

    report_add (report, "%s", text ? text : "");
  }
}
