/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Short pipelines around glopenclfilter that end well, or with one error in
 * time; and the test layer, with which drivers are made to fail. For tests of
 * one thread. */

#pragma once

#include <gst/check/gstcheck.h>

#include "filterharness.h"
#include "testlayer.h"

G_BEGIN_DECLS

#define PLAYER_TIMEOUT (30 * GST_SECOND)

/* What the layer exports; NULL without it. */
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

/* Before the first test. */
void player_open_layer (void);

/* Two frames in system memory, of a format and "width=W,height=H", through
 * glupload, glopenclfilter with these @settings, named "filter", and
 * gldownload. Unref it. */
GstElement *player_launch_format (const gchar * format, const gchar * size,
    const gchar * settings);
/* The same of RGBA. */
GstElement *player_launch (const gchar * size, const gchar * settings);

/* Plays until the end or an error; the first error of the filter, or NULL. Sets
 * the pipeline to NULL afterwards. */
GError *player_play (GstElement * pipeline);
void player_play_well (GstElement * pipeline);
/* Fails within a second, with a message that has all of @words. */
void player_play_badly (GstElement * pipeline, GQuark domain, gint code,
    const gchar * const *words);

/* How many files the process has open. */
guint player_count_files (void);

G_END_DECLS
