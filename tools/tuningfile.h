/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes entries into the user's file of the database of settings, see
 * ocldatabase.h. Main thread only. */

#pragma once

#include "opencl/core/ocldatabase.h"

G_BEGIN_DECLS

/**
 * TuningEntry:
 * @key: what the settings are for
 * @table: the tunables
 * @tuning: the settings
 * @gain: the time of the default settings divided by that of @tuning
 * @noise: by which part a time may differ from itself
 * @measured: how many settings were measured
 *
 * An entry to write. Nothing is owned.
 */
typedef struct
{
  OclDatabaseKey key;
  const OclTunable *table;
  const OclTuning *tuning;
  gdouble gain;
  gdouble noise;
  guint measured;
} TuningEntry;

/* Puts the @n @entries into the file for @device in @folder, in place of those
 * with the same keys and driver, and @nothing, a text for people that says for
 * which frames the kernels of an operation have no settings, or NULL. The
 * folder is made if it is not there. Another process may write at the same
 * time; nobody sees a part of a file. If the file that is there is not one of
 * the database, or cannot be written, returns FALSE with OCL_ERROR_SETTINGS,
 * and leaves it as it is. */
gboolean tuning_file_store (const gchar * folder, const OclDevice * device,
    const TuningEntry * entries, guint n, const gchar * nothing,
    GError ** error);

/* Returns settings as MACRO=VALUE, separated by commas, without those that are
 * left to the kernel. The caller frees the text. */
gchar *tuning_file_print (const OclTunable * table, const OclTuning * tuning);

G_END_DECLS
