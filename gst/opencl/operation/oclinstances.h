/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The variants of an operation that are built, and those that are being built.
 *
 * A compiler takes longer than many frames. What frames need at once is built
 * by the thread that asks for it, and what others may need later by a thread of
 * its own. */

#pragma once

#include "oclkernels.h"
#include "ocloperationclass.h"

G_BEGIN_DECLS

/**
 * OclInstance:
 * @variant: what is built
 * @form: of it, see OclVariant
 * @format: of the frames
 * @storage: of the frames
 * @pass: what is done to them
 * @kernels: those of @variant; owned. NULL where they cannot be used
 *
 * A variant for a pass over frames of one kind.
 */
typedef struct
{
  const OclVariant *variant;
  guint form;
  const OclFormat *format;
  OclStorage storage;
  OclPass pass;
  OclKernels *kernels;
} OclInstance;

typedef struct _OclInstances OclInstances;

/* One thread at a time for all that follows. */

/* Keeps a reference to @context. Does not touch the device. */
OclInstances *ocl_instances_new (const OclOperationClass * klass,
    OclContext * context);

/* Waits for what is being built; what has not been begun is left. No other
 * command may be in flight. */
void ocl_instances_free (OclInstances * instances);

/* The tuning of all that is built, in place of the defaults. Before the first
 * is. */
void ocl_instances_set_tuning (OclInstances * instances,
    const OclTuning * tuning);

/* The form @form of @variant for a pass over frames like @frame: NULL where it
 * was not asked for, or is not there yet. Owned by @instances. */
const OclInstance *ocl_instances_find (OclInstances * instances,
    const OclVariant * variant, guint form, const OclFrame * frame,
    const OclPass * pass);

/* The same, built and warmed up where it is not, with a wait for the compiler
 * and the device; @params are those that it is asked for with. Without
 * kernels, and with @error, where it cannot be used: what is @needed is tried
 * each time, other things once, and g_info() says why. */
const OclInstance *ocl_instances_build (OclInstances * instances,
    const OclVariant * variant, guint form, const OclFrame * frame,
    const OclPass * pass, gconstpointer params, gboolean needed,
    GError ** error);

/* The same without a wait, after what was asked for before. */
void ocl_instances_build_later (OclInstances * instances,
    const OclVariant * variant, guint form, const OclFrame * frame,
    const OclPass * pass, gconstpointer params);

/* Another number each time that something is there which was built later. Any
 * thread. */
guint ocl_instances_get_generation (OclInstances * instances);

G_END_DECLS
