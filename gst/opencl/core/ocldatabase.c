/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldatabase.h"

#include <string.h>

#include "oclprograms.h"
#include "ocltext.h"

#define DEVICE_GROUP "device"
#define PATH_VARIABLE "GLOPENCL_TUNING_PATH"

/* Maximum distance of an entry in classes of size and reach. */
#define MAX_DISTANCE 2

/* Origin of an entry. Smaller values have precedence. */
typedef enum
{
  ORIGIN_DRIVER,                /* this device, this driver */
  ORIGIN_DEVICE,                /* this device */
  ORIGIN_VENDOR,                /* a device of this vendor and type */
  ORIGIN_OTHER,                 /* not applicable */
} Origin;

typedef struct
{
  Origin origin;
  gchar *operation;
  gchar *variant;
  gint specialization;
  gchar *format;
  gchar *storage;
  gint channel;
  gint width;
  gint height;
  gint reach;
  gchar *source;                /* checksum */
  gchar *settings;
} Entry;

struct _OclDatabase
{
  gchar *name;                  /* of the device */
  gchar *vendor;
  gchar *driver;
  const gchar *type;
  GPtrArray *entries;           /* of Entry */
};

gint
ocl_tunables_find (const OclTunable * table, const gchar * macro)
{
  for (gint i = 0; table && table[i].macro; i++) {
    if (g_str_equal (table[i].macro, macro))
      return i;
  }
  return -1;
}

gboolean
ocl_tunable_allows (const OclTunable * tunable, gint value)
{
  for (const gint * allowed = tunable->values; *allowed; allowed++) {
    if (*allowed == value)
      return TRUE;
  }
  return FALSE;
}

void
ocl_tuning_init (OclTuning * tuning, const OclTunable * table)
{
  memset (tuning, 0, sizeof (*tuning));
  for (guint i = 0; table && table[i].macro; i++)
    tuning->values[i] = table[i].default_value;
}

gchar *
ocl_tuning_get_options (const OclTuning * tuning, const OclTunable * table)
{
  GString *options = g_string_new (NULL);

  for (guint i = 0; table && table[i].macro; i++) {
    if (tuning->values[i] != 0)
      g_string_append_printf (options, " -D %s=%d", table[i].macro,
          tuning->values[i]);
  }
  return g_string_free (options, FALSE);
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->operation);
  g_free (entry->variant);
  g_free (entry->format);
  g_free (entry->storage);
  g_free (entry->source);
  g_free (entry->settings);
  g_free (entry);
}

const gchar *
ocl_database_get_type (const OclDevice * device)
{
  return device->type & CL_DEVICE_TYPE_GPU ? "gpu"
      : device->type & CL_DEVICE_TYPE_CPU ? "cpu" : "other";
}

OclDatabase *
ocl_database_new (const OclDevice * device)
{
  OclDatabase *self = g_new0 (OclDatabase, 1);

  self->name = g_strdup (device->name);
  self->vendor = g_strdup (device->vendor);
  self->driver = g_strdup (device->driver);
  self->type = ocl_database_get_type (device);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  return self;
}

void
ocl_database_free (OclDatabase * self)
{
  g_ptr_array_unref (self->entries);
  g_free (self->name);
  g_free (self->vendor);
  g_free (self->driver);
  g_free (self);
}

guint
ocl_database_count (const OclDatabase * self)
{
  return self->entries->len;
}

gchar *
ocl_database_get_user_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "gst-glopencl",
      "tuning", NULL);
}

gchar *
ocl_database_get_file_name (const OclDevice * device)
{
  g_autofree gchar *name = g_strdup (device->name);

  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "+_", '-');
  return g_strconcat (*name ? name : "device", OCL_DATABASE_SUFFIX, NULL);
}

/* Each checksum is computed once in a process. */
const gchar *
ocl_database_get_checksum (const gchar * name)
{
  static GMutex mutex;
  static GHashTable *checksums; /* by name */
  const gchar *checksum;

  g_mutex_lock (&mutex);
  if (!checksums)
    checksums = g_hash_table_new (g_str_hash, g_str_equal);
  checksum = g_hash_table_lookup (checksums, name);
  if (!checksum) {
    checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA1,
        ocl_kernel_source_find (name), -1);
    g_hash_table_insert (checksums, g_strdup (name), (gpointer) checksum);
  }
  g_mutex_unlock (&mutex);
  return checksum;
}

/* State while a file is read. */
typedef struct
{
  const OclDatabase *database;
  GKeyFile *file;
  Origin origin;                /* of its device, with this driver */
  GPtrArray *entries;           /* of Entry */
} Reader;

