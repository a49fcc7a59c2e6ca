/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The negotiated interop backend and device of an element, reported in its
 * read-only properties. Protected by the element's object lock. */

#pragma once

#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLActive:
 * @interop: the interop backend in use, AUTO while nothing is negotiated
 * @device: the name of the device in use (owned), NULL while nothing is
 *    negotiated
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
