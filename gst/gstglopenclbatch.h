/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames whose textures OpenCL borrows together: drivers take as long for one
 * acquire and release of many textures as for those of one.
 *
 * A frame is added when it is begun. The commands of all that were added are
 * enqueued when they are enough, or when the first of them has to be
 * finished. */

#pragma once

#include "gstglopenclflight.h"
#include "gstglopenclring.h"
#include "gstglopencltexture.h"

G_BEGIN_DECLS

/* The planes of an input and of an output. */
#define GST_GL_OPENCL_MAX_LENT (2 * OCL_MAX_PLANES)

/**
 * GstGLOpenCLLoan:
 * @flight: the frame, mapped for as long as the loan lasts; not owned
 * @memories: of the mapped buffers: the planes of the input, then, where that
 *    is another one, of the output; not owned
 * @n_memories: how many they are
 * @given_back: ends with the release; NULL until the commands are enqueued;
 *    owned
 * @failure: why they could not be enqueued, or NULL; owned
 */
typedef struct
{
  GstGLOpenCLFlight *flight;
  GstGLMemory *memories[GST_GL_OPENCL_MAX_LENT];
  guint n_memories;
  cl_event given_back;
  GError *failure;
} GstGLOpenCLLoan;

/**
 * GstGLOpenCLBatch:
 * @context: where frames go; not owned
 * @loans: those whose commands are not enqueued yet; not owned
 * @n_loans: how many they are
 *
 * All zero but for @context, to begin with.
 */
typedef struct
{
  GstGLOpenCLContext *context;
  GstGLOpenCLLoan *loans[GST_GL_OPENCL_MAX_FLIGHTS];
  guint n_loans;
} GstGLOpenCLBatch;

/* GL thread of the context for all. */

/* Adds @loan, in which the flight and the memories are set.
 * OCL_ERROR_NOT_SUPPORTED where OpenCL cannot borrow one of its textures;
 * nothing was touched then. */
gboolean gst_gl_opencl_batch_add (GstGLOpenCLBatch * batch,
    GstGLOpenCLLoan * loan, GError ** error);

/* Enqueues the commands of all that were added, and empties the batch. Where
 * that fails, no command is running, and every loan has the failure. */
void gst_gl_opencl_batch_enqueue (GstGLOpenCLBatch * batch);

/* Frees the images of a loan: after a failure their state is not known. */
void gst_gl_opencl_batch_forget (GstGLOpenCLBatch * batch,
    const GstGLOpenCLLoan * loan);

G_END_DECLS
