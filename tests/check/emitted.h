/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histograms that glopenclfilter emitted: messages on a bus, metas of
 * buffers. Any thread; what fails ends the test. */

#pragma once

#include <gst/check/gstcheck.h>

G_BEGIN_DECLS

/* The name of the messages. */
#define EMITTED_MESSAGE "glopenclfilter-histogram"

/* The next histogram on the bus, or NULL; free it. Messages of elements before
 * it are dropped. */
GstMessage *emitted_pop_message (GstBus * bus);

/* Takes all histograms off the bus; returns how many there were. */
guint emitted_drop_messages (GstBus * bus);

/* A time of a message, which it must have, in nanoseconds. */
guint64 emitted_get_time (const GstStructure * structure, const gchar * field);

/* Of the buffer's metas that which @element added, by its name; any for NULL.
 * NULL where there is none. The buffer owns it. */
const GstStructure *emitted_find_meta (GstBuffer * frame,
    const gchar * element);

G_END_DECLS
