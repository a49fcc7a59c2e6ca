/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiles programs, so that the driver has them in its cache, see
 * core/oclcompiler.h:
 *
 *   glopencl-compiler PLATFORM:DEVICE [SOURCE CHECKSUM OPTIONS]...
 *
 * CHECKSUM is that of ocl_database_get_checksum(). Another version of this
 * program has another source. Prints "done" or "failed" after each program. */
#include <stdio.h>
#include <unistd.h>

#include "core/oclcontext.h"

/* Returns whether the driver has compiled the program. */
static gboolean
compile (OclContext * context, const gchar * name, const gchar * checksum,
    const gchar * options)
{
  const OclKernelSource *source = ocl_kernel_sources;
  g_autoptr (GError) error = NULL;

  while (source->name && !g_str_equal (source->name, name))
    source++;
  if (!source->name
      || !g_str_equal (ocl_database_get_checksum (source->name), checksum)) {
    g_printerr ("%s: no source with this checksum\n", name);
    return FALSE;
  }
  OclProgram *program = ocl_program_get (context->programs, source->name,
      options, NULL, &error);
  if (!program) {
    g_printerr ("%s\n", error->message);
    return FALSE;
  }
  ocl_program_unref (program);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (OclDevice) device = NULL;
  g_autoptr (OclContext) context = NULL;
  int output;

  if (argc < 2 || argc % 3 != 2) {
    g_printerr ("usage: %s PLATFORM:DEVICE [SOURCE CHECKSUM OPTIONS]...\n",
        argv[0]);
    return 2;
  }
  /* Drivers and GLib may print to the standard output. */
  output = dup (STDOUT_FILENO);
  if (output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0) {
    perror (argv[0]);
    return 1;
  }
  devices = ocl_device_list (&error);
  device = devices ? ocl_device_select (devices, argv[1], &error) : NULL;
  context = device ? ocl_context_new (device, NULL, &error) : NULL;
  if (!context) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  for (int i = 2; i < argc; i += 3) {
    const gboolean ok = compile (context, argv[i], argv[i + 1], argv[i + 2]);

    if (dprintf (output, "%s\n", ok ? "done" : "failed") < 0)
      return 1;
  }
  return 0;
}
