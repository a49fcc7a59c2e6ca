/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "devices.h"

#include <stdlib.h>

#include "report.h"
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

static gboolean
print_devices (GError ** error)
{
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  g_autoptr (Report) report = report_new ();

  if (!devices)
    return FALSE;
  report_add_columns (report, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < devices->len; i++)
    add_device (report, devices->pdata[i]);
  report_write_table (report, stdout);
  return TRUE;
}

int
devices_main (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_autoptr (GError) error = NULL;
  int status;

  if (!tool_parse_options ("Lists the OpenCL devices, the fastest type first, "
          "which is the one that is\nused unless another is chosen.",
          "A device is chosen by what is below \"device\", by part of its "
          "name, or by gpu\nor cpu: with --device of the other subcommands "
          "and the property device of the\nelements.\n\n"
          "gl-sharing: whether it says that it can borrow OpenGL's textures.\n"
          "host memory: whether it works in the host's memory.", entries, argc,
          argv, &status))
    return status;
  if (!print_devices (&error)) {
    tool_complain ("%s", error->message);
    return TOOL_FAILED;
  }
  return EXIT_SUCCESS;
}
