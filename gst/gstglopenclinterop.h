/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How GL frames and OpenCL meet: which way is used, on which device, and a
 * frame taken through it.
 *
 * gl-sharing borrows the textures themselves (gstglopencltexture), host-copy
 * works on the GL memory as mapped to the host (gstglopenclhost). */

#pragma once

#include <gst/gl/gl.h>
#include <gst/video/video.h>

#include "opencl/oclframe.h"

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

/* Enqueues an operation from @input to @output, which never are the same; where
 * the frame is only read, @output is NULL. */
typedef gboolean (*GstGLOpenCLEnqueueFunc) (const OclFrame * input,
    const OclFrame * output, OclTimer * timer, gpointer user_data,
    GError ** error);

/* Enqueues reading to the host what the operation found out; it touches no
 * frame. */
typedef gboolean (*GstGLOpenCLReadFunc) (OclTimer * timer, gpointer user_data,
    GError ** error);

/**
 * GstGLOpenCLWork:
 * @info: of both buffers
 * @input: the frame to read
 * @output: the frame to write; the same as @input to work in place; NULL to
 *    only read @input
 * @enqueue: the operation
 * @enqueue_read: comes when the frames are on their way back: on some drivers
 *    a read makes the release of textures wait; may be NULL
 * @user_data: for both
 */
typedef struct
{
  const GstVideoInfo *info;
  GstBuffer *input;
  GstBuffer *output;
  GstGLOpenCLEnqueueFunc enqueue;
  GstGLOpenCLReadFunc enqueue_read;
  gpointer user_data;
} GstGLOpenCLWork;

/* Nanoseconds, summed over frames. */
typedef struct
{
  guint64 kernel;               /* kernels on the device */
  guint64 transfer;             /* copies on the device and to and from it */
  guint64 wait;                 /* the streaming thread waited for OpenCL */
} GstGLOpenCLTimes;

typedef struct _GstGLOpenCLInterop GstGLOpenCLInterop;

/* Maps the frames of @work with @flags beside those for reading and writing. To
 * work in place or to only read, @input is the one frame, and @output is not
 * touched. Streaming thread. For the two ways of interop. */
gboolean gst_gl_opencl_work_map (const GstGLOpenCLWork * work,
    GstMapFlags flags, GstVideoFrame * input, GstVideoFrame * output,
    GError ** error);

/* Unmaps what gst_gl_opencl_work_map() mapped. */
void gst_gl_opencl_work_unmap (const GstGLOpenCLWork * work,
    GstVideoFrame * input, GstVideoFrame * output);

/* Enqueues @work; where both frames are the same it is copied to @scratch
 * first. @output is NULL where the frame is only read. For the two ways of
 * interop. */
gboolean gst_gl_opencl_work_enqueue (const GstGLOpenCLWork * work,
    OclContext * ocl, const OclFrame * input, const OclFrame * output,
    OclFrame * scratch, OclTimer * timer, GError ** error);

/* Enqueues what @work reads to the host, if anything. For the two ways of
 * interop. */
gboolean gst_gl_opencl_work_enqueue_read (const GstGLOpenCLWork * work,
    OclTimer * timer, GError ** error);

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
 * instead, and all further ones: where interop=auto, and OpenCL could not borrow
 * its texture. */
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

/* Takes a frame through @work and waits until OpenCL is done with it, and with
 * what it reads to the host. After an
 * error, which @error must not be NULL for, nothing is running; with
 * OCL_ERROR_NOT_SUPPORTED both frames are as they were. */
gboolean gst_gl_opencl_interop_process (GstGLOpenCLInterop * interop,
    const GstGLOpenCLWork * work, GstGLOpenCLTimes * times, GError ** error);

G_END_DECLS
