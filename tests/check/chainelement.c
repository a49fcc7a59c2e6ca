/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclchain as an element: its frames against those of the elements in
 * a row, how often frames are borrowed, operations that change while frames
 * flow, children, presets and statistics.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include <gst/controller/controller.h>

#include "player.h"

#define WIDTH 64
#define HEIGHT 48
/* OCL_SPECTRUM_MEMORY */
#define MEMORY 19

/* A chain, and the elements in a row. */
typedef struct
{
  const gchar *operations;
  const gchar *elements[3][2];
} Row;

static const Row rows[] = {
  {"bilateral radius=2 ! sharpen radius=1 alpha=2 beta=-1 ! gradient", {
              {"glopenclfilter", "radius=2"},
              {"glopenclsharpen", "radius=1 alpha=2 beta=-1"},
          {"glopenclgradient", ""}}},
  {"convolution matrix=<<1,2,1>> ! multiresolution levels=2 ! denoise "
        "noise=4 history=1", {
              {"glopenclconvolution", "matrix=<<1,2,1>>"},
              {"glopenclmultiresolution", "levels=2"},
          {"glopencldenoise", "noise=4 history=1"}}},
};

static void
init_chain (FilterHarness * h, const gchar * settings, const gchar * fields)
{
  filter_harness_init_element (h, "glopenclchain", settings);
  filter_harness_set_fields (h, fields);
}

/* Filters frame @seed. The caller frees the bytes. */
static GBytes *
run (FilterHarness * h, guint seed)
{
  GstBuffer *frame = filter_harness_run (h, filter_harness_create_frame (h,
          seed, 0));
  GBytes *bytes = filter_harness_get_samples (h, frame);

  gst_buffer_unref (frame);
  return bytes;
}

static void
assert_same (GBytes * a, GBytes * b, const gchar * what)
{
  fail_unless (g_bytes_equal (a, b), "%s", what);
}

static void
check_row (const Row * row, const gchar * format)
{
  g_autofree gchar *fields = g_strdup_printf ("format=%s,width=%d,height=%d",
      format, WIDTH, HEIGHT);
  g_autofree gchar *settings = g_strdup_printf ("exact=true operations=\"%s\"",
      row->operations);
  FilterHarness chain, single[3];

  init_chain (&chain, settings, fields);
  for (guint i = 0; i < 3; i++) {
    filter_harness_init_element (&single[i], row->elements[i][0],
        row->elements[i][1]);
    filter_harness_set_fields (&single[i], fields);
  }
  for (guint n = 0; n < 3; n++) {
    GstBuffer *frame = filter_harness_create_frame (&chain, n, 0);
    g_autoptr (GBytes) found = run (&chain, n);

    for (guint i = 0; i < 3; i++)
      frame = filter_harness_run (&single[i], frame);
    g_autoptr (GBytes) wanted = filter_harness_get_samples (&chain, frame);
    gst_buffer_unref (frame);
    assert_same (found, wanted, row->operations);
  }
  for (guint i = 0; i < 3; i++)
    filter_harness_clear (&single[i]);
  filter_harness_assert_quiet (&chain);
  filter_harness_clear (&chain);
}

GST_START_TEST (test_rows)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    check_row (&rows[i], "RGBA");
    check_row (&rows[i], "I420");
  }
}

GST_END_TEST;

/* Calls that take a frame from OpenGL, give it back, or wait. Events are read
 * when the frame is done. */
static const gchar *const trips[] = {
  "clEnqueueAcquireGLObjects", "clEnqueueReleaseGLObjects",
  "clEnqueueMapBuffer", "clEnqueueMapImage", "clEnqueueUnmapMemObject",
  "clFinish",
};

#define FIRST_COUNTED 20
#define LAST_COUNTED 40

typedef struct
{
  guint n_frames;
  guint calls[2][256];
} Census;

static GstPadProbeReturn
take_census (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  Census *census = data;
  const guint n = census->n_frames++;
  const gchar *function;

  if (n != FIRST_COUNTED && n != LAST_COUNTED)
    return GST_PAD_PROBE_OK;
  for (guint i = 0; (function = layer.function_name (i)); i++)
    census->calls[n == LAST_COUNTED][i] = layer.calls (function);
  return GST_PAD_PROBE_OK;
}

