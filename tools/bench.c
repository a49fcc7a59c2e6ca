/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl bench`: times the operations on a device, and in plain C. With
 * --lines it runs the cases that another program sends, so that both programs
 * can alternate. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "opencl/ocloperations.h"

/* The syntax of a line. NAME is the name of a parameter, or "format". */
#define LINE_FORM "OPERATION VARIANT STORAGE [NAME=VALUE ...]"

#define FORMAT "format="

static SeriesOptions options = SERIES_OPTIONS_INIT;
static gchar *frame;
static gboolean takes_lines;

static const GOptionEntry entries[] = {
  {"frame", 0, 0, G_OPTION_ARG_FILENAME, &frame,
      "Frame to use instead of a generated one, as raw RGBA", "FILE"},
  {"lines", 0, 0, G_OPTION_ARG_NONE, &takes_lines,
      "Run cases from standard input, see below", NULL},
  G_OPTION_ENTRY_NULL
};

/* The columns after those that identify a case. */
static const ReportColumn columns[] = {
  {"rounds", TRUE,.csv_only = TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"wall_ms", TRUE}, {"note"},
};

static const gchar summary[] =
    "Times operations on an OpenCL device, and in plain C, without "
    "GStreamer\n"
    "and OpenGL: all combinations of the lists. Each round times each "
    "of them\n" "once, warm.";

static const gchar description[] =
    "LIST is comma-separated. glopencl operations lists the operations with "
    "their\nparameters and variants. If a list is given for a parameter of "
    "an operation,\nthe other parameters have their defaults. "
    RUNNER_VARIANT_AUTO " is the variant that the\nelement would select. "
    "serial and openmp are plain C.\n\n"
    "median_ms and min_ms are the time of the kernels and of copies on the "
    "device and\nto the host. wall_ms is the median until the end of the last "
    "command. If the device\ncannot run a variant, or it would take too "
    "long, it has a note instead.\n\n"
    "--octaves: runs each variant of a filter on every image of a pyramid of "
    "grey floats,\nwith a launch for each, to compare storages. median_ms is "
    "the sum.\n\n"
    "--lines: the first line of output is the name of the device. Then every "
    "line of\nstandard input,\n\n"
    "  " LINE_FORM "\n"
    "\n"
    "is run once, on a GPU directly after a run that is not measured, and "
    "answered with\nthe milliseconds of its kernels and of its copies.\n"
    "NAME is a parameter or format. Omitted parameters have their "
    "defaults, the default\n" "format is RGBA.";

/* Parses a word of @line from its fourth on. Returns FALSE after a
 * complaint. */
static gboolean
parse_word (const gchar * line, const gchar * word, RunnerCase * item,
    gpointer params)
{
  const OclOperationClass *klass = item->variant.klass;
  g_auto (GStrv) parts = g_strsplit (word, "=", 2);

  if (g_str_has_prefix (word, FORMAT)) {
    g_autofree const gchar **names =
        tool_list_names (ocl_formats, G_STRUCT_OFFSET (OclFormat, name));
    const gint n = tool_find_name (line, parts[1], names);

    if (n >= 0)
      item->format = ocl_formats[n];
    return n >= 0;
  }
  const OclParam *param = ocl_params_find (klass->params, parts[0]);
  if (!param || !parts[1]) {
    tool_complain_of_value (line, word, "a parameter, see glopencl "
        "operations");
    return FALSE;
  }
  if (!ocl_operation_class_parse (klass, param, parts[1], params)) {
    g_autofree gchar *legal = param_describe_values (param);

    tool_complain_of_value (line, word, legal);
    return FALSE;
  }
  return TRUE;
}

/* Sets @item to the case in @line, and its @params, which the caller frees.
 * Returns FALSE after a complaint. */
static gboolean
parse_line (const gchar * line, RunnerCase * item, gpointer * params)
{
  g_autofree gchar *quoted = g_strdup_printf ("\"%s\"", line);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autofree const gchar **operations = tool_list_names (ocl_operations,
      G_STRUCT_OFFSET (OclOperationClass, name));

  if (g_strv_length (words) < 3) {
    tool_complain_of_value ("line", line, LINE_FORM);
    return FALSE;
  }
  const gint n = tool_find_name (quoted, words[0], operations);
  if (n < 0 || !runner_variant_parse (ocl_operations[n], quoted, words[1],
          &item->variant))
    return FALSE;
  const gint storage = tool_find_name (quoted, words[2], ocl_storage_names);
  if (storage < 0)
    return FALSE;
  item->storage = storage;
  *params = ocl_operation_class_create_params (item->variant.klass);
  item->params = *params;
  for (guint i = 3; words[i]; i++) {
    if (!parse_word (quoted, words[i], item, *params))
      return FALSE;
  }
  return TRUE;
}

/* Runs the case in @line, and prints its times. @seen holds the previous
 * lines. */
static gboolean
answer_line (Runner * runner, const gchar * line, const Plan * plan,
    GHashTable * seen)
{
  const ToolSize *size = &g_array_index (plan->sizes, ToolSize, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (OclParams) params = NULL;
  RunnerCase item = {.format = OCL_FORMAT_RGBA,.width = size->width,
    .height = size->height
  };
  RunnerTimes times;

  if (!parse_line (line, &item, &params))
    return FALSE;
  if (item.variant.variant)
    tunings_get (plan->tunings, item.variant.variant, &item.tuning);
  if ((g_hash_table_add (seen, g_strdup (line))
          && !runner_warm_up (runner, &item, INFINITY, &error))
      || !runner_run (runner, &item, &times, &error)) {
    tool_complain ("%s: %s", line, error->message);
    return FALSE;
  }
  printf ("%.4f %.4f\n", times.kernel, times.transfer);
  return fflush (stdout) == 0;
}

static gboolean
answer_lines (Runner * runner, const OclDevice * device, const Plan * plan)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *line = NULL;
  size_t line_size = 0;

  runner_keep_busy (runner);
  printf ("%s (%s)\n", device->name, device->platform_name);
  gboolean ok = fflush (stdout) == 0;
  while (ok && getline (&line, &line_size, stdin) >= 0) {
    line[strcspn (line, "\n")] = '\0';
    ok = answer_line (runner, line, plan, seen);
  }
  if (ferror (stdin)) {
    tool_complain ("standard input cannot be read: %s", g_strerror (errno));
    ok = FALSE;
  }
  return ok;
}

static gboolean
bench (Runner * runner, const OclDevice * device, const Plan * plan)
{
  GPtrArray *series = plan->series;
  g_autoptr (Report) report =
      series_report_new (plan->params, columns, G_N_ELEMENTS (columns));

  if (series->len == 0) {
    tool_complain ("no operation has this variant");
    return FALSE;
  }
  if (!output_check (&options.output)
      || !series_warm_up (series, runner, options.max_seconds))
    return FALSE;
  for (gint round = 0; round < options.rounds; round++) {
    if (!series_run_round (series, runner, round, options.rounds))
      return FALSE;
  }
  for (guint i = 0; i < series->len; i++) {
    const SeriesEntry *entry = series->pdata[i];

    series_report_case (report, device, &entry->item, plan->params);
    if (entry->note) {
      report_add (report, "0");
      report_add_empty (report, 3);
      report_add (report, "%s", entry->note);
    } else {
      report_add (report, "%d", options.rounds);
      report_add (report, "%.4f", tool_get_median (entry->times));
      /* They are sorted already. */
      report_add (report, "%.4f", g_array_index (entry->times, gdouble, 0));
      report_add (report, "%.4f", tool_get_median (entry->walls));
      report_add_empty (report, 1);
    }
  }
  if (output_is_table (&options.output))
    printf ("%s (%s), median of %d rounds\n", device->name,
        device->platform_name, options.rounds);
  return output_write (&options.output, report);
}

static gboolean
check_options (const Plan * plan)
{
  if (!series_options_check (&options))
    return FALSE;
  if ((frame || takes_lines) && plan->sizes->len != 1) {
    tool_complain ("--frame and --lines need one size");
    return FALSE;
  }
  if ((frame || takes_lines) && plan->n_octaves > 0) {
    tool_complain ("--octaves cannot be combined with --frame or --lines");
    return FALSE;
  }
  if (takes_lines && !output_is_table (&options.output)) {
    tool_complain ("--lines does not support CSV and JSON");
    return FALSE;
  }
  return TRUE;
}

/* Sets @pixels to the bytes of the file of --frame, if it was given. */
static gboolean
load_frame (const Plan * plan, gchar ** pixels)
{
  const ToolSize size = g_array_index (plan->sizes, ToolSize, 0);
  const gsize expected = (gsize) size.width * size.height * 4;
  g_autoptr (GError) error = NULL;
  gsize n_bytes = 0;

  if (!frame)
    return TRUE;
  if (!g_file_get_contents (frame, pixels, &n_bytes, &error)) {
    tool_complain ("--frame: %s", error->message);
    return FALSE;
  }
  if (n_bytes == expected)
    return TRUE;
  tool_complain ("--frame: %s has %" G_GSIZE_FORMAT
      " bytes, but a frame of %dx%d has %" G_GSIZE_FORMAT, frame, n_bytes,
      size.width, size.height, expected);
  return FALSE;
}

int
bench_main (int argc, char **argv)
{
  g_autoptr (GOptionContext) parser = tool_options_new (summary, description);
  g_autofree gchar *pixels = NULL;
  int status;

  series_options_add (&options, parser);
  g_option_context_add_main_entries (parser, entries, NULL);
  plan_add_options (parser, FALSE);
  if (!tool_parse_options (parser, argc, argv, &status))
    return status;
  g_autoptr (Plan) plan = plan_new ();
  if (!plan || !check_options (plan)
      || !load_frame (plan, &pixels))
    return TOOL_MISUSED;
  g_autoptr (OclContext) context = tool_open_device (options.device);
  if (!context)
    return TOOL_FAILED;
  g_autoptr (Runner) runner =
      runner_new (context, (guint8 *) g_steal_pointer (&pixels));
  const gboolean ok = takes_lines ? answer_lines (runner, context->device, plan)
      : bench (runner, context->device, plan);
  return ok ? EXIT_SUCCESS : TOOL_FAILED;
}