/* The caller frees the text. GLib returns a text with an error if an escape
 * sequence is invalid. */
static gchar *
read_text (Reader * self, const gchar * group, const gchar * key,
    GError ** error)
{
  GError *failure = NULL;
  g_autofree gchar *text =
      g_key_file_get_string (self->file, group, key, &failure);

  if (!failure)
    return g_steal_pointer (&text);
  g_propagate_error (error, failure);
  return NULL;
}

static gboolean
read_number (Reader * self, const gchar * group, const gchar * key,
    gint * number, GError ** error)
{
  g_autoptr (GError) failure = NULL;

  *number = g_key_file_get_integer (self->file, group, key, &failure);
  if (!failure && *number >= 0)
    return TRUE;
  if (failure)
    g_propagate_error (error, g_steal_pointer (&failure));
  else
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s of [%s] is below 0", key, group);
  return FALSE;
}

static gboolean
read_entry (Reader * self, const gchar * group, GError ** error)
{
  Entry *entry = g_new0 (Entry, 1);
  g_autofree gchar *driver = NULL;
  const gboolean ok =
      (entry->operation = read_text (self, group, "operation", error))
      && (entry->variant = read_text (self, group, "variant", error))
      && (entry->format = read_text (self, group, "format", error))
      && (entry->storage = read_text (self, group, "storage", error))
      && (entry->source = read_text (self, group, "source", error))
      && (entry->settings = read_text (self, group, "settings", error))
      && (driver = read_text (self, group, "driver", error))
      && read_number (self, group, "form", &entry->specialization, error)
      && read_number (self, group, "channel", &entry->channel, error)
      && read_number (self, group, "width", &entry->width, error)
      && read_number (self, group, "height", &entry->height, error)
      && read_number (self, group, "reach", &entry->reach, error);

  g_ptr_array_add (self->entries, entry);
  entry->origin = self->origin;
  if (ok && entry->origin == ORIGIN_DRIVER
      && strcmp (driver, self->database->driver) != 0)
    entry->origin = ORIGIN_DEVICE;
  return ok;
}

/* Sets the origin of the entries of the file. */
static gboolean
read_device (Reader * self, GError ** error)
{
  const OclDatabase *database = self->database;
  gint version = 0;

  if (!read_number (self, DEVICE_GROUP, "version", &version, error))
    return FALSE;
  if (version != OCL_DATABASE_VERSION) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "It has version %d and not %d", version, OCL_DATABASE_VERSION);
    return FALSE;
  }
  g_autofree gchar *name = read_text (self, DEVICE_GROUP, "name", error);
  g_autofree gchar *vendor =
      name ? read_text (self, DEVICE_GROUP, "vendor", error) : NULL;
  g_autofree gchar *type =
      vendor ? read_text (self, DEVICE_GROUP, "type", error) : NULL;
  if (!type)
    return FALSE;
  self->origin = ORIGIN_OTHER;
  if (strcmp (vendor, database->vendor) == 0
      && strcmp (type, database->type) == 0)
    self->origin = strcmp (name, database->name) == 0
        ? ORIGIN_DRIVER : ORIGIN_VENDOR;
  return TRUE;
}

gboolean
ocl_database_add (OclDatabase * self, const gchar * text, GError ** error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (entry_free);
  Reader reader = {.database = self,.file = file,.entries = entries };
  g_autoptr (GError) failure = NULL;
  gboolean ok = g_key_file_load_from_data (file, text, -1, G_KEY_FILE_NONE,
      &failure) && read_device (&reader, &failure);
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; ok && groups[i]; i++)
    ok = strcmp (groups[i], DEVICE_GROUP) == 0
        || read_entry (&reader, groups[i], &failure);
  if (!ok) {
    /* GLib's messages do not end with a full stop. */
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS, "%s.", failure->message);
    return FALSE;
  }
  if (reader.origin != ORIGIN_OTHER)
    g_ptr_array_extend_and_steal (self->entries, g_steal_pointer (&entries));
  return TRUE;
}

/* Reports a file once in a process, because contexts are created repeatedly.
 * Does not use g_warning(), because an invalid file is not a programming
 * error. */
