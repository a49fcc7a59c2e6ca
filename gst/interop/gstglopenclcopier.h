/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies rows of pixels in host memory with several threads, because one thread
 * does not reach the memory's bandwidth. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstGLOpenCLCopier GstGLOpenCLCopier;

/* The first copy that is large enough for several threads starts them. May be
 * called from any thread. */
GstGLOpenCLCopier *gst_gl_opencl_copier_new (void);
void gst_gl_opencl_copier_free (GstGLOpenCLCopier * copier);

/* Copies @height rows of @row_bytes bytes from @source to @target, and waits
 * until the copy has finished. The rows start @target_stride and @source_stride
 * bytes apart. Must be called by one thread at a time. */
void gst_gl_opencl_copier_copy (GstGLOpenCLCopier * copier, guint8 * target,
    gsize target_stride, const guint8 * source, gsize source_stride,
    gsize row_bytes, gint height);

G_END_DECLS
