/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "roofline.h"

#include <stdlib.h>

#include "devicepage.h"
#include "limit.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/ocloperations.h"
#include "output.h"
#include "overheads.h"
#include "paramlists.h"
#include "series.h"
#include "tool.h"

/* As given, or the defaults. */
typedef struct
{
  SeriesOptions series;
  gchar *size;
  gchar *page;
  ParamLists *params;
} Options;

/* After those that identify a case. */
static const ReportColumn columns[] = {
  {"exp2_rate", TRUE,.csv_only = TRUE}, {"exp2_count", TRUE,.csv_only = TRUE},
  {"exp2_ms", TRUE},
  {"frame_rate", TRUE,.csv_only = TRUE}, {"frame_count", TRUE,.csv_only = TRUE},
  {"frame_ms", TRUE},
  {"limit"}, {"limit_ms", TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"fraction", TRUE},
  {"note"},
};

/* What a kernel can be charged with, by the columns. */
static const Limit charged[] = { LIMIT_EXP2, LIMIT_FRAME };

static const ReportColumn limit_columns[] = {
  {"limit"}, {"10^9 a second", TRUE}, {"of what"},
};

static const gchar summary[] =
    "Measures what limits an OpenCL device, and prints which fraction of the\n"
    "tighter of two limits the kernels reach: the bytes of a frame, and the\n"
    "exponentials of a bilateral filter. Parameters without an option are at\n"
    "their defaults.";

static const gchar description[] =
    "Limits are the best of all rounds. Each filter has to read the frame and "
    "to write\nit, once. A variant of the bilateral filter that is exact, and "
    "is not for CPUs,\nhas an exponential for each tap of the square. "
    "median_ms is the time of the\nkernels without copies; fraction is "
    "limit_ms divided by it.\n\n"
    "The CSV has the limits too (_rate, a second) and the counts (_count, a "
    "frame).";

/* Returns how many exponentials or bytes a frame needs, at least. The variants
 * for CPUs compute exponentials from polynomials. */
static gdouble
get_count (const RunnerCase * item, Limit limit)
{
  const OclOperationClass *klass = item->variant.klass;
  const OclVariant *variant = item->variant.variant;
  const gdouble n_pixels = (gdouble) item->width * item->height;
  const gdouble diameter = runner_case_get_diameter (item);

  if (limit == LIMIT_FRAME)
    return n_pixels * 4 * (klass->flags & OCL_OPERATION_WRITES ? 2 : 1);
  return klass == &ocl_bilateral_class
      && !(variant->flags & (OCL_VARIANT_FOR_CPU | OCL_VARIANT_APPROXIMATE))
      ? n_pixels * diameter * diameter : 0.0;
}

static gdouble
get_milliseconds (const Limits * limits, const RunnerCase * item, Limit limit)
{
  return get_count (item, limit) / limits_get_rate (limits, limit) * 1e3;
}

static Limit
find_tightest (const Limits * limits, const RunnerCase * item)
{
  Limit tightest = charged[0];

  for (guint i = 1; i < G_N_ELEMENTS (charged); i++) {
    if (get_milliseconds (limits, item, charged[i])
        > get_milliseconds (limits, item, tightest))
      tightest = charged[i];
  }
  return tightest;
}

/* The operations that read frames; an array of OclOperationClass. */
static GPtrArray *
list_classes (void)
{
  GPtrArray *classes = g_ptr_array_new ();

  for (guint i = 0; ocl_operations[i]; i++) {
    if (ocl_operations[i]->flags & OCL_OPERATION_READS)
      g_ptr_array_add (classes, (gpointer) ocl_operations[i]);
  }
  return classes;
}

/* All that reads frames, with every combination of parameters. */
static GPtrArray *
plan (const ToolSize * size, const ParamLists * params)
{
  GPtrArray *series = series_new ();
  g_autoptr (GArray) variants = runner_variant_list ();

  for (guint i = 0; i < variants->len; i++) {
    RunnerCase item = {
      .variant = g_array_index (variants, RunnerVariant, i),
      .format = OCL_FORMAT_RGBA,.width = size->width,.height = size->height,
    };

    if (!item.variant.variant
        || !(item.variant.klass->flags & OCL_OPERATION_READS))
      continue;
    g_autoptr (GPtrArray) combined =
        param_lists_combine (params, item.variant.klass);
    ocl_tuning_init (&item.tuning, item.variant.variant->tunables);
    for (guint j = 0; j < OCL_N_STORAGES; j++) {
      item.storage = j;
      series_add (series, &item, combined);
    }
  }
  return series;
}

