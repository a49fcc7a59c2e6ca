/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A device with a context and an in-order queue on it. */

#pragma once

#include "oclprograms.h"

G_BEGIN_DECLS

/**
 * OclContext:
 * @device: the device; owned
 * @context: its context; owned
 * @queue: an in-order queue with profiling; owned
 * @programs: what is built; owned
 *
 * Reference-counted, the members never change. The queue may be used from
 * several threads; what one enqueues runs in the order it was enqueued in.
 */
typedef struct
{
  OclDevice *device;
  cl_context context;
  cl_command_queue queue;
  OclPrograms *programs;
} OclContext;

/* @sharing: properties for clCreateContext that come before the platform (GL
 * context and display), ended by 0, or NULL. With them, call this and the last
 * ocl_context_unref on the thread of that GL context. */
OclContext *ocl_context_new (OclDevice * device,
    const cl_context_properties * sharing, GError ** error);

/* Another in-order queue with profiling on the device; the caller owns it. Any
 * thread. */
cl_command_queue ocl_context_create_queue (OclContext * context,
    GError ** error);

/* Any thread. */
gboolean ocl_image_format_equals (cl_image_format a, cl_image_format b);

/* Whether there are 2D images of that format. Any thread. */
gboolean ocl_context_supports_image (OclContext * context,
    cl_image_format format, gboolean * supported, GError ** error);

/* Any thread. */
OclContext *ocl_context_ref (OclContext * context);
void ocl_context_unref (OclContext * context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclContext, ocl_context_unref)

/* Waits for all that was enqueued in its queue. On the GL thread only after a
 * failure. */
gboolean ocl_context_finish (OclContext * context, GError ** error);

G_END_DECLS
