/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* OclInstances holds the variants of an operation that are built or being
 * built.
 *
 * A compiler takes longer than many frames. The calling thread builds the
 * variants that frames need at once. A builder thread builds the variants that
 * may be needed later. */

#pragma once

#include "oclkernels.h"
#include "ocloperationclass.h"

G_BEGIN_DECLS

/**
 * OclInstance:
 * @variant: the variant that is built
 * @build: what it is built for
 * @kernels: the kernels of @variant; owned. NULL if they cannot be used
 *
 * An OclInstance is a variant that is built for a pass over frames of one kind.
 */
typedef struct
{
  const OclVariant *variant;
  OclBuild build;
  OclKernels *kernels;
} OclInstance;

typedef struct _OclInstances OclInstances;

/* The functions below may be called by one thread at a time. */

/* Keeps a reference to @context. Does not touch the device. */
OclInstances *ocl_instances_new (const OclOperationClass * klass,
    OclContext * context);

/* Waits for a build in progress; builds that have not started are dropped. No
 * other command may be in flight. */
void ocl_instances_free (OclInstances * instances);

/* Returns @variant built for @build, or NULL if it was never asked for or is
 * not built yet. The result is owned by @instances. */
const OclInstance *ocl_instances_find (OclInstances * instances,
    const OclVariant * variant, const OclBuild * build);

/* Returns an instance like ocl_instances_find(). If it is not built yet,
 * builds it and warms it up, which waits for the compiler and the device.
 * @frame is a frame, and @params are the parameters, for which it is needed.
 * If it cannot be used, the instance has no kernels and @error is set. An
 * instance that is @needed is tried again on each call. Another one is tried
 * only once, and g_info() says why it failed. */
const OclInstance *ocl_instances_build (OclInstances * instances,
    const OclVariant * variant, const OclBuild * build,
    const OclFrame * frame, gconstpointer params, gboolean needed,
    GError ** error);

/* Like ocl_instances_build(), but does not wait: the builder thread builds the
 * instance after those that were asked for earlier, from the next call of
 * ocl_instances_start_builder() on. */
void ocl_instances_build_later (OclInstances * instances,
    const OclVariant * variant, const OclBuild * build,
    const OclFrame * frame, gconstpointer params);

/* Lets the builder thread build what was asked for so far. Call it when nothing
 * waits for a compiler: two builds at a time take longer than one. */
void ocl_instances_start_builder (OclInstances * instances);

/* Makes a warning of the error of @variant, once, if the device cannot run it
 * with its default settings. Call it if another variant takes its place. */
void ocl_instances_warn (OclInstances * instances, const OclVariant * variant);

/* Returns, once, why a variant that checks texts could not be built, or why a
 * slower variant takes the place of another one; NULL if there is no warning.
 * The caller owns the error. May be called from any thread. */
GError *ocl_instances_take_warning (OclInstances * instances);

/* Frees what was built and has no other owner, and drops what waits and what
 * failed; but keeps the @n_kept instances that had another owner last, and what
 * was built for @format, which may be NULL, and never had another owner: it is
 * for parameters that may come. */
void ocl_instances_drop_unused (OclInstances * instances,
    const OclFormat * format, guint n_kept);

/* Returns a number that changes each time the builder thread has finished a
 * form. May be called from any thread. */
guint ocl_instances_get_generation (OclInstances * instances);

G_END_DECLS
