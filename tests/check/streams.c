/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests each element of the plugin with events of streams: their end, seeks,
 * frames of other sizes, properties set from another thread.
 * GLOPENCL_TEST_ELEMENT chooses one element, GLOPENCL_TEST_WITHOUT leaves one
 * out. */

#include <string.h>

#include "exhaustive.h"
#include "elementharness.h"
#include "testrandom.h"

#define FRAME_DURATION (GST_SECOND / 30)

#define KERNEL "#pragma glopencl planes each\n" \
    "Pixel filter (FRAME) { return times (pixel (frame, 1, 0), 0.5f); }"

/* Elements, with settings where they need some to filter anything. */
static const gchar *const elements[] = {
  "glopenclchain operations=\"sharpen ! gradient\"",
  "glopenclconvolution matrix=<<1,2,1>,<2,4,2>,<1,2,1>>",
  "glopencldenoise",
  "glopenclfilter",
  "glopenclgradient",
  "glopenclkernel source=\"" KERNEL "\"",
  "glopenclmultiresolution",
  "glopenclsharpen",
};

#define N_ELEMENTS G_N_ELEMENTS (elements)

/* Whether an element is to be tested. */
static gboolean
is_asked (guint i)
{
  const gchar *only = g_getenv ("GLOPENCL_TEST_ELEMENT");
  const gchar *without = g_getenv ("GLOPENCL_TEST_WITHOUT");

  return (!only || g_str_has_prefix (elements[i], only))
      && !(without && g_str_has_prefix (elements[i], without));
}

/* The table has all elements of the plugin. */
TEST (test_elements)
{
  GList *features = gst_registry_get_feature_list_by_plugin
      (gst_registry_get (), "glopencl");

  fail_unless_equals_int (g_list_length (features), N_ELEMENTS);
  gst_plugin_feature_list_free (features);
}

/* The first frame after a flush, and how many there are. */
typedef struct
{
  GMutex lock;
  GCond changed;
  GstClockTime first;           /* GST_CLOCK_TIME_NONE before it comes */
  guint n;
} Segment;

static GstPadProbeReturn
watch_segment (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info,
    gpointer user_data)
{
  Segment *segment = user_data;

  g_mutex_lock (&segment->lock);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    if (segment->n++ == 0)
      segment->first = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
    g_cond_signal (&segment->changed);
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info))
      == GST_EVENT_FLUSH_STOP) {
    segment->n = 0;
    segment->first = GST_CLOCK_TIME_NONE;
  }
  g_mutex_unlock (&segment->lock);
  return GST_PAD_PROBE_OK;
}

/* The rate of frames is that of videotestsrc. */
static GstElement *
launch_endless (const gchar * element, Segment * segment)
{
  GstElement *pipeline = pipeline_new ("videotestsrc "
      "! video/x-raw,format=RGBA,width=64,height=48,framerate=30/1 ! glupload "
      "! %s qos=false interop=INTEROP ! gldownload ! fakesink name=sink",
      element);

  memset (segment, 0, sizeof (*segment));
  segment->first = GST_CLOCK_TIME_NONE;
  pipeline_add_probe (pipeline, "sink", "sink", GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      watch_segment, segment);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  pipeline_wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  return pipeline;
}

static void
seek (GstElement * pipeline, GstClockTime start, GstClockTime end)
{
  fail_unless (gst_element_seek (pipeline, 1.0, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET,
          start, GST_SEEK_TYPE_SET, end));
}

/* Waits for the first frame after a seek. */
static void
assert_first (const gchar * element, Segment * segment, GstClockTime start)
{
  const gint64 end = g_get_monotonic_time ()
      + harness_scale (60 * GST_SECOND) / 1000;
  gboolean in_time = TRUE;

  g_mutex_lock (&segment->lock);
  while (segment->first == GST_CLOCK_TIME_NONE && in_time)
    in_time = g_cond_wait_until (&segment->changed, &segment->lock, end);
  const GstClockTime first = segment->first;
  g_mutex_unlock (&segment->lock);
  fail_unless (first == start, "%s: the first frame is at %" GST_TIME_FORMAT
      ", not at %" GST_TIME_FORMAT, element, GST_TIME_ARGS (first),
      GST_TIME_ARGS (start));
}

