/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cases that are timed or tuned: parses their options, and runs series of
 * them in rounds. Every round runs all cases, so that disturbances affect all
 * cases alike. Main thread only. */

#pragma once

#include "runner.h"
#include "tool.h"

G_BEGIN_DECLS

/**
 * Plan:
 * @series: a case (SeriesEntry) for each combination of the listed values
 * @params: parameters (OclParam) that have a list
 * @sizes: sizes of frames (ToolSize)
 * @n_octaves: number of levels of a pyramid, or 0 to use a frame instead
 * @tunings: for tunings_get()
 *
 * The cases selected by the options.
 */
typedef struct
{
  GPtrArray *series;
  GPtrArray *params;
  GArray *sizes;
  guint n_octaves;
  GHashTable *tunings;
} Plan;

/* Adds the options to @context. With @tunes, adds only those for operations,
 * their parameters and frames: the operations are filters without a text, and
 * the variants the ones that the elements would choose. */
void plan_add_options (GOptionContext * context, gboolean tunes);

/* Returns the plan from the parsed options, or NULL after a complaint. */
Plan *plan_new (void);
void plan_free (Plan * plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Plan, plan_free)

/* Fills @tuning with the values in @tunings of a plan for the macros of
 * @variant, and with the defaults of @variant for its other macros. */
void tunings_get (GHashTable * tunings, const OclVariant * variant,
    OclTuning * tuning);

/**
 * SeriesOptions:
 * @device: a selector, or NULL
 * @output: destination of the figures
 * @rounds: number of runs of each case
 * @max_seconds: time limit per frame
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

void series_options_add (SeriesOptions * options, GOptionContext * context);

/* Checks the values of the options. Returns FALSE after a complaint. */
gboolean series_options_check (const SeriesOptions * options);

/**
 * SeriesEntry:
 * @item: the case to time. The entry owns its parameters
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

/* Creates an array of SeriesEntry, which owns its entries. */
GPtrArray *series_new (void);

/* Adds @item with each of @params_list in turn. */
void series_add (GPtrArray * series, const RunnerCase * item,
    GPtrArray * params_list);

/* Warms up every case, see runner_warm_up(). Cases that cannot run, or would
 * take longer than @max_seconds, get a note. Returns FALSE after a
 * complaint. */
gboolean series_warm_up (GPtrArray * series, Runner * runner,
    gdouble max_seconds);

/* Times every case without a note once. The cases are warm. Returns FALSE after
 * a complaint. */
gboolean series_run_round (GPtrArray * series, Runner * runner, gint round,
    gint n_rounds);

/* Returns a report whose first columns identify a case: device, operation,
 * variant, storage, format, width, height and @params (of OclParam). The @n
 * @columns follow. */
Report *series_report_new (GPtrArray * params, const ReportColumn * columns,
    guint n);

/* Adds the cells of the columns that identify a case. */
void series_report_case (Report * report, const OclDevice * device,
    const RunnerCase * item, GPtrArray * params);

/* Returns the value that @item has for a parameter with the name of @column, or
 * NULL if its operation has none. The caller frees it. */
gchar *series_print_param (const RunnerCase * item, const OclParam * column);

G_END_DECLS