/* Counts the calls of 20 frames. */
static void
count_calls (const gchar * operations, Census * census)
{
  g_autofree gchar *description = g_strdup_printf ("gltestsrc num-buffers=50 "
      "! video/x-raw(memory:GLMemory),format=RGBA,width=64,height=48 "
      "! glopenclchain name=filter qos=false interop=%s operations=\"%s\" "
      "! fakesink", filter_harness_get_interop (), operations);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "src");

  memset (census, 0, sizeof (*census));
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, take_census, census, NULL);
  player_play_well (pipeline);
  fail_unless_equals_int (census->n_frames, 50);
  gst_object_unref (pipeline);
}

/* A chain takes a frame and gives it back as often as a single operation does,
 * and makes nothing. */
GST_START_TEST (test_calls)
{
  Census one, five;
  const gchar *function;

  count_calls ("sharpen radius=1", &one);
  count_calls ("sharpen radius=1 ! bilateral radius=1 ! denoise strength=0 ! "
      "gradient ! sharpen radius=2", &five);
  for (guint i = 0; (function = layer.function_name (i)); i++) {
    const guint n_one = one.calls[1][i] - one.calls[0][i];
    const guint n_five = five.calls[1][i] - five.calls[0][i];
    const gboolean makes = g_str_has_prefix (function, "clCreate")
        || g_str_has_prefix (function, "clBuild");
    gboolean is_trip = FALSE;

    for (guint n = 0; n < G_N_ELEMENTS (trips); n++)
      is_trip |= g_str_equal (function, trips[n]);
    fail_unless (!(is_trip || makes) || n_five == n_one,
        "%s: %u calls, not %u", function, n_five, n_one);
    fail_unless (!makes || n_one == 0
        || (!filter_harness_shares () && g_str_equal (function,
                "clCreateBuffer")), "%s: %u calls", function, n_one);
    if (filter_harness_shares ()
        && g_str_equal (function, "clEnqueueAcquireGLObjects")
        && g_str_equal (filter_harness_get_interop (), "gl-sharing"))
      fail_unless_equals_int (n_five, LAST_COUNTED - FIRST_COUNTED);
  }
}

GST_END_TEST;

#define INVERT "kernel 'source=Pixel filter (FRAME) { return minus (grey " \
    "(1.0f), pixel (frame, 0, 0)); }'"

/* Returns the operations; the caller frees the text. */
static gchar *
get_operations (gpointer element)
{
  gchar *text = NULL;

  g_object_get (element, "operations", &text, NULL);
  return text;
}

/* On a GPU the operations before filter until the new ones are built. */
#define MAX_FRAMES 2000

/* Filters frame @seed until it is that of other operations than @before. */
static GBytes *
run_until_changed (FilterHarness * h, guint seed, GBytes * before)
{
  GBytes *found = run (h, seed);

  for (guint n = 0; n < MAX_FRAMES && g_bytes_equal (found, before); n++) {
    g_usleep (5000);
    g_bytes_unref (found);
    found = run (h, seed);
  }
  return found;
}

/* A wrong text leaves the operations before in use, with one warning. */
static void
check_refused (FilterHarness * h, const gchar * operations, const gchar * words)
{
  g_autoptr (GBytes) wanted = run (h, 5);
  g_autoptr (GError) warning = NULL;

  g_object_set (h->filter, "operations", operations, NULL);
  for (guint n = 0; n < MAX_FRAMES && !warning; n++) {
    g_bytes_unref (run (h, 5));
    g_usleep (n > 0 ? 5000 : 0);
    warning = filter_harness_pop_warning (h);
  }
  g_autoptr (GBytes) found = run (h, 5);

  fail_unless (warning != NULL, "%s", operations);
  fail_unless (strstr (warning->message, words) != NULL, "%s",
      warning->message);
  filter_harness_assert_quiet (h);
  assert_same (found, wanted, operations);
}

