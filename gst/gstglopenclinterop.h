/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How GL frames and OpenCL meet: which way is used, on which device, and frames
 * taken through it.
 *
 * gl-sharing borrows the textures themselves (gstglopencltexture), host-copy
 * works on the GL memory as mapped to the host (gstglopenclhost). */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclflight.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLInteropMode:
 * @GST_GL_OPENCL_INTEROP_AUTO: gl-sharing where it works, else host-copy
 * @GST_GL_OPENCL_INTEROP_GL_SHARING: OpenCL borrows the GL textures, no copy
 * @GST_GL_OPENCL_INTEROP_HOST_COPY: OpenCL works on frames mapped to the host
 */
typedef enum
{
  GST_GL_OPENCL_INTEROP_AUTO,
  GST_GL_OPENCL_INTEROP_GL_SHARING,
  GST_GL_OPENCL_INTEROP_HOST_COPY,
} GstGLOpenCLInteropMode;

#define GST_TYPE_GL_OPENCL_INTEROP_MODE (gst_gl_opencl_interop_mode_get_type ())
GType gst_gl_opencl_interop_mode_get_type (void);

/* Nanoseconds, summed over frames. */
typedef struct
{
  guint64 kernel;               /* kernels on the device */
  guint64 transfer;             /* copies on the device and to and from it */
  guint64 wait;                 /* the streaming thread waited for OpenCL */
} GstGLOpenCLTimes;

typedef struct _GstGLOpenCLInterop GstGLOpenCLInterop;

/* Chooses a way and a device (@selector as for ocl_device_select()). @owner is
 * named in the log. GL thread of @gl_context. OCL_ERROR_NO_DEVICE where what
 * was asked for cannot be had. */
GstGLOpenCLInterop *gst_gl_opencl_interop_new (GstGLContext * gl_context,
    GstGLOpenCLInteropMode mode, const gchar * selector, GstObject * owner,
    GError ** error);

/* Any thread; no frame may be on its way. */
void gst_gl_opencl_interop_free (GstGLOpenCLInterop * interop);

/* Streaming thread for all that follows. */

/* Settles the way for frames of this size: those that are too large for an
 * image go through host-copy, with a sentence for the user in @notice, or are
 * an error where gl-sharing was asked for. Free @notice. */
gboolean gst_gl_opencl_interop_set_size (GstGLOpenCLInterop * interop,
    gint width, gint height, gchar ** notice, GError ** error);

/* Whether a frame that failed with @error can be taken through host-copy
 * instead, and all further ones: where interop=auto, and OpenCL could not
 * borrow its texture. */
gboolean gst_gl_opencl_interop_fall_back (GstGLOpenCLInterop * interop,
    const GError * error);

/* The one that it was made with. */
GstGLContext *gst_gl_opencl_interop_get_gl_context (GstGLOpenCLInterop *
    interop);

OclContext *gst_gl_opencl_interop_get_context (GstGLOpenCLInterop * interop);

/* GL_SHARING or HOST_COPY. */
GstGLOpenCLInteropMode
gst_gl_opencl_interop_get_mode (GstGLOpenCLInterop * interop);

/* What the frames given to the operation are. */
OclStorage gst_gl_opencl_interop_get_storage (GstGLOpenCLInterop * interop);

/* Whether @buffer may be written over: buffer, memory and texture are ours
 * alone, and its rows are not padded. */
gboolean gst_gl_opencl_interop_can_work_in_place (GstGLOpenCLInterop * interop,
    GstBuffer * buffer);

/* Begins @work in @slot, in which no frame is on its way; does not wait for
 * OpenCL. After an error, which @error must not be NULL for, nothing of it is
 * running; with OCL_ERROR_NOT_SUPPORTED both frames are as they were. */
gboolean gst_gl_opencl_interop_begin (GstGLOpenCLInterop * interop,
    guint slot, const GstGLOpenCLWork * work, GError ** error);

/* Waits until OpenCL is done with the frame in @slot and with what it reads to
 * the host, and adds what it cost to @times. Frames are finished in the order
 * in which they were begun. */
gboolean gst_gl_opencl_interop_finish (GstGLOpenCLInterop * interop,
    guint slot, GstGLOpenCLTimes * times, GError ** error);

G_END_DECLS
