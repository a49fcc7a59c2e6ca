/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the bands of glopenclmultiresolution as applications set them: lists of
 * numbers while playing, invalid lists, a number of levels that changes. */

#include <string.h>

#include "elementharness.h"

#define N_PIXELS (40 * 30)

static Harness *
start (const gchar * settings)
{
  return harness_new (RGBA (40, 30), "glopenclmultiresolution %s", settings);
}

static guint
count_numbers (Harness * h, const gchar * property)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_ARRAY);
  g_object_get_property (G_OBJECT (h->filter), property, &value);
  const guint n = gst_value_array_get_size (&value);
  g_value_unset (&value);
  return n;
}

/* The next frame uses the new values. An empty list unsets them. */
TEST (test_live)
{
  static const struct
  {
    const gchar *property, *list;
    gboolean changes;
    guint n;                    /* numbers */
  } steps[] = {
    {"gains", "<>", FALSE, 0}, {"gains", "<2,1/2,1>", TRUE, 3},
    {"gains", "<>", FALSE, 0}, {"intensity-sigmas", "<0,0.3>", TRUE, 2},
    {"spatial-sigmas", "<2,0>", FALSE, 2},
  };
  g_autoptr (Harness) h = start ("intensity-sigma=0");
  g_autoptr (GBytes) input = harness_get_input (h, 1);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    harness_set_array (h, steps[i].property, steps[i].list);
    fail_unless_equals_int (count_numbers (h, steps[i].property), steps[i].n);
    g_autoptr (GBytes) output = harness_filter (h, 1);
    fail_unless (g_bytes_equal (input, output) != steps[i].changes, "%u", i);
  }
  harness_assert_quiet (h);
}

/* Bands seen alone, of which those of details are around grey, are the frame
 * together, whatever the number of levels is. */
TEST (test_shown_bands)
{
  static const gint levels[] = { 1, 5, 2, 8, 3 };
  g_autoptr (Harness) h = start ("intensity-sigma=0");
  g_autoptr (GBytes) input = harness_get_input (h, 1);
  const guint8 *wanted = g_bytes_get_data (input, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++) {
    /* Of 40 pixels there are no more than 6. */
    const gint n = MIN (levels[i], 6);
    gdouble sums[N_PIXELS] = { 0.0, };
    gboolean cut[N_PIXELS] = { FALSE, };
    guint n_compared = 0;

    g_object_set (h->filter, "levels", levels[i], NULL);
    for (gint band = 0; band <= n; band++) {
      g_object_set (h->filter, "show-band", band, NULL);
      g_autoptr (GBytes) shown = harness_filter (h, 1);
      const guint8 *red = g_bytes_get_data (shown, NULL);
      for (gint p = 0; p < N_PIXELS; p++) {
        sums[p] += red[p] - (band < n ? 127.5 : 0.0);
        cut[p] |= red[p] == 0 || red[p] == 255;
      }
    }
    for (gint p = 0; p < N_PIXELS; p++) {
      if (cut[p])
        continue;
      n_compared++;
      /* Each was rounded. */
      fail_unless (ABS (sums[p] - wanted[p]) <= 0.5 * (n + 1),
          "%d levels, pixel %d: %f, not %d", levels[i], p, sums[p], wanted[p]);
    }
    fail_unless (n_compared > N_PIXELS / 2, "%u", n_compared);
  }
  harness_assert_quiet (h);
}

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

/* Each is refused with one warning, and the previous value stays in use. */
TEST (test_bad_while_playing)
{
  g_autoptr (Harness) h = start ("gains=\"<2>\"");
  g_autoptr (GBytes) before = harness_filter (h, 1);

  for (guint i = 0; i < G_N_ELEMENTS (bad_lists); i++) {
    harness_set_array (h, bad_lists[i][0], bad_lists[i][1]);
    harness_assert_warning (h, bad_lists[i][2]);
    harness_assert_quiet (h);
    g_autoptr (GBytes) after = harness_filter (h, 1);
    assert_same_bytes (after, before, "%s", bad_lists[i][1]);
  }
}

/* An element that was given a bad list before does not start, and does once it
 * has a good one. */
TEST_LOOP (test_bad_at_start, G_N_ELEMENTS (bad_lists))
{
  g_autoptr (GstElement) filter = gst_object_ref_sink
      (gst_element_factory_make ("glopenclmultiresolution", NULL));
  Harness h = {.filter = filter };

  harness_set_array (&h, bad_lists[__i__][0], bad_lists[__i__][1]);
  fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (filter, GST_STATE_NULL);
  harness_set_array (&h, bad_lists[__i__][0], "<1,1>");
  fail_unless (gst_element_set_state (filter, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (filter, GST_STATE_NULL);
}
