/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the database of settings: the selected entry, that invalid files do no
 * harm, and that writers keep entries of other writers. */

#include "opencl/core/ocldatabase.h"
#include "tuningfile.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_WRITERS 8
#define N_WRITTEN 12

static const OclTunable table[] = {
  {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32, 64)},
  {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  {NULL},
};

static OclDevice device = {
  .name = (gchar *) "Made-up [GPU]/9000",.vendor = (gchar *) "Nobody",
  .driver = (gchar *) "1.0",.type = CL_DEVICE_TYPE_GPU,
};

static const OclDatabaseKey key = {
  .operation = "sharpen",.variant = "tiled",.specialization = 3,.format =
      "RGBA",
  .storage = "buffer",.width = 1280,.height = 720,.reach = 4,
  .source = "stencil-tiled.cl",
};

static gchar *folder;           /* of the test, empty for each */

/* The text of a file for @of with an entry for @what. */
static gchar *
make_text (const OclDevice * of, const OclDatabaseKey * what,
    const gchar * settings)
{
  const gchar *source = ocl_database_get_checksum (what->source);

  return g_strdup_printf ("[device]\nversion=1\nname=%s\nvendor=%s\ntype=%s\n"
      "[an entry]\noperation=%s\nvariant=%s\nform=%u\nformat=%s\nstorage=%s\n"
      "channel=%u\nwidth=%d\nheight=%d\nreach=%d\ndriver=%s\nsource=%s\n"
      "settings=%s\ngain=1.5\n", of->name, of->vendor,
      ocl_database_get_type (of), what->operation, what->variant,
      what->specialization, what->format, what->storage, what->channel,
      what->width, what->height, what->reach, of->driver, source, settings);
}

static void
add (OclDatabase * database, const OclDevice * of, const OclDatabaseKey * what,
    const gchar * settings)
{
  g_autofree gchar *text = make_text (of, what, settings);
  g_autoptr (GError) error = NULL;

  g_assert_true (ocl_database_add (database, text, &error));
  g_assert_no_error (error);
}

/* ROWS of the found settings, or 0. */
static gint
find_rows (const OclDatabase * database, const OclDatabaseKey * what)
{
  OclTuning tuning = { {7, 7} };

  if (ocl_database_find (database, what, table, &tuning))
    return tuning.values[1];
  g_assert_cmpint (tuning.values[0], ==, 7);
  return 0;
}

/* An entry is used for its key only. */
static void
test_exact (void)
{
  g_autoptr (OclDatabase) database = ocl_database_new (&device);
  OclDatabaseKey other;
  OclTuning tuning;

  g_assert_cmpint (find_rows (database, &key), ==, 0);
  add (database, &device, &key, "ROWS=2");
  g_assert_true (ocl_database_find (database, &key, table, &tuning));
  g_assert_cmpint (tuning.values[0], ==, 32);
  g_assert_cmpint (tuning.values[1], ==, 2);
#define ASSERT_NOT_FOUND(member, value) \
  other = key; \
  other.member = value; \
  g_assert_cmpint (find_rows (database, &other), ==, 0)
  ASSERT_NOT_FOUND (operation, "convolution");
  ASSERT_NOT_FOUND (variant, "plain");
  ASSERT_NOT_FOUND (specialization, 2);
  ASSERT_NOT_FOUND (format, "GRAY8");
  ASSERT_NOT_FOUND (storage, "image");
  ASSERT_NOT_FOUND (channel, 1);
  ASSERT_NOT_FOUND (source, "stencil.cl");
  ASSERT_NOT_FOUND (width, 20000);
  ASSERT_NOT_FOUND (reach, 64);
}

/* The nearest class of size and reach, then another driver, then a device of
 * the vendor. Unusable entries are dropped. */
static void
test_order (void)
{
  OclDevice driver = device;
  OclDevice sister = device;
  OclDevice other = device;
  OclDatabaseKey far_away = key;
  OclDatabaseKey near_by = key;
  g_autoptr (OclDatabase) database = ocl_database_new (&device);

  driver.driver = (gchar *) "0.9";
  sister.name = (gchar *) "Made-up 8000";
  other.vendor = (gchar *) "Somebody";
  far_away.width = 4 * key.width;
  near_by.reach = 2 * key.reach;
  add (database, &other, &key, "ROWS=1");
  g_assert_cmpuint (ocl_database_count (database), ==, 0);
  add (database, &sister, &key, "ROWS=4,GROUP_WIDTH=64");
  g_assert_cmpint (find_rows (database, &key), ==, 4);
  add (database, &driver, &far_away, "ROWS=1");
  g_assert_cmpint (find_rows (database, &key), ==, 1);
  add (database, &sister, &key, "ROWS=4");
  g_assert_cmpint (find_rows (database, &key), ==, 1);
  add (database, &driver, &near_by, "ROWS=2");
  g_assert_cmpint (find_rows (database, &key), ==, 2);
  add (database, &device, &far_away, "ROWS=1");
  g_assert_cmpint (find_rows (database, &key), ==, 1);
  add (database, &device, &near_by, "");
  g_assert_cmpint (find_rows (database, &key), ==, 4);
  add (database, &device, &key, "ROWS=2");
  g_assert_cmpint (find_rows (database, &key), ==, 2);
  add (database, &driver, &key, "ROWS=1");
  g_assert_cmpint (find_rows (database, &key), ==, 2);
  /* Settings of a device of the vendor are for their class only. */
  g_autoptr (OclDatabase) others = ocl_database_new (&device);
  add (others, &sister, &near_by, "ROWS=2");
  g_assert_cmpint (find_rows (others, &key), ==, 0);
  /* An earlier file goes before a later one. */
  add (database, &device, &key, "ROWS=1");
  g_assert_cmpint (find_rows (database, &key), ==, 2);
}

