/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The OpenCL contexts that share with a GL context.  Any thread.
 */

#ifndef GLOPENCL_LAYER_CONTEXTS_H
#define GLOPENCL_LAYER_CONTEXTS_H

#include "layerimages.h"

/* Looks up what @context shares with.  FALSE: it does not share. */
gboolean layer_contexts_find (cl_context context, LayerGlContext *gl);

#endif /* GLOPENCL_LAYER_CONTEXTS_H */
