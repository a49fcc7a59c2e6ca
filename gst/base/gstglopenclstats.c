/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclstats.h"

#include <string.h>

void
gst_gl_opencl_stats_init (GstGLOpenCLStats * self)
{
  g_mutex_init (&self->lock);
}

void
gst_gl_opencl_stats_clear (GstGLOpenCLStats * self)
{
  g_mutex_clear (&self->lock);
}

void
gst_gl_opencl_stats_reset (GstGLOpenCLStats * self)
{
  g_mutex_lock (&self->lock);
  self->n_frames = 0;
  memset (self->times, 0, sizeof (self->times));
  self->wait_time = 0;
  self->variant = NULL;
  g_mutex_unlock (&self->lock);
}

/* The caller holds the lock. */
static void
gst_gl_opencl_stats_take_plan (GstGLOpenCLStats * self, const OclPlan * plan)
{
  self->variant = ocl_plan_get_variant (plan);
  self->storage = plan->frame.storage;
}

void
gst_gl_opencl_stats_set_plan (GstGLOpenCLStats * self, const OclPlan * plan)
{
  g_mutex_lock (&self->lock);
  gst_gl_opencl_stats_take_plan (self, plan);
  g_mutex_unlock (&self->lock);
}

void
gst_gl_opencl_stats_count (GstGLOpenCLStats * self, const OclPlan * plan,
    const guint64 times[OCL_TIMER_N_KINDS], guint64 wait_time)
{
  g_mutex_lock (&self->lock);
  self->n_frames++;
  for (guint kind = 0; kind < OCL_TIMER_N_KINDS; kind++)
    self->times[kind] += times[kind];
  self->wait_time += wait_time;
  if (plan)
    gst_gl_opencl_stats_take_plan (self, plan);
  g_mutex_unlock (&self->lock);
}

GstStructure *
gst_gl_opencl_stats_get (GstGLOpenCLStats * self)
{
  g_mutex_lock (&self->lock);
  g_autofree gchar *variant = self->variant
      ? ocl_variant_get_label (self->variant, self->storage) : g_strdup ("");
  GstStructure *stats = gst_structure_new ("application/x-glopencl-stats",
      "frames", G_TYPE_UINT64, self->n_frames,
      "kernel-time", G_TYPE_UINT64, self->times[OCL_TIMER_KERNEL],
      "transfer-time", G_TYPE_UINT64, self->times[OCL_TIMER_TRANSFER],
      "wait-time", G_TYPE_UINT64, self->wait_time,
      "variant", G_TYPE_STRING, variant, NULL);
  g_mutex_unlock (&self->lock);
  return stats;
}
