/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What may vary about a kernel without changing its result, but for the side of
 * a tie to which a level is rounded: shapes of groups and tiles, pixels a
 * work-item. Each is a macro in the kernel.
 *
 * All functions: any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OCL_MAX_TUNABLES 8

/**
 * OclTunable:
 * @macro: in the kernel
 * @default_value: where nothing better is known
 * @values: legal ones, ended by 0
 *
 * A variant's table of them, at most OCL_MAX_TUNABLES, ends with one whose
 * macro is NULL.
 */
typedef struct
{
  const gchar *macro;
  gint default_value;
  const gint *values;
} OclTunable;

/* Values as a table has them; for tables outside of functions. */
#define OCL_CHOICES(...) ((const gint[]) {__VA_ARGS__, 0})

/* A value for each of a table. */
typedef struct
{
  gint values[OCL_MAX_TUNABLES];
} OclTuning;

/* The place of the tunable @macro, or -1. @table may be NULL. */
gint ocl_tunables_find (const OclTunable * table, const gchar * macro);

/* Sets the defaults. @table may be NULL. */
void ocl_tuning_init (OclTuning * tuning, const OclTunable * table);

/* Options for the driver's compiler; free them. @table may be NULL. */
gchar *ocl_tuning_get_options (const OclTuning * tuning,
    const OclTunable * table);

G_END_DECLS
