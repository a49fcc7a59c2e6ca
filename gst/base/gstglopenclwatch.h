/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks whether a file has changed: by its time and size, a few times a second.
 * This sees editors that rename over a file, symbolic links that are moved, and
 * folders that are replaced. */

#pragma once

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLWatch:
 * @watch: whether to look; the setting that users know
 * @file: the name of the file that was looked at; owned, or NULL
 * @next: the time of the next look, in microseconds of the monotonic clock
 * @seen: what the file was like at the last look; 0 if it was not there
 * @taken: what the file was like when a change was last returned
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
 * @GST_GL_OPENCL_WATCH_SAME: there is nothing new
 * @GST_GL_OPENCL_WATCH_CHANGED: the file is another one, and nobody has written
 *    to it since the look before
 * @GST_GL_OPENCL_WATCH_LOST: the file is not there any more
 */
typedef enum
{
  GST_GL_OPENCL_WATCH_SAME,
  GST_GL_OPENCL_WATCH_CHANGED,
  GST_GL_OPENCL_WATCH_LOST,
} GstGLOpenCLWatchResult;

/* This table describes @watch. */
extern const OclParam gst_gl_opencl_watch_params[];

/* Looks at @file, unless the last look was less than 100 ms ago. A change is
 * returned once. Call it from one thread at a time. */
GstGLOpenCLWatchResult gst_gl_opencl_watch_look (GstGLOpenCLWatch * watch,
    OclLiteral * file);

G_END_DECLS
