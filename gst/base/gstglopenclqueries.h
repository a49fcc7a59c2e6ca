/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes and sends queries for an element. Unless noted otherwise, must be
 * called from the streaming thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Requests @n_held more buffers in the first pool of an allocation query. */
void gst_gl_opencl_query_enlarge_pool (GstQuery * query, guint n_held);

/* Returns whether the stream at @pad is live. */
gboolean gst_gl_opencl_query_is_live (GstPad * pad);

/* Returns whether @pad is flushing or is not active. May be called from any
 * thread. */
gboolean gst_gl_opencl_query_is_flushing (GstPad * pad);

/* Returns whether an allocation query has a pool of GL memory. If so, the
 * element that answered the query draws from textures. */
gboolean gst_gl_opencl_query_has_gl_pool (GstQuery * query);

/* Sets the allocator of an allocation query to @allocator, and also the
 * allocator of its first pool, if this is an unused pool of GL memory. If
 * @allocator is NULL, nothing changes. */
void gst_gl_opencl_query_set_allocator (GstQuery * query,
    GstAllocator * allocator);

G_END_DECLS
