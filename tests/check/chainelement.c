/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclchain as an element: its frames against those of the elements in
 * a row, how often frames are borrowed, operations that change while frames
 * flow, children, presets and statistics. */

#include <string.h>

#include "elementharness.h"

#define SIZE RGBA (64, 48)
/* OCL_SPECTRUM_MEMORY */
#define MEMORY 19

static Harness *
start (const gchar * settings)
{
  return harness_new (SIZE, "glopenclchain %s", settings);
}

/* Chains, and the elements in a row. */
static const gchar *const rows[][4] = {
  {"bilateral radius=2 ! sharpen radius=1 alpha=2 beta=-1 ! gradient",
        "glopenclfilter radius=2", "glopenclsharpen radius=1 alpha=2 beta=-1",
      "glopenclgradient"},
  {"convolution matrix=<<1,2,1>> ! multiresolution levels=2 ! denoise "
        "noise=4 history=1", "glopenclconvolution matrix=<<1,2,1>>",
      "glopenclmultiresolution levels=2", "glopencldenoise noise=4 history=1"},
};

static const gchar *const row_fields[] = { SIZE,
  "format=I420,width=64,height=48"
};

TEST_LOOP (test_rows, 4)
{
  const gchar *const *row = rows[__i__ / 2];
  const gchar *fields = row_fields[__i__ % 2];
  g_autoptr (Harness) chain = harness_new (fields,
      "glopenclchain exact=true operations=\"%s\"", row[0]);
  Harness *single[3];

  for (guint i = 0; i < 3; i++)
    single[i] = harness_new (fields, "%s", row[1 + i]);
  for (guint n = 0; n < 3; n++) {
    GstBuffer *frame = harness_create_frame (chain, n);
    g_autoptr (GBytes) found = harness_filter (chain, n);

    for (guint i = 0; i < 3; i++)
      frame = harness_filter_frame (single[i], frame);
    g_autoptr (GBytes) wanted = harness_get_samples (chain, frame);
    gst_buffer_unref (frame);
    assert_same_bytes (found, wanted, "%s", row[0]);
  }
  for (guint i = 0; i < 3; i++)
    harness_free (single[i]);
  harness_assert_quiet (chain);
}

/* Calls that take a frame from OpenGL, give it back, or wait. Events are read
 * when the frame is done. */
static const gchar *const trips[] = {
  "clEnqueueAcquireGLObjects", "clEnqueueReleaseGLObjects",
  "clEnqueueMapBuffer", "clEnqueueMapImage", "clEnqueueUnmapMemObject",
  "clFinish", NULL
};

/* Counts the calls of 20 frames. */
static void
count_calls (const gchar * operations, guint calls[MAX_FUNCTIONS])
{
  g_autoptr (GstElement) pipeline = pipeline_new ("gltestsrc num-buffers=50 "
      "! video/x-raw(memory:GLMemory),format=RGBA,width=64,height=48 "
      "! glopenclchain name=filter qos=false interop=INTEROP "
      "operations=\"%s\" ! fakesink", operations);

  pipeline_count_calls (pipeline, 20, 40, calls);
}

/* A chain takes a frame and gives it back as often as a single operation does,
 * and makes nothing. */
TEST (test_calls)
{
  guint one[MAX_FUNCTIONS], five[MAX_FUNCTIONS];
  const gchar *function;

  if (!layer.calls)
    return;
  count_calls ("sharpen radius=1", one);
  count_calls ("sharpen radius=1 ! bilateral radius=1 ! denoise strength=0 ! "
      "gradient ! sharpen radius=2", five);
  for (guint i = 0; (function = layer.function_name (i)); i++) {
    const gboolean makes = g_str_has_prefix (function, "clCreate")
        || g_str_has_prefix (function, "clBuild");

    if (makes || g_strv_contains (trips, function))
      fail_unless (five[i] == one[i], "%s: %u calls, not %u", function,
          five[i], one[i]);
    fail_unless (!makes || one[i] == 0 || (!harness_shares ()
            && g_str_equal (function, "clCreateBuffer")), "%s: %u calls",
        function, one[i]);
    if (harness_has_interop ("gl-sharing")
        && g_str_equal (function, "clEnqueueAcquireGLObjects"))
      fail_unless_equals_int (five[i], 20);
  }
}

#define INVERT "kernel 'source=Pixel filter (FRAME) { return minus (grey " \
    "(1.0f), pixel (frame, 0, 0)); }'"

/* On a GPU the previous operations filter until the new ones are built. */
#define MAX_FRAMES 2000