/* Settings that the variant does not have are not taken. */
static void
test_settings (void)
{
  static const gchar *const bad[] = { "ROWS=3", "ROWS=0", "ROWS=-1", "ROWS=",
    "ROWS", "=2", "COLUMNS=2", "ROWS=2,", "ROWS=99999999999999999999",
    "ROWS=2 -D X", "ROWS=2,GROUP_WIDTH=7"
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (OclDatabase) database = ocl_database_new (&device);

    add (database, &device, &key, bad[i]);
    /* An empty text is the default, and so are no parts of it. */
    g_assert_cmpint (find_rows (database, &key), ==, 0);
    add (database, &device, &key, "ROWS=2");
    g_assert_cmpint (find_rows (database, &key), ==, 2);
  }
}

/* Each part of a file that is missing makes it no file. */
static void
test_truncated (void)
{
  g_autofree gchar *text = make_text (&device, &key, "ROWS=2");
  g_autoptr (GError) error = NULL;

  for (gsize length = 0; length < strlen (text); length++) {
    g_autoptr (OclDatabase) database = ocl_database_new (&device);
    g_autofree gchar *part = g_strndup (text, length);
    GError *reason = NULL;

    if (!ocl_database_add (database, part, &reason)) {
      g_assert_error (reason, OCL_ERROR, OCL_ERROR_SETTINGS);
      g_assert_cmpuint (ocl_database_count (database), ==, 0);
      g_clear_error (&reason);
    }
    (void) find_rows (database, &key);
  }
  for (const gchar * line = text; *line; line = strchr (line, '\n') + 1) {
    g_autoptr (OclDatabase) database = ocl_database_new (&device);
    g_autofree gchar *before = g_strndup (text, line - text);
    g_autofree gchar *without =
        g_strconcat (before, strchr (line, '\n') + 1, NULL);

    if (!g_str_has_prefix (line, "gain") && !g_str_has_prefix (line, "[an"))
      g_assert_false (ocl_database_add (database, without, NULL));
  }
  g_autoptr (OclDatabase) database = ocl_database_new (&device);
  g_autofree gchar *escaped = make_text (&device, &key, "ROWS=2\\q");
  g_autofree gchar *newer = g_strdup (text);

  /* No escape. A missing driver would be a second error. */
  *strstr (escaped, "driver") = '#';
  g_assert_false (ocl_database_add (database, escaped, NULL));
  strstr (newer, "version=1")[8] = '2';
  g_assert_false (ocl_database_add (database, newer, &error));
  g_assert_nonnull (strstr (error->message, "version 2"));
}

static gchar *
get_path (const gchar * name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_file (const gchar * name, const gchar * text)
{
  g_autofree gchar *path = get_path (name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* @reason is a sentence, and not more. */
static void
expect_warning (const gchar * name, const gchar * reason)
{
  g_autofree gchar *pattern = g_strdup_printf ("*%s is left out, *: %s Correct "
      "it, *", name, reason);

  g_test_expect_message ("glopencl", G_LOG_LEVEL_MESSAGE, pattern);
}

/* Unusable files cause one warning. The others are read. */
static void
test_folder (void)
{
  g_autofree gchar *text = make_text (&device, &key, "ROWS=2");
  g_autofree gchar *huge = g_strnfill (OCL_DATABASE_MAX_BYTES + 1, '#');
  g_autofree gchar *pipe = get_path ("pipe.tuning");
  g_autofree gchar *gone = get_path ("gone.tuning");

  write_file ("a.tuning", "\x7f" "ELF\001\002");
  write_file ("b.tuning", huge);
  write_file ("c.tuning", text);
  write_file ("d.txt", "no file of the database");
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("nowhere", gone), ==, 0);
  expect_warning ("a.tuning",
      "*which is not a key-value pair, group, or comment.");
  expect_warning ("b.tuning",
      "*b.tuning is not a text file of settings of kernels.");
  expect_warning ("gone.tuning", "*gone.tuning: No such file or directory.");
  expect_warning ("pipe.tuning",
      "*pipe.tuning is not a text file of settings of kernels.");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclDatabase) database = ocl_database_load (&device);

    g_assert_cmpuint (ocl_database_count (database), ==, 1);
    g_assert_cmpint (find_rows (database, &key), ==, 2);
  }
  g_test_assert_expected_messages ();
}

