/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of the OpenCL side as error messages of an element. */

#pragma once

#include <gst/gst.h>

#include "opencl/core/oclerror.h"

G_BEGIN_DECLS

/* Posts @error, of the OCL_ERROR domain: its first line is for the user, the
 * others are for developers. Any thread but the GL thread. */
void gst_gl_opencl_error_post (GstElement * element, const GError * error);

G_END_DECLS
