/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An OclContext combines a device, an OpenCL context on the device, and one or
 * two in-order queues. */

#pragma once

#include "ocldatabase.h"
#include "oclprograms.h"

G_BEGIN_DECLS

/**
 * OclContext:
 * @device: the device (owned)
 * @context: the OpenCL context on @device (owned)
 * @queue: an in-order queue (owned). It has profiling unless there is a
 *    @timed_queue
 * @timed_queue: an in-order queue with profiling (owned), or NULL, see
 *    ocl_context_add_timed_queue()
 * @programs: the programs that are built (owned)
 * @database: the settings of kernels for @device (owned)
 * @is_lost: whether a command will never end (atomic)
 * @parent: for a sibling, the context that owns the members above except
 *    the queues, and whose @is_lost counts (owned), or NULL
 *
 * An OclContext is reference-counted, and its other members never change.
 * Several threads may use the queues. The commands of one thread run in the
 * order in which the thread enqueued them, also if it uses both queues, see
 * ocl_timer_begin().
 */
typedef struct
{
  OclDevice *device;
  cl_context context;
  cl_command_queue queue;
  cl_command_queue timed_queue;
  OclPrograms *programs;
  OclDatabase *database;
  gint is_lost;
  gpointer parent;
} OclContext;

/* Creates a context. @sharing is NULL or holds properties for clCreateContext()
 * (GL context and display), ended by 0. They come before the platform. If
 * @sharing is not NULL, this function and the last ocl_context_unref() must be
 * called on the thread of the GL context. */
OclContext *ocl_context_new (OclDevice * device,
    const cl_context_properties * sharing, GError ** error);

/* Creates a context with the objects of @parent and another queue. The commands
 * of kernels and memory that are created in it do not wait for the commands of
 * @parent. May be called from any thread. */
OclContext *ocl_context_new_sibling (OclContext * parent, GError ** error);

/* Makes @queue a queue without profiling, and adds a queue for the frames that
 * OclTimer measures, because profiling delays all commands: with NVIDIA's
 * driver, a 720p frame by a tenth. Does nothing on a CPU. Must be called before
 * the first command, by the thread that has created the context. */
gboolean ocl_context_add_timed_queue (OclContext * context, GError ** error);

/* Creates another in-order queue with profiling on the device. The caller owns
 * the queue. May be called from any thread. */
cl_command_queue ocl_context_create_queue (OclContext * context,
    GError ** error);

/* Returns whether @a and @b are equal. May be called from any thread. */
gboolean ocl_image_format_equals (cl_image_format a, cl_image_format b);

/* Sets @supported to whether 2D images of @format are supported. May be called
 * from any thread. */
gboolean ocl_context_supports_image (OclContext * context,
    cl_image_format format, gboolean * supported, GError ** error);

/* Both functions may be called from any thread. */
OclContext *ocl_context_ref (OclContext * context);
void ocl_context_unref (OclContext * context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclContext, ocl_context_unref)

/* Waits until all commands in the context's queues have ended. Must be called
 * on the GL thread only after a failure. */
gboolean ocl_context_finish (OclContext * context, GError ** error);

/* Gives up the context, because a command will never end, and OpenCL cannot
 * interrupt it: stops enqueuing and waiting, and does not free OpenCL objects.
 * May be called from any thread. */
void ocl_context_give_up (OclContext * context);

/* Returns whether commands can be enqueued. Sets OCL_ERROR_LOST if the context
 * was given up. May be called from any thread. */
gboolean ocl_context_check (OclContext * context, GError ** error);

G_END_DECLS
