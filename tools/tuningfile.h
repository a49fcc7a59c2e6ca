/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes entries to the user's file of the database of settings, see
 * ocldatabase.h. Main thread only. */

#pragma once

#include "opencl/core/ocldatabase.h"

G_BEGIN_DECLS

/**
 * TuningEntry:
 * @key: the kernel and frames of the settings
 * @table: the tunables
 * @tuning: the settings
 * @gain: the time of the default settings divided by that of @tuning
 * @noise: relative difference between equal measurements
 * @measured: number of measured settings
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

/* Writes the @n @entries to the file for @device in @folder, replacing entries
 * with the same keys and driver, and @nothing, a text that lists the frames for
 * which the kernels of an operation have no tunables, or NULL. Creates the
 * folder if it does not exist. Other processes may write at the same time, and
 * readers never see a partial file. If the existing file is not one of the
 * database, or cannot be written, returns FALSE with OCL_ERROR_SETTINGS, and
 * does not change it. */
gboolean tuning_file_store (const gchar * folder, const OclDevice * device,
    const TuningEntry * entries, guint n, const gchar * nothing,
    GError ** error);

/* Returns settings as MACRO=VALUE, separated by commas, except those that are
 * left to the kernel. The caller frees the text. */
gchar *tuning_file_print (const OclTunable * table, const OclTuning * tuning);

G_END_DECLS
