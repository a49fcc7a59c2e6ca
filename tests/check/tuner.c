/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the search of `glopencl tune` on made-up devices, whose times are known:
 * it finds the best settings, and refuses those that compute the wrong thing,
 * cannot be built, or are ahead by chance. */

#include "tuner.h"
#include "testcase.h"

#include <math.h>
#include <string.h>

#define SECONDS 30.0

static const OclTunable table[] = {
  {"GROUP_WIDTH", 32, OCL_CHOICES (8, 16, 32, 64)},
  {"GROUP_HEIGHT", 4, OCL_CHOICES (1, 2, 4, 8)},
  {"ROWS", 2, OCL_CHOICES (1, 2, 4)},
  {NULL},
};

#define N_SPACE 48

/* A simulated device: the times of settings, and its clock. */
typedef struct
{
  OclTuning fastest;            /* takes 0.8 of the default's time */
  gboolean has_fastest;
  guint fades_after;            /* number of runs of @fastest, or 0 */
  OclTuning wrong;              /* is fast, and computes the wrong thing */
  gboolean has_wrong;
  gint broken_rows;             /* ROWS with which nothing can be built */
  gdouble factor;               /* of all times, or 0 */
  gdouble jitter;               /* part of a time that is random */
  gdouble cost;                 /* seconds of a run */
  guint interrupt_at;           /* run at which the user interrupts, or 0 */
  guint fail_at;                /* run at which the device fails, or 0 */

  GRand *random;
  gdouble seconds;
  guint n_runs;
  guint n_runs_of_fastest;
  guint n_forgotten;
} Device;

static gboolean
is_tuning (const OclTuning * a, const OclTuning * b)
{
  return memcmp (a, b, sizeof (*a)) == 0;
}

static gboolean
measure (gpointer data, const OclTuning * tuning, gdouble * milliseconds,
    GError ** error)
{
  Device *self = data;

  self->seconds += self->cost;
  self->n_runs++;
  if (self->n_runs == self->fail_at) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED, "it is gone");
    return FALSE;
  }
  if (tuning->values[2] == self->broken_rows) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_BUILD,
        "no registers\nwith more lines");
    return FALSE;
  }
  g_assert_cmpint (tuning->values[0] * tuning->values[1] % 32, ==, 0);
  g_assert_cmpint (tuning->values[0] * tuning->values[1], <=, 256);
  *milliseconds = 10.0 + fabs (log2 (tuning->values[0] / 32.0))
      + fabs (log2 (tuning->values[1] / 4.0))
      + fabs (log2 (tuning->values[2] / 2.0));
  if (self->has_fastest && is_tuning (tuning, &self->fastest)) {
    self->n_runs_of_fastest++;
    *milliseconds = self->fades_after > 0
        && self->n_runs_of_fastest > self->fades_after ? 9.95 : 8.0;
  }
  if (self->has_wrong && is_tuning (tuning, &self->wrong))
    *milliseconds = 4.0;
  if (self->factor > 0.0)
    *milliseconds *= self->factor;
  *milliseconds *= 1.0 + self->jitter * g_rand_double (self->random);
  return TRUE;
}

static gboolean
verify (gpointer data, const OclTuning * tuning, GError ** error)
{
  Device *self = data;

  if (!self->has_wrong || !is_tuning (tuning, &self->wrong))
    return TRUE;
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_KERNEL, "7 in place of 3");
  return FALSE;
}

static void
forget (gpointer data, const OclTuning * tuning)
{
  (void) tuning;
  ((Device *) data)->n_forgotten++;
}

static gdouble
get_seconds (gpointer data)
{
  return ((Device *) data)->seconds;
}

static gboolean
is_interrupted (gpointer data)
{
  Device *self = data;

  return self->interrupt_at > 0 && self->n_runs >= self->interrupt_at;
}

static gboolean
run (Device * self, TunerResult * result, GError ** error)
{
  const TunerSpace space = {.table = table,.simd_width = 32,.max_group = 256 };
  const TunerBench bench = {.measure = measure,.verify = verify,
    .forget = forget,.get_seconds = get_seconds,
    .is_interrupted = is_interrupted,.data = self
  };

  memset (result, 0, sizeof (*result));
  self->random = g_rand_new_with_seed (3);
  const gboolean ok = tuner_run (&bench, &space, SECONDS, "a test", result,
      error);
  g_rand_free (self->random);
  return ok;
}

/* The result of the search: an error, or the fastest settings of the device,
 * unless they fade, or else the default ones. The settings that are rejected
 * have this note. */
