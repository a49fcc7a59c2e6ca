/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies rows of pixels in host memory with several threads: one thread cannot
 * use all the speed of the memory. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstGLOpenCLCopier GstGLOpenCLCopier;

/* The first copy that is worth several threads starts them. Any thread may call
 * these functions. */
GstGLOpenCLCopier *gst_gl_opencl_copier_new (void);
void gst_gl_opencl_copier_free (GstGLOpenCLCopier * copier);

/* Copies @height rows of @row_bytes bytes from @source to @target, and waits
 * until the copy is done. The rows start @target_stride and @source_stride
 * bytes apart. Only one thread at a time may call this function. */
void gst_gl_opencl_copier_copy (GstGLOpenCLCopier * copier, guint8 * target,
    gsize target_stride, const guint8 * source, gsize source_stride,
    gsize row_bytes, gint height);

G_END_DECLS
