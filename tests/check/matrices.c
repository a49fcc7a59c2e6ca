/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the matrix of glopenclconvolution as applications set it: by value,
 * from a file, while playing, and invalid matrices. */

#include <glib/gstdio.h>
#include <string.h>

#include "elementharness.h"

#define BINOMIAL "<<1,2,1>,<2,4,2>,<1,2,1>>"
#define DENSE "<<1,2,3>,<4,5,6>,<7,8,10>>"

static void
set_matrix (Harness * h, const gchar * text)
{
  harness_set_array (h, "matrix", text);
}

static gdouble
get_number (Harness * h, guint row, guint column)
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
run_with_dot (Harness * h, gint x, gint y)
{
  g_autofree guint8 *pixels = g_malloc0 (9 * 9 * 4);

  pixels[4 * (y * 9 + x)] = 255;
  g_autoptr (GstBuffer) result =
      harness_filter_frame (h, gst_buffer_new_memdup (pixels, 9 * 9 * 4));
  g_autoptr (GBytes) bytes = harness_get_bytes (h, result);
  return ((const guint8 *) g_bytes_get_data (bytes, NULL))[4 * (4 * 9 + 4)];
}

static Harness *
start (const gchar * settings)
{
  return harness_new (RGBA (9, 9), "glopenclconvolution %s", settings);
}

/* Rows are from top to bottom and not mirrored, and the next frame uses the new
 * matrix, with the variant for it. */
TEST (test_live)
{
  static const struct
  {
    const gchar *matrix;        /* NULL: as before */
    gdouble divisor, bias;
    gint x, y, level;
    const gchar *variant;
  } steps[] = {
    {BINOMIAL, 0.0, 0.0, 3, 4, 32, "separable"},
    {"<<1,0.5,1/4>,<0,0,0>,<0,0,2.25>>", 0.0, 0.0, 3, 3, 64, "dense"},
    {NULL, 0.0, 0.0, 4, 3, 32, "dense"}, {NULL, 0.0, 0.0, 5, 3, 16, "dense"},
    {NULL, 0.0, 0.0, 5, 5, 143, "dense"}, {NULL, 0.0, 0.0, 3, 5, 0, "dense"},
    {NULL, 2.0, 0.25, 3, 3, 191, "dense"},
    {"<<1,1,1>,<1,1,1>,<1,1,1>>", 0.0, 0.0, 3, 3, 28, "separable"},
  };
  g_autoptr (Harness) h = start ("");

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    if (steps[i].matrix)
      set_matrix (h, steps[i].matrix);
    g_object_set (h->filter, "divisor", steps[i].divisor, "bias",
        steps[i].bias, NULL);
    fail_unless_equals_int (run_with_dot (h, steps[i].x, steps[i].y),
        steps[i].level);
    element_assert_variant (h->filter, steps[i].variant);
  }
  harness_assert_quiet (h);
}

/* The only number, of a type that bindings may come with. */
static void
set_typed (Harness * h, GType type, const gchar * text)
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
TEST (test_values)
{
  static const gdouble row[] = { 1.0, 2.5, -0.5 };
  g_autoptr (Harness) h = start ("");

  fail_unless (get_number (h, 1, 1) == 5.0);
  set_matrix (h, "<<1,2.5,-1/2>>");
  for (guint i = 0; i < G_N_ELEMENTS (row); i++)
    fail_unless (get_number (h, 0, i) == row[i]);
  set_typed (h, G_TYPE_UINT64, "18");
  fail_unless (get_number (h, 0, 0) == 18.0);
  set_typed (h, G_TYPE_FLOAT, "0.25");
  fail_unless (get_number (h, 0, 0) == 0.25);
  set_typed (h, G_TYPE_INT64, "-3");
  fail_unless (get_number (h, 0, 0) == -3.0);
  harness_assert_quiet (h);
}

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

/* Each is refused with one warning, and the last valid one stays in use. */
TEST (test_bad_while_playing)
{
  g_autoptr (Harness) h = start ("matrix=\"" BINOMIAL "\"");

  fail_unless_equals_int (run_with_dot (h, 4, 4), 64);
  for (guint i = 0; i < G_N_ELEMENTS (bad_matrices); i++) {
    set_matrix (h, bad_matrices[i][0]);
    harness_assert_warning (h, bad_matrices[i][1]);
    harness_assert_quiet (h);
    fail_unless (get_number (h, 1, 1) == 4.0);
    fail_unless_equals_int (run_with_dot (h, 4, 4), 64);
  }
}