/* Filters frame @seed until it is that of other operations than @before. */
static GBytes *
run_until_changed (Harness * h, guint seed, GBytes * before)
{
  GBytes *found = harness_filter (h, seed);

  for (guint n = 0; n < MAX_FRAMES && g_bytes_equal (found, before); n++) {
    g_usleep (5000);
    g_bytes_unref (found);
    found = harness_filter (h, seed);
  }
  return found;
}

/* Operations are replaced between two frames. */
TEST_TAGGED (test_replace, "chain-host-copy-gpu")
{
  static const gchar *const texts[] = {
    INVERT, "gradient ! sharpen", "", "sharpen ! " INVERT " ! " INVERT,
    "denoise noise=3 history=0", "bilateral radius=1",
  };
  g_autoptr (Harness) h = start ("exact=true operations=\"sharpen radius=1\"");

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (Harness) fresh = start ("exact=true");
    g_autoptr (GBytes) before = harness_filter (h, i);

    g_object_set (h->filter, "operations", texts[i], NULL);
    g_autoptr (GBytes) found = run_until_changed (h, i, before);
    g_object_set (fresh->filter, "operations", texts[i], NULL);
    g_autoptr (GBytes) wanted = harness_filter (fresh, i);
    assert_same_bytes (found, wanted, "%s", texts[i]);
  }
}

/* A wrong text, or operations that the frames do not suit, leave the previous
 * operations in use, with one warning. */
static const gchar *const refused[][3] = {
  {SIZE, "sharpen !", "Operation 2 is missing"},
  {SIZE, "sharpen ! blur", "Operation 2: there is no operation"},
  {SIZE, "sharpen ! kernel 'source=Pixel filter (FRAME) { return nothing; }'",
      "Operation 2, kernel: "},
  {"format=I420,width=64,height=48", "sharpen ! " INVERT,
      "Operation 2, kernel: "},
};

/* Each case follows operations that filter, and none. */
TEST_CASES (test_refused, "chain-host-copy-gpu", 2 * G_N_ELEMENTS (refused))
{
  const gchar *const *row = refused[__i__ / 2];
  const gchar *good = __i__ % 2 ? "" : "bilateral radius=1";
  g_autoptr (Harness) h = harness_new (row[0],
      "glopenclchain exact=true operations=\"%s\"", good);
  g_autoptr (GBytes) wanted = harness_filter (h, 5);
  g_autoptr (GError) warning = NULL;

  g_object_set (h->filter, "operations", row[1], NULL);
  for (guint n = 0; n < MAX_FRAMES && !warning; n++) {
    g_bytes_unref (harness_filter (h, 5));
    g_usleep (n > 0 ? 5000 : 0);
    warning = harness_pop_warning (h);
  }
  g_autoptr (GBytes) found = harness_filter (h, 5);
  fail_unless (warning && strstr (warning->message, row[2]), "%s",
      warning ? warning->message : row[1]);
  harness_assert_quiet (h);
  assert_same_bytes (found, wanted, "%s", row[1]);
  /* Build failures are known only later. */
  if (__i__ / 2 < 2)
    element_assert_text (h->filter, "operations", good);
}

/* Operations that are refused before the start stop it. */
TEST (test_start)
{
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc "
      "num-buffers=2 ! glupload ! glopenclchain name=filter "
      "operations=\"blur\" ! fakesink");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");

  pipeline_play_badly (pipeline, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "Operation 1|blur");
  g_object_set (filter, "operations", "gradient", NULL);
  pipeline_play_well (pipeline);
}

#define GAIN "kernel 'source=#pragma glopencl argument gain 0 4 1\n" \
    "Pixel filter (FRAME) { return times (pixel (frame, 0, 0), info.gain); }'"