/* Operations are replaced between two frames. */
GST_START_TEST (test_replace)
{
  const gchar *fields = "format=RGBA,width=64,height=48";
  FilterHarness h, fresh;
  static const gchar *const texts[] = {
    INVERT, "gradient ! sharpen", "", "sharpen ! " INVERT " ! " INVERT,
    "denoise noise=3 history=0", "bilateral radius=1",
  };

  init_chain (&h, "exact=true operations=\"sharpen radius=1\"", fields);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GBytes) before = run (&h, i);
    g_object_set (h.filter, "operations", texts[i], NULL);
    g_autoptr (GBytes) found = run_until_changed (&h, i, before);
    init_chain (&fresh, "exact=true", fields);
    g_object_set (fresh.filter, "operations", texts[i], NULL);
    g_autoptr (GBytes) wanted = run (&fresh, i);

    assert_same (found, wanted, texts[i]);
    filter_harness_clear (&fresh);
  }
  check_refused (&h, "sharpen !", "Operation 2 is missing");
  check_refused (&h, "sharpen ! blur", "Operation 2: there is no operation");
  g_autofree gchar *text = get_operations (h.filter);
  fail_unless_equals_string (text, "bilateral radius=1");
  check_refused (&h, "sharpen ! kernel 'source=Pixel filter (FRAME) { return "
      "nothing; }'", "Operation 2, kernel: ");
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Operations that the frames do not suit are refused while playing. */
GST_START_TEST (test_format)
{
  FilterHarness h;

  init_chain (&h, "operations=sharpen", "format=I420,width=64,height=48");
  check_refused (&h, "sharpen ! " INVERT, "Operation 2, kernel: ");
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Operations that are refused before the start stop it. */
GST_START_TEST (test_start)
{
  static const gchar *const words[] = { "Operation 1", "blur", NULL };
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=2 ! "
      "glupload ! glopenclchain name=filter operations=\"blur\" ! fakesink",
      NULL);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");

  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      words);
  g_object_set (filter, "operations", "gradient", NULL);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Parameters are children's properties, which frames follow. */
GST_START_TEST (test_children)
{
  FilterHarness h;
  guint radius = 0;
  gdouble gain = 0.0;

  init_chain (&h, "operations=\"sharpen radius=1 ! bilateral ! sharpen "
      "radius=2\"", "format=RGBA,width=64,height=48");
  GstChildProxy *proxy = GST_CHILD_PROXY (h.filter);
  fail_unless_equals_int (gst_child_proxy_get_children_count (proxy), 3);
  gst_child_proxy_get (proxy, "sharpen1::radius", &radius, NULL);
  fail_unless_equals_int (radius, 2);
  g_autoptr (GBytes) before = run (&h, 1);
  gst_child_proxy_set (proxy, "sharpen1::radius", 4, "bilateral0::radius", 1,
      NULL);
  g_autoptr (GBytes) after = run (&h, 1);
  fail_if (g_bytes_equal (before, after));
  g_autofree gchar *text = get_operations (h.filter);
  fail_unless_equals_string (text, "sharpen radius=1 ! bilateral radius=1 ! "
      "sharpen radius=4");
  g_object_set (h.filter, "operations", text, NULL);
  g_autoptr (GBytes) again = run (&h, 1);
  assert_same (again, after, text);

  /* A child that is replaced may be kept, and does nothing. */
  g_autoptr (GObject) child =
      gst_child_proxy_get_child_by_name (proxy, "sharpen0");
  g_object_set (h.filter, "operations", "kernel 'source=#pragma glopencl "
      "argument gain 0 4 1\nPixel filter (FRAME) { return times (pixel (frame,"
      " 0, 0), info.gain); }' gain=0.5", NULL);
  g_object_set (child, "radius", 5, NULL);
  gst_child_proxy_get (proxy, "kernel0::gain::value", &gain, NULL);
  fail_unless (gain == 0.5);
  g_autoptr (GBytes) half = run_until_changed (&h, 1, again);
  gst_child_proxy_set (proxy, "kernel0::gain::value", 1.0, NULL);
  g_autoptr (GBytes) whole = run (&h, 1);
  fail_if (g_bytes_equal (half, whole));
  filter_harness_assert_quiet (&h);

  g_object_set (h.filter, "operations", "sharpen ! denoise", NULL);
  gst_child_proxy_set (proxy, "denoise0::lookahead", 1, NULL);
  g_autoptr (GError) warning = filter_harness_pop_warning (&h);
  fail_unless (warning
      && strstr (warning->message, "Only the first operation"));
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Frames that wait for later ones keep their operations, also the first. */
GST_START_TEST (test_waiting)
{
  for (guint n_before = 1; n_before < 5; n_before++) {
    FilterHarness h;

    init_chain (&h, "operations=\"denoise noise=3 lookahead=2 ! sharpen\"",
        "format=RGBA,width=64,height=48,framerate=30/1");
    for (guint n = 0; n < n_before + 2; n++) {
      if (n == n_before)
        g_object_set (h.filter, "operations", "gradient", NULL);
      fail_unless_equals_int (gst_harness_push (h.harness,
              filter_harness_create_frame (&h, n, 0)), GST_FLOW_OK);
    }
    fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
    fail_unless_equals_int (gst_harness_buffers_received (h.harness),
        n_before + 2);
    filter_harness_assert_quiet (&h);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* A kernel that was replaced has the children that it had, and does nothing. */
GST_START_TEST (test_replaced_kernel)
{
  FilterHarness h;

  init_chain (&h, "", "format=RGBA,width=64,height=48");
  g_object_set (h.filter, "operations", "kernel 'source=#pragma glopencl "
      "argument gain 0 4 1\nPixel filter (FRAME) { return times (pixel (frame,"
      " 0, 0), info.gain); }'", NULL);
  g_autoptr (GObject) kernel =
      gst_child_proxy_get_child_by_name (GST_CHILD_PROXY (h.filter), "kernel0");
  fail_unless_equals_int (gst_child_proxy_get_children_count (GST_CHILD_PROXY
          (kernel)), 1);
  g_object_set (h.filter, "operations", "sharpen", NULL);
  fail_unless_equals_int (gst_child_proxy_get_children_count (GST_CHILD_PROXY
          (kernel)), 1);
  gst_child_proxy_set (GST_CHILD_PROXY (kernel), "gain::value", 2.0, NULL);
  g_bytes_unref (run (&h, 1));
  filter_harness_clear (&h);
}

GST_END_TEST;

GST_START_TEST (test_controller)
{
  FilterHarness h;
  GstControlSource *source = gst_interpolation_control_source_new ();

  init_chain (&h, "operations=\"sharpen radius=1 alpha=0 beta=0 gamma=0\"",
      "format=RGBA,width=64,height=48,framerate=30/1");
  g_autoptr (GObject) child =
      gst_child_proxy_get_child_by_name (GST_CHILD_PROXY (h.filter),
      "sharpen0");
  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      0, 0.0);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      GST_SECOND, 1.0);
  gst_object_add_control_binding (GST_OBJECT (child),
      gst_direct_control_binding_new_absolute (GST_OBJECT (child), "gamma",
          source));
  for (guint n = 0; n < 3; n++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 1, 0);

    GST_BUFFER_PTS (frame) = n * GST_SECOND / 2;
    frame = filter_harness_run (&h, frame);
    g_autoptr (GBytes) bytes = filter_harness_get_samples (&h, frame);
    gst_buffer_unref (frame);
    const guint8 first = *(const guint8 *) g_bytes_get_data (bytes, NULL);
    fail_unless (ABS (first - (gint) (n * 255 / 2)) <= 1, "%u is %u", n, first);
  }
  gst_object_unref (source);
  filter_harness_clear (&h);
}

