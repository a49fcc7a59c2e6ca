/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cache of the kernels of a filter. Each entry is queued, being built, ready,
 * or failed.
 *
 * A pass has an ordered list of candidates: the variant that the class chooses,
 * the default variant for the device, and the plain variant, each with its
 * specializations, the general one last, and with the settings of the database
 * before the default settings. The first candidate of the best variant that is
 * ready is used.
 *
 * On a CPU, candidates are built in order until one is ready, because its
 * compiler runs in the threads that run kernels, and would delay frames. On
 * other devices, threads of the cache build the better candidates while frames
 * use a ready one.
 *
 * A quick request prefers a short wait: kernels that are compiled without
 * optimization are used until a thread of the cache has built the optimized
 * ones, also on a CPU. Their output may differ by rounding. */

#pragma once

#include "operation/oclkernels.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

typedef struct _OclKernelCache OclKernelCache;

/**
 * OclKernelRequest:
 * @user: the number of the user of the kernels, for which they keep state
 * @klass: the operation
 * @forced: the only candidate, or NULL
 * @tuning: the settings of @forced, or NULL for the default settings
 * @info: the kind of the frames that the pass reads
 * @output: see OclBuild
 * @fused: see OclBuild
 * @pass: the pass
 * @params: the parameters of the operation
 * @quick: whether kernels without optimization may be used. Has no effect on
 *    forced variants and texts
 * @name: the pass for another process, see ocl_graph_is_ready(), or NULL
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
  gboolean quick;
  const gchar *name;
} OclKernelRequest;

/* The functions below must be called by one thread at a time. */

/* Keeps a reference to @context. Does not use the device. */
OclKernelCache *ocl_kernel_cache_new (OclContext * context);

/* Waits for a build in progress and drops queued builds. No other command may
 * be in flight. */
void ocl_kernel_cache_free (OclKernelCache * cache);

/* Sets whether kernels use the settings of the database for the device, which
 * is the default. Must be called before the first request. */
void ocl_kernel_cache_set_uses_database (OclKernelCache * cache,
    gboolean uses);

/* Sets a function that ocl_kernel_cache_get() calls with @data before it waits
 * for the compiler, or NULL. */
void ocl_kernel_cache_set_wait_func (OclKernelCache * cache,
    void (*function) (gpointer data), gpointer data);

/* Returns kernels for @request, owned by the cache, and sets @is_stored to
 * whether they use settings of the database. If no candidate is ready, builds
 * candidates until one is ready, which waits for the compiler and the device,
 * and queues candidates for other parameters of the class. Logs the reason why
 * a candidate is skipped with g_info(). Returns NULL with the error of the last
 * candidate, which is built again on each call. */
OclKernels *ocl_kernel_cache_get (OclKernelCache * cache,
    const OclKernelRequest * request, gboolean * is_stored, GError ** error);

/* Returns the best variant for @request that is not known to fail. */
const OclVariant *ocl_kernel_cache_get_best (OclKernelCache * cache,
    const OclKernelRequest * request);

/* Returns whether ocl_kernel_cache_get() returns without building anything the
 * best variant, in any specialization that @request allows, or whether it is
 * known to fail. Otherwise queues it, without optimization if @request is
 * quick. On a CPU, returns TRUE unless @request is quick. Announces the
 * programs that are to be built, see ocl_programs_announce(), except those of
 * forced variants. */
gboolean ocl_kernel_cache_is_ready (OclKernelCache * cache,
    const OclKernelRequest * request);

/* Starts the threads that build the queued kernels. Returns whether there is a
 * thread. */
gboolean ocl_kernel_cache_start_builders (OclKernelCache * cache);

/* Waits until the started threads have built all queued kernels. */
void ocl_kernel_cache_finish (OclKernelCache * cache);

/* Returns a warning for users, once: why a variant that checks texts could not
 * be built, or why a slower variant replaces another one. Returns NULL if there
 * are no more warnings. The caller owns the error. */
GError *ocl_kernel_cache_take_warning (OclKernelCache * cache);

/* Must be called before a graph is built. Frees failed entries and kernels
 * without another owner, but keeps the most recently owned kernels of each
 * user, and kernels for frames of @format that never had an owner, for
 * parameters that may follow. Frees kernels of texts at once. */
void ocl_kernel_cache_drop_unused (OclKernelCache * cache,
    const OclFormat * format);

/* Returns a number that changes each time a thread of the cache has built
 * kernels. */
guint ocl_kernel_cache_get_generation (OclKernelCache * cache);

G_END_DECLS
