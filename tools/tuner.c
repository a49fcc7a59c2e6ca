/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tuner.h"

#include <math.h>

#include "tool.h"

/* Runs of each setting, unless the first ones are clearly slower. */
#define TRIAL_RUNS 3

/* Settings are dropped if they take this many times as long as the default
 * ones, or longer by this many times the noise. */
#define LOSER 1.15
#define LOSER_NOISE 2.0

/* The noise is the largest difference of this many pairs of medians. */
#define NOISE_PAIRS 5
#define NOISE_RUNS 5
#define LEAST_NOISE 0.01

#define N_RACERS 4
#define RACE_RUNS 11

/* Maximum number of runs after the search, of two frames each. */
#define RACES (2 * (2 * NOISE_PAIRS * NOISE_RUNS \
    + (N_RACERS + 1) * RACE_RUNS + 2 * RACE_RUNS))

/* Fraction of the time for the search. The rest is for the races. */
#define SEARCH_PART 0.75

#define SEED 1

typedef struct
{
  const TunerBench *bench;
  const TunerSpace *space;
  TunerResult *result;
  const gchar *what;
  gdouble begin;
  gdouble budget;
  guint n_tunables;
  GHashTable *seen;             /* texts of settings */
} Search;

static void
trial_clear (gpointer data)
{
  g_free (((TunerTrial *) data)->note);
}

void
tuner_result_clear (TunerResult * self)
{
  g_clear_pointer (&self->trials, g_array_unref);
}

static guint
count_values (const OclTunable * tunable)
{
  guint n = 0;

  while (tunable->values[n])
    n++;
  return n;
}

static TunerTrial *
get_trial (Search * self, guint n)
{
  return &g_array_index (self->result->trials, TunerTrial, n);
}

/* Runs @tuning once. */
static gboolean
measure (Search * self, const OclTuning * tuning, gdouble * milliseconds,
    GError ** error)
{
  if (self->bench->is_interrupted (self->bench->data)) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED, "interrupted");
    return FALSE;
  }
  return self->bench->measure (self->bench->data, tuning, milliseconds, error);
}

/* Returns whether the search can continue after @error, which is the reason for
 * rejecting the settings. A driver may reject a launch with any error. If the
 * device is lost, the default settings fail, too. */
static gboolean
is_rejection (Search * self, const GError * error)
{
  return !g_error_matches (error, OCL_ERROR, OCL_ERROR_LOST)
      && !self->bench->is_interrupted (self->bench->data);
}

static void
forget (Search * self, TunerTrial * trial)
{
  if (!trial->is_kept)
    return;
  trial->is_kept = FALSE;
  self->bench->forget (self->bench->data, &trial->tuning);
}

static void
reject (Search * self, TunerTrial * trial, const GError * error)
{
  trial->note = tool_get_first_line (error);
  self->result->n_rejected++;
  forget (self, trial);
}

/* Measures the settings of @trial a few times, but only twice if they are
 * clearly slower than the default ones. A single run may be slow by chance. */
static gboolean
measure_trial (Search * self, TunerTrial * trial, GError ** error)
{
  const gdouble loser = self->result->trials->len == 0 ? G_MAXDOUBLE
      : MAX (LOSER, 1.0 + LOSER_NOISE * self->result->noise)
      * get_trial (self, 0)->milliseconds;

  for (guint i = 0; i < TRIAL_RUNS; i++) {
    gdouble time;

    if (!measure (self, &trial->tuning, &time, error))
      return FALSE;
    trial->milliseconds = i == 0 ? time : MIN (trial->milliseconds, time);
    if (i > 0 && trial->milliseconds > loser)
      break;
  }
  return TRUE;
}

/* Measures @tuning, unless this was done or the device does not support its
 * groups. Returns FALSE if the search cannot continue. */
