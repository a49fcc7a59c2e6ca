/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclglerror.h"

#include <gst/gl/gstglfuncs.h>

/* Far above the number of error flags of a driver. */
#define MAX_GL_ERRORS 32

void
gst_gl_opencl_gl_error_clear (const GstGLFuncs * gl)
{
  for (guint i = 0; i < MAX_GL_ERRORS && gl->GetError () != GL_NO_ERROR; i++);
}
