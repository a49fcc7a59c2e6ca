/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whole pipelines with their own threads, for tests that play them. The
 * functions assert; they are called from the thread of the test. */

#pragma once

#include "filterharness.h"

G_BEGIN_DECLS

/* How long a message may take. */
#define PIPELINE_TIMEOUT filter_harness_scale (60 * GST_SECOND)

/* Creates a pipeline from a launch line, in which FILTER stands for @element,
 * such as "glopenclfilter radius=2", with qos=false and the interop to test.
 * The caller ends it with pipeline_stop(). */
GstElement *pipeline_launch (const gchar * element, const gchar * line);

/* Waits for a message of this type; an error ends the test. */
void pipeline_wait_for (GstElement * pipeline, GstMessageType type);

/* Plays until all elements have seen the end of the stream. */
void pipeline_play_to_end (GstElement * pipeline);

/* Counts the buffers that come to the element "sink" in @n, which must live as
 * long as the pipeline. */
void pipeline_count_buffers (GstElement * pipeline, guint * n);

/* Sets the state NULL and frees the pipeline. */
void pipeline_stop (GstElement * pipeline);

G_END_DECLS
