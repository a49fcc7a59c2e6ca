/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogramrun.h"

#include <string.h>

#include "opencl/histogram/oclhistogramoverlay.h"
#include "testrandom.h"

const HistogramKind histogram_kinds[HISTOGRAM_N_KINDS] = {
  {"RGBA", "RGBA", OCL_STORAGE_BUFFER, FALSE},
  {"RGBA", "RGBA", OCL_STORAGE_IMAGE, FALSE},
  {"BGRA", "BGRA", OCL_STORAGE_BUFFER, FALSE},
  {"BGRA", "BGRA", OCL_STORAGE_IMAGE, FALSE},
  {"BGRA", "RGBA", OCL_STORAGE_IMAGE, TRUE},
};

void
histogram_device_init (HistogramDevice * device)
{
  const OclVariant *const *variants = ocl_histogram_class.variants;

  memset (device, 0, sizeof (*device));
  device->context = open_context ();
  for (guint i = 0; variants[i]; i++) {
    g_assert_cmpuint (i, <, HISTOGRAM_MAX_COUNTERS);
    device->counters[i] =
        ocl_operation_new (&ocl_histogram_class, device->context);
    ocl_operation_force (device->counters[i], variants[i], NULL);
    device->n_counters++;
  }
  device->overlay =
      ocl_operation_new (&ocl_histogram_overlay_class, device->context);
}

void
histogram_device_clear (HistogramDevice * device)
{
  ocl_operation_free (device->overlay);
  for (guint i = 0; i < device->n_counters; i++)
    ocl_operation_free (device->counters[i]);
  ocl_context_unref (device->context);
}

void
histogram_device_enqueue (const HistogramDevice * device,
    OclOperation * operation, const OclRun * run)
{
  GError *error = NULL;

  gboolean ok = ocl_result_ensure (run->result, device->context,
      sizeof (OclHistogramCounts), &error)
      && run_operation (operation, run, &error);
  assert_ok (ok, error);
}

void
histogram_device_read (const HistogramDevice * device, OclResult * result,
    OclTimer * timer, OclHistogramCounts * counts)
{
  GError *error = NULL;

  gboolean ok = ocl_result_enqueue_read (result, device->context,
      sizeof (*counts), timer, &error)
      && ocl_context_finish (device->context, &error);
  assert_ok (ok, error);
  memcpy (counts, result->host.data, sizeof (*counts));
}

static void
write_counts (const HistogramDevice * device, OclResult * result,
    const OclHistogramCounts * counts)
{
  GError *error = NULL;

  gboolean ok = ocl_result_ensure (result, device->context, sizeof (*counts),
      &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteBuffer (device->context->queue,
          result->device.memory, CL_TRUE, 0, sizeof (*counts), counts, 0, NULL,
          NULL), ==, CL_SUCCESS);
}

void
histogram_device_count (const HistogramDevice * device,
    OclOperation * counter, const OclFrame * frame, OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  const OclRun run = {.input = frame,.result = &result,.timer = timer };
  OclHistogramCounts on_device;

  histogram_make_random (&on_device, OCL_HISTOGRAM_MAX_BINS);
  write_counts (device, &result, &on_device);
  histogram_device_enqueue (device, counter, &run);
  histogram_device_read (device, &result, timer, counts);
  g_assert_cmpint (clEnqueueReadBuffer (device->context->queue,
          result.device.memory, CL_TRUE, 0, sizeof (on_device), &on_device, 0,
          NULL, NULL), ==, CL_SUCCESS);
  g_assert_cmpmem (counts, sizeof (*counts), &on_device, sizeof (on_device));
  ocl_result_clear (&result, device->context);
}

void
histogram_device_draw (const HistogramDevice * device, const OclFrame * frame,
    const OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  const OclRun run = {.output = frame,.result = &result,.timer = timer };
  GError *error = NULL;

  write_counts (device, &result, counts);
  histogram_device_enqueue (device, device->overlay, &run);
  gboolean ok = ocl_context_finish (device->context, &error);
  assert_ok (ok, error);
  ocl_result_clear (&result, device->context);
}

void
histogram_make_random (OclHistogramCounts * counts, guint n_bins)
{
  g_autoptr (GRand) random = test_random_new (5);

  memset (counts, 0, sizeof (*counts));
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (guint bin = 0; bin < n_bins; bin++)
      counts->counts[c][bin] = g_rand_int (random) / (n_bins / 256);
  }
}

