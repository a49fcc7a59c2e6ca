/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The histograms as a program, for tests that are not written in C: one RGBA
 * frame on standard input, 256 counts each of red, green, blue and luma, as
 * 32-bit integers in the machine's byte order, on standard output. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/histogram/oclhistogram.h"
#include "reference.h"

static _Noreturn void
fail (const gchar * complaint)
{
  fprintf (stderr, "histogramtool: %s\n"
      "usage: histogramtool WIDTH HEIGHT VARIANT STORAGE <RGBA >COUNTS\n"
      "  VARIANT  groups, bands or reference\n"
      "  STORAGE  buffer or image; of no effect with reference\n", complaint);
  exit (2);
}

static gint
parse_size (const gchar * text)
{
  guint64 value = 0;

  if (!g_ascii_string_to_unsigned (text, 10, 1, SHRT_MAX, &value, NULL))
    fail (text);
  return value;
}

static guint8 *
read_frame (gint width, gint height)
{
  const gsize n_pixels = (gsize) width * height;
  guint8 *pixels = g_malloc (n_pixels * 4);

  if (fread (pixels, 4, n_pixels, stdin) != n_pixels || getchar () != EOF)
    fail ("standard input is not one frame of that size");
  return pixels;
}

/* A frame in @storage with the pixels of @packed. */
static gboolean
upload (OclContext * context, const OclFrame * packed, OclStorage storage,
    OclFrame * frame, OclTimer * timer, GError ** error)
{
  return ocl_frame_ensure (frame, context, storage, packed, error)
      && ocl_frame_enqueue_copy (context, packed, frame, timer, error);
}

static gboolean
count (OclContext * context, OclOperation * histogram,
    const OclFrame * packed, OclStorage storage, OclHistogramCounts * counts,
    GError ** error)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame frame = { 0, };
  OclResult result = { 0, };
  const OclRun run = {.input = &frame,.result = &result,.timer = timer };

  gboolean ok = upload (context, packed, storage, &frame, timer, error)
      && ocl_operation_prepare (histogram, &frame, NULL, error)
      && ocl_result_ensure (&result, context, sizeof (*counts), error)
      && ocl_operation_enqueue (histogram, &run, error)
      && ocl_result_enqueue_read (&result, context, sizeof (*counts), timer,
      error);
  ok = ocl_context_finish (context, ok ? error : NULL) && ok;
  if (ok)
    memcpy (counts, result.host.data, sizeof (*counts));
  ocl_frame_clear (&frame);
  ocl_result_clear (&result, context);
  return ok;
}

/* Counts on the first device that there is. */
static gboolean
count_on_device (guint8 * pixels, gint width, gint height,
    const OclVariant * variant, OclStorage storage,
    OclHistogramCounts * counts, GError ** error)
{
  OclFrame packed = {.format = OCL_FORMAT_RGBA,
    .storage = OCL_STORAGE_BUFFER,.width = width,.height = height,
    .planes[0].stride = width * 4
  };
  cl_int status = CL_SUCCESS;
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  g_autoptr (OclContext) context = devices
      ? ocl_context_new (devices->pdata[0], NULL, error) : NULL;
  if (!context)
    return FALSE;

  packed.planes[0].memory = clCreateBuffer (context->context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      ocl_frame_get_size (&packed, 0), pixels, &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;

  g_autoptr (OclOperation) histogram =
      ocl_operation_new (&ocl_histogram_class, context);
  ocl_operation_force (histogram, variant, NULL);
  gboolean ok = count (context, histogram, &packed, storage, counts, error);
  ocl_frame_clear (&packed);
  return ok;
}

int
main (int argc, char **argv)
{
  OclStorage storage = OCL_STORAGE_BUFFER;
  OclHistogramCounts counts;
  g_autoptr (GError) error = NULL;

  if (argc != 5)
    fail ("wrong number of arguments");
  const gint width = parse_size (argv[1]);
  const gint height = parse_size (argv[2]);
  const gboolean is_reference = g_str_equal (argv[3], "reference");
  const OclVariant *variant =
      ocl_operation_class_find_variant (&ocl_histogram_class, argv[3]);
  if (!variant && !is_reference)
    fail (argv[3]);
  if (g_str_equal (argv[4], "image"))
    storage = OCL_STORAGE_IMAGE;
  else if (!g_str_equal (argv[4], "buffer"))
    fail (argv[4]);

  g_autofree guint8 *pixels = read_frame (width, height);
  if (is_reference)
    reference_histogram (pixels, width * 4, width, height, counts.counts);
  else if (!count_on_device (pixels, width, height, variant, storage, &counts,
          &error))
    fail (error->message);

  for (guint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++)
    fwrite (counts.counts[c], sizeof (guint32),
        ocl_histogram_get_n_bins (OCL_FORMAT_RGBA), stdout);
  if (fflush (stdout) || ferror (stdout)) {
    perror ("histogramtool");
    return 1;
  }
  return 0;
}