/* At the end no frame is missing, and after it a seek starts anew. Flushing
 * seeks, also while frames are in flight: the next frame is the one at this
 * position, not a previous one. */
TEST_LOOP (test_seeks, N_ELEMENTS)
{
  const gchar *element = elements[__i__];
  Segment segment;

  if (!is_asked (__i__))
    return;
  GstElement *pipeline = launch_endless (element, &segment);
  for (guint n = 50; n > 0; n /= 3) {
    seek (pipeline, GST_SECOND, GST_SECOND + n * FRAME_DURATION);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
    assert_first (element, &segment, GST_SECOND);
    fail_unless (segment.n == n, "%s: %u frames, not %u", element, segment.n,
        n);
  }
  for (guint i = 0; i < 20; i++) {
    const GstClockTime start = (i * 7 % 20) * GST_SECOND;

    g_usleep (i * 500);
    seek (pipeline, start, GST_CLOCK_TIME_NONE);
    assert_first (element, &segment, start);
  }
  pipeline_stop (pipeline);
}

static GstPadProbeReturn
count_buffer (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer n)
{
  (*(guint *) n)++;
  return GST_PAD_PROBE_OK;
}

/* A source whose size changes while it plays. */
TEST_LOOP (test_caps_change, N_ELEMENTS)
{
  guint frames = 0;

  if (!is_asked (__i__))
    return;
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=40 "
      "is-live=true ! capsfilter name=size caps-change-mode=delayed "
      "caps=video/x-raw,format=RGBA,width=64,height=48,framerate=50/1 "
      "! glupload ! %s qos=false interop=INTEROP ! gldownload "
      "! fakesink name=sink", elements[__i__]);
  g_autoptr (GstElement) size = pipeline_get (pipeline, "size");

  pipeline_add_probe (pipeline, "sink", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      count_buffer, &frames);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (gint i = 0; i < 6; i++) {
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=RGBA,"
        "width=%d,height=%d,framerate=50/1", 33 + 50 * i, 200 - 31 * i);

    gst_util_set_object_arg (G_OBJECT (size), "caps", caps);
    g_usleep (100 * 1000);
  }
  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
  fail_unless (frames == 40, "%s: %u frames", elements[__i__], frames);
  pipeline_stop (pipeline);
}

typedef struct
{
  GstElement *filter;
  gint stop;
} Hammer;

static void
add_random_numbers (GRand * random, gint n, GValue * array)
{
  for (gint i = 0; i < n; i++) {
    GValue number = G_VALUE_INIT;

    g_value_init (&number, G_TYPE_INT);
    g_value_set_int (&number, g_rand_int_range (random, -1, 5));
    gst_value_array_append_and_take_value (array, &number);
  }
}

/* A list or a matrix of numbers, of sizes and with numbers that are none as
 * well. */
static void
set_random_array (GRand * random, GValue * value)
{
  const gint height = g_rand_int_range (random, 0, 6);
  const gint width = g_rand_int_range (random, 1, 6);

  if (height == 0 || g_rand_boolean (random)) {
    add_random_numbers (random, 2 * height, value);
    return;
  }
  for (gint j = 0; j < height; j++) {
    GValue row = G_VALUE_INIT;

    g_value_init (&row, GST_TYPE_ARRAY);
    add_random_numbers (random, width, &row);
    gst_value_array_append_and_take_value (value, &row);
  }
}