void
histogram_assert_equal_counts (const OclHistogramCounts * actual,
    const OclHistogramCounts * expected)
{
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (gint bin = 0; bin < OCL_HISTOGRAM_MAX_BINS; bin++) {
      if (actual->counts[c][bin] != expected->counts[c][bin])
        g_error ("channel %d has %u in bin %d, not %u", c,
            actual->counts[c][bin], bin, expected->counts[c][bin]);
    }
  }
}

gboolean
histogram_skip_for_tools (void)
{
  if (!is_left_out (OCL_STORAGE_IMAGE))
    return FALSE;
  g_test_skip ("too large for tools that interpret kernels");
  return TRUE;
}

OclFrame
histogram_kind_create_frame (const HistogramKind * kind,
    const HistogramDevice * device, Picture * picture)
{
  const OclFrame like = {.format = ocl_format_find (kind->format),
    .storage = kind->storage,.bytes_swapped = kind->bytes_swapped
  };

  return picture_create_frame (picture, device->context, &like);
}

void
histogram_set_pixel (guint8 * pixel, guint32 rgba)
{
  pixel[0] = rgba >> 24;
  pixel[1] = rgba >> 16;
  pixel[2] = rgba >> 8;
  pixel[3] = rgba;
}

void
histogram_fill_noise (Picture * picture)
{
  g_autoptr (GRand) random = test_random_new (picture->width);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++)
      histogram_set_pixel (picture_get_pixel (picture, x, y),
          g_rand_int (random));
  }
}

void
histogram_fill_scene (Picture * picture)
{
  picture_fill (picture, picture->height);
}

void
histogram_get_expected (const Picture * picture, OclHistogramCounts * expected)
{
  reference_histogram (picture->pixels, picture->stride, picture->width,
      picture->height, expected->counts);
}

void
histogram_assert_equal_pictures (const Picture * actual,
    const Picture * expected)
{
  const gsize size = picture_get_size (expected);

  if (memcmp (actual->bytes, expected->bytes, size) == 0)
    return;
  for (gsize i = 0; i < size; i++) {
    if (actual->bytes[i] != expected->bytes[i])
      g_error ("%dx%d: byte %" G_GSIZE_FORMAT " of row %" G_GSIZE_FORMAT
          " is %u, not %u", expected->width, expected->height,
          (i - MARGIN) % expected->stride, (i - MARGIN) / expected->stride,
          actual->bytes[i], expected->bytes[i]);
  }
}

gboolean
histogram_device_can_store (const HistogramDevice * device,
    const OclFormat * format, OclStorage storage)
{
  return !is_left_out (storage) && (storage == OCL_STORAGE_BUFFER
      || format_has_images (device->context, format));
}

void
histogram_fill_runs (FormatPicture * picture, guint n_equal)
{
  const OclFrame *frame = &picture->frame;
  g_autoptr (GRand) random = test_random_new (frame->width);

  for (guint i = 0; i < frame->format->n_planes; i++) {
    const gsize group = ocl_format_get_group_bytes (frame->format, i);
    const gsize size = ocl_frame_get_row_bytes (frame, i);

    for (gint y = 0; y < ocl_frame_get_plane_height (frame, i); y++) {
      guint8 *row = format_picture_get_row (picture, i, y);

      for (gsize x = 0; x < size; x++)
        row[x] = x / group % n_equal ? row[x - group] : g_rand_int (random);
    }
  }
}

void
histogram_reference_init (ReferenceFrame * reference,
    const FormatPicture * picture)
{
  const OclFrame *frame = &picture->frame;
  const OclFormat *format = frame->format;
  const ReferenceFrame empty = {.model = (ReferenceModel) format->model,
    .depth = format->depth,.shift = format->shift,
    .full_range = frame->colorimetry.full_range,
    .width = frame->width,.height = frame->height,
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift
  };

  *reference = empty;
  for (guint c = 0; c < (format->model == OCL_MODEL_GREY ? 1 : 3); c++) {
    const gint width = format_picture_get_width (picture, c);
    const gint height = format_picture_get_height (picture, c);

    reference->channels[c] = g_new (guint16, width * height);
    for (gint i = 0; i < width * height; i++)
      reference->channels[c][i] =
          format_picture_get_component (picture, c, i % width, i / width);
  }
}

void
histogram_reference_clear (ReferenceFrame * reference)
{
  for (guint c = 0; c < G_N_ELEMENTS (reference->channels); c++)
    g_free (reference->channels[c]);
}
