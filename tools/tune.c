/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tune.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "plan.h"
#include "tool.h"
#include "tunecase.h"
#include "tuningfile.h"

/* Seconds for a case, if the user sets no budget. */
#define CASE_SECONDS 60.0

/* Exit status of a program that SIGINT ends. */
#define INTERRUPTED 130

/* As given, or the defaults. */
typedef struct
{
  gchar *device;
  Output output;
  Output trials;                /* CSV */
  gchar *folder;
  gdouble budget;
  gboolean dry_run;
} Options;

/* A Run holds the reports of what is found. */
typedef struct
{
  const Options *options;
  OclContext *context;
  GPtrArray *params;            /* OclParam, the columns */
  Report *report;
  Report *trials;
  gboolean has_failed;          /* a case, and not for being unsupported */
} Run;

/* After those that identify a case. */
static const ReportColumn columns[] = {
  {"space", TRUE}, {"measured", TRUE}, {"rejected", TRUE,.csv_only = TRUE},
  {"default_ms", TRUE}, {"best_ms", TRUE}, {"worst_ms", TRUE},
  {"gain", TRUE}, {"noise", TRUE}, {"settings"}, {"note"},
};

static const ReportColumn trial_columns[] = {
  {"number", TRUE}, {"settings"}, {"min_ms", TRUE}, {"note"},
};

static const gchar summary[] =
    "Finds the fastest settings of kernels on an OpenCL device, such as the "
    "shape of\ntheir work-groups, and stores them where the elements look them "
    "up.";

static const gchar description[] =
    "LIST is comma-separated, see glopencl bench. What the elements would take "
    "is\ntuned: one variant for each case. The default settings are measured "
    "against\nthemselves first; settings have to beat them by more than this "
    "noise, in two\nraces, and compute the same frames. If none do, the "
    "default settings win, which\nis stored, too.\n\n"
    "space is how many settings there are, measured how many of them were "
    "tried, and\nworst_ms the slowest of those. gain is default_ms divided by "
    "best_ms.\n\n"
    "A case is stored as soon as it is done, so that nothing is lost if you "
    "interrupt\na run. Elements with tuning=off do not look anything up.";

static volatile gint interrupted;

/* The second time the signal ends the program. */
static void
interrupt (int number)
{
  interrupted = TRUE;
  signal (number, SIG_DFL);
}

/* Returns cases (RunnerCase) for each combination, those with default
 * parameters first. */
static GArray *
list_cases (const Plan * plan, GPtrArray * owned)
{
  GArray *cases = g_array_new (FALSE, TRUE, sizeof (RunnerCase));
  g_autoptr (GPtrArray) series = plan_make_series (plan);

  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < series->len; i++) {
      const RunnerCase *item = &((SeriesEntry *) series->pdata[i])->item;
      const OclOperationClass *klass = item->variant.klass;
      g_autofree gpointer defaults = ocl_operation_class_create_params (klass);
      const gboolean is_default = klass->params_size == 0
          || memcmp (defaults, item->params, klass->params_size) == 0;

      if (is_default == (pass == 1))
        continue;
      RunnerCase copy = *item;
      copy.params = g_memdup2 (item->params, klass->params_size);
      g_ptr_array_add (owned, (gpointer) copy.params);
      g_array_append_val (cases, copy);
    }
  }
  return cases;
}

static void
report_trials (Run * self, const TuneCase * tuned)
{
  for (guint i = 0; i < tuned->result.trials->len; i++) {
    const TunerTrial *trial =
        &g_array_index (tuned->result.trials, TunerTrial, i);
    g_autofree gchar *settings =
        tuning_file_print (tuned->space.table, &trial->tuning);

    series_report_case (self->trials, self->context->device, &tuned->item,
        self->params);
    report_add (self->trials, "%u", i);
    report_add (self->trials, "%s", settings);
    if (trial->milliseconds > 0.0)
      report_add (self->trials, "%.4f", trial->milliseconds);
    else
      report_add_empty (self->trials, 1);
    report_add (self->trials, "%s", trial->note ? trial->note : "");
  }
}

static void
report_result (Run * self, const TuneCase * tuned)
{
  const TunerResult *result = &tuned->result;
  g_autofree gchar *settings =
      tuning_file_print (tuned->space.table, &result->best);

  series_report_case (self->report, self->context->device, &tuned->item,
      self->params);
  report_add (self->report, "%u", result->n_space);
  report_add (self->report, "%u", result->trials->len);
  report_add (self->report, "%u", result->n_rejected);
  report_add (self->report, "%.4f", result->default_time);
  report_add (self->report, "%.4f", result->best_time);
  report_add (self->report, "%.4f", result->worst_time);
  report_add (self->report, "%.3f", result->default_time / result->best_time);
  report_add (self->report, "%.3f", result->noise);
  report_add (self->report, "%s", settings);
  report_add (self->report, "%s",
      result->default_wins ? "the default wins" : "");
}

static void
report_note (Run * self, const RunnerCase * item, const GError * error)
{
  g_autofree gchar *line = tool_get_first_line (error);

  series_report_case (self->report, self->context->device, item, self->params);
  report_add_empty (self->report, G_N_ELEMENTS (columns) - 1);
  report_add (self->report, "skipped: %s", line);
}

static gboolean
store_entries (Run * self, const GArray * entries, const gchar * nothing,
    GError ** error)
{
  g_autofree gchar *own = ocl_database_get_user_folder ();

  return tuning_file_store (self->options->folder ? self->options->folder : own,
      self->context->device, (const TuningEntry *) entries->data, entries->len,
      nothing, error);
}

