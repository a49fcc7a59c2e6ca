/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of OpenGL that others have left behind. */

#pragma once

#include <gst/gl/gl.h>

G_BEGIN_DECLS

/* Takes the errors of calls that came before, so that the next error is of a
 * call that comes after. A context that is lost gives errors for ever: not all
 * of them are waited for. GL thread. */
void gst_gl_opencl_gl_error_clear (const GstGLFuncs * gl);

G_END_DECLS
