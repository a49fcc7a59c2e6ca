/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bilateral filter on the first device that there is, as a program, for
 * tests that are not written in C: one RGBA frame on standard input, the
 * filtered one on standard output. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/bilateral/oclbilateral.h"

static _Noreturn void
fail (const gchar * complaint)
{
  fprintf (stderr, "bilateraltool: %s\n"
      "usage: bilateraltool WIDTH HEIGHT METHOD SPATIAL-SIGMA INTENSITY-SIGMA\n"
      "           WINDOW <RGBA >RGBA\n"
      "  METHOD  exact or fast\n" "  WINDOW  square or disc\n", complaint);
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

static OclBilateralParams
parse_params (char **arguments)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.method = g_str_equal (arguments[0], "fast")
      ? OCL_BILATERAL_METHOD_FAST : OCL_BILATERAL_METHOD_EXACT;
  params.spatial_sigma = g_ascii_strtod (arguments[1], NULL);
  params.intensity_sigma = g_ascii_strtod (arguments[2], NULL);
  params.window = g_str_equal (arguments[3], "disc")
      ? OCL_BILATERAL_WINDOW_DISC : OCL_BILATERAL_WINDOW_SQUARE;
  if (ocl_operation_class_is_neutral (&ocl_bilateral_class, &params))
    fail ("these parameters filter nothing");
  return params;
}

static gboolean
filter (OclContext * context, const OclBilateralParams * params,
    OclFrame * input, OclFrame * output, guint8 * pixels, GError ** error)
{
  const cl_mem source = input->planes[0].memory;
  const cl_mem target = output->planes[0].memory;
  const gsize size = ocl_frame_get_size (input, 0);
  g_autoptr (OclOperation) bilateral =
      ocl_operation_new (&ocl_bilateral_class, context);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  const OclRun run = {.params = params,.input = input,.output = output,
    .timer = timer
  };

  if (!ocl_operation_prepare (bilateral, input, params, error))
    return FALSE;

  const OclVariant *variant =
      ocl_operation_get_variant (bilateral, input, params);
  gboolean is_fast = (variant->flags & OCL_VARIANT_APPROXIMATE) != 0;
  if (is_fast != (params->method == OCL_BILATERAL_METHOD_FAST))
    fail ("the method cannot serve these parameters");
  return ocl_check (clEnqueueWriteBuffer (context->queue, source, CL_TRUE, 0,
          size, pixels, 0, NULL, NULL), "clEnqueueWriteBuffer", error)
      && ocl_operation_enqueue (bilateral, &run, error)
      && ocl_check (clEnqueueReadBuffer (context->queue, target, CL_TRUE, 0,
          size, pixels, 0, NULL, NULL), "clEnqueueReadBuffer", error);
}

static gboolean
filter_on_device (const OclBilateralParams * params, gint width, gint height,
    guint8 * pixels, GError ** error)
{
  const OclFrame like = {.format = OCL_FORMAT_RGBA,.width = width,
    .height = height
  };
  OclFrame input = { 0, };
  OclFrame output = { 0, };
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  g_autoptr (OclContext) context = devices
      ? ocl_context_new (devices->pdata[0], NULL, error) : NULL;
  if (!context)
    return FALSE;

  gboolean ok = ocl_frame_ensure (&input, context, OCL_STORAGE_BUFFER, &like,
      error)
      && ocl_frame_ensure (&output, context, OCL_STORAGE_BUFFER, &like, error)
      && filter (context, params, &input, &output, pixels, error);
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc != 7)
    fail ("wrong number of arguments");
  gint width = parse_size (argv[1]);
  gint height = parse_size (argv[2]);
  const OclBilateralParams params = parse_params (argv + 3);

  const gsize n_pixels = (gsize) width * height;
  g_autofree guint8 *pixels = g_malloc (n_pixels * 4);
  if (fread (pixels, 4, n_pixels, stdin) != n_pixels || getchar () != EOF)
    fail ("standard input is not one frame of that size");
  if (!filter_on_device (&params, width, height, pixels, &error)) {
    fprintf (stderr, "bilateraltool: %s\n", error->message);
    return 1;
  }
  return fwrite (pixels, 4, n_pixels, stdout) == n_pixels
      && fflush (stdout) == 0 ? 0 : 1;
}
