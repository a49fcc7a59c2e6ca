/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopencl: looks at OpenCL devices and times operations on them, without
 * GStreamer and without OpenGL. The subcommands are a file each. */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "check.h"
#include "devices.h"
#include "operations.h"
#include "output.h"
#include "roofline.h"
#include "tool.h"
#include "trykernel.h"
#include "tune.h"

static const struct
{
  const gchar *name;
  int (*main) (int argc, char **argv);
  const gchar *summary;
} subcommands[] = {
  {"devices", devices_main, "list the OpenCL devices"},
  {"operations", operations_main, "list what can be run on them"},
  {"check", check_main, "compare the kernels of a device with references"},
  {"bench", bench_main, "time operations on a device, and in plain C"},
  {"tune", tune_main, "find the fastest settings of kernels, and store them"},
  {"roofline", roofline_main, "how near kernels come to a device's limits"},
  {"kernel", try_kernel_main, "build, check and time a kernel of your own"},
};

static void
print_usage (FILE * file)
{
  fputs ("Usage: glopencl SUBCOMMAND [OPTION...]\n\n", file);
  for (guint i = 0; i < G_N_ELEMENTS (subcommands); i++)
    fprintf (file, "  %-10s  %s\n", subcommands[i].name,
        subcommands[i].summary);
  fputs ("\nglopencl SUBCOMMAND --help explains a subcommand, glopencl "
      "--version prints the\nversion.\n", file);
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
  tool_complain ("there is no subcommand \"%s\"", argv[1]);
  print_usage (stderr);
  return TOOL_MISUSED;
}

int
main (int argc, char **argv)
{
  output_begin ();
  /* Names of devices and files; numbers keep their point. */
  setlocale (LC_CTYPE, "");
  g_set_prgname ("glopencl");

  int status = run (argc, argv);
  if (!output_end ())
    return TOOL_FAILED;
  return status;
}