static const struct
{
  const gchar *name;
  Device device;
  guint n_jitters;              /* multiples of the jitter, or 0 */
  gint error;
  guint n_rejected;
  const gchar *note;
  gdouble max_seconds;
  guint max_trials;
} cases[] = {
  {"default", {.cost = 0.001}},
  /* Settings that no single change leads to are found, too, also on a device
   * whose times differ by less than the gain. */
  {"finds", {.cost = 0.001,.has_fastest = TRUE,.fastest = {{64, 2, 4}}}},
  {"finds-in-noise", {.cost = 0.001,.has_fastest = TRUE,
          .fastest = {{64, 2, 4}},.jitter = 0.02}},
  {"finds-in-more-noise", {.cost = 0.001,.has_fastest = TRUE,
          .fastest = {{64, 2, 4}},.jitter = 0.1}},
  /* Noise is no gain: no settings are better than the default ones here. */
  {"noise", {.cost = 0.001,.jitter = 0.05},.n_jitters = 20},
  /* Settings that win only the first race have no gain, even if they lead the
   * second one by less than the noise. The search takes 3 runs of them, and the
   * first race 11. */
  {"fades", {.cost = 0.001,.has_fastest = TRUE,.fastest = {{64, 2, 4}},
          .fades_after = 3}},
  {"fades-later", {.cost = 0.001,.has_fastest = TRUE,
          .fastest = {{64, 2, 4}},.fades_after = 14}},
  /* Settings with wrong results do not win, regardless of their speed. The next
   * ones do. */
  {"wrong", {.cost = 0.001,.has_wrong = TRUE,.wrong = {{16, 4, 4}},
          .has_fastest = TRUE,.fastest = {{64, 2, 1}}},.n_rejected = 1,
      .note = "7 in place of 3"},
  /* Build failures are noted, in a line. */
  {"broken", {.cost = 0.001,.broken_rows = 4},
      .n_rejected = N_SPACE / 3 - 4,.note = "no registers"},
  /* Without the default settings there is nothing to compare with. */
  {"broken-default", {.cost = 0.001,.broken_rows = 2},
      .error = OCL_ERROR_BUILD},
  /* Frames that take too long for the races are not tuned. */
  {"slow", {.cost = 1.0,.factor = 100.0},.error = OCL_ERROR_NOT_SUPPORTED,
      .max_seconds = 10.0},
  /* The search ends in time, and the best measured settings win. */
  {"budget", {.cost = 0.3},.max_seconds = 2.0 * SECONDS,
      .max_trials = N_SPACE / 2 - 1},
};

static void
test_case (gconstpointer data)
{
  const __typeof__ (cases[0]) * item = data;

  for (guint i = 1; i <= MAX (1, item->n_jitters); i++) {
    Device device = item->device;
    g_autoptr (GError) error = NULL;
    TunerResult result;
    OclTuning defaults;
    guint n_notes = 0;

    device.jitter *= i;
    const gboolean ok = run (&device, &result, &error);
    if (item->max_seconds > 0.0)
      g_assert_cmpfloat (device.seconds, <, item->max_seconds);
    if (item->error) {
      g_assert_false (ok);
      g_assert_error (error, OCL_ERROR, item->error);
      tuner_result_clear (&result);
      continue;
    }
    g_assert_no_error (error);
    ocl_tuning_init (&defaults, table);
    g_assert_true (result.default_wins
        == (!device.has_fastest || device.fades_after > 0));
    g_assert_true (is_tuning (&result.best,
            result.default_wins ? &defaults : &device.fastest));
    if (!result.default_wins)
      g_assert_cmpfloat (result.default_time / result.best_time, >, 1.15);
    if (device.jitter > 0.0)
      g_assert_cmpfloat (result.noise, >=, 0.01);
    if (device.fades_after > 0)
      g_assert_cmpuint (device.n_runs_of_fastest, >, device.fades_after);
    if (item->max_trials > 0)
      g_assert_cmpuint (result.trials->len, <=, item->max_trials);
    g_assert_cmpuint (result.n_rejected, ==, item->n_rejected);
    for (guint n = 0; n < result.trials->len; n++) {
      const TunerTrial *trial = &g_array_index (result.trials, TunerTrial, n);

      if (!trial->note)
        continue;
      n_notes++;
      g_assert_true (device.has_wrong
          ? is_tuning (&trial->tuning, &device.wrong)
          : trial->tuning.values[2] == device.broken_rows);
      g_assert_cmpstr (trial->note, ==, item->note);
    }
    g_assert_cmpuint (n_notes, ==, item->n_rejected);
    tuner_result_clear (&result);
  }
}

/* All settings are tried, except unsupported ones. */
TEST (test_trials)
{
  Device device = {.cost = 0.001 };
  TunerResult result;

  g_assert_true (run (&device, &result, NULL));
  g_assert_cmpfloat (result.best_time, ==, result.default_time);
  g_assert_cmpfloat (result.worst_time, >, 12.0);
  g_assert_cmpuint (result.n_space, ==, N_SPACE);
  /* Groups of 8, 16 and 512 work-items are not measured. */
  g_assert_cmpuint (result.n_pruned, ==, 4 * 3);
  g_assert_cmpuint (result.trials->len, ==, N_SPACE - result.n_pruned);
  g_assert_cmpuint (device.n_forgotten, >, 0);
  tuner_result_clear (&result);
}

/* The user, or a device that fails for the default settings, ends the search at
 * any run. A failure of other settings does not. */
TEST (test_ends)
{
  for (guint n = 1; n < 200; n++) {
    Device device = {.cost = 0.001,.has_fastest = TRUE,
      .fastest = {{64, 2, 4}
          }
    };
    TunerResult result;
    g_autoptr (GError) error = NULL;

    if (n % 2)
      device.interrupt_at = n;
    else
      device.fail_at = n;
    if (!run (&device, &result, &error))
      g_assert_error (error, OCL_ERROR, OCL_ERROR_FAILED);
    else if (n % 2)
      g_assert_cmpuint (device.n_runs, <=, n);
    tuner_result_clear (&result);
  }
}

void
test_set_up (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    testcase_add_data (test_case, &cases[i], "%s", cases[i].name);
}
