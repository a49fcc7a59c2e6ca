/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclerror.h"

#include <string.h>

/* Returns the remedy for an OpenCL error, whose message states the fact.
 * Returns "" if the message includes the remedy. */
static const gchar *
get_advice (const GError * error)
{
  if (error->domain != OCL_ERROR)
    return "";
  switch (error->code) {
    case OCL_ERROR_NEEDS_RGB:
      return
          " Set it before the pipeline is started, or put glcolorconvert and "
          "video/x-raw(memory:GLMemory),format=RGBA before this element.";
    case OCL_ERROR_BUILD:
      return
          " Check that the disk of the driver's cache is not full and can be "
          "written (PoCL's is in POCL_CACHE_DIR or HOME), update the driver, "
          "or choose another device with the device property.";
    case OCL_ERROR_FAILED:
      return
          " Restart the pipeline; if it happens again, choose another device "
          "with the device property.";
    default:
      return "";
  }
}

/* Returns the message for users. The caller frees the text. */
static gchar *
get_text (const GError * error)
{
  const gsize length = strcspn (error->message, "\n");

  return g_strdup_printf ("%.*s%s", (gint) length, error->message,
      get_advice (error));
}

void
gst_gl_opencl_error_post (GstElement * element, const GError * error)
{
  const gchar *end = strchr (error->message, '\n');
  const gchar *debug = end ? end + 1 : "no further details";
  g_autofree gchar *text = get_text (error);

  if (g_error_matches (error, OCL_ERROR, OCL_ERROR_NO_DEVICE))
    GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND, ("%s", text),
        ("%s", debug));
  else if (g_error_matches (error, OCL_ERROR, OCL_ERROR_BUILD)
      || g_error_matches (error, OCL_ERROR, OCL_ERROR_KERNEL))
    GST_ELEMENT_ERROR (element, LIBRARY, INIT, ("%s", text), ("%s", debug));
  else if (g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)
      || g_error_matches (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB)
      || g_error_matches (error, OCL_ERROR, OCL_ERROR_SETTINGS))
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS, ("%s", text),
        ("%s", debug));
  else
    GST_ELEMENT_ERROR (element, RESOURCE, FAILED, ("%s", text), ("%s", debug));
}

void
gst_gl_opencl_error_warn (GstElement * element, const GError * error)
{
  const gchar *end = strchr (error->message, '\n');
  g_autofree gchar *text = get_text (error);

  GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS, ("%s", text), ("%s",
          end ? end + 1 : "no further details"));
}
