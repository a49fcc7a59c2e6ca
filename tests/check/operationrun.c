/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "operationrun.h"

#include <math.h>
#include <string.h>

#include "references.h"
#include "testrandom.h"

/* Of approximations, in dB. */
#define MIN_PSNR 40.0

void
outcome_clear (Outcome * outcome)
{
  picture_clear (&outcome->picture);
  g_free (outcome->result);
}

OclOperation *
subject_create_operation (const Subject * subject, OclContext * context,
    const OclTuning * tuning)
{
  OclOperation *operation = ocl_operation_new (subject->klass, context);

  ocl_operation_force (operation, subject->variant, tuning);
  return operation;
}

gchar *
subject_describe (const Subject * subject, const OclFrame * kind,
    gconstpointer params, const Picture * picture)
{
  g_autofree gchar *values = describe_params (subject->klass, params);

  return g_strdup_printf ("%s %s, %s%s %s, %dx%d%s", subject->klass->name,
      subject->variant->name, kind->format->name,
      kind->bytes_swapped ? " of swapped bytes" : "",
      kind->storage == OCL_STORAGE_IMAGE ? "image" : "buffer", picture->width,
      picture->height, values);
}

/* Bytes of every value, the same for the same size. */
static guint8 *
make_noise (gsize size)
{
  g_autoptr (GRand) random = test_random_new (size);
  guint8 *bytes = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = g_rand_int (random);
  return bytes;
}

static void
assert_same_picture (const Picture * actual, const Picture * expected,
    const gchar * what)
{
  const gsize size = picture_get_size (expected);

  for (gsize i = 0; i < size; i++) {
    if (actual->bytes[i] != expected->bytes[i])
      g_error ("%s: byte %" G_GSIZE_FORMAT " of row %" G_GSIZE_FORMAT
          " is %u, not %u", what, (i - MARGIN) % expected->stride,
          (i - MARGIN) / expected->stride, actual->bytes[i],
          expected->bytes[i]);
  }
}

/* Makes room for the result, and there leaves what an operation that only
 * writes draws, and others have to overwrite. */
static void
fill_result (OclResult * result, OclContext * context, gsize size)
{
  g_autofree guint8 *noise = make_noise (size);
  GError *error = NULL;

  gboolean ok = ocl_result_ensure (result, context, size, &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteBuffer (context->queue,
          result->device.memory, CL_TRUE, 0, size, noise, 0, NULL, NULL), ==,
      CL_SUCCESS);
}

static guint8 *
read_result (OclResult * result, OclContext * context, gsize size,
    OclTimer * timer)
{
  GError *error = NULL;

  gboolean ok = ocl_result_enqueue_read (result, context, size, timer, &error)
      && ocl_context_finish (context, &error);
  assert_ok (ok, error);
  return g_memdup2 (result->host.data, size);
}

/* Runs what was prepared on frames with these bytes. @output has those that are
 * there before. Earlier frames do not count. */
static guint8 *
run_on_device (OclOperation * operation, const OclFrame * kind,
    gconstpointer params, Picture * input, Picture * output)
{
  const OclOperationClass *klass = ocl_operation_get_class (operation);
  OclContext *context = ocl_operation_get_context (operation);
  const gsize size = klass->result_size;
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = picture_create_frame (input, context, kind);
  OclFrame out = picture_create_frame (output, context, kind);
  OclResult result = { 0, };
  const OclRun run = {
    .params = params,
    .input = klass->flags & OCL_OPERATION_READS ? &in : NULL,
    .output = klass->flags & OCL_OPERATION_WRITES ? &out : NULL,
    .result = size ? &result : NULL,
    .timer = timer,
  };
  guint8 *bytes = NULL;
  GError *error = NULL;

  if (size)
    fill_result (&result, context, size);
  ocl_operation_forget (operation);
  gboolean ok = run_operation (operation, &run, &error);
  assert_ok (ok, error);
  if (size)
    bytes = read_result (&result, context, size, timer);
  picture_download (output, context, &out);
  picture_download (input, context, &in);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
  ocl_result_clear (&result, context);
  return bytes;
}

