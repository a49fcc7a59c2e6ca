/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A graph is the list of commands, copies and passes of kernels, that filters
 * frames of one format, size and storage with a list of operations. It is built
 * once for a kind of frames and for the parameters that decide something, and
 * then enqueued for each of these frames, see oclfilter.h. The list may have a
 * single operation.
 *
 * Neutral operations are left out. An operation whose text reads one pixel runs
 * inside the kernels of the operation before it, where possible.
 *
 * Each plane has versions: the input, and the output of each operation that
 * writes the plane. The last version is in the output. An intermediate version
 * has the wide format, see ocl_format_get_wide(), unless the list is exact, if
 * the operations around it support fractions of levels, write the plane as a
 * whole or both in the wide format, and read no other plane of whole levels
 * with it. An operation that does not write a plane keeps the version.
 *
 * ocl_graph_new(), ocl_graph_is_ready() and ocl_graph_compile() must be called
 * by one thread at a time for a cache. All other functions may be called from
 * any thread. */

#pragma once

#include "oclkernelcache.h"
#include "ocloperationlist.h"

G_BEGIN_DECLS

/**
 * OclSlot:
 * @OCL_SLOT_INPUT: the frame to filter
 * @OCL_SLOT_OUTPUT: the frame to write
 * @OCL_SLOT_INPUT_COPY: the input in buffers
 * @OCL_SLOT_OUTPUT_COPY: the output in buffers
 * @OCL_SLOT_BETWEEN: two frames of the graph's format, then two of the wide
 *    format: for each plane, one version is read while the next one is written
 * @OCL_SLOT_HISTORY: the copy of the input of an operation, by the place of the
 *    operation
 *
 * Frames whose planes the nodes of a graph read and write.
 */
typedef enum
{
  OCL_SLOT_INPUT,
  OCL_SLOT_OUTPUT,
  OCL_SLOT_INPUT_COPY,
  OCL_SLOT_OUTPUT_COPY,
  OCL_SLOT_BETWEEN,
  OCL_SLOT_HISTORY = OCL_SLOT_BETWEEN + 4,
  OCL_N_SLOTS = OCL_SLOT_HISTORY + OCL_MAX_OPERATIONS,
} OclSlot;

/**
 * OclNode:
 * @place: the place of the operation in the list
 * @klass: the operation of a pass, or of a result. NULL for a copy, which is
 *    added to the history of the operation if @output is there
 * @planes: bits of the planes to copy
 * @format: the format of the frames that are read, as passed to kernels
 * @output_format: the format of the frames that are written
 * @input: the slot of each plane that is read
 * @output: the slot of each plane that is written
 * @need: the number of the result among the needs of the operation, or -1
 * @fused: the place of the operation that runs inside the kernels, or -1
 * @picture: 0 for the whole frame, 1 and 2 for its fields
 * @pass: the channels that are computed
 * @kernels: the kernels that compute the pass (owned), or NULL for a copy
 * @derived: the data derived from the parameters, see OclOperationClass
 *    (owned), or NULL
 * @is_stored: whether @kernels use settings of the database
 */
typedef struct
{
  guint place;
  const OclOperationClass *klass;
  guint planes;
  const OclFormat *format;
  const OclFormat *output_format;
  guint8 input[OCL_MAX_PLANES];
  guint8 output[OCL_MAX_PLANES];
  gint need;
  gint fused;
  guint picture;
  OclPass pass;
  OclKernels *kernels;
  gpointer derived;
  gboolean is_stored;
} OclNode;

/**
 * OclGraph:
 * @info: the kind of the frames
 * @operations: the operations, with the parameters that the graph was built for
 *    (owned copy)
 * @active: whether each operation is run by separate nodes
 * @fused: whether each operation runs inside the kernels of another one
 * @keeps: whether each operation keeps copies of its frames
 * @needs: bits of the results that each operation needs
 * @need_params: the parameters of these results
 * @copied: whether images are copied to buffers and back
 * @temps: the kind of the frame in each slot with memory of the filter, without
 *    a format if the graph does not use the slot
 * @nodes: the nodes, in the order in which they are enqueued
 * @n_nodes: the number of @nodes
 * @generation: the generation of the kernel cache when the graph was built.
 *    Protected like the filter that built it
 *
 * A graph is reference-counted and immutable, except @generation. It keeps its
 * kernels.
 */
