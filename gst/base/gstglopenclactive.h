/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The negotiated way of interop and device of an element. The element reports
 * them in its read-only properties. The element's object lock protects them. */

#pragma once

#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLActive:
 * @interop: the way of interop in use; AUTO while nothing is negotiated
 * @device: the name of the device in use; NULL while nothing is negotiated;
 *    owned
 */
typedef struct
{
  GstGLOpenCLInteropMode interop;
  gchar *device;
} GstGLOpenCLActive;

/* Sets @interop and @device in @active. Emits notify for the properties
 * active-interop and active-device of @element if their values change. Takes
 * the object lock. May be called from any thread except the GL thread, because
 * a notify handler could block the GL thread. */
void gst_gl_opencl_active_set (GstGLOpenCLActive * active, GObject * element,
    GstGLOpenCLInteropMode interop, const gchar * device);

void gst_gl_opencl_active_clear (GstGLOpenCLActive * active);

G_END_DECLS
