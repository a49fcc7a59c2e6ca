/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Searches for the fastest settings of a variant. Independent of OpenCL:
 * callbacks measure settings, and compare their results. Not thread-safe: one
 * thread at a time.
 *
 * First measures the default settings against themselves to get the noise. Then
 * varies each tunable around the best settings so far until there is no
 * improvement, and tries random settings until the time is over. Settings that
 * are clearly slower than the default ones are dropped after two runs. The best
 * few race against the default ones alternately, and the fastest races once
 * more. It wins if it is faster in both races by more than the noise, and its
 * result is correct. */

#pragma once

#include "opencl/core/ocldatabase.h"
#include "opencl/core/oclerror.h"

G_BEGIN_DECLS

/**
 * TunerBench:
 * @measure: sets the milliseconds of one warm run with the settings. If they
 *    cannot be used, returns FALSE with any error but OCL_ERROR_LOST, which
 *    ends the search
 * @verify: returns whether the result with the settings is correct. If not,
 *    sets an error as for @measure
 * @forget: called when settings will not be measured again
 * @get_seconds: returns the time of a clock
 * @is_interrupted: returns whether the user wants to end
 * @data: user data of these functions
 *
 * The callbacks of the search.
 */
typedef struct
{
  gboolean (*measure) (gpointer data, const OclTuning * tuning,
      gdouble * milliseconds, GError ** error);
  gboolean (*verify) (gpointer data, const OclTuning * tuning, GError ** error);
  void (*forget) (gpointer data, const OclTuning * tuning);
  gdouble (*get_seconds) (gpointer data);
  gboolean (*is_interrupted) (gpointer data);
  gpointer data;
} TunerBench;

/**
 * TunerSpace:
 * @table: the tunables, not owned
 * @simd_width: divisor of the size of a group, 1 for any size
 * @max_group: maximum number of work-items of a group
 *
 * The settings that may be tried.
 */
typedef struct
{
  const OclTunable *table;
  guint simd_width;
  guint max_group;
} TunerSpace;

/**
 * TunerTrial:
 * @tuning: the settings
 * @milliseconds: the shortest run, 0 if there was none
 * @note: why they were rejected, or NULL, owned
 * @is_kept: whether they may race
 *
 * A trial of settings.
 */
typedef struct
{
  OclTuning tuning;
  gdouble milliseconds;
  gchar *note;
  gboolean is_kept;
} TunerTrial;

/**
 * TunerResult:
 * @trials: all trials (TunerTrial), the default ones first
 * @n_space: the number of possible settings
 * @n_pruned: the number of settings that were skipped
 * @n_rejected: the number of @trials that are invalid
 * @noise: relative difference between equal measurements
 * @best: the winning settings, possibly the default ones
 * @default_wins: whether @best are the default ones
 * @default_time: the median of the default settings in the last race, in
 *    milliseconds
 * @best_time: that of @best
 * @worst_time: of the slowest settings, the shortest run in milliseconds
 *
 * The result of a search. Free with tuner_result_clear().
 */
typedef struct
{
  GArray *trials;
  guint n_space;
  guint n_pruned;
  guint n_rejected;
  gdouble noise;
  OclTuning best;
  gboolean default_wins;
  gdouble default_time;
  gdouble best_time;
  gdouble worst_time;
} TunerResult;

/* Searches for @budget seconds, and some more for the races. Shows its progress
 * with the title @what. Returns FALSE if the default settings cannot be
 * measured, with OCL_ERROR_NOT_SUPPORTED if they take too long for the races,
 * or if the search was interrupted (OCL_ERROR_FAILED). The caller must clear
 * @result in any case. */
gboolean tuner_run (const TunerBench * bench, const TunerSpace * space,
    gdouble budget, const gchar * what, TunerResult * result, GError ** error);

void tuner_result_clear (TunerResult * result);

G_END_DECLS
