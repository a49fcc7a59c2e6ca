/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Registers the elements without using OpenCL. */

#include "elements/gstglopenclchain.h"
#include "elements/gstglopenclelements.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_debug

/* The OpenCL side uses GLib only. */
static void
forward_log (const gchar * domain, GLogLevelFlags level, const gchar * message,
    gpointer user_data)
{
  (void) domain;
  (void) user_data;
  if (level & G_LOG_LEVEL_INFO)
    GST_INFO ("%s", message);
  else
    GST_DEBUG ("%s", message);
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_debug, "glopencl", 0,
      "OpenCL operations");
  g_log_set_handler (G_LOG_DOMAIN, G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG,
      forward_log, NULL);
  return GST_ELEMENT_REGISTER (glopenclchain, plugin)
      && GST_ELEMENT_REGISTER (glopenclconvolution, plugin)
      && GST_ELEMENT_REGISTER (glopencldenoise, plugin)
      && GST_ELEMENT_REGISTER (glopenclfilter, plugin)
      && GST_ELEMENT_REGISTER (glopenclgradient, plugin)
      && GST_ELEMENT_REGISTER (glopenclkernel, plugin)
      && GST_ELEMENT_REGISTER (glopenclmultiresolution, plugin)
      && GST_ELEMENT_REGISTER (glopenclsharpen, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, glopencl,
    "OpenCL filters on OpenGL textures", plugin_init, PACKAGE_VERSION, "LGPL",
    "gst-glopencl", PACKAGE_ORIGIN)
