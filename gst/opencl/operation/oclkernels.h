/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of a variant, built for frames of one kind, with what the variant
 * keeps between frames; and how a kernel is launched.
 *
 * A launch is one statement: which kernel, over how many work-items, and its
 * arguments as values in the order of the kernel's parameters.
 *
 *   return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ROWS, width, height), error,
 *       OCL_INPUT, OCL_OUTPUT, OCL_INT (width), OCL_INT (height));
 *
 * An object is used by one thread at a time: the arguments of a kernel are part
 * of it. */

#pragma once

#include "core/oclprograms.h"
#include "oclvariant.h"

G_BEGIN_DECLS

/* Kernels of one variant, at most. */
#define OCL_MAX_KERNELS 10

/**
 * OclKernels:
 * @variant: the table that this was made from; not owned
 * @context: where the kernels run; owned
 * @build: what the kernels are built for
 * @program: what @kernels are made of; owned. NULL where the variant has none
 *    of its own
 * @kernels: in the order of the names of @variant; owned. NULL where the
 *    program has no such kernel
 * @n_arguments: how many each of them has
 * @group_width: work-items of a group, across, that all of them can have
 * @group_height: the same, down
 * @state: what @variant keeps between frames; owned. NULL where it keeps
 *    nothing
 */
struct _OclKernels
{
  const OclVariant *variant;
  OclContext *context;
  OclBuild build;
  OclProgram *program;
  cl_kernel kernels[OCL_MAX_KERNELS];
  cl_uint n_arguments[OCL_MAX_KERNELS];
  gsize group_width;
  gsize group_height;
  gpointer state;
};

/* Builds the kernels of @variant for @build, which is copied; @variant, and the
 * format that @build points to, have to outlive the object. Keeps a reference
 * to @context. May take seconds. NULL with OCL_ERROR_NOT_SUPPORTED where the
 * device cannot run them, with OCL_ERROR_BUILD where its driver cannot build
 * them, or with OCL_ERROR_FAILED. Any thread. */
OclKernels *ocl_kernels_new (OclContext * context, const OclVariant * variant,
    const OclBuild * build, GError ** error);

/* No command may be in flight. NULL is fine. Any thread. */
void ocl_kernels_free (OclKernels * kernels);

/* What the tunable at that place of the variant's table is. Any thread. */
gint ocl_kernels_get_tuning (const OclKernels * kernels, guint place);

/* Whether groups of kernel @n may have @size work-items, and the local memory
 * that they need; OCL_ERROR_NOT_SUPPORTED where not. Any thread. */
gboolean ocl_kernels_check_group (OclKernels * kernels, guint n, gsize size,
    GError ** error);

/* Enqueues @run with the variant; does not wait, see OclVariant. */
gboolean ocl_kernels_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);

/**
 * OclGrid:
 * @kernel: its place among the names of the variant
 * @width: work-items across, at least one; the kernel ignores those beyond that
 *    fill the last group
 * @height: work-items down, likewise
 * @group_width: work-items of a group across; 0 for those of the object. Others
 *    are for the variant to check, see ocl_kernels_check_group()
 * @group_height: work-items of a group down, where @group_width is not 0
 * @n_taps: taps that a work-item reads, by which long launches are cut: the
 *    kernel then sees an offset down, in get_global_id() and not in
 *    get_group_id(). 0 for a launch that is never long, whose kernel may use
 *    both
 */
typedef struct
{
  guint kernel;
  gsize width;
  gsize height;
  gsize group_width;
  gsize group_height;
  guint64 n_taps;
} OclGrid;

/* A grid of groups as the object has them, in one launch. */
#define OCL_GRID(n, columns, rows) \
    ((OclGrid) {.kernel = (n), .width = (columns), .height = (rows)})

/**
 * OclArgumentKind:
 * @OCL_ARGUMENT_NONE: no argument: for what a kernel may not have
 * @OCL_ARGUMENT_VALUE: the bytes of the value
 * @OCL_ARGUMENT_LOCAL: local memory of that many bytes
 * @OCL_ARGUMENT_INPUT_PLANES: of the frame that the run reads: for each plane
 *    that the pass has its memory and, but for 2D images, its offset and stride
 *    as an int2
 * @OCL_ARGUMENT_INPUT: the same, and where the pass is guided the plane of luma
 *    in the same way, and how many samples of luma are across and down
 * @OCL_ARGUMENT_OUTPUT: the planes of the frame that the run writes
 */
typedef enum
{
  OCL_ARGUMENT_NONE,
  OCL_ARGUMENT_VALUE,
  OCL_ARGUMENT_LOCAL,
  OCL_ARGUMENT_INPUT_PLANES,
  OCL_ARGUMENT_INPUT,
  OCL_ARGUMENT_OUTPUT,
} OclArgumentKind;

/**
 * OclArgument:
 * @kind: what it is
 * @size: of a value or of local memory, in bytes
 * @value: by its type
 *
 * An argument of a kernel, or several; made by the macros below.
 */
typedef struct
{
  OclArgumentKind kind;
  gsize size;
  union
  {
    cl_int integer;
    cl_uint natural;
    cl_float number;
    cl_int2 integer2;
    cl_int4 integer4;
    cl_float4 number4;
    cl_mem memory;
  } value;
} OclArgument;

#define OCL_ARGUMENT(type, member, what) \
    ((OclArgument) {OCL_ARGUMENT_VALUE, sizeof (type), {.member = (what)}})
#define OCL_INT(what) OCL_ARGUMENT (cl_int, integer, what)
#define OCL_UINT(what) OCL_ARGUMENT (cl_uint, natural, what)
#define OCL_FLOAT(what) OCL_ARGUMENT (cl_float, number, what)
#define OCL_INT2(what) OCL_ARGUMENT (cl_int2, integer2, what)
#define OCL_INT4(what) OCL_ARGUMENT (cl_int4, integer4, what)
#define OCL_FLOAT4(what) OCL_ARGUMENT (cl_float4, number4, what)
#define OCL_MEMORY(what) OCL_ARGUMENT (cl_mem, memory, what)
#define OCL_LOCAL(bytes) \
    ((OclArgument) {OCL_ARGUMENT_LOCAL, (bytes), {.integer = 0}})
#define OCL_OF_KIND(kind) ((OclArgument) {kind, 0, {.integer = 0}})
#define OCL_NONE OCL_OF_KIND (OCL_ARGUMENT_NONE)
#define OCL_INPUT OCL_OF_KIND (OCL_ARGUMENT_INPUT)
#define OCL_INPUT_PLANES OCL_OF_KIND (OCL_ARGUMENT_INPUT_PLANES)
#define OCL_OUTPUT OCL_OF_KIND (OCL_ARGUMENT_OUTPUT)

/* One of the above that a kernel has only on that condition. Not for macros
 * that are several arguments. */
#define OCL_IF(condition, argument) ((condition) ? argument : OCL_NONE)

/* Sets the @n @arguments of a kernel, which have to be all that it has, and
 * enqueues it over @grid, in as many launches as the device takes without being
 * thought stuck; the timer of @run gets their events. Does not wait. */
gboolean ocl_kernels_launch (OclKernels * kernels, const OclRun * run,
    const OclGrid * grid, const OclArgument * arguments, guint n,
    GError ** error);

/* The same in one statement. */
#define OCL_LAUNCH(kernels, run, grid, error, ...) \
    ocl_kernels_launch (kernels, run, &(grid), \
        (const OclArgument[]) {__VA_ARGS__}, \
        sizeof ((const OclArgument[]) {__VA_ARGS__}) / sizeof (OclArgument), \
        error)

G_END_DECLS
