/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "devicepage.h"

/* Rates that differ by less are called alike. */
#define ALIKE 0.05

static void
clear_kernel (gpointer data)
{
  g_free (((DevicePageKernel *) data)->what);
}

GArray *
device_page_new_kernels (void)
{
  GArray *kernels = g_array_new (FALSE, FALSE, sizeof (DevicePageKernel));

  g_array_set_clear_func (kernels, clear_kernel);
  return kernels;
}

/* A row of the table of limits. Bytes and instructions are counted in 10^9. */
static void
print_rate (GString * page, const gchar * title, gdouble rate)
{
  if (rate > 0.0)
    g_string_append_printf (page, "| %s | %.*f |\n", title,
        rate < 1e10 ? 2 : rate < 1e12 ? 1 : 0, rate / 1e9);
}

static void
print_rates (GString * page, const Limits * limits,
    const gdouble overheads[N_OVERHEADS])
{
  g_string_append (page, "## What it can do\n\n"
      "| | 10^9 a second |\n| --- | --- |\n");
  for (Limit limit = 0; limit < N_LIMITS; limit++)
    print_rate (page, limit_titles[limit], limits_get_rate (limits, limit));
  for (guint i = OVERHEAD_LAUNCH + 1; i < N_OVERHEADS; i++)
    print_rate (page, overhead_titles[i], overheads[i]);
  g_string_append_printf (page,
      "\nA launch of a kernel that does nothing takes " "%.1f microseconds.\n",
      1e6 / overheads[OVERHEAD_LAUNCH]);
}

/* Says how two rates compare. */
static void
compare (GString * page, const gchar * what, gdouble rate, gdouble other,
    const gchar * other_what)
{
  if (rate <= 0.0 || other <= 0.0)
    return;
  const gdouble ratio = rate / other;

  if (ratio > 1.0 - ALIKE && ratio < 1.0 + ALIKE)
    g_string_append_printf (page, "- %s: as fast as %s.\n", what, other_what);
  else
    g_string_append_printf (page, "- %s: %.2f times as fast as %s.\n", what,
        ratio, other_what);
}

static void
print_findings (GString * page, const Limits * limits,
    const gdouble overheads[N_OVERHEADS])
{
#define RATE(limit) limits_get_rate (limits, LIMIT_##limit)
  g_string_append (page, "\n## What follows for kernels\n\n");
  compare (page, "Exponentials of 2", RATE (EXP2), RATE (EXP), "exp()");
  compare (page, "Native exponentials of 2", RATE (NATIVE_EXP2), RATE (EXP2),
      "precise ones");
  if (RATE (EXP2) > 0.0)
    g_string_append_printf (page, "- A multiply-add is free beside an "
        "exponential up to %.0f of them.\n", RATE (FMA) / RATE (EXP2));
  compare (page, "Copies of 4 floats at a time", RATE (COPY_4), RATE (COPY_1),
      "copies of single floats");
  compare (page, "Copies of 16 floats at a time", RATE (COPY_16),
      RATE (COPY_4), "copies of 4");
  compare (page, "Frames in images", RATE (IMAGE), RATE (FRAME),
      "frames in buffers");
  compare (page, "Local memory", RATE (LOCAL), RATE (CACHE), "cached memory");
  compare (page, "Pinned memory, to the device",
      overheads[OVERHEAD_UPLOAD_PINNED], overheads[OVERHEAD_UPLOAD],
      "pageable memory");
  compare (page, "Pinned memory, from the device",
      overheads[OVERHEAD_DOWNLOAD_PINNED], overheads[OVERHEAD_DOWNLOAD],
      "pageable memory");
#undef RATE
}

/* Whether another kernel does the work of @kernel in less time. */
static gboolean
is_slower (const GArray * kernels, const DevicePageKernel * kernel)
{
  for (guint i = 0; i < kernels->len; i++) {
    const DevicePageKernel *other =
        &g_array_index (kernels, DevicePageKernel, i);

    if (g_str_equal (other->what, kernel->what)
        && other->milliseconds < kernel->milliseconds)
      return TRUE;
  }
  return FALSE;
}

static void
print_kernels (GString * page, const ToolSize * size, const GArray * kernels)
{
  g_string_append_printf (page, "\n## How near kernels come\n\n"
      "RGBA, %dx%d, the fastest variant and storage of each. An operation "
      "reads the frame and writes it, once; an exact bilateral filter has an "
      "exponential for each tap.\n\n"
      "| | variant | frames in | milliseconds | limited by | part of the limit "
      "|\n| --- | --- | --- | --- | --- | --- |\n", size->width, size->height);
  for (guint i = 0; i < kernels->len; i++) {
    const DevicePageKernel *kernel =
        &g_array_index (kernels, DevicePageKernel, i);

    if (!is_slower (kernels, kernel))
      g_string_append_printf (page, "| %s | %s | %s | %.4g | %s | %.0f %% |\n",
          kernel->what, kernel->variant, kernel->storage, kernel->milliseconds,
          kernel->limit, 100.0 * kernel->fraction);
  }
}

gchar *
device_page_print (const OclDevice * device, const Limits * limits,
    const gdouble overheads[N_OVERHEADS], const ToolSize * size,
    GArray * kernels)
{
  GString *page = g_string_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree gchar *date = g_date_time_format (now, "%F");

  g_string_append_printf (page, "# %s\n\n%s, driver %s; "
      "`glopencl roofline --frame-size %dx%d --page FILE`, %s.\n\n",
      device->name, device->platform_name, device->driver,
      size->width, size->height, date);
  print_rates (page, limits, overheads);
  print_findings (page, limits, overheads);
  print_kernels (page, size, kernels);
  return g_string_free (page, FALSE);
}