static gboolean
starts (GstElement * filter)
{
  const gboolean ok = gst_element_set_state (filter, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE;

  gst_element_set_state (filter, GST_STATE_NULL);
  return ok;
}

static GstElement *
create_filter (void)
{
  return gst_object_ref_sink (gst_element_factory_make ("glopenclconvolution",
          NULL));
}

/* An element that was given a bad matrix before does not start, says why, and
 * does once it has a good one. */
TEST_LOOP (test_bad_at_start, G_N_ELEMENTS (bad_matrices))
{
  g_autoptr (GstElement) filter = create_filter ();
  g_autoptr (GstBus) bus = gst_bus_new ();
  Harness h = {.filter = filter,.bus = bus };

  set_matrix (&h, bad_matrices[__i__][0]);
  gst_element_set_bus (filter, bus);
  for (guint n = 0; n < 2; n++)
    fail_if (starts (filter));
  /* Other parameters do not make it valid. */
  g_object_set (filter, "bias", 0.5, NULL);
  fail_if (starts (filter));
  for (guint n = 0; n < 3; n++)
    harness_assert_error (&h, GST_RESOURCE_ERROR_SETTINGS,
        bad_matrices[__i__][1]);
  harness_assert_quiet (&h);
  set_matrix (&h, DENSE);
  fail_unless (starts (filter));
  gst_element_set_bus (filter, NULL);
}

/* A file and the matrix are one value: the last of both that was set counts. */
TEST (test_bad_file_at_start)
{
  static const struct
  {
    const gchar *matrix;
    gboolean file_last, starts;
  } steps[] = {
    {BINOMIAL, FALSE, TRUE}, {BINOMIAL, TRUE, FALSE},
    {"<<1,2>>", FALSE, FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (GstElement) filter = create_filter ();
    Harness h = {.filter = filter };

    if (!steps[i].file_last)
      g_object_set (filter, "matrix-file", "/missing/matrix", NULL);
    set_matrix (&h, steps[i].matrix);
    if (steps[i].file_last)
      g_object_set (filter, "matrix-file", "/missing/matrix", NULL);
    fail_unless_equals_int (starts (filter), steps[i].starts);
  }
}

static void
count_notify (G_GNUC_UNUSED GObject * object, G_GNUC_UNUSED GParamSpec * spec,
    gpointer user_data)
{
  (*(guint *) user_data)++;
}

/* A file sets the matrix and the property. A matrix unsets the file. */
TEST (test_file)
{
  g_autofree gchar *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree gchar *name = g_build_filename (folder, "matrix.txt", NULL);
  g_autofree gchar *words = g_strdup_printf ("row 2, column 2|%s", name);
  g_autoptr (Harness) h = start ("");
  guint n_notified = 0;

  fail_unless (g_file_set_contents (name, "1 2 1\n2 4 2\n1 2 1\n", -1, NULL));
  g_signal_connect (h->filter, "notify::matrix", G_CALLBACK (count_notify),
      &n_notified);
  g_object_set (h->filter, "matrix-file", name, NULL);
  fail_unless_equals_int (n_notified, 1);
  fail_unless (get_number (h, 1, 1) == 4.0);
  fail_unless_equals_int (run_with_dot (h, 3, 4), 32);

  /* It is read again when it is set again. */
  fail_unless (g_file_set_contents (name, "1, 2, 5", -1, NULL));
  g_object_set (h->filter, "matrix-file", name, NULL);
  fail_unless_equals_int (run_with_dot (h, 3, 4), 32);
  fail_unless_equals_int (run_with_dot (h, 5, 4), 159);
  harness_assert_quiet (h);

  fail_unless (g_file_set_contents (name, "1 2\n3 x\n", -1, NULL));
  g_object_set (h->filter, "matrix-file", name, NULL);
  harness_assert_warning (h, words);
  fail_unless_equals_int (run_with_dot (h, 5, 4), 159);
  /* Nor does the name of another bad one stay. */
  g_object_set (h->filter, "matrix-file", "/missing/matrix", NULL);
  element_assert_text (h->filter, "matrix-file", name);
  harness_assert_warning (h, "/missing/matrix");

  set_matrix (h, BINOMIAL);
  element_assert_text (h->filter, "matrix-file", NULL);
  g_object_set (h->filter, "matrix-file", NULL, NULL);
  fail_unless (get_number (h, 1, 1) == 4.0);
  harness_assert_quiet (h);
  g_remove (name);
  g_rmdir (folder);
}
