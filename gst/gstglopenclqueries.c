/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclqueries.h"

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

gboolean
gst_gl_opencl_query_is_live (GstPad * pad)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  gboolean live = FALSE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  return live;
}
