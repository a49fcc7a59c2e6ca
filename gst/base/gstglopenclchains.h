/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The chains of a session. If users change the operations or a text while
 * frames flow, the previous operations stay in use until the new ones are
 * built, or for good if this fails.
 *
 * The functions must be called on the streaming thread. */

#pragma once

#include "frame/gstglopenclflight.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLChains:
 * @element: the element that posts warnings (not owned)
 * @changes: whether operations or texts may change while frames flow
 * @uses_database: whether new chains use the settings of the database
 * @chain: the chain in use, or NULL (owned)
 * @next: the chain to use when it is built, or NULL (owned)
 * @good: the operations of the last graph, if @changes
 * @refused: the operations whose kernels cannot be built
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

/* If the operations of @flight, for a frame of @info, are not built yet or
 * cannot be built, falls back to the operations of the last graph. If they
 * cannot be built, posts one warning with the reason. Sets the chain of @flight
 * if there is one. */
void gst_gl_opencl_chains_settle (GstGLOpenCLChains * chains,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info);

/* Must be called before the first frame of @format. Drops the refused
 * operations, and the last operations if they cannot process @format. */
void gst_gl_opencl_chains_set_format (GstGLOpenCLChains * chains,
    const OclFormat * format);

/* Returns the graph for @flight, whose frame is like @info, and sets the chain
 * of @flight. */
OclGraph *gst_gl_opencl_chains_get_graph (GstGLOpenCLChains * chains,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info,
    GError ** error);

G_END_DECLS
