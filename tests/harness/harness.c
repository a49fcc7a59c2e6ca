/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exhaustive.h"
#include "references.h"

static gboolean
upload_result (OclResult * result, OclContext * context, const guint8 * bytes,
    gsize size, GError ** error)
{
  return ocl_result_ensure (result, context, size, error)
      && ocl_check (clEnqueueWriteBuffer (context->queue,
          result->device.memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
      "clEnqueueWriteBuffer", error);
}

static gboolean
run (OclFilter * operation, gconstpointer params, Picture * input,
    Picture * output, guint age, guint8 * result_bytes, PictureMemory memory,
    GError ** error)
{
  OclContext *context = ocl_filter_get_context (operation);
  const gsize size = ocl_filter_get_class (operation, 0)->result_size;
  const gboolean is_padded = memory == PICTURE_BUFFER
      && !is_left_out (OCL_STORAGE_IMAGE);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = { 0, }, out = { 0, };
  OclResult result = { 0, };
  const OclRun run = {.params = params,.input = input ? &in : NULL,
    .output = output ? &out : NULL,.age = age,.timer = timer,
    .result = size && result_bytes ? &result : NULL
  };

  gboolean ok = (!input || picture_upload (input, context, memory, &in, error))
      && (!output || picture_upload (output, context,
          is_padded ? PICTURE_PADDED_BUFFER : memory, &out, error))
      && (!run.result || upload_result (&result, context, result_bytes, size,
          error))
      && run_operation (operation, &run, error);
  if (ok && run.result && run.input) {
    ok = ocl_result_enqueue_read (&result, context, size, timer, error)
        && ocl_context_finish (context, error);
    if (ok)
      memcpy (result_bytes, result.host.data, size);
  }
  ok = ok && ocl_timer_wait (timer, error)
      && (!output || picture_read (output, context, &out, error))
      && (!input || picture_read (input, context, &in, error));
  ocl_context_finish (context, NULL);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
  ocl_result_clear (&result, context);
  return ok;
}

gboolean
harness_run (OclFilter * operation, gconstpointer params, Picture * input,
    Picture * output, guint8 * result, PictureMemory memory, GError ** error)
{
  g_autofree gchar *fault = NULL;
  g_auto (Picture) before = { 0, };

  if (input)
    before = picture_copy (input);
  ocl_filter_forget (operation);
  gboolean ok = run (operation, params, input, output, 0, result, memory,
      error);
  if (ok && input && (fault = picture_find_difference (input, &before)))
    g_set_error (error, OCL_ERROR, OCL_ERROR_FAILED,
        "the input has changed: %s", fault);
  else if (ok && output && (fault = picture_find_overrun (output)))
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED, fault);
  return ok && !fault;
}

/* Returns whether the operation filters a channel. */
static gboolean
is_filtered (const OclOperationClass * klass, gconstpointer params,
    const OclFormat * format, guint channel)
{
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (klass, params, format,
      passes);

  for (guint i = 0; i < n && channel != OCL_CHANNEL_ALPHA; i++) {
    if (channel >= passes[i].first_channel
        && channel < passes[i].first_channel + passes[i].n_channels)
      return TRUE;
  }
  return FALSE;
}

