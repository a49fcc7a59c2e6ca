/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that textures pass to OpenCL and back through external memory. */

#pragma once

#include "gstglopenclexternal.h"

G_BEGIN_DECLS

/* Returns whether textures for @plane of @format pass to OpenCL and back, see
 * gst_gl_opencl_trial_run(). Must be called on the GL thread. */
gboolean gst_gl_opencl_external_try (GstGLOpenCLExternal * external,
    const OclFormat * format, guint plane, GError ** error);

G_END_DECLS
