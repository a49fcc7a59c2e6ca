/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A deadline calls a function at a given time, on a thread of its own, unless
 * the time is postponed before. With a deadline, frames that are held back are
 * pushed even if no further frame arrives. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstGLOpenCLDeadline GstGLOpenCLDeadline;

/* The deadline calls this function when the time has come. The deadline is no
 * longer set during the call. */
typedef void (*GstGLOpenCLDeadlineFunc) (gpointer data);

/* All functions may be called from any thread, but no function may run at the
 * same time as new, stop or free. */

/* Creates a deadline that is not set. The thread starts when the deadline is
 * set for the first time. */
GstGLOpenCLDeadline *gst_gl_opencl_deadline_new (GstGLOpenCLDeadlineFunc func,
    gpointer data);

/* Frees @deadline, which must be stopped. */
void gst_gl_opencl_deadline_free (GstGLOpenCLDeadline * deadline);

/* Sets the deadline to @wait microseconds from now, and replaces any earlier
 * setting. If no thread can be started, returns FALSE, and the deadline is not
 * set. */
gboolean gst_gl_opencl_deadline_set (GstGLOpenCLDeadline * deadline,
    gint64 wait);

gboolean gst_gl_opencl_deadline_is_set (GstGLOpenCLDeadline * deadline);

/* Waits until the function has returned, if it is being called, and ends the
 * thread. The deadline may be set again afterwards. The caller must not hold a
 * lock that the function takes. */
void gst_gl_opencl_deadline_stop (GstGLOpenCLDeadline * deadline);

G_END_DECLS
