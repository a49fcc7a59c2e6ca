/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiles programs, so that the driver has them in its cache, see
 * core/oclcompiler.h:
 *
 *   glopencl-compiler PLATFORM:DEVICE
 *
 * Reads lines, whose last words are escaped by g_strescape(), and ends if the
 * driver does not start or no line comes for a minute, or if one takes ten
 * minutes:
 *
 *   SOURCE<Tab>CHECKSUM<Tab>OPTIONS   compiles a program
 *   PASS                              compiles the programs of a pass of a
 *                                     graph, and runs their kernels
 *
 * CHECKSUM is that of ocl_database_get_checksum(). Another version of this
 * program has another source. ocl_graph_is_ready() describes PASS. Prints
 * "ready" when it has a context, and "done" or "failed" for each line. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "graph/oclgraph.h"
#include "ocloperations.h"

/* Maximum times without a line, and for a line. */
#define IDLE_SECONDS 60
#define TASK_SECONDS 600

/* Compiles the kernels of @pass. */
static gboolean
compile_pass (OclContext * context, const gchar * pass, GError ** error)
{
  OclFrameInfo info = { 0, };
  OclColorimetry *colorimetry = &info.colorimetry;
  OclOperationList operations = { 0, };
  OclGraphRequest request = {.context = context };
  gchar format[32];
  guint node;
  gint storage;
  int start = 0;

  if (sscanf (pass, "%u %d %d %31s %d %d %d %lf %lf %d %d %d %d %n", &node,
          &request.quick, &operations.exact, format, &storage, &info.width,
          &info.height, &colorimetry->kr, &colorimetry->kb,
          &colorimetry->full_range, &info.interlaced, &info.lacks_row,
          &info.bytes_swapped, &start) != 13
      || !(info.format = ocl_format_find (format))
      || storage < 0 || storage >= OCL_N_STORAGES
      || info.width < 1 || info.height < 1)
    return ocl_fail (error, "There is no pass %s.", pass);
  info.storage = storage;
  if (!ocl_operation_list_parse (&operations, pass + start, error))
    return FALSE;
  request.cache = ocl_kernel_cache_new (context);
  const gboolean ok =
      ocl_graph_compile (&request, &info, &operations, node, error);
  ocl_kernel_cache_free (request.cache);
  ocl_operation_list_clear (&operations);
  return ok;
}

/* Compiles what @line names. */
static gboolean
compile (OclContext * context, const gchar * line, GError ** error)
{
  const OclKernelSource *source = ocl_kernel_sources;
  g_auto (GStrv) words = g_strsplit (line, "\t", 0);
  const guint n = g_strv_length (words);

  if (n != 1 && n != 3)
    return ocl_fail (error,
        "A line has SOURCE, CHECKSUM and OPTIONS, or PASS.");
  g_autofree gchar *last = g_strcompress (words[n - 1]);
  if (n == 1)
    return compile_pass (context, last, error);
  while (source->name && !g_str_equal (source->name, words[0]))
    source++;
  if (!source->name
      || !g_str_equal (ocl_database_get_checksum (source->name), words[1]))
    return ocl_fail (error, "%s: no source with this checksum", words[0]);
  OclProgram *program = ocl_program_get (context->programs, source->name, last,
      NULL, error);
  if (program)
    ocl_program_unref (program);
  return program != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (OclDevice) device = NULL;
  g_autoptr (OclContext) context = NULL;
  sigset_t none;
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  int output;

  if (argc != 2) {
    g_printerr ("usage: %s PLATFORM:DEVICE <LINES\n", argv[0]);
    return 2;
  }
  /* The thread that started this process blocks signals. */
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGALRM, SIG_DFL);
  /* Drivers and GLib may print to the standard output. */
  output = dup (STDOUT_FILENO);
  if (output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0) {
    perror (argv[0]);
    return 1;
  }
  alarm (IDLE_SECONDS);
  devices = ocl_device_list (&error);
  device = devices ? ocl_device_select (devices, argv[1], &error) : NULL;
  context = device ? ocl_context_new (device, NULL, &error) : NULL;
  if (!context) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  if (dprintf (output, "ready\n") < 0)
    return 1;
  for (;;) {
    g_autoptr (GError) problem = NULL;

    /* The input stays open if the other process has ended, but was forked. */
    alarm (IDLE_SECONDS);
    length = getline (&line, &size, stdin);
    if (length <= 0)
      break;
    alarm (TASK_SECONDS);
    if (line[length - 1] == '\n')
      line[length - 1] = '\0';
    const gboolean ok = compile (context, line, &problem);
    if (!ok)
      g_printerr ("%s\n", problem->message);
    if (dprintf (output, "%s\n", ok ? "done" : "failed") < 0)
      break;
  }
  free (line);
  return 0;
}
