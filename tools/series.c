/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "series.h"

#include <string.h>

#include "tool.h"

#define MAX_ROUNDS 10000

/* A run of this many milliseconds is not sped up by caches that are warm. */
#define LONG_RUN 100.0

static const ReportColumn columns[] = {
  {"device",.csv_only = TRUE}, {"operation"}, {"variant"}, {"storage"},
  {"format"}, {"width", TRUE}, {"height", TRUE},
};

static void
entry_free (gpointer data)
{
  SeriesEntry *entry = data;

  g_free ((gpointer) entry->item.params);
  g_array_unref (entry->kernels);
  g_array_unref (entry->times);
  g_array_unref (entry->walls);
  g_free (entry->note);
  g_free (entry);
}

void
series_options_add (SeriesOptions * options, GArray * entries)
{
  const GOptionEntry own[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->device,
        "gpu, cpu, 0:1 or part of a name, see glopencl devices", "SELECTOR"},
    {"rounds", 0, 0, G_OPTION_ARG_INT, &options->rounds,
        "Times that each is timed (11)", "N"},
    {"max-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->max_seconds,
        "Skip what takes longer a frame (2)", "SECONDS"},
  };

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  output_add_options (&options->output, entries);
}

gboolean
series_options_check (const SeriesOptions * options)
{
  if (!tool_check_count ("--rounds", options->rounds, 1, MAX_ROUNDS))
    return FALSE;
  if (!(options->max_seconds > 0.0)) {
    tool_complain ("--max-seconds: \"%g\" is not more than 0 seconds",
        options->max_seconds);
    return FALSE;
  }
  return TRUE;
}

void
series_options_clear (SeriesOptions * options)
{
  g_free (options->device);
  output_clear (&options->output);
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
    entry->item.params = g_memdup2 (params_list->pdata[i],
        item->variant.klass->params_size);
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

/* Whether the others can go on: what the device cannot do becomes a note. */
static gboolean
take_note (SeriesEntry * entry, const GError * error)
{
  if (error->code != OCL_ERROR_NOT_SUPPORTED && error->code != OCL_ERROR_BUILD) {
    complain_of_entry (entry, error);
    return FALSE;
  }
  g_autofree gchar *line = tool_get_first_line (error);
  entry->note = g_strdup_printf ("skipped: %s", line);
  return TRUE;
}

gboolean
series_warm_up (GPtrArray * series, Runner * runner, gdouble max_seconds)
{
  for (guint i = 0; i < series->len; i++) {
    g_autoptr (GError) error = NULL;
    SeriesEntry *entry = series->pdata[i];

    tool_show_progress ("warming up, %u of %u", i + 1, series->len);
    if (!runner_warm_up (runner, &entry->item, max_seconds, &error)
        && !take_note (entry, error))
      return FALSE;
  }
  return TRUE;
}

/* The first run brings back what the other cases drove out of the caches. */
static gboolean
time_entry (SeriesEntry * entry, Runner * runner)
{
  g_autoptr (GError) error = NULL;
  RunnerTimes times;

  if (!runner_run (runner, &entry->item, &times, &error)
      || (times.wall < LONG_RUN
          && !runner_run (runner, &entry->item, &times, &error))) {
    complain_of_entry (entry, error);
    return FALSE;
  }
  gdouble time = times.kernel + times.transfer;
  g_array_append_val (entry->kernels, times.kernel);
  g_array_append_val (entry->times, time);
  g_array_append_val (entry->walls, times.wall);
  return TRUE;
}

gboolean
series_run_round (GPtrArray * series, Runner * runner, gint round,
    gint n_rounds)
{
  for (guint i = 0; i < series->len; i++) {
    SeriesEntry *entry = series->pdata[i];

    tool_show_progress ("round %d of %d, %u of %u", round + 1, n_rounds, i + 1,
        series->len);
    if (!entry->note && !time_entry (entry, runner))
      return FALSE;
  }
  tool_show_progress ("%s", "");
  return TRUE;
}

static gboolean
is_number (const OclParam * param)
{
  return param->type != OCL_PARAM_BOOLEAN && param->type != OCL_PARAM_ENUM
      && param->type != OCL_PARAM_FLAGS;
}

void
series_report_columns (Report * report, GPtrArray * params)
{
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < params->len; i++) {
    const OclParam *param = params->pdata[i];
    const ReportColumn column = { param->name, is_number (param) };

    report_add_columns (report, &column, 1);
  }
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
  const OclOperationClass *klass = item->variant.klass;

  report_add (report, "%s", device->name);
  report_add (report, "%s", klass->name);
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
