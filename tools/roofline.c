/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "roofline.h"

#include <stdlib.h>

#include "costs.h"
#include "series.h"
#include "tool.h"

/* As given, or the defaults. */
typedef struct
{
  gchar *device;
  gchar *size;
  gchar *radii;
  gchar *csv;
  gint rounds;
  gdouble patience;
} Options;

#define RATE_COLUMNS(limit) \
  {limit "_rate", TRUE,.csv_only = TRUE}, \
  {limit "_count", TRUE,.csv_only = TRUE}
#define LIMIT_COLUMNS(limit) RATE_COLUMNS (limit), {limit "_ms", TRUE}

/* Limits in their order. */
static const ReportColumn columns[] = {
  {"device",.csv_only = TRUE}, {"operation"}, {"variant"}, {"storage"},
  {"width",.csv_only = TRUE}, {"height",.csv_only = TRUE}, {"radius", TRUE},
  {"mode",.csv_only = TRUE}, {"window",.csv_only = TRUE},
  LIMIT_COLUMNS ("fma"), LIMIT_COLUMNS ("arithmetic"), LIMIT_COLUMNS ("exp"),
  LIMIT_COLUMNS ("exp2"), LIMIT_COLUMNS ("local"),
  LIMIT_COLUMNS ("cache"), LIMIT_COLUMNS ("frame"),
  /* No kernel is charged with it. */
  RATE_COLUMNS ("global"), {"global_ms",.csv_only = TRUE},
  LIMIT_COLUMNS ("atomic"), LIMIT_COLUMNS ("counter"),
  {"limit"}, {"limit_ms", TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"fraction", TRUE},
  {"note"},
};

static const ReportColumn limit_columns[] = {
  {"limit"}, {"10^9 a second", TRUE}, {"of what"},
};

static const gchar summary[] =
    "Measures what limits an OpenCL device, counts how much of each of that\n"
    "the kernels need for a frame, and prints which fraction of the tightest\n"
    "limit they reach: colour mode intensity, square window.";

static const gchar description[] =
    "Limits are the best of all rounds. What a kernel needs is counted from "
    "its source,\nin kernels/costs.h: the least, so that none can be faster "
    "than its tightest limit.\nmedian_ms is the time of its kernels without "
    "copies; fraction is limit_ms\ndivided by it. The columns before are how "
    "long the device would be busy with each\npart of the work alone.\n\n"
    "The CSV has the limits too (_rate, a second) and the counts (_count, a "
    "frame).";

static const Cost *
find_cost (const RigVariant * variant)
{
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++) {
    if (costs[i].operation == variant->operation
        && g_str_equal (costs[i].variant, variant->name))
      return &costs[i];
  }
  return NULL;
}

/* What a frame costs. */
static gdouble
get_count (const RigTrial * trial, Limit limit)
{
  const Cost *cost = find_cost (trial->variant);
  const gdouble diameter = 2 * trial->radius + 1;

  return (cost->per_tap[limit] * diameter * diameter
      + cost->per_line[limit] * diameter + cost->per_pixel[limit])
      * trial->width * trial->height;
}

static gdouble
get_milliseconds (const Limits * limits, const RigTrial * trial, Limit limit)
{
  return get_count (trial, limit) / limits_get_rate (limits, limit) * 1e3;
}

static Limit
find_tightest (const Limits * limits, const RigTrial * trial)
{
  Limit tightest = 0;

  for (Limit limit = 1; limit < N_LIMITS; limit++) {
    if (get_milliseconds (limits, trial, limit)
        > get_milliseconds (limits, trial, tightest))
      tightest = limit;
  }
  return tightest;
}

/* All that has a cost, by every radius. */
static GPtrArray *
plan (const ToolSize * size, GArray * radii)
{
  GPtrArray *series = series_new ();

  for (guint i = 0; i < rig_n_variants; i++) {
    RigTrial trial = {.variant = &rig_variants[i],.width = size->width,
      .height = size->height
    };
    const guint n_radii =
        trial.variant->operation == RIG_BILATERAL ? radii->len : 1;

    if (!find_cost (trial.variant))
      continue;
    for (guint j = 0; j < 2 * n_radii; j++) {
      trial.storage = j < n_radii ? OCL_STORAGE_BUFFER : OCL_STORAGE_IMAGE;
      trial.radius = g_array_index (radii, gint, j % n_radii);
      series_add (series, &trial);
    }
  }
  return series;
}

static void
report_limits (Report * report, const Limits * limits, const RigTrial * trial)
{
  for (Limit limit = 0; limit < N_LIMITS; limit++) {
    gdouble count = get_count (trial, limit);

    report_add (report, "%.6g", limits_get_rate (limits, limit));
    report_add (report, "%.10g", count);
    if (count > 0.0)
      report_add (report, "%.4f", get_milliseconds (limits, trial, limit));
    else
      report_add_empty (report, 1);
  }
}

