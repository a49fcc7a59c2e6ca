/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl kernel`: builds, checks and times a kernel on every device. */

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl/operation/oclverifier.h"
#include "opencl/user/ocluser.h"
#include "runner.h"
#include "tool.h"

#define MAX_STEP 256

static gchar **files;
static gchar *arguments;
static gchar *selector;
static gchar *size_text;
static gchar *format_text;
static gint n_rounds = 11;
static gint time_limit = 10;
static gboolean use_oclgrind;

static const GOptionEntry entries[] = {
  {"arguments", 0, 0, G_OPTION_ARG_STRING, &arguments,
      "Arguments of the kernel, such as <strength=0.5>", "ARGUMENTS"},
  {"device", 0, 0, G_OPTION_ARG_STRING, &selector,
      "Test this device only, see glopencl devices", "DEVICE"},
  {"size", 0, 0, G_OPTION_ARG_STRING, &size_text,
      "Size of the frame (1280x720)", "SIZE"},
  {"format", 0, 0, G_OPTION_ARG_STRING, &format_text,
      "Format of the frame (RGBA)", "FORMAT"},
  {"rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds,
      "Runs of each program (11)", "N"},
  {"time-limit", 0, 0, G_OPTION_ARG_INT, &time_limit,
      "Time limit for a build or a frame, in seconds (10)", "SECONDS"},
  {"check", 0, 0, G_OPTION_ARG_NONE, &use_oclgrind,
      "Run the kernel under oclgrind, which finds invalid accesses", NULL},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "FILE"},
  G_OPTION_ENTRY_NULL
};

/* The kernel, the devices and the options. */
typedef struct
{
  OclUserParams params;
  const OclFormat *format;
  ToolSize size;
  OclPass pass;
  gchar *step;                  /* current step, shared with the parent */
  Report *report;
  gboolean ok;
} Trial;

static const ReportColumn columns[] = {
  {"device"}, {"program"}, {"build ms", TRUE}, {"frame ms", TRUE},
  {"ns per pixel", TRUE}, {"note"},
};

static const gchar summary[] =
    "Builds a kernel for glopenclkernel on every device, compares its "
    "fast\n" "programs with the plain one, and times them.";

static const gchar description[] =
    "FILE may contain a kernel for FFmpeg's program_opencl. The exit status "
    "is 0 if every\n"
    "program works on every device that has enough memory. A kernel "
    "that does not finish\n" "is killed after --time-limit.";

static gboolean
set_param (Trial * self, const gchar * name, const gchar * text)
{
  const OclParam *param = ocl_params_find (ocl_user_class.params, name);
  g_autoptr (GError) error = NULL;

  if (!ocl_param_parse (param, text, &self->params)) {
    tool_complain ("--%s: \"%s\" is not <NAME=NUMBER,...>", name, text);
    return FALSE;
  }
  if (!ocl_operation_class_changed (&ocl_user_class, &self->params, param,
          &error)) {
    tool_complain ("%s", error->message);
    return FALSE;
  }
  return TRUE;
}

/* Reads the options. Returns FALSE after a complaint. */
static gboolean
trial_init (Trial * self)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  g_autoptr (GError) error = NULL;
  OclPass passes[OCL_MAX_PASSES];

  if (!files || !files[0] || files[1]) {
    tool_complain ("Pass one kernel. See %s --help.", g_get_prgname ());
    return FALSE;
  }
  ocl_params_init (ocl_user_class.params, &self->params);
  self->format = format_text ? ocl_format_find (format_text) : OCL_FORMAT_RGBA;
  if (!self->format) {
    tool_complain ("--format: no format %s", format_text);
    return FALSE;
  }
  if (!tool_parse_sizes ("--size", size_text ? size_text : "1280x720", sizes)
      || !tool_check_count ("--rounds", n_rounds, 1, 10000)
      || !tool_check_count ("--time-limit", time_limit, 1, 3600)
      || !set_param (self, "location", files[0])
      || (arguments && !set_param (self, "arguments", arguments)))
    return FALSE;
  self->size = g_array_index (sizes, ToolSize, 0);
  if (!ocl_operation_class_check (&ocl_user_class, &self->params, self->format,
          &error)) {
    tool_complain ("%s Choose another --format.", error->message);
    return FALSE;
  }
  ocl_operation_class_get_passes (&ocl_user_class, &self->params, self->format,
      passes);
  self->pass = passes[0];
  return TRUE;
}

/* Sets the current step, and restarts the time limit. */
static void
trial_begin_step (Trial * self, const OclDevice * device, const gchar * what)
{
  g_snprintf (self->step, MAX_STEP, "%s on %s", what, device->name);
  tool_show_progress ("%s", self->step);
  alarm (time_limit);
}

/* Builds a variant, and compares it with the plain one. Returns the build time
 * in milliseconds, or -1. */
static gdouble
trial_build (Trial * self, OclContext * context, const OclVariant * variant,
    GError ** error)
{
  const OclFrame like = {.info = {.format = self->format,.storage =
          OCL_STORAGE_BUFFER,.width = self->size.width,.height =
          self->size.height}
  };
  OclBuild build = {.format = self->format,.text = self->params.source,
    .pass = self->pass
  };

  ocl_tuning_init (&build.tuning, variant->tunables);
  trial_begin_step (self, context->device, variant->name);
  const gint64 start = g_get_monotonic_time ();
  OclKernels *kernels = ocl_kernels_new (context, variant, &build, error);
  const gdouble milliseconds = (g_get_monotonic_time () - start) / 1e3;
  const gboolean ok = kernels && (variant == ocl_user_class.variants[0]
      || ocl_verify (&ocl_user_class, kernels, &like.info, &self->params,
          error));
  ocl_kernels_unref (kernels);
  return ok ? milliseconds : -1.0;
}

/* Returns the median time of a frame in milliseconds, or -1. */
static gdouble
trial_time (Trial * self, Runner * runner, const OclDevice * device,
    const OclVariant * variant, GError ** error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gdouble));
  RunnerCase item = {
    .variant = {.klass = &ocl_user_class,.name = variant->name,
        .variant = variant},
    .params = &self->params,.format = self->format,
    .width = self->size.width,.height = self->size.height,
  };
  RunnerTimes found;

  ocl_tuning_init (&item.tuning, variant->tunables);
  trial_begin_step (self, device, variant->name);
  if (!runner_warm_up (runner, &item, time_limit, error))
    return -1.0;
  for (gint i = 0; i < n_rounds; i++) {
    trial_begin_step (self, device, variant->name);
    if (!runner_run (runner, &item, &found, error))
      return -1.0;
    g_array_append_val (times, found.kernel);
  }
  return tool_get_median (times);
}

/* Tries a variant. Returns its time in milliseconds, or -1 if it cannot be
 * used. */
static gdouble
trial_run_variant (Trial * self, OclContext * context, Runner * runner,
    const OclVariant * variant)
{
  const OclDevice *device = context->device;
  g_autoptr (GError) error = NULL;
  const gdouble build = trial_build (self, context, variant, &error);
  const gdouble time = build < 0.0 ? -1.0
      : trial_time (self, runner, device, variant, &error);
  const gdouble n_pixels = (gdouble) self->size.width * self->size.height;
  g_autofree gchar *line = error ? tool_get_first_line (error) : g_strdup ("");

  alarm (0);
  report_add (self->report, "%s", device->name);
  report_add (self->report, "%s", variant->name);
  if (build >= 0.0)
    report_add (self->report, "%.0f", build);
  if (time >= 0.0) {
    report_add (self->report, "%.3f", time);
    report_add (self->report, "%.2f", time * 1e6 / n_pixels);
  }
  report_add_empty (self->report, build < 0.0 ? 3 : time < 0.0 ? 2 : 0);
  report_add (self->report, "%s", line);
  /* A device may lack the memory for a fast program. */
  if (error && (variant == ocl_user_class.variants[0]
          || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))) {
    tool_complain ("%s: %s", variant->name, error->message);
    self->ok = FALSE;
  }
  return time;
}

/* Appends the fastest program of the device to @verdict. */
static void
trial_run_device (Trial * self, OclDevice * device, GString * verdict)
{
  g_autoptr (GError) error = NULL;
  const gchar *fastest = NULL;
  gdouble least = G_MAXDOUBLE;

  trial_begin_step (self, device, "opening the device");
  g_autoptr (OclContext) context = ocl_context_new (device, NULL, &error);
  if (!context) {
    tool_complain ("%s", error->message);
    self->ok = FALSE;
    return;
  }
  g_autoptr (Runner) runner = runner_new (context, NULL);
  for (guint i = 0; ocl_user_class.variants[i]; i++) {
    const OclVariant *variant = ocl_user_class.variants[i];

    if (!ocl_variant_supports (variant, &self->params, self->format,
            &self->pass))
      continue;
    const gdouble time = trial_run_variant (self, context, runner, variant);
    if (time < 0.0 && i == 0)
      return;
    if (time >= 0.0 && time < least) {
      least = time;
      fastest = variant->name;
    }
  }
  g_string_append_printf (verdict, "Fastest on %s: %s\n", device->name,
      fastest);
}

/* Tries the kernel on the selected devices. Returns the exit status. */
static int
trial_run (Trial * self)
{
  const Output table = { NULL, };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  g_autoptr (OclDevice) chosen = devices && selector
      ? ocl_device_select (devices, selector, &error) : NULL;
  g_autoptr (Report) report = report_new ();
  g_autoptr (GString) verdict = g_string_new (NULL);

  if (!devices || (selector && !chosen)) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  self->ok = TRUE;
  self->report = report;
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  if (chosen)
    trial_run_device (self, chosen, verdict);
  for (guint i = 0; !chosen && i < devices->len; i++)
    trial_run_device (self, devices->pdata[i], verdict);
  tool_show_progress ("%s", "");
  /* If a kernel runs nowhere, only the complaints are shown. */
  if (verdict->len > 0) {
    output_write (&table, report);
    printf ("\n%s", verdict->str);
  }
  return self->ok ? EXIT_SUCCESS : TOOL_FAILED;
}

/* Runs the kernel in a child process, because it can hang or crash. The parent
 * has not used OpenCL. Returns the exit status. */
static int
run_in_child (Trial * trial)
{
  int status = 0;

  trial->step = mmap (NULL, MAX_STEP, PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (trial->step == MAP_FAILED) {
    tool_complain ("Not enough memory.");
    return TOOL_FAILED;
  }
  g_strlcpy (trial->step, "listing the devices", MAX_STEP);
  fflush (NULL);
  const pid_t child = fork ();
  if (child == 0) {
    alarm (time_limit);
    status = trial_run (trial);
    _exit (output_end ()? status : TOOL_FAILED);
  }
  if (child < 0 || waitpid (child, &status, 0) < 0) {
    tool_complain ("Cannot start a process.");
    return TOOL_FAILED;
  }
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  tool_show_progress ("%s", "");
  if (WIFSIGNALED (status) && WTERMSIG (status) == SIGALRM)
    tool_complain ("%s did not finish within %d s. Does the kernel loop "
        "forever?", trial->step, time_limit);
  else
    tool_complain ("%s crashed. Does the kernel use pointers?", trial->step);
  return TOOL_FAILED;
}

/* Runs this program under oclgrind, on a small frame. Returns the exit
 * status. */
static int
check (const OclFormat * format)
{
  g_autofree gchar *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree gchar *oclgrind = g_find_program_in_path ("oclgrind");
  g_autofree gchar *limit = g_strdup_printf ("%d", time_limit);
  g_autofree gchar *log = NULL;
  g_autofree gchar *found = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (!oclgrind) {
    tool_complain ("--check needs oclgrind (Debian package oclgrind).");
    return TOOL_FAILED;
  }
  const gint descriptor = g_file_open_tmp ("glopencl-XXXXXX", &log, &error);
  if (descriptor < 0) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  close (descriptor);
  const gchar *argv[] = { oclgrind, "--data-races", "--max-errors", "5",
    "--log", log, self, "kernel", files[0], "--size", "40x24", "--rounds", "1",
    "--format", format->name, "--time-limit", limit,
    arguments ? "--arguments" : NULL, arguments, NULL
  };
  const gboolean ok = g_spawn_sync (NULL, (gchar **) argv, NULL,
      G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, &error);
  if (!ok)
    tool_complain ("%s", error->message);
  g_file_get_contents (log, &found, NULL, NULL);
  g_remove (log);
  if (found && *found)
    tool_complain ("Output of oclgrind:\n" "%s", found);
  return ok && WIFEXITED (status) && WEXITSTATUS (status) == 0
      && !(found && *found) ? EXIT_SUCCESS : TOOL_FAILED;
}

int
try_kernel_main (int argc, char **argv)
{
  g_autoptr (GOptionContext) parser = tool_options_new (summary, description);
  Trial trial = {.format = NULL };
  int status;

  g_option_context_add_main_entries (parser, entries, NULL);
  if (!tool_parse_options (parser, argc, argv, &status))
    return status;
  if (!trial_init (&trial))
    return TOOL_MISUSED;
  return use_oclgrind ? check (trial.format) : run_in_child (&trial);
}
