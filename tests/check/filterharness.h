/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopenclfilter between glupload and gldownload in a GstHarness, fed with
 * frames in system memory. For tests of one thread. */

#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct
{
  GstHarness *harness;
  GstElement *filter;           /* glopenclfilter, owned by the harness's bin */
  GstBus *bus;
  GstVideoInfo info;
} FilterHarness;

/* The value of interop to test, from GLOPENCL_TEST_INTEROP; "auto" where that
 * is not set. */
const gchar *filter_harness_get_interop (void);

/* @settings: properties of glopenclfilter as in a launch line. The interop is
 * the one to test unless @settings say other. */
void filter_harness_init (FilterHarness * self, const gchar * settings);
void filter_harness_clear (FilterHarness * self);

void filter_harness_set_size (FilterHarness * self, gint width, gint height);

/* A frame of the size set, of noise and edges; always the same for the same
 * @seed. @extra_stride more bytes a row than the pixels need. */
GstBuffer *filter_harness_create_frame (const FilterHarness * self, guint seed,
    gint extra_stride);

/* Pushes a frame (takes it) and pulls what comes out. */
GstBuffer *filter_harness_run (FilterHarness * self, GstBuffer * frame);

/* The RGBA bytes of a frame, packed. */
GBytes *filter_harness_get_bytes (const FilterHarness * self,
    GstBuffer * frame);

/* The error message on the bus, or NULL; free it. */
GError *filter_harness_pop_error (FilterHarness * self, gchar ** debug);

G_END_DECLS
