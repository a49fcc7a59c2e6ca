/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes each driver call fail once: the element must post one error or find
 * another way, nothing may leak, and the element must work again afterwards.
 * Needs the test layer. */

#include "exhaustive.h"
#include "elementharness.h"

/* If not all calls are tried, one of this many fails. Settings with few extra
 * calls always use it. */
#define FAULT_STEP 7
#define FURTHER_FAULT_STEP 9

/* The tried calls, in the environments @tags: one in @step calls of every
 * function fails once, at start-up and in mid-stream, and the other step where
 * all cases are asked for. 0: none. */
static const struct
{
  const gchar *tags;
  const gchar *element;
  guint step, step_of_all;
} cases[] = {
  {"faults-host-copy faults-host-copy-gpu faults-auto", "glopenclfilter",
      FAULT_STEP, 1},
  /* It differs little from the others. */
  {"faults-gl-sharing", "glopenclfilter in-place=true",
      5 * FAULT_STEP, FURTHER_FAULT_STEP},
  {"faults-gl-sharing faults-external-memory-semaphores", "glopenclfilter "
        "histogram-emission=messages+meta histogram-overlay=true "
        "pipeline-depth=2", FURTHER_FAULT_STEP, FURTHER_FAULT_STEP},
  {"faults-host-copy-gpu", "glopenclfilter "
        "histogram-emission=messages+meta spatial-sigma=0",
      FURTHER_FAULT_STEP, FURTHER_FAULT_STEP},
  /* Between operations, some planes of a frame are converted, and others are
   * shared. */
  {"faults-chain", "glopenclchain operations=\"sharpen planes=luma ! gradient "
        "planes=chroma ! denoise noise=3 history=1 motion=false\"",
      5 * FAULT_STEP, 5 * FAULT_STEP},
};

TEST_CASES (test_faults, "faults-host-copy faults-host-copy-gpu faults-auto "
    "faults-gl-sharing faults-external-memory-semaphores faults-chain",
    G_N_ELEMENTS (cases))
{
  g_auto (GStrv) tags = g_strsplit (cases[__i__].tags, " ", -1);
  const guint step =
      is_exhaustive ()? cases[__i__].step_of_all : cases[__i__].step;
  const gboolean is_chain = g_str_has_prefix (cases[__i__].element,
      "glopenclchain");
  guint n_faults = 0, n_errors = 0;
  const gchar *function;

  if (step == 0 || !g_strv_contains ((const gchar * const *) tags,
          g_getenv ("CK_INCLUDE_TAGS")))
    return;
  g_autoptr (GstElement) pipeline = pipeline_new_filter (is_chain
      ? "format=I420,width=40,height=24" : "format=RGBA,width=40,height=24",
      "%s", cases[__i__].element);
  for (guint i = 0; (function = layer.function_name (i)); i++) {
    for (guint nth = 1 + i % step;; nth += step) {
      /* CL_OUT_OF_RESOURCES */
      layer.set_fault (function, nth, -5);
      g_autoptr (GError) error = pipeline_play (pipeline);

      fail_unless_equals_int (layer.live_objects (), 0);
      if (!layer.fault_hit ()) {
        g_assert_no_error (error);
        break;
      }
      n_faults++;
      n_errors += error != NULL;
      /* The next fault is in a later call, so that all calls before it work
       * again. */
      if (n_faults % 8 == 0) {
        layer.set_fault (function, 0, 0);
        pipeline_play_well (pipeline);
      }
    }
  }
  layer.set_fault ("*", 0, 0);
  GST_INFO ("%u faults, %u errors", n_faults, n_errors);
  /* Many faults are fatal, but faults of a variant are not. */
  fail_unless (n_faults > 100 / step && n_errors >= n_faults / 4,
      "%u faults, %u errors", n_faults, n_errors);
}