static gboolean
store (Run * self, const TuneCase * tuned, GError ** error)
{
  const TunerResult *result = &tuned->result;
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (TuningEntry));

  for (guint i = 0; i < tuned->keys->len; i++) {
    const TuningEntry entry = {
      .key = g_array_index (tuned->keys, OclDatabaseKey, i),
      .table = tuned->space.table,.tuning = &result->best,
      .gain = result->default_time / result->best_time,
      .noise = result->noise,.measured = result->trials->len,
    };

    g_array_append_val (entries, entry);
  }
  return store_entries (self, entries, NULL, error);
}

/* That there is nothing to tune, too. */
static gboolean
store_nothing (Run * self, const RunnerCase * item, GError ** error)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (TuningEntry));
  g_autofree gchar *nothing = g_strdup_printf ("%s of %s in %s",
      item->variant.klass->name, item->format->name,
      ocl_storage_names[item->storage]);

  return store_entries (self, entries, nothing, error);
}

/* Returns whether the next case can be tuned: after other failures than that of
 * the device it can. */
static gboolean
tune_item (Run * self, const RunnerCase * item, gdouble budget)
{
  TuneCase tuned = {.item = *item };
  g_autoptr (GError) error = NULL;
  gboolean ok = tune_case_init (&tuned, self->context, &error)
      && tune_case_run (&tuned, self->context, budget, &interrupted, &error);

  if (ok) {
    report_result (self, &tuned);
    report_trials (self, &tuned);
    ok = self->options->dry_run || store (self, &tuned, &error);
    if (!ok)
      tool_complain ("%s", error->message);
  } else if (!interrupted) {
    report_note (self, item, error);
    ok = !g_error_matches (error, OCL_ERROR, OCL_ERROR_LOST);
    g_autoptr (GError) failure = NULL;

    if (tuned.has_nothing && !self->options->dry_run
        && !store_nothing (self, item, &failure)) {
      tool_complain ("%s", failure->message);
      ok = FALSE;
    }
    if (!g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)
        && !g_error_matches (error, OCL_ERROR, OCL_ERROR_BUILD)) {
      tool_complain ("%s: %s", item->variant.klass->name, error->message);
      self->has_failed = TRUE;
    }
  }
  tune_case_clear (&tuned);
  return ok && !interrupted;
}

static gboolean
tune_all (Run * self, const GArray * cases)
{
  const gdouble begin = g_get_monotonic_time () / 1e6;
  const gdouble all = self->options->budget > 0.0 ? self->options->budget
      : CASE_SECONDS * cases->len;
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < cases->len; i++) {
    const gdouble left = all - (g_get_monotonic_time () / 1e6 - begin);

    /* Cases that need less than their part leave the rest to the others. */
    if (left <= 0.0) {
      tool_complain ("the time is over: %u of %u cases are done", i,
          cases->len);
      break;
    }
    ok = tune_item (self, &g_array_index (cases, RunnerCase, i),
        left / (cases->len - i));
  }
  return ok && !self->has_failed;
}

/* Returns the exit status. */
static int
run (const Options * options, const Plan * plan)
{
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) cases = list_cases (plan, owned);
  g_autoptr (GPtrArray) params =
      param_lists_get_listed (plan->params, plan->classes);
  g_autoptr (Report) report = report_new ();
  g_autoptr (Report) trials = report_new ();

  if (!output_check (&options->output) || !output_check (&options->trials))
    return TOOL_FAILED;
  g_autoptr (OclContext) context = tool_open_device (options->device);
  if (!context)
    return TOOL_FAILED;
  Run self = {.options = options,.context = context,.params = params,
    .report = report,.trials = trials
  };
  series_report_columns (report, params);
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  series_report_columns (trials, params);
  report_add_columns (trials, trial_columns, G_N_ELEMENTS (trial_columns));
  signal (SIGINT, interrupt);
  const gboolean ok = tune_all (&self, cases);

  if (!output_write (report, &options->output)
      || (options->trials.csv && !output_write (trials, &options->trials)))
    return TOOL_FAILED;
  return interrupted ? INTERRUPTED : ok ? EXIT_SUCCESS : TOOL_FAILED;
}

static gboolean
check_options (const Options * options)
{
  if (options->budget >= 0.0)
    return TRUE;
  tool_complain ("--budget is below 0");
  return FALSE;
}

int
tune_main (int argc, char **argv)
{
  Options options = { 0, };
  const GOptionEntry own[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &options.device,
        "gpu, cpu, 0:1 or part of a name, see glopencl devices", "SELECTOR"},
    {"budget", 0, 0, G_OPTION_ARG_DOUBLE, &options.budget,
        "Time for all cases (60 for each)", "SECONDS"},
    {"trials", 0, 0, G_OPTION_ARG_FILENAME, &options.trials.csv,
        "Write what was measured of all settings as CSV", "FILE"},
    {"folder", 0, 0, G_OPTION_ARG_FILENAME, &options.folder,
        "Store in this folder instead of the user's", "FOLDER"},
    {"dry-run", 0, 0, G_OPTION_ARG_NONE, &options.dry_run,
        "Store nothing", NULL},
  };
  g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  g_autoptr (Plan) plan = plan_new ();
  int status;

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  output_add_options (&options.output, entries);
  plan_set_default_operations (plan, OCL_OPERATION_FILTERS,
      OCL_OPERATION_IS_TEXT);
  plan_add_frame_options (plan, entries);
  plan->variants_text = g_strdup (RUNNER_VARIANT_AUTO);
  if (tool_parse_options (summary, description,
          (const GOptionEntry *) entries->data, argc, argv, &status))
    status = plan_parse (plan) && check_options (&options)
        ? run (&options, plan) : TOOL_MISUSED;
  g_free (options.device);
  output_clear (&options.output);
  output_clear (&options.trials);
  g_free (options.folder);
  return status;
}
