/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes and sends queries for an element. Call the functions from the
 * streaming thread, unless a function says otherwise. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Asks for @n_held more buffers in the first pool of an allocation query. */
void gst_gl_opencl_query_enlarge_pool (GstQuery * query, guint n_held);

/* Returns whether the stream that comes to @pad is live. */
gboolean gst_gl_opencl_query_is_live (GstPad * pad);

/* Returns whether @pad is flushing or is not active. May be called from any
 * thread. */
gboolean gst_gl_opencl_query_is_flushing (GstPad * pad);

/* Returns whether an allocation query has a pool of GL memory. If it has one,
 * the element that answered the query draws from textures. */
gboolean gst_gl_opencl_query_has_gl_pool (GstQuery * query);

/* Makes @allocator the allocator of an allocation query. If the first pool of
 * the query is a pool of GL memory that is not in use yet, makes @allocator its
 * allocator, too. If @allocator is NULL, nothing changes. */
void gst_gl_opencl_query_set_allocator (GstQuery * query,
    GstAllocator * allocator);

G_END_DECLS
