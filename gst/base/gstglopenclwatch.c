/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclwatch.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Polling interval in microseconds. */
#define INTERVAL (100 * 1000)

const OclParam gst_gl_opencl_watch_params[] = {
  {"watch", "Reload the kernel when the file changes. If it cannot be "
        "built, a warning is posted and the previous kernel stays in " "use",
        OCL_PARAM_BOOLEAN, G_STRUCT_OFFSET (GstGLOpenCLWatch, watch),
      .fixed = TRUE},
  {NULL},
};

GstGLOpenCLWatchResult
gst_gl_opencl_watch_look (GstGLOpenCLWatch * self, OclLiteral * file)
{
  const gint64 now = g_get_monotonic_time ();
  guint64 found[4] = { 0, };
  struct stat status;

  if (now < self->next)
    return GST_GL_OPENCL_WATCH_SAME;
  self->next = now + INTERVAL;
  if (!ocl_literal_equals (self->file, file)) {
    ocl_literal_take (&self->file, ocl_literal_ref (file));
    memset (self->taken, 0, sizeof (self->taken));
  }
  if (stat (file->text, &status) == 0) {
    found[0] = status.st_ino;
    found[1] = status.st_size;
    found[2] = status.st_mtim.tv_sec;
    /* Never 0, so that existing files have a signature. */
    found[3] = status.st_mtim.tv_nsec + 1;
  }
  /* An editor may still be writing. */
  const gboolean settled = memcmp (found, self->seen, sizeof (found)) == 0;
  memcpy (self->seen, found, sizeof (found));
  if (!settled || memcmp (found, self->taken, sizeof (found)) == 0)
    return GST_GL_OPENCL_WATCH_SAME;
  memcpy (self->taken, found, sizeof (found));
  return found[3] ? GST_GL_OPENCL_WATCH_CHANGED : GST_GL_OPENCL_WATCH_LOST;
}
