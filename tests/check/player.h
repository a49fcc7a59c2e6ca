/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plays short pipelines around glopenclfilter, which must end well, or with one
 * error in time. Also gives access to the test layer, which makes drivers fail.
 * For single-threaded tests. */

#pragma once

#include <gst/check/gstcheck.h>

#include "filterharness.h"
#include "testlayer.h"

G_BEGIN_DECLS

#define PLAYER_TIMEOUT filter_harness_scale (100 * GST_SECOND)

/* The functions that the test layer exports. They are NULL without the
 * layer. */
typedef struct
{
  __typeof__ (&glopencl_layer_set_fault) set_fault;
  __typeof__ (&glopencl_layer_set_lasting_fault) set_lasting_fault;
  __typeof__ (&glopencl_layer_fault_hit) fault_hit;
  __typeof__ (&glopencl_layer_function_name) function_name;
  __typeof__ (&glopencl_layer_live_objects) live_objects;
  __typeof__ (&glopencl_layer_calls) calls;
  __typeof__ (&glopencl_layer_reset_counts) reset_counts;
} PlayerLayer;

extern PlayerLayer layer;

/* Looks up the functions of the layer. Must be called before the first test. */
void player_open_layer (void);

/* Creates a pipeline with two frames in system memory, of @format and of @size,
 * such as "width=W,height=H", which go through glupload, glopenclfilter and
 * gldownload. glopenclfilter has @settings and the name "filter". The caller
 * unrefs the pipeline. */
GstElement *player_launch_format (const gchar * format, const gchar * size,
    const gchar * settings);
/* Creates a pipeline like player_launch_format(), with another element. */
GstElement *player_launch_element (const gchar * element, const gchar * format,
    const gchar * size, const gchar * settings);
/* Creates a pipeline like player_launch_format(), for RGBA frames. */
GstElement *player_launch (const gchar * size, const gchar * settings);

/* Plays until the end or an error, then sets the pipeline to the state NULL.
 * Returns the first error of the filter, or NULL if there was none. */
GError *player_play (GstElement * pipeline);
void player_play_well (GstElement * pipeline);
/* Plays, and asserts that the filter fails within a second on an idle machine,
 * with this error and a message that has all @words. */
void player_play_badly (GstElement * pipeline, GQuark domain, gint code,
    const gchar * const *words);

/* Returns how many objects of OpenCL there are; 0 without the layer. */
gint player_count_objects (void);

/* Returns how many files the process has open. */
guint player_count_files (void);

G_END_DECLS
