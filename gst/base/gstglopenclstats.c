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
  memset (self->last_times, 0, sizeof (self->last_times));
  self->wait_time = 0;
  self->n_variants = 0;
  memset (self->operation_times, 0, sizeof (self->operation_times));
  memset (self->last_operation_times, 0, sizeof (self->last_operation_times));
  g_mutex_unlock (&self->lock);
}

/* The caller holds the lock. */
static void
gst_gl_opencl_stats_take (GstGLOpenCLStats * self,
    const OclOperationList * operations, const OclGraph * graph)
{
  self->n_variants = 0;
  self->is_tuned = FALSE;
  for (guint i = 0; i < operations->n; i++) {
    if (!graph->active[i])
      continue;
    self->is_tuned |= ocl_graph_is_tuned (graph, i);
    self->variants[self->n_variants] = ocl_graph_get_variant (graph, i);
    self->storages[self->n_variants++] = graph->copied ? OCL_STORAGE_BUFFER
        : graph->info.storage;
  }
  if (self->id == operations->id)
    return;
  self->id = operations->id;
  self->n = operations->n;
  for (guint i = 0; i < operations->n; i++)
    self->classes[i] = operations->items[i].klass;
  memset (self->operation_times, 0, sizeof (self->operation_times));
  memset (self->last_operation_times, 0, sizeof (self->last_operation_times));
}

void
gst_gl_opencl_stats_set_graph (GstGLOpenCLStats * self,
    const OclOperationList * operations, const OclGraph * graph)
{
  g_mutex_lock (&self->lock);
  gst_gl_opencl_stats_take (self, operations, graph);
  g_mutex_unlock (&self->lock);
}

void
gst_gl_opencl_stats_count (GstGLOpenCLStats * self,
    const OclOperationList * operations, const OclGraph * graph,
    const guint64 times[OCL_TIMER_N_KINDS], OclTimer * timer,
    gboolean is_measured, guint64 wait_time)
{
  g_mutex_lock (&self->lock);
  self->n_frames++;
  for (guint kind = 0; kind < OCL_TIMER_N_KINDS; kind++) {
    if (is_measured)
      self->last_times[kind] = times[kind];
    self->times[kind] += self->last_times[kind];
  }
  self->wait_time += wait_time;
  if (graph)
    gst_gl_opencl_stats_take (self, operations, graph);
  for (guint i = 0; graph && i < self->n; i++) {
    if (is_measured)
      self->last_operation_times[i] = ocl_timer_get_section (timer, i);
    self->operation_times[i] += self->last_operation_times[i];
  }
  g_mutex_unlock (&self->lock);
}

GstStructure *
gst_gl_opencl_stats_get (GstGLOpenCLStats * self)
{
  g_autoptr (GString) variant = g_string_new (NULL);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->n_variants; i++) {
    g_autofree gchar *name =
        ocl_variant_get_label (self->variants[i], self->storages[i]);

    g_string_append_printf (variant, "%s%s", i > 0 ? "," : "", name);
  }
  GstStructure *stats = gst_structure_new ("application/x-glopencl-stats",
      "frames", G_TYPE_UINT64, self->n_frames,
      "kernel-time", G_TYPE_UINT64, self->times[OCL_TIMER_KERNEL],
      "transfer-time", G_TYPE_UINT64, self->times[OCL_TIMER_TRANSFER],
      "wait-time", G_TYPE_UINT64, self->wait_time,
      "variant", G_TYPE_STRING, variant->str,
      "settings", G_TYPE_STRING, self->is_tuned ? "database" : "default", NULL);
  if (self->n > 1) {
    GValue list = G_VALUE_INIT;

    g_value_init (&list, GST_TYPE_ARRAY);
    for (guint i = 0; i < self->n; i++) {
      GValue value = G_VALUE_INIT;

      g_value_init (&value, GST_TYPE_STRUCTURE);
      g_value_take_boxed (&value, gst_structure_new (self->classes[i]->name,
              "time", G_TYPE_UINT64, self->operation_times[i], NULL));
      gst_value_array_append_and_take_value (&list, &value);
    }
    gst_structure_take_value (stats, "operations", &list);
  }
  g_mutex_unlock (&self->lock);
  return stats;
}
