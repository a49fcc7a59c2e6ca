/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Common code of the tests of elements: cases that add themselves, elements in
 * a GstHarness, pipelines, histograms that elements emit, and the test layer,
 * which makes drivers fail. Functions assert, and are called from the thread of
 * the test. */

#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "testlayer.h"

G_BEGIN_DECLS

/* Cases */

/* Defines a case, which adds itself to the program, and which runs @n times,
 * with __i__ from 0. If CK_INCLUDE_TAGS is set, it has to be one of the words
 * @tags: meson.build sets it. */
#define TEST_CASES(name, tags, n) \
  static void name ## _case (int __i__); \
  GST_START_TEST (name) \
  { \
    name ## _case (__i__); \
  } \
  GST_END_TEST; \
  __attribute__ ((constructor)) static void \
  name ## _add (void) \
  { \
    TCase *added = harness_add_case (#name, tags); \
    tcase_add_loop_test (added, name, 0, n); \
  } \
  static void \
  name ## _case (G_GNUC_UNUSED int __i__)
#define TEST(name) TEST_CASES (name, NULL, 1)
#define TEST_TAGGED(name, tags) TEST_CASES (name, tags, 1)
#define TEST_LOOP(name, n) TEST_CASES (name, NULL, n)

TCase *harness_add_case (const gchar * name, const gchar * tags);

/* A program may define these, which run before the first case and after the
 * last. */
__attribute__ ((weak)) void test_set_up (void);
__attribute__ ((weak)) void test_tear_down (void);

/* Returns @time, that something may take on an idle machine, times the number of
 * threads that want each of the machine's processors. */
GstClockTime harness_scale (GstClockTime time);

/* Returns the value of interop to test, from GLOPENCL_TEST_INTEROP, or
 * "auto". */
const gchar *harness_get_interop (void);
gboolean harness_has_interop (const gchar * interop);

/* Returns whether OpenCL works directly on textures with the interop to
 * test. */
gboolean harness_shares (void);

/* How many objects of OpenCL there are, 0 without the test layer, and how many
 * files the process has open. */
gint count_objects (void);
guint count_files (void);

/* The functions that the test layer exports. They are NULL without it. */
typedef struct
{
  __typeof__ (&glopencl_layer_set_fault) set_fault;
  __typeof__ (&glopencl_layer_set_lasting_fault) set_lasting_fault;
  __typeof__ (&glopencl_layer_fault_hit) fault_hit;
  __typeof__ (&glopencl_layer_function_name) function_name;
  __typeof__ (&glopencl_layer_live_objects) live_objects;
  __typeof__ (&glopencl_layer_calls) calls;
  __typeof__ (&glopencl_layer_reset_counts) reset_counts;
} Layer;

extern Layer layer;

/* Elements in a GstHarness, single-threaded */

typedef struct
{
  GstHarness *harness;
  GstElement *filter;           /* owns a reference */
  GstBus *bus;
  GstVideoInfo info;
} Harness;

/* The fields of RGBA frames. */
#define RGBA(width, height) \
  "format=RGBA,width=" #width ",height=" #height

/* Creates a harness with an element between glupload and gldownload. @element
 * is its name and its properties as in a launch line. The interop is the one to
 * test, and frames wait for the compiler, unless @element has other values.
 * @fields are those of the frames' caps, starting with the format, or NULL. Free
 * it with harness_free(). */
Harness *harness_new (const gchar * fields, const gchar * element, ...)
    G_GNUC_PRINTF (2, 3);
void harness_free (Harness * self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Harness, harness_free)

/* Selects other frames. */
void harness_set_fields (Harness * self, const gchar * fields, ...)
    G_GNUC_PRINTF (2, 3);
void harness_set_size (Harness * self, gint width, gint height);

/* Creates a frame with the selected caps. Its components have noise and edges,
 * all other bits have noise. Equal seeds give equal frames. The stride of all
 * planes is @extra_stride bytes larger than usual. 0 gives a frame without
 * video meta, if GStreamer does not need a meta. */
GstBuffer *harness_create_padded_frame (const Harness * self, guint seed,
    gint extra_stride);
GstBuffer *harness_create_frame (const Harness * self, guint seed);

/* The time between two frames of a stream. */
#define FRAME_MS 40
#define FRAME_TIME (FRAME_MS * GST_MSECOND)

/* Creates frame @n of a stream: equal seeds are equal numbers. Its duration is
 * a little shorter than FRAME_TIME, and depends on its number. */
GstBuffer *harness_create_nth_frame (const Harness * self, guint n);
void harness_push_nth (Harness * self, guint n);
/* Pulls the next frame, which has the times of frame @n, without waiting. */
GstBuffer *harness_pull_nth (Harness * self, guint n);

/* Push @frame, taking its reference. */
void harness_push (Harness * self, GstBuffer * frame);
GstBuffer *harness_filter_frame (Harness * self, GstBuffer * frame);

/* Push events: a new segment after a flush, too. */
void harness_push_event (Harness * self, GstEvent * event);
void harness_push_segment (Harness * self);
void harness_flush (Harness * self);
void harness_end (Harness * self);

/* Returns the bytes of all components of a frame, one after the other, without
 * padding. */
GBytes *harness_get_samples (const Harness * self, GstBuffer * frame);
/* Returns the packed bytes of an RGBA frame. */
GBytes *harness_get_bytes (const Harness * self, GstBuffer * frame);

/* Return the samples of frame @seed, the element's output for it, and the
 * output of harness_pull_nth(). */
GBytes *harness_get_input (const Harness * self, guint seed);
GBytes *harness_filter (Harness * self, guint seed);
GBytes *harness_pull_samples (Harness * self, guint n);

void assert_same_bytes (GBytes * found, GBytes * wanted, const gchar * what,
    ...) G_GNUC_PRINTF (3, 4);

/* Sets a property whose type is an array, or an enumeration. @text is its value
 * as in a launch line. */
void harness_set_array (Harness * self, const gchar * property,
    const gchar * text);
void harness_set (Harness * self, const gchar * property, const gchar * text);

/* Takes the next error, or warning, from the bus: it has @code of
 * GST_RESOURCE_ERROR, or any code where that is -1, and all of @words, separated
 * by "|", and none that is after a "!". */
void harness_assert_error (Harness * self, gint code, const gchar * words);
void harness_assert_warning (Harness * self, const gchar * words);
/* Returns the next warning, or NULL if there is none. */
GError *harness_pop_warning (Harness * self);
/* Asserts that no error and no warning is on the bus. */
void harness_assert_quiet (Harness * self);

/* Elements */

/* Returns the value of a property as in a launch line. The caller frees it. */
gchar *element_get_value (GstElement * element, const gchar * property);
void element_assert_value (GstElement * element, const gchar * property,
    const gchar * wanted);
/* Asserts that a property that is a string has this value. */
void element_assert_text (GstElement * element, const gchar * property,
    const gchar * wanted);
/* Returns numbers of the property stats. */
guint64 element_get_stat (GstElement * element, const gchar * name);
/* Asserts that the name of the variant in use starts with @prefix. */
void element_assert_variant (GstElement * element, const gchar * prefix);

/* Makes a property of an object, an element or a child, follow the time: it is
 * @slope after a second, for 10 seconds. */
void object_animate (gpointer object, const gchar * property, gdouble slope);

/* Pipelines */

/* Creates a pipeline from a launch line, in which INTEROP stands for the interop
 * to test. The caller unrefs it. */
GstElement *pipeline_new (const gchar * line, ...) G_GNUC_PRINTF (1, 2);

/* Creates a pipeline with two frames in system memory, with these fields, which
 * go through glupload, @element, such as "glopenclfilter radius=2", and
 * gldownload. The first element is named "source" and @element "filter". */
GstElement *pipeline_new_filter (const gchar * fields, const gchar * element,
    ...) G_GNUC_PRINTF (2, 3);

/* Returns an element of a pipeline. The caller unrefs it. */
GstElement *pipeline_get (GstElement * pipeline, const gchar * element);

/* Adds a probe to a pad of an element of a pipeline, or of the harness'
 * element. */
void pipeline_add_probe (GstElement * pipeline, const gchar * element,
    const gchar * pad, GstPadProbeType type, GstPadProbeCallback callback,
    gpointer data);
void element_add_probe (GstElement * element, const gchar * pad,
    GstPadProbeType type, GstPadProbeCallback callback, gpointer data);

/* Returns the next message of these types, or NULL where none comes within two
 * minutes on an idle machine. */
GstMessage *bus_wait (GstBus * bus, GstMessageType types);
/* Waits for a message of this type. An error ends the test. */
void pipeline_wait_for (GstElement * pipeline, GstMessageType type);

/* Sets the state PAUSED, and waits for it. */
void pipeline_pause (GstElement * pipeline);
/* Plays until all elements have seen the end of the stream. */
void pipeline_play_to_end (GstElement * pipeline);
/* Sets the state NULL and frees the pipeline. */
void pipeline_stop (GstElement * pipeline);

/* Plays until the end or an error, then sets the pipeline to the state NULL.
 * Returns the first error of the element "filter", or NULL if there was
 * none. */
GError *pipeline_play (GstElement * pipeline);
void pipeline_play_well (GstElement * pipeline);
/* Plays, and asserts that the filter fails within a second on an idle machine,
 * with this error and a message that has all @words, separated by "|". */
void pipeline_play_badly (GstElement * pipeline, GQuark domain, gint code,
    const gchar * words);

#define MAX_FUNCTIONS 256

/* Plays well, and sets @calls to how often each function of the test layer is
 * called from frame @first that leaves "filter" to frame @last. */
void pipeline_count_calls (GstElement * pipeline, guint first, guint last,
    guint calls[MAX_FUNCTIONS]);

/* Histograms, from any thread */

/* The name of the messages. */
#define HISTOGRAM_MESSAGE "glopenclfilter-histogram"

/* Returns the next histogram message on the bus, or NULL if there is none.
 * Drops the element messages before it. */
GstMessage *bus_pop_histogram (GstBus * bus);
/* Drops all histogram messages on the bus. Returns how many there were. */
guint bus_drop_histograms (GstBus * bus);

/* Returns the time in @field of a message, which must have this field. */
guint64 structure_get_time (const GstStructure * structure,
    const gchar * field);

/* Returns the histogram meta that the element named @element added to the
 * buffer, or any histogram meta if @element is NULL. Returns NULL if there is
 * none. The buffer owns the structure. */
const GstStructure *buffer_find_histogram (GstBuffer * frame,
    const gchar * element);

G_END_DECLS
