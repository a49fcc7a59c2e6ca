/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How GL frames and OpenCL meet: the ways there are, each a const table, and
 * the choice of one.
 *
 * gl-sharing borrows the textures themselves (gstglopenclglsharing),
 * external-memory gives pools textures that OpenCL has as well, and copies what
 * is in others to and from such, on the GPU (gstglopenclexternalmemory),
 * host-copy works on the GL memory as mapped to the host (gstglopenclhostcopy).
 * A session uses one at a time. */

#pragma once

#include <gst/gl/gl.h>

#include "frame/gstglopenclflight.h"
#include "gstglopenclcontext.h"

G_BEGIN_DECLS

extern const OclValues gst_gl_opencl_interop_modes;

/**
 * GstGLOpenCLInterop:
 * @mode: which one it is
 * @storage: what operations get
 * @new: makes one that keeps a reference to @context; does not touch the device
 * @free: frees it; no frame may be in flight
 * @new_flight: what it keeps for one flight, from one frame to the next
 * @free_flight: frees that
 * @get_allocator: what pools of frames allocate with so that fewer copies are
 *    needed, owned by the interop; NULL where any will do
 * @check_format: whether frames of that format and size can be taken;
 *    OCL_ERROR_NOT_SUPPORTED with a sentence that says what the limit is
 * @begin: maps the flight's buffers, and enqueues what is to be done with them,
 *    now or together with flights that are begun after it; does not wait for
 *    OpenCL. @error must not be NULL. On failure no command of the frame is
 *    running and nothing is mapped; with OCL_ERROR_NOT_SUPPORTED both buffers
 *    are as they were.
 * @finish: enqueues what @begin has left, waits until OpenCL is done with the
 *    flight and with what it reads to the host, adds the nanoseconds of that to
 *    @wait_time, and unmaps the buffers. Flights are finished in the order in
 *    which they were begun.
 *
 * A way for frames to get to OpenCL and back. @new, @free, the two for flights
 * and @get_allocator: any thread; the others: the streaming thread.
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

/* Chooses a device (@selector as for ocl_device_select()), and whether it
 * shares: the context of @gl_context for both. @owner is named in the log. GL
 * thread of @gl_context. OCL_ERROR_NO_DEVICE where what was asked for cannot be
 * had. */
GstGLOpenCLContext *gst_gl_opencl_interop_choose (GstGLContext * gl_context,
    GstGLOpenCLInteropMode mode, const gchar * selector, GstObject * owner,
    GError ** error);

/* Whether the texture itself of @memory, which is a GstGLMemory, is somebody's,
 * such as a decoder's. Any thread. */
gboolean gst_gl_opencl_interop_is_foreign_texture (GstMemory * memory);

/* Whether @buffer, a frame of the format and size of @like, may be written
 * over: buffer, memory and textures are ours alone, and rows are not padded.
 * Streaming thread. */
gboolean gst_gl_opencl_interop_can_work_in_place (const GstGLOpenCLInterop *
    interop, GstBuffer * buffer, const OclFrame * like);

G_END_DECLS
