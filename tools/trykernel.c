/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trykernel.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl/operation/oclverifier.h"
#include "opencl/user/ocluser.h"
#include "output.h"
#include "runner.h"
#include "tool.h"

#define MAX_STEP 256

/* The options, as given or with their defaults. */
typedef struct
{
  gchar **files;
  gchar *arguments;
  gchar *device;
  gchar *size;
  gchar *format;
  gint rounds;
  gint time_limit;
  gboolean check;
} Options;

/* What is tried on which device. */
typedef struct
{
  const Options *options;
  OclUserParams params;
  const OclFormat *format;
  ToolSize size;
  gchar *step;                  /* what is done now; shared with the parent */
  Report *report;
  GString *verdict;             /* the fastest program of each device */
  gboolean ok;
} Trial;

static const ReportColumn columns[] = {
  {"device"}, {"program"}, {"build ms", TRUE}, {"frame ms", TRUE},
  {"ns a pixel", TRUE}, {"note"},
};

static const gchar summary[] =
    "Builds a kernel for glopenclkernel on every device, checks that its fast\n"
    "programs give the picture of the plain one, and times them.";

static const gchar description[] =
    "FILE may be in the form of FFmpeg's program_opencl. The exit status is 0 "
    "if\nevery program works on every device that has the memory for it. A "
    "kernel that\ndoes not end is killed after --time-limit.";

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

/* Reads what the options name. */
static gboolean
trial_init (Trial * self, const Options * options)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (ToolSize));
  g_autoptr (GError) error = NULL;

  self->options = options;
  ocl_params_init (ocl_user_class.params, &self->params);
  self->format = ocl_format_find (options->format);
  if (!self->format) {
    tool_complain ("--format: there is no format %s", options->format);
    return FALSE;
  }
  if (!tool_parse_sizes ("--size", options->size, sizes)
      || !tool_check_count ("--rounds", options->rounds, 1, 10000)
      || !tool_check_count ("--time-limit", options->time_limit, 1, 3600))
    return FALSE;
  self->size = g_array_index (sizes, ToolSize, 0);
  if (!set_param (self, "location", options->files[0])
      || (options->arguments
          && !set_param (self, "arguments", options->arguments)))
    return FALSE;
  if (ocl_operation_class_check (&ocl_user_class, &self->params, self->format,
          &error))
    return TRUE;
  tool_complain ("%s Choose another --format.", error->message);
  return FALSE;
}

/* Names what is done now, and gives it the time that there is. */
static void
trial_begin_step (Trial * self, const OclDevice * device, const gchar * what)
{
  g_snprintf (self->step, MAX_STEP, "%s on %s", what, device->name);
  tool_show_progress ("%s", self->step);
  alarm (self->options->time_limit);
}

/* Builds a variant, and compares it with the plain one. Returns how long the
 * build took, in milliseconds, or -1. */
static gdouble
trial_build (Trial * self, OclContext * context, const OclVariant * variant,
    GError ** error)
{
  const OclFrame like = {.format = self->format,
    .storage = OCL_STORAGE_BUFFER,.width = self->size.width,
    .height = self->size.height
  };
  OclBuild build = {.format = self->format,.form = self->params.id };
  OclPass passes[OCL_MAX_PASSES];

  ocl_operation_class_get_passes (&ocl_user_class, &self->params, self->format,
      passes);
  build.pass = passes[0];
  ocl_tuning_init (&build.tuning, variant->tunables);
  trial_begin_step (self, context->device, variant->name);
  const gint64 start = g_get_monotonic_time ();
  OclKernels *kernels = ocl_kernels_new (context, variant, &build, error);
  const gdouble milliseconds = (g_get_monotonic_time () - start) / 1e3;
  const gboolean ok = kernels && (variant == ocl_user_class.variants[0]
      || ocl_verify (&ocl_user_class, kernels, &like, &self->params, error));
  ocl_kernels_unref (kernels);
  return ok ? milliseconds : -1.0;
}

