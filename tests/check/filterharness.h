/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopenclfilter, or another element, between glupload and gldownload in a
 * GstHarness, fed with frames in system memory. For tests of one thread. */

#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct
{
  GstHarness *harness;
  GstElement *filter;           /* the element; a reference of its own */
  GstBus *bus;
  GstVideoInfo info;
} FilterHarness;

/* The value of interop to test, from GLOPENCL_TEST_INTEROP; "auto" where that
 * is not set. */
const gchar *filter_harness_get_interop (void);

/* Whether that is a way in which OpenCL works on textures. */
gboolean filter_harness_shares (void);

/* @settings: properties of glopenclfilter as in a launch line. The interop is
 * the one to test unless @settings say other. */
void filter_harness_init (FilterHarness * self, const gchar * settings);
/* The same with another element of the plugin. */
void filter_harness_init_element (FilterHarness * self, const gchar * element,
    const gchar * settings);
void filter_harness_clear (FilterHarness * self);

/* Frames of RGBA. */
void filter_harness_set_size (FilterHarness * self, gint width, gint height);

/* Frames of any format; @fields: of their caps as in a launch line, from the
 * format on. */
void filter_harness_set_fields (FilterHarness * self, const gchar * fields);

/* A frame of what is set, of noise and edges in all components, and noise in
 * all other bits; always the same for the same @seed. @extra_stride: bytes that
 * rows of all planes are longer than usual; 0 for a frame without meta, where
 * GStreamer can do without. */
GstBuffer *filter_harness_create_frame (const FilterHarness * self, guint seed,
    gint extra_stride);

/* Pushes a frame (takes it) and pulls what comes out. */
GstBuffer *filter_harness_run (FilterHarness * self, GstBuffer * frame);

/* The bytes of a frame of RGBA, packed. */
GBytes *filter_harness_get_bytes (const FilterHarness * self,
    GstBuffer * frame);

/* The value of a property of glopenclfilter as in a launch line; free it. */
gchar *filter_harness_get_value (FilterHarness * self, const gchar * property);

/* Sets a property that is an array to what a launch line has for it. */
void filter_harness_set_array (FilterHarness * self, const gchar * property,
    const gchar * text);

/* The error message on the bus, or NULL; free it. */
GError *filter_harness_pop_error (FilterHarness * self, gchar ** debug);

/* The same for warnings. */
GError *filter_harness_pop_warning (FilterHarness * self);

/* No warning is on the bus. */
void filter_harness_assert_quiet (FilterHarness * self);

G_END_DECLS
