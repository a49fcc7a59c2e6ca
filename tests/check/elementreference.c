/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "elementreference.h"

#include <math.h>
#include <string.h>

gboolean
element_takes (const gchar * format)
{
  g_autoptr (GstElementFactory) factory =
      gst_element_factory_find ("glopenclfilter");
  g_autofree gchar *fields =
      g_strdup_printf ("video/x-raw(memory:GLMemory),format=%s", format);
  g_autoptr (GstCaps) caps = gst_caps_from_string (fields);

  return gst_element_factory_can_sink_any_caps (factory, caps)
      && gst_element_factory_can_src_any_caps (factory, caps);
}

Picture
harness_get_picture (const Harness * self, GstBuffer * frame)
{
  const OclFormat *format = ocl_format_find (GST_VIDEO_INFO_NAME (&self->info));
  Picture picture = picture_new (format, self->info.width, self->info.height);
  GstVideoFrame mapped;

  fail_unless (gst_video_frame_map (&mapped, &self->info, frame, GST_MAP_READ));
  for (guint i = 0; i < format->n_planes; i++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&mapped, i);

    for (gint y = 0;
        y < ocl_frame_info_get_plane_height (&picture.frame.info, i); y++)
      memcpy (picture_get_row (&picture, i, y),
          data + y * GST_VIDEO_FRAME_PLANE_STRIDE (&mapped, i),
          ocl_frame_info_get_row_bytes (&picture.frame.info, i));
  }
  gst_video_frame_unmap (&mapped);
  return picture;
}

gpointer
params_new (const OclOperationClass * klass, const gchar * settings)
{
  gpointer params = ocl_operation_class_create_params (klass);
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);

  for (guint i = 0; parts[i]; i++) {
    g_auto (GStrv) words = g_strsplit (parts[i], "=", 2);
    const OclParam *param =
        words[0] ? ocl_params_find (klass->params, words[0]) : NULL;

    if (param)
      fail_unless (ocl_operation_class_parse (klass, param, words[1], params));
  }
  return params;
}

void
harness_check_frame (Harness * self, GstBuffer * frame,
    const OclOperationClass * klass, gconstpointer params, const gchar * what)
{
  const Reference *reference = reference_find (klass->name);
  const gint width = self->info.width, n = width * self->info.height;
  g_autoptr (GBytes) input = harness_get_bytes (self, frame);
  g_autoptr (GstBuffer) result = harness_filter_frame (self, frame);
  g_autoptr (GBytes) output = harness_get_bytes (self, result);
  const guint8 *in = g_bytes_get_data (input, NULL);
  const guint8 *out = g_bytes_get_data (output, NULL);
  g_autofree gdouble *expected = g_new (gdouble, n * 3);

  if (!ocl_operation_class_is_neutral (klass, params))
    reference_filter_rgba (reference, params, in, width, self->info.height,
        expected);
  else
    for (gint i = 0; i < n * 3; i++)
      expected[i] = in[i / 3 * 4 + i % 3];
  for (gint i = 0; i < n; i++) {
    for (gint c = 0; c < 3; c++)
      fail_unless (fabs (out[4 * i + c] - expected[3 * i + c])
          <= 0.5 + TIE + reference->tolerance,
          "%s: pixel %d,%d channel %d is %d, the reference is %f", what,
          i % width, i / width, c, out[4 * i + c], expected[3 * i + c]);
    fail_unless_equals_int (out[4 * i + 3], in[4 * i + 3]);
  }
}
