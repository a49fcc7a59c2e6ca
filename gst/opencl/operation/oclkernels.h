/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* OclKernels holds the kernels of a variant, built for frames of one kind, and
 * the state of the variant. It also launches the kernels.
 *
 * A launch is one statement. It names the kernel, the number of work-items, and
 * the arguments as values, in the order of the kernel's parameters.
 *
 *   return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ROWS, width, height), error,
 *       OCL_INPUT, OCL_OUTPUT, OCL_INT (width), OCL_INT (height));
 *
 * An object is used by one thread at a time, because a kernel stores its
 * arguments. */

#pragma once

#include "ocloperationclass.h"

G_BEGIN_DECLS

/* Maximum number of kernels of a variant. */
#define OCL_MAX_KERNELS 16

/**
 * OclKernels:
 * @n_references: number of owners (atomic)
 * @variant: the variant of the object (not owned)
 * @context: the context in which the kernels run (owned)
 * @build: the frames, the specialization and the tuning that the kernels are
 *    built for
 * @program: the program of @kernels (owned). NULL if the variant has no program
 * @shared_program: the program of the variant's shared_source (owned), or NULL
 * @kernels: the kernels in the order of the names of @variant (owned). An entry
 *    is NULL if the program has no such kernel
 * @n_arguments: the number of arguments of each kernel
 * @group_width: width of a work-group that all kernels support, in work-items
 * @group_height: height of a work-group that all kernels support, in work-items
 * @state: the state of @variant that is kept between frames (owned). NULL if
 *    there is none
 */
struct _OclKernels
{
  gint n_references;
  const OclVariant *variant;
  OclContext *context;
  OclBuild build;
  OclProgram *program;
  OclProgram *shared_program;
  cl_kernel kernels[OCL_MAX_KERNELS];
  cl_uint n_arguments[OCL_MAX_KERNELS];
  gsize group_width;
  gsize group_height;
  gpointer state;
};

/* Builds the kernels of @variant for @build, which is copied. @variant and the
 * format of @build must outlive the object. Keeps a reference to @context. May
 * take seconds. Returns NULL with OCL_ERROR_NOT_SUPPORTED if the device cannot
 * run the kernels, with OCL_ERROR_BUILD if its driver cannot build them, or
 * with OCL_ERROR_FAILED. May be called from any thread. */
OclKernels *ocl_kernels_new (OclContext * context, const OclVariant * variant,
    const OclBuild * build, GError ** error);

/* Announces the programs of the kernels that are built for @build and run in
 * @pass, see ocl_programs_announce(). Programs with a text of the user are left
 * out. May be called from any thread. */
void ocl_kernels_announce (OclContext * context, const OclVariant * variant,
    const OclBuild * build, const gchar * pass);

/* Adds an owner. May be called from any thread. */
OclKernels *ocl_kernels_ref (OclKernels * kernels);

/* Removes an owner. The last owner frees the object. Commands may be in flight.
 * @kernels may be NULL. May be called from any thread. */
void ocl_kernels_unref (OclKernels * kernels);

/* Returns whether there is one owner. */
gboolean ocl_kernels_has_one_owner (const OclKernels * kernels);

/* Returns the value of the tunable at index @place of the variant's table. May
 * be called from any thread. */
gint ocl_kernels_get_tuning (const OclKernels * kernels, guint place);

/* Returns whether the kernels process one plane at a time: if the variant has
 * OCL_VARIANT_BY_PLANE, each channel of the pass has a separate plane, and
 * there is no fused function. May be called from any thread. */
gboolean ocl_kernels_is_by_plane (const OclKernels * kernels);

/* Returns the number of work-items of a group in kernels that look through
 * counts, which is COUNT_GROUP there. It is 1 if @device is only a CPU, because
 * its compilers take long for barriers. May be called from any thread. */
guint ocl_kernels_get_count_group (const OclDevice * device);

/* An OclVariant.get_shared_options() that sets COUNT_GROUP. */
gchar *ocl_kernels_get_count_options (const OclBuild * build,
    const OclDevice * device);

/* Returns whether work-groups of kernel @n can have @width x @height work-items
 * and the local memory of the kernel, or FALSE with OCL_ERROR_NOT_SUPPORTED.
 * May be called from any thread. */
gboolean ocl_kernels_check_group (OclKernels * kernels, guint n, gsize width,
    gsize height, GError ** error);

