/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclerror.h"

#include <string.h>

void
gst_gl_opencl_error_post (GstElement * element, const GError * error)
{
  const gchar *end = strchr (error->message, '\n');
  g_autofree gchar *text = end
      ? g_strndup (error->message, end - error->message)
      : g_strdup (error->message);
  const gchar *debug = end ? end + 1 : "no further details";

  if (g_error_matches (error, OCL_ERROR, OCL_ERROR_NO_DEVICE))
    GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND, ("%s", text),
        ("%s", debug));
  else if (g_error_matches (error, OCL_ERROR, OCL_ERROR_BUILD))
    GST_ELEMENT_ERROR (element, LIBRARY, INIT, ("%s", text), ("%s", debug));
  else if (g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)
      || g_error_matches (error, OCL_ERROR, OCL_ERROR_SETTINGS))
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS, ("%s", text),
        ("%s", debug));
  else
    GST_ELEMENT_ERROR (element, RESOURCE, FAILED, ("%s", text), ("%s", debug));
}
