/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backend host-copy: OpenCL works on GL memory that is mapped to the
 * host.
 *
 * Mapping copies nothing if the element is after glupload and before
 * gldownload. A device that works in host memory uses the mapped pointers
 * directly. For other devices, frames are transferred, see
 * gstglopencltransfer.h. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_host_copy;

G_END_DECLS
