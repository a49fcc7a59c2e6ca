/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl tune`: finds the fastest settings of kernels on a device, and
 * stores them in the database of settings. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "opencl/graph/oclfilter.h"
#include "tuner.h"
#include "tuningfile.h"

/* Seconds per case, unless the user sets a budget. */
#define CASE_SECONDS 60.0

/* Exit status of a program ended by SIGINT. */
#define INTERRUPTED 130

/* Size of the frames for comparing settings: several groups, and parts of some,
 * with odd rows and columns. */
#define CHECK_WIDTH 203
#define CHECK_HEIGHT 117
#define SEED 5

static gchar *selector;
static Output output;
static Output trial_output;     /* CSV */
static gchar *folder;
static gdouble budget;
static gboolean dry_run;

static const GOptionEntry entries[] = {
  {"device", 0, 0, G_OPTION_ARG_STRING, &selector,
      "gpu, cpu, 0:1 or part of a name, see glopencl devices", "SELECTOR"},
  {"budget", 0, 0, G_OPTION_ARG_DOUBLE, &budget,
      "Time for all cases (60 for each)", "SECONDS"},
  {"trials", 0, 0, G_OPTION_ARG_FILENAME, &trial_output.csv,
      "Write all measurements as CSV", "FILE"},
  {"folder", 0, 0, G_OPTION_ARG_FILENAME, &folder,
      "Store the settings in this folder instead of the user's", "FOLDER"},
  {"dry-run", 0, 0, G_OPTION_ARG_NONE, &dry_run,
      "Store nothing", NULL},
  G_OPTION_ENTRY_NULL
};

/* The columns after those that identify a case. */
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
    "shape of\n"
    "their work-groups, and stores them in the database of the " "elements.";

static const gchar description[] =
    "LIST is comma-separated, see glopencl bench. Each case tunes the "
    "variant that the\n"
    "elements would select. The default settings are measured against "
    "themselves first.\n"
    "Settings win if they beat the defaults by more than this noise, in "
    "two races, and\n"
    "compute the same frames. If nothing beats the defaults, that is "
    "stored as well.\n"
    "\n"
    "space is the number of possible settings, measured the number of "
    "tried settings, and\n"
    "worst_ms the slowest of these. gain is default_ms divided by "
    "best_ms.\n"
    "\n"
    "A case is stored when it is complete, so an interrupt loses no "
    "results. Elements with\n" "tuning=off do not use the database.";

/* The case to tune: an operation with its parameters for frames of one kind. */
typedef struct
{
  OclContext *context;
  Runner *runner;
  RunnerCase item;              /* with the variant that elements choose */
  GArray *keys;                 /* OclDatabaseKey of the stored settings */
  gboolean has_nothing;         /* whether the variant has no tunables */
  TunerSpace space;
  TunerResult result;
} Case;

/* The report of all cases. */
typedef struct
{
  GPtrArray *params;            /* OclParam, the columns */
  Report *cases;
  Report *trials;
  gboolean has_failed;          /* a case failed, except as unsupported */
} Reports;

static volatile gint interrupted;

/* A second signal ends the program. */
static void
interrupt (int number)
{
  interrupted = TRUE;
  signal (number, SIG_DFL);
}

static gboolean
measure (gpointer data, const OclTuning * tuning, gdouble * milliseconds,
    GError ** error)
{
  Case *self = data;
  RunnerCase item = self->item;
  RunnerTimes times;

  item.tuning = *tuning;
  /* The first run builds, and loads the frame into the caches. */
  if (!runner_run (self->runner, &item, &times, error)
      || !runner_run (self->runner, &item, &times, error))
    return FALSE;
  *milliseconds = times.kernel + times.transfer;
  return TRUE;
}

static gint
get_level (const OclFormat * format, const guint8 * bytes, gsize n)
{
  return (format->component_bytes == 2 ? ((const guint16 *) bytes)[n]
      : bytes[n]) >> format->shift;
}

/* Returns whether all samples of @item for @content are within one level of the
 * plain variant, or of an approximation with its default settings. Takes
 * ownership of @pixels, RGBA or NULL for a drawn image. */
static gboolean
check_content (OclContext * context, const RunnerCase * item,
    const gchar * content, guint8 * pixels, GError ** error)
{
  g_autoptr (Runner) runner = runner_new (context, pixels);
  const OclFormat *format = item->format;
  RunnerCase reference = *item;
  RunnerTimes times;
  gsize size = 0;

  if (!(item->variant.variant->flags & OCL_VARIANT_APPROXIMATE))
    reference.variant.variant = item->variant.klass->variants[0];
  ocl_tuning_init (&reference.tuning, reference.variant.variant->tunables);
  for (guint plane = 0; plane < format->n_planes; plane++) {
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *actual = NULL;

    if (runner_run (runner, &reference, &times, error))
      expected = runner_read (runner, &reference, plane, &size, error);
    if (expected && runner_run (runner, item, &times, error))
      actual = runner_read (runner, item, plane, &size, error);
    if (!actual)
      return FALSE;
    for (gsize n = 0; n < size / format->component_bytes; n++) {
      const gint is = get_level (format, actual, n);
      const gint should = get_level (format, expected, n);

      if (ABS (is - should) > 1) {
        g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
            "%s of %s computes %d instead of %d", item->variant.name, content,
            is, should);
        return FALSE;
      }
    }
  }
  return TRUE;
}

static gboolean
check_contents (OclContext * context, const RunnerCase * item, GError ** error)
{
  static const gchar *const contents[] = { "a picture", "noise",
    "a black frame", "a white frame"
  };
  const gsize size = CHECK_WIDTH * CHECK_HEIGHT * 4;
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);

  for (guint i = 0; i < G_N_ELEMENTS (contents); i++) {
    guint8 *pixels = i == 0 ? NULL : g_malloc0 (size);

    for (gsize n = 0; pixels && n < size; n++)
      pixels[n] = i == 1 ? g_rand_int_range (random, 0, 256) : i == 3 ? 255 : 0;
    if (!check_content (context, item, contents[i], pixels, error))
      return FALSE;
  }
  return TRUE;
}

/* Compares on small frames, with every border. */
static gboolean
verify (gpointer data, const OclTuning * tuning, GError ** error)
{
  Case *self = data;
  const OclOperationClass *klass = self->item.variant.klass;
  const OclParam *border = ocl_params_find (klass->params, "border");
  g_autoptr (OclParams) params =
      ocl_operation_class_copy_params (klass, self->item.params);
  RunnerCase item = self->item;

  item.tuning = *tuning;
  item.width = CHECK_WIDTH;
  item.height = CHECK_HEIGHT;
  item.params = params;
  if (!border)
    return check_contents (self->context, &item, error);
  for (const OclValue * value = border->values->values; value->nick; value++) {
    *(gint *) ((gchar *) params + border->offset) = value->value;
    if (!check_contents (self->context, &item, error))
      return FALSE;
  }
  return TRUE;
}

static void
forget (gpointer data, const OclTuning * tuning)
{
  Case *self = data;
  RunnerCase item = self->item;

  item.tuning = *tuning;
  runner_forget (self->runner, &item);
}

static gdouble
get_seconds (G_GNUC_UNUSED gpointer data)
{
  return g_get_monotonic_time () / 1e6;
}

static gboolean
is_interrupted (G_GNUC_UNUSED gpointer data)
{
  return interrupted;
}

static gboolean
refuse (const gchar * reason, GError ** error)
{
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED, reason);
  return FALSE;
}

/* Uses the variant of all passes of @graph, if it can be tuned, with the keys
 * for its fastest specialization, which is the measured one. */
static gboolean
case_take_variant (Case * self, const OclGraph * graph, GError ** error)
{
  const OclVariant *variant = ocl_graph_get_variant (graph, 0);
  RunnerCase *item = &self->item;

  if (graph->copied)
    return refuse ("images are copied to buffers. Tune buffers", error);
  self->has_nothing = !variant->tunables || !variant->source;
  if (self->has_nothing)
    return refuse ("no tunables", error);
  for (guint i = 0; i < graph->n_nodes; i++) {
    const OclNode *node = &graph->nodes[i];
    guint specializations[OCL_MAX_SPECIALIZATIONS];

    if (!node->kernels || node->need >= 0)
      continue;
    if (node->kernels->variant != variant)
      return refuse ("the planes use different variants. Tune other formats",
          error);
    ocl_variant_get_specializations (variant, item->params, item->format,
        specializations);
    const OclDatabaseKey key =
        ocl_operation_class_get_database_key (item->variant.klass, variant,
        specializations[0], &graph->info, &node->pass, item->params);
    g_array_append_val (self->keys, key);
  }
  item->variant.variant = variant;
  item->variant.name = variant->name;
  self->space.table = variant->tunables;
  return TRUE;
}

/* Selects the variant that the element would choose on the device, and its
 * tunables. Builds it. Returns FALSE with OCL_ERROR_NOT_SUPPORTED if there is
 * nothing to tune, or with another error. */
static gboolean
case_prepare (Case * self, GError ** error)
{
  const RunnerCase *item = &self->item;
  const OclOperationClass *klass = item->variant.klass;
  const OclDevice *device = self->context->device;
  const OclFrame like = {.info = {.format = item->format,.storage =
          item->storage,.width = item->width,.height = item->height}
  };
  size_t simd_width = 1;
  size_t max_group = 1;
  guint pass = 0;

  if (!ocl_operation_class_filters (klass))
    return refuse ("not a filter", error);
  if (klass->flags & OCL_OPERATION_IS_TEXT)
    return refuse ("custom kernels are not in the database", error);
  if (ocl_operation_class_is_neutral (klass, item->params))
    return refuse ("with these settings frames are unchanged", error);
  if (!ocl_operation_class_check (klass, item->params, item->format, error))
    return FALSE;
  const OclOperationList list = OCL_SINGLE (klass, item->params);
  g_autoptr (OclFilter) filter = ocl_filter_new (&list, self->context);
  ocl_filter_set_uses_database (filter, FALSE);
  g_autoptr (OclGraph) graph =
      ocl_filter_get_graph (filter, &like.info, &list, error);
  if (!graph || !case_take_variant (self, graph, error)
      || !ocl_check (clGetDeviceInfo (device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
              sizeof (max_group), &max_group, NULL), "clGetDeviceInfo", error))
    return FALSE;
  while (!graph->nodes[pass].kernels || graph->nodes[pass].need >= 0)
    pass++;
  /* CPUs support groups of any size. */
  if (!(device->type & CL_DEVICE_TYPE_CPU)
      && !ocl_check (clGetKernelWorkGroupInfo
          (graph->nodes[pass].kernels->kernels[0], device->id,
              CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof (simd_width),
              &simd_width, NULL), "clGetKernelWorkGroupInfo", error))
    return FALSE;
  self->space.simd_width = MAX (simd_width, 1);
  self->space.max_group = max_group;
  return TRUE;
}

/* Stores the settings, or that there is nothing to tune. */
static gboolean
case_store (const Case * self, GError ** error)
{
  const RunnerCase *item = &self->item;
  const TunerResult *result = &self->result;
  g_autofree gchar *own = ocl_database_get_user_folder ();
  g_autofree gchar *nothing = self->has_nothing
      ? g_strdup_printf ("%s of %s in %s", item->variant.klass->name,
      item->format->name, ocl_storage_names[item->storage]) : NULL;
  g_autofree TuningEntry *stored = g_new0 (TuningEntry, self->keys->len);

  for (guint i = 0; i < self->keys->len; i++)
    stored[i] = (TuningEntry) {
    .key = g_array_index (self->keys, OclDatabaseKey, i),.table =
        self->space.table,.tuning = &result->best,.gain =
        result->default_time / result->best_time,.noise =
        result->noise,.measured = result->trials->len,};
  return tuning_file_store (folder ? folder : own, self->context->device,
      stored, self->keys->len, nothing, error);
}

static void
report_case (const Reports * reports, const Case * tuned)
{
  const TunerResult *result = &tuned->result;
  const OclTunable *table = tuned->space.table;
  const OclDevice *device = tuned->context->device;
  Report *report = reports->cases;
  g_autofree gchar *best = tuning_file_print (table, &result->best);

  series_report_case (report, device, &tuned->item, reports->params);
  report_add (report, "%u", result->n_space);
  report_add (report, "%u", result->trials->len);
  report_add (report, "%u", result->n_rejected);
  report_add (report, "%.4f", result->default_time);
  report_add (report, "%.4f", result->best_time);
  report_add (report, "%.4f", result->worst_time);
  report_add (report, "%.3f", result->default_time / result->best_time);
  report_add (report, "%.3f", result->noise);
  report_add (report, "%s", best);
  report_add (report, "%s", result->default_wins ? "the default wins" : "");
  for (guint i = 0; i < result->trials->len; i++) {
    const TunerTrial *trial = &g_array_index (result->trials, TunerTrial, i);
    g_autofree gchar *settings = tuning_file_print (table, &trial->tuning);

    series_report_case (reports->trials, device, &tuned->item, reports->params);
    report_add (reports->trials, "%u", i);
    report_add (reports->trials, "%s", settings);
    if (trial->milliseconds > 0.0)
      report_add (reports->trials, "%.4f", trial->milliseconds);
    else
      report_add_empty (reports->trials, 1);
    report_add (reports->trials, "%s", trial->note ? trial->note : "");
  }
}

/* Reports that @tuned could not be tuned. Returns whether to continue with the
 * next one, which is possible unless the device failed. */
static gboolean
report_failure (Reports * reports, const Case * tuned, const GError * error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree gchar *line = tool_get_first_line (error);

  series_report_case (reports->cases, tuned->context->device, &tuned->item,
      reports->params);
  report_add_empty (reports->cases, G_N_ELEMENTS (columns) - 1);
  report_add (reports->cases, "skipped: %s", line);
  if (!g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)
      && !g_error_matches (error, OCL_ERROR, OCL_ERROR_BUILD)) {
    tool_complain ("%s: %s", tuned->item.variant.klass->name, error->message);
    reports->has_failed = TRUE;
  }
  if (tuned->has_nothing && !dry_run && !case_store (tuned, &failure)) {
    tool_complain ("%s", failure->message);
    return FALSE;
  }
  return !g_error_matches (error, OCL_ERROR, OCL_ERROR_LOST);
}

/* Tunes @item for about @seconds. Returns whether to continue with the next
 * case. */
static gboolean
tune_item (Reports * reports, OclContext * context, const RunnerCase * item,
    gdouble seconds)
{
  g_autoptr (Runner) runner = runner_new (context, NULL);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (OclDatabaseKey));
  Case tuned = {.context = context,.runner = runner,.item = *item,.keys = keys
  };
  const TunerBench bench = {
    .measure = measure,.verify = verify,.forget = forget,
    .get_seconds = get_seconds,.is_interrupted = is_interrupted,.data = &tuned,
  };
  g_autofree gchar *what = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok = case_prepare (&tuned, &error);

  if (ok) {
    what = g_strdup_printf ("%s %s, %s in %s, %dx%d",
        item->variant.klass->name, tuned.item.variant.name, item->format->name,
        ocl_storage_names[item->storage], item->width, item->height);
    ok = tuner_run (&bench, &tuned.space, seconds, what, &tuned.result, &error);
  }

  if (ok) {
    report_case (reports, &tuned);
    ok = dry_run || case_store (&tuned, &error);
    if (!ok)
      tool_complain ("%s", error->message);
  } else if (!interrupted) {
    ok = report_failure (reports, &tuned, error);
  }
  tuner_result_clear (&tuned.result);
  return ok && !interrupted;
}

/* Tunes each case of @series, those with default parameters first. Returns
 * whether none has failed. */
static gboolean
tune_all (Reports * reports, OclContext * context, GPtrArray * series)
{
  const gdouble begin = get_seconds (NULL);
  const gdouble all = budget > 0.0 ? budget : CASE_SECONDS * series->len;
  guint n_done = 0;

  for (guint i = 0; i < 2 * series->len; i++) {
    const SeriesEntry *entry = series->pdata[i % series->len];
    const OclOperationClass *klass = entry->item.variant.klass;
    g_autoptr (OclParams) defaults = ocl_operation_class_create_params (klass);
    const gboolean is_default = klass->params_size == 0
        || ocl_params_equal (klass->params, klass->params_size, defaults,
        entry->item.params);
    const gdouble left = all - (get_seconds (NULL) - begin);

    if (is_default != (i < series->len))
      continue;
    if (left <= 0.0) {
      tool_complain ("time limit reached: %u of %u cases are complete", n_done,
          series->len);
      break;
    }
    /* Fast cases leave their remaining time to the others. */
    if (!tune_item (reports, context, &entry->item,
            left / (series->len - n_done)))
      return FALSE;
    n_done++;
  }
  return !reports->has_failed;
}

int
tune_main (int argc, char **argv)
{
  g_autoptr (GOptionContext) parser = tool_options_new (summary, description);
  int status;

  g_option_context_add_main_entries (parser, entries, NULL);
  output_add_options (&output, parser);
  plan_add_options (parser, TRUE);
  if (!tool_parse_options (parser, argc, argv, &status))
    return status;
  g_autoptr (Plan) plan = plan_new ();
  if (!plan)
    return TOOL_MISUSED;
  if (!(budget >= 0.0)) {
    tool_complain ("--budget is negative");
    return TOOL_MISUSED;
  }
  if (!output_check (&output) || !output_check (&trial_output))
    return TOOL_FAILED;
  g_autoptr (OclContext) context = tool_open_device (selector);
  if (!context)
    return TOOL_FAILED;
  g_autoptr (Report) report =
      series_report_new (plan->params, columns, G_N_ELEMENTS (columns));
  g_autoptr (Report) trials =
      series_report_new (plan->params, trial_columns,
      G_N_ELEMENTS (trial_columns));
  Reports reports = {.params = plan->params,.cases = report,.trials = trials };
  signal (SIGINT, interrupt);
  const gboolean ok = tune_all (&reports, context, plan->series);

  if (!output_write (&output, report)
      || (trial_output.csv && !output_write (&trial_output, trials)))
    return TOOL_FAILED;
  return interrupted ? INTERRUPTED : ok ? EXIT_SUCCESS : TOOL_FAILED;
}
