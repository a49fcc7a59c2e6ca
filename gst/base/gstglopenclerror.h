/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Posts OpenCL errors as messages of an element. */

#pragma once

#include <gst/gst.h>

#include "opencl/core/oclerror.h"

G_BEGIN_DECLS

/* Both functions take errors of the domains OCL_ERROR and GST_RESOURCE_ERROR.
 * The first line of an OCL_ERROR states a fact. The functions add the remedy
 * for users of a pipeline. A GST_RESOURCE_ERROR already includes the remedy. */

/* Posts @error as an error message. The first line of @error is for the user,
 * the other lines are for developers. May be called from any thread except the
 * GL thread. */
void gst_gl_opencl_error_post (GstElement * element, const GError * error);

/* Posts a warning that a parameter rejected a value. @error is the reason. May
 * be called from any thread. */
void gst_gl_opencl_error_warn (GstElement * element, const GError * error);

G_END_DECLS