gboolean
subject_run (const Subject * subject, OclOperation * operation,
    const OclFrame * kind, gconstpointer params, const Picture * source,
    Outcome * outcome)
{
  const OclFormat *bytes = ocl_frame_get_bytes_format (kind);
  const gboolean filters =
      (subject->klass->flags & OCL_OPERATION_FILTERS) == OCL_OPERATION_FILTERS;
  Picture input, before;

  if (!has_room (operation, subject->variant, kind, params))
    return FALSE;
  picture_init_copy (&input, source);
  picture_convert (&input, OCL_FORMAT_RGBA, bytes);
  picture_init_copy (&before, &input);
  picture_init_copy (&outcome->picture, &input);
  if (filters) {
    picture_clear (&outcome->picture);
    picture_init (&outcome->picture, source->width, source->height);
  }

  outcome->result = run_on_device (operation, kind, params, &input,
      &outcome->picture);
  g_autofree gchar *what = subject_describe (subject, kind, params, source);
  assert_same_picture (&input, &before, what);
  picture_assert_margins (&outcome->picture);
  picture_convert (&outcome->picture, bytes, OCL_FORMAT_RGBA);
  picture_clear (&input);
  picture_clear (&before);
  return TRUE;
}

gboolean
is_same (const Subject * subject, const Outcome * a, const Outcome * b)
{
  const gsize size = subject->klass->result_size;

  return memcmp (a->picture.bytes, b->picture.bytes,
      picture_get_size (&a->picture)) == 0
      && (size == 0 || memcmp (a->result, b->result, size) == 0);
}

void
assert_same (const Subject * subject, const Outcome * actual,
    const Outcome * expected, const gchar * what)
{
  assert_same_picture (&actual->picture, &expected->picture, what);
  if (!is_same (subject, actual, expected))
    g_error ("%s: another result", what);
}

/* Red, green and blue against @levels, three a pixel; alpha is to be that of
 * @like. */
static void
assert_near (const Subject * subject, const Picture * actual,
    const gdouble * levels, gdouble tolerance, const Picture * like,
    const gchar * what)
{
  const gboolean approximate =
      (subject->variant->flags & OCL_VARIANT_APPROXIMATE) != 0;
  gdouble sum = 0.0;

  for (gint y = 0; y < actual->height; y++) {
    for (gint x = 0; x < actual->width; x++) {
      const guint8 *pixel = picture_get_pixel (actual, x, y);

      for (gint c = 0; c < 3; c++) {
        gdouble difference = pixel[c] - levels[(y * actual->width + x) * 3 + c];

        sum += difference * difference;
        if (!approximate && !(fabs (difference) <= tolerance))
          g_error ("%s: pixel %d,%d channel %d is %d, not %.4f", what, x, y, c,
              pixel[c], pixel[c] - difference);
      }
      if (pixel[3] != picture_get_pixel (like, x, y)[3])
        g_error ("%s: pixel %d,%d has another alpha", what, x, y);
    }
  }

  gdouble psnr = 10.0 * log10 (255.0 * 255.0 * 3 * actual->width
      * actual->height / sum);
  if (approximate && !(psnr >= MIN_PSNR))
    g_error ("%s: a PSNR of %.1f dB", what, psnr);
}

static gdouble *
get_levels (const Picture * picture)
{
  gdouble *levels = g_new (gdouble, picture->width * picture->height * 3);

  for (gint i = 0; i < picture->width * picture->height * 3; i++)
    levels[i] = picture_get_pixel (picture, i / 3 % picture->width,
        i / 3 / picture->width)[i % 3];
  return levels;
}

void
assert_near_plain (const Subject * subject, const Outcome * actual,
    const Outcome * plain, const gchar * what)
{
  g_autofree gdouble *levels = get_levels (&plain->picture);
  const gsize size = subject->klass->result_size;

  assert_near (subject, &actual->picture, levels, 1.0, &plain->picture, what);
  if (size && memcmp (actual->result, plain->result, size) != 0)
    g_error ("%s: not the result of the plain variant", what);
}

void
assert_near_reference (const Subject * subject, const Outcome * actual,
    gconstpointer params, const Picture * source, const gchar * what)
{
  const Reference *reference = reference_find (subject->klass->name);
  const gsize size = subject->klass->result_size;
  g_autofree guint8 *result = make_noise (size);

  g_assert_true (reference->filter || reference->find || reference->draw);
  if (reference->filter) {
    g_autofree gdouble *levels =
        g_new (gdouble, source->width * source->height * 3);

    reference_filter_bytes (reference, params, source, levels);
    assert_near (subject, &actual->picture, levels,
        0.5 + MAX (reference->tolerance, TIE), source, what);
  }
  if (reference->find) {
    reference->find (params, source, result);
    if (memcmp (actual->result, result, size) != 0)
      g_error ("%s: not the result of the reference", what);
  }
  if (reference->draw) {
    Picture expected;

    picture_init_copy (&expected, source);
    reference->draw (params, result, &expected);
    assert_same_picture (&actual->picture, &expected, what);
    picture_clear (&expected);
  }
}