/* Returns the median time of a frame in milliseconds, or -1. */
static gdouble
trial_time (Trial * self, Runner * runner, const OclDevice * device,
    const OclVariant * variant, GError ** error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gdouble));
  RunnerCase item = {.params = &self->params,.format = self->format,
    .width = self->size.width,.height = self->size.height
  };
  RunnerTimes found;

  runner_variant_find (&ocl_user_class, variant->name, &item.variant);
  ocl_tuning_init (&item.tuning, variant->tunables);
  trial_begin_step (self, device, variant->name);
  if (!runner_warm_up (runner, &item, self->options->time_limit, error))
    return -1.0;
  for (gint i = 0; i < self->options->rounds; i++) {
    trial_begin_step (self, device, variant->name);
    if (!runner_run (runner, &item, &found, error))
      return -1.0;
    g_array_append_val (times, found.kernel);
  }
  return tool_get_median (times);
}

static void
report_figure (Report * report, gdouble figure, const gchar * format)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (figure >= 0.0)
    report_add (report, "%s", g_ascii_formatd (text, sizeof (text), format,
            figure));
  else
    report_add_empty (report, 1);
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
  const gdouble frame = build < 0.0 ? -1.0
      : trial_time (self, runner, device, variant, &error);
  const gdouble n_pixels = (gdouble) self->size.width * self->size.height;

  alarm (0);
  report_add (self->report, "%s", device->name);
  report_add (self->report, "%s", variant->name);
  report_figure (self->report, build, "%.0f");
  report_figure (self->report, frame, "%.3f");
  report_figure (self->report, frame < 0.0 ? -1.0 : frame * 1e6 / n_pixels,
      "%.2f");
  g_autofree gchar *line = error ? tool_get_first_line (error) : NULL;
  report_add (self->report, "%s", line ? line : "");
  /* A device may lack the memory for a fast program. */
  if (error && (variant == ocl_user_class.variants[0]
          || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))) {
    tool_complain ("%s: %s", variant->name, error->message);
    self->ok = FALSE;
  }
  return frame;
}

static void
trial_run_device (Trial * self, OclDevice * device)
{
  g_autoptr (GError) error = NULL;
  OclPass passes[OCL_MAX_PASSES];
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
  ocl_operation_class_get_passes (&ocl_user_class, &self->params, self->format,
      passes);
  for (guint i = 0; ocl_user_class.variants[i]; i++) {
    const OclVariant *variant = ocl_user_class.variants[i];

    if (!ocl_variant_can_serve (variant, &self->params, self->format,
            &passes[0]))
      continue;
    const gdouble frame = trial_run_variant (self, context, runner, variant);
    if (frame < 0.0 && i == 0)
      return;
    if (frame >= 0.0 && frame < least) {
      least = frame;
      fastest = variant->name;
    }
  }
  g_string_append_printf (self->verdict, "Fastest on %s: %s\n", device->name,
      fastest);
}

/* Tries the kernel on the devices that are asked for. Returns the exit
 * status. */
static int
trial_run (Trial * self)
{
  const gchar *selector = self->options->device;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  g_autoptr (OclDevice) chosen = devices && selector
      ? ocl_device_select (devices, selector, &error) : NULL;

  if (!devices || (selector && !chosen)) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  self->ok = TRUE;
  self->report = report_new ();
  self->verdict = g_string_new (NULL);
  report_add_columns (self->report, columns, G_N_ELEMENTS (columns));
  if (chosen)
    trial_run_device (self, chosen);
  for (guint i = 0; !chosen && i < devices->len; i++)
    trial_run_device (self, devices->pdata[i]);
  tool_show_progress ("%s", "");
  /* Of a kernel that runs nowhere, only the complaints are shown. */
  if (self->verdict->len > 0) {
    report_write_table (self->report, stdout);
    printf ("\n%s", self->verdict->str);
  }
  g_string_free (self->verdict, TRUE);
  g_clear_pointer (&self->report, report_free);
  return self->ok ? EXIT_SUCCESS : TOOL_FAILED;
}

/* Says how the child has ended. Returns the exit status. */
static int
judge (const Trial * trial, int status)
{
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  tool_show_progress ("%s", "");
  if (WIFSIGNALED (status) && WTERMSIG (status) == SIGALRM)
    tool_complain ("%s did not end within %d s. Does the kernel loop for ever?",
        trial->step, trial->options->time_limit);
  else
    tool_complain ("%s crashed. Does the kernel use pointers?", trial->step);
  return TOOL_FAILED;
}

/* A kernel can hang or crash the process that runs it, so a child does. The
 * parent has not touched OpenCL. */
