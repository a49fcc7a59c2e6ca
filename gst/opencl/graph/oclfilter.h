/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter runs a list of operations on frames. It has what changes from frame
 * to frame: the kernels, the earlier frames and results that operations keep,
 * and the memory between operations. The caller first asks for a graph, which
 * may take a compiler's time, and enqueues it for each frame, which takes
 * none. */

#pragma once

#include "oclgraph.h"

G_BEGIN_DECLS

typedef struct _OclFilter OclFilter;

/* Creates a filter for the operations of @links. Keeps a reference to @context.
 * Does not touch the device. May be called from any thread. */
OclFilter *ocl_filter_new (const OclLinks * links, OclContext * context);

/* Adds an owner. May be called from any thread. */
OclFilter *ocl_filter_ref (OclFilter * filter);

/* Removes an owner. The last one frees the filter, when no command may be in
 * flight, and waits for a build in progress. */
void ocl_filter_unref (OclFilter * filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclFilter, ocl_filter_unref)

/* Replaces the filter in @*filter, which may be NULL, by a reference to
 * @other. */
void ocl_filter_set (OclFilter ** filter, OclFilter * other);

/* Returns the id of the OclLinks that the filter was made for. */
guint ocl_filter_get_id (OclFilter * filter);

OclContext *ocl_filter_get_context (OclFilter * filter);

/* Returns the class of the operation at @place. */
const OclOperationClass *ocl_filter_get_class (OclFilter * filter,
    guint place);

/* The functions below may be called by one thread at a time. @links must have
 * the operations of the filter. */

/* Says whether kernels have the settings that the database has for the device,
 * which is the case by default, or their default settings. Call it before the
 * first graph is asked for. */
void ocl_filter_set_uses_database (OclFilter * filter, gboolean uses);

/* Makes the operation at @place use @variant for all frames, whatever suits the
 * frames and the device, with @tuning or, if it is NULL, the default one. There
 * is no fallback then, and graphs wait for the specialized forms of @variant.
 * Results that the operation needs use their variants of this name, if there is
 * one. If @variant is NULL, nothing is forced. Call it before the first graph
 * is asked for. */
void ocl_filter_force (OclFilter * filter, guint place,
    const OclVariant * variant, const OclTuning * tuning);

/* Returns the graph for frames of the kind @info with the parameters of @links.
 * A recently used graph is returned at once, unless kernels were built that may
 * be faster. Any other graph is decided, see ocl_graph_new(). The caller owns a
 * reference. */
OclGraph *ocl_filter_get_graph (OclFilter * filter, const OclFrameInfo * info,
    const OclLinks * links, GError ** error);

/* Returns whether ocl_filter_get_graph() would return without waiting for the
 * compiler, or whether the device has no thread that builds. If it returns
 * FALSE, that thread builds what is missing, while frames use other graphs. */
gboolean ocl_filter_is_ready (OclFilter * filter, const OclFrameInfo * info,
    const OclLinks * links);

/* Returns what users should know about a text or a device, once, see
 * ocl_kernel_cache_take_warning(). The caller owns the error. */
GError *ocl_filter_take_warning (OclFilter * filter);

/* Forgets earlier frames: the next frame that is enqueued is the first one.
 * Call it before a frame that does not continue the frames before it. */
void ocl_filter_forget (OclFilter * filter);

/* Returns the result of @klass for the first picture of the frame that was
 * enqueued last. It is that of the first operation that was run and may need
 * it. Returns NULL if the frame did not need it. The filter owns the result. */
OclResult *ocl_filter_find_result (OclFilter * filter,
    const OclOperationClass * klass);

/* Returns how many of the frames that it was given the first operation still
 * has. */
guint ocl_filter_count_kept (OclFilter * filter);

/* Returns the copy of the frame that the first operation was given @age frames
 * before the last one. The operation must keep frames, see OclOperationClass,
 * and must still have this one. The copy is interlaced if @interlaced is TRUE:
 * its commands were enqueued for another frame. The filter owns the memory. The
 * next frame may overwrite the copy. */
OclFrame ocl_filter_get_kept (OclFilter * filter, guint age,
    gboolean interlaced);

/* Enqueues @graph for @run and does not wait, see OclVariant. @graph must come
 * from this filter, for frames and parameters like those of @run and @links.
 * Not all operations may be neutral. The timer of @run counts each operation by
 * itself, see ocl_timer_begin_section(). After an error, wait for the queue
 * before touching the frames.
 *
 * If the first operation keeps frames, it takes the input of @run as its newest
 * frame, and filters the frame that it was given @run->age frames before. With
 * no input it takes none, because there are no more frames. With no output it
 * filters none. Neither @run->age nor what the parameters say about neighbours
 * may change while frames wait for later ones: first filter the frames that
 * wait, without an input. */
gboolean ocl_filter_enqueue (OclFilter * filter, OclGraph * graph,
    const OclLinks * links, const OclRun * run, GError ** error);

G_END_DECLS
