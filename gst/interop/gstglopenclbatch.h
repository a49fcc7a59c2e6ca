/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A batch of frames: OpenCL takes the textures of all its frames from OpenGL at
 * once. Drivers take as long for many textures as for the textures of one
 * frame.
 *
 * A frame is added to the batch when it is begun. The commands of all frames in
 * the batch are enqueued when the batch is large enough, or when its first
 * frame has to be finished. A GstGLOpenCLLender takes the textures and gives
 * them back; the batch is the code that all ways of interop with textures
 * share. */

#pragma once

#include "frame/gstglopenclflight.h"
#include "frame/gstglopenclring.h"
#include "gstglopenclinterop.h"

G_BEGIN_DECLS

/* A loan has at most the planes of an input and the planes of an output. */
#define GST_GL_OPENCL_MAX_LENT (2 * OCL_MAX_PLANES)

/**
 * GstGLOpenCLLoan:
 * @flight: the frame, whose buffers stay mapped as long as the loan lasts; not
 *    owned
 * @memories: the memories of the mapped buffers: first the planes of the input,
 *    then the planes of the output if the output is another buffer; not owned
 * @n_memories: the number of @memories
 * @given_back: event that ends when OpenCL is done with @memories; NULL until
 *    the commands are enqueued; owned
 * @failure: the reason why the commands could not be enqueued, or NULL; owned
 *
 * Holds the state that a batch keeps for one flight. A way of interop may have
 * the loan at the beginning of a larger struct.
 */
typedef struct
{
  GstGLOpenCLFlight *flight;
  GstGLMemory *memories[GST_GL_OPENCL_MAX_LENT];
  guint n_memories;
  cl_event given_back;
  GError *failure;
} GstGLOpenCLLoan;

typedef struct _GstGLOpenCLBatch GstGLOpenCLBatch;

/**
 * GstGLOpenCLLender:
 * @prepare: creates what @loan needs and does not have yet. Fails with
 *    OCL_ERROR_NOT_SUPPORTED if OpenCL cannot have one of the textures of
 *    @loan; nothing has been touched in this case.
 * @describe: sets @input and @output to the memory that OpenCL gets for @loan,
 *    which is prepared. Both may get the same memory. The caller ignores
 *    @output if the frame is only read.
 * @take: enqueues the commands that take the textures of all loans of the batch
 *    from OpenGL. They run after OpenGL's pending commands on these textures.
 * @give_back: enqueues the commands that give the textures back to OpenGL, and
 *    makes OpenGL's next commands run after them. Sets @given_back to an event
 *    that ends when the textures are given back; the caller owns the event.
 * @forget: frees what @prepare created, and keeps OpenCL away from textures
 *    that the loan does not own: after a failure their state is unknown. Also
 *    called if @prepare failed halfway.
 *
 * Lends textures to OpenCL. All functions run on the GL thread. Their first
 * argument is the member data of the batch.
 */
typedef struct
{
  gboolean (*prepare) (gpointer data, GstGLOpenCLLoan * loan, GError ** error);
  void (*describe) (gpointer data, const GstGLOpenCLLoan * loan,
      OclFrame * input, OclFrame * output);
  gboolean (*take) (gpointer data, const GstGLOpenCLBatch * batch,
      GError ** error);
  gboolean (*give_back) (gpointer data, const GstGLOpenCLBatch * batch,
      cl_event * given_back, GError ** error);
  void (*forget) (gpointer data, GstGLOpenCLLoan * loan);
} GstGLOpenCLLender;

/**
 * GstGLOpenCLBatch:
 * @lender: the functions that lend the textures
 * @data: the first argument of the functions of @lender
 * @context: the context that the frames are lent to; not owned
 * @loans: the loans whose commands are not enqueued yet; not owned
 * @n_loans: the number of @loans
 *
 * @loans and @n_loans must be zero at the start.
 */
struct _GstGLOpenCLBatch
{
  const GstGLOpenCLLender *lender;
  gpointer data;
  GstGLOpenCLContext *context;
  GstGLOpenCLLoan *loans[GST_GL_OPENCL_MAX_FLIGHTS];
  guint n_loans;
};

/* Call all functions on the streaming thread. */

/* See begin and finish of GstGLOpenCLInterop for the contracts of these
 * functions. */
gboolean gst_gl_opencl_batch_begin (GstGLOpenCLBatch * batch,
    GstGLOpenCLLoan * loan, GstGLOpenCLFlight * flight, GError ** error);
gboolean gst_gl_opencl_batch_finish (GstGLOpenCLBatch * batch,
    GstGLOpenCLLoan * loan, guint64 * wait_time, GError ** error);

G_END_DECLS
