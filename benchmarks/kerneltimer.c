/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times the kernels on the fastest device:
 *
 *   kerneltimer WIDTH HEIGHT RGBA_FILE
 *
 * Every line "VARIANT STORAGE RADIUS WINDOW COLOR_MODE" on standard input (such
 * as "rows buffer 4 disc intensity"; sigma is half the radius, and the variant
 * "fast" is the approximation) filters the frame once, every line "histogram
 * STORAGE" counts it once. The answer is a line with the milliseconds that the
 * kernels took and those of the copies on the device and to the host. The first
 * line of output is the device. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/oclbilateral.h"
#include "opencl/oclhistogram.h"

static OclContext *context;
static OclFrame frames[2][2];   /* by storage, input and output */
static OclBilateral *bilaterals[OCL_BILATERAL_VARIANT_TILED + 1];
static OclHistogram *histogram;

static void
check (gboolean ok, GError * error)
{
  if (ok)
    return;
  fprintf (stderr, "%s\n", error ? error->message : "failed");
  exit (EXIT_FAILURE);
}

static void
load_frame (const gchar * path, gint width, gint height)
{
  const OclFrame like = {.width = width,.height = height };
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { width, height, 1 };
  g_autofree gchar *pixels = NULL;
  gsize size = 0;
  GError *error = NULL;

  check (g_file_get_contents (path, &pixels, &size, &error), error);
  check (size == (gsize) width * height * 4, NULL);
  for (gint storage = 0; storage < 2; storage++) {
    for (gint i = 0; i < 2; i++)
      check (ocl_frame_ensure (&frames[storage][i], context, storage, &like,
              &error), error);
  }
  check (ocl_check (clEnqueueWriteBuffer (context->queue,
              frames[OCL_STORAGE_BUFFER][0].memory, CL_TRUE, 0, size, pixels,
              0, NULL, NULL), "clEnqueueWriteBuffer", &error), error);
  check (ocl_check (clEnqueueWriteImage (context->queue,
              frames[OCL_STORAGE_IMAGE][0].memory, CL_TRUE, origin, region, 0,
              0, pixels, 0, NULL, NULL), "clEnqueueWriteImage", &error), error);
}

static OclStorage
parse_storage (const gchar * name)
{
  return g_str_equal (name, "image") ? OCL_STORAGE_IMAGE : OCL_STORAGE_BUFFER;
}

static void
enqueue_histogram (OclStorage storage, OclTimer * timer)
{
  GError *error = NULL;

  if (!histogram)
    histogram = ocl_histogram_new (context, OCL_HISTOGRAM_VARIANT_AUTO, 1);
  check (ocl_histogram_prepare (histogram, storage, &error), error);
  check (ocl_histogram_enqueue (histogram, &frames[storage][0], timer, &error),
      error);
  check (ocl_histogram_enqueue_read (histogram, 0, timer, &error), error);
}

static void
enqueue_bilateral (const gchar * line, OclTimer * timer)
{
  char variant_name[16], storage_name[16], window[16], mode[16];
  OclBilateralParams params = OCL_BILATERAL_PARAMS_DEFAULT;
  GError *error = NULL;

  check (sscanf (line, "%15s %15s %d %15s %15s", variant_name, storage_name,
          &params.radius, window, mode) == 5, NULL);
  OclBilateralVariant variant = g_str_equal (variant_name, "plain")
      ? OCL_BILATERAL_VARIANT_PLAIN : g_str_equal (variant_name, "tiled")
      ? OCL_BILATERAL_VARIANT_TILED : OCL_BILATERAL_VARIANT_ROWS;
  params.method = g_str_equal (variant_name, "fast")
      ? OCL_BILATERAL_METHOD_FAST : OCL_BILATERAL_METHOD_EXACT;
  OclStorage storage = parse_storage (storage_name);
  params.spatial_sigma = params.radius / 2.0;
  params.window = g_str_equal (window, "disc")
      ? OCL_BILATERAL_WINDOW_DISC : OCL_BILATERAL_WINDOW_SQUARE;
  params.color_mode = g_str_equal (mode, "lab") ? OCL_BILATERAL_COLOR_LAB
      : g_str_equal (mode, "per-channel") ? OCL_BILATERAL_COLOR_PER_CHANNEL
      : OCL_BILATERAL_COLOR_INTENSITY;

  if (!bilaterals[variant])
    bilaterals[variant] = ocl_bilateral_new (context, variant);
  check (ocl_bilateral_prepare (bilaterals[variant], storage, &error), error);
  check (ocl_bilateral_enqueue (bilaterals[variant], &params,
          &frames[storage][0], &frames[storage][1], timer, &error), error);
}

static void
run_line (const gchar * line, OclTimer * timer)
{
  char storage_name[16];
  guint64 times[OCL_TIMER_N_KINDS] = { 0, };
  GError *error = NULL;

  if (sscanf (line, "histogram %15s", storage_name) == 1)
    enqueue_histogram (parse_storage (storage_name), timer);
  else
    enqueue_bilateral (line, timer);
  check (ocl_check (clFinish (context->queue), "clFinish", &error), error);
  check (ocl_timer_read (timer, times, &error), error);
  printf ("%.4f %.4f\n", times[OCL_TIMER_KERNEL] / 1e6,
      times[OCL_TIMER_TRANSFER] / 1e6);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  char line[128];

  if (argc != 4) {
    fprintf (stderr, "usage: kerneltimer WIDTH HEIGHT RGBA_FILE\n");
    return EXIT_FAILURE;
  }
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  check (devices != NULL, error);
  OclDevice *device = g_ptr_array_index (devices, 0);
  context = ocl_context_new (device, NULL, &error);
  check (context != NULL, error);
  printf ("%s (%s)\n", device->name, device->platform_name);
  fflush (stdout);
  load_frame (argv[3], atoi (argv[1]), atoi (argv[2]));

  g_autoptr (OclTimer) timer = ocl_timer_new ();
  while (fgets (line, sizeof (line), stdin))
    run_line (line, timer);

  for (guint i = 0; i < G_N_ELEMENTS (bilaterals); i++)
    g_clear_pointer (&bilaterals[i], ocl_bilateral_free);
  g_clear_pointer (&histogram, ocl_histogram_free);
  for (guint i = 0; i < 4; i++)
    ocl_frame_clear (&frames[i / 2][i % 2]);
  ocl_context_unref (context);
  return EXIT_SUCCESS;
}
