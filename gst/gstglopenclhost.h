/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The host-copy way to borrow a frame: GL memory mapped to the host.
 *
 * Behind glupload and before gldownload a mapping copies nothing. A device that
 * works in host memory is given the mapped pointers themselves; for another,
 * frames go through pinned memory with asynchronous writes and reads, in queues
 * of their own: while one frame is filtered the next can be on its way to the
 * device and the last on its way back. */

#pragma once

#include "gstglopenclflight.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLHost GstGLOpenCLHost;

/* Keeps a reference to @ocl. Any thread. */
GstGLOpenCLHost *gst_gl_opencl_host_new (OclContext * ocl);

/* Any thread; no frame may be on its way. */
void gst_gl_opencl_host_free (GstGLOpenCLHost * host);

/* As gst_gl_opencl_interop_begin(). @scratch holds the copy of a frame that is
 * filtered in place. Streaming thread. */
gboolean gst_gl_opencl_host_begin (GstGLOpenCLHost * host,
    GstGLOpenCLFlight * flight, OclFrame * scratch, GError ** error);

/* As gst_gl_opencl_interop_finish(). Streaming thread. */
gboolean gst_gl_opencl_host_finish (GstGLOpenCLHost * host,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error);

G_END_DECLS