static Report *
report_series (const OclDevice * device, const Limits * limits,
    GPtrArray * series)
{
  Report *report = report_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < series->len; i++) {
    const SeriesEntry *entry = series->pdata[i];
    const Limit tightest = find_tightest (limits, &entry->trial);
    gdouble limit_ms = get_milliseconds (limits, &entry->trial, tightest);

    report_add (report, "%s", device->name);
    series_report_trial (report, &entry->trial);
    report_limits (report, limits, &entry->trial);
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

static void
print_limits (const OclDevice * device, const Limits * limits,
    const ToolSize * size, gint n_rounds)
{
  g_autoptr (Report) report = report_new (limit_columns,
      G_N_ELEMENTS (limit_columns));

  for (Limit limit = 0; limit < N_LIMITS; limit++) {
    report_add (report, "%s", limit_names[limit]);
    report_add (report, "%.2f", limits_get_rate (limits, limit) / 1e9);
    report_add (report, "%s", limit_titles[limit]);
  }
  printf ("%s (%s), %d rounds\n\n", device->name, device->platform_name,
      n_rounds);
  report_write_table (report, stdout);
  printf ("\nA frame of %dx%d, colour mode intensity, square window:\n\n",
      size->width, size->height);
}

static gboolean
measure (Limits * limits, GPtrArray * series, Rig * rig, gint n_rounds)
{
  g_autoptr (GError) error = NULL;

  for (gint round = 0; round < n_rounds; round++) {
    if (!limits_measure (limits, &error)) {
      tool_complain ("%s", error->message);
      return FALSE;
    }
    if (!series_run_round (series, rig, round, n_rounds))
      return FALSE;
  }
  return TRUE;
}

static gboolean
roofline (OclContext * context, const Options * options,
    const ToolSize * size, GArray * radii)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) series = plan (size, radii);
  FILE *file = tool_open_output (options->csv);

  if (!file)
    return FALSE;
  tool_show_progress ("measuring limits");
  g_autoptr (Limits) limits = limits_new (context,
      (gsize) size->width * size->height * 4, &error);
  if (!limits) {
    tool_complain ("%s", error->message);
    return FALSE;
  }
  g_autoptr (Rig) rig = rig_new (context, NULL);
  if (!series_warm_up (series, rig, options->patience)
      || !measure (limits, series, rig, options->rounds))
    return FALSE;

  g_autoptr (Report) report = report_series (context->device, limits, series);
  if (!options->csv)
    print_limits (context->device, limits, size, options->rounds);
  return tool_write_report (report, options->csv, file);
}

/* Returns the exit status. */
static int
run (const Options * options, GArray * sizes, GArray * radii)
{
  g_autoptr (GError) error = NULL;

  if (!tool_parse_sizes ("--size", options->size, sizes)
      || !tool_parse_integers ("--radii", options->radii, 1,
          OCL_BILATERAL_MAX_RADIUS, radii)
      || !series_check_options (options->rounds, options->patience))
    return TOOL_MISUSED;
  if (sizes->len != 1) {
    tool_complain ("--size: there is one");
    return TOOL_MISUSED;
  }
  g_autoptr (OclContext) context = tool_open_device (options->device, &error);
  if (!context) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  return roofline (context, options, &g_array_index (sizes, ToolSize, 0),
      radii) ? EXIT_SUCCESS : TOOL_FAILED;
}

static gboolean
parse_options (int argc, char **argv, Options * options)
{
  const GOptionEntry entries[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->device,
        "gpu, cpu, 0:1 or part of a name, see glopencl devices", "SELECTOR"},
    {"size", 0, 0, G_OPTION_ARG_STRING, &options->size,
        "Size of the frame (1280x720)", "SIZE"},
    {"radii", 0, 0, G_OPTION_ARG_STRING, &options->radii,
        "Radii of the filter's window (2,4,8,16)", "LIST"},
    {"rounds", 0, 0, G_OPTION_ARG_INT, &options->rounds,
        "Times that each is timed (11)", "N"},
    {"patience", 0, 0, G_OPTION_ARG_DOUBLE, &options->patience,
        "Skip what takes longer a frame (2)", "SECONDS"},
    {"csv", 0, 0, G_OPTION_ARG_FILENAME, &options->csv,
        "Write CSV instead of tables, - for standard output", "FILE"},
    G_OPTION_ENTRY_NULL
  };

  return tool_parse_options (summary, description, entries, argc, argv);
}

int
roofline_main (int argc, char **argv)
{
  Options options = {
    .size = g_strdup ("1280x720"),
    .radii = g_strdup ("2,4,8,16"),
    .rounds = 11,
    .patience = 2.0,
  };
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  g_autoptr (GArray) radii = g_array_new (FALSE, FALSE, sizeof (gint));

  int status = parse_options (argc, argv, &options)
      ? run (&options, sizes, radii) : TOOL_MISUSED;
  g_free (options.device);
  g_free (options.size);
  g_free (options.radii);
  g_free (options.csv);
  return status;
}
