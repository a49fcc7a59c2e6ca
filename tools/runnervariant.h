/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All ways to run operations: the variant that the element would choose, every
 * single variant, and plain C if the operation has it. Functions may be called
 * from any thread. */

#pragma once

#include "opencl/operation/ocloperationclass.h"
#include "plainc.h"

G_BEGIN_DECLS

/**
 * RunnerVariant:
 * @klass: the operation
 * @name: the name on the command line, unique within an operation
 * @variant: the variant to force; NULL to run what the element would choose,
 *    and for plain C
 * @plain_c: the plain C to run; NULL to run on a device
 * @threads: whether plain C uses OpenMP
 *
 * A way to run an operation. The struct may be copied.
 */
typedef struct
{
  const OclOperationClass *klass;
  const gchar *name;
  const OclVariant *variant;
  const PlainC *plain_c;
  gboolean threads;
} RunnerVariant;

/* The @name that stands for the variant that the element would choose. */
#define RUNNER_VARIANT_AUTO "auto"

/* Returns the variants of all operations in an array of RunnerVariant. */
GArray *runner_variant_list (void);

/* Sets @variant to the variant of @klass named @name. Returns FALSE if there is
 * no such variant. */
gboolean runner_variant_find (const OclOperationClass * klass,
    const gchar * name, RunnerVariant * variant);

/* Returns the names of all variants of @klass or, if @klass is NULL, of all
 * operations, each name once. The caller frees them with g_strfreev(). */
gchar **runner_variant_get_names (const OclOperationClass * klass);

/* Returns the names of all operations, in order, ended by NULL. The caller
 * frees the array with g_free(). */
const gchar **runner_operation_get_names (void);

/* Returns the names of all formats, in the order of ocl_formats[], ended by
 * NULL. The caller frees the array with g_free(). */
const gchar **runner_format_get_names (void);

G_END_DECLS
