/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tunables of kernels: shapes of work-groups and tiles, pixels per work-item.
 * They do not change the result of a kernel, except that a level in the middle
 * between two whole levels may be rounded to either side. Each tunable is a
 * macro in the kernel.
 *
 * All functions may be called from any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OCL_MAX_TUNABLES 8

/**
 * OclTunable:
 * @macro: name of the macro in the kernel
 * @default_value: value to use if no better value is known. 0 selects the
 *    default of the kernel, which depends on the instructions of the device
 * @values: allowed values, ended by 0
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

G_END_DECLS
