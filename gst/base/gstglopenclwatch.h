/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Polls a file for changes of its time and size, several times a second.
 * Detects editors that replace a file by renaming, changed symbolic links, and
 * replaced folders. */

#pragma once

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLWatch:
 * @watch: whether to poll, a user setting
 * @file: the name of the polled file (owned), or NULL
 * @next: the time of the next poll, in microseconds of the monotonic clock
 * @seen: the signature of the file at the last poll, 0 if it did not exist
 * @taken: the signature of the file when a change was last returned
 *
 * Start with a zeroed struct.
 */
typedef struct
{
  gboolean watch;
  OclLiteral *file;
  gint64 next;
  guint64 seen[4];
  guint64 taken[4];
} GstGLOpenCLWatch;

/**
 * GstGLOpenCLWatchResult:
 * @GST_GL_OPENCL_WATCH_SAME: the file has not changed
 * @GST_GL_OPENCL_WATCH_CHANGED: the file changed, and was stable since the
 *    previous poll
 * @GST_GL_OPENCL_WATCH_LOST: the file no longer exists
 */
typedef enum
{
  GST_GL_OPENCL_WATCH_SAME,
  GST_GL_OPENCL_WATCH_CHANGED,
  GST_GL_OPENCL_WATCH_LOST,
} GstGLOpenCLWatchResult;

/* Describes @watch. */
extern const OclParam gst_gl_opencl_watch_params[];

/* Polls @file, unless the last poll was less than 100 ms ago. Returns each
 * change once. Must be called from one thread at a time. */
GstGLOpenCLWatchResult gst_gl_opencl_watch_look (GstGLOpenCLWatch * watch,
    OclLiteral * file);

G_END_DECLS
