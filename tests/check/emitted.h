/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the histograms that glopenclfilter emitted as messages on a bus or as
 * metas of buffers. Functions may be called from any thread. Every failure ends
 * the test. */

#pragma once

#include <gst/check/gstcheck.h>

G_BEGIN_DECLS

/* The name of the messages. */
#define EMITTED_MESSAGE "glopenclfilter-histogram"

/* Returns the next histogram message on the bus, or NULL if there is none. The
 * caller frees it. Drops the element messages before it. */
GstMessage *emitted_pop_message (GstBus * bus);

/* Drops all histogram messages on the bus. Returns how many there were. */
guint emitted_drop_messages (GstBus * bus);

/* Returns the time in @field of a message, in nanoseconds. The message must
 * have this field. */
guint64 emitted_get_time (const GstStructure * structure, const gchar * field);

/* Returns the histogram meta that the element named @element added to the
 * buffer, or any histogram meta if @element is NULL. Returns NULL if there is
 * none. The buffer owns the structure. */
const GstStructure *emitted_find_meta (GstBuffer * frame,
    const gchar * element);

G_END_DECLS
