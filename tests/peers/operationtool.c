/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs an operation on the first device, for tests that are not written in C:
 * reads packed frames from standard input, and writes the filtered frames, or
 * the counts of a histogram, to standard output. Or runs its float64 reference,
 * without a device: filtered frames are then levels, as doubles, of one channel
 * after the other. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "opencl/histogram/oclhistogram.h"
#include "opencl/ocloperations.h"
#include "references.h"

static _Noreturn void
fail (const gchar * complaint)
{
  fprintf (stderr, "operationtool: %s\n"
      "usage: operationtool WIDTH HEIGHT FORMAT buffer|image OPERATION VARIANT\n"
      "           [NAME=VALUE...] <FRAMES >FRAMES\n"
      "  OPERATION, VARIANT, NAME  see glopencl operations; auto is the\n"
      "                            variant of the element, and reference the\n"
      "                            reference, which filters RGBA\n", complaint);
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

/* Reads or writes the rows of a picture. Returns FALSE at the end of the file
 * before the first row. */
static gboolean
transfer_rows (Picture * picture, FILE * input, FILE * output)
{
  const OclFrame *frame = &picture->frame;

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    const gsize size = ocl_frame_info_get_row_bytes (&frame->info, i);

    for (gint y = 0; y < ocl_frame_info_get_plane_height (&frame->info, i); y++) {
      guint8 *row = picture_get_row (picture, i, y);
      const gsize n = input ? fread (row, 1, size, input)
          : fwrite (row, 1, size, output);

      if (input && n == 0 && i == 0 && y == 0)
        return FALSE;
      if (n != size)
        fail (input ? "standard input does not end with a whole frame"
            : "standard output cannot be written");
    }
  }
  return TRUE;
}

static void
write_counts (const OclHistogramCounts * counts, const OclFormat * format)
{
  for (guint c = 0; c < ocl_histogram_get_n_channels (format); c++)
    fwrite (counts->counts[c], sizeof (guint32),
        ocl_histogram_get_n_bins (format), stdout);
}

int
main (int argc, char **argv)
{
  if (argc < 7)
    fail ("too few arguments");
  const gint width = parse_size (argv[1]), height = parse_size (argv[2]);
  const OclFormat *format = ocl_format_find (argv[3]);
  const OclStorage storage = g_str_equal (argv[4], "image")
      ? OCL_STORAGE_IMAGE : OCL_STORAGE_BUFFER;
  const OclOperationClass *klass = ocl_operations_find (argv[5]);
  const gboolean is_reference = g_str_equal (argv[6], "reference");
  if (!format || !klass || !(klass->flags & OCL_OPERATION_READS))
    fail (format ? argv[5] : argv[3]);
  const OclVariant *variant = ocl_operation_class_find_variant (klass, argv[6]);
  if (is_reference ? reference_find (klass->name)->filter
      && format != OCL_FORMAT_RGBA : !variant && !g_str_equal (argv[6], "auto"))
    fail (argv[6]);
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  for (gint i = 7; i < argc; i++) {
    g_auto (GStrv) words = g_strsplit (argv[i], "=", 2);
    const OclParam *param = ocl_params_find (klass->params, words[0]);

    if (!param || !words[1]
        || !ocl_operation_class_parse (klass, param, words[1], params))
      fail (argv[i]);
  }
  if (ocl_operation_class_is_neutral (klass, params))
    fail ("these parameters filter nothing");

  const Reference *reference = reference_find (klass->name);
  g_autoptr (GError) no_device = NULL;
  g_autoptr (GPtrArray) devices = is_reference ? NULL
      : ocl_device_list (&no_device);
  g_autoptr (OclContext) context = devices
      ? ocl_context_new (devices->pdata[0], NULL, &no_device) : NULL;
  if (!context && !is_reference)
    fail (no_device->message);
  g_autoptr (OclFilter) operation = context
      ? create_forced (context, klass, variant, NULL) : NULL;
  const gsize n = (gsize) width * height;
  g_autofree gdouble *samples = g_new (gdouble, 3 * n);
  gdouble *const levels[3] = { samples, samples + n, samples + 2 * n };

  g_auto (Picture) input = picture_new (format, width, height);
  g_auto (Picture) output = picture_new (format, width, height);
  while (transfer_rows (&input, stdin, NULL)) {
    OclHistogramCounts counts;
    GError *error = NULL;

    if (is_reference && reference->filter) {
      reference->filter (params, &input, levels);
      fwrite (samples, sizeof (gdouble), 3 * n, stdout);
    } else if (klass->flags & OCL_OPERATION_WRITES) {
      picture_run (operation, params, &input, &output, storage);
      transfer_rows (&output, NULL, stdout);
    } else {
      gboolean ok = TRUE;

      if (is_reference)
        reference->find (NULL, &input, &counts);
      else
        ok = harness_run (operation, params, &input, NULL,
            (guint8 *) & counts, picture_get_memory (storage), &error);
      assert_ok (ok, error);
      write_counts (&counts, format);
    }
    if (fflush (stdout) != 0)
      fail ("standard output cannot be written");
  }
  return EXIT_SUCCESS;
}
