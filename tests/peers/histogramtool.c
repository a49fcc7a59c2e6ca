/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The histograms as a program, for tests that are not written in C: one frame
 * on standard input, its planes behind each other without padding; the counts
 * of each channel, as 32-bit integers in the machine's byte order, on standard
 * output. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/histogram/oclhistogram.h"
#include "opencl/operation/ocloperation.h"
#include "reference.h"

static _Noreturn void
fail (const gchar * complaint)
{
  fprintf (stderr, "histogramtool: %s\n"
      "usage: histogramtool WIDTH HEIGHT FORMAT VARIANT STORAGE <FRAME "
      ">COUNTS\n"
      "  VARIANT  groups, strips or, for RGBA, reference\n"
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

/* The frame without memory: packed. */
static OclFrame
describe_frame (const OclFormat * format, gint width, gint height)
{
  OclFrame frame = {.format = format,.storage = OCL_STORAGE_BUFFER,
    .width = width,.height = height
  };

  for (guint i = 0; i < format->n_planes; i++)
    frame.planes[i].stride = ocl_frame_get_row_bytes (&frame, i);
  return frame;
}

static guint8 *
read_frame (const OclFrame * frame)
{
  gsize size = 0;

  for (guint i = 0; i < frame->format->n_planes; i++)
    size += ocl_frame_get_size (frame, i);
  guint8 *bytes = g_malloc (size);
  if (fread (bytes, 1, size, stdin) != size || getchar () != EOF)
    fail ("standard input is not one frame of that size");
  return bytes;
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

  g_autoptr (OclPlan) plan = NULL;

  gboolean ok = upload (context, packed, storage, &frame, timer, error)
      && (plan = ocl_operation_get_plan (histogram, &frame, NULL, error))
      && ocl_result_ensure (&result, context, sizeof (*counts), error)
      && ocl_operation_enqueue (histogram, plan, &run, error)
      && ocl_result_enqueue_read (&result, context, sizeof (*counts), timer,
      error);
  ok = ocl_context_finish (context, ok ? error : NULL) && ok;
  if (ok)
    memcpy (counts, result.host.data, sizeof (*counts));
  ocl_frame_clear (&frame);
  ocl_result_clear (&result, context);
  return ok;
}

/* Makes the memory of the planes in @bytes. */
static gboolean
create_planes (OclContext * context, OclFrame * packed, guint8 * bytes,
    GError ** error)
{
  for (guint i = 0; i < packed->format->n_planes; i++) {
    const gsize size = ocl_frame_get_size (packed, i);
    cl_int status = CL_SUCCESS;

    packed->planes[i].memory = clCreateBuffer (context->context,
        CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, bytes, &status);
    if (!ocl_check (status, "clCreateBuffer", error))
      return FALSE;
    bytes += size;
  }
  return TRUE;
}

/* Counts on the first device that there is. */
static gboolean
count_on_device (OclFrame * packed, guint8 * bytes, const OclVariant * variant,
    OclStorage storage, OclHistogramCounts * counts, GError ** error)
{
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  g_autoptr (OclContext) context = devices
      ? ocl_context_new (devices->pdata[0], NULL, error) : NULL;
  if (!context)
    return FALSE;

  g_autoptr (OclOperation) histogram =
      ocl_operation_new (&ocl_histogram_class, context);
  ocl_operation_force (histogram, variant, NULL);
  gboolean ok = create_planes (context, packed, bytes, error)
      && count (context, histogram, packed, storage, counts, error);
  ocl_frame_clear (packed);
  return ok;
}

int
main (int argc, char **argv)
{
  OclStorage storage = OCL_STORAGE_BUFFER;
  OclHistogramCounts counts;
  g_autoptr (GError) error = NULL;

  if (argc != 6)
    fail ("wrong number of arguments");
  const OclFormat *format = ocl_format_find (argv[3]);
  const gboolean is_reference = g_str_equal (argv[4], "reference")
      && format == OCL_FORMAT_RGBA;
  const OclVariant *variant =
      ocl_operation_class_find_variant (&ocl_histogram_class, argv[4]);
  if (!format)
    fail (argv[3]);
  if (!variant && !is_reference)
    fail (argv[4]);
  if (g_str_equal (argv[5], "image"))
    storage = OCL_STORAGE_IMAGE;
  else if (!g_str_equal (argv[5], "buffer"))
    fail (argv[5]);

  OclFrame frame = describe_frame (format, parse_size (argv[1]),
      parse_size (argv[2]));
  g_autofree guint8 *bytes = read_frame (&frame);
  if (is_reference)
    reference_histogram (bytes, frame.planes[0].stride, frame.width,
        frame.height, counts.counts);
  else if (!count_on_device (&frame, bytes, variant, storage, &counts, &error))
    fail (error->message);

  for (guint c = 0; c < ocl_histogram_get_n_channels (format); c++)
    fwrite (counts.counts[c], sizeof (guint32),
        ocl_histogram_get_n_bins (format), stdout);
  if (fflush (stdout) || ferror (stdout)) {
    perror ("histogramtool");
    return 1;
  }
  return 0;
}
