/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisegl.h"

#include <CL/cl.h>
#include <gst/gl/gl.h>

void
denoise_gl_prepare (GstElement * pipeline)
{
  cl_uint n_platforms;

  /* This loads the OpenCL drivers. PoCL and Mesa may load two versions of LLVM,
   * of which PoCL's must be loaded first. Elements report a failure. */
  (void) clGetPlatformIDs (0, NULL, &n_platforms);
  if (g_getenv ("GST_GL_API"))
    return;

  g_autoptr (GstGLDisplay) display = gst_gl_display_new ();
  g_autoptr (GstGLContext) gl_context = NULL;
  gboolean created;

  gst_gl_display_filter_gl_api (display, GST_GL_API_OPENGL3);
  GST_OBJECT_LOCK (display);
  created = gst_gl_display_create_context (display, NULL, &gl_context, NULL)
      && gst_gl_display_add_context (display, gl_context);
  GST_OBJECT_UNLOCK (display);
  if (!created)
    return;

  g_autoptr (GstContext) context =
      gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);
  gst_context_set_gl_display (context, display);
  gst_element_set_context (pipeline, context);
}
