/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The OpenCL contexts that share with a GL context.  Any thread.
 */

#ifndef GLOPENCL_LAYER_CONTEXTS_H
#define GLOPENCL_LAYER_CONTEXTS_H

#include <CL/cl.h>
#include <glib.h>

/* The GL context that @context shares with, NULL if it does not share. */
gpointer layer_contexts_find (cl_context context);

#endif /* GLOPENCL_LAYER_CONTEXTS_H */
