/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the matrix of glopenclconvolution as applications set it: by value,
 * from a file, while playing, and invalid matrices.
 *
 * The test runs once per way of interop, see meson.build. */

#include <glib/gstdio.h>
#include <string.h>

#include "filterharness.h"

#define BINOMIAL "<<1,2,1>,<2,4,2>,<1,2,1>>"
#define DENSE "<<1,2,3>,<4,5,6>,<7,8,10>>"

static void
set_matrix (FilterHarness * h, const gchar * text)
{
  filter_harness_set_array (h, "matrix", text);
}

static gdouble
get_number (FilterHarness * h, guint row, guint column)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_ARRAY);
  g_object_get_property (G_OBJECT (h->filter), "matrix", &value);
  gdouble number = g_value_get_double (gst_value_array_get_value
      (gst_value_array_get_value (&value, row), column));
  g_value_unset (&value);
  return number;
}

/* The first byte of a frame that has one white pixel at x, y. */
static guint8
run_with_dot (FilterHarness * h, gint x, gint y)
{
  g_autofree guint8 *pixels = g_malloc0 (9 * 9 * 4);

  pixels[4 * (y * 9 + x)] = 255;
  GstBuffer *result = filter_harness_run (h, gst_buffer_new_memdup (pixels,
          9 * 9 * 4));
  g_autoptr (GBytes) bytes = filter_harness_get_bytes (h, result);
  const guint8 level = ((const guint8 *) g_bytes_get_data (bytes, NULL))
      [4 * (4 * 9 + 4)];
  gst_buffer_unref (result);
  return level;
}

static void
init (FilterHarness * h, const gchar * settings)
{
  filter_harness_init_element (h, "glopenclconvolution", settings);
  filter_harness_set_size (h, 9, 9);
}

static void
assert_variant (FilterHarness * h, const gchar * way)
{
  GstStructure *stats = NULL;

  g_object_get (h->filter, "stats", &stats, NULL);
  fail_unless (g_str_has_prefix (gst_structure_get_string (stats, "variant"),
          way), "%s, not %s", gst_structure_get_string (stats, "variant"), way);
  gst_structure_free (stats);
}

/* Rows are from top to bottom and not mirrored, and the next frame has what was
 * set, by the way that suits it. */
