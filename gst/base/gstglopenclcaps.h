/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of frames that OpenCL filters take: the formats of oclformat.h that
 * the GL memory of this GStreamer can hold. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Those that @operation can compute with @params (NULL: all), and that
 * @gl_context (NULL: any) has textures for: those of 16 bits need desktop GL;
 * where only @shared textures serve, without those that no driver shares. Any
 * size; all other fields are free. Any thread. */
GstCaps *gst_gl_opencl_caps_create (const OclOperationClass * operation,
    gconstpointer params, GstGLContext * gl_context, gboolean shared);

/* Whether @gl_context has textures for @format; caps that were negotiated
 * before there was a context may have another. OCL_ERROR_NOT_SUPPORTED with a
 * sentence that says what to do. Any thread. */
gboolean gst_gl_opencl_caps_check_format (const OclFormat * format,
    GstGLContext * gl_context, GError ** error);

G_END_DECLS