gchar *
harness_compare (const OclOperationClass * klass, gconstpointer params,
    const Picture * input, const Picture * output, gdouble * const levels[3],
    gboolean approximate, Accuracy * accuracy)
{
  const OclFormat *format = input->frame.info.format;
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble tolerance = format->depth == 8
      ? 0.5 + MAX (reference_find (klass->name)->tolerance, TIE)
      : format->depth <= 12 ? 1.5 : 2.5;

  for (guint c = 0; c < OCL_N_CHANNELS; c++) {
    const gint width = picture_get_width (output, c);
    const gint n_samples = width * picture_get_height (output, c);
    const gboolean filtered = is_filtered (klass, params, format, c);
    gdouble sum = 0.0, worst = 0.0;

    for (gint n = 0; format->channels[c].step && n < n_samples; n++) {
      const gint x = n % width, y = n / width;
      const guint found = picture_get_component (output, c, x, y);

      if (!filtered) {
        const guint kept = picture_get_component (input, c, x, y);

        if (found != kept)
          return g_strdup_printf ("channel %u at %d,%d was not to be filtered "
              "and is %u, not %u", c, x, y, found, kept);
        continue;
      }
      const gdouble wanted = CLAMP (levels[c][n], 0.0, max_level);
      const gdouble difference = (found >> format->shift) - wanted;
      if (found & ((1u << format->shift) - 1))
        return g_strdup_printf ("channel %u at %d,%d has bits below the level: "
            "%#x", c, x, y, found);
      /* Also for a reference that is not a number. */
      if (!(fabs (difference) <= (approximate ? max_level : tolerance)))
        return g_strdup_printf ("channel %u at %d,%d is %u, the reference %.4f",
            c, x, y, found >> format->shift, wanted);
      worst = MAX (worst, fabs (difference));
      sum += difference * difference;
    }
    if (!filtered || n_samples == 0)
      continue;
    const gdouble psnr = 10.0 * log10 (max_level * max_level
        / (sum / n_samples + 1e-12));
    if (approximate && !(psnr >= HARNESS_MIN_PSNR))
      return g_strdup_printf ("channel %u has a PSNR of %.1f dB", c, psnr);
    if (accuracy) {
      accuracy->worst = MAX (accuracy->worst, worst);
      if (approximate)
        accuracy->psnr = accuracy->psnr > 0.0 ? MIN (accuracy->psnr, psnr)
            : psnr;
    }
  }
  return NULL;
}

/* Compares a progressive output with the reference of a filter. */
static gchar *
check_filtered (const OclOperationClass * klass, gconstpointer params,
    const Picture * input, const Picture * output, gboolean approximate,
    Accuracy * accuracy)
{
  const gsize n_samples =
      (gsize) input->frame.info.width * input->frame.info.height;
  g_autofree gdouble *samples = g_new0 (gdouble, 3 * n_samples);
  gdouble *const levels[3] = {
    samples, samples + n_samples, samples + 2 * n_samples
  };

  reference_find (klass->name)->filter (params, input, levels);
  return harness_compare (klass, params, input, output, levels, approximate,
      accuracy);
}

gchar *
harness_check (const OclOperationClass * klass, gconstpointer params,
    const Picture * input, const Picture * output, const guint8 * result,
    gboolean approximate, Accuracy * accuracy)
{
  const Reference *reference = reference_find (klass->name);
  gchar *fault = NULL;

  if (reference->find) {
    g_autofree guint8 *wanted = g_malloc0 (klass->result_size);

    reference->find (params, input, wanted);
    for (gsize i = 0; i < klass->result_size; i++) {
      if (result[i] != wanted[i])
        return g_strdup_printf ("byte %" G_GSIZE_FORMAT " of the result is %u, "
            "not %u", i, result[i], wanted[i]);
    }
  }
  if (reference->draw) {
    g_auto (Picture) wanted = picture_copy (input);

    reference->draw (params, result, &wanted);
    fault = picture_find_difference (output, &wanted);
  }
  if (!reference->filter)
    return fault;
  if (!input->frame.info.interlaced)
    return check_filtered (klass, params, input, output, approximate, accuracy);
  for (gint field = 0; !fault && field < MIN (2, input->frame.info.height);
      field++) {
    g_auto (Picture) field_input = picture_copy_field (input, field);
    g_auto (Picture) field_output = picture_copy_field (output, field);

    fault = check_filtered (klass, params, &field_input, &field_output,
        approximate, accuracy);
  }
  return fault;
}

static GLogFunc log_before;

/* GLib ends a program with SIGTRAP. LLVM, with which PoCL compiles, handles this
 * signal from version 18 on, and g_error () would never return. */
static void
log_and_end (const gchar * domain, GLogLevelFlags level,
    const gchar * message, gpointer data)
{
  log_before (domain, level, message, data);
  if (level & G_LOG_LEVEL_ERROR)
    abort ();
}

void
harness_end_on_errors (void)
{
  if (!log_before)
    log_before = g_log_set_default_handler (log_and_end, NULL);
}

