/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclqueries.h"

#include <gst/gl/gl.h>

void
gst_gl_opencl_query_enlarge_pool (GstQuery * query, guint n_held)
{
  g_autoptr (GstBufferPool) pool = NULL;
  guint size, minimum, maximum;

  if (n_held == 0 || gst_query_get_n_allocation_pools (query) == 0)
    return;
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &minimum,
      &maximum);
  gst_query_set_nth_allocation_pool (query, 0, pool, size,
      minimum + n_held, maximum ? maximum + n_held : 0);
}

/* Returns the first pool of an allocation query, or NULL. The caller unrefs the
 * pool. */
static GstBufferPool *
get_pool (GstQuery * query)
{
  GstBufferPool *pool = NULL;

  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  return pool;
}

static void
set_allocator_of_pool (GstBufferPool * pool, GstAllocator * allocator)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstAllocationParams params;

  if (!gst_buffer_pool_config_get_allocator (config, NULL, &params))
    gst_allocation_params_init (&params);
  gst_buffer_pool_config_set_allocator (config, allocator, &params);
  /* If the pool rejects the allocator, its frames are copied. */
  if (!gst_buffer_pool_set_config (pool, config))
    GST_INFO_OBJECT (pool, "textures are allocated as they were");
}

gboolean
gst_gl_opencl_query_has_gl_pool (GstQuery * query)
{
  g_autoptr (GstBufferPool) pool = get_pool (query);

  return pool && GST_IS_GL_BUFFER_POOL (pool);
}

void
gst_gl_opencl_query_set_allocator (GstQuery * query, GstAllocator * allocator)
{
  g_autoptr (GstBufferPool) pool = get_pool (query);
  GstAllocationParams params;

  if (!allocator)
    return;
  /* GstBaseTransform configures the offered pool with the allocator of the
   * query. */
  gst_allocation_params_init (&params);
  if (gst_query_get_n_allocation_params (query) > 0) {
    gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
    gst_query_set_nth_allocation_param (query, 0, allocator, &params);
  } else {
    gst_query_add_allocation_param (query, allocator, &params);
  }
  if (pool && G_OBJECT_TYPE (pool) == GST_TYPE_GL_BUFFER_POOL
      && !gst_buffer_pool_is_active (pool))
    set_allocator_of_pool (pool, allocator);
}

gboolean
gst_gl_opencl_query_is_flushing (GstPad * pad)
{
  GST_OBJECT_LOCK (pad);
  gboolean flushing = GST_PAD_IS_FLUSHING (pad);
  GST_OBJECT_UNLOCK (pad);
  return flushing;
}

gboolean
gst_gl_opencl_query_is_live (GstPad * pad)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  gboolean live = FALSE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  return live;
}
