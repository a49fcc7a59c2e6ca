/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates the OpenCL image of a GL texture (cl_khr_gl_sharing). */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* Both functions must be called on the GL thread of the GL context that @ocl
 * shares with. */

/* Returns the image of @texture, owned by the caller. @texture has the target
 * @target and is like @plane of frames of @format. Sets @bytes_swapped to
 * whether the bytes of the image are swapped, see OclFrame. Returns NULL with
 * OCL_ERROR_FAILED, or with OCL_ERROR_NOT_SUPPORTED if the image has another
 * format, in which case nothing was changed. */
cl_mem gst_gl_opencl_shared_image_new (OclContext * ocl, guint target,
    guint texture, const OclFormat * format, guint plane,
    gboolean * bytes_swapped, GError ** error);

/* Returns whether @ocl, a context that shares with @gl_context, shares textures
 * like the texture of @plane of @format. Sets @bytes_swapped to whether the
 * bytes of these textures are swapped. See gst_gl_opencl_trial_run(). */
gboolean gst_gl_opencl_shared_image_try (GstGLContext * gl_context,
    OclContext * ocl, const OclFormat * format, guint plane,
    gboolean * bytes_swapped, GError ** error);

G_END_DECLS