/* Calls the variant to enqueue @run. Does not wait, see OclVariant. */
gboolean ocl_kernels_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);

/**
 * OclGrid:
 * @kernel: the index of the kernel among the names of the variant
 * @width: the number of work-items across, at least one. The last group may be
 *    padded with more work-items, which the kernel ignores
 * @height: the number of work-items down, padded like @width
 * @group_width: width of a work-group, in work-items. 0 selects the group size
 *    of the object. The variant must check any other size, see
 *    ocl_kernels_check_group()
 * @group_height: height of a work-group, in work-items, if @group_width is not
 *    0
 * @n_taps: the number of taps that a work-item reads, by which long launches
 *    are split. The vertical offset is then in get_global_id() but not in
 *    get_group_id(). 0 is for a launch that is never long, whose kernel may use
 *    both functions
 * @exact: whether the grid is not padded, for a kernel that would not ignore
 *    more work-items. The driver chooses the groups, and @n_taps is 0
 */
typedef struct
{
  guint kernel;
  gsize width;
  gsize height;
  gsize group_width;
  gsize group_height;
  guint64 n_taps;
  gboolean exact;
} OclGrid;

/* Expands to a grid with the group size of the object, in one launch. */
#define OCL_GRID(n, columns, rows) \
    ((OclGrid) {.kernel = (n), .width = (columns), .height = (rows)})

/* Expands to a grid of groups that look through counts, see
 * ocl_kernels_get_count_group(): so many across and so many down. */
#define OCL_COUNT_GRID(kernels, n, columns, rows) \
    ((OclGrid) {.kernel = (n), .width = (gsize) (columns) \
        * ocl_kernels_get_count_group ((kernels)->context->device), \
    .height = (rows), .group_width = \
        ocl_kernels_get_count_group ((kernels)->context->device), \
    .group_height = 1})

/**
 * OclArgumentKind:
 * @OCL_ARGUMENT_NONE: no argument, for a parameter that the kernel does not
 *    have
 * @OCL_ARGUMENT_VALUE: the bytes of the value
 * @OCL_ARGUMENT_LOCAL: local memory of the argument's size
 * @OCL_ARGUMENT_INPUT_PLANES: the planes of the frame that the run reads. Each
 *    plane of the pass is passed as its memory and, unless it is a 2D image,
 *    its offset and stride as an int2
 * @OCL_ARGUMENT_INPUT: like OCL_ARGUMENT_INPUT_PLANES. If the pass is guided,
 *    followed by the plane of luma in the same form, and the width and the
 *    height of luma in samples
 * @OCL_ARGUMENT_FRAME: the planes of another frame of the same format, like
 *    OCL_ARGUMENT_INPUT_PLANES
 * @OCL_ARGUMENT_OUTPUT: the planes of the frame that the run writes
 */
typedef enum
{
  OCL_ARGUMENT_NONE,
  OCL_ARGUMENT_VALUE,
  OCL_ARGUMENT_LOCAL,
  OCL_ARGUMENT_INPUT_PLANES,
  OCL_ARGUMENT_INPUT,
  OCL_ARGUMENT_FRAME,
  OCL_ARGUMENT_OUTPUT,
} OclArgumentKind;

/**
 * OclArgument:
 * @kind: the kind of the argument
 * @size: the size of the value or of the local memory, in bytes
 * @value: the value, in the member for its type
 *
 * One argument of a kernel, or several. Created by the macros below.
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
    cl_int8 integer8;
    cl_float4 number4;
    cl_float16 number16;
    cl_mem memory;
    const OclFrame *frame;
  } value;
} OclArgument;

#define OCL_ARGUMENT(type, member, what) \
    ((OclArgument) {OCL_ARGUMENT_VALUE, sizeof (type), {.member = (what)}})
#define OCL_INT(what) OCL_ARGUMENT (cl_int, integer, what)
#define OCL_UINT(what) OCL_ARGUMENT (cl_uint, natural, what)
#define OCL_FLOAT(what) OCL_ARGUMENT (cl_float, number, what)
#define OCL_INT2(what) OCL_ARGUMENT (cl_int2, integer2, what)
#define OCL_INT4(what) OCL_ARGUMENT (cl_int4, integer4, what)
#define OCL_INT8(what) OCL_ARGUMENT (cl_int8, integer8, what)
#define OCL_FLOAT4(what) OCL_ARGUMENT (cl_float4, number4, what)
#define OCL_FLOAT16(what) OCL_ARGUMENT (cl_float16, number16, what)
#define OCL_FRAME(what) ((OclArgument) {OCL_ARGUMENT_FRAME, 0, \
    {.frame = (what)}})
#define OCL_MEMORY(what) OCL_ARGUMENT (cl_mem, memory, what)
#define OCL_LOCAL(bytes) \
    ((OclArgument) {OCL_ARGUMENT_LOCAL, (bytes), {.integer = 0}})
#define OCL_OF_KIND(kind) ((OclArgument) {kind, 0, {.integer = 0}})
#define OCL_NONE OCL_OF_KIND (OCL_ARGUMENT_NONE)
#define OCL_INPUT OCL_OF_KIND (OCL_ARGUMENT_INPUT)
#define OCL_INPUT_PLANES OCL_OF_KIND (OCL_ARGUMENT_INPUT_PLANES)
#define OCL_OUTPUT OCL_OF_KIND (OCL_ARGUMENT_OUTPUT)

/* Passes @argument if @condition is true, for a parameter that the kernel has
 * only then. @argument must not be a macro that expands to several
 * arguments. */
