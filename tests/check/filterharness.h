/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopenclfilter, or another element, between glupload and gldownload in a
 * GstHarness, fed with frames in system memory. For single-threaded tests. */

#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* Adds a test that runs where CK_INCLUDE_TAGS is one of the words @tags, or not
 * set. tests/check/meson.build sets it. */
#define ADD_TAGGED(suite, tags, test) \
  G_STMT_START { \
    TCase *tagged = tcase_create (#test); \
    tcase_set_tags (tagged, tags); \
    tcase_set_timeout (tagged, 600); \
    tcase_add_test (tagged, test); \
    suite_add_tcase (suite, tagged); \
  } G_STMT_END

/* The main function of a program that runs the suite NAME_suite(). */
#define FILTER_HARNESS_MAIN(name) \
int \
main (int argc, char **argv) \
{ \
  gst_check_init (&argc, &argv); \
  return filter_harness_run_suite (name ## _suite (), #name, __FILE__); \
}

/* Runs the tests of @suite, which is in @file, and returns how many failed. If
 * some did, the process ends here, and none of its exit handlers runs: threads
 * of a failed test may still be in a driver's compiler, whose data those
 * free. */
int filter_harness_run_suite (Suite * suite, const gchar * name,
    const gchar * file);

/* Returns the next message of these types, or NULL where none comes within two
 * minutes on an idle machine. */
GstMessage *filter_harness_wait (GstBus * bus, GstMessageType types);

/* Returns @time, that something may take on an idle machine, times the number of
 * threads that want each of the machine's processors. */
GstClockTime filter_harness_scale (GstClockTime time);

typedef struct
{
  GstHarness *harness;
  GstElement *filter;           /* the element; owns a reference */
  GstBus *bus;
  GstVideoInfo info;
} FilterHarness;

/* Returns the value of interop to test, from GLOPENCL_TEST_INTEROP, or "auto"
 * if this variable is not set. */
const gchar *filter_harness_get_interop (void);

/* Returns whether OpenCL works directly on textures with the interop to
 * test. */
gboolean filter_harness_shares (void);

/* Creates a harness with glopenclfilter. @settings are its properties as in a
 * launch line. The interop is the one to test, unless @settings has another. */
void filter_harness_init (FilterHarness * self, const gchar * settings);
/* Creates a harness with @element of the plugin, like filter_harness_init(). */
void filter_harness_init_element (FilterHarness * self, const gchar * element,
    const gchar * settings);
void filter_harness_clear (FilterHarness * self);

/* Selects RGBA frames of this size. */
void filter_harness_set_size (FilterHarness * self, gint width, gint height);

/* Selects frames of any format. @fields are the fields of their caps as in a
 * launch line, starting with the format. */
void filter_harness_set_fields (FilterHarness * self, const gchar * fields);

/* Creates a frame with the selected caps. Its components have noise and edges,
 * all other bits have noise. Equal seeds give equal frames. The stride of all
 * planes is @extra_stride bytes larger than usual; 0 gives a frame without
 * video meta, if GStreamer does not need a meta. */
GstBuffer *filter_harness_create_frame (const FilterHarness * self, guint seed,
    gint extra_stride);

/* Pushes @frame, taking its reference, and pulls the output frame. */
GstBuffer *filter_harness_run (FilterHarness * self, GstBuffer * frame);

/* Returns the packed bytes of an RGBA frame. */
GBytes *filter_harness_get_bytes (const FilterHarness * self,
    GstBuffer * frame);

/* Returns the bytes of all components of a frame, one after the other, without
 * padding. */
GBytes *filter_harness_get_samples (const FilterHarness * self,
    GstBuffer * frame);

/* Returns the value of a property of the element as in a launch line. The
 * caller frees it. */
gchar *filter_harness_get_value (FilterHarness * self, const gchar * property);

/* Sets a property whose type is an array. @text is its value as in a launch
 * line. */
void filter_harness_set_array (FilterHarness * self, const gchar * property,
    const gchar * text);

/* Returns the error of the next error message on the bus, or NULL if there is
 * none. The caller frees it. */
GError *filter_harness_pop_error (FilterHarness * self, gchar ** debug);

/* Returns the warning of the next warning message on the bus, or NULL if there
 * is none. The caller frees it. */
GError *filter_harness_pop_warning (FilterHarness * self);

/* Asserts that no warning is on the bus. */
void filter_harness_assert_quiet (FilterHarness * self);

G_END_DECLS
