/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "picture.h"
#include "testrandom.h"

#include <stdlib.h>
#include <string.h>

void
picture_init (Picture * picture, gint width, gint height)
{
  picture->width = width;
  picture->height = height;
  picture->stride = width * 4 + MARGIN;
  picture->bytes = g_malloc (picture_get_size (picture));
  memset (picture->bytes, CANARY, picture_get_size (picture));
  picture->pixels = picture->bytes + MARGIN;
}

void
picture_init_copy (Picture * picture, const Picture * source)
{
  *picture = *source;
  picture->bytes = g_memdup2 (source->bytes, picture_get_size (source));
  picture->pixels = picture->bytes + MARGIN;
}

void
picture_clear (Picture * picture)
{
  g_free (picture->bytes);
}

gsize
picture_get_size (const Picture * picture)
{
  return MARGIN + (gsize) picture->stride * picture->height;
}

guint8 *
picture_get_pixel (const Picture * picture, gint x, gint y)
{
  return picture->pixels + picture->stride * (gsize) y + 4 * x;
}

void
picture_fill (Picture * picture, guint32 seed)
{
  g_autoptr (GRand) random = test_random_new (seed);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture_get_pixel (picture, x, y);
      gint edge = (x / 9 + y / 7) % 2 ? 90 : 0;

      for (gint c = 0; c < 3; c++)
        pixel[c] = CLAMP (x * (c + 1) % 160 + edge
            + g_rand_int_range (random, -20, 21), 0, 255);
      pixel[3] = g_rand_int_range (random, 0, 256);
    }
  }
}

void
picture_convert (Picture * picture, const OclFormat * from,
    const OclFormat * to)
{
  g_assert_cmpuint (from->planes[0].n_components, ==, 4);
  g_assert_cmpuint (from->component_bytes, ==, 1);
  g_assert_cmpuint (to->planes[0].n_components, ==, 4);
  g_assert_cmpuint (to->component_bytes, ==, 1);
  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture_get_pixel (picture, x, y);
      guint8 old[4];

      memcpy (old, pixel, sizeof (old));
      for (gint c = 0; c < OCL_N_CHANNELS; c++)
        pixel[to->channels[c].offset] = old[from->channels[c].offset];
    }
  }
}

void
picture_assert_margins (const Picture * picture)
{
  for (gint i = 0; i < MARGIN; i++)
    g_assert_cmpuint (picture->bytes[i], ==, CANARY);
  for (gint y = 0; y < picture->height; y++) {
    for (gint i = picture->width * 4; i < picture->stride; i++)
      g_assert_cmpuint (picture->pixels[y * picture->stride + i], ==, CANARY);
  }
}

OclFrame
picture_create_frame (Picture * picture, OclContext * context,
    const OclFrame * kind)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { picture->width, picture->height, 1 };
  OclFrame frame = {.format = kind->format,.storage = kind->storage,
    .width = picture->width,.height = picture->height,
    .planes[0].stride = picture->stride,.bytes_swapped = kind->bytes_swapped
  };
  OclFrame image = { 0, };
  cl_int status = CL_SUCCESS;
  GError *error = NULL;

  if (kind->storage == OCL_STORAGE_BUFFER) {
    frame.planes[0].memory = clCreateBuffer (context->context,
        CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
        ocl_frame_get_size (&frame, 0), picture->pixels, &status);
    g_assert_cmpint (status, ==, CL_SUCCESS);
    return frame;
  }
  gboolean ok = ocl_frame_ensure (&image, context, kind->storage, &frame,
      &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteImage (context->queue,
          image.planes[0].memory, CL_TRUE, origin, region, picture->stride, 0,
          picture->pixels, 0, NULL, NULL), ==, CL_SUCCESS);
  return image;
}

