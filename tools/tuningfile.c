/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tuningfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "opencl/core/ocltext.h"

#define DEVICE_GROUP "device"
#define NOTHING_KEY "nothing-to-tune"
#define LOCK_SUFFIX ".lock"

gchar *
tuning_file_print (const OclTunable * table, const OclTuning * tuning)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; table[i].macro; i++) {
    if (tuning->values[i] != 0)
      g_string_append_printf (text, "%s%s=%d", text->len ? "," : "",
          table[i].macro, tuning->values[i]);
  }
  return g_string_free (text, FALSE);
}

static void
fill_entry (GKeyFile * file, const OclDevice * device,
    const TuningEntry * entry)
{
  const OclDatabaseKey *key = &entry->key;
  g_autofree gchar *group = g_strdup_printf ("%s %s form %u, %s in %s channel "
      "%u, %dx%d, reach %d, driver %s", key->operation, key->variant,
      key->specialization,
      key->format, key->storage, key->channel, key->width, key->height,
      key->reach, device->driver);
  const gchar *source = ocl_database_get_checksum (key->source);
  g_autofree gchar *settings = tuning_file_print (entry->table, entry->tuning);

  /* The brackets around the name of a group. */
  g_strdelimit (group, "[]", '-');
  g_key_file_set_string (file, group, "operation", key->operation);
  g_key_file_set_string (file, group, "variant", key->variant);
  g_key_file_set_integer (file, group, "form", key->specialization);
  g_key_file_set_string (file, group, "format", key->format);
  g_key_file_set_string (file, group, "storage", key->storage);
  g_key_file_set_integer (file, group, "channel", key->channel);
  g_key_file_set_integer (file, group, "width", key->width);
  g_key_file_set_integer (file, group, "height", key->height);
  g_key_file_set_integer (file, group, "reach", key->reach);
  g_key_file_set_string (file, group, "driver", device->driver);
  g_key_file_set_string (file, group, "source", source);
  g_key_file_set_string (file, group, "settings", settings);
  g_key_file_set_double (file, group, "gain", entry->gain);
  g_key_file_set_double (file, group, "noise", entry->noise);
  g_key_file_set_integer (file, group, "measured", entry->measured);
}

/* Loads the existing file, if any. */
static gboolean
load (GKeyFile * file, const gchar * path, const OclDevice * device,
    GError ** error)
{
  g_autoptr (OclDatabase) database = ocl_database_new (device);
  g_autoptr (GError) failure = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_autofree gchar *text =
      ocl_text_file_load (path, "The file", "of settings of kernels",
      OCL_DATABASE_MAX_BYTES, error);
  if (!text)
    return FALSE;
  if (ocl_database_add (database, text, &failure)
      && g_key_file_load_from_data (file, text, -1, G_KEY_FILE_KEEP_COMMENTS,
          &failure)) {
    g_autofree gchar *name =
        g_key_file_get_string (file, DEVICE_GROUP, "name", NULL);
    g_autofree gchar *vendor =
        g_key_file_get_string (file, DEVICE_GROUP, "vendor", NULL);
    g_autofree gchar *type =
        g_key_file_get_string (file, DEVICE_GROUP, "type", NULL);

    /* Different device names may have the same file name. */
    if (g_strcmp0 (name, device->name) || g_strcmp0 (vendor, device->vendor)
        || g_strcmp0 (type, ocl_database_get_type (device)))
      g_set_error_literal (&failure, OCL_ERROR, OCL_ERROR_SETTINGS,
          "It is for another device.");
  }
  if (!failure)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s is not a file of kernel settings and was not changed: %s Move it "
      "away, and try again.", path, failure->message);
  return FALSE;
}

static gboolean
store (const gchar * path, const OclDevice * device,
    const TuningEntry * entries, guint n, const gchar * nothing,
    GError ** error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) failure = NULL;
  gsize length = 0;

  if (!load (file, path, device, error))
    return FALSE;
  g_key_file_set_integer (file, DEVICE_GROUP, "version", OCL_DATABASE_VERSION);
  g_key_file_set_string (file, DEVICE_GROUP, "name", device->name);
  g_key_file_set_string (file, DEVICE_GROUP, "vendor", device->vendor);
  g_key_file_set_string (file, DEVICE_GROUP, "type",
      ocl_database_get_type (device));
  for (guint i = 0; i < n; i++)
    fill_entry (file, device, &entries[i]);
  if (nothing) {
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    g_auto (GStrv) there = g_key_file_get_string_list (file, DEVICE_GROUP,
        NOTHING_KEY, NULL, NULL);

    if (there)
      g_strv_builder_addv (builder, (const gchar **) there);
    if (!there || !g_strv_contains ((const gchar * const *) there, nothing))
      g_strv_builder_add (builder, nothing);
    g_auto (GStrv) all = g_strv_builder_end (builder);
    g_key_file_set_string_list (file, DEVICE_GROUP, NOTHING_KEY,
        (const gchar * const *) all, g_strv_length (all));
  }
  g_autofree gchar *text = g_key_file_to_data (file, &length, NULL);
  if (length > OCL_DATABASE_MAX_BYTES)
    g_set_error (&failure, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s has too many entries. Move it away, and try again.", path);
  if (!failure && g_file_set_contents (path, text, length, &failure))
    return TRUE;
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_SETTINGS, failure->message);
  return FALSE;
}

gboolean
tuning_file_store (const gchar * folder, const OclDevice * device,
    const TuningEntry * entries, guint n, const gchar * nothing,
    GError ** error)
{
  g_autofree gchar *name = ocl_database_get_file_name (device);
  g_autofree gchar *path = g_build_filename (folder, name, NULL);
  g_autofree gchar *lock_path = g_strconcat (path, LOCK_SUFFIX, NULL);
  gint lock = -1;

  if (g_mkdir_with_parents (folder, 0777) == 0)
    lock = g_open (lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0 || flock (lock, LOCK_EX) != 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s cannot be written: %s.", path, g_strerror (errno));
    if (lock >= 0)
      close (lock);
    return FALSE;
  }
  /* A process that waits for the lock reads the new content. */
  const gboolean ok = store (path, device, entries, n, nothing, error);
  close (lock);
  return ok;
}
