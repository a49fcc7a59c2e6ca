/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The host-copy way to borrow a frame: GL memory mapped to the host.
 *
 * Behind glupload and before gldownload a mapping copies nothing. A device that
 * works in host memory is given the mapped pointers themselves; for another,
 * frames are transferred, see gstglopencltransfer.h. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_host_copy;

G_END_DECLS
