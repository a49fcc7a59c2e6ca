/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The image that a driver shares a GL texture as (cl_khr_gl_sharing). */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* GL thread of the GL context that @ocl shares with, for both. */

/* The image of @texture, which has that @target and is like @plane of frames of
 * @format; the caller owns it. Sets @bytes_swapped to whether its bytes are,
 * see OclFrame. NULL with OCL_ERROR_FAILED, or with OCL_ERROR_NOT_SUPPORTED
 * where the image has another format; nothing was touched then. */
cl_mem gst_gl_opencl_shared_image_new (OclContext * ocl, guint target,
    guint texture, const OclFormat * format, guint plane,
    gboolean * bytes_swapped, GError ** error);

/* Whether @ocl, a context that shares with @gl_context, shares textures like
 * that of @plane of @format, and whether their bytes are swapped. See
 * gst_gl_opencl_trial_run(). */
gboolean gst_gl_opencl_shared_image_try (GstGLContext * gl_context,
    OclContext * ocl, const OclFormat * format, guint plane,
    gboolean * bytes_swapped, GError ** error);

G_END_DECLS