void
picture_download (Picture * picture, OclContext * context,
    const OclFrame * frame)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { frame->width, frame->height, 1 };
  const cl_mem memory = frame->planes[0].memory;
  cl_int status = CL_SUCCESS;

  if (frame->storage == OCL_STORAGE_IMAGE) {
    g_assert_cmpint (clEnqueueReadImage (context->queue, memory, CL_TRUE,
            origin, region, picture->stride, 0, picture->pixels, 0, NULL,
            NULL), ==, CL_SUCCESS);
    return;
  }
  void *data = clEnqueueMapBuffer (context->queue, memory, CL_TRUE,
      CL_MAP_READ, 0, ocl_frame_get_size (frame, 0), 0, NULL, NULL, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  g_assert_true (data == picture->pixels);
  clEnqueueUnmapMemObject (context->queue, memory, data, 0, NULL, NULL);
  clFinish (context->queue);
}

static GLogFunc log_before;

/* GLib ends a program with SIGTRAP. LLVM, with which PoCL compiles, handles this
 * signal from version 18 on, and g_error () would wait for ever. */
static void
log_and_end (const gchar * domain, GLogLevelFlags level,
    const gchar * message, gpointer data)
{
  log_before (domain, level, message, data);
  if (level & G_LOG_LEVEL_ERROR)
    abort ();
}

OclContext *
open_context (void)
{
  GError *error = NULL;

  if (!log_before)
    log_before = g_log_set_default_handler (log_and_end, NULL);
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);

  g_assert_no_error (error);
  g_test_message ("on %s", ((OclDevice *) devices->pdata[0])->name);
  OclContext *context = ocl_context_new (devices->pdata[0], NULL, &error);
  g_assert_no_error (error);
  return context;
}

gboolean
is_left_out (OclStorage storage)
{
  return storage == OCL_STORAGE_IMAGE
      && g_strcmp0 (g_getenv ("GLOPENCL_TEST_STORAGE"), "buffer") == 0;
}

gboolean
can_run (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant)
{
  const OclFrame like = {.format = OCL_FORMAT_RGBA,
    .storage = OCL_STORAGE_BUFFER,.width = 1,.height = 1
  };
  g_autoptr (OclOperation) operation = ocl_operation_new (klass, context);
  g_autofree gpointer params = ocl_operation_class_create_params (klass);
  g_autoptr (GError) error = NULL;

  ocl_operation_force (operation, variant, NULL);
  if (find_variant (operation, &like, params, &error))
    return TRUE;
  g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
  g_test_message ("%s", error->message);
  return FALSE;
}

gboolean
serves_all_passes (const OclOperationClass * klass, const OclVariant * variant,
    gconstpointer params, const OclFormat * format)
{
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (klass, params, format,
      passes);

  for (guint i = 0; i < n; i++) {
    if (!ocl_variant_can_serve (variant, params, format, &passes[i]))
      return FALSE;
  }
  return n > 0;
}

gboolean
has_room (OclOperation * operation, const OclVariant * variant,
    const OclFrame * frame, gconstpointer params)
{
  const OclOperationClass *klass = ocl_operation_get_class (operation);
  g_autoptr (GError) error = NULL;
  const OclVariant *found = find_variant (operation, frame, params, &error);

  if (found || variant == klass->variants[0]
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)) {
    g_assert_no_error (error);
    g_assert_true (found == variant);
    return TRUE;
  }
  g_test_message ("left out: %s", error->message);
  return FALSE;
}

gchar *
describe_params (const OclOperationClass * klass, gconstpointer params)
{
  GString *text = g_string_new (NULL);

  for (const OclParam * param = klass->params; param && param->name; param++) {
    g_autofree gchar *value = ocl_param_print (param, params);

    g_string_append_printf (text, " %s=%s", param->name, value);
  }
  return g_string_free (text, FALSE);
}

gboolean
run_operation (OclOperation * operation, const OclRun * run, GError ** error)
{
  g_autoptr (OclPlan) plan = ocl_operation_get_plan (operation,
      run->input ? run->input : run->output, run->params, error);

  return plan && ocl_operation_enqueue (operation, plan, run, error);
}

const OclVariant *
find_variant (OclOperation * operation, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  g_autoptr (OclPlan) plan =
      ocl_operation_get_plan (operation, frame, params, error);

  return plan ? ocl_plan_get_variant (plan) : NULL;
}

void
assert_ok (gboolean ok, GError * error)
{
  g_assert_no_error (error);
  g_assert_true (ok);
}
