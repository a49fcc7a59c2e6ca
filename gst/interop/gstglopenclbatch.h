/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames whose textures OpenCL takes from OpenGL together: drivers take as long
 * for many textures as for those of one frame.
 *
 * A frame is added when it is begun. The commands of all that were added are
 * enqueued when they are enough, or when the first of them has to be finished.
 * How textures are taken and given back is a GstGLOpenCLLender's: this is what
 * the ways of interop that work on textures have in common. */

#pragma once

#include "frame/gstglopenclflight.h"
#include "frame/gstglopenclring.h"
#include "gstglopenclinterop.h"

G_BEGIN_DECLS

/* The planes of an input and of an output. */
#define GST_GL_OPENCL_MAX_LENT (2 * OCL_MAX_PLANES)

/**
 * GstGLOpenCLLoan:
 * @flight: the frame, mapped for as long as the loan lasts; not owned
 * @memories: of the mapped buffers: the planes of the input, then, where that
 *    is another one, of the output; not owned
 * @n_memories: how many they are
 * @given_back: ends when OpenCL is done with them; NULL until the commands are
 *    enqueued; owned
 * @failure: why they could not be enqueued, or NULL; owned
 *
 * What is kept for a flight; a way of interop may have it at the beginning of a
 * larger struct.
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
 * @prepare: makes what @loan needs where it is not there yet;
 *    OCL_ERROR_NOT_SUPPORTED where OpenCL cannot have one of its textures;
 *    nothing was touched then
 * @describe: what OpenCL gets of a loan that is prepared; @output may be the
 *    same memory as @input, and is not looked at where the frame is only read
 * @take: enqueues taking the textures of all loans of the batch from OpenGL,
 *    after what it still does with them
 * @give_back: enqueues giving them back, and whatever makes OpenGL's next
 *    commands come after that; @given_back gets an event that ends with it,
 *    which the caller owns
 * @forget: frees what @prepare made, and keeps OpenCL from textures that are
 *    not its own: after a failure their state is not known. Also where @prepare
 *    failed in the middle.
 *
 * How textures are lent to OpenCL. GL thread for all. The data is that of the
 * batch.
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
 * @lender: how textures are lent
 * @data: the lender's
 * @context: where frames go; not owned
 * @loans: those whose commands are not enqueued yet; not owned
 * @n_loans: how many they are
 *
 * The last two are zero to begin with.
 */
struct _GstGLOpenCLBatch
{
  const GstGLOpenCLLender *lender;
  gpointer data;
  GstGLOpenCLContext *context;
  GstGLOpenCLLoan *loans[GST_GL_OPENCL_MAX_FLIGHTS];
  guint n_loans;
};

/* Streaming thread for all. */

/* The same as in GstGLOpenCLInterop. */
gboolean gst_gl_opencl_batch_begin (GstGLOpenCLBatch * batch,
    GstGLOpenCLLoan * loan, GstGLOpenCLFlight * flight, GError ** error);
gboolean gst_gl_opencl_batch_finish (GstGLOpenCLBatch * batch,
    GstGLOpenCLLoan * loan, guint64 * wait_time, GError ** error);

G_END_DECLS
