/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencldeadline.h"

#define NOT_SET G_MAXINT64

struct _GstGLOpenCLDeadline
{
  GstGLOpenCLDeadlineFunc func;
  gpointer data;

  /* The lock protects the members below, except in new, stop and free. */
  GMutex lock;
  GThread *thread;              /* or NULL */
  GCond changed;
  gint64 time;                  /* monotonic, microseconds */
  gboolean stopping;
};

GstGLOpenCLDeadline *
gst_gl_opencl_deadline_new (GstGLOpenCLDeadlineFunc func, gpointer data)
{
  GstGLOpenCLDeadline *self = g_new0 (GstGLOpenCLDeadline, 1);

  self->func = func;
  self->data = data;
  self->time = NOT_SET;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

void
gst_gl_opencl_deadline_free (GstGLOpenCLDeadline * self)
{
  g_assert (!self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static gpointer
gst_gl_opencl_deadline_wait (gpointer data)
{
  GstGLOpenCLDeadline *self = data;

  g_mutex_lock (&self->lock);
  while (!self->stopping) {
    if (self->time == NOT_SET) {
      g_cond_wait (&self->changed, &self->lock);
    } else if (g_get_monotonic_time () < self->time) {
      g_cond_wait_until (&self->changed, &self->lock, self->time);
    } else {
      self->time = NOT_SET;
      g_mutex_unlock (&self->lock);
      self->func (self->data);
      g_mutex_lock (&self->lock);
    }
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* A thread that waits for an earlier time wakes up by itself and needs no
 * signal, so that the usual call, once per frame, wakes up no thread. */
gboolean
gst_gl_opencl_deadline_set (GstGLOpenCLDeadline * self, gint64 wait)
{
  const gint64 time = g_get_monotonic_time () + wait;

  g_mutex_lock (&self->lock);
  if (time < self->time)
    g_cond_signal (&self->changed);
  /* Linux limits names to 15 bytes. */
  if (!self->thread)
    self->thread = g_thread_try_new ("glopencl-late",
        gst_gl_opencl_deadline_wait, self, NULL);
  const gboolean ok = self->thread != NULL;
  self->time = ok ? time : NOT_SET;
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
gst_gl_opencl_deadline_is_set (GstGLOpenCLDeadline * self)
{
  g_mutex_lock (&self->lock);
  gboolean is_set = self->time != NOT_SET;
  g_mutex_unlock (&self->lock);
  return is_set;
}

void
gst_gl_opencl_deadline_stop (GstGLOpenCLDeadline * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&self->thread, g_thread_join);
  self->stopping = FALSE;
  self->time = NOT_SET;
}
