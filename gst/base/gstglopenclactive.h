/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an element has settled on and says in its read-only properties: the way
 * of interop and the device. Under the element's object lock. */

#pragma once

#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLActive:
 * @interop: AUTO while nothing is negotiated
 * @device: its name; NULL while nothing is negotiated; owned
 */
typedef struct
{
  GstGLOpenCLInteropMode interop;
  gchar *device;
} GstGLOpenCLActive;

/* Sets both, and notifies who watches the properties active-interop and
 * active-device of @element, where they change. Takes the object lock. Any
 * thread but the GL thread, which a watcher could block. */
void gst_gl_opencl_active_set (GstGLOpenCLActive * active, GObject * element,
    GstGLOpenCLInteropMode interop, const gchar * device);

void gst_gl_opencl_active_clear (GstGLOpenCLActive * active);

G_END_DECLS