/* FALSE where it is of no type that is known. */
static gboolean
set_random_value (const GParamSpec * spec, GRand * random, GValue * value)
{
  const gdouble part = g_rand_double (random);

  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (value, part < 0.5);
  } else if (G_IS_PARAM_SPEC_INT (spec)) {
    const GParamSpecInt *numbers = (const GParamSpecInt *) spec;
    g_value_set_int (value, numbers->minimum + part
        * ((gdouble) numbers->maximum - numbers->minimum));
  } else if (G_IS_PARAM_SPEC_UINT (spec)) {
    const GParamSpecUInt *numbers = (const GParamSpecUInt *) spec;
    g_value_set_uint (value, numbers->minimum + part
        * ((gdouble) numbers->maximum - numbers->minimum));
  } else if (G_IS_PARAM_SPEC_UINT64 (spec)) {
    g_value_set_uint64 (value, part * 100 * GST_MSECOND);
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    const GParamSpecDouble *numbers = (const GParamSpecDouble *) spec;
    const gdouble limit = part < 0.2 ? G_MAXDOUBLE : 5.0;
    const gdouble minimum = MAX (numbers->minimum, -limit);
    const gdouble maximum = MIN (numbers->maximum, limit);
    g_value_set_double (value, minimum + g_rand_double (random)
        * (maximum - minimum));
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    const GEnumClass *values = G_PARAM_SPEC_ENUM (spec)->enum_class;
    g_value_set_enum (value,
        values->values[(guint) (part * values->n_values)].value);
  } else if (G_IS_PARAM_SPEC_FLAGS (spec)) {
    g_value_set_flags (value, g_rand_int (random)
        & G_PARAM_SPEC_FLAGS (spec)->flags_class->mask);
  } else if (GST_IS_PARAM_SPEC_ARRAY_LIST (spec)) {
    set_random_array (random, value);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* Sets everything that may be set while playing, several times a frame. */
static gpointer
hammer_properties (gpointer data)
{
  Hammer *hammer = data;
  GObject *object = G_OBJECT (hammer->filter);
  g_autoptr (GRand) random = test_random_new (5);
  guint n_specs = 0;
  g_autofree GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_specs);

  while (!g_atomic_int_get (&hammer->stop)) {
    for (guint i = 0; i < n_specs; i++) {
      GValue value = G_VALUE_INIT;

      if (!(specs[i]->flags & GST_PARAM_MUTABLE_PLAYING))
        continue;
      g_value_init (&value, specs[i]->value_type);
      if (set_random_value (specs[i], random, &value))
        g_object_set_property (object, specs[i]->name, &value);
      g_value_reset (&value);
      g_object_get_property (object, specs[i]->name, &value);
      g_value_unset (&value);
    }
    /* For the other threads, which may have one processor with this one. */
    g_usleep (500);
  }
  return NULL;
}

/* No frame is dropped, and none fails, whatever is set when. Most of the time is
 * that of the compiler. */
static void
check_storm (const gchar * element, const gchar * format)
{
  const guint n_frames = is_exhaustive ()? 100 : 40;
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=%u "
      "! video/x-raw,format=%s,width=64,height=48 ! glupload "
      "! %s name=filter qos=false interop=INTEROP ! gldownload "
      "! fakesink name=sink", n_frames, format, element);
  Hammer hammer = { pipeline_get (pipeline, "filter"), 0 };
  guint frames = 0;

  pipeline_add_probe (pipeline, "sink", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      count_buffer, &frames);
  /* Values set before negotiation may be refused at the start of the stream. */
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  pipeline_wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  GThread *thread = g_thread_new ("hammer", hammer_properties, &hammer);
  pipeline_play_to_end (pipeline);
  g_atomic_int_set (&hammer.stop, 1);
  g_thread_join (thread);
  fail_unless (frames == n_frames, "%s: %u frames", element, frames);
  gst_object_unref (hammer.filter);
  pipeline_stop (pipeline);
}

TEST_LOOP (test_property_storm, N_ELEMENTS)
{
  if (!is_asked (__i__))
    return;
  check_storm (elements[__i__], "RGBA");
  if (is_exhaustive ())
    check_storm (elements[__i__], "I420");
}
