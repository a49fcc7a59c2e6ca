/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl roofline`: compares kernels with the limits of a device. With
 * --page it also writes the results as a page. */

#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "limit.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/ocloperations.h"
#include "tool.h"

/* Rates that differ by less are reported as equal. */
#define ALIKE 0.05

static SeriesOptions options = SERIES_OPTIONS_INIT;
static gchar *size_text;
static gchar *page_path;

static const GOptionEntry entries[] = {
  {"frame-size", 0, 0, G_OPTION_ARG_STRING, &size_text,
      "Size of the frame (1280x720)", "SIZE"},
  {"page", 0, 0, G_OPTION_ARG_FILENAME, &page_path,
      "Also write a page about the device, in Markdown", "FILE"},
  G_OPTION_ENTRY_NULL
};

/* The columns after those that identify a case. */
static const ReportColumn columns[] = {
  {"exp2_rate", TRUE,.csv_only = TRUE}, {"exp2_count", TRUE,.csv_only = TRUE},
  {"exp2_ms", TRUE},
  {"frame_rate", TRUE,.csv_only = TRUE}, {"frame_count", TRUE,.csv_only = TRUE},
  {"frame_ms", TRUE},
  {"limit"}, {"limit_ms", TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"fraction", TRUE},
  {"note"},
};

/* The costs of a kernel, by the columns. */
static const Limit charged[] = { LIMIT_EXP2, LIMIT_FRAME };

static const ReportColumn limit_columns[] = {
  {"limit"}, {"unit", TRUE}, {"of what"},
};

static const gchar summary[] =
    "Measures the limits of an OpenCL device, and prints the fraction of "
    "the tighter of\n"
    "two limits that the kernels reach: the bytes of a frame, and the "
    "exponentials of a\n"
    "bilateral filter. Parameters without an option have their " "defaults.";

static const gchar description[] =
    "Limits are the best of all rounds. Each filter has to read the frame "
    "and to write\n"
    "it, once. An exact variant of the bilateral filter that is not for "
    "CPUs has an\n"
    "exponential for each tap of the square. median_ms is the time of "
    "the kernels\n"
    "without copies. fraction is limit_ms divided by it.\n"
    "\n"
    "The CSV also has the limits (_rate, per second) and the counts "
    "(_count, per frame).";

/* The measured cases and the options. */
typedef struct
{
  const OclDevice *device;
  ToolSize size;
  GPtrArray *params;            /* OclParam, the varied ones */
  GPtrArray *series;
  Limits *limits;
} Roofline;

/* Returns the minimum number of exponentials or bytes per frame. The variants
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
get_milliseconds (const Roofline * self, const RunnerCase * item, Limit limit)
{
  return get_count (item, limit) / limits_get_rate (self->limits, limit) * 1e3;
}

static Limit
find_tightest (const Roofline * self, const RunnerCase * item)
{
  return get_milliseconds (self, item, LIMIT_FRAME)
      > get_milliseconds (self, item, LIMIT_EXP2) ? LIMIT_FRAME : LIMIT_EXP2;
}

/* Adds every variant of @classes, with every combination of parameters. */
static GPtrArray *
make_series (const ToolSize * size, GPtrArray * classes, GPtrArray * lists)
{
  GPtrArray *series = series_new ();

  for (guint i = 0; i < classes->len; i++) {
    const OclOperationClass *klass = classes->pdata[i];
    g_autoptr (GPtrArray) combined = param_lists_combine (lists, klass);

    for (guint j = 0; klass->variants[j]; j++) {
      const OclVariant *variant = klass->variants[j];
      RunnerCase item = {
        .variant = {.klass = klass,.name = variant->name,.variant = variant},
        .format = OCL_FORMAT_RGBA,.width = size->width,.height = size->height,
      };

      ocl_tuning_init (&item.tuning, variant->tunables);
      for (guint k = 0; k < OCL_N_STORAGES; k++) {
        item.storage = k;
        series_add (series, &item, combined);
      }
    }
  }
  return series;
}

static Report *
make_report (const Roofline * self)
{
  Report *report =
      series_report_new (self->params, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < self->series->len; i++) {
    const SeriesEntry *entry = self->series->pdata[i];
    const Limit tightest = find_tightest (self, &entry->item);
    const gdouble limit_ms = get_milliseconds (self, &entry->item, tightest);

    series_report_case (report, self->device, &entry->item, self->params);
    for (guint j = 0; j < G_N_ELEMENTS (charged); j++) {
      const gdouble count = get_count (&entry->item, charged[j]);

      report_add (report, "%.6g", limits_get_rate (self->limits, charged[j]));
      report_add (report, "%.10g", count);
      if (count > 0.0)
        report_add (report, "%.4f",
            get_milliseconds (self, &entry->item, charged[j]));
      else
        report_add_empty (report, 1);
    }
    report_add (report, "%s", limit_get_name (tightest));
    report_add (report, "%.4f", limit_ms);
    if (entry->note) {
      report_add_empty (report, 3);
      report_add (report, "%s", entry->note);
    } else {
      const gdouble median = tool_get_median (entry->kernels);

      report_add (report, "%.4f", median);
      /* They are sorted already. */
      report_add (report, "%.4f", g_array_index (entry->kernels, gdouble, 0));
      report_add (report, "%.3f", limit_ms / median);
      report_add_empty (report, 1);
    }
  }
  return report;
}

static gboolean
print_limits (const Roofline * self)
{
  g_autoptr (Report) report = report_new ();
  const Output table = { NULL, };

  report_add_columns (report, limit_columns, G_N_ELEMENTS (limit_columns));
  for (Limit limit = 0; limit < LIMIT_LAUNCH; limit++) {
    report_add (report, "%s", limit_get_name (limit));
    report_add (report, "%.2f", limits_get_rate (self->limits, limit) / 1e9);
    report_add (report, "%s", limit_get_title (limit));
  }
  printf ("%s (%s), %d rounds\n\n", self->device->name,
      self->device->platform_name, options.rounds);
  if (!output_write (&table, report))
    return FALSE;
  printf ("\n"
      "A launch of an empty kernel takes %.1f us.\n",
      1e6 / limits_get_rate (self->limits, LIMIT_LAUNCH));
  printf ("\nA frame of %dx%d:\n\n", self->size.width, self->size.height);
  return TRUE;
}

/* Appends a comparison of two rates. */
static void
append_comparison (GString * page, const gchar * what, gdouble rate,
    gdouble other, const gchar * other_what)
{
  if (rate <= 0.0 || other <= 0.0)
    return;
  const gdouble ratio = rate / other;

  if (ratio > 1.0 - ALIKE && ratio < 1.0 + ALIKE)
    g_string_append_printf (page, "- %s: as fast as %s.\n", what, other_what);
  else
    g_string_append_printf (page, "- %s: %.2f times as fast as %s.\n", what,
        ratio, other_what);
}

static void
append_limits (const Roofline * self, GString * page)
{
#define RATE(limit) limits_get_rate (self->limits, LIMIT_##limit)
  /* The unit of bytes and instructions is 10^9. */
  g_string_append (page, "## Limits\n"
      "\n" "| | 10^9 per second |\n" "| --- | --- |\n");
  for (Limit limit = 0; limit < LIMIT_LAUNCH; limit++) {
    const gdouble rate = limits_get_rate (self->limits, limit);

    if (rate > 0.0)
      g_string_append_printf (page, "| %s | %.*f |\n", limit_get_title (limit),
          rate < 1e10 ? 2 : rate < 1e12 ? 1 : 0, rate / 1e9);
  }
  g_string_append_printf (page,
      "\n"
      "A launch of an empty kernel takes %.1f microseconds.\n",
      1e6 / RATE (LAUNCH));
  g_string_append (page, "\n" "## Consequences for kernels\n" "\n");
  append_comparison (page, "Exponentials of 2", RATE (EXP2), RATE (EXP),
      "exp()");
  append_comparison (page, "Native exponentials of 2", RATE (NATIVE_EXP2),
      RATE (EXP2), "precise ones");
  if (RATE (EXP2) > 0.0)
    g_string_append_printf (page, "- Up to %.0f multiply-adds are free "
        "beside an exponential.\n", RATE (FMA) / RATE (EXP2));
  append_comparison (page, "Copies of 4 floats at a time", RATE (COPY_4),
      RATE (COPY_1), "copies of single floats");
  append_comparison (page, "Copies of 16 floats at a time", RATE (COPY_16),
      RATE (COPY_4), "copies of 4");
  append_comparison (page, "Frames in images", RATE (IMAGE), RATE (FRAME),
      "frames in buffers");
  append_comparison (page, "Local memory", RATE (LOCAL), RATE (CACHE),
      "cached memory");
  append_comparison (page, "Pinned memory, to the device",
      RATE (UPLOAD_PINNED), RATE (UPLOAD), "pageable memory");
  append_comparison (page, "Pinned memory, from the device",
      RATE (DOWNLOAD_PINNED), RATE (DOWNLOAD), "pageable memory");
#undef RATE
}

/* Returns the operation of @entry with the varied parameters. */
static gchar *
describe (const Roofline * self, const SeriesEntry * entry)
{
  GString *text = g_string_new (entry->item.variant.klass->name);

  for (guint i = 0; i < self->params->len; i++) {
    const OclParam *column = self->params->pdata[i];
    g_autofree gchar *value = series_print_param (&entry->item, column);

    if (value)
      g_string_append_printf (text, ", %s %s", column->name, value);
  }
  return g_string_free (text, FALSE);
}

/* Appends the fastest kernels for each operation with its parameters. */
static void
append_kernels (const Roofline * self, GString * page)
{
  g_autoptr (GHashTable) least =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->series->len; i++) {
    SeriesEntry *entry = self->series->pdata[i];
    g_autofree gchar *what = describe (self, entry);
    SeriesEntry *other = g_hash_table_lookup (least, what);

    if (!entry->note && (!other || tool_get_median (entry->kernels)
            < tool_get_median (other->kernels)))
      g_hash_table_insert (least, g_steal_pointer (&what), entry);
  }
  g_string_append_printf (page, "\n"
      "## Efficiency of kernels\n"
      "\n"
      "RGBA, %dx%d, the fastest variant and storage of each operation. An "
      "operation reads the frame and writes it, once. An exact bilateral "
      "filter has an exponential for each tap.\n"
      "\n"
      "| | variant | frames in | milliseconds | limited by | part of the "
      "limit |\n"
      "| --- | --- | --- | --- | --- | --- |\n", self->size.width,
      self->size.height);
  for (guint i = 0; i < self->series->len; i++) {
    const SeriesEntry *entry = self->series->pdata[i];
    g_autofree gchar *what = describe (self, entry);
    const SeriesEntry *fastest = g_hash_table_lookup (least, what);
    const Limit tightest = find_tightest (self, &entry->item);
    const gdouble median =
        entry->note ? G_MAXDOUBLE : tool_get_median (entry->kernels);

    if (!entry->note && median <= tool_get_median (fastest->kernels))
      g_string_append_printf (page, "| %s | %s | %s | %.4g | %s | %.0f %% |\n",
          what, entry->item.variant.name,
          ocl_storage_names[entry->item.storage], median,
          limit_get_title (tightest),
          100.0 * get_milliseconds (self, &entry->item, tightest) / median);
  }
}

static gboolean
roofline (Roofline * self, OclContext * context)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) page = g_string_new (NULL);
  const Output page_output = {.csv = page_path };

  if (!output_check (&options.output) || !output_check (&page_output))
    return FALSE;
  tool_show_progress ("measuring limits");
  g_autoptr (Limits) limits = limits_new (context, self->size.width,
      self->size.height, &error);
  if (!limits) {
    tool_complain ("%s", error->message);
    return FALSE;
  }
  self->limits = limits;
  g_autoptr (Runner) runner = runner_new (context, NULL);
  if (!series_warm_up (self->series, runner, options.max_seconds))
    return FALSE;
  for (gint round = 0; round < options.rounds; round++) {
    if (!limits_measure (limits, &error)) {
      tool_complain ("%s", error->message);
      return FALSE;
    }
    if (!series_run_round (self->series, runner, round, options.rounds))
      return FALSE;
  }

  g_autoptr (Report) report = make_report (self);
  if ((output_is_table (&options.output) && !print_limits (self))
      || !output_write (&options.output, report))
    return FALSE;
  if (!page_path)
    return TRUE;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree gchar *date = g_date_time_format (now, "%F");
  g_string_append_printf (page, "# %s\n\n%s, driver %s; "
      "`glopencl roofline --frame-size %dx%d --page FILE`, %s.\n\n",
      self->device->name, self->device->platform_name, self->device->driver,
      self->size.width, self->size.height, date);
  append_limits (self, page);
  append_kernels (self, page);
  return output_write_text (page_path, page->str);
}

int
roofline_main (int argc, char **argv)
{
  g_autoptr (GOptionContext) parser = tool_options_new (summary, description);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  g_autoptr (GPtrArray) classes = g_ptr_array_new ();
  int status;

  series_options_add (&options, parser);
  g_option_context_add_main_entries (parser, entries, NULL);
  g_autoptr (GPtrArray) lists = param_lists_new (parser, TRUE);
  if (!tool_parse_options (parser, argc, argv, &status))
    return status;
  for (guint i = 0; ocl_operations[i]; i++) {
    if (ocl_operations[i]->flags & OCL_OPERATION_READS)
      g_ptr_array_add (classes, (gpointer) ocl_operations[i]);
  }
  if (!tool_parse_sizes ("--frame-size", size_text ? size_text : "1280x720",
          sizes)
      || !param_lists_check (lists, classes)
      || !series_options_check (&options))
    return TOOL_MISUSED;
  if (sizes->len != 1) {
    tool_complain ("--frame-size: expected one size");
    return TOOL_MISUSED;
  }
  g_autoptr (OclContext) context = tool_open_device (options.device);
  if (!context)
    return TOOL_FAILED;
  const ToolSize size = g_array_index (sizes, ToolSize, 0);
  g_autoptr (GPtrArray) params = param_lists_get_listed (lists, classes);
  g_autoptr (GPtrArray) series = make_series (&size, classes, lists);
  Roofline self = {.device = context->device,.size = size,.params = params,
    .series = series
  };
  return roofline (&self, context) ? EXIT_SUCCESS : TOOL_FAILED;
}
