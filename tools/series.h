/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cases that are timed in rounds: every round runs all, so that what disturbs
 * hits all alike. Shows its progress. One thread at a time. */

#pragma once

#include "report.h"
#include "runner.h"

G_BEGIN_DECLS

/**
 * SeriesOptions:
 * @device: a selector, or NULL
 * @csv: where CSV goes, or NULL for a table
 * @rounds: times that each case is timed
 * @max_seconds: what a frame may take
 *
 * Options of every subcommand that times something.
 */
typedef struct
{
  gchar *device;
  gchar *csv;
  gint rounds;
  gdouble max_seconds;
} SeriesOptions;

#define SERIES_OPTIONS_INIT {.rounds = 11, .max_seconds = 2.0}

/**
 * SeriesEntry:
 * @item: what is timed; its parameters are owned
 * @kernels: what its kernels took in each round, in milliseconds (gdouble)
 * @times: the same with copies
 * @walls: the same up to the end of the last command
 * @note: why it was skipped, or NULL
 */
typedef struct
{
  RunnerCase item;
  GArray *kernels;
  GArray *times;
  GArray *walls;
  gchar *note;
} SeriesEntry;

/* Adds them to @entries (of GOptionEntry). */
void series_options_add (SeriesOptions * options, GArray * entries);

/* Whether their values make sense. FALSE after a complaint. */
gboolean series_options_check (const SeriesOptions * options);

void series_options_clear (SeriesOptions * options);

/* An array of SeriesEntry, which owns them. */
GPtrArray *series_new (void);

/* Adds @item with each of @params_list in turn. */
void series_add (GPtrArray * series, const RunnerCase * item,
    GPtrArray * params_list);

/* Warms up every case; see runner_warm_up(). What cannot be run, or would take
 * longer than @max_seconds, gets a note. FALSE after a complaint. */
gboolean series_warm_up (GPtrArray * series, Runner * runner,
    gdouble max_seconds);

/* Times every case that has no note once, warm. FALSE after a complaint. */
gboolean series_run_round (GPtrArray * series, Runner * runner, gint round,
    gint n_rounds);

/* Adds the columns that identify a case: device, operation, variant,
 * storage, format, width, height and @params (of OclParam). */
void series_report_columns (Report * report, GPtrArray * params);

/* Adds the cells of these columns. */
void series_report_case (Report * report, const OclDevice * device,
    const RunnerCase * item, GPtrArray * params);

G_END_DECLS
