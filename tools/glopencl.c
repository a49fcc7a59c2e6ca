/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopencl: lists OpenCL devices and times operations on them, without
 * GStreamer and without OpenGL. The subcommands that list things are here, the
 * others in separate files. */

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "opencl/ocloperations.h"
#include "tool.h"

#define LINE_WIDTH 79

static const struct
{
  const gchar *name;
  int (*main) (int argc, char **argv);
  const gchar *summary;
} subcommands[] = {
  {"devices", devices_main, "list the OpenCL devices"},
  {"operations", operations_main, "list the operations that devices can run"},
  {"check", check_main, "compare the kernels of a device with references"},
  {"bench", bench_main, "time operations on a device, and in plain C"},
  {"tune", tune_main, "find and store the fastest settings of kernels"},
  {"roofline", roofline_main, "compare kernels with the limits of a device"},
  {"kernel", try_kernel_main, "build, check and time a custom kernel"},
};

static const ReportColumn device_columns[] = {
  {"device"}, {"name"}, {"platform"}, {"type"}, {"gl-sharing"},
  {"host memory"}, {"compute units", TRUE}, {"local memory", TRUE},
};

int
devices_main (int argc, char **argv)
{
  static Output output;
  g_autoptr (GError) error = NULL;
  g_autoptr (Report) report = report_new ();
  g_autoptr (GOptionContext) context =
      tool_options_new ("Lists the OpenCL devices, the fastest type first. "
      "The first device is the default.",
      "Choose a device with --device of the other subcommands, or with the "
      "property device\n"
      "of the elements, by the column \"device\", by part of its name, or "
      "by gpu or cpu.\n"
      "\n"
      "gl-sharing: the device reports support for sharing OpenGL "
      "textures.\n" "host memory: the device uses the memory of the host.");
  int status;

  output_add_options (&output, context);
  if (!tool_parse_options (context, argc, argv, &status))
    return status;
  if (!output_check (&output))
    return TOOL_FAILED;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  if (!devices) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  report_add_columns (report, device_columns, G_N_ELEMENTS (device_columns));
  for (guint i = 0; i < devices->len; i++) {
    const OclDevice *device = devices->pdata[i];

    report_add (report, "%u:%u", device->platform_index, device->device_index);
    report_add (report, "%s", device->name);
    report_add (report, "%s", device->platform_name);
    report_add (report, "%s", device->type & CL_DEVICE_TYPE_GPU ? "gpu"
        : device->type & CL_DEVICE_TYPE_CPU ? "cpu"
        : device->type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other");
    report_add (report, "%s", device->gl_sharing ? "yes" : "no");
    report_add (report, "%s", device->host_unified ? "yes" : "no");
    report_add (report, "%u", device->n_units);
    report_add (report, "%u KiB", (guint) (device->local_size / 1024));
  }
  return output_write (&output, report) ? EXIT_SUCCESS : TOOL_FAILED;
}

/* Prints @text in lines that start in column @indent, but the first in @first.
 */
static void
print_wrapped (gint first, gint indent, const gchar * text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  glong column = first;

  printf ("%*s%s", first, "", words[0]);
  column += g_utf8_strlen (words[0], -1);
  for (guint i = 1; words[i]; i++) {
    const glong length = g_utf8_strlen (words[i], -1);
    const gboolean fits = column + 1 + length <= LINE_WIDTH;

    printf ("%s%*s%s", fits ? "" : "\n", fits ? 1 : indent, "", words[i]);
    column = (fits ? column + 1 : indent) + length;
  }
  printf ("\n");
}

static void
print_param (const OclOperationClass * klass, const OclParam * param)
{
  g_autoptr (OclParams) defaults = ocl_operation_class_create_params (klass);
  g_autofree gchar *value = ocl_param_print (param, defaults);
  g_autofree gchar *legal = param_describe_values (param);
  g_autofree gchar *heading = g_strdup_printf ("%s: %s (default: %s)",
      param->name, legal, value);
  const OclValue *values = param->values ? param->values->values : NULL;

  print_wrapped (4, 6, heading);
  print_wrapped (6, 6, param->blurb);
  for (; values && values->nick; values++) {
    g_autofree gchar *line =
        g_strdup_printf ("%s: %s", values->nick, values->blurb);

    print_wrapped (6, 8, line);
  }
}

static void
print_variant (const OclVariant * variant, gboolean is_plain)
{
  const struct
  {
    gboolean applies;
    const gchar *text;
  } facts[] = {
    {is_plain, "runs on any device"},
    {variant->flags & OCL_VARIANT_FOR_CPU, "for CPUs"},
    {variant->flags & OCL_VARIANT_FOR_GPU, "for GPUs"},
    {variant->flags & OCL_VARIANT_BUFFERS_ONLY, "images are copied to buffers"},
    {variant->flags & OCL_VARIANT_SLOW_IN_IMAGES, "faster in buffers"},
    {variant->flags & OCL_VARIANT_APPROXIMATE, "an approximation"},
    {variant->supports != NULL, "does not support all parameters"},
  };
  g_autoptr (GString) line = g_string_new (variant->name);
  const OclTunable *tunable = variant->tunables;
  guint n_facts = 0;

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++) {
    if (facts[i].applies)
      g_string_append_printf (line, "%s%s", n_facts++ ? ", " : ": ",
          facts[i].text);
  }
  print_wrapped (4, 6, line->str);
  for (; tunable && tunable->macro; tunable++) {
    printf ("      %s: one of ", tunable->macro);
    for (guint i = 0; tunable->values[i]; i++)
      printf ("%s%d", i ? ", " : "", tunable->values[i]);
    if (tunable->default_value)
      printf (" (default: %d)\n", tunable->default_value);
    else
      printf (" (default: chosen by the kernel)\n");
  }
}

