/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Statistics of an element for its property `stats`. The functions may be
 * called from any thread. */

#pragma once

#include "opencl/core/ocltimer.h"
#include "opencl/graph/oclgraph.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstGLOpenCLStats:
 * @lock: protects the members below
 * @n_frames: the number of filtered frames
 * @times: the time of the commands of all frames, in nanoseconds. A frame that
 *    is not measured counts like the last measured one
 * @last_times: the time of the commands of the last measured frame
 * @wait_time: the time that the streaming thread waited for OpenCL, in
 *    nanoseconds
 * @variants: the variants that filtered the last frame or would filter the
 *    first one. Variants are constant tables, which outlive graphs
 * @storages: the storages of the input frames of @variants
 * @n_variants: their number, 0 before there is a graph
 * @is_tuned: whether kernels of @variants use settings of the database
 * @id: the id of the operations
 * @classes: the operations
 * @n: their number
 * @operation_times: like @times, for each operation, since @classes were set
 * @last_operation_times: like @last_times, for each operation
 */
typedef struct
{
  GMutex lock;
  guint64 n_frames;
  guint64 times[OCL_TIMER_N_KINDS];
  guint64 last_times[OCL_TIMER_N_KINDS];
  guint64 wait_time;
  const OclVariant *variants[OCL_MAX_OPERATIONS];
  OclStorage storages[OCL_MAX_OPERATIONS];
  guint n_variants;
  gboolean is_tuned;
  guint id;
  const OclOperationClass *classes[OCL_MAX_OPERATIONS];
  guint n;
  guint64 operation_times[OCL_MAX_OPERATIONS];
  guint64 last_operation_times[OCL_MAX_OPERATIONS];
} GstGLOpenCLStats;

/* Initialises @stats, which is zeroed, for an element that has not started. */
void gst_gl_opencl_stats_init (GstGLOpenCLStats * stats);
void gst_gl_opencl_stats_clear (GstGLOpenCLStats * stats);

/* Resets all counters to 0. */
void gst_gl_opencl_stats_reset (GstGLOpenCLStats * stats);

/* Copies @operations and the variants of @graph. */
void gst_gl_opencl_stats_set_graph (GstGLOpenCLStats * stats,
    const OclOperationList * operations, const OclGraph * graph);

/* Counts a frame that was filtered by @operations with @graph, which may be
 * NULL. If it @is_measured, @times are the times of its commands, and @timer
 * has those of each operation. */
void gst_gl_opencl_stats_count (GstGLOpenCLStats * stats,
    const OclOperationList * operations, const OclGraph * graph,
    const guint64 times[OCL_TIMER_N_KINDS], OclTimer * timer,
    gboolean is_measured, guint64 wait_time);

/* Returns the statistics. The caller frees them. */
GstStructure *gst_gl_opencl_stats_get (GstGLOpenCLStats * stats);

G_END_DECLS
