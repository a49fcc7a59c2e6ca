/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Registers the elements; touches no OpenCL. */

#include "gstglopenclfilter.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  return GST_ELEMENT_REGISTER (glopenclfilter, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, glopencl,
    "OpenCL filters on OpenGL textures", plugin_init, PACKAGE_VERSION, "LGPL",
    "gst-glopencl", PACKAGE_ORIGIN)