int
operations_main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context =
      tool_options_new ("Lists the operations, with the parameters that are "
      "options of glopencl bench, the\n"
      "variants for its --variants and --tuning, and the formats for its "
      "--format.",
      "Parameters are properties of the elements, too. The macros below a "
      "variant change\n" "the speed of its kernels, and not their results.");
  int status;

  if (!tool_parse_options (context, argc, argv, &status))
    return status;
  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];
    const gboolean reads = klass->flags & OCL_OPERATION_READS;
    const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
    const OclParam *param = klass->params;

    printf ("%s: %s\n", klass->name, reads && writes ? "filters frames"
        : reads ? "reads frames, has a result" : "draws on frames");
    printf ("  parameters%s\n", param && param->name ? "" : ": none");
    for (; param && param->name; param++)
      print_param (klass, param);
    printf ("  variants\n");
    for (guint j = 0; klass->variants[j]; j++)
      print_variant (klass->variants[j], j == 0);
    printf ("\n");
  }
  g_autofree const gchar **names =
      tool_list_names (ocl_formats, G_STRUCT_OFFSET (OclFormat, name));
  g_autofree gchar *list = g_strjoinv (", ", (gchar **) names);
  g_autofree gchar *line = g_strdup_printf ("formats: %s", list);
  print_wrapped (0, 2, line);
  return EXIT_SUCCESS;
}

static void
print_usage (FILE * file)
{
  fputs ("Usage: glopencl SUBCOMMAND [OPTION...]\n\n", file);
  for (guint i = 0; i < G_N_ELEMENTS (subcommands); i++)
    fprintf (file, "  %-10s  %s\n", subcommands[i].name,
        subcommands[i].summary);
  fputs ("\n"
      "glopencl SUBCOMMAND --help describes a subcommand. glopencl "
      "--version prints the\n" "version.\n", file);
}

/* Returns the exit status. */
static int
run (int argc, char **argv)
{
  if (argc < 2) {
    print_usage (stderr);
    return TOOL_MISUSED;
  }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h")) {
    print_usage (stdout);
    return EXIT_SUCCESS;
  }
  if (g_str_equal (argv[1], "--version")) {
    printf ("glopencl %s\n", GLOPENCL_VERSION);
    return EXIT_SUCCESS;
  }
  for (guint i = 0; i < G_N_ELEMENTS (subcommands); i++) {
    if (g_str_equal (argv[1], subcommands[i].name)) {
      g_autofree gchar *name = g_strdup_printf ("glopencl %s", argv[1]);

      g_set_prgname (name);
      return subcommands[i].main (argc - 1, argv + 1);
    }
  }
  tool_complain ("no subcommand \"%s\"", argv[1]);
  print_usage (stderr);
  return TOOL_MISUSED;
}

int
main (int argc, char **argv)
{
  int fd;

  /* No file must be opened in place of a closed standard stream. Writing to
   * this one fails, as to a closed stream. */
  do {
    fd = open ("/dev/null", O_RDONLY);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO)
    close (fd);
  /* For names of devices and files. Numbers keep their decimal point. */
  setlocale (LC_CTYPE, "");
  g_set_prgname ("glopencl");

  const int status = run (argc, argv);
  return output_end ()? status : TOOL_FAILED;
}
