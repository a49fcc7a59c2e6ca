/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Defines the ways of interop between GL frames and OpenCL. Each way is a const
 * table; gst_gl_opencl_interop_choose() chooses one.
 *
 * gl-sharing borrows the textures themselves (gstglopenclglsharing).
 * external-memory gives pools textures that OpenCL has as images, too. It
 * copies frames in other textures to and from such shared textures on the GPU
 * (gstglopenclexternalmemory). host-copy works on GL memory that is mapped to
 * the host (gstglopenclhostcopy). A session uses one way at a time. */

#pragma once

#include <gst/gl/gl.h>

#include "frame/gstglopenclflight.h"
#include "gstglopenclcontext.h"

G_BEGIN_DECLS

extern const OclValues gst_gl_opencl_interop_modes;

/**
 * GstGLOpenCLInterop:
 * @mode: the mode of this way of interop
 * @storage: the storage of the frames that operations get
 * @new: creates an instance, which keeps a reference to @context; does not
 *    touch the device
 * @free: frees an instance; no frame may be in flight
 * @new_flight: creates the state that an instance keeps for one flight, from
 *    one frame to the next
 * @free_flight: frees the state of one flight
 * @get_allocator: returns the allocator that pools of frames should use so that
 *    fewer copies are needed; the instance owns the allocator. The member is
 *    NULL if any allocator will do.
 * @check_format: returns whether the way can take frames of @format, @width by
 *    @height in size. Fails with OCL_ERROR_NOT_SUPPORTED and a sentence that
 *    names the limit.
 * @begin: maps the buffers of the flight and enqueues its commands, either now
 *    or together with flights that begin later; does not wait for OpenCL.
 *    @error must not be NULL. On failure no command of the frame is running and
 *    nothing is mapped; with OCL_ERROR_NOT_SUPPORTED both buffers are
 *    unchanged.
 * @finish: enqueues the commands that @begin has not enqueued, and waits until
 *    OpenCL is done with the flight and with the reads to the host. Adds the
 *    nanoseconds that this takes to @wait_time, and unmaps the buffers. Flights
 *    are finished in the order in which they were begun.
 *
 * Gets frames to OpenCL and back. Any thread may call @new, @free, @new_flight,
 * @free_flight and @get_allocator. Only the streaming thread may call the other
 * functions.
 */
typedef struct
{
  GstGLOpenCLInteropMode mode;
  OclStorage storage;
  gpointer (*new) (GstGLOpenCLContext * context);
  void (*free) (gpointer interop);
  gpointer (*new_flight) (void);
  void (*free_flight) (gpointer interop, gpointer state);
  GstAllocator *(*get_allocator) (gpointer interop);
  gboolean (*check_format) (gpointer interop, const OclFormat * format,
      gint width, gint height, GError ** error);
  gboolean (*begin) (gpointer interop, gpointer state,
      GstGLOpenCLFlight * flight, GError ** error);
  gboolean (*finish) (gpointer interop, gpointer state,
      GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error);
} GstGLOpenCLInterop;

/**
 * GstGLOpenCLRequest:
 * @mode: the way of interop
 * @selector: the device, as for ocl_device_select()
 * @is_live: whether frames come from a live source, of which none is held back
 *    by default: with @mode AUTO external-memory is tried before gl-sharing
 * @uses_database: whether kernels have the settings of the database
 *
 * A request says what a filter asks for.
 */
typedef struct
{
  GstGLOpenCLInteropMode mode;
  const gchar *selector;
  gboolean is_live;
  gboolean uses_database;
} GstGLOpenCLRequest;

/* Chooses a device and a way of interop that @request allows, and returns the
 * context of @gl_context for both. The log names @owner. Call it on the GL
 * thread of @gl_context. Fails with OCL_ERROR_NO_DEVICE if the requested device
 * or mode is not available. */
GstGLOpenCLContext *gst_gl_opencl_interop_choose (GstGLContext * gl_context,
    const GstGLOpenCLRequest * request, GstObject * owner, GError ** error);

/* Returns whether somebody else, such as a decoder, owns the texture of
 * @memory, which is a GstGLMemory. Any thread may call this function. */
gboolean gst_gl_opencl_interop_is_foreign_texture (GstMemory * memory);

/* Returns whether @buffer, a frame of the format and size of @info, may be
 * overwritten: nobody else uses the buffer, its memory or its textures, and its
 * rows are not padded. Call it on the streaming thread. */
gboolean gst_gl_opencl_interop_can_work_in_place (const GstGLOpenCLInterop *
    interop, GstBuffer * buffer, const OclFrameInfo * info);

G_END_DECLS