/* Parameters are children's properties, which frames follow. */
TEST_TAGGED (test_children, "chain-host-copy-gpu")
{
  g_autoptr (Harness) h = start ("operations=\"sharpen radius=1 ! bilateral "
      "! sharpen radius=2\"");
  GstChildProxy *proxy = GST_CHILD_PROXY (h->filter);
  guint radius = 0;
  gdouble gain = 0.0;

  fail_unless_equals_int (gst_child_proxy_get_children_count (proxy), 3);
  gst_child_proxy_get (proxy, "sharpen1::radius", &radius, NULL);
  fail_unless_equals_int (radius, 2);
  g_autoptr (GBytes) before = harness_filter (h, 1);
  gst_child_proxy_set (proxy, "sharpen1::radius", 4, "bilateral0::radius", 1,
      NULL);
  g_autoptr (GBytes) after = harness_filter (h, 1);
  fail_if (g_bytes_equal (before, after));
  static const gchar text[] =
      "sharpen radius=1 ! bilateral radius=1 ! sharpen radius=4";
  element_assert_text (h->filter, "operations", text);
  g_object_set (h->filter, "operations", text, NULL);
  g_autoptr (GBytes) again = harness_filter (h, 1);
  assert_same_bytes (again, after, "%s", text);

  /* A child that is replaced may be kept, and does nothing. */
  g_autoptr (GObject) child =
      gst_child_proxy_get_child_by_name (proxy, "sharpen0");
  g_object_set (h->filter, "operations", GAIN " gain=0.5", NULL);
  g_object_set (child, "radius", 5, NULL);
  gst_child_proxy_get (proxy, "kernel0::gain::value", &gain, NULL);
  fail_unless (gain == 0.5);
  g_autoptr (GBytes) half = run_until_changed (h, 1, again);
  gst_child_proxy_set (proxy, "kernel0::gain::value", 1.0, NULL);
  g_autoptr (GBytes) whole = harness_filter (h, 1);
  fail_if (g_bytes_equal (half, whole));
  harness_assert_quiet (h);

  /* So does a kernel, which has the children that it had. */
  g_autoptr (GObject) kernel =
      gst_child_proxy_get_child_by_name (proxy, "kernel0");
  g_object_set (h->filter, "operations", "sharpen ! denoise", NULL);
  fail_unless_equals_int (gst_child_proxy_get_children_count (GST_CHILD_PROXY
          (kernel)), 1);
  gst_child_proxy_set (GST_CHILD_PROXY (kernel), "gain::value", 2.0, NULL);
  g_bytes_unref (harness_filter (h, 1));
  gst_child_proxy_set (proxy, "denoise0::lookahead", 1, NULL);
  g_autoptr (GError) warning = harness_pop_warning (h);
  fail_unless (warning
      && strstr (warning->message, "Only the first operation"));
}

/* Frames that wait for later ones keep their operations, also the first. */
TEST_LOOP (test_waiting, 4)
{
  const guint n_before = __i__ + 1;
  g_autoptr (Harness) h =
      start ("operations=\"denoise noise=3 lookahead=2 ! sharpen\"");

  for (guint n = 0; n < n_before + 2; n++) {
    if (n == n_before)
      g_object_set (h->filter, "operations", "gradient", NULL);
    harness_push (h, harness_create_frame (h, n));
  }
  harness_end (h);
  fail_unless_equals_int (gst_harness_buffers_received (h->harness),
      n_before + 2);
  harness_assert_quiet (h);
}

TEST (test_controller)
{
  g_autoptr (Harness) h =
      start ("operations=\"sharpen radius=1 alpha=0 beta=0 gamma=0\"");
  g_autoptr (GObject) child = gst_child_proxy_get_child_by_name
      (GST_CHILD_PROXY (h->filter), "sharpen0");

  object_animate (child, "gamma", 1.0);
  for (guint n = 0; n < 3; n++) {
    GstBuffer *frame = harness_create_frame (h, 1);

    GST_BUFFER_PTS (frame) = n * GST_SECOND / 2;
    g_autoptr (GstBuffer) filtered = harness_filter_frame (h, frame);
    g_autoptr (GBytes) bytes = harness_get_samples (h, filtered);
    const guint8 first = *(const guint8 *) g_bytes_get_data (bytes, NULL);
    fail_unless (ABS (first - (gint) (n * 255 / 2)) <= 1, "%u is %u", n, first);
  }
}

TEST (test_preset)
{
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_element_factory_make ("glopenclchain", NULL));
  GstPreset *preset = GST_PRESET (element);

  g_object_set (element, "operations", "sharpen ! gradient", "exact", TRUE,
      NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (element), "sharpen0::radius", 7, NULL);
  fail_unless (gst_preset_save_preset (preset, "mine"));
  g_object_set (element, "operations", "", "exact", FALSE, NULL);
  fail_unless (gst_preset_load_preset (preset, "mine"));
  element_assert_text (element, "operations", "sharpen radius=7 ! gradient");
  element_assert_value (element, "exact", "true");
  fail_unless (gst_preset_delete_preset (preset, "mine"));
}

/* With the noise given, a frame depends on the earlier frames and on the one
 * that shows a cut before them. */
