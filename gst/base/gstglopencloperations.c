/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencloperations.h"

#include "gstglopenclcaps.h"

gboolean
gst_gl_opencl_operations_set (GstGLOpenCLOperations * self,
    GstGLOpenCLParams * const *items, guint n, GError ** error)
{
  OclLinks links = {.id = ocl_links_create_id (),.n = n };

  for (guint i = 0; i < n; i++) {
    links.items[i].klass = items[i]->operation;
    links.items[i].params = items[i]->values;
  }
  GST_OBJECT_LOCK (self->element);
  links.exact = self->links.exact;
  const gboolean ok = !self->format
      || ocl_links_check (&links, self->format, error);
  if (ok) {
    self->links = links;
    for (guint i = 0; i < n; i++) {
      self->items[i] = items[i];
      items[i]->format = self->format;
      items[i]->started = self->started;
    }
  }
  GST_OBJECT_UNLOCK (self->element);
  return ok;
}

gboolean
gst_gl_opencl_operations_start (GstGLOpenCLOperations * self, GError ** error)
{
  gboolean ok = TRUE;

  GST_OBJECT_LOCK (self->element);
  for (guint i = 0; i < self->links.n && ok; i++)
    ok = gst_gl_opencl_params_start (self->items[i], error);
  self->started = ok;
  GST_OBJECT_UNLOCK (self->element);
  return ok;
}

void
gst_gl_opencl_operations_stop (GstGLOpenCLOperations * self)
{
  GST_OBJECT_LOCK (self->element);
  self->started = FALSE;
  self->format = NULL;
  for (guint i = 0; i < self->links.n; i++) {
    self->items[i]->started = FALSE;
    self->items[i]->format = NULL;
  }
  GST_OBJECT_UNLOCK (self->element);
}

void
gst_gl_opencl_operations_set_format (GstGLOpenCLOperations * self,
    const OclFormat * format)
{
  GST_OBJECT_LOCK (self->element);
  self->format = format;
  for (guint i = 0; i < self->links.n; i++)
    self->items[i]->format = format;
  GST_OBJECT_UNLOCK (self->element);
}

GstCaps *
gst_gl_opencl_operations_create_caps (GstGLOpenCLOperations * self,
    GstGLContext * gl_context, gboolean shared)
{
  GST_OBJECT_LOCK (self->element);
  GstCaps *caps = gst_gl_opencl_caps_create (&self->links, gl_context, shared);
  GST_OBJECT_UNLOCK (self->element);
  return caps;
}

guint
gst_gl_opencl_operations_get_lookahead (const GstGLOpenCLOperations * self)
{
  const OclLink *first = &self->links.items[0];

  return self->links.n == 0 ? 0 : ocl_operation_class_get_neighbours
      (first->klass, first->params).n_later;
}

guint
gst_gl_opencl_operations_get_lead (const GstGLOpenCLOperations * self)
{
  guint lead = 0;

  for (guint i = 0; i < self->links.n; i++)
    lead += ocl_operation_class_get_lead (self->links.items[i].klass,
        self->links.items[i].params);
  return lead;
}

gboolean
gst_gl_opencl_operations_have_messages (const GstGLOpenCLOperations * self)
{
  const gint n = ocl_links_find_report (&self->links);

  return n >= 0 && self->items[n]->report.messages;
}
