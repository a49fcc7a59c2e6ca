/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The chains of a session. If users change the operations or a text while
 * frames flow, the operations before filter until the new ones are ready. If
 * the new ones cannot be built, the ones before stay in use.
 *
 * Call the functions on the streaming thread, unless a function says
 * otherwise. */

#pragma once

#include "frame/gstglopenclflight.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLChains:
 * @element: the element that posts warnings; not owned
 * @changes: whether operations or texts may change while frames flow
 * @uses_database: whether new chains have the settings of the database
 * @chain: the chain that filters, or NULL; owned
 * @next: the chain that will filter when it is ready, or NULL; owned
 * @good: the operations of the last graph, if @changes
 * @refused: the operations for which kernels cannot be built
 *
 * Start with a zeroed struct, set @element and @changes, and end with
 * gst_gl_opencl_chains_clear().
 */
typedef struct
{
  GstElement *element;
  gboolean changes;
  gboolean uses_database;
  OclFilter *chain;
  OclFilter *next;
  OclLinks good;
  OclLinks refused;
} GstGLOpenCLChains;

/* Releases the chains. No command may be in flight. */
void gst_gl_opencl_chains_clear (GstGLOpenCLChains * chains);

/* Makes @flight, whose frame is like @info, use the operations of the last
 * graph if its own are not ready yet or cannot be built. Then a warning says
 * why, once. Sets the chain of @flight if there is one. */
void gst_gl_opencl_chains_settle (GstGLOpenCLChains * chains,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info);

/* Forgets what does not count for frames of @format, before the first of
 * them: what was refused, and operations that cannot compute them. */
void gst_gl_opencl_chains_set_format (GstGLOpenCLChains * chains,
    const OclFormat * format);

/* Returns the graph for @flight, whose frame is like @info, and sets the chain
 * of @flight. */
OclGraph *gst_gl_opencl_chains_get_graph (GstGLOpenCLChains * chains,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info,
    GError ** error);

G_END_DECLS