TEST (test_lead)
{
  static const struct
  {
    const gchar *operations;
    guint lead, lag;
  } cases[] = {
    {"", 0, 0},
    {"sharpen ! gradient", 0, 0},
    {"denoise noise=5 history=0 lookahead=1", 0, 1},
    {"denoise noise=5 history=3", 4, 0},
    {"denoise history=0", MEMORY, 0},
    {"denoise history=4 lookahead=3", 4 + MEMORY, 3},
    {"denoise noise=5 history=1 ! sharpen ! denoise history=2",
        2 + 2 + MEMORY, 0},
    {"denoise effort=fast noise=5 history=1 ! sharpen", 2, 0},
    {"denoise effort=best history=1 ! sharpen", 4 + MEMORY, 4},
  };
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_element_factory_make ("glopenclchain", NULL));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint lead = G_MAXUINT, lag = G_MAXUINT;

    g_object_set (element, "operations", cases[i].operations, NULL);
    g_object_get (element, "lead", &lead, "lag", &lag, NULL);
    fail_unless_equals_int (lead, cases[i].lead);
    fail_unless_equals_int (lag, cases[i].lag);
  }
}

TEST (test_stats)
{
  static const gchar *const names[] = { "sharpen", "denoise", "gradient" };
  g_autoptr (Harness) h = start ("operations=\"sharpen ! denoise ! gradient\"");
  g_autoptr (GstStructure) stats = NULL;
  guint64 sum = 0;

  for (guint n = 0; n < 3; n++)
    g_bytes_unref (harness_filter (h, n));
  g_object_get (h->filter, "stats", &stats, NULL);
  const GValue *list = gst_structure_get_value (stats, "operations");
  fail_unless (list && gst_value_array_get_size (list) == 3);
  for (guint i = 0; i < 3; i++) {
    const GstStructure *one =
        gst_value_get_structure (gst_value_array_get_value (list, i));

    fail_unless_equals_string (gst_structure_get_name (one), names[i]);
    fail_unless (structure_get_time (one, "time") > 0);
    sum += structure_get_time (one, "time");
  }
  fail_unless (sum <= structure_get_time (stats, "kernel-time")
      + structure_get_time (stats, "transfer-time"));
  fail_unless (gst_structure_has_field (stats, "noise"));
  /* An operation that is not run finds none. */
  gst_child_proxy_set (GST_CHILD_PROXY (h->filter), "denoise0::strength", 0.0,
      NULL);
  g_bytes_unref (harness_filter (h, 4));
  g_autoptr (GstStructure) later = NULL;
  g_object_get (h->filter, "stats", &later, NULL);
  fail_if (gst_structure_has_field (later, "noise"));
}

/* Histograms count the input of the first and the output of the last
 * operation. */
static guint
get_first_bin (const gchar * source)
{
  g_autoptr (Harness) h = harness_new ("format=GRAY8,width=64,height=48",
      "glopenclchain operations=\"sharpen radius=1 alpha=0 beta=0 gamma=0.5 "
      "! sharpen radius=1 alpha=0 beta=0 gamma=0\" "
      "histogram-emission=messages histogram-source=%s", source);

  g_bytes_unref (harness_filter (h, 1));
  g_autoptr (GstMessage) message = bus_wait (h->bus, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  const GstStructure *structure = gst_message_get_structure (message);
  fail_unless_equals_string (gst_structure_get_name (structure),
      "glopenclchain-histogram");
  return g_value_get_uint (gst_value_array_get_value (gst_structure_get_value
          (structure, "luma"), 0));
}

TEST (test_histograms)
{
  fail_unless_equals_int (get_first_bin ("output"), 64 * 48);
  fail_unless (get_first_bin ("input") < 64 * 48 / 2);
}

/* Another thread sets operations and parameters all the time. */
static gpointer
set_all_the_time (gpointer filter)
{
  static const gchar *const texts[] = {
    "sharpen ! bilateral radius=1", "gradient", "",
    "bilateral radius=1 ! denoise", "denoise lookahead=1 ! sharpen",
  };

  for (guint n = 0; n < 60; n++) {
    g_object_set (filter, "operations", texts[n % G_N_ELEMENTS (texts)],
        "exact", n % 3 == 0, NULL);
    g_autoptr (GObject) child = gst_child_proxy_get_child_by_name
        (GST_CHILD_PROXY (filter), "bilateral0");
    if (child)
      g_object_set (child, "spatial-sigma", 0.5 + n % 4, NULL);
    g_usleep (5000);
  }
  return NULL;
}

TEST_TAGGED (test_threads, "chain-host-copy-gpu")
{
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc "
      "num-buffers=200 ! video/x-raw,format=RGBA,width=64,height=48 "
      "! glupload ! glopenclchain name=filter operations=sharpen ! fakesink");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  GThread *thread = g_thread_new ("setter", set_all_the_time, filter);

  pipeline_play_well (pipeline);
  g_thread_join (thread);
}
