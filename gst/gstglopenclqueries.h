/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What frames that are held back change about queries. Streaming thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* An allocation query: @n_held more buffers are missing in its first pool. */
void gst_gl_opencl_query_enlarge_pool (GstQuery * query, guint n_held);

/* Whether what comes to @pad is live. */
gboolean gst_gl_opencl_query_is_live (GstPad * pad);

G_END_DECLS
