/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of the OpenCL side as error messages of an element, and OpenGL's that
 * others have left behind. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/oclerror.h"

G_BEGIN_DECLS

/* Posts @error, of the OCL_ERROR domain: its first line is for the user, the
 * others are for developers. Any thread but the GL thread. */
void gst_gl_opencl_error_post (GstElement * element, const GError * error);

/* Takes the errors of calls that came before, so that the next one is of a call
 * that comes after. A context that is lost gives errors for ever: not all of them
 * are waited for. GL thread. */
void gst_gl_opencl_error_clear_gl (const GstGLFuncs * gl);

G_END_DECLS
