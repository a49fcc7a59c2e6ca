/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes each driver call fail once: the element must post one error or find
 * another way, nothing may leak, and the element must work again afterwards.
 * Needs the test layer. */

#include "exhaustive.h"
#include "player.h"

/* Of calls that fail, where not all are to be tried: one of so many; and always
 * of settings that make few calls of their own. */
#define FAULT_STEP 7
#define FURTHER_FAULT_STEP 9

/* One in @step calls of every function fails once: at start-up and in
 * mid-stream. */
static void
walk_pipeline (GstElement * pipeline, guint step)
{
  guint n_faults = 0;
  guint n_errors = 0;
  const gchar *function;

  for (guint i = 0; (function = layer.function_name (i)); i++) {
    for (guint nth = 1 + i % step;; nth += step) {
      /* CL_OUT_OF_RESOURCES */
      layer.set_fault (function, nth, -5);
      g_autoptr (GError) error = player_play (pipeline);

      fail_unless_equals_int (layer.live_objects (), 0);
      if (!layer.fault_hit ()) {
        g_assert_no_error (error);
        break;
      }
      n_faults++;
      if (error)
        n_errors++;
      layer.set_fault (function, 0, 0);
      player_play_well (pipeline);
    }
  }
  layer.set_fault ("*", 0, 0);
  gst_object_unref (pipeline);
  GST_INFO ("%u faults, %u errors", n_faults, n_errors);
  /* Many faults cannot be gone round; those of a variant can. */
  fail_unless (n_faults > 100 / step && n_errors >= n_faults / 4,
      "%u faults, %u errors", n_faults, n_errors);
}

static void
walk_faults (const gchar * settings, guint step)
{
  walk_pipeline (player_launch ("width=40,height=24", settings), step);
}

/* Between operations, some planes of a frame are converted, and others are
 * shared. */
GST_START_TEST (test_faults_chain)
{
  walk_pipeline (player_launch_element ("glopenclchain", "I420",
          "width=40,height=24", "operations=\"sharpen planes=luma ! gradient "
          "planes=chroma ! denoise noise=3 history=1 motion=false\""),
      5 * FAULT_STEP);
}

GST_END_TEST;

GST_START_TEST (test_faults)
{
  walk_faults ("", is_exhaustive ()? 1 : FAULT_STEP);
}

GST_END_TEST;

GST_START_TEST (test_faults_in_place)
{
  /* It differs little from the others. */
  if (is_exhaustive ())
    walk_faults ("in-place=true", FURTHER_FAULT_STEP);
}

GST_END_TEST;

GST_START_TEST (test_faults_overlay)
{
  walk_faults ("histogram-emission=messages+meta histogram-overlay=true "
      "pipeline-depth=2", FURTHER_FAULT_STEP);
}

GST_END_TEST;

GST_START_TEST (test_faults_histogram)
{
  walk_faults ("histogram-emission=messages+meta spatial-sigma=0",
      FURTHER_FAULT_STEP);
}

GST_END_TEST;

static Suite *
faults_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-faults");

  player_open_layer ();
  ADD_TAGGED (suite, "faults-host-copy faults-host-copy-gpu faults-auto",
      test_faults);
  ADD_TAGGED (suite, "faults-chain", test_faults_chain);
  ADD_TAGGED (suite, "faults-gl-sharing", test_faults_in_place);
  ADD_TAGGED (suite, "faults-gl-sharing faults-external-memory-semaphores",
      test_faults_overlay);
  ADD_TAGGED (suite, "faults-host-copy-gpu", test_faults_histogram);
  return suite;
}

FILTER_HARNESS_MAIN (faults);
