/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All ways to run operations: what the element would take, every variant, and
 * plain C where there is some. Any thread. */

#pragma once

#include "opencl/operation/ocloperationclass.h"
#include "plainc.h"

G_BEGIN_DECLS

/**
 * RunnerVariant:
 * @klass: the operation
 * @name: what it is called on the command line, once an operation
 * @variant: the variant to force; NULL for what the element would take, and for
 *    plain C
 * @plain_c: plain C; NULL for what runs on a device
 * @threads: of plain C
 *
 * A description to copy.
 */
typedef struct
{
  const OclOperationClass *klass;
  const gchar *name;
  const OclVariant *variant;
  const PlainC *plain_c;
  PlainCThreads threads;
} RunnerVariant;

/* What the element would take is called. */
#define RUNNER_VARIANT_AUTO "auto"

/* All of all operations; an array of RunnerVariant. */
GArray *runner_variant_list (void);

/* Sets @variant to the one of that name; FALSE where there is none. */
gboolean runner_variant_find (const OclOperationClass * klass,
    const gchar * name, RunnerVariant * variant);

/* The names of all, of one operation or, where @klass is NULL, of all
 * operations; each once. Free them with g_strfreev(). */
gchar **runner_variant_get_names (const OclOperationClass * klass);

/* What @storage is called on the command line, in order, ended by NULL. */
extern const gchar *const runner_storage_names[];

/* What operations are called, in order, ended by NULL; free the array with
 * g_free(). */
const gchar **runner_operation_get_names (void);

/* The same for formats, in the order of ocl_formats[]. */
const gchar **runner_format_get_names (void);

G_END_DECLS