static void
report_limits (Report * report, const Limits * limits, const RunnerCase * item)
{
  for (guint i = 0; i < G_N_ELEMENTS (charged); i++) {
    gdouble count = get_count (item, charged[i]);

    report_add (report, "%.6g", limits_get_rate (limits, charged[i]));
    report_add (report, "%.10g", count);
    if (count > 0.0)
      report_add (report, "%.4f", get_milliseconds (limits, item, charged[i]));
    else
      report_add_empty (report, 1);
  }
}

static Report *
report_series (const OclDevice * device, const Limits * limits,
    GPtrArray * series, GPtrArray * params)
{
  Report *report = report_new ();

  series_report_columns (report, params);
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < series->len; i++) {
    const SeriesEntry *entry = series->pdata[i];
    const Limit tightest = find_tightest (limits, &entry->item);
    gdouble limit_ms = get_milliseconds (limits, &entry->item, tightest);

    series_report_case (report, device, &entry->item, params);
    report_limits (report, limits, &entry->item);
    report_add (report, "%s", limit_names[tightest]);
    report_add (report, "%.4f", limit_ms);
    if (entry->note) {
      report_add_empty (report, 3);
      report_add (report, "%s", entry->note);
    } else {
      gdouble median = tool_get_median (entry->kernels);

      report_add (report, "%.4f", median);
      /* Sorted by now. */
      report_add (report, "%.4f", g_array_index (entry->kernels, gdouble, 0));
      report_add (report, "%.3f", limit_ms / median);
      report_add_empty (report, 1);
    }
  }
  return report;
}

/* Returns the operation of @entry with the parameters that are varied. */
static gchar *
describe (const SeriesEntry * entry, GPtrArray * params)
{
  GString *text = g_string_new (entry->item.variant.klass->name);

  for (guint i = 0; i < params->len; i++) {
    const OclParam *column = params->pdata[i];
    g_autofree gchar *value = series_print_param (&entry->item, column);

    if (value)
      g_string_append_printf (text, ", %s %s", column->name, value);
  }
  return g_string_free (text, FALSE);
}

static gboolean
write_page (const gchar * path, const OclDevice * device, const Limits * limits,
    const gdouble overheads[N_OVERHEADS], const ToolSize * size,
    GPtrArray * series, GPtrArray * params)
{
  g_autoptr (GArray) kernels = device_page_new_kernels ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < series->len; i++) {
    const SeriesEntry *entry = series->pdata[i];

    if (entry->note)
      continue;
    const Limit tightest = find_tightest (limits, &entry->item);
    const DevicePageKernel kernel = {
      .what = describe (entry, params),.variant = entry->item.variant.name,
      .storage = ocl_storage_names[entry->item.storage],
      .milliseconds = tool_get_median (entry->kernels),
      .limit = limit_titles[tightest],
      .fraction = get_milliseconds (limits, &entry->item, tightest)
          / tool_get_median (entry->kernels),
    };

    g_array_append_val (kernels, kernel);
  }
  g_autofree gchar *page = device_page_print (device, limits, overheads, size,
      kernels);
  if (g_file_set_contents (path, page, -1, &error))
    return TRUE;
  tool_complain ("%s", error->message);
  return FALSE;
}

