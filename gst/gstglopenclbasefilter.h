/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all elements of the plugin have in common: negotiation, the choice of a
 * device and a way of interop, forwarding of frames that need no work, working
 * in place, errors, statistics.
 *
 * A subclass stores its properties under the object lock, and implements the
 * virtual methods below with the operation it wraps. */

#pragma once

#include "gstglopenclinterop.h"
#include "opencl/oclborder.h"

#include <gst/gl/gstglfilter.h>

G_BEGIN_DECLS

#define GST_TYPE_GL_OPENCL_BORDER (gst_gl_opencl_border_get_type ())
GType gst_gl_opencl_border_get_type (void);

/**
 * GstGLOpenCLBaseFilter:
 *
 * An OpenGL filter that works with OpenCL: one RGBA texture in, one of the same
 * size out.
 */
#define GST_TYPE_GL_OPENCL_BASE_FILTER (gst_gl_opencl_base_filter_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGLOpenCLBaseFilter, gst_gl_opencl_base_filter,
    GST, GL_OPENCL_BASE_FILTER, GstGLFilter)

/**
 * GstGLOpenCLWorkFlags:
 * @GST_GL_OPENCL_WORK_NONE: the frame is handed on untouched
 * @GST_GL_OPENCL_WORK_READ: the operation reads the frame
 * @GST_GL_OPENCL_WORK_WRITE: the operation makes another frame of it
 * @GST_GL_OPENCL_WORK_ATTACH: metas are added to the buffer that goes on
 *
 * What a frame needs. With WRITE the operation reads it too; without, the frame
 * is handed on as it is, in a buffer of its own where metas are added to one
 * that is not ours.
 */
typedef enum
{
  GST_GL_OPENCL_WORK_NONE = 0,
  GST_GL_OPENCL_WORK_READ = 1 << 0,
  GST_GL_OPENCL_WORK_WRITE = 1 << 1,
  GST_GL_OPENCL_WORK_ATTACH = 1 << 2,
} GstGLOpenCLWorkFlags;

/**
 * GstGLOpenCLBaseFilterClass:
 * @parent_class: the parent class
 * @open: makes the operation for a device; does not touch the device
 * @close: frees it
 * @prepare: builds and warms up what frames in that storage need, with the
 *    properties taken over last; called when a size is negotiated and before
 *    every frame, and has to be quick where nothing is left to be done
 * @snapshot: takes over the properties for @frame, which will be in @slot, and
 *    tells what it needs
 * @enqueue: enqueues the operation with the properties taken over last; @output
 *    is NULL for a frame that is only read
 * @enqueue_read: enqueues reading to the host what the operation found out;
 *    comes after @enqueue; may be NULL
 * @flush: the frames before are forgotten; may be NULL
 * @finish: OpenCL is done with the frame in @slot, which goes downstream as
 *    @frame; may be NULL
 * @get_variant: the name of the kernel variant for frames in that storage;
 *    asked for after each frame
 *
 * They run on the streaming thread, @close also on the one that stops the
 * element when there is no streaming, @enqueue and @enqueue_read also on the GL
 * thread while the streaming thread waits for that: no two at the same time.
 *
 * Up to GST_GL_OPENCL_MAX_FLIGHTS frames are between @snapshot and @finish at a
 * time, each in a slot below that number; a slot may also be used again without
 * a @finish, where a frame was dropped.
 */
struct _GstGLOpenCLBaseFilterClass
{
  GstGLFilterClass parent_class;

  void (*open) (GstGLOpenCLBaseFilter * filter, OclContext * context);
  void (*close) (GstGLOpenCLBaseFilter * filter);
  gboolean (*prepare) (GstGLOpenCLBaseFilter * filter, OclStorage storage,
      GError ** error);
  GstGLOpenCLWorkFlags (*snapshot) (GstGLOpenCLBaseFilter * filter,
      guint slot, GstBuffer * frame);
  gboolean (*enqueue) (GstGLOpenCLBaseFilter * filter, guint slot,
      const OclFrame * input, const OclFrame * output, OclTimer * timer,
      GError ** error);
  gboolean (*enqueue_read) (GstGLOpenCLBaseFilter * filter, guint slot,
      OclTimer * timer, GError ** error);
  void (*flush) (GstGLOpenCLBaseFilter * filter);
  void (*finish) (GstGLOpenCLBaseFilter * filter, guint slot,
      GstBuffer * frame);
  const gchar *(*get_variant) (GstGLOpenCLBaseFilter * filter,
      OclStorage storage);
};

/* The border properties; red, green, blue and alpha go to @color. Takes the
 * object lock. Any thread. */
OclBorder gst_gl_opencl_base_filter_get_border (GstGLOpenCLBaseFilter * filter,
    guint8 color[4]);

G_END_DECLS
