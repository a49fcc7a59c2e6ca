/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of the frames that OpenCL filters accept. The caps contain the
 * formats of oclformat.h that the GL memory of this GStreamer version can
 * hold. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/graph/ocllinks.h"

G_BEGIN_DECLS

/* Returns caps with the formats that all operations of @links can compute and
 * that @gl_context has textures for. Textures of 16 bits need desktop GL. If
 * @links is NULL, no operation limits the formats; if @gl_context is NULL, no
 * context does. If @shared is TRUE, only shared textures can be used, and the
 * caps leave out formats that no driver shares. The caps allow any size, and
 * all other fields are free. May be called from any thread. */
GstCaps *gst_gl_opencl_caps_create (const OclLinks * links,
    GstGLContext * gl_context, gboolean shared);

/* Returns whether @gl_context has textures for @format. Caps that were
 * negotiated before the context existed may have a format that @gl_context has
 * no textures for. If there are no textures, sets @error to
 * OCL_ERROR_NOT_SUPPORTED with a sentence that says what to do. May be called
 * from any thread. */
gboolean gst_gl_opencl_caps_check_format (const OclFormat * format,
    GstGLContext * gl_context, GError ** error);

/* Returns whether a frame of @info is two pictures, interleaved row by row.
 * Frames differ from each other only in a mixed stream; there the @flags of the
 * buffer decide. May be called from any thread. */
gboolean gst_gl_opencl_caps_is_interlaced (const GstVideoInfo * info,
    GstBufferFlags flags);

/* Returns how colours become pixels in frames of @info. May be called from any
 * thread. */
OclColorimetry gst_gl_opencl_caps_get_colorimetry (const GstVideoInfo * info);

G_END_DECLS
