/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An operation on the first device that there is, as a program, for tests that
 * are not written in C: RGBA frames of one size on standard input, what becomes
 * of them on standard output, one by one. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/ocloperations.h"
#include "opencl/operation/ocloperation.h"

typedef struct
{
  const OclOperationClass *klass;
  const OclVariant *variant;    /* or NULL for what the element takes */
  gpointer params;
  gint width;
  gint height;
} Job;

static _Noreturn void
fail (const gchar * complaint)
{
  fprintf (stderr, "operationtool: %s\n"
      "usage: operationtool WIDTH HEIGHT OPERATION VARIANT [NAME=VALUE...]\n"
      "           <RGBA >RGBA\n"
      "  OPERATION, VARIANT, NAME  see glopencl operations; auto is the\n"
      "                            variant that the element takes\n",
      complaint);
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

static void
parse_param (const Job * job, const gchar * text)
{
  g_auto (GStrv) words = g_strsplit (text, "=", 2);
  const OclParam *param = ocl_params_find (job->klass->params, words[0]);

  if (!param || !words[1]
      || !ocl_operation_class_parse (job->klass, param, words[1], job->params))
    fail (text);
}

static void
parse_job (char **arguments, Job * job)
{
  job->width = parse_size (arguments[0]);
  job->height = parse_size (arguments[1]);
  job->klass = ocl_operations_find (arguments[2]);
  if (!job->klass || !ocl_operation_class_filters (job->klass))
    fail (arguments[2]);
  if (!g_str_equal (arguments[3], "auto")) {
    job->variant = ocl_operation_class_find_variant (job->klass, arguments[3]);
    if (!job->variant)
      fail (arguments[3]);
  }
  job->params = ocl_operation_class_create_params (job->klass);
  for (gchar ** argument = arguments + 4; *argument; argument++)
    parse_param (job, *argument);
  if (ocl_operation_class_is_neutral (job->klass, job->params))
    fail ("these parameters filter nothing");
}

static gboolean
filter (OclOperation * operation, const OclPlan * plan, const Job * job,
    OclFrame * input, OclFrame * output, guint8 * pixels, GError ** error)
{
  OclContext *context = ocl_operation_get_context (operation);
  const gsize size = ocl_frame_get_size (input, 0);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  const OclRun run = {.params = job->params,.input = input,.output = output,
    .timer = timer
  };

  return ocl_check (clEnqueueWriteBuffer (context->queue,
          input->planes[0].memory, CL_TRUE, 0, size, pixels, 0, NULL, NULL),
      "clEnqueueWriteBuffer", error)
      && ocl_operation_enqueue (operation, plan, &run, error)
      && ocl_check (clEnqueueReadBuffer (context->queue,
          output->planes[0].memory, CL_TRUE, 0, size, pixels, 0, NULL, NULL),
      "clEnqueueReadBuffer", error);
}

/* Until standard input ends. */
static gboolean
filter_frames (OclOperation * operation, const Job * job, OclFrame * input,
    OclFrame * output, GError ** error)
{
  const gsize n_pixels = (gsize) job->width * job->height;
  g_autofree guint8 *pixels = g_malloc (n_pixels * 4);
  gsize n_read;

  g_autoptr (OclPlan) plan =
      ocl_operation_get_plan (operation, input, job->params, error);

  if (!plan)
    return FALSE;
  while ((n_read = fread (pixels, 4, n_pixels, stdin)) == n_pixels) {
    if (!filter (operation, plan, job, input, output, pixels, error))
      return FALSE;
    if (fwrite (pixels, 4, n_pixels, stdout) != n_pixels
        || fflush (stdout) != 0)
      fail ("standard output cannot be written");
  }
  if (n_read > 0)
    fail ("standard input does not end with a whole frame");
  return TRUE;
}

static gboolean
filter_on_device (const Job * job, GError ** error)
{
  const OclFrame like = {.format = OCL_FORMAT_RGBA,.width = job->width,
    .height = job->height
  };
  OclFrame input = { 0, };
  OclFrame output = { 0, };
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  g_autoptr (OclContext) context = devices
      ? ocl_context_new (devices->pdata[0], NULL, error) : NULL;
  if (!context)
    return FALSE;

  g_autoptr (OclOperation) operation = ocl_operation_new (job->klass, context);
  if (job->variant)
    ocl_operation_force (operation, job->variant, NULL);
  gboolean ok = ocl_frame_ensure (&input, context, OCL_STORAGE_BUFFER, &like,
      error)
      && ocl_frame_ensure (&output, context, OCL_STORAGE_BUFFER, &like, error)
      && filter_frames (operation, job, &input, &output, error);
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Job job = { 0, };

  if (argc < 5)
    fail ("too few arguments");
  parse_job (argv + 1, &job);
  gboolean ok = filter_on_device (&job, &error);
  g_free (job.params);
  if (!ok)
    fprintf (stderr, "operationtool: %s\n", error->message);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
