/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An OclOperation runs an operation on a device. The caller first asks for
 * a plan, which says what a frame needs; this may take a compiler's time.
 * Enqueueing a plan takes no compiler's time; of needed results it finds
 * the plans that are there. Images are copied for variants that take only
 * buffers. */

#pragma once

#include "ocloperationclass.h"
#include "oclplan.h"

G_BEGIN_DECLS

typedef struct _OclOperation OclOperation;

/* The functions below may be called by one thread at a time. */

/* Keeps a reference to @context. Does not touch the device. */
OclOperation *ocl_operation_new (const OclOperationClass * klass,
    OclContext * context);

/* No command may be in flight. Waits for a build in progress. */
void ocl_operation_free (OclOperation * operation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclOperation, ocl_operation_free)

const OclOperationClass *ocl_operation_get_class (OclOperation * operation);

OclContext *ocl_operation_get_context (OclOperation * operation);

/* Says whether kernels have the settings that the database has for the device,
 * which is the case by default, or their default settings. Call it before the
 * first plan is asked for. */
void ocl_operation_set_uses_database (OclOperation * operation, gboolean uses);

/* Makes the operation use @variant for all frames, whatever suits the frames
 * and the device. If @tuning is NULL, @variant has its default tuning. There is
 * no fallback then, and plans wait for the faster forms of @variant. Needed
 * operations use their variants of this name, if they have one. Call it before
 * the first plan is asked for. */
void ocl_operation_force (OclOperation * operation, const OclVariant * variant,
    const OclTuning * tuning);

/* Returns the plan for frames like @frame with @params. The memory of @frame
 * does not matter. A plan that was asked for lately is returned at once. Any
 * other plan is decided, built and warmed up, which waits for the device. The
 * caller owns a reference.
 *
 * On a CPU, the programs for other parameters are built at once. On other
 * devices, a thread of the operation builds them and uses the queue that frames
 * use. There the thread also builds faster forms, and the next plan has them.
 * If a variant cannot be built or run, another variant takes its place, in the
 * end the plain one, and g_info() says why. Returns NULL with OCL_ERROR_BUILD
 * or OCL_ERROR_KERNEL, with OCL_ERROR_FAILED, or, for a forced variant, with
 * OCL_ERROR_NOT_SUPPORTED. */
OclPlan *ocl_operation_get_plan (OclOperation * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* Returns whether ocl_operation_get_plan() would return without waiting for the
 * compiler, or whether the device has no thread that builds. If it returns
 * FALSE, that thread builds what is missing, while frames use other plans. */
gboolean ocl_operation_is_ready (OclOperation * operation,
    const OclFrame * frame, gconstpointer params);

/* Returns whether frames like @frame, which are images, are not copied to
 * buffers. Returns TRUE if frames are in buffers already. */
gboolean ocl_operation_takes_images (OclOperation * operation,
    const OclFrame * frame, gconstpointer params);

/* Returns what users should know about their text, once: it works here, but not
 * on every device. NULL if there is nothing. The caller owns the error. */
GError *ocl_operation_take_warning (OclOperation * operation);

/* Forgets earlier frames: the next frame that is enqueued is the first one.
 * Call it before a frame that does not continue the frames before it. */
void ocl_operation_forget (OclOperation * operation);

/* Returns the result of @klass for the first picture of the frame that was
 * enqueued last; NULL if the frame did not need it. The operation owns the
 * result. */
OclResult *ocl_operation_find_needed (OclOperation * operation,
    const OclOperationClass * klass);

/* Returns how many of the frames that it was given the operation still has. */
guint ocl_operation_count_kept (OclOperation * operation);

/* Returns the copy of the frame that the operation was given @age frames before
 * the last one. The operation must keep frames, see OclOperationClass, and must
 * still have this one. The copy is interlaced if @interlaced is TRUE: its
 * commands were enqueued for another frame. The operation owns the memory. The
 * next frame may overwrite the copy. */
OclFrame ocl_operation_get_kept (OclOperation * operation, guint age,
    gboolean interlaced);

/* Enqueues the steps of @plan for @run; does not wait, see OclVariant. @plan
 * must come from this operation, for frames and parameters like the ones of
 * @run. The parameters must not be neutral. After an error, wait for the queue
 * before touching the frames.
 *
 * An operation that keeps frames takes the input of @run as its newest frame,
 * and filters the frame that it was given @run->age frames before. With no
 * input it takes none, because there are no more frames; with no output it
 * filters none, and @plan may be NULL. Neither @run->age nor what the
 * parameters say about neighbours may change while frames wait for later ones:
 * first filter the frames that wait, without an input. */
gboolean ocl_operation_enqueue (OclOperation * operation, const OclPlan * plan,
    const OclRun * run, GError ** error);

G_END_DECLS
