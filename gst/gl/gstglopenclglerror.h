/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clears OpenGL errors that other code has left behind. */

#pragma once

#include <gst/gl/gl.h>

G_BEGIN_DECLS

/* Clears the errors of earlier calls, so that the next error belongs to a later
 * call. A lost context gives errors for ever, so not all of them are waited
 * for. Call it on the GL thread. */
void gst_gl_opencl_gl_error_clear (const GstGLFuncs * gl);

G_END_DECLS
