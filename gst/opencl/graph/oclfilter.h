/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter runs a list of operations on frames. It holds the state that changes
 * between frames: the kernels, the earlier frames and results of operations,
 * and the intermediate memory. The caller first requests a graph, which may
 * block while kernels are compiled, and enqueues it for each frame, which never
 * compiles. */

#pragma once

#include "oclgraph.h"

G_BEGIN_DECLS

typedef struct _OclFilter OclFilter;

/* Creates a filter for @operations. Keeps a reference to @context. Does not use
 * the device. May be called from any thread. */
OclFilter *ocl_filter_new (const OclOperationList * operations,
    OclContext * context);

/* Adds an owner. May be called from any thread. */
OclFilter *ocl_filter_ref (OclFilter * filter);

/* Removes an owner. The last owner frees the filter and waits for a build in
 * progress. No command may be in flight then. */
void ocl_filter_unref (OclFilter * filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclFilter, ocl_filter_unref)

/* Replaces the filter in @*filter, which may be NULL, by a reference to
 * @other. */
void ocl_filter_set (OclFilter ** filter, OclFilter * other);

/* Returns the id of the OclOperationList of the filter. */
guint ocl_filter_get_id (OclFilter * filter);

OclContext *ocl_filter_get_context (OclFilter * filter);

/* Returns the class of the operation at @place. */
const OclOperationClass *ocl_filter_get_class (OclFilter * filter,
    guint place);

/* The functions below must be called by one thread at a time. @operations must
 * have the operations of the filter. */

/* Sets whether kernels use the settings of the database for the device, which
 * is the default, or their default settings. Must be called before the first
 * graph is requested. */
void ocl_filter_set_uses_database (OclFilter * filter, gboolean uses);

/* Sets whether graphs may use kernels that are compiled without optimization
 * until a thread has built the optimized kernels, see OclKernelRequest. The
 * default is FALSE. Must be called before the first graph is requested. */
void ocl_filter_set_quick (OclFilter * filter, gboolean quick);

/* Sets a function that ocl_filter_get_graph() calls with @data before it waits
 * for the compiler, possibly several times, or NULL. */
void ocl_filter_set_wait_func (OclFilter * filter,
    void (*function) (gpointer data), gpointer data);

/* Forces the operation at @place to use @variant for all frames and devices,
 * with @tuning or, if it is NULL, the default tuning. Disables the fallback,
 * and makes graphs wait for the specializations of @variant. Results that the
 * operation needs use their variant of this name, if it exists. If @variant is
 * NULL, forces nothing. Must be called before the first graph is requested. */
void ocl_filter_force (OclFilter * filter, guint place,
    const OclVariant * variant, const OclTuning * tuning);

/* Returns the graph for frames of the kind @info with the parameters of
 * @operations. Returns a recently used graph at once, unless possibly faster
 * kernels were built. Otherwise builds a graph, see ocl_graph_new(). The caller
 * owns a reference. */
OclGraph *ocl_filter_get_graph (OclFilter * filter, const OclFrameInfo * info,
    const OclOperationList * operations, GError ** error);

/* Returns whether ocl_filter_get_graph() would return a recently used graph. */
gboolean ocl_filter_has_graph (OclFilter * filter, const OclFrameInfo * info,
    const OclOperationList * operations);

/* Returns whether ocl_filter_get_graph() would return without waiting for the
 * compiler, or whether no thread builds kernels. Otherwise a thread builds the
 * missing kernels while frames use other graphs. */
gboolean ocl_filter_is_ready (OclFilter * filter, const OclFrameInfo * info,
    const OclOperationList * operations);

/* Waits until the threads that build kernels have built those that
 * ocl_filter_get_graph() has requested. The next graph has the best ones. */
void ocl_filter_finish_builds (OclFilter * filter);

/* Returns a warning for users about a text or a device, once, see
 * ocl_kernel_cache_take_warning(). The caller owns the error. */
GError *ocl_filter_take_warning (OclFilter * filter);

/* Drops earlier frames: the next frame that is enqueued is the first one. Must
 * be called before a frame that starts a new sequence. */
void ocl_filter_forget (OclFilter * filter);

/* Returns the result of @klass for the first picture of the frame that was
 * enqueued last. It is the result for the first operation that was run and may
 * need it. Returns NULL if the frame did not need it. The filter owns the
 * result. */
OclResult *ocl_filter_find_result (OclFilter * filter,
    const OclOperationClass * klass);

/* Returns the number of input frames that the first operation still keeps. */
guint ocl_filter_count_kept (OclFilter * filter);

/* Returns the first operation's copy of its input @age frames before the last
 * one. The operation must keep frames, see OclOperationClass, and must still
 * have this frame. The copy is interlaced if @interlaced is TRUE, because its
 * commands were enqueued for another frame. The filter owns the memory. The
 * next frame may overwrite the copy. */
OclFrame ocl_filter_get_kept (OclFilter * filter, guint age,
    gboolean interlaced);

/* Enqueues @graph for @run and does not wait, see OclVariant. @graph must come
 * from this filter, for frames and parameters like those of @run and
 * @operations. Not all operations may be neutral. The timer of @run measures
 * each operation separately, see ocl_timer_begin_section(). After an error,
 * call ocl_context_finish() before using the frames.
 *
 * If the first operation keeps frames, it adds the input of @run as its newest
 * frame, and filters the frame that it received @run->age frames earlier.
 * Without an input it adds no frame, at the end of a sequence. Without an
 * output it filters no frame. Neither @run->age nor the number of neighbours
 * may change while frames wait for later frames: first filter the waiting
 * frames, without an input. */
gboolean ocl_filter_enqueue (OclFilter * filter, OclGraph * graph,
    const OclOperationList * operations, const OclRun * run, GError ** error);

G_END_DECLS
