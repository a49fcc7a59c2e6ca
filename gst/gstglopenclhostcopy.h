/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The host-copy way to borrow a frame: GL memory mapped to the host.
 *
 * Behind glupload and before gldownload a mapping copies nothing. A device that
 * works in host memory is given the mapped pointers themselves; for another,
 * frames go through pinned memory with asynchronous writes and reads, in queues
 * of their own: while one frame is filtered the next can be sent to the device
 * and the last be read from it. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_host_copy;

G_END_DECLS
