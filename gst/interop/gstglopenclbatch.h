/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Batch of frames whose textures OpenCL acquires from OpenGL together. Drivers
 * take as long for many textures as for the textures of one frame.
 *
 * A frame is added to the batch when it is begun. The commands of all frames in
 * the batch are enqueued when the batch is large enough, or when its first
 * frame has to be finished. A GstGLOpenCLTextureBackend acquires and releases
 * the textures. A batch is the instance of an interop backend with textures, or
 * the beginning of it. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

/* Maximum number of memories of an acquire set: the planes of an input and of
 * an output. */
#define GST_GL_OPENCL_MAX_MEMORIES (2 * OCL_MAX_PLANES)

/**
 * GstGLOpenCLAcquireSet:
 * @job: the frame, whose buffers stay mapped as long as the set is in use
 *    (not owned)
 * @memories: the memories of the mapped buffers: the planes of the input, then
 *    the planes of the output if the output is another buffer (not owned)
 * @n_memories: the number of @memories
 * @released: event that ends when OpenCL has released @memories, or NULL
 *    until the commands are enqueued (owned)
 * @failure: the reason why the commands could not be enqueued, or NULL (owned)
 *
 * The textures of one job that OpenCL acquires from OpenGL and releases, and
 * their state in a batch. An interop backend may have the set at the
 * beginning of a larger struct.
 */
typedef struct
{
  GstGLOpenCLJob *job;
  GstGLMemory *memories[GST_GL_OPENCL_MAX_MEMORIES];
  guint n_memories;
  cl_event released;
  GError *failure;
} GstGLOpenCLAcquireSet;

typedef struct _GstGLOpenCLBatch GstGLOpenCLBatch;

/**
 * GstGLOpenCLTextureBackend:
 * @prepare: creates the missing objects of @set. Fails with
 *    OCL_ERROR_NOT_SUPPORTED if OpenCL cannot use one of the textures of @set,
 *    in which case nothing has been changed.
 * @describe: sets @input and @output to the memory of @set in OpenCL. @set
 *    must be prepared. Both may get the same memory. The caller ignores @output
 *    if the frame is only read.
 * @acquire: enqueues the commands that acquire the textures of all sets of the
 *    batch from OpenGL. They run after OpenGL's pending commands on these
 *    textures.
 * @release: enqueues the commands that release the textures to OpenGL, and
 *    makes OpenGL's next commands run after them. Sets @released to an event
 *    that ends when the textures are released. The caller owns the event.
 * @invalidate: frees the objects that @prepare created, and excludes textures
 *    that the set does not own from further use by OpenCL, because their state
 *    is unknown after a failure. Also called if @prepare failed partway.
 *
 * Passes textures to OpenCL and back. All functions run on the GL thread.
 */
typedef struct
{
  gboolean (*prepare) (GstGLOpenCLBatch * batch, GstGLOpenCLAcquireSet * set,
      GError ** error);
  void (*describe) (GstGLOpenCLBatch * batch, const GstGLOpenCLAcquireSet * set,
      OclFrame * input, OclFrame * output);
  gboolean (*acquire) (GstGLOpenCLBatch * batch, GError ** error);
  gboolean (*release) (GstGLOpenCLBatch * batch, cl_event * released,
      GError ** error);
  void (*invalidate) (GstGLOpenCLBatch * batch, GstGLOpenCLAcquireSet * set);
} GstGLOpenCLTextureBackend;

/**
 * GstGLOpenCLBatch:
 * @backend: the functions that acquire and release the textures
 * @context: the context that acquires the frames (owned)
 * @sets: the sets whose commands are not enqueued yet (not owned)
 * @n_sets: the number of @sets
 */
struct _GstGLOpenCLBatch
{
  const GstGLOpenCLTextureBackend *backend;
  GstGLOpenCLContext *context;
  GstGLOpenCLAcquireSet *sets[GST_GL_OPENCL_MAX_JOBS];
  guint n_sets;
};

/* Follow the contracts of GstGLOpenCLInterop. The instance has @size bytes and
 * begins with a GstGLOpenCLBatch, the state of a job begins with a
 * GstGLOpenCLAcquireSet, and the rest of both is zeroed. */
gpointer gst_gl_opencl_batch_new (gsize size,
    const GstGLOpenCLTextureBackend * backend, GstGLOpenCLContext * context);
void gst_gl_opencl_batch_free (gpointer interop);
gboolean gst_gl_opencl_batch_begin (gpointer interop, gpointer state,
    GstGLOpenCLJob * job, GError ** error);
gboolean gst_gl_opencl_batch_finish (gpointer interop, gpointer state,
    GstGLOpenCLJob * job, GError ** error);

G_END_DECLS