GST_START_TEST (test_live)
{
  FilterHarness h;

  init (&h, "matrix=\"" BINOMIAL "\"");
  fail_unless_equals_int (run_with_dot (&h, 3, 4), 32);
  assert_variant (&h, "separable");

  set_matrix (&h, "<<1,0.5,1/4>,<0,0,0>,<0,0,2.25>>");
  fail_unless_equals_int (run_with_dot (&h, 3, 3), 64);
  assert_variant (&h, "dense");
  fail_unless_equals_int (run_with_dot (&h, 4, 3), 32);
  fail_unless_equals_int (run_with_dot (&h, 5, 3), 16);
  fail_unless_equals_int (run_with_dot (&h, 5, 5), 143);
  fail_unless_equals_int (run_with_dot (&h, 3, 5), 0);

  g_object_set (h.filter, "divisor", 2.0, "bias", 0.25, NULL);
  fail_unless_equals_int (run_with_dot (&h, 3, 3), 191);
  set_matrix (&h, "<<1,1,1>,<1,1,1>,<1,1,1>>");
  g_object_set (h.filter, "divisor", 0.0, "bias", 0.0, NULL);
  fail_unless_equals_int (run_with_dot (&h, 3, 3), 28);
  assert_variant (&h, "separable");
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The only number, of a type that bindings may come with. */
static void
set_typed (FilterHarness * h, GType type, const gchar * text)
{
  GValue rows = G_VALUE_INIT, row = G_VALUE_INIT, number = G_VALUE_INIT;

  g_value_init (&rows, GST_TYPE_ARRAY);
  g_value_init (&row, GST_TYPE_ARRAY);
  g_value_init (&number, type);
  fail_unless (gst_value_deserialize (&number, text));
  gst_value_array_append_and_take_value (&row, &number);
  gst_value_array_append_and_take_value (&rows, &row);
  g_object_set_property (G_OBJECT (h->filter), "matrix", &rows);
  g_value_unset (&rows);
}

/* Numbers of all types, in any mixture, come back as doubles. */
GST_START_TEST (test_values)
{
  FilterHarness h;

  init (&h, "");
  fail_unless (get_number (&h, 1, 1) == 5.0);
  set_matrix (&h, "<<1,2.5,-1/2>>");
  fail_unless (get_number (&h, 0, 0) == 1.0);
  fail_unless (get_number (&h, 0, 1) == 2.5);
  fail_unless (get_number (&h, 0, 2) == -0.5);
  set_typed (&h, G_TYPE_UINT64, "18");
  fail_unless (get_number (&h, 0, 0) == 18.0);
  set_typed (&h, G_TYPE_FLOAT, "0.25");
  fail_unless (get_number (&h, 0, 0) == 0.25);
  set_typed (&h, G_TYPE_INT64, "-3");
  fail_unless (get_number (&h, 0, 0) == -3.0);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

static const gchar *const bad_matrices[][2] = {
  {"<<1,2>,<3,4>>", "row 2, column 2"},
  {"<<1,2,3>,<4,5>,<6,7,8>>", "2 columns in row 2"},
  {"<<1,2,3>,<4,nan,6>,<7,8,9>>", "nan in row 2, column 2"},
  {"<<1,2,inf>>", "inf in row 1, column 3"},
  {"<<1,2,3>,<4,5,six>,<7,8,9>>", "\"six\" in row 2, column 3"},
  {"<<1,true,3>>", "row 1, column 2"},
  {"<<1,<2>,3>>", "row 1, column 2"},
  {"<1,2,3>", "row 1"},
  {"<<0,0,0>>", "row 1, column 3"},
  {"<>", "row 1"},
};

/* Each is refused with one warning; the last good one stays in use. */
GST_START_TEST (test_bad_while_playing)
{
  FilterHarness h;

  init (&h, "matrix=\"" BINOMIAL "\"");
  fail_unless_equals_int (run_with_dot (&h, 4, 4), 64);
  for (guint i = 0; i < G_N_ELEMENTS (bad_matrices); i++) {
    set_matrix (&h, bad_matrices[i][0]);
    g_autoptr (GError) warning = filter_harness_pop_warning (&h);
    fail_unless (g_error_matches (warning, GST_RESOURCE_ERROR,
            GST_RESOURCE_ERROR_SETTINGS));
    fail_unless (strstr (warning->message, bad_matrices[i][1]), "%s: %s",
        bad_matrices[i][0], warning->message);
    filter_harness_assert_quiet (&h);
    fail_unless (get_number (&h, 1, 1) == 4.0);
    fail_unless_equals_int (run_with_dot (&h, 4, 4), 64);
  }
  fail_unless (filter_harness_pop_error (&h, NULL) == NULL);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* An element that was given a bad matrix before does not start, says why, and
 * does once it has a good one. */
GST_START_TEST (test_bad_at_start)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_matrices); i++) {
    GstElement *filter = gst_element_factory_make ("glopenclconvolution", NULL);
    g_autoptr (GstBus) bus = gst_bus_new ();
    FilterHarness h = {.filter = filter };
    GError *error = NULL;

    set_matrix (&h, bad_matrices[i][0]);
    gst_element_set_bus (filter, bus);
    for (guint n = 0; n < 2; n++) {
      fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
          GST_STATE_CHANGE_FAILURE);
      GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
      gst_message_parse_error (message, &error, NULL);
      fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
              GST_RESOURCE_ERROR_SETTINGS));
      fail_unless (strstr (error->message, bad_matrices[i][1]) != NULL);
      g_clear_error (&error);
      gst_message_unref (message);
      gst_element_set_state (filter, GST_STATE_NULL);
    }
    /* What another parameter is set to does not make it good. */
    g_object_set (filter, "bias", 0.5, NULL);
    fail_unless_equals_int (gst_element_set_state (filter, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (filter, GST_STATE_NULL);

    set_matrix (&h, DENSE);
    fail_unless (gst_element_set_state (filter, GST_STATE_PAUSED)
        != GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (filter, GST_STATE_NULL);
    gst_element_set_bus (filter, NULL);
    gst_object_unref (filter);
  }
}

GST_END_TEST;

/* A file and the matrix are one value: the last of both that was set counts. */
GST_START_TEST (test_bad_file_at_start)
{
  static const struct
  {
    const gchar *matrix;
    gboolean file_last, starts;
  } steps[] = {
    {BINOMIAL, FALSE, TRUE}, {BINOMIAL, TRUE, FALSE},
    {"<<1,2>>", FALSE, FALSE},
  };
  g_autofree gchar *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree gchar *missing = g_build_filename (folder, "missing", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstElement *filter = gst_element_factory_make ("glopenclconvolution", NULL);
    FilterHarness h = {.filter = filter };

    if (!steps[i].file_last)
      g_object_set (filter, "matrix-file", missing, NULL);
    set_matrix (&h, steps[i].matrix);
    if (steps[i].file_last)
      g_object_set (filter, "matrix-file", missing, NULL);
    fail_unless ((gst_element_set_state (filter, GST_STATE_PAUSED)
            != GST_STATE_CHANGE_FAILURE) == steps[i].starts);
    gst_element_set_state (filter, GST_STATE_NULL);
    gst_object_unref (filter);
  }
  g_rmdir (folder);
}

GST_END_TEST;

static void
count_notify (G_GNUC_UNUSED GObject * object, G_GNUC_UNUSED GParamSpec * spec,
    gpointer user_data)
{
  (*(guint *) user_data)++;
}

/* A file sets the matrix, and says so; a matrix unsets the file. */
GST_START_TEST (test_file)
{
  g_autofree gchar *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree gchar *name = g_build_filename (folder, "matrix.txt", NULL);
  guint n_notified = 0;
  gchar *file = NULL;
  FilterHarness h;

  fail_unless (g_file_set_contents (name, "1 2 1\n2 4 2\n1 2 1\n", -1, NULL));
  init (&h, "");
  g_signal_connect (h.filter, "notify::matrix", G_CALLBACK (count_notify),
      &n_notified);
  g_object_set (h.filter, "matrix-file", name, NULL);
  fail_unless_equals_int (n_notified, 1);
  fail_unless (get_number (&h, 1, 1) == 4.0);
  fail_unless_equals_int (run_with_dot (&h, 3, 4), 32);

  /* It is read again when it is set again. */
  fail_unless (g_file_set_contents (name, "1, 2, 5", -1, NULL));
  g_object_set (h.filter, "matrix-file", name, NULL);
  fail_unless_equals_int (run_with_dot (&h, 3, 4), 32);
  fail_unless_equals_int (run_with_dot (&h, 5, 4), 159);
  filter_harness_assert_quiet (&h);

  fail_unless (g_file_set_contents (name, "1 2\n3 x\n", -1, NULL));
  g_object_set (h.filter, "matrix-file", name, NULL);
  g_autoptr (GError) warning = filter_harness_pop_warning (&h);
  fail_unless (g_error_matches (warning, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_SETTINGS));
  fail_unless (strstr (warning->message, "row 2, column 2") != NULL);
  fail_unless (strstr (warning->message, name) != NULL);
  fail_unless_equals_int (run_with_dot (&h, 5, 4), 159);

  /* Nor does the name of another bad one stay. */
  g_autofree gchar *missing = g_build_filename (folder, "missing", NULL);
  g_object_set (h.filter, "matrix-file", missing, NULL);
  g_object_get (h.filter, "matrix-file", &file, NULL);
  fail_unless_equals_string (file, name);
  g_clear_pointer (&file, g_free);
  g_autoptr (GError) another = filter_harness_pop_warning (&h);
  fail_unless (another != NULL);

  set_matrix (&h, BINOMIAL);
  g_object_get (h.filter, "matrix-file", &file, NULL);
  fail_unless (file == NULL);
  g_object_set (h.filter, "matrix-file", NULL, NULL);
  fail_unless (get_number (&h, 1, 1) == 4.0);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
  g_remove (name);
  g_rmdir (folder);
}

GST_END_TEST;

static Suite *
matrices_suite (void)
{
  Suite *suite = suite_create ("matrices");
  TCase *tests = tcase_create ("matrices");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_live);
  tcase_add_test (tests, test_values);
  tcase_add_test (tests, test_bad_while_playing);
  tcase_add_test (tests, test_bad_at_start);
  tcase_add_test (tests, test_bad_file_at_start);
  tcase_add_test (tests, test_file);
  return suite;
}

FILTER_HARNESS_MAIN (matrices);
