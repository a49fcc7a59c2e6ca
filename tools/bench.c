/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench.h"

#include <stdlib.h>

#include "lines.h"
#include "series.h"
#include "tool.h"

/* As given, or the defaults. */
typedef struct
{
  gchar *device;
  gchar *operations;
  gchar *sizes;
  gchar *radii;
  gchar *modes;
  gchar *windows;
  gchar *variants;
  gchar *storages;
  gchar *frame;
  gchar *csv;
  gint rounds;
  gdouble patience;
  gboolean lines;
} Options;

/* What the options' lists hold. */
typedef struct
{
  GArray *operations;           /* guint: RigOperation */
  GArray *sizes;                /* ToolSize */
  GArray *radii;                /* gint */
  GArray *modes;                /* guint: OclBilateralColorMode */
  GArray *windows;              /* guint: OclBilateralWindow */
  GArray *storages;             /* guint: OclStorage */
  gchar **variants;             /* names; NULL for all */
} Lists;

static const ReportColumn columns[] = {
  {"device",.csv_only = TRUE}, {"operation"}, {"variant"}, {"storage"},
  {"width", TRUE}, {"height", TRUE}, {"radius", TRUE}, {"mode"}, {"window"},
  {"rounds", TRUE,.csv_only = TRUE}, {"median_ms", TRUE}, {"min_ms", TRUE},
  {"wall_ms", TRUE}, {"note"},
};

static const gchar summary[] =
    "Times the filters on an OpenCL device, and in plain C, without GStreamer\n"
    "and OpenGL: all combinations of what the lists hold. Every round times\n"
    "each of them once, warm.";

static const gchar description[] =
    "LIST is comma-separated. The spatial sigma is half the radius, the "
    "intensity\nsigma 0.25. Variants of the filter are auto (what the element "
    "would take), plain,\nrows, tiled and fast, of the histogram auto, groups and "
    "bands; serial and openmp are\nplain C for both. Without --variants all "
    "but auto are run.\n\n"
    "median_ms and min_ms are the time of the kernels and of copies on the "
    "device and\nto the host; wall_ms is the median up to the end of the last "
    "command. A variant\nthat the device cannot run, or that would take too "
    "long, has a note instead.\n\n"
    "--lines: the first line of output names the device. Then every line of "
    "standard\ninput, such as\n\n"
    "  bilateral rows buffer 4 disc intensity\n"
    "  histogram auto buffer\n\n"
    "(operation, variant, storage and, for the filter, radius, window and "
    "mode) is run\nonce and answered with the milliseconds of its kernels and "
    "of its copies.";

/* Adds the trials that differ in what only the filter has. */
static void
add_filter_trials (GPtrArray * series, const Lists * lists, RigTrial trial)
{
  for (guint i = 0; i < lists->radii->len; i++) {
    for (guint j = 0; j < lists->modes->len; j++) {
      for (guint k = 0; k < lists->windows->len; k++) {
        trial.radius = g_array_index (lists->radii, gint, i);
        trial.color_mode = g_array_index (lists->modes, guint, j);
        trial.window = g_array_index (lists->windows, guint, k);
        series_add (series, &trial);
      }
    }
  }
}

static void
add_variant_trials (GPtrArray * series, const Lists * lists,
    const RigVariant * variant, const ToolSize * size)
{
  RigTrial trial = {.variant = variant,.width = size->width,
    .height = size->height
  };
  /* A yardstick knows no storage. */
  const guint n_storages = variant->on_host ? 1 : lists->storages->len;

  for (guint i = 0; i < n_storages; i++) {
    trial.storage = g_array_index (lists->storages, guint, i);
    if (variant->operation == RIG_BILATERAL)
      add_filter_trials (series, lists, trial);
    else
      series_add (series, &trial);
  }
}

static gboolean
is_wanted (const Lists * lists, const RigVariant * variant)
{
  if (!lists->variants)
    return !g_str_equal (variant->name, "auto");
  return g_strv_contains ((const gchar * const *) lists->variants,
      variant->name);
}

