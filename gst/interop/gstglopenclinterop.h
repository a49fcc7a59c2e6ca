/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backends between GL frames and OpenCL, and the selection of one.
 *
 * gl-sharing acquires the textures themselves (gstglopenclglsharing.c).
 * external-memory provides pools with textures that are also OpenCL images, and
 * copies frames in other textures to and from such textures on the GPU
 * (gstglopenclexternalmemory.c). host-copy works on GL memory that is mapped to
 * the host (gstglopenclhostcopy.c). A session uses one backend at a time, and
 * falls back to host copies. */

#pragma once

#include <gst/gl/gl.h>

#include "frame/gstglopencljob.h"
#include "gstglopenclcontext.h"

G_BEGIN_DECLS

extern const OclValues gst_gl_opencl_interop_modes;

/**
 * GstGLOpenCLInterop:
 * @storage: the storage of the frames for operations
 * @new: creates an instance, which keeps a reference to @context. Does not use
 *    the device
 * @free: frees an instance. No frame may be in flight
 * @state_size: the size in bytes of the state of an instance for one job,
 *    which is kept between frames and starts zeroed
 * @clear_state: clears the state of one job, or NULL
 * @get_allocator: returns the allocator with which pools of frames need fewer
 *    copies. The instance owns the allocator. NULL if any allocator can be
 *    used.
 * @check_format: returns whether the backend supports frames of @format, @width
 *    by @height in size. Fails with OCL_ERROR_NOT_SUPPORTED and a message that
 *    names the limit. NULL if gst_gl_opencl_context_check_format() does.
 * @begin: maps the buffers of the job and enqueues its commands, either now
 *    or together with later jobs. Does not wait for OpenCL. @error must not
 *    be NULL. On failure no command of the frame is running and nothing is
 *    mapped. With OCL_ERROR_NOT_SUPPORTED both buffers are unchanged.
 * @finish: enqueues the commands that @begin has not enqueued, and waits until
 *    OpenCL has finished the job and the reads to the host. Adds the
 *    duration to the wait time of the job, and unmaps the buffers. Jobs
 *    are finished in the order in which they were begun.
 *
 * Passes frames to OpenCL and back. @new, @free, @clear_state and
 * @get_allocator may be called from any thread, the other functions only from
 * the streaming thread.
 */
typedef struct
{
  OclStorage storage;
  gpointer (*new) (GstGLOpenCLContext * context);
  void (*free) (gpointer interop);
  gsize state_size;
  void (*clear_state) (gpointer interop, gpointer state);
  GstAllocator *(*get_allocator) (gpointer interop);
  gboolean (*check_format) (gpointer interop, const OclFormat * format,
      gint width, gint height, GError ** error);
  gboolean (*begin) (gpointer interop, gpointer state,
      GstGLOpenCLJob * job, GError ** error);
  gboolean (*finish) (gpointer interop, gpointer state,
      GstGLOpenCLJob * job, GError ** error);
} GstGLOpenCLInterop;

extern const GstGLOpenCLInterop gst_gl_opencl_gl_sharing;
extern const GstGLOpenCLInterop gst_gl_opencl_host_copy;
#if GST_GL_OPENCL_EXTERNAL_MEMORY
extern const GstGLOpenCLInterop gst_gl_opencl_external_memory;
#endif

/**
 * GstGLOpenCLRequest:
 * @mode: the interop backend
 * @selector: the device, as for ocl_device_select()
 * @is_live: whether frames come from a live source, whose frames are not held
 *    back by default. With @mode AUTO, external-memory is then tried before
 *    gl-sharing
 * @uses_database: whether kernels use the settings of the database
 * @quick: whether frames use kernels without optimization, or the previous
 *    parameters, instead of waiting for the compiler
 *
 * The requirements of a filter.
 */
typedef struct
{
  GstGLOpenCLInteropMode mode;
  const gchar *selector;
  gboolean is_live;
  gboolean uses_database;
  gboolean quick;
} GstGLOpenCLRequest;

