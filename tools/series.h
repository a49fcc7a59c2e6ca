/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trials that are timed in rounds: every round runs all, so that what disturbs
 * hits all alike. Shows its progress. One thread at a time. */

#pragma once

#include "report.h"
#include "rig.h"

G_BEGIN_DECLS

/**
 * SeriesEntry:
 * @trial: what is timed
 * @kernels: what its kernels took in each round, in milliseconds (gdouble)
 * @times: the same with copies
 * @walls: the same up to the end of the last command
 * @note: why it was skipped, or NULL
 */
typedef struct
{
  RigTrial trial;
  GArray *kernels;
  GArray *times;
  GArray *walls;
  gchar *note;
} SeriesEntry;

/* Whether options of these values make sense. FALSE after a complaint. */
gboolean series_check_options (gint n_rounds, gdouble patience);

/* An array of SeriesEntry, which owns them. */
GPtrArray *series_new (void);

void series_add (GPtrArray * series, const RigTrial * trial);

/* Warms up every trial; see rig_warm_up(). What cannot be run, or would take
 * longer than @patience seconds, gets a note. FALSE after a complaint. */
gboolean series_warm_up (GPtrArray * series, Rig * rig, gdouble patience);

/* Times every trial that has no note once, warm. FALSE after a complaint. */
gboolean series_run_round (GPtrArray * series, Rig * rig, gint round,
    gint n_rounds);

/* Adds the cells of what tells trials apart: operation, variant, storage,
 * width, height, and radius, mode and window, which only the filter has. */
void series_report_trial (Report * report, const RigTrial * trial);

G_END_DECLS
