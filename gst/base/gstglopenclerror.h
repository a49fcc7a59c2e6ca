/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of the OpenCL side as messages of an element. */

#pragma once

#include <gst/gst.h>

#include "opencl/core/oclerror.h"

G_BEGIN_DECLS

/* Both take errors of the OCL_ERROR domain, whose first line is a fact, to
 * which they add what a user of a pipeline can do; or of GST_RESOURCE_ERROR,
 * which say that themselves. */

/* Posts @error: its first line is for the user, the others are for developers.
 * Any thread but the GL thread. */
void gst_gl_opencl_error_post (GstElement * element, const GError * error);

/* Posts a warning: a parameter cannot be what it was set to, for @error. Any
 * thread. */
void gst_gl_opencl_error_warn (GstElement * element, const GError * error);

G_END_DECLS