static gboolean
try (Search * self, const OclTuning * tuning, GError ** error)
{
  const TunerSpace *space = self->space;
  GArray *trials = self->result->trials;
  const gint width = ocl_tunables_find (space->table, "GROUP_WIDTH");
  const gint height = ocl_tunables_find (space->table, "GROUP_HEIGHT");
  const guint group = width < 0 || height < 0 ? 0
      : tuning->values[width] * tuning->values[height];
  TunerTrial trial = {.tuning = *tuning,.is_kept = TRUE };
  TunerTrial *slowest = NULL;
  GError *failure = NULL;
  guint n_kept = 0;

  if (!g_hash_table_add (self->seen, ocl_tuning_get_options (tuning,
              space->table)))
    return TRUE;
  if (group % space->simd_width != 0 || group > space->max_group) {
    self->result->n_pruned++;
    return TRUE;
  }
  tool_show_progress ("%s: %u of %u settings, %.0f of %.0f s", self->what,
      trials->len, self->result->n_space,
      self->bench->get_seconds (self->bench->data) - self->begin, self->budget);
  if (!measure_trial (self, &trial, &failure)
      && (!is_rejection (self, failure) || trials->len == 0)) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  g_array_append_val (trials, trial);
  if (failure)
    reject (self, get_trial (self, trials->len - 1), failure);
  g_clear_error (&failure);
  self->result->worst_time = MAX (self->result->worst_time, trial.milliseconds);

  /* Kernels that cannot race are freed, because they take memory of the
   * device. */
  for (guint i = 1; i < trials->len; i++) {
    TunerTrial *other = get_trial (self, i);

    n_kept += other->is_kept;
    if (other->is_kept
        && (!slowest || other->milliseconds > slowest->milliseconds))
      slowest = other;
  }
  if (n_kept > N_RACERS)
    forget (self, slowest);
  return TRUE;
}

/* Returns the fastest valid trial. */
static guint
find_best (Search * self)
{
  guint best = 0;

  for (guint i = 1; i < self->result->trials->len; i++) {
    const TunerTrial *trial = get_trial (self, i);

    if (!trial->note
        && trial->milliseconds < get_trial (self, best)->milliseconds)
      best = i;
  }
  return best;
}

static gboolean
has_time (Search * self)
{
  return self->bench->get_seconds (self->bench->data) - self->begin
      < SEARCH_PART * self->budget;
}

/* Varies each tunable around the best settings, until there is no
 * improvement. */
static gboolean
descend (Search * self, GError ** error)
{
  guint before;

  do {
    before = find_best (self);
    for (guint i = 0; i < self->n_tunables; i++) {
      const OclTuning around = get_trial (self, find_best (self))->tuning;
      const gint *values = self->space->table[i].values;

      for (guint n = 0; values[n] && has_time (self); n++) {
        OclTuning tuning = around;

        tuning.values[i] = values[n];
        if (!try (self, &tuning, error))
          return FALSE;
      }
    }
  } while (find_best (self) != before && has_time (self));
  return TRUE;
}

/* Tries random settings while there is time, and any are left. */
static gboolean
wander (Search * self, GError ** error)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);

  while (has_time (self)
      && g_hash_table_size (self->seen) < self->result->n_space) {
    OclTuning tuning = get_trial (self, 0)->tuning;

    for (guint i = 0; i < self->n_tunables; i++) {
      const OclTunable *tunable = &self->space->table[i];

      tuning.values[i] = tunable->values[g_rand_int_range (random, 0,
              count_values (tunable))];
    }
    if (!try (self, &tuning, error))
      return FALSE;
  }
  return TRUE;
}

/* Runs the settings alternately, and sets the median of each. */
static gboolean
race (Search * self, const OclTuning * const *racers, guint n, guint n_runs,
    gdouble * medians, GError ** error)
{
  GArray *times[N_RACERS + 1] = { NULL, };
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++)
    times[i] = g_array_new (FALSE, FALSE, sizeof (gdouble));
  for (guint run = 0; ok && run < n_runs; run++) {
    for (guint i = 0; ok && i < n; i++) {
      gdouble time;

      ok = measure (self, racers[i], &time, error);
      g_array_append_val (times[i], time);
    }
  }
  for (guint i = 0; i < n; i++) {
    medians[i] = ok ? tool_get_median (times[i]) : 0.0;
    g_array_unref (times[i]);
  }
  return ok;
}

static gint
compare_trials (gconstpointer a, gconstpointer b, gpointer data)
{
  const TunerTrial *first = get_trial (data, *(const guint *) a);
  const TunerTrial *second = get_trial (data, *(const guint *) b);

  return first->milliseconds < second->milliseconds ? -1
      : first->milliseconds > second->milliseconds;
}

/* Races trial @n against the default settings once more. It wins if it is
 * faster by more than the noise again, and its result is correct. Sets
 * @is_wrong to whether the result is wrong. */
