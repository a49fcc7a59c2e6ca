/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The host-copy way to borrow a frame: GL memory mapped to the host.
 *
 * Behind glupload and before gldownload a mapping copies nothing. A device that
 * works in host memory is given the mapped pointers themselves; for another,
 * frames go through pinned memory with asynchronous writes and reads. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLHost GstGLOpenCLHost;

/* Keeps a reference to @ocl. Any thread. */
GstGLOpenCLHost *gst_gl_opencl_host_new (OclContext * ocl);

/* Any thread; no frame may be on its way. */
void gst_gl_opencl_host_free (GstGLOpenCLHost * host);

/* As gst_gl_opencl_interop_process(). @scratch holds the copy of a frame that
 * is filtered in place. Streaming thread. */
gboolean gst_gl_opencl_host_process (GstGLOpenCLHost * host,
    OclFrame * scratch, const GstGLOpenCLWork * work, OclTimer * timer,
    guint64 * wait_time, GError ** error);

G_END_DECLS