static gboolean
store (gint width, gint rows, GError ** error)
{
  const OclTuning tuning = { {32, rows} };
  TuningEntry entry = {.key = key,.table = table,.tuning = &tuning,
    .gain = 1.25,.noise = 0.01,.measured = 9
  };

  entry.key.width = width;
  return tuning_file_store (folder, &device, &entry, 1, NULL, error);
}

/* A look-up finds the entry that was stored last for its key. */
static void
test_store (void)
{
  g_autoptr (GError) error = NULL;

  for (gint rows = 1; rows <= 4; rows *= 2) {
    g_assert_true (store (key.width, rows, &error));
    g_assert_no_error (error);
    g_autoptr (OclDatabase) database = ocl_database_load (&device);

    g_assert_cmpuint (ocl_database_count (database), ==, 1);
    g_assert_cmpint (find_rows (database, &key), ==, rows);
  }
}

/* That there is nothing to tune is stored beside entries, each once. */
static void
test_store_nothing (void)
{
  static const gchar *const told[] = { "a of RGBA in buffer",
    "a of RGBA in buffer", "b of RGBA in image"
  };
  g_autofree gchar *name = ocl_database_get_file_name (&device);
  g_autofree gchar *path = get_path (name);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (store (key.width, 2, &error));
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_assert_true (tuning_file_store (folder, &device, NULL, 0, told[i],
            &error));
  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE,
          &error));
  g_autofree gchar *list = g_key_file_get_string (file, "device",
      "nothing-to-tune", &error);
  g_assert_cmpstr (list, ==, "a of RGBA in buffer;b of RGBA in image;");
  g_autoptr (OclDatabase) database = ocl_database_load (&device);
  g_assert_cmpuint (ocl_database_count (database), ==, 1);
}

/* Content written by another program is kept. */
static void
test_store_over (void)
{
  g_autofree gchar *name = ocl_database_get_file_name (&device);
  g_autofree gchar *path = get_path (name);
  g_autofree gchar *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (name, ==, "Made-up--GPU--9000.tuning");
  write_file (name, "precious");
  g_assert_false (store (key.width, 2, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
  g_assert_nonnull (strstr (error->message, name));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "precious");
}

static void
test_store_nowhere (void)
{
  g_autofree gchar *before = folder;
  g_autoptr (GError) error = NULL;

  folder = g_strdup ("/proc/nowhere");
  g_assert_false (store (key.width, 2, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
  g_free (folder);
  folder = g_steal_pointer (&before);
}

static gpointer
write_entries (gpointer data)
{
  for (gint i = 0; i < N_WRITTEN; i++) {
    g_autoptr (GError) error = NULL;

    g_assert_true (store (1 + GPOINTER_TO_INT (data) * N_WRITTEN + i, 2,
            &error));
  }
  return NULL;
}

/* Concurrent writers lose nothing, and readers never see a partial file. */
static void
test_writers (void)
{
  GThread *writers[N_WRITERS];

  for (gint i = 0; i < N_WRITERS; i++)
    writers[i] = g_thread_new ("write", write_entries, GINT_TO_POINTER (i));
  for (guint i = 0; i < 100; i++)
    ocl_database_free (ocl_database_load (&device));
  for (gint i = 0; i < N_WRITERS; i++)
    g_thread_join (writers[i]);
  g_autoptr (OclDatabase) database = ocl_database_load (&device);
  g_assert_cmpuint (ocl_database_count (database), ==, N_WRITERS * N_WRITTEN);
}

/* Each has a folder that is empty. */
static const struct
{
  const gchar *path;
  void (*run) (void);
} tests[] = {
  {"/database/exact", test_exact}, {"/database/order", test_order},
  {"/database/settings", test_settings},
  {"/database/truncated", test_truncated}, {"/database/folder", test_folder},
  {"/database/store", test_store},
  {"/database/store-nothing", test_store_nothing},
  {"/database/store-over", test_store_over},
  {"/database/store-nowhere", test_store_nowhere},
  {"/database/writers", test_writers},
};

static void
run_in_folder (gconstpointer test)
{
  ((const __typeof__ (tests[0]) *) test)->run ();
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  for (const gchar * name; (name = g_dir_read_name (directory));) {
    g_autofree gchar *path = get_path (name);

    g_unlink (path);
  }
}

int
main (int argc, char **argv)
{
  g_autofree gchar *data = g_dir_make_tmp ("glopencl-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  folder = g_strdup (data);
  g_setenv ("GLOPENCL_TUNING_PATH", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].path, &tests[i], run_in_folder);
  const int result = g_test_run ();

  g_rmdir (folder);
  g_free (folder);
  return result;
}
