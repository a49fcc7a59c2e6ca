/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates and checks the caps of OpenCL filters: the formats of oclformat.h
 * that the GL memory of this GStreamer version supports. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/graph/ocllinks.h"

G_BEGIN_DECLS

/* Returns caps with the formats that all operations of @links and the textures
 * of @gl_context support. Textures of 16 bits need desktop GL. If @links is
 * NULL, operations do not limit the formats. If @gl_context is NULL, the
 * context does not limit them. If @shared is TRUE, only shared textures can be
 * used, and the caps exclude formats that no driver shares. The caps allow any
 * size, and all other fields are free. May be called from any thread. */
GstCaps *gst_gl_opencl_caps_create (const OclLinks * links,
    GstGLContext * gl_context, gboolean shared);

/* Returns whether @gl_context has textures for @format. Caps that were
 * negotiated before the context existed may have an unsupported format. If
 * there are no textures, sets @error to OCL_ERROR_NOT_SUPPORTED with a message
 * that includes the remedy. May be called from any thread. */
gboolean gst_gl_opencl_caps_check_format (const OclFormat * format,
    GstGLContext * gl_context, GError ** error);

/* Returns whether a frame of @info consists of two interleaved fields. In a
 * mixed stream, this depends on the @flags of the buffer. May be called from
 * any thread. */
gboolean gst_gl_opencl_caps_is_interlaced (const GstVideoInfo * info,
    GstBufferFlags flags);

/* Returns the colorimetry of frames of @info. May be called from any thread. */
OclColorimetry gst_gl_opencl_caps_get_colorimetry (const GstVideoInfo * info);

G_END_DECLS
