/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Proof that a driver shares textures of a kind: some accept everything and
 * share nothing. A small texture goes from GL to OpenCL, where its bytes are
 * inverted, and back. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/oclframe.h"

G_BEGIN_DECLS

/* Whether @image, which a driver shares a texture as, has the format that a
 * plane of @format needs, and whether its bytes are swapped, see OclFrame.
 * OCL_ERROR_NOT_SUPPORTED where it has another. Any thread. */
gboolean gst_gl_opencl_trial_check_image (cl_mem image,
    const OclFormat * format, guint plane, gboolean * bytes_swapped,
    GError ** error);

/* Whether @ocl, a context that shares with @gl_context, shares textures like
 * that of @plane of @format. Waits for both. GL thread of @gl_context.
 * OCL_ERROR_NOT_SUPPORTED or OCL_ERROR_FAILED. */
gboolean gst_gl_opencl_trial_run (GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane, gboolean * bytes_swapped,
    GError ** error);

G_END_DECLS