static int
run_in_child (Trial * trial)
{
  int status = 0;

  trial->step = mmap (NULL, MAX_STEP, PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (trial->step == MAP_FAILED) {
    tool_complain ("There is no memory.");
    return TOOL_FAILED;
  }
  g_strlcpy (trial->step, "listing the devices", MAX_STEP);
  fflush (NULL);
  const pid_t child = fork ();
  if (child == 0) {
    alarm (trial->options->time_limit);
    status = trial_run (trial);
    _exit (output_end ()? status : TOOL_FAILED);
  }
  if (child < 0 || waitpid (child, &status, 0) < 0) {
    tool_complain ("No process can be started.");
    return TOOL_FAILED;
  }
  return judge (trial, status);
}

/* Runs this program under oclgrind, on a small frame. */
static int
check (const Options * options)
{
  g_autofree gchar *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree gchar *oclgrind = g_find_program_in_path ("oclgrind");
  g_autofree gchar *limit = g_strdup_printf ("%d", options->time_limit);
  g_autofree gchar *log = NULL;
  g_autofree gchar *found = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (!oclgrind) {
    tool_complain ("--check needs oclgrind, which is a package of Debian's.");
    return TOOL_FAILED;
  }
  const gint descriptor = g_file_open_tmp ("glopencl-XXXXXX", &log, &error);
  if (descriptor < 0) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  close (descriptor);
  gchar *argv[] = { oclgrind, "--data-races", "--max-errors", "5", "--log",
    log, self, "kernel", options->files[0], "--size", "40x24", "--rounds",
    "1", "--format", options->format, "--time-limit", limit,
    options->arguments ? "--arguments" : NULL, options->arguments, NULL
  };
  const gboolean ok =
      g_spawn_sync (NULL, argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN,
      NULL, NULL, NULL, NULL, &status, &error);
  if (!ok)
    tool_complain ("%s", error->message);
  g_file_get_contents (log, &found, NULL, NULL);
  g_remove (log);
  if (found && *found)
    tool_complain ("oclgrind says:\n%s", found);
  return ok && WIFEXITED (status) && WEXITSTATUS (status) == 0
      && !(found && *found) ? EXIT_SUCCESS : TOOL_FAILED;
}

/* Returns the exit status. */
static int
run (const Options * options)
{
  Trial trial = { NULL, };

  if (!options->files || !options->files[0] || options->files[1]) {
    tool_complain ("Name one kernel. See %s --help.", g_get_prgname ());
    return TOOL_MISUSED;
  }
  if (!trial_init (&trial, options))
    return TOOL_MISUSED;
  return options->check ? check (options) : run_in_child (&trial);
}

int
try_kernel_main (int argc, char **argv)
{
  Options options = {.size = g_strdup ("1280x720"),
    .format = g_strdup ("RGBA"),.rounds = 11,.time_limit = 10
  };
  const GOptionEntry entries[] = {
    {"arguments", 0, 0, G_OPTION_ARG_STRING, &options.arguments,
        "Arguments of the kernel, such as <strength=0.5>", "ARGUMENTS"},
    {"device", 0, 0, G_OPTION_ARG_STRING, &options.device,
        "The only device to try, see glopencl devices", "DEVICE"},
    {"size", 0, 0, G_OPTION_ARG_STRING, &options.size,
        "Size of the frame (1280x720)", "SIZE"},
    {"format", 0, 0, G_OPTION_ARG_STRING, &options.format,
        "Format of the frame (RGBA)", "FORMAT"},
    {"rounds", 0, 0, G_OPTION_ARG_INT, &options.rounds,
        "How many times a program is timed (11)", "N"},
    {"time-limit", 0, 0, G_OPTION_ARG_INT, &options.time_limit,
        "Seconds that a build or a frame may take (10)", "SECONDS"},
    {"check", 0, 0, G_OPTION_ARG_NONE, &options.check,
        "Run the kernel under oclgrind, which finds invalid accesses", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.files,
        NULL, "FILE"},
    G_OPTION_ENTRY_NULL
  };
  int status;

  if (tool_parse_options (summary, description, entries, argc, argv, &status))
    status = run (&options);
  g_strfreev (options.files);
  g_free (options.arguments);
  g_free (options.device);
  g_free (options.size);
  g_free (options.format);
  return status;
}