OclContext *
open_context (void)
{
  GError *error = NULL;

  harness_end_on_errors ();
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

OclFilter *
create_forced (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant, const OclTuning * tuning)
{
  const OclOperationList list = OCL_SINGLE (klass, NULL);
  OclFilter *operation = ocl_filter_new (&list, context);

  if (variant)
    ocl_filter_force (operation, 0, variant, tuning);
  return operation;
}

gboolean
variant_suits (const OclVariant * variant, const OclDevice * device)
{
  const gboolean is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
  const OclVariantFlags own = is_cpu ? OCL_VARIANT_FOR_CPU
      : OCL_VARIANT_FOR_GPU;
  const OclVariantFlags other = is_cpu ? OCL_VARIANT_FOR_GPU
      : OCL_VARIANT_FOR_CPU;

  return !(variant->flags & other) || variant->flags & own;
}

gboolean
can_run (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant)
{
  const OclFrame like = {.info = {.format = OCL_FORMAT_RGBA,.storage =
          OCL_STORAGE_BUFFER,.width = 1,.height = 1}
  };

  if (!(context->device->type & CL_DEVICE_TYPE_CPU) && !is_exhaustive ()
      && !variant_suits (variant, context->device)) {
    g_test_message ("left out: %s %s is for CPUs", klass->name, variant->name);
    return FALSE;
  }
  g_autoptr (OclFilter) operation =
      create_forced (context, klass, variant, NULL);
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  g_autoptr (GError) error = NULL;
  if (find_variant (operation, &like, params, &error))
    return TRUE;
  g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
  g_test_message ("%s", error->message);
  return FALSE;
}

gboolean
can_run_all_passes (const OclOperationClass * klass, const OclVariant * variant,
    gconstpointer params, const OclFormat * format)
{
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (klass, params, format,
      passes);

  for (guint i = 0; i < n; i++) {
    if (!ocl_variant_supports (variant, params, format, &passes[i]))
      return FALSE;
  }
  return n > 0;
}

gboolean
has_room (OclFilter * operation, const OclVariant * variant,
    const OclFrame * frame, gconstpointer params)
{
  const OclOperationClass *klass = ocl_filter_get_class (operation, 0);
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
  g_autoptr (OclParams) defaults = ocl_operation_class_create_params (klass);
  GString *text = g_string_new (NULL);

  for (const OclParam * param = klass->params; param && param->name; param++) {
    g_autofree gchar *value = ocl_param_print (param, params);
    g_autofree gchar *usual = ocl_param_print (param, defaults);

    if (g_strcmp0 (value, usual) != 0)
      g_string_append_printf (text, " %s=%s", param->name, value);
  }
  return g_string_free (text, FALSE);
}

#define MEMBER(type, params, param) \
    G_STRUCT_MEMBER (type, params, (param)->offset)

gboolean
is_number (const OclParam * param)
{
  switch (param->type) {
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
    case OCL_PARAM_NAMED_NUMBERS:
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      return FALSE;
    default:
      return TRUE;
  }
}

gdouble
get_number (const OclParam * param, gconstpointer params)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
    case OCL_PARAM_INT:
    case OCL_PARAM_ENUM:
      return MEMBER (gint, params, param);
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      return MEMBER (guint, params, param);
    case OCL_PARAM_UINT64:
      return MEMBER (guint64, params, param);
    case OCL_PARAM_DOUBLE:
      return MEMBER (gdouble, params, param);
    default:
      break;
  }
  g_assert_not_reached ();
}

void
set_number (const OclParam * param, gpointer params, gdouble number)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
    case OCL_PARAM_INT:
    case OCL_PARAM_ENUM:
      MEMBER (gint, params, param) = number;
      break;
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      MEMBER (guint, params, param) = number;
      break;
    case OCL_PARAM_UINT64:
      MEMBER (guint64, params, param) = number;
      break;
    case OCL_PARAM_DOUBLE:
      MEMBER (gdouble, params, param) = number;
      break;
    default:
      g_assert_not_reached ();
  }
}

