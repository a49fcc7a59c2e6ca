/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clears OpenGL errors of other code. */

#pragma once

#include <gst/gl/gl.h>

G_BEGIN_DECLS

/* Clears the errors of earlier calls, so that the next error belongs to a later
 * call. A lost context reports errors without end, so the number of errors that
 * are cleared is limited. Must be called on the GL thread. */
void gst_gl_opencl_gl_error_clear (const GstGLFuncs * gl);

G_END_DECLS