typedef struct
{
  OclFrameInfo info;
  OclOperationList operations;
  gboolean active[OCL_MAX_OPERATIONS];
  gboolean fused[OCL_MAX_OPERATIONS];
  gboolean keeps[OCL_MAX_OPERATIONS];
  guint needs[OCL_MAX_OPERATIONS];
  OclNeedParams need_params[OCL_MAX_OPERATIONS][OCL_MAX_NEEDS];
  gboolean copied;
  OclFrameInfo temps[OCL_SLOT_HISTORY];
  OclNode *nodes;
  guint n_nodes;
  guint generation;
} OclGraph;

/**
 * OclGraphRequest:
 * @context: the device
 * @cache: the kernels
 * @forced: for each operation, the variant that it must use, or NULL
 * @tunings: the settings of each forced variant
 * @unfusable: for each operation, the text that is known not to run inside the
 *    kernels of another operation, or NULL. Set while a graph is built (owned)
 * @quick: see OclKernelRequest
 *
 * Settings of a filter, which all its graphs have in common.
 */
typedef struct
{
  OclContext *context;
  OclKernelCache *cache;
  const OclVariant *forced[OCL_MAX_OPERATIONS];
  OclTuning tunings[OCL_MAX_OPERATIONS];
  OclLiteral *unfusable[OCL_MAX_OPERATIONS];
  gboolean quick;
} OclGraphRequest;

/* Builds a graph for frames of the kind @info. May block while kernels are
 * compiled, see ocl_kernel_cache_get(). Returns NULL with OCL_ERROR_BUILD or
 * OCL_ERROR_KERNEL, with OCL_ERROR_FAILED or, for a forced variant, with
 * OCL_ERROR_NOT_SUPPORTED. */
OclGraph *ocl_graph_new (OclGraphRequest * request, const OclFrameInfo * info,
    const OclOperationList * operations, GError ** error);

/* Returns whether ocl_graph_new() would not compile anything. Otherwise
 * requests the missing kernels. In any case announces their programs, see
 * ocl_kernel_cache_is_ready(). Passes have names, unless an operation has a
 * text: the members below in this order, with blanks in between:
 *
 * - the number of the node
 * - of @request: quick
 * - of @operations: exact
 * - of @info: the name of the format, storage, width, height, kr, kb and
 *   full_range of the colorimetry, interlaced, lacks_row, bytes_swapped
 * - the text of @operations, see ocl_operation_list_print() */
gboolean ocl_graph_is_ready (OclGraphRequest * request,
    const OclFrameInfo * info, const OclOperationList * operations);

/* Compiles the kernels of the node number @node of the graph that
 * ocl_graph_new() would build. Returns FALSE with its errors. */
gboolean ocl_graph_compile (OclGraphRequest * request,
    const OclFrameInfo * info, const OclOperationList * operations, guint node,
    GError ** error);

OclGraph *ocl_graph_ref (OclGraph * graph);
void ocl_graph_unref (OclGraph * graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclGraph, ocl_graph_unref)

/* Replaces the graph in @*graph, which may be NULL, by a reference to
 * @other. */
void ocl_graph_set (OclGraph ** graph, OclGraph * other);

/* Returns whether the graph is for frames like @info, in either byte order if
 * ocl_graph_takes() allows both. */
gboolean ocl_graph_is_for (const OclGraph * graph, const OclFrameInfo * info);

/* Returns whether the graph is for the parameters of @operations. */
gboolean ocl_graph_has_params (const OclGraph * graph,
    const OclOperationList * operations);

/* Returns whether frames whose byte order is @bytes_swapped can use @graph, if
 * they do not differ from the graph's frame otherwise. Images that are not
 * copied are read alike in both byte orders. */
gboolean ocl_graph_takes (const OclGraph * graph, gboolean bytes_swapped);

/* Returns whether @a and @b enqueue the same kernels in the same way. */
gboolean ocl_graph_equals (const OclGraph * a, const OclGraph * b);

/* Returns whether the kernels of the operation at @place use settings of the
 * database. */
gboolean ocl_graph_is_tuned (const OclGraph * graph, guint place);

/* Returns the variant of the first pass of the operation at @place, or its
 * plain variant if it has no pass. */
const OclVariant *ocl_graph_get_variant (const OclGraph * graph, guint place);

G_END_DECLS
