/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Searches for the fastest settings of a variant. It knows nothing of OpenCL:
 * functions measure settings, and compare what they compute. Not thread-safe:
 * one thread at a time.
 *
 * The default settings are measured against themselves first, which gives the
 * noise. Then one tunable after the other is varied around the best settings so
 * far, and when this finds nothing any more, others are taken at random, until
 * the time is over. Settings that are clearly slower than the default ones are
 * dropped after two runs. The best few race against the default ones in turns,
 * and the first of them races once more; if it is ahead in both races by more
 * than the noise, and computes the right thing, it wins. */

#pragma once

#include "opencl/core/oclerror.h"
#include "opencl/core/ocltuning.h"

G_BEGIN_DECLS

/**
 * TunerBench:
 * @measure: sets the milliseconds of one warm run with the settings. If they
 *    cannot be used, returns FALSE with any error but OCL_ERROR_LOST, which
 *    ends the search
 * @verify: returns whether the settings compute what they have to; if they do
 *    not, returns FALSE with such an error
 * @forget: called when settings will not be measured again
 * @get_seconds: returns the time of a clock
 * @is_interrupted: returns whether the user wants to end
 * @data: what these functions get
 *
 * A TunerBench is what the search runs on.
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
 * @table: the tunables; not owned
 * @simd_width: a group has a multiple of so many work-items; 1 for any number
 * @max_group: a group has at most so many work-items
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
 * @milliseconds: the shortest run; 0 if there was none
 * @note: why they were rejected, or NULL; owned
 * @is_kept: whether they may race
 *
 * Settings that were tried.
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
 * @trials: all that were tried (TunerTrial), the default ones first
 * @n_space: the number of settings that there are
 * @n_pruned: how many of them were left out unmeasured
 * @n_rejected: how many of @trials cannot be used
 * @noise: by which part a time may differ from itself
 * @best: the settings that won, maybe the default ones
 * @default_wins: whether @best are the default ones
 * @default_time: the median of the default settings in the last race, in
 *    milliseconds
 * @best_time: that of @best
 * @worst_time: of the slowest settings, the shortest run in milliseconds
 *
 * What was found. End with tuner_result_clear().
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
 * as of @what. Returns FALSE if the default settings cannot be measured, with
 * OCL_ERROR_NOT_SUPPORTED if they take too long for the races, or if the search
 * was interrupted (OCL_ERROR_FAILED). @result is zeroed, and to be cleared in
 * any case. */
gboolean tuner_run (const TunerBench * bench, const TunerSpace * space,
    gdouble budget, const gchar * what, TunerResult * result, GError ** error);

void tuner_result_clear (TunerResult * result);

G_END_DECLS
