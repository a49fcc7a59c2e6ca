/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "formatcheck.h"

#include <math.h>

#include "exhaustive.h"
#include "picture.h"
#include "references.h"

/* What approximations reach, in dB. */
#define MIN_PSNR 40.0

OclOperation *
format_create_operation (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant)
{
  OclOperation *operation = ocl_operation_new (klass, context);

  ocl_operation_force (operation, variant, NULL);
  return operation;
}

void
format_picture_run (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, OclStorage storage)
{
  format_picture_run_kept (operation, params, input, output, 0, storage);
}

OclFrame
format_create_frame (FormatPicture * picture, OclContext * context,
    OclStorage storage)
{
  const OclColorimetry bt709 = { 0.2126, 0.0722, TRUE };
  OclFrame frame = { 0, };

  if (picture)
    frame = format_picture_create_frame (picture, context, storage);
  frame.colorimetry = bt709;
  return frame;
}

void
format_picture_run_kept (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, guint age,
    OclStorage storage)
{
  OclContext *context = ocl_operation_get_context (operation);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = format_create_frame (input, context, storage);
  OclFrame out = format_create_frame (output, context, storage);
  const OclRun run = {.params = params,.input = input ? &in : NULL,
    .output = output ? &out : NULL,.age = age,.timer = timer
  };
  GError *error = NULL;

  gboolean ok = run_operation (operation, &run, &error)
      && ocl_timer_wait (timer, &error);
  assert_ok (ok, error);
  if (output)
    format_picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
}

gboolean
format_is_tried (OclContext * context, const OclVariant * variant,
    const gchar * name)
{
  static const gchar *const few[] = { "GRAY16_LE", "I420", NULL };
  static const gchar *const further[] = { "ARGB64", "I420_10LE", "NV21", NULL };
  const gboolean slow = context->device->type & CL_DEVICE_TYPE_CPU
      && !(variant->flags & OCL_VARIANT_FOR_CPU);

  if (slow)
    return g_strv_contains (few, name);
  return is_format_usual (name) || g_strv_contains (further, name);
}

/* Returns whether the operation filters a channel. */
static gboolean
is_filtered (const OclOperationClass * klass, gconstpointer params,
    const OclFormat * format, guint channel)
{
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (klass, params, format,
      passes);

  for (guint i = 0; i < n; i++) {
    if (channel >= passes[i].first_channel
        && channel < passes[i].first_channel + passes[i].n_channels)
      return TRUE;
  }
  return FALSE;
}

/* Asserts that no sample of a channel is further off than @tolerance. Returns
 * the sum of the squares. */
static gdouble
assert_channel (const FormatPicture * output, guint channel,
    const gdouble * wanted, gdouble tolerance, const gchar * what)
{
  const OclFormat *format = output->frame.format;
  const gint width = format_picture_get_width (output, channel);
  const gint height = format_picture_get_height (output, channel);
  const gdouble max_level = ocl_format_get_max_level (format);
  gdouble sum = 0.0;

  for (gint n = 0; n < width * height; n++) {
    const guint component = format_picture_get_component (output, channel,
        n % width, n / width);
    const gdouble difference = (component >> format->shift)
        - CLAMP (wanted[n], 0.0, max_level);

    if (!(fabs (difference) <= tolerance))
      g_error ("%s: channel %u at %d,%d is %u, the reference %.4f", what,
          channel, n % width, n / width, component >> format->shift, wanted[n]);
    g_assert_cmpuint (component & ((1 << format->shift) - 1), ==, 0);
    sum += difference * difference;
  }
  return sum;
}

/* Sums of large numbers that cancel out, which matrices can have, are off by so
 * many levels of 8 bits, in floats. */
#define LARGE_SUMS 0.02

/* Returns how far a level may be from what the reference has, which is not
 * rounded. */
static gdouble
get_tolerance (const OclOperationClass * klass, const OclFormat * format)
{
  if (format->depth == 8)
    return 0.5 + MAX (reference_find (klass->name)->tolerance, LARGE_SUMS);
  return format->depth <= 12 ? 1.5 : 2.5;
}

void
format_assert_filtered (const OclOperationClass * klass, gconstpointer params,
    const FormatPicture * input, const FormatPicture * output,
    gdouble * const wanted[3], gboolean approximate, const gchar * what)
{
  const OclFormat *format = input->frame.format;
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble tolerance =
      approximate ? max_level : get_tolerance (klass, format);

  for (guint c = 0; c < OCL_N_CHANNELS; c++) {
    if (!format->channels[c].step)
      continue;
    if (c == OCL_CHANNEL_ALPHA || !is_filtered (klass, params, format, c)) {
      format_picture_assert_copied (output, input, c);
      continue;
    }
    const gdouble error = assert_channel (output, c, wanted[c], tolerance,
        what) / (format_picture_get_width (output, c)
        * format_picture_get_height (output, c));
    if (approximate)
      g_assert_cmpfloat (10.0 * log10 (max_level * max_level
              / (error + 1e-12)), >=, MIN_PSNR);
  }
}

/* Asserts that a progressive @output is @input filtered. */
static void
check_output (const OclOperationClass * klass, gconstpointer params,
    const FormatPicture * input, const FormatPicture * output,
    gboolean approximate, const gchar * what)
{
  const gsize n_samples = (gsize) input->frame.width * input->frame.height;
  g_autofree gdouble *samples = g_new0 (gdouble, 3 * n_samples);
  gdouble *const wanted[3] = {
    samples, samples + n_samples, samples + 2 * n_samples
  };

  reference_find (klass->name)->filter (params, input, wanted);
  format_assert_filtered (klass, params, input, output, wanted, approximate,
      what);
}

static gchar *
describe (const OclOperationClass * klass, gconstpointer params,
    const FormatPicture * input, OclStorage storage)
{
  g_autofree gchar *values = describe_params (klass, params);

  return g_strdup_printf ("%s, %s%s in %s, %dx%d%s", klass->name,
      input->frame.interlaced ? "interlaced " : "", input->frame.format->name,
      storage == OCL_STORAGE_IMAGE ? "images" : "buffers", input->frame.width,
      input->frame.height, values);
}

void
format_check_picture (OclOperation * operation, gconstpointer params,
    FormatPicture * input, OclStorage storage, gboolean approximate)
{
  const OclOperationClass *klass = ocl_operation_get_class (operation);
  const OclFrame *frame = &input->frame;
  g_autofree gchar *what = describe (klass, params, input, storage);
  FormatPicture output;

  format_picture_init (&output, frame->format, frame->width, frame->height);
  output.frame.interlaced = frame->interlaced;
  ocl_operation_forget (operation);
  format_picture_run (operation, params, input, &output, storage);
  format_picture_assert_margins (&output);
  if (!frame->interlaced)
    check_output (klass, params, input, &output, approximate, what);
  for (gint field = 0; frame->interlaced && field < MIN (2, frame->height);
      field++) {
    FormatPicture field_input, field_output;

    format_picture_init_field (&field_input, input, field);
    format_picture_init_field (&field_output, &output, field);
    check_output (klass, params, &field_input, &field_output, approximate,
        what);
    format_picture_clear (&field_input);
    format_picture_clear (&field_output);
  }
  format_picture_clear (&output);
}

void
format_check (OclOperation * operation, gconstpointer params,
    const OclFormat * format, OclStorage storage, gint width, gint height)
{
  FormatPicture input;

  format_picture_init (&input, format, width, height);
  format_picture_fill (&input, width * 100 + height);
  format_check_picture (operation, params, &input, storage, FALSE);
  format_picture_clear (&input);
}
