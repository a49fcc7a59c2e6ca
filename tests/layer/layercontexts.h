/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The OpenCL contexts that share with a GL context.  Functions may be called
 * from any thread.
 */

#ifndef GLOPENCL_LAYER_CONTEXTS_H
#define GLOPENCL_LAYER_CONTEXTS_H

#include <CL/cl.h>
#include <glib.h>

/* Returns the GL context that @context shares with, or NULL if @context does
 * not share. */
gpointer layer_contexts_find (cl_context context);

#endif /* GLOPENCL_LAYER_CONTEXTS_H */
