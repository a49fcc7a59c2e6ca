/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the bands of glopenclmultiresolution as applications set them: lists of
 * numbers while playing, invalid lists, a number of levels that changes.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include "filterharness.h"

#define WIDTH 40
#define HEIGHT 30

static void
init (FilterHarness * h, const gchar * settings)
{
  filter_harness_init_element (h, "glopenclmultiresolution", settings);
  filter_harness_set_size (h, WIDTH, HEIGHT);
}

static GBytes *
run (FilterHarness * h)
{
  GstBuffer *result = filter_harness_run (h,
      filter_harness_create_frame (h, 1, 0));
  GBytes *bytes = filter_harness_get_bytes (h, result);

  gst_buffer_unref (result);
  return bytes;
}

static GBytes *
get_input (FilterHarness * h)
{
  GstBuffer *frame = filter_harness_create_frame (h, 1, 0);
  GBytes *bytes = filter_harness_get_bytes (h, frame);

  gst_buffer_unref (frame);
  return bytes;
}

static guint8
get_byte (GBytes * bytes, gsize n)
{
  return ((const guint8 *) g_bytes_get_data (bytes, NULL))[n];
}

static guint
count_numbers (FilterHarness * h, const gchar * property)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_ARRAY);
  g_object_get_property (G_OBJECT (h->filter), property, &value);
  const guint n = gst_value_array_get_size (&value);
  g_value_unset (&value);
  return n;
}

/* The next frame has what was set; an empty list unsets. */
GST_START_TEST (test_live)
{
  FilterHarness h;

  init (&h, "intensity-sigma=0");
  g_autoptr (GBytes) input = get_input (&h);
  g_autoptr (GBytes) untouched = run (&h);
  fail_unless (g_bytes_equal (input, untouched));

  filter_harness_set_array (&h, "gains", "<2,1/2,1>");
  g_autoptr (GBytes) changed = run (&h);
  fail_unless (!g_bytes_equal (input, changed));
  fail_unless_equals_int (count_numbers (&h, "gains"), 3);

  filter_harness_set_array (&h, "gains", "<>");
  g_autoptr (GBytes) again = run (&h);
  fail_unless (g_bytes_equal (input, again));

  filter_harness_set_array (&h, "intensity-sigmas", "<0,0.3>");
  g_autoptr (GBytes) second = run (&h);
  fail_unless (!g_bytes_equal (input, second));
  filter_harness_set_array (&h, "spatial-sigmas", "<2,0>");
  g_autoptr (GBytes) none = run (&h);
  fail_unless (g_bytes_equal (input, none));
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Bands seen alone, of which those of details are around grey, are the frame
 * together, whatever the number of levels is. */
GST_START_TEST (test_shown_bands)
{
  static const gint levels[] = { 1, 5, 2, 8, 3 };
  FilterHarness h;

  init (&h, "intensity-sigma=0");
  g_autoptr (GBytes) input = get_input (&h);
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++) {
    /* Of 40 pixels there are no more than 6. */
    const gint n = MIN (levels[i], 6);
    gdouble sums[WIDTH * HEIGHT] = { 0.0, };
    gboolean cut[WIDTH * HEIGHT] = { FALSE, };
    guint n_compared = 0;

    g_object_set (h.filter, "levels", levels[i], NULL);
    for (gint band = 0; band <= n; band++) {
      g_object_set (h.filter, "show-band", band, NULL);
      g_autoptr (GBytes) shown = run (&h);
      for (gint p = 0; p < WIDTH * HEIGHT; p++) {
        const guint8 level = get_byte (shown, 4 * p);

        sums[p] += level - (band < n ? 127.5 : 0.0);
        cut[p] |= level == 0 || level == 255;
      }
    }
    for (gint p = 0; p < WIDTH * HEIGHT; p++) {
      const guint8 wanted = get_byte (input, 4 * p);

      if (cut[p])
        continue;
      n_compared++;
      /* Each was rounded. */
      fail_unless (ABS (sums[p] - wanted) <= 0.5 * (n + 1),
          "%d levels, pixel %d: %f, not %d", levels[i], p, sums[p], wanted);
    }
    fail_unless (n_compared > WIDTH * HEIGHT / 2, "%u", n_compared);
  }
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

static const gchar *const bad_lists[][3] = {
  {"gains", "<1,nan>", "gains has nan in place 2"},
  {"gains", "<101>", "gains has 101 in place 1"},
  {"gains", "<1,x,2>", "gains has \"x\" in place 2"},
  {"gains", "<<1,2>,<3>>", "in place 1, where a number is needed"},
  {"gains", "<true>", "in place 1, where a number is needed"},
  {"gains", "<1,1,1,1,1,1,1,1,1,1>",
      "gains has 10 numbers; at most 9 are possible"},
  {"intensity-sigmas", "<0.1,-0.1>", "intensity-sigmas has -0.1 in place 2"},
  {"intensity-sigmas", "<inf>", "intensity-sigmas has inf in place 1"},
  {"spatial-sigmas", "<1,2,51>", "spatial-sigmas has 51 in place 3"},
};

/* Each is refused with one warning; what was there stays in use. */
GST_START_TEST (test_bad_while_playing)
{
  FilterHarness h;

  init (&h, "gains=\"<2>\"");
  g_autoptr (GBytes) before = run (&h);
  for (guint i = 0; i < G_N_ELEMENTS (bad_lists); i++) {
    filter_harness_set_array (&h, bad_lists[i][0], bad_lists[i][1]);
    g_autoptr (GError) warning = filter_harness_pop_warning (&h);
    fail_unless (g_error_matches (warning, GST_RESOURCE_ERROR,
            GST_RESOURCE_ERROR_SETTINGS));
    fail_unless (strstr (warning->message, bad_lists[i][2]), "%s: %s",
        bad_lists[i][1], warning->message);
    filter_harness_assert_quiet (&h);
    g_autoptr (GBytes) after = run (&h);
    fail_unless (g_bytes_equal (before, after));
  }
  fail_unless (filter_harness_pop_error (&h, NULL) == NULL);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* An element that was given a bad list before does not start, and does once it
 * has a good one. */
GST_START_TEST (test_bad_at_start)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_lists); i++) {
    FilterHarness h = {
      .filter = gst_element_factory_make ("glopenclmultiresolution", NULL),
    };

    filter_harness_set_array (&h, bad_lists[i][0], bad_lists[i][1]);
    fail_unless_equals_int (gst_element_set_state (h.filter, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (h.filter, GST_STATE_NULL);
    filter_harness_set_array (&h, bad_lists[i][0], "<1,1>");
    fail_unless (gst_element_set_state (h.filter, GST_STATE_PAUSED)
        != GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (h.filter, GST_STATE_NULL);
    gst_object_unref (h.filter);
  }
}

GST_END_TEST;

static Suite *
band_lists_suite (void)
{
  Suite *suite = suite_create ("bandlists");
  TCase *tests = tcase_create ("bandlists");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_live);
  tcase_add_test (tests, test_shown_bands);
  tcase_add_test (tests, test_bad_while_playing);
  tcase_add_test (tests, test_bad_at_start);
  return suite;
}

FILTER_HARNESS_MAIN (band_lists);
