/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclcopier.h"

#include <string.h>

/* The calling thread also copies, and is not counted here. */
#define MAX_THREADS 3

/* Number of bytes that a thread copies at a time: large enough to make the
 * synchronization negligible, small enough that all threads end together. */
#define BAND_BYTES (128 * 1024)

/* Minimum size of a copy for several threads. */
#define MIN_BYTES (4 * BAND_BYTES)

struct _GstGLOpenCLCopier
{
  GThread *threads[MAX_THREADS];
  guint n_threads;
  gboolean tried;               /* to start the threads */

  /* The current copy. Written while no other thread works. */
  guint8 *target;
  gsize target_stride;
  const guint8 *source;
  gsize source_stride;
  gsize row_bytes;
  gint height;
  gint band;                    /* rows */
  gint next_row;                /* atomic */

  /* The lock protects these members. */
  GMutex lock;
  GCond started;
  GCond ended;
  guint copy;                   /* number of the current copy */
  guint n_working;
  gboolean stopping;
};

static void
copy_rows (const GstGLOpenCLCopier * self, gint first, gint n)
{
  for (gint y = first; y < first + n; y++)
    memcpy (self->target + y * self->target_stride,
        self->source + y * self->source_stride, self->row_bytes);
}

static void
gst_gl_opencl_copier_work (GstGLOpenCLCopier * self)
{
  gint row;

  while ((row = g_atomic_int_add (&self->next_row, self->band)) < self->height)
    copy_rows (self, row, MIN (self->band, self->height - row));
}

static gpointer
run_thread (gpointer data)
{
  GstGLOpenCLCopier *self = data;
  guint done = 0;

  g_mutex_lock (&self->lock);
  while (TRUE) {
    while (!self->stopping && self->copy == done)
      g_cond_wait (&self->started, &self->lock);
    if (self->stopping)
      break;
    done = self->copy;
    g_mutex_unlock (&self->lock);
    gst_gl_opencl_copier_work (self);
    g_mutex_lock (&self->lock);
    if (--self->n_working == 0)
      g_cond_signal (&self->ended);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Starts one thread for every two processors, up to MAX_THREADS, once. If a
 * thread cannot be started, the copier works without it. */
static void
gst_gl_opencl_copier_start_threads (GstGLOpenCLCopier * self)
{
  const guint wanted = MIN (g_get_num_processors () / 2, MAX_THREADS);

  while (!self->tried && self->n_threads < wanted) {
    GThread *thread = g_thread_try_new ("glopencl-copier", run_thread, self,
        NULL);

    if (!thread)
      break;
    self->threads[self->n_threads++] = thread;
  }
  self->tried = TRUE;
}

GstGLOpenCLCopier *
gst_gl_opencl_copier_new (void)
{
  GstGLOpenCLCopier *self = g_new0 (GstGLOpenCLCopier, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->started);
  g_cond_init (&self->ended);
  return self;
}

void
gst_gl_opencl_copier_free (GstGLOpenCLCopier * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_broadcast (&self->started);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->n_threads; i++)
    g_thread_join (self->threads[i]);
  g_cond_clear (&self->started);
  g_cond_clear (&self->ended);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
gst_gl_opencl_copier_copy (GstGLOpenCLCopier * self, guint8 * target,
    gsize target_stride, const guint8 * source, gsize source_stride,
    gsize row_bytes, gint height)
{
  self->target = target;
  self->target_stride = target_stride;
  self->source = source;
  self->source_stride = source_stride;
  self->row_bytes = row_bytes;
  self->height = height;
  if (row_bytes * height < MIN_BYTES) {
    copy_rows (self, 0, height);
    return;
  }

  gst_gl_opencl_copier_start_threads (self);
  self->band = MAX (BAND_BYTES / row_bytes, 1);
  g_mutex_lock (&self->lock);
  self->next_row = 0;
  self->copy++;
  self->n_working = self->n_threads;
  g_cond_broadcast (&self->started);
  g_mutex_unlock (&self->lock);
  gst_gl_opencl_copier_work (self);
  g_mutex_lock (&self->lock);
  while (self->n_working > 0)
    g_cond_wait (&self->ended, &self->lock);
  g_mutex_unlock (&self->lock);
}
