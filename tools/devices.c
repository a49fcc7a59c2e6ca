/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "devices.h"

#include <stdlib.h>

#include "output.h"
#include "tool.h"

static const ReportColumn columns[] = {
  {"device"}, {"name"}, {"platform"}, {"type"}, {"gl-sharing"},
  {"host memory"}, {"compute units", TRUE}, {"local memory", TRUE},
};

static const gchar *
get_type_name (const OclDevice * device)
{
  if (device->type & CL_DEVICE_TYPE_GPU)
    return "gpu";
  if (device->type & CL_DEVICE_TYPE_CPU)
    return "cpu";
  return device->type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

static void
add_device (Report * report, const OclDevice * device)
{
  report_add (report, "%u:%u", device->platform_index, device->device_index);
  report_add (report, "%s", device->name);
  report_add (report, "%s", device->platform_name);
  report_add (report, "%s", get_type_name (device));
  report_add (report, "%s", device->gl_sharing ? "yes" : "no");
  report_add (report, "%s", device->host_unified ? "yes" : "no");
  report_add (report, "%u", device->n_units);
  report_add (report, "%u KiB", (guint) (device->local_size / 1024));
}

/* Returns the exit status. */
static int
print_devices (const Output * output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Report) report = report_new ();

  if (!output_check (output))
    return TOOL_FAILED;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  if (!devices) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < devices->len; i++)
    add_device (report, devices->pdata[i]);
  return output_write (report, output) ? EXIT_SUCCESS : TOOL_FAILED;
}

int
devices_main (int argc, char **argv)
{
  g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  Output output = { NULL, };
  int status;

  output_add_options (&output, entries);
  if (tool_parse_options ("Lists the OpenCL devices, the fastest type first, "
          "which is the one that is\nused unless another is chosen.",
          "A device is chosen by what is below \"device\", by part of its "
          "name, or by gpu\nor cpu: with --device of the other subcommands "
          "and the property device of the\nelements.\n\n"
          "gl-sharing: whether it says that it can borrow OpenGL's textures.\n"
          "host memory: whether it works in the host's memory.",
          (const GOptionEntry *) entries->data, argc, argv, &status))
    status = print_devices (&output);
  output_clear (&output);
  return status;
}