GST_END_TEST;

GST_START_TEST (test_preset)
{
  GstElement *element = gst_element_factory_make ("glopenclchain", NULL);
  gboolean exact = FALSE;

  g_object_set (element, "operations", "sharpen ! gradient", "exact", TRUE,
      NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (element), "sharpen0::radius", 7, NULL);
  fail_unless (gst_preset_save_preset (GST_PRESET (element), "mine"));
  g_object_set (element, "operations", "", "exact", FALSE, NULL);
  fail_unless (gst_preset_load_preset (GST_PRESET (element), "mine"));
  g_autofree gchar *text = get_operations (element);
  g_object_get (element, "exact", &exact, NULL);
  fail_unless_equals_string (text, "sharpen radius=7 ! gradient");
  fail_unless (exact);
  fail_unless (gst_preset_delete_preset (GST_PRESET (element), "mine"));
  gst_object_unref (element);
}

GST_END_TEST;

/* With the noise given, a frame depends on the earlier frames and on the one
 * that shows a cut before them. */
GST_START_TEST (test_lead)
{
  static const struct
  {
    const gchar *operations;
    guint lead;
  } cases[] = {
    {"", 0},
    {"sharpen ! gradient", 0},
    {"denoise noise=5 history=0 lookahead=1", 0},
    {"denoise noise=5 history=3", 4},
    {"denoise history=0", MEMORY},
    {"denoise history=4", 4 + MEMORY},
    {"denoise noise=5 history=1 ! sharpen ! denoise history=2",
        2 + 2 + MEMORY},
  };
  GstElement *element = gst_element_factory_make ("glopenclchain", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint lead = G_MAXUINT;

    g_object_set (element, "operations", cases[i].operations, NULL);
    g_object_get (element, "lead", &lead, NULL);
    fail_unless_equals_int (lead, cases[i].lead);
  }
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_stats)
{
  FilterHarness h;
  g_autoptr (GstStructure) stats = NULL;
  guint64 whole = 0, sum = 0;

  init_chain (&h, "operations=\"sharpen ! denoise ! gradient\"",
      "format=RGBA,width=64,height=48");
  for (guint n = 0; n < 3; n++)
    g_bytes_unref (run (&h, n));
  g_object_get (h.filter, "stats", &stats, NULL);
  const GValue *list = gst_structure_get_value (stats, "operations");
  fail_unless (list && gst_value_array_get_size (list) == 3);
  for (guint i = 0; i < 3; i++) {
    const GstStructure *one =
        gst_value_get_structure (gst_value_array_get_value (list, i));
    guint64 time = 0;

    fail_unless_equals_string (gst_structure_get_name (one),
        i == 0 ? "sharpen" : i == 1 ? "denoise" : "gradient");
    fail_unless (gst_structure_get_uint64 (one, "time", &time) && time > 0);
    sum += time;
  }
  gst_structure_get_uint64 (stats, "kernel-time", &whole);
  guint64 transfers = 0;
  gst_structure_get_uint64 (stats, "transfer-time", &transfers);
  fail_unless (sum <= whole + transfers);
  fail_unless (gst_structure_has_field (stats, "noise"));
  /* An operation that is not run finds none. */
  gst_child_proxy_set (GST_CHILD_PROXY (h.filter), "denoise0::strength", 0.0,
      NULL);
  g_bytes_unref (run (&h, 4));
  g_autoptr (GstStructure) later = NULL;
  g_object_get (h.filter, "stats", &later, NULL);
  fail_if (gst_structure_has_field (later, "noise"));
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Histograms are those before the first and after the last operation. */
static guint64
get_first_bin (const gchar * source)
{
  g_autofree gchar *settings = g_strdup_printf ("operations=\"sharpen radius=1 "
      "alpha=0 beta=0 gamma=0.5 ! sharpen radius=1 alpha=0 beta=0 gamma=0\" "
      "histogram-emission=messages histogram-source=%s", source);
  FilterHarness h;
  guint64 first = 0;

  init_chain (&h, settings, "format=GRAY8,width=64,height=48");
  g_bytes_unref (run (&h, 1));
  g_autoptr (GstMessage) message =
      filter_harness_wait (h.bus, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  const GstStructure *structure = gst_message_get_structure (message);
  fail_unless_equals_string (gst_structure_get_name (structure),
      "glopenclchain-histogram");
  const GValue *bins = gst_structure_get_value (structure, "luma");
  fail_unless (bins != NULL);
  first = GST_VALUE_HOLDS_ARRAY (bins) ? g_value_get_uint
      (gst_value_array_get_value (bins, 0)) : 0;
  filter_harness_clear (&h);
  return first;
}

GST_START_TEST (test_histograms)
{
  fail_unless_equals_uint64 (get_first_bin ("output"), 64 * 48);
  fail_unless (get_first_bin ("input") < 64 * 48 / 2);
}

GST_END_TEST;

/* Another thread sets operations and parameters all the time. */
static gpointer
set_all_the_time (gpointer data)
{
  GstElement *filter = data;
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

GST_START_TEST (test_threads)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=200 ! "
      "video/x-raw,format=RGBA,width=64,height=48 ! glupload ! glopenclchain "
      "name=filter operations=sharpen ! fakesink", NULL);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  GThread *thread = g_thread_new ("setter", set_all_the_time, filter);

  player_play_well (pipeline);
  g_thread_join (thread);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
chain_suite (void)
{
  Suite *suite = suite_create ("glopenclchain");
  TCase *tests = tcase_create ("chain");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 240);
  player_open_layer ();
  tcase_add_test (tests, test_rows);
  if (layer.calls)
    tcase_add_test (tests, test_calls);
  ADD_TAGGED (suite, "chain-host-copy-gpu", test_replace);
  tcase_add_test (tests, test_format);
  tcase_add_test (tests, test_start);
  ADD_TAGGED (suite, "chain-host-copy-gpu", test_children);
  tcase_add_test (tests, test_waiting);
  tcase_add_test (tests, test_replaced_kernel);
  tcase_add_test (tests, test_controller);
  tcase_add_test (tests, test_preset);
  tcase_add_test (tests, test_lead);
  tcase_add_test (tests, test_stats);
  tcase_add_test (tests, test_histograms);
  ADD_TAGGED (suite, "chain-host-copy-gpu", test_threads);
  return suite;
}

FILTER_HARNESS_MAIN (chain);