GArray *
get_numbers (const OclParam * param)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble limits[] = { param->minimum, param->maximum };
  gdouble sum = 0.0;

  if (!is_number (param))
    return numbers;
  if (param->type == OCL_PARAM_BOOLEAN || param->type == OCL_PARAM_UINT64)
    limits[0] = 0.0;
  if (param->type == OCL_PARAM_BOOLEAN)
    limits[1] = 1.0;
  if (param->type == OCL_PARAM_UINT64)
    limits[1] = 0x1p63;
  if (!param->values)
    return g_array_append_vals (numbers, limits, G_N_ELEMENTS (limits));
  for (const OclValue * value = param->values->values; value->nick; value++) {
    gdouble number = value->value;

    g_array_append_val (numbers, number);
    sum = (guint) sum | (guint) value->value;
  }
  return param->type == OCL_PARAM_FLAGS ? g_array_append_val (numbers, sum)
      : numbers;
}

OclGraph *
get_graph (OclFilter * operation, const OclFrameInfo * info,
    gconstpointer params, GError ** error)
{
  const OclOperationList list = OCL_SINGLE (ocl_filter_get_class (operation, 0),
      params);

  return ocl_filter_get_graph (operation, info, &list, error);
}

gboolean
enqueue_graph (OclFilter * operation, OclGraph * graph, const OclRun * run,
    GError ** error)
{
  const OclOperationList list = OCL_SINGLE (ocl_filter_get_class (operation, 0),
      run->params);

  return ocl_filter_enqueue (operation, graph, &list, run, error);
}

const OclNode *
get_pass (const OclGraph * graph, guint n)
{
  const OclNode *node = graph->nodes;

  while (!node->kernels || node->need >= 0 || n-- > 0)
    node++;
  return node;
}

guint
count_active (const OclGraph * graph)
{
  guint n = 0;

  for (guint i = 0; i < graph->operations.n; i++)
    n += graph->active[i];
  return n;
}

gboolean
run_operation (OclFilter * operation, const OclRun * run, GError ** error)
{
  g_autoptr (OclGraph) graph = get_graph (operation,
      &(run->input ? run->input : run->output)->info, run->params, error);

  return graph && enqueue_graph (operation, graph, run, error);
}

const OclVariant *
find_variant (OclFilter * operation, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  g_autoptr (OclGraph) plan =
      get_graph (operation, &frame->info, params, error);

  return plan ? ocl_graph_get_variant (plan, 0) : NULL;
}

void
assert_ok (gboolean ok, GError * error)
{
  g_assert_no_error (error);
  g_assert_true (ok);
}

void
picture_run_kept (OclFilter * operation, gconstpointer params,
    Picture * input, Picture * output, guint age, OclStorage storage)
{
  ASSERT_OK (run (operation, params, input, output, age, NULL,
          picture_get_memory (storage), &error));
}

void
picture_run (OclFilter * operation, gconstpointer params, Picture * input,
    Picture * output, OclStorage storage)
{
  picture_run_kept (operation, params, input, output, 0, storage);
}

Picture
picture_filter (OclFilter * operation, gconstpointer params, Picture * input,
    OclStorage storage)
{
  Picture output = picture_new_like (input);

  picture_run (operation, params, input, &output, storage);
  return output;
}

void
check_picture (OclFilter * operation, gconstpointer params,
    Picture * input, OclStorage storage, gboolean approximate)
{
  const OclOperationClass *klass = ocl_filter_get_class (operation, 0);
  const OclFrame *frame = &input->frame;
  g_autofree gchar *values = describe_params (klass, params);
  g_autofree gchar *fault = NULL;
  g_auto (Picture) output = picture_new_like (input);

  ASSERT_OK (harness_run (operation, params, input, &output, NULL,
          picture_get_memory (storage), &error));
  fault = harness_check (klass, params, input, &output, NULL, approximate,
      NULL);
  if (fault)
    g_error ("%s, %s%s in %ss, %dx%d%s: %s", klass->name,
        frame->info.interlaced ? "interlaced " : "", frame->info.format->name,
        ocl_storage_names[storage], frame->info.width, frame->info.height,
        values, fault);
}

void
check_scene (OclFilter * operation, gconstpointer params,
    const OclFormat * format, OclStorage storage, gint width, gint height)
{
  g_auto (Picture) input =
      picture_new_scene (format, width, height, width * 100 + height);

  check_picture (operation, params, &input, storage, FALSE);
}
