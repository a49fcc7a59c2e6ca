/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is computed.
 *
 * An operation is one const table, an OclOperationClass: its parameters and the
 * ways to compute it, its variants. ocloperations.h lists all. */

#pragma once

#include "oclvariant.h"
#include "params/oclparam.h"

G_BEGIN_DECLS

/**
 * OclOperationFlags:
 * @OCL_OPERATION_READS: has an input
 * @OCL_OPERATION_WRITES: has an output. Where it does not read, it changes what
 *    is there.
 */
typedef enum
{
  OCL_OPERATION_READS = 1 << 0,
  OCL_OPERATION_WRITES = 1 << 1,
  OCL_OPERATION_FILTERS = OCL_OPERATION_READS | OCL_OPERATION_WRITES,
} OclOperationFlags;

/**
 * OclOperationClass:
 * @name: in tools, and part of the names of kernels
 * @flags: what it does with frames
 * @params_size: of the struct of its parameters; 0 where it has none
 * @params: the table of them, or NULL. Those that decide something are marked:
 *    the passes, the variants, their forms, and what @derive sets, depend on no
 *    others. Where none is marked they may depend on all
 * @variants: ended by NULL. [0] is the plain one: written as the operation is
 *    defined, it runs on any device and serves all parameters
 * @changed: called when @param of @params has been set, to set others; FALSE
 *    with OCL_ERROR_SETTINGS where that cannot be done; NULL where none depends
 *    on another
 * @is_neutral: whether frames would stay as they are; NULL where they never do
 * @check: whether frames of @format can be computed with @params; FALSE with
 *    OCL_ERROR_NEEDS_RGB; NULL where all can
 * @get_passes: sets @passes to those that frames of @format take, and returns
 *    how many they are; NULL for the channels of the planes that a parameter
 *    (OCL_PLANES_PARAM) says, or all, none of them guided
 * @get_reach: how many pixels its largest window has on each side of its
 *    middle; NULL for 0
 * @choose: the variant that @params ask for on that device, or NULL for the
 *    one that suits the device; may itself be NULL
 * @get_warm_up: sets @params to the @n-th parameters, from 0 on, with which
 *    variants have to be run so that no frame waits for a compiler; FALSE where
 *    there are no more. NULL where the defaults do.
 * @result_size: of its result, in bytes; 0 where it has none
 * @derived_size: bytes of what @derive sets; 0 where there is nothing
 * @derive: sets @derived to what follows from @params for @pass, and would take
 *    too long to be found anew for each frame
 */
typedef struct
{
  const gchar *name;
  OclOperationFlags flags;
  gsize params_size;
  const OclParam *params;
  const OclVariant *const *variants;
  gboolean (*changed) (gpointer params, const OclParam * param,
      GError ** error);
  gboolean (*is_neutral) (gconstpointer params);
  gboolean (*check) (gconstpointer params, const OclFormat * format,
      GError ** error);
  guint (*get_passes) (gconstpointer params, const OclFormat * format,
      OclPass passes[OCL_MAX_PASSES]);
  gint (*get_reach) (gconstpointer params);
  const OclVariant *(*choose) (gconstpointer params, const OclFormat * format,
      const OclPass * pass, const OclDevice * device);
  gboolean (*get_warm_up) (guint n, gpointer params);
  gsize result_size;
  gsize derived_size;
  void (*derive) (gpointer derived, gconstpointer params,
      const OclPass * pass);
} OclOperationClass;

/* Any thread for these. */

/* Its variant of that name, or NULL. */
const OclVariant *ocl_operation_class_find_variant (const OclOperationClass *
    klass, const gchar * name);

gboolean ocl_operation_class_is_neutral (const OclOperationClass * klass,
    gconstpointer params);

/* Whether frames of @format can be computed with @params, see
 * OclOperationClass. */
gboolean ocl_operation_class_check (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format, GError ** error);

/* The passes that frames of @format take, and how many they are. */
guint ocl_operation_class_get_passes (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES]);

/* Parameters, all at their defaults; free them with g_free(). NULL where there
 * are none. */
gpointer ocl_operation_class_create_params (const OclOperationClass * klass);

/* Has to be called when @param of @params was set; after a failure @params are
 * not to be used. */
gboolean ocl_operation_class_changed (const OclOperationClass * klass,
    gpointer params, const OclParam * param, GError ** error);

/* Sets @param of @params to what @text says, see ocl_param_parse(), and what
 * depends on it. FALSE, and nothing set, where that cannot be. */
gboolean ocl_operation_class_parse (const OclOperationClass * klass,
    const OclParam * param, const gchar * text, gpointer params);

/* Sets @params to the @n-th that variants are run with before frames are; FALSE
 * where there are no more, see OclOperationClass. */
gboolean ocl_operation_class_get_warm_up (const OclOperationClass * klass,
    guint n, gpointer params);

/* Sets @key, which is as large as @params, to those of @params that decide
 * something, see OclOperationClass; what is between them is 0. */
void ocl_operation_class_get_plan_key (const OclOperationClass * klass,
    gconstpointer params, gpointer key);

/* What follows from @params for @pass; free it with g_free(). NULL where there
 * is nothing. */
gpointer ocl_operation_class_derive (const OclOperationClass * klass,
    gconstpointer params, const OclPass * pass);

G_END_DECLS
