/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A time at which a function is called on a thread of its own, unless the time
 * is put off before: frames that are held back go on where no further frame
 * comes. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstGLOpenCLDeadline GstGLOpenCLDeadline;

/* Is called at the deadline, which is not set then. */
typedef void (*GstGLOpenCLDeadlineFunc) (gpointer data);

/* Any thread, but nothing beside new, stop and free. */

/* Not set. The thread starts with the first deadline. */
GstGLOpenCLDeadline *gst_gl_opencl_deadline_new (GstGLOpenCLDeadlineFunc func,
    gpointer data);

/* Stopped. */
void gst_gl_opencl_deadline_free (GstGLOpenCLDeadline * deadline);

/* Sets the deadline to @wait microseconds from now, whatever it was. FALSE
 * where there is no thread to be had: it is not set. */
gboolean gst_gl_opencl_deadline_set (GstGLOpenCLDeadline * deadline,
    gint64 wait);

gboolean gst_gl_opencl_deadline_is_set (GstGLOpenCLDeadline * deadline);

/* Waits until the function has returned, if it is being called, and ends the
 * thread. The deadline may be set again afterwards. Not with a lock that the
 * function takes. */
void gst_gl_opencl_deadline_stop (GstGLOpenCLDeadline * deadline);

G_END_DECLS
