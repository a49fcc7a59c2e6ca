/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cases that are timed in rounds. Every round runs all cases, so that
 * disturbances affect all cases alike. Shows its progress. Not thread-safe: one
 * thread at a time. */

#pragma once

#include "output.h"
#include "runner.h"

G_BEGIN_DECLS

/**
 * SeriesOptions:
 * @device: a selector, or NULL
 * @output: where figures go
 * @rounds: how many times each case is timed
 * @max_seconds: the longest time that a frame may take
 *
 * The options of every subcommand that times cases.
 */
typedef struct
{
  gchar *device;
  Output output;
  gint rounds;
  gdouble max_seconds;
} SeriesOptions;

#define SERIES_OPTIONS_INIT {.rounds = 11, .max_seconds = 2.0}

/**
 * SeriesEntry:
 * @item: the case to time; the entry owns its parameters
 * @kernels: time of the kernels in each round, in milliseconds (gdouble)
 * @times: time of the kernels and copies in each round, likewise
 * @walls: time from the first call to the end of the last command in each
 *    round, likewise
 * @note: why the case was skipped, or NULL
 */
typedef struct
{
  RunnerCase item;
  GArray *kernels;
  GArray *times;
  GArray *walls;
  gchar *note;
} SeriesEntry;

/* Adds the options to @entries (of GOptionEntry). */
void series_options_add (SeriesOptions * options, GArray * entries);

/* Checks the values of the options. Returns FALSE after a complaint. */
gboolean series_options_check (const SeriesOptions * options);

void series_options_clear (SeriesOptions * options);

/* Creates an array of SeriesEntry, which owns its entries. */
GPtrArray *series_new (void);

/* Adds @item with each of @params_list in turn. */
void series_add (GPtrArray * series, const RunnerCase * item,
    GPtrArray * params_list);

/* Warms up every case; see runner_warm_up(). Cases that cannot be run, or would
 * take longer than @max_seconds, get a note. Returns FALSE after a
 * complaint. */
gboolean series_warm_up (GPtrArray * series, Runner * runner,
    gdouble max_seconds);

/* Times every case without a note once. The cases are warm. Returns FALSE after
 * a complaint. */
gboolean series_run_round (GPtrArray * series, Runner * runner, gint round,
    gint n_rounds);

/* Adds the columns that identify a case: device, operation, variant,
 * storage, format, width, height and @params (of OclParam). */
void series_report_columns (Report * report, GPtrArray * params);

/* Returns the value that @item has for a parameter with the name of @column, or
 * NULL if its operation has none. The caller frees it. */
gchar *series_print_param (const RunnerCase * item, const OclParam * column);

/* Adds the cells of the columns that series_report_columns() adds. */
void series_report_case (Report * report, const OclDevice * device,
    const RunnerCase * item, GPtrArray * params);

G_END_DECLS
