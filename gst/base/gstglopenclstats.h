/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The statistics of an element: what the property `stats` says. The functions
 * may be called from any thread. */

#pragma once

#include "opencl/core/ocltimer.h"
#include "opencl/operation/oclplan.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstGLOpenCLStats:
 * @lock: protects the members below
 * @n_frames: filtered frames
 * @times: the time of the commands of all frames, in nanoseconds
 * @wait_time: how long the streaming thread waited for OpenCL, in nanoseconds
 * @variant: the variant that filtered the last frame or would filter the first
 *    one; NULL if there is none. Variants are tables, which stay when plans are
 *    gone
 * @storage: the storage of this frame
 */
typedef struct
{
  GMutex lock;
  guint64 n_frames;
  guint64 times[OCL_TIMER_N_KINDS];
  guint64 wait_time;
  const OclVariant *variant;
  OclStorage storage;
} GstGLOpenCLStats;

/* Initialises @stats, which is zeroed, for an element that has not started. */
void gst_gl_opencl_stats_init (GstGLOpenCLStats * stats);
void gst_gl_opencl_stats_clear (GstGLOpenCLStats * stats);

/* Starts again from 0. */
void gst_gl_opencl_stats_reset (GstGLOpenCLStats * stats);

/* Takes the name of the variant from @plan. */
void gst_gl_opencl_stats_set_plan (GstGLOpenCLStats * stats,
    const OclPlan * plan);

/* Counts a frame that was filtered with @plan, which may be NULL. */
void gst_gl_opencl_stats_count (GstGLOpenCLStats * stats, const OclPlan * plan,
    const guint64 times[OCL_TIMER_N_KINDS], guint64 wait_time);

/* Returns the statistics; the caller frees them. */
GstStructure *gst_gl_opencl_stats_get (GstGLOpenCLStats * stats);

G_END_DECLS
