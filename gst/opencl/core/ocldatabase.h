/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Database of settings: the fastest values of tunables on a device, found by
 * `glopencl tune`, for an operation with frames of one kind.
 *
 * It consists of files whose names end with .tuning, one for each device, first
 * in the folders of the environment variable GLOPENCL_TUNING_PATH, separated by
 * colons, then in the user's folder (~/.local/share/gst-glopencl/tuning, or the
 * equivalent by XDG_DATA_HOME), then in the folder that is installed with this
 * project. An entry in an earlier folder has precedence.
 *
 * A file is a GKeyFile. Its group [device] has these keys:
 *
 *   version   1
 *   name, vendor, type   of the device. The type is cpu, gpu or other
 *
 * Each other group is an entry with any name:
 *
 *   operation, variant, format, storage, channel   see OclDatabaseKey
 *   form   the specialization of the variant
 *   width, height   of the frame
 *   reach   the number of pixels that the operation reads around a pixel
 *   driver   the version of the driver
 *   source   the checksum of the source of the kernels
 *   settings   MACRO=VALUE, separated by commas, empty for the defaults
 *
 * and more keys for people, which are not read. A file that cannot be read or
 * has another structure is skipped, with one message that names it.
 *
 * A look-up prefers the entry of this device and driver whose class of size and
 * of reach is nearest, then one of this device with another driver, then one of
 * a device of this vendor and type. A class of sizes, or of reaches, is twice
 * as large as the previous one. Entries more than two classes away, entries of
 * other devices in another class, and entries for another source are ignored.
 *
 * An OclDatabase never changes. All functions may be called from any thread. */

#pragma once

#include "ocldevice.h"
#include "oclformat.h"

G_BEGIN_DECLS

/* Maximum number of bytes of a file, and of files in a folder. */
#define OCL_DATABASE_MAX_BYTES (1 << 20)
#define OCL_DATABASE_MAX_FILES 64

#define OCL_DATABASE_SUFFIX ".tuning"
#define OCL_DATABASE_VERSION 1

#define OCL_MAX_TUNABLES 8

/**
 * OclTunable:
 * @macro: name of the macro in the kernel
 * @default_value: value to use if no better value is known. 0 selects the
 *    default of the kernel, which depends on the instructions of the device
 * @values: allowed values, ended by 0
 *
 * A shape of work-groups or tiles, or the pixels of a work-item, as a macro in
 * the kernel. It does not change the result of a kernel, except that a level in
 * the middle between two whole levels may be rounded to either side.
 *
 * A variant's table has at most OCL_MAX_TUNABLES tunables. The table ends with
 * an entry whose macro is NULL.
 */
typedef struct
{
  const gchar *macro;
  gint default_value;
  const gint *values;
} OclTunable;

/* Expands to the @values of an OclTunable. Use it only for tables outside of
 * functions. */
#define OCL_CHOICES(...) ((const gint[]) {__VA_ARGS__, 0})

/* Holds a value for each tunable of a table. */
typedef struct
{
  gint values[OCL_MAX_TUNABLES];
} OclTuning;

/* Returns the index of the tunable with the macro @macro, or -1. @table may be
 * NULL. */
gint ocl_tunables_find (const OclTunable * table, const gchar * macro);

/* Returns whether @value is one of the allowed values of @tunable. */
gboolean ocl_tunable_allows (const OclTunable * tunable, gint value);

/* Sets all values to their defaults. @table may be NULL. */
void ocl_tuning_init (OclTuning * tuning, const OclTunable * table);

/* Returns options for the driver's compiler. The caller frees the text. @table
 * may be NULL. */
gchar *ocl_tuning_get_options (const OclTuning * tuning,
    const OclTunable * table);

/**
 * OclDatabaseKey:
 * @operation: the name of the operation
 * @variant: the name of the variant
 * @specialization: the specialization of the variant
 * @format: the name of the frames' format
 * @storage: the name of the frames' storage
 * @channel: the first channel of the pass
 * @width: the width of the frame in pixels
 * @height: the height of the frame in pixels
 * @reach: the number of pixels that the operation reads around a pixel, in each
 *    direction
 * @source: the name of the source of the kernels that have the tunables
 *
 * Key of a look-up. Owns nothing.
 */
typedef struct
{
  const gchar *operation;
  const gchar *variant;
  guint specialization;
  const gchar *format;
  const gchar *storage;
  guint channel;
  gint width;
  gint height;
  gint reach;
  const gchar *source;
} OclDatabaseKey;

typedef struct _OclDatabase OclDatabase;

/* Reads the entries that may apply to @device from all folders. */
OclDatabase *ocl_database_load (const OclDevice * device);

/* Returns an empty database for @device. */
OclDatabase *ocl_database_new (const OclDevice * device);
void ocl_database_free (OclDatabase * database);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclDatabase, ocl_database_free)

/* Adds the entries in the text of a file after the existing entries. Must be
 * called only before @database is shared. Returns FALSE with
 * OCL_ERROR_SETTINGS, whose message is a sentence, and adds nothing, if the
 * text is not a valid file of the database. */
gboolean ocl_database_add (OclDatabase * database, const gchar * text,
    GError ** error);

/* Returns the number of entries. */
guint ocl_database_count (const OclDatabase * database);

/* Sets @tuning to the values of the best entry for @key, and to the defaults of
 * @table for values that the entry lacks. Ignores entries with values that
 * @table does not allow. Returns FALSE, without changing @tuning, if there is
 * no entry. */
gboolean ocl_database_find (const OclDatabase * database,
    const OclDatabaseKey * key, const OclTunable * table, OclTuning * tuning);

/* Returns the folder of the user's files. The caller frees the path. */
gchar *ocl_database_get_user_folder (void);

/* Returns the name of the file for @device, without its folder. The caller
 * frees the text. */
gchar *ocl_database_get_file_name (const OclDevice * device);

/* Returns the type of @device: "cpu", "gpu" or "other". */
const gchar *ocl_database_get_type (const OclDevice * device);

/* Returns the checksum of the source @name, which lives as long as the
 * process. */
const gchar *ocl_database_get_checksum (const gchar * name);

G_END_DECLS