/* All combinations. */
static GPtrArray *
plan (const Lists * lists)
{
  GPtrArray *series = series_new ();

  for (guint i = 0; i < lists->operations->len; i++) {
    for (guint j = 0; j < lists->sizes->len; j++) {
      for (guint k = 0; k < rig_n_variants; k++) {
        const RigVariant *variant = &rig_variants[k];

        if (variant->operation == g_array_index (lists->operations, guint, i)
            && is_wanted (lists, variant))
          add_variant_trials (series, lists, variant,
              &g_array_index (lists->sizes, ToolSize, j));
      }
    }
  }
  return series;
}

static void
lists_init (Lists * lists)
{
  lists->operations = g_array_new (FALSE, FALSE, sizeof (guint));
  lists->sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  lists->radii = g_array_new (FALSE, FALSE, sizeof (gint));
  lists->modes = g_array_new (FALSE, FALSE, sizeof (guint));
  lists->windows = g_array_new (FALSE, FALSE, sizeof (guint));
  lists->storages = g_array_new (FALSE, FALSE, sizeof (guint));
  lists->variants = NULL;
}

static void
lists_clear (Lists * lists)
{
  g_array_unref (lists->operations);
  g_array_unref (lists->sizes);
  g_array_unref (lists->radii);
  g_array_unref (lists->modes);
  g_array_unref (lists->windows);
  g_array_unref (lists->storages);
  g_strfreev (lists->variants);
}

static gboolean
parse_variants (const gchar * text, Lists * lists)
{
  g_autofree const gchar **names = g_new0 (const gchar *, rig_n_variants + 1);
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_names = 0;

  for (guint i = 0; i < rig_n_variants; i++) {
    if (!g_strv_contains (names, rig_variants[i].name))
      names[n_names++] = rig_variants[i].name;
  }
  lists->variants = g_strsplit (text, ",", -1);
  return tool_parse_names ("--variants", text, names, indices);
}

static gboolean
parse_lists (const Options * options, Lists * lists)
{
  return tool_parse_names ("--operation", options->operations,
      rig_operation_names, lists->operations)
      && tool_parse_sizes ("--sizes", options->sizes, lists->sizes)
      && tool_parse_integers ("--radii", options->radii, 1,
      OCL_BILATERAL_MAX_RADIUS, lists->radii)
      && tool_parse_names ("--modes", options->modes, rig_color_mode_names,
      lists->modes)
      && tool_parse_names ("--windows", options->windows, rig_window_names,
      lists->windows)
      && tool_parse_names ("--storage", options->storages, rig_storage_names,
      lists->storages)
      && (!options->variants || parse_variants (options->variants, lists));
}

static gboolean
check_options (const Options * options, const Lists * lists)
{
  if (!series_check_options (options->rounds, options->patience))
    return FALSE;
  if ((options->frame || options->lines) && lists->sizes->len != 1) {
    tool_complain ("--frame and --lines need one size");
    return FALSE;
  }
  if (options->lines && options->csv) {
    tool_complain ("--lines writes no CSV");
    return FALSE;
  }
  return TRUE;
}