static void
warn_once (const gchar * path, const gchar * message)
{
  static GMutex mutex;
  static GHashTable *warned;

  g_mutex_lock (&mutex);
  if (!warned)
    warned = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const gboolean is_new = g_hash_table_add (warned, g_strdup (path));
  g_mutex_unlock (&mutex);
  if (is_new)
    g_message ("%s is left out, and kernels have their default settings: %s "
        "Correct it, or delete it and run glopencl tune again.", path, message);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

/* The order of files does not depend on the file system. A missing folder has
 * no files. */
static void
ocl_database_load_folder (OclDatabase * self, const gchar * folder)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GDir *directory = g_dir_open (folder, 0, NULL);
  const gchar *name;

  if (!directory)
    return;
  while ((name = g_dir_read_name (directory))) {
    if (g_str_has_suffix (name, OCL_DATABASE_SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  }
  g_dir_close (directory);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < MIN (names->len, OCL_DATABASE_MAX_FILES); i++) {
    g_autofree gchar *path = g_build_filename (folder, names->pdata[i], NULL);
    g_autoptr (GError) error = NULL;
    g_autofree gchar *text = ocl_text_file_load (path, "The file",
        "of settings of kernels", OCL_DATABASE_MAX_BYTES, &error);

    if (!text || !ocl_database_add (self, text, &error))
      warn_once (path, error->message);
  }
}

OclDatabase *
ocl_database_load (const OclDevice * device)
{
  OclDatabase *self = ocl_database_new (device);
  const gchar *path = g_getenv (PATH_VARIABLE);
  g_auto (GStrv) folders = g_strsplit (path ? path : "",
      G_SEARCHPATH_SEPARATOR_S, -1);
  g_autofree gchar *own = ocl_database_get_user_folder ();

  for (guint i = 0; folders[i]; i++) {
    if (*folders[i])
      ocl_database_load_folder (self, folders[i]);
  }
  ocl_database_load_folder (self, own);
  ocl_database_load_folder (self, OCL_TUNING_FOLDER);
  return self;
}

/* Returns the class of a number. Each class is twice as large as the previous
 * one. */
static gint
get_class (guint64 number)
{
  gint n = 0;

  while (number > 1) {
    number = (number + 1) / 2;
    n++;
  }
  return n;
}

static gint
get_distance (const Entry * entry, const OclDatabaseKey * key)
{
  return ABS (get_class ((guint64) entry->width * entry->height)
      - get_class ((guint64) key->width * key->height))
      + ABS (get_class (entry->reach) - get_class (key->reach));
}

static gboolean
entry_is_for (const Entry * entry, const OclDatabaseKey * key)
{
  return entry->specialization == (gint) key->specialization
      && entry->channel == (gint) key->channel
      && strcmp (entry->operation, key->operation) == 0
      && strcmp (entry->variant, key->variant) == 0
      && strcmp (entry->format, key->format) == 0
      && strcmp (entry->storage, key->storage) == 0 && get_distance (entry, key)
      <= (entry->origin == ORIGIN_VENDOR ? 0 : MAX_DISTANCE);
}

/* Sets @tuning to the settings of @entry. Returns whether @table allows all of
 * them. */
static gboolean
entry_get_tuning (const Entry * entry, const OclTunable * table,
    OclTuning * tuning)
{
  g_auto (GStrv) settings = g_strsplit (entry->settings, ",", -1);

  ocl_tuning_init (tuning, table);
  for (guint i = 0; settings[i]; i++) {
    /* MACRO=VALUE */
    gchar **parts = g_strsplit (settings[i], "=", 2);
    const gint place = parts[0] ? ocl_tunables_find (table, parts[0]) : -1;
    gint64 value = 0;
    const gboolean ok = place >= 0 && parts[1]
        && g_ascii_string_to_signed (parts[1], 10, 1, G_MAXINT, &value, NULL)
        && ocl_tunable_allows (&table[place], value);

    g_strfreev (parts);
    if (!ok) {
      g_info ("database: %s is no setting of %s", settings[i], entry->variant);
      return FALSE;
    }
    tuning->values[place] = value;
  }
  return TRUE;
}

gboolean
ocl_database_find (const OclDatabase * self, const OclDatabaseKey * key,
    const OclTunable * table, OclTuning * tuning)
{
  const Entry *best = NULL;

  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = self->entries->pdata[i];
    OclTuning values;

    if (!entry_is_for (entry, key) || (best && entry->origin > best->origin)
        || (best && entry->origin == best->origin
            && get_distance (entry, key) >= get_distance (best, key)))
      continue;
    if (strcmp (entry->source, ocl_database_get_checksum (key->source)) != 0
        || !entry_get_tuning (entry, table, &values))
      continue;
    best = entry;
    *tuning = values;
  }
  return best != NULL;
}
