/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies rows of pixels in host memory by several threads: one does not reach
 * what memory can do. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstGLOpenCLCopier GstGLOpenCLCopier;

/* The threads are started with the first copy that is worth them. Any
 * thread. */
GstGLOpenCLCopier *gst_gl_opencl_copier_new (void);
void gst_gl_opencl_copier_free (GstGLOpenCLCopier * copier);

/* Copies @height rows of @row_bytes, which start @target_stride and
 * @source_stride bytes apart, and waits for the end of that. One thread at a
 * time. */
void gst_gl_opencl_copier_copy (GstGLOpenCLCopier * copier, guint8 * target,
    gsize target_stride, const guint8 * source, gsize source_stride,
    gsize row_bytes, gint height);

G_END_DECLS