/* Returns whether other code, such as a decoder, owns the texture of @memory, a
 * GstGLMemory. May be called from any thread. */
gboolean gst_gl_opencl_interop_is_foreign_texture (GstMemory * memory);

#define GST_GL_OPENCL_N_MODES (GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY + 1)

/**
 * GstGLOpenCLBackends:
 * @context: the context of OpenGL and OpenCL, or NULL while closed (owned)
 * @asked: the interop backend that the user requested
 * @mode: the interop backend of the current frames, never AUTO after
 *    gst_gl_opencl_backends_choose()
 * @fell_back: whether a frame of the format could not be shared
 * @instances: the instances of the interop backends, created on first use
 *    (owned)
 *
 * The interop backends of a session. Start with a zeroed struct and end with
 * gst_gl_opencl_backends_close().
 */
typedef struct
{
  GstGLOpenCLContext *context;
  GstGLOpenCLInteropMode asked;
  GstGLOpenCLInteropMode mode;
  gboolean fell_back;
  gpointer instances[GST_GL_OPENCL_N_MODES];
} GstGLOpenCLBackends;

/* The functions below must be called from the streaming thread, or from start
 * and stop while it does not run. */

/* Chooses a device and an interop backend that @request allows, and sets the
 * context of @gl_context for both. Log messages name @owner. Fails if
 * @gl_context is NULL, and with OCL_ERROR_NO_DEVICE if the requested device or
 * mode is not available. @error must not be NULL. */
gboolean gst_gl_opencl_backends_open (GstGLOpenCLBackends * backends,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GstObject * owner, GError ** error);

/* Frees everything. The states of all jobs must have been freed. */
void gst_gl_opencl_backends_close (GstGLOpenCLBackends * backends);

/* Chooses the interop backend for frames of @format. If their size or their
 * format cannot be shared, selects host-copy and sets @notice to a message for
 * the user, which the caller frees, or fails if the user requested another
 * backend. */
gboolean gst_gl_opencl_backends_choose (GstGLOpenCLBackends * backends,
    const OclFormat * format, gint width, gint height, gchar ** notice,
    GError ** error);

/* Returns whether a frame that failed with @error can use host-copy instead,
 * and selects host-copy for all further frames. This is possible if OpenCL
 * could not acquire the texture of the frame. */
gboolean gst_gl_opencl_backends_fall_back (GstGLOpenCLBackends * backends,
    const GError * error);

/* Returns the storage of the current frames for operations. */
OclStorage gst_gl_opencl_backends_get_storage (const GstGLOpenCLBackends *
    backends);

/* Returns the allocator for pools of frames, see GstGLOpenCLInterop. Returns
 * NULL if any allocator can be used, and before a backend is prepared. */
GstAllocator *gst_gl_opencl_backends_get_allocator (GstGLOpenCLBackends *
    backends);

/* Returns whether @buffer, a frame of the format and size of @info, may be
 * overwritten: the buffer, its memory and its textures have no other user, and
 * its rows are not padded. */
gboolean gst_gl_opencl_backends_can_work_in_place (const GstGLOpenCLBackends *
    backends, GstBuffer * buffer, const OclFrameInfo * info);

/* Creates the state of the interop backend for @job, if there is none
 * yet. */
void gst_gl_opencl_backends_prepare (GstGLOpenCLBackends * backends,
    GstGLOpenCLJob * job);

/* Frees the states of @job, which must not have been begun. */
void gst_gl_opencl_backends_clear_job (GstGLOpenCLBackends * backends,
    GstGLOpenCLJob * job);

/* Begin @job, which must be prepared, and finish it, see GstGLOpenCLInterop.
 * Set @error, which must not be NULL, on every failure. */
gboolean gst_gl_opencl_backends_begin (GstGLOpenCLBackends * backends,
    GstGLOpenCLJob * job, GError ** error);
gboolean gst_gl_opencl_backends_finish (GstGLOpenCLBackends * backends,
    GstGLOpenCLJob * job, GError ** error);

G_END_DECLS
