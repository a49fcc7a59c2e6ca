/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An operation at work on a device. What a frame needs is asked for first, as
 * a plan, and may take a compiler's time; enqueueing a plan takes none, and
 * decides nothing. Images are copied for variants that take buffers only. */

#pragma once

#include "ocloperationclass.h"
#include "oclplan.h"

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
 * its faster forms are waited for. Before the first plan. */
void ocl_operation_force (OclOperation * operation, const OclVariant * variant,
    const OclTuning * tuning);

/* What frames like @frame (its memory is of no concern) need with @params: at
 * once where that was asked for lately, else decided, built and warmed up, with
 * a wait for the device. The caller owns a reference.
 * What they would need with other parameters is built at once on a CPU, and on
 * other devices by a thread of the operation's, with commands in the same
 * queue; so are forms that are faster, on other devices only, and the next plan
 * has them. Where a variant cannot be built or run, another serves, down to the
 * plain one, and g_info() says why. NULL with OCL_ERROR_BUILD, with
 * OCL_ERROR_FAILED, or with OCL_ERROR_NOT_SUPPORTED for a variant that was
 * forced. */
OclPlan *ocl_operation_get_plan (OclOperation * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* Enqueues what @plan says, which is this operation's and for frames and
 * parameters like those of @run; does not wait, see OclVariant. Parameters must
 * not be neutral. After an error, wait for the queue before the frames are
 * touched. */
gboolean ocl_operation_enqueue (OclOperation * operation, const OclPlan * plan,
    const OclRun * run, GError ** error);

G_END_DECLS
