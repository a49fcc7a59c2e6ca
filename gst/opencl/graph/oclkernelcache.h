/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel cache holds the kernels of a filter, each of which is queued, is
 * being built, is ready, or has failed.
 *
 * A pass has an ordered list of candidates: the variant that the class chooses,
 * the variant that suits the device, and the plain variant, each with its
 * specialized forms before its general one, and with the settings of the
 * database before the default ones. The first candidate of the best variant
 * that is ready is used.
 *
 * On a CPU, candidates are built in order until one is ready: its compiler
 * works in the threads that run kernels, and would hold up frames. On other
 * devices, threads of the cache build the better candidates while frames use
 * one that is ready. */

#pragma once

#include "operation/oclkernels.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

typedef struct _OclKernelCache OclKernelCache;

/**
 * OclKernelRequest:
 * @user: a number for what uses the kernels: kernels keep state for it
 * @klass: the operation
 * @forced: the only candidate, or NULL
 * @tuning: the settings of @forced, or NULL for the default ones
 * @info: the kind of the frames that the pass reads
 * @output: see OclBuild
 * @fused: see OclBuild
 * @pass: the pass
 * @params: the parameters of the operation
 *
 * A request for the kernels of a pass.
 */
typedef struct
{
  guint user;
  const OclOperationClass *klass;
  const OclVariant *forced;
  const OclTuning *tuning;
  OclFrameInfo info;
  const OclFormat *output;
  OclLiteral *fused;
  const OclPass *pass;
  gconstpointer params;
} OclKernelRequest;

/* The functions below may be called by one thread at a time. */

/* Keeps a reference to @context. Does not touch the device. */
OclKernelCache *ocl_kernel_cache_new (OclContext * context);

/* Waits for a build in progress and drops what is queued. No other command may
 * be in flight. */
void ocl_kernel_cache_free (OclKernelCache * cache);

/* Says whether kernels have the settings that the database has for the device,
 * which is the case by default. Call it before the first request. */
void ocl_kernel_cache_set_uses_database (OclKernelCache * cache,
    gboolean uses);

/* Returns kernels for @request, which the cache owns, and sets @is_stored to
 * whether they have settings of the database. If no candidate is ready, builds
 * candidates, which waits for the compiler and the device, until one is ready,
 * and queues those for other parameters of the class. g_info() says why a
 * candidate is left out. Returns NULL with the error of the last candidate,
 * which is built again on each call. */
OclKernels *ocl_kernel_cache_get (OclKernelCache * cache,
    const OclKernelRequest * request, gboolean * is_stored, GError ** error);

/* Returns the best variant for @request that is not known to fail. */
const OclVariant *ocl_kernel_cache_get_best (OclKernelCache * cache,
    const OclKernelRequest * request);

/* Returns whether ocl_kernel_cache_get() returns the best variant without
 * building anything, or whether it is known to fail. Otherwise queues it. On a
 * CPU, returns TRUE. */
gboolean ocl_kernel_cache_is_ready (OclKernelCache * cache,
    const OclKernelRequest * request);

/* Lets the threads of the cache build what is queued. */
void ocl_kernel_cache_start_builders (OclKernelCache * cache);

/* Returns, once, something that users should know: why a variant that checks
 * texts could not be built, or why a slower variant takes the place of another
 * one. Returns NULL if there is nothing more. The caller owns the error. */
GError *ocl_kernel_cache_take_warning (OclKernelCache * cache);

/* Call it before a graph is decided. Frees kernels without another owner and
 * what has failed, but keeps some of each user that had another owner last, and
 * those for frames of @format that never had one: they are for parameters that
 * may come. Kernels of texts go at once. */
void ocl_kernel_cache_drop_unused (OclKernelCache * cache,
    const OclFormat * format);

/* Returns a number that changes each time the thread of the cache has built
 * something. */
guint ocl_kernel_cache_get_generation (OclKernelCache * cache);

G_END_DECLS