#define OCL_IF(condition, argument) ((condition) ? argument : OCL_NONE)

/* Sets the @n @arguments of a kernel, which must be all arguments, and enqueues
 * it over @grid. Splits the grid into several launches if the device could
 * otherwise be considered hung. Adds the events of the launches to the timer of
 * @run. Does not wait. */
gboolean ocl_kernels_launch (OclKernels * kernels, const OclRun * run,
    const OclGrid * grid, const OclArgument * arguments, guint n,
    GError ** error);

/* Calls ocl_kernels_launch() with a list of arguments, in one statement. */
#define OCL_LAUNCH(kernels, run, grid, error, ...) \
    ocl_kernels_launch (kernels, run, &(grid), \
        (const OclArgument[]) {__VA_ARGS__}, \
        sizeof ((const OclArgument[]) {__VA_ARGS__}) / sizeof (OclArgument), \
        error)

/**
 * OclSlicesNeeds:
 * @width: the width of the frame, or of a plane of it, in samples
 * @height: the height of the frame, or of a plane of it, in samples
 * @reach_x: samples that are read left and right of the frame
 * @reach_y: samples that are read above and below a slice
 * @n_planes: planes of a row that a slice keeps
 * @n_rows: rows that a slice keeps
 * @n_words: words of 4 bytes that a slice keeps after its rows
 */
typedef struct
{
  gint width;
  gint height;
  gint reach_x;
  gint reach_y;
  gint n_planes;
  gint n_rows;
  gint n_words;
} OclSlicesNeeds;

/**
 * OclSlices:
 * @pad: floats of a row before the frame's first column
 * @pitch: floats of a plane of a row
 * @scratch_floats: floats that a slice keeps
 * @height: rows of the frame in each slice. The last slice may have fewer
 * @n: the number of slices
 * @scratch: the memory with the floats of all slices
 *
 * The scratch memory of kernels that process slices of whole rows. A slice is
 * the work of one work-item, see kernels/strips.clh. Start with a zeroed
 * struct and end with ocl_slices_clear(). Use the struct from one thread at a
 * time.
 */
typedef struct
{
  cl_int pad;
  cl_int pitch;
  cl_int scratch_floats;
  cl_int height;
  gsize n;
  OclMemory scratch;
} OclSlices;

/* Splits a frame into slices, a few for each compute unit of the device, and
 * allocates enough scratch memory. Commands that use the present scratch memory
 * may be in flight. */
gboolean ocl_slices_ensure (OclSlices * slices, OclContext * context,
    const OclSlicesNeeds * needs, GError ** error);

/* Releases the scratch memory. Commands that use it may be in flight. */
void ocl_slices_clear (OclSlices * slices);

/* Expands to a grid with a work-item for each slice. */
#define OCL_SLICES_GRID(n_kernel, slices) OCL_GRID (n_kernel, (slices)->n, 1)

/* Expands to the arguments of all kernels for slices after the size of the
 * frame. */
#define OCL_SLICES(slices) OCL_INT ((slices)->height), \
    OCL_MEMORY ((slices)->scratch.memory), \
    OCL_INT ((slices)->scratch_floats), OCL_INT ((slices)->pitch), \
    OCL_INT ((slices)->pad)

G_END_DECLS
