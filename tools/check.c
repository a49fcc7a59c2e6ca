/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "opencl/ocloperations.h"
#include "sweep.h"
#include "tool.h"

#define MAX_RANDOM 10000

typedef struct
{
  const gchar *device;
  const gchar *operations;
  const gchar *variants;
  const gchar *formats;
  gint seed;
  gint n_random;
  gboolean all;
} Options;

typedef struct
{
  guint n_runs;
  guint n_failed;
  guint n_unsupported;
  guint n_skipped;
} Totals;

static void
print_result (const SweepResult * result, gpointer user_data)
{
  Totals *totals = user_data;
  const gboolean filters = ocl_operation_class_filters (result->klass);
  g_autofree gchar *error = NULL;

  tool_show_progress ("%s", "");
  totals->n_runs += result->n_runs;
  totals->n_failed += result->n_failed;
  totals->n_unsupported += result->n_unsupported;
  if (result->skipped) {
    totals->n_skipped++;
    printf ("%-18s %-18s skipped: %s\n", result->klass->name,
        result->variant->name, result->skipped);
    return;
  }
  if (result->n_failed > 0)
    error = g_strdup_printf ("%u WRONG", result->n_failed);
  else if (!filters)
    error = g_strdup ("none");
  else if (result->accuracy.psnr > 0.0)
    error = g_strdup_printf ("%.1f dB", result->accuracy.psnr);
  else
    error = g_strdup_printf ("%.3f", result->accuracy.worst);
  printf ("%-18s %-18s %-8s %6u %12s %8.1f s  %s\n",
      result->klass->name, result->variant->name,
      ocl_storage_names[result->storage], result->n_runs, error,
      result->seconds, result->checksum);
  fflush (stdout);
}

static void
print_wrong_run (const gchar * text, G_GNUC_UNUSED gpointer user_data)
{
  tool_show_progress ("%s", "");
  printf ("WRONG: %s\n", text);
  fflush (stdout);
}

static void
show_progress (const gchar * text, G_GNUC_UNUSED gpointer user_data)
{
  tool_show_progress ("%s", text);
}

/* Returns whether all names of operations, variants and formats exist. */
static gboolean
check_names (gchar ** operations, gchar ** variants, gchar ** formats)
{
  for (guint i = 0; operations && operations[i]; i++) {
    if (!ocl_operations_find (operations[i])) {
      tool_complain_of_value ("--operation", operations[i],
          "the names of operations, see glopencl operations");
      return FALSE;
    }
  }
  for (guint i = 0; variants && variants[i]; i++) {
    gboolean found = g_str_equal (variants[i], "all");

    for (guint j = 0; !found && ocl_operations[j]; j++)
      found = ocl_operation_class_find_variant (ocl_operations[j], variants[i])
          != NULL;
    if (!found) {
      tool_complain_of_value ("--variants", variants[i],
          "the names of variants, see glopencl operations");
      return FALSE;
    }
  }
  for (guint i = 0; formats && formats[i]; i++) {
    if (!ocl_format_find (formats[i])) {
      tool_complain_of_value ("--formats", formats[i],
          "the names of formats in GStreamer");
      return FALSE;
    }
  }
  return TRUE;
}

/* Returns the exit status. */
static int
check (const Options * options)
{
  g_auto (GStrv) operations = options->operations
      ? g_strsplit (options->operations, ",", -1) : NULL;
  g_auto (GStrv) variants = options->variants
      ? g_strsplit (options->variants, ",", -1) : NULL;
  g_auto (GStrv) formats = options->formats
      ? g_strsplit (options->formats, ",", -1) : NULL;
  Totals totals = { 0, };
  Sweep sweep = {.operations = operations,.variants = variants,
    .formats = formats,.all = options->all,.n_random = options->n_random,
    .only_small = is_left_out (OCL_STORAGE_IMAGE),.report = print_result,
    .complain = print_wrong_run,.progress = show_progress,
    .user_data = &totals
  };
  g_autoptr (GError) error = NULL;
  struct utsname system;

  if (!tool_check_count ("--random", options->n_random, 0, MAX_RANDOM)
      || !check_names (operations, variants, formats))
    return TOOL_MISUSED;
  if (options->seed >= 0) {
    g_autofree gchar *seed = g_strdup_printf ("%d", options->seed);

    g_setenv ("GLOPENCL_TEST_SEED", seed, TRUE);
  }
  g_autoptr (OclContext) context = tool_open_device (options->device);
  if (!context)
    return TOOL_FAILED;
  sweep.context = context;
  uname (&system);
  printf ("glopencl %s, %s %s %s, seed %s\n%s, driver %s, %s\n\n"
      "%-18s %-18s %-8s %6s %12s %10s  %s\n", GLOPENCL_VERSION, system.sysname,
      system.release, system.machine, g_getenv ("GLOPENCL_TEST_SEED")
      ? g_getenv ("GLOPENCL_TEST_SEED") : "0", context->device->name,
      context->device->driver, context->device->platform_name, "operation",
      "variant", "storage", "runs", "worst error", "time", "checksum");
  fflush (stdout);
  const gboolean ok = sweep_run (&sweep, &error);
  tool_show_progress ("%s", "");
  if (!ok) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  printf ("\n%u runs, %u wrong, %u not supported, %u variants skipped\n",
      totals.n_runs, totals.n_failed, totals.n_unsupported, totals.n_skipped);
  if (totals.n_runs == 0) {
    tool_complain ("no run was possible");
    return TOOL_FAILED;
  }
  return totals.n_failed > 0 ? TOOL_FAILED : EXIT_SUCCESS;
}

int
check_main (int argc, char **argv)
{
  Options options = {.seed = -1,.n_random = 8 };
  const GOptionEntry entries[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &options.device,
        "OpenCL device, see glopencl devices", "DEVICE"},
    {"operation", 0, 0, G_OPTION_ARG_STRING, &options.operations,
        "Operations (default: all)", "NAME[,NAME...]"},
    {"variants", 0, 0, G_OPTION_ARG_STRING, &options.variants,
          "Variants, or all (default: those for the device)",
        "NAME[,NAME...]"},
    {"formats", 0, 0, G_OPTION_ARG_STRING, &options.formats,
          "Formats (default: one of each layout and some random ones)",
        "NAME[,NAME...]"},
    {"random", 0, 0, G_OPTION_ARG_INT, &options.n_random,
        "Number of random parameter sets for each format (default: 8)", "N"},
    {"seed", 0, 0, G_OPTION_ARG_INT, &options.seed,
        "Seed of the random numbers, to repeat a run", "N"},
    {"all", 0, 0, G_OPTION_ARG_NONE, &options.all,
        "Run all variants, formats and extreme settings of kernels", NULL},
    {NULL}
  };
  int status;

  g_autoptr (GOptionContext) context =
      tool_options_new ("Checks the kernels on a device: runs each variant "
      "of each operation on test frames\n"
      "of every kind, and compares the output with references in double "
      "precision.",
      "The worst error is the largest distance from the reference in "
      "levels: 0.5 is a\n"
      "correctly rounded sample of 8 bits. For an approximation it is the "
      "lowest PSNR.\n"
      "Images and buffers must give identical bytes. The checksum of all "
      "outputs shows\n"
      "whether two versions give identical bytes on one device, with one "
      "seed.\n"
      "\n"
      "Paste the complete output into a bug report about a driver. The "
      "exit status is 1 if\n" "a run was wrong.");

  g_option_context_add_main_entries (context, entries, NULL);
  if (tool_parse_options (context, argc, argv, &status))
    status = check (&options);
  return status;
}
