/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "emitted.h"

#define META_NAME "GstGLOpenCLHistogramMeta"

GstMessage *
emitted_pop_message (GstBus * bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, EMITTED_MESSAGE))
      return message;
    gst_message_unref (message);
  }
  return NULL;
}

guint
emitted_drop_messages (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = emitted_pop_message (bus))) {
    gst_message_unref (message);
    n++;
  }
  return n;
}

guint64
emitted_get_time (const GstStructure * structure, const gchar * field)
{
  guint64 time = 0;

  fail_unless (gst_structure_get_uint64 (structure, field, &time), "%s", field);
  return time;
}

const GstStructure *
emitted_find_meta (GstBuffer * frame, const gchar * element)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (frame, &state))) {
    if (!gst_meta_info_is_custom (meta->info)
        || !gst_custom_meta_has_name ((GstCustomMeta *) meta, META_NAME))
      continue;
    const GstStructure *structure =
        gst_custom_meta_get_structure ((GstCustomMeta *) meta);
    if (!element || g_str_equal (element,
            gst_structure_get_string (structure, "element")))
      return structure;
  }
  return NULL;
}