static gboolean
confirm (Search * self, guint n, gboolean * is_wrong, GError ** error)
{
  TunerTrial *trial = get_trial (self, n);
  TunerResult *result = self->result;
  const OclTuning *const both[] = { &get_trial (self, 0)->tuning,
    &trial->tuning
  };
  gdouble medians[2];
  g_autoptr (GError) failure = NULL;

  *is_wrong = FALSE;
  if (!race (self, both, 2, RACE_RUNS, medians, error))
    return FALSE;
  result->default_time = medians[0];
  if (medians[1] >= medians[0] * (1.0 - result->noise))
    return TRUE;
  if (!self->bench->verify (self->bench->data, &trial->tuning, &failure)) {
    if (!is_rejection (self, failure)) {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
    reject (self, trial, failure);
    *is_wrong = TRUE;
    return TRUE;
  }
  result->best = trial->tuning;
  result->best_time = medians[1];
  result->default_wins = FALSE;
  return TRUE;
}

/* Races the best settings against the default ones. The fastest may win. The
 * next one is tried only if the result of the first is wrong, because each
 * further try is another chance for the noise. */
static gboolean
decide (Search * self, GError ** error)
{
  g_autoptr (GArray) racers = g_array_new (FALSE, FALSE, sizeof (guint));
  const OclTuning *tunings[N_RACERS + 1];
  gdouble medians[N_RACERS + 1];
  gboolean is_wrong = TRUE;

  /* Measures the default settings again, because the device may be slower by
   * now. */
  for (guint i = 1; i < self->result->trials->len; i++) {
    if (get_trial (self, i)->is_kept)
      g_array_append_val (racers, i);
  }
  g_array_sort_with_data (racers, compare_trials, self);
  tunings[0] = &get_trial (self, 0)->tuning;
  for (guint i = 0; i < racers->len; i++)
    tunings[i + 1] =
        &get_trial (self, g_array_index (racers, guint, i))->tuning;
  if (!race (self, tunings, racers->len + 1, RACE_RUNS, medians, error))
    return FALSE;
  self->result->default_time = self->result->best_time = medians[0];
  while (is_wrong) {
    guint best = 0;

    for (guint i = 1; i <= racers->len; i++) {
      if (medians[i] < medians[best])
        best = i;
    }
    if (medians[best] >= medians[0] * (1.0 - self->result->noise))
      break;
    if (!confirm (self, g_array_index (racers, guint, best - 1), &is_wrong,
            error))
      return FALSE;
    medians[best] = G_MAXDOUBLE;
  }
  if (self->result->default_wins)
    self->result->best_time = self->result->default_time;
  return TRUE;
}

static gboolean
search (Search * self, GError ** error)
{
  TunerResult *result = self->result;
  OclTuning defaults;
  const OclTuning *const both[] = { &defaults, &defaults };

  ocl_tuning_init (&defaults, self->space->table);
  if (!try (self, &defaults, error))
    return FALSE;
  if (result->trials->len == 0) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device does not support the work-groups of the default "
        "settings");
    return FALSE;
  }
  result->best = defaults;
  result->default_wins = TRUE;
  if (RACES * get_trial (self, 0)->milliseconds / 1e3 > self->budget) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "a frame takes %.3g s, which is too long for the time limit",
        get_trial (self, 0)->milliseconds / 1e3);
    return FALSE;
  }

  /* The default settings are measured against themselves. */
  result->noise = LEAST_NOISE;
  for (guint i = 0; i < NOISE_PAIRS; i++) {
    gdouble medians[2];

    if (!race (self, both, 2, NOISE_RUNS, medians, error))
      return FALSE;
    result->noise = MAX (result->noise, fabs (medians[0] / medians[1] - 1.0));
  }
  return descend (self, error)
      && wander (self, error) && decide (self, error);
}

gboolean
tuner_run (const TunerBench * bench, const TunerSpace * space, gdouble budget,
    const gchar * what, TunerResult * result, GError ** error)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search self = {.bench = bench,.space = space,.result = result,.what = what,
    .budget = budget,.begin = bench->get_seconds (bench->data),.seen = seen
  };
  gboolean has_default = TRUE;

  result->trials = g_array_new (FALSE, FALSE, sizeof (TunerTrial));
  g_array_set_clear_func (result->trials, trial_clear);
  result->n_space = 1;
  for (; space->table[self.n_tunables].macro; self.n_tunables++) {
    const OclTunable *tunable = &space->table[self.n_tunables];

    result->n_space *= count_values (tunable);
    has_default = has_default && tunable->default_value != 0;
  }
  /* A default of 0 leaves the choice to the kernel, and is not a candidate. */
  result->n_space += !has_default;
  const gboolean ok = search (&self, error);
  tool_show_progress ("%s", "");
  return ok;
}
