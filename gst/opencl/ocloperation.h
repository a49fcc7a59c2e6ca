/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An operation at work on a device: it builds and warms up variants, chooses the
 * one for a frame, falls back where a driver cannot build one, and copies images
 * for variants that take buffers only. */

#pragma once

#include "ocloperationclass.h"

G_BEGIN_DECLS

typedef struct _OclOperation OclOperation;

/* One thread at a time for all that follows. */

/* Keeps a reference to @context. Does not touch the device. */
OclOperation *ocl_operation_new (const OclOperationClass * klass,
    OclContext * context);

/* No command may be in flight. Waits for what is being built. */
void ocl_operation_free (OclOperation * operation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclOperation, ocl_operation_free)

const OclOperationClass *ocl_operation_get_class (OclOperation * operation);

OclContext *ocl_operation_get_context (OclOperation * operation);

/* Takes @variant, with @tuning or, where that is NULL, its defaults, for all
 * frames, whatever suits them and the device; there is no fallback then, and
 * its special forms are waited for. Before the first prepare. */
void ocl_operation_force (OclOperation * operation, const OclVariant * variant,
    const OclTuning * tuning);

/* Builds and warms up what frames like @frame (its memory is of no concern)
 * need with @params; nothing where that was done before. Waits for the device.
 * What they would need with other parameters is built at once on a CPU, and on
 * other devices by a thread of the operation's, with commands in the same
 * queue; so are special forms, on other devices only. Where a variant cannot be
 * built or run, another serves, down to the plain one, and g_info() says why.
 * OCL_ERROR_BUILD, OCL_ERROR_FAILED, or OCL_ERROR_NOT_SUPPORTED for a variant
 * that was forced. */
gboolean ocl_operation_prepare (OclOperation * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* Enqueues the operation on frames that were prepared; does not wait, see
 * OclVariant. Parameters must not be neutral. After an error, wait for the
 * queue before the frames are touched. */
gboolean ocl_operation_enqueue (OclOperation * operation, const OclRun * run,
    GError ** error);

/* The variant that the first pass of frames like @frame gets with @params,
 * which were prepared. */
const OclVariant *ocl_operation_get_variant (OclOperation * operation,
    const OclFrame * frame, gconstpointer params);

G_END_DECLS
