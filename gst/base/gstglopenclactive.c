/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclactive.h"

void
gst_gl_opencl_active_set (GstGLOpenCLActive * self, GObject * element,
    GstGLOpenCLInteropMode interop, const gchar * device)
{
  GST_OBJECT_LOCK (element);
  const gboolean interop_changed = self->interop != interop;
  const gboolean device_changed = g_strcmp0 (self->device, device) != 0;
  self->interop = interop;
  if (device_changed) {
    g_free (self->device);
    self->device = g_strdup (device);
  }
  GST_OBJECT_UNLOCK (element);

  if (interop_changed)
    g_object_notify (element, "active-interop");
  if (device_changed)
    g_object_notify (element, "active-device");
}

void
gst_gl_opencl_active_clear (GstGLOpenCLActive * self)
{
  g_clear_pointer (&self->device, g_free);
}
