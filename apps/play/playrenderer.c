/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playrenderer.h"

#include <epoxy/gl.h>
#include <gdk/gdk.h>
#include <string.h>

/* Names of software renderers in GL_RENDERER: current and older Mesa, and
 * ANGLE. */
static const gchar *const software[] = {
  "llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader",
};

static gboolean
is_software (const gchar * renderer)
{
  for (guint i = 0; renderer && i < G_N_ELEMENTS (software); i++) {
    if (strstr (renderer, software[i]))
      return TRUE;
  }
  return !renderer;
}

gboolean
play_renderer_is_software (void)
{
  GdkWindowAttr attributes = {.window_type = GDK_WINDOW_TOPLEVEL,
    .wclass = GDK_INPUT_OUTPUT,.width = 1,.height = 1
  };
  GdkWindow *window = gdk_window_new (NULL, &attributes, 0);
  g_autoptr (GdkGLContext) context =
      gdk_window_create_gl_context (window, NULL);
  gboolean answer = TRUE;

  if (context && gdk_gl_context_realize (context, NULL)) {
    gdk_gl_context_make_current (context);
    answer = is_software ((const gchar *) glGetString (GL_RENDERER));
    gdk_gl_context_clear_current ();
  }
  gdk_window_destroy (window);
  return answer;
}
