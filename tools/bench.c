/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench.h"

#include <stdlib.h>

#include "lines.h"
#include "output.h"
#include "plan.h"
#include "tool.h"

/* As given, or the defaults. */
typedef struct
{
  SeriesOptions series;
  gchar *frame;
  gboolean lines;
} Options;

/* After those that identify a case. */
static const ReportColumn columns[] = {
  {"rounds", TRUE,.csv_only = TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"wall_ms", TRUE}, {"note"},
};

static const gchar summary[] =
    "Times operations on an OpenCL device, and in plain C, without GStreamer\n"
    "and OpenGL: all combinations of what the lists hold. Every round times\n"
    "each of them once, warm.";

static const gchar description[] =
    "LIST is comma-separated. glopencl operations lists the operations with "
    "their\nparameters and variants. Where a list is given for a parameter of "
    "an operation,\nits others are at their defaults. " RUNNER_VARIANT_AUTO
    " is what the element would take; serial\nand openmp are plain C.\n\n"
    "median_ms and min_ms are the time of the kernels and of copies on the "
    "device and\nto the host; wall_ms is the median up to the end of the last "
    "command. A variant\nthat the device cannot run, or that would take too "
    "long, has a note instead.\n\n"
    "--octaves: each variant of a filter is run on every image of a pyramid of "
    "grey\nfloats, a launch each; median_ms is the sum. So storages are "
    "compared.\n\n"
    "--lines: the first line of output names the device. Then every line of "
    "standard\ninput,\n\n"
    "  " LINES_FORM "\n\n"
    "is run once and answered with the milliseconds of its kernels and of its "
    "copies.\nNAME is a parameter or format; what a line does not name is at "
    "its default, the\nformat RGBA.";

static gboolean
check_options (const Options * options, const Plan * plan)
{
  if (!series_options_check (&options->series))
    return FALSE;
  if ((options->frame || options->lines) && plan->sizes->len != 1) {
    tool_complain ("--frame and --lines need one size");
    return FALSE;
  }
  if ((options->frame || options->lines) && plan->n_octaves > 0) {
    tool_complain ("--octaves go with neither --frame nor --lines");
    return FALSE;
  }
  if (options->lines && !output_is_table (&options->series.output)) {
    tool_complain ("--lines writes no CSV and no JSON");
    return FALSE;
  }
  return TRUE;
}

/* Sets @pixels to what the file of --frame holds, if there is one. */
static gboolean
load_frame (const Options * options, const Plan * plan, guint8 ** pixels)
{
  const ToolSize size = g_array_index (plan->sizes, ToolSize, 0);
  g_autoptr (GError) error = NULL;
  gsize n_bytes = 0;

  if (!options->frame)
    return TRUE;
  if (!g_file_get_contents (options->frame, (gchar **) pixels, &n_bytes,
          &error)) {
    tool_complain ("--frame: %s", error->message);
    return FALSE;
  }
  if (n_bytes != (gsize) size.width * size.height * 4) {
    tool_complain ("--frame: %s has %" G_GSIZE_FORMAT " bytes and not the %"
        G_GSIZE_FORMAT " of a frame of %dx%d", options->frame, n_bytes,
        (gsize) size.width * size.height * 4, size.width, size.height);
    g_clear_pointer (pixels, g_free);
    return FALSE;
  }
  return TRUE;
}

static Report *
report_series (const OclDevice * device, GPtrArray * series,
    GPtrArray * params, gint n_rounds)
{
  Report *report = report_new ();

  series_report_columns (report, params);
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < series->len; i++) {
    const SeriesEntry *entry = series->pdata[i];

    series_report_case (report, device, &entry->item, params);
    if (entry->note) {
      report_add (report, "0");
      report_add_empty (report, 3);
      report_add (report, "%s", entry->note);
    } else {
      report_add (report, "%d", n_rounds);
      report_add (report, "%.4f", tool_get_median (entry->times));
      /* Sorted by now. */
      report_add (report, "%.4f", g_array_index (entry->times, gdouble, 0));
      report_add (report, "%.4f", tool_get_median (entry->walls));
      report_add_empty (report, 1);
    }
  }
  return report;
}

static gboolean
bench (Runner * runner, const OclDevice * device, const Plan * plan,
    const SeriesOptions * options)
{
  g_autoptr (GPtrArray) series = plan_make_series (plan);
  g_autoptr (GPtrArray) params =
      param_lists_get_listed (plan->params, plan->classes);

  if (series->len == 0) {
    tool_complain ("no operation has such a variant");
    return FALSE;
  }
  if (!output_check (&options->output)
      || !series_warm_up (series, runner, options->max_seconds))
    return FALSE;
  for (gint round = 0; round < options->rounds; round++) {
    if (!series_run_round (series, runner, round, options->rounds))
      return FALSE;
  }

  g_autoptr (Report) report = report_series (device, series, params,
      options->rounds);
  if (output_is_table (&options->output))
    printf ("%s (%s), median of %d rounds\n", device->name,
        device->platform_name, options->rounds);
  return output_write (report, &options->output);
}

/* Returns the exit status. */
static int
run (const Options * options, const Plan * plan)
{
  guint8 *pixels = NULL;

  if (!load_frame (options, plan, &pixels))
    return TOOL_MISUSED;

  g_autoptr (OclContext) context = tool_open_device (options->series.device);
  if (!context) {
    g_free (pixels);
    return TOOL_FAILED;
  }
  g_autoptr (Runner) runner = runner_new (context, pixels);
  gboolean ok = options->lines ? lines_answer (runner, context->device,
      &g_array_index (plan->sizes, ToolSize, 0), plan->tunings)
      : bench (runner, context->device, plan, &options->series);
  return ok ? EXIT_SUCCESS : TOOL_FAILED;
}

static gboolean
parse_options (int argc, char **argv, Options * options, Plan * plan,
    int *status)
{
  const GOptionEntry own[] = {
    {"frame", 0, 0, G_OPTION_ARG_FILENAME, &options->frame,
        "RGBA bytes of a frame to take instead of a drawn one", "FILE"},
    {"lines", 0, 0, G_OPTION_ARG_NONE, &options->lines,
        "Run what standard input asks for, see below", NULL},
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));

  series_options_add (&options->series, entries);
  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  plan_add_options (plan, entries);
  return tool_parse_options (summary, description,
      (const GOptionEntry *) entries->data, argc, argv, status);
}

int
bench_main (int argc, char **argv)
{
  Options options = {.series = SERIES_OPTIONS_INIT };
  g_autoptr (Plan) plan = plan_new ();
  int status;

  if (parse_options (argc, argv, &options, plan, &status))
    status = plan_parse (plan) && check_options (&options, plan)
        ? run (&options, plan) : TOOL_MISUSED;
  series_options_clear (&options.series);
  g_free (options.frame);
  return status;
}