static void
print_limits (const OclDevice * device, const Limits * limits,
    const gdouble overheads[N_OVERHEADS], const ToolSize * size, gint n_rounds)
{
  g_autoptr (Report) report = report_new ();

  report_add_columns (report, limit_columns, G_N_ELEMENTS (limit_columns));
  for (Limit limit = 0; limit < N_LIMITS; limit++) {
    report_add (report, "%s", limit_names[limit]);
    report_add (report, "%.2f", limits_get_rate (limits, limit) / 1e9);
    report_add (report, "%s", limit_titles[limit]);
  }
  for (guint i = OVERHEAD_LAUNCH + 1; i < N_OVERHEADS; i++) {
    report_add (report, "%s", overhead_names[i]);
    report_add (report, "%.2f", overheads[i] / 1e9);
    report_add (report, "%s", overhead_titles[i]);
  }
  printf ("%s (%s), %d rounds\n\n", device->name, device->platform_name,
      n_rounds);
  report_write_table (report, stdout);
  printf ("\nA launch of a kernel that does nothing takes %.1f us.\n",
      1e6 / overheads[OVERHEAD_LAUNCH]);
  printf ("\nA frame of %dx%d:\n\n", size->width, size->height);
}

static gboolean
measure (Limits * limits, GPtrArray * series, Runner * runner, gint n_rounds)
{
  g_autoptr (GError) error = NULL;

  for (gint round = 0; round < n_rounds; round++) {
    if (!limits_measure (limits, &error)) {
      tool_complain ("%s", error->message);
      return FALSE;
    }
    if (!series_run_round (series, runner, round, n_rounds))
      return FALSE;
  }
  return TRUE;
}

static gboolean
roofline (OclContext * context, const Options * options, const ToolSize * size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) classes = list_classes ();
  g_autoptr (GPtrArray) params =
      param_lists_get_listed (options->params, classes);
  g_autoptr (GPtrArray) series = plan (size, options->params);
  const SeriesOptions *general = &options->series;

  const Output page = {.csv = options->page };

  if (!output_check (&general->output) || !output_check (&page))
    return FALSE;
  tool_show_progress ("measuring limits");
  gdouble overheads[N_OVERHEADS];
  g_autoptr (Limits) limits =
      limits_new (context, size->width, size->height, &error);
  if (!limits || !overheads_measure (context,
          (gsize) size->width * size->height * 4, overheads, &error)) {
    tool_complain ("%s", error->message);
    return FALSE;
  }
  g_autoptr (Runner) runner = runner_new (context, NULL);
  if (!series_warm_up (series, runner, general->max_seconds)
      || !measure (limits, series, runner, general->rounds))
    return FALSE;

  g_autoptr (Report) report = report_series (context->device, limits, series,
      params);
  if (output_is_table (&general->output))
    print_limits (context->device, limits, overheads, size, general->rounds);
  return output_write (report, &general->output)
      && (!options->page || write_page (options->page, context->device, limits,
          overheads, size, series, params));
}

/* Returns the exit status. */
static int
run (const Options * options)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  g_autoptr (GPtrArray) classes = list_classes ();

  if (!tool_parse_sizes ("--frame-size", options->size, sizes)
      || !param_lists_check (options->params, classes)
      || !series_options_check (&options->series))
    return TOOL_MISUSED;
  if (sizes->len != 1) {
    tool_complain ("--frame-size: there is one");
    return TOOL_MISUSED;
  }
  g_autoptr (OclContext) context = tool_open_device (options->series.device);
  return context && roofline (context, options, &g_array_index (sizes,
          ToolSize, 0)) ? EXIT_SUCCESS : TOOL_FAILED;
}

static gboolean
parse_options (int argc, char **argv, Options * options, int *status)
{
  const GOptionEntry own[] = {
    {"frame-size", 0, 0, G_OPTION_ARG_STRING, &options->size,
        "Size of the frame (1280x720)", "SIZE"},
    {"page", 0, 0, G_OPTION_ARG_FILENAME, &options->page,
        "Also write a page about the device, in Markdown", "FILE"},
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));

  series_options_add (&options->series, entries);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  param_lists_add_options (options->params, entries);
  return tool_parse_options (summary, description,
      (const GOptionEntry *) entries->data, argc, argv, status);
}

int
roofline_main (int argc, char **argv)
{
  Options options = {.series = SERIES_OPTIONS_INIT,
    .size = g_strdup ("1280x720"),.params = param_lists_new (TRUE)
  };
  int status;

  if (parse_options (argc, argv, &options, &status))
    status = run (&options);
  series_options_clear (&options.series);
  g_free (options.size);
  g_free (options.page);
  param_lists_free (options.params);
  return status;
}
