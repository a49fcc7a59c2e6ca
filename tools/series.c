/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "series.h"

#include <string.h>

#include "tool.h"

#define MAX_ROUNDS 10000

static void
entry_free (gpointer data)
{
  SeriesEntry *entry = data;

  g_array_unref (entry->kernels);
  g_array_unref (entry->times);
  g_array_unref (entry->walls);
  g_free (entry->note);
  g_free (entry);
}

gboolean
series_check_options (gint n_rounds, gdouble patience)
{
  if (n_rounds < 1 || n_rounds > MAX_ROUNDS) {
    tool_complain ("--rounds: \"%d\" is not an integer from 1 to %d", n_rounds,
        MAX_ROUNDS);
    return FALSE;
  }
  if (!(patience > 0.0)) {
    tool_complain ("--patience: \"%g\" is not more than 0 seconds", patience);
    return FALSE;
  }
  return TRUE;
}

GPtrArray *
series_new (void)
{
  return g_ptr_array_new_with_free_func (entry_free);
}

void
series_add (GPtrArray * series, const RigTrial * trial)
{
  SeriesEntry *entry = g_new0 (SeriesEntry, 1);

  entry->trial = *trial;
  entry->kernels = g_array_new (FALSE, FALSE, sizeof (gdouble));
  entry->times = g_array_new (FALSE, FALSE, sizeof (gdouble));
  entry->walls = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_ptr_array_add (series, entry);
}

/* Whether the others can go on: what the device cannot do becomes a note. */
static gboolean
take_note (SeriesEntry * entry, const GError * error)
{
  if (error->code != OCL_ERROR_NOT_SUPPORTED
      && error->code != OCL_ERROR_BUILD) {
    tool_complain ("%s %s: %s",
        rig_operation_names[entry->trial.variant->operation],
        entry->trial.variant->name, error->message);
    return FALSE;
  }
  /* The lines after the first are for developers. */
  entry->note = g_strdup_printf ("skipped: %.*s",
      (gint) strcspn (error->message, "\n"), error->message);
  return TRUE;
}

gboolean
series_warm_up (GPtrArray * series, Rig * rig, gdouble patience)
{
  for (guint i = 0; i < series->len; i++) {
    g_autoptr (GError) error = NULL;
    SeriesEntry *entry = series->pdata[i];

    tool_show_progress ("warming up, %u of %u", i + 1, series->len);
    if (!rig_warm_up (rig, &entry->trial, patience, &error)
        && !take_note (entry, error))
      return FALSE;
  }
  return TRUE;
}

/* A run of this many milliseconds is not sped up by caches that are warm. */
#define LONG_RUN 100.0

/* The first run brings back what the other trials drove out of the caches. */
static gboolean
time_entry (SeriesEntry * entry, Rig * rig)
{
  g_autoptr (GError) error = NULL;
  RigTimes times;

  if (!rig_run (rig, &entry->trial, &times, &error)
      || (times.wall < LONG_RUN
          && !rig_run (rig, &entry->trial, &times, &error))) {
    tool_complain ("%s", error->message);
    return FALSE;
  }
  gdouble time = times.kernel + times.transfer;
  g_array_append_val (entry->kernels, times.kernel);
  g_array_append_val (entry->times, time);
  g_array_append_val (entry->walls, times.wall);
  return TRUE;
}

gboolean
series_run_round (GPtrArray * series, Rig * rig, gint round, gint n_rounds)
{
  for (guint i = 0; i < series->len; i++) {
    SeriesEntry *entry = series->pdata[i];

    tool_show_progress ("round %d of %d, %u of %u", round + 1, n_rounds, i + 1,
        series->len);
    if (!entry->note && !time_entry (entry, rig))
      return FALSE;
  }
  tool_show_progress ("%s", "");
  return TRUE;
}

void
series_report_trial (Report * report, const RigTrial * trial)
{
  report_add (report, "%s", rig_operation_names[trial->variant->operation]);
  report_add (report, "%s", trial->variant->name);
  report_add (report, "%s", trial->variant->on_host ? "host"
      : rig_storage_names[trial->storage]);
  report_add (report, "%d", trial->width);
  report_add (report, "%d", trial->height);
  if (trial->variant->operation == RIG_BILATERAL) {
    report_add (report, "%d", trial->radius);
    report_add (report, "%s", rig_color_mode_names[trial->color_mode]);
    report_add (report, "%s", rig_window_names[trial->window]);
  } else {
    report_add_empty (report, 3);
  }
}