/* Sets @pixels to what the file of --frame holds, if there is one. */
static gboolean
load_frame (const Options * options, const Lists * lists, guint8 ** pixels)
{
  const ToolSize size = g_array_index (lists->sizes, ToolSize, 0);
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
report_series (const OclDevice * device, GPtrArray * series, gint n_rounds)
{
  Report *report = report_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < series->len; i++) {
    const SeriesEntry *entry = series->pdata[i];

    report_add (report, "%s", device->name);
    series_report_trial (report, &entry->trial);
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
bench (Rig * rig, const OclDevice * device, const Lists * lists,
    const Options * options)
{
  g_autoptr (GPtrArray) series = plan (lists);

  if (series->len == 0) {
    tool_complain ("no operation has such a variant");
    return FALSE;
  }
  FILE *file = tool_open_output (options->csv);
  if (!file || !series_warm_up (series, rig, options->patience))
    return FALSE;
  for (gint round = 0; round < options->rounds; round++) {
    if (!series_run_round (series, rig, round, options->rounds))
      return FALSE;
  }

  g_autoptr (Report) report = report_series (device, series, options->rounds);
  if (!options->csv)
    printf ("%s (%s), median of %d rounds\n", device->name,
        device->platform_name, options->rounds);
  return tool_write_report (report, options->csv, file);
}

/* Returns the exit status. */
static int
run (const Options * options, const Lists * lists)
{
  g_autoptr (GError) error = NULL;
  guint8 *pixels = NULL;

  if (!load_frame (options, lists, &pixels))
    return TOOL_MISUSED;

  g_autoptr (OclContext) context = tool_open_device (options->device, &error);
  if (!context) {
    tool_complain ("%s", error->message);
    g_free (pixels);
    return TOOL_FAILED;
  }
  g_autoptr (Rig) rig = rig_new (context, pixels);
  gboolean ok = options->lines
      ? lines_answer (rig, context->device,
      &g_array_index (lists->sizes, ToolSize, 0))
      : bench (rig, context->device, lists, options);
  return ok ? EXIT_SUCCESS : TOOL_FAILED;
}

static gboolean
parse_options (int argc, char **argv, Options * options)
{
  const GOptionEntry entries[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->device,
        "gpu, cpu, 0:1 or part of a name, see glopencl devices", "SELECTOR"},
    {"operation", 0, 0, G_OPTION_ARG_STRING, &options->operations,
        "bilateral, histogram (both)", "LIST"},
    {"sizes", 0, 0, G_OPTION_ARG_STRING, &options->sizes,
        "Sizes of the frame (1280x720)", "LIST"},
    {"radii", 0, 0, G_OPTION_ARG_STRING, &options->radii,
        "Radii of the filter's window (4,8,16)", "LIST"},
    {"modes", 0, 0, G_OPTION_ARG_STRING, &options->modes,
        "intensity, per-channel, lab (intensity)", "LIST"},
    {"windows", 0, 0, G_OPTION_ARG_STRING, &options->windows,
        "square, disc (square)", "LIST"},
    {"variants", 0, 0, G_OPTION_ARG_STRING, &options->variants,
        "Variants, see below", "LIST"},
    {"storage", 0, 0, G_OPTION_ARG_STRING, &options->storages,
        "buffer, image (both)", "LIST"},
    {"rounds", 0, 0, G_OPTION_ARG_INT, &options->rounds,
        "Times that each is timed (11)", "N"},
    {"patience", 0, 0, G_OPTION_ARG_DOUBLE, &options->patience,
        "Skip what takes longer a frame (2)", "SECONDS"},
    {"frame", 0, 0, G_OPTION_ARG_FILENAME, &options->frame,
        "RGBA bytes of a frame to take instead of a drawn one", "FILE"},
    {"csv", 0, 0, G_OPTION_ARG_FILENAME, &options->csv,
        "Write CSV instead of a table, - for standard output", "FILE"},
    {"lines", 0, 0, G_OPTION_ARG_NONE, &options->lines,
        "Run what standard input asks for, see below", NULL},
    G_OPTION_ENTRY_NULL
  };

  return tool_parse_options (summary, description, entries, argc, argv);
}

static void
options_clear (Options * options)
{
  g_free (options->device);
  g_free (options->operations);
  g_free (options->sizes);
  g_free (options->radii);
  g_free (options->modes);
  g_free (options->windows);
  g_free (options->variants);
  g_free (options->storages);
  g_free (options->frame);
  g_free (options->csv);
}

int
bench_main (int argc, char **argv)
{
  Options options = {
    .operations = g_strdup ("bilateral,histogram"),
    .sizes = g_strdup ("1280x720"),
    .radii = g_strdup ("4,8,16"),
    .modes = g_strdup ("intensity"),
    .windows = g_strdup ("square"),
    .storages = g_strdup ("buffer,image"),
    .rounds = 11,
    .patience = 2.0,
  };
  Lists lists;
  int status = TOOL_MISUSED;

  lists_init (&lists);
  if (parse_options (argc, argv, &options) && parse_lists (&options, &lists)
      && check_options (&options, &lists))
    status = run (&options, &lists);
  lists_clear (&lists);
  options_clear (&options);
  return status;
}
