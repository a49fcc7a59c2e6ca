/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the element changes about queries, and asks with them. Streaming
 * thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* An allocation query: @n_held more buffers are missing in its first pool. */
void gst_gl_opencl_query_enlarge_pool (GstQuery * query, guint n_held);

/* Whether what comes to @pad is live. */
gboolean gst_gl_opencl_query_is_live (GstPad * pad);

/* Whether @pad flushes or is not active. Any thread. */
gboolean gst_gl_opencl_query_is_flushing (GstPad * pad);

/* Whether an allocation query has a pool of GL memory: who answered it draws
 * from textures. */
gboolean gst_gl_opencl_query_has_gl_pool (GstQuery * query);

/* @allocator becomes that of an allocation query and of its first pool, where
 * that is one of GL memory that is not in use yet. NULL changes nothing. */
void gst_gl_opencl_query_set_allocator (GstQuery * query,
    GstAllocator * allocator);

G_END_DECLS
