/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timer that calls a function on a separate thread at a given time, unless the
 * time is postponed first. Used to push the frames held back if no further
 * frame arrives. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstGLOpenCLDeadline GstGLOpenCLDeadline;

/* Called when the time has come. During the call the deadline is no longer
 * set. */
typedef void (*GstGLOpenCLDeadlineFunc) (gpointer data);

/* All functions may be called from any thread, but no function may run at the
 * same time as new, stop or free. */

/* Creates a deadline that is not set. The thread starts when the deadline is
 * set for the first time. */
GstGLOpenCLDeadline *gst_gl_opencl_deadline_new (GstGLOpenCLDeadlineFunc func,
    gpointer data);

/* Frees @deadline, which must be stopped. */
void gst_gl_opencl_deadline_free (GstGLOpenCLDeadline * deadline);

/* Sets the deadline to @wait microseconds from now, and replaces any previous
 * setting. Returns FALSE, without setting it, if no thread can be started. */
gboolean gst_gl_opencl_deadline_set (GstGLOpenCLDeadline * deadline,
    gint64 wait);

gboolean gst_gl_opencl_deadline_is_set (GstGLOpenCLDeadline * deadline);

/* Waits until a running call of the function has returned, and ends the thread.
 * The deadline may be set again afterwards. The caller must not hold a lock
 * that the function uses. */
void gst_gl_opencl_deadline_stop (GstGLOpenCLDeadline * deadline);

G_END_DECLS
