/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclparams.h"

#include <string.h>

#include "gstglopenclcaps.h"
#include "gstglopenclproperties.h"

void
gst_gl_opencl_params_init (GstGLOpenCLParams * self, GstElement * element,
    const OclOperationClass * operation)
{
  self->element = element;
  self->operation = operation;
  self->values = ocl_operation_class_create_params (operation);
  self->format = NULL;
}

void
gst_gl_opencl_params_clear (GstGLOpenCLParams * self)
{
  g_clear_pointer (&self->values, g_free);
}

/* What was changed with the parameter @index. */
static void
notify_others (GstGLOpenCLParams * self, gconstpointer before,
    gconstpointer after, guint index)
{
  const OclParam *params = self->operation->params;

  for (guint i = 0; params[i].name; i++) {
    g_autofree gchar *old = ocl_param_print (&params[i], before);
    g_autofree gchar *new = ocl_param_print (&params[i], after);

    if (i != index && !g_str_equal (old, new))
      g_object_notify (G_OBJECT (self->element), params[i].name);
  }
}

void
gst_gl_opencl_params_set (GstGLOpenCLParams * self, guint index,
    const GValue * value)
{
  const gsize size = self->operation->params_size;
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (self->element);
  g_autofree gpointer changed = g_memdup2 (self->values, size);
  gst_gl_opencl_properties_set (&self->operation->params[index], changed,
      value);
  ocl_operation_class_changed (self->operation, changed,
      &self->operation->params[index]);
  g_autofree gpointer before = g_memdup2 (self->values, size);
  if (!self->format || ocl_operation_class_check (self->operation, changed,
          self->format, &error))
    memcpy (self->values, changed, size);
  GST_OBJECT_UNLOCK (self->element);
  if (!error && self->operation->changed)
    notify_others (self, before, changed, index);
  if (error)
    GST_ELEMENT_WARNING (self->element, RESOURCE, SETTINGS,
        ("%s", error->message), (NULL));
}

void
gst_gl_opencl_params_get (GstGLOpenCLParams * self, guint index, GValue * value)
{
  GST_OBJECT_LOCK (self->element);
  gst_gl_opencl_properties_get (&self->operation->params[index], self->values,
      value);
  GST_OBJECT_UNLOCK (self->element);
}

void
gst_gl_opencl_params_set_format (GstGLOpenCLParams * self,
    const OclFormat * format)
{
  GST_OBJECT_LOCK (self->element);
  self->format = format;
  GST_OBJECT_UNLOCK (self->element);
}

GstCaps *
gst_gl_opencl_params_create_caps (GstGLOpenCLParams * self,
    GstGLContext * gl_context, gboolean shared)
{
  GST_OBJECT_LOCK (self->element);
  GstCaps *caps = gst_gl_opencl_caps_create (self->operation, self->values,
      gl_context, shared);
  GST_OBJECT_UNLOCK (self->element);
  return caps;
}
