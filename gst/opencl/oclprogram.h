/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels, what they are built for, and how they are enqueued. */

#pragma once

#include "oclpass.h"
#include "oclprograms.h"
#include "ocltuning.h"

G_BEGIN_DECLS

/**
 * OclBuild:
 * @format: of the frames; NULL where kernels work on none
 * @storage: of the frames
 * @pass: what is done to them at a time
 * @form: which of the variant's programs, see OclVariant
 * @tunables: macros that may vary, or NULL
 * @tuning: their values
 * @programs: gets a reference to each program that kernels are made of; NULL
 *    where nobody else is to use them
 *
 * What kernels are built for.
 */
typedef struct
{
  const OclFormat *format;
  OclStorage storage;
  OclPass pass;
  guint form;
  const OclTunable *tunables;
  OclTuning tuning;
  GPtrArray *programs;
} OclBuild;

/* Sets @kernels to those of these @names in the program @source_name, built
 * for @build with @further_options, see ocl_program_get(). The caller owns
 * them, those of a failure too; only one thread at a time may set the arguments
 * of a kernel. Any thread; may take a second. */
gboolean ocl_program_build_kernels (OclContext * context,
    const gchar * source_name, const OclBuild * build,
    const gchar * further_options, const gchar * const *names,
    cl_kernel * kernels, guint n_kernels, GError ** error);

/* The same for one; NULL with @error. */
cl_kernel ocl_program_build_kernel (OclContext * context,
    const gchar * source_name, const OclBuild * build,
    const gchar * further_options, const gchar * name, GError ** error);

/* Sets @size to the work-items that a group of @kernel can have, at most
 * @limit, which is a power of 2, and so is @size. Any thread. */
gboolean ocl_kernel_get_group_size (OclContext * context, cl_kernel kernel,
    gsize limit, gsize * size, GError ** error);

/* Whether groups of each of @n @kernels may have @size work-items, and the local
 * memory that they need; OCL_ERROR_NOT_SUPPORTED where not. Any thread. */
gboolean ocl_kernels_check_group (OclContext * context,
    const cl_kernel * kernels, guint n, gsize size, GError ** error);

/* As ocl_kernel_get_group_size() for groups that are squares, of which this is
 * a side. */
gboolean ocl_kernel_get_group_side (OclContext * context, cl_kernel kernel,
    gsize limit, gsize * side, GError ** error);

#define OCL_MAX_ARGUMENTS 32

/**
 * OclArguments:
 * @n: how many there are
 * @sizes: of each
 * @values: where each is
 * @luma_width: one of the values, where a pass is guided
 * @luma_height: another
 *
 * The arguments of a kernel in their order; start with a zeroed struct. Values
 * have to stay where they are until they are set.
 */
typedef struct
{
  guint n;
  size_t sizes[OCL_MAX_ARGUMENTS];
  gconstpointer values[OCL_MAX_ARGUMENTS];
  cl_int luma_width;
  cl_int luma_height;
} OclArguments;

void ocl_arguments_add (OclArguments * arguments, size_t size,
    gconstpointer value);

/* Adds a variable. */
#define OCL_ARGUMENTS_ADD(arguments, variable) \
    ocl_arguments_add (arguments, sizeof (variable), &(variable))

/* Adds what kernels get of the planes of @frame that @pass has: the memory of
 * each and, but for 2D images, its offset and stride as an int2. */
void ocl_arguments_add_planes (OclArguments * arguments,
    const OclFrame * frame, const OclPass * pass);

/* The same and, where @pass is guided, the plane of the luma, and how many
 * samples of it are across and down. */
void ocl_arguments_add_input (OclArguments * arguments,
    const OclFrame * frame, const OclPass * pass);

/* Sets all. The thread that owns @kernel. */
gboolean ocl_kernel_set_arguments (cl_kernel kernel,
    const OclArguments * arguments, GError ** error);

/* Enqueues @kernel over at least @width x @height work-items, from row @y on,
 * in groups of @group_width x @group_height; the kernel ignores those beyond.
 * The thread that owns @kernel; does not wait. */
gboolean ocl_kernel_enqueue (OclContext * context, cl_kernel kernel, gsize y,
    gsize width, gsize height, gsize group_width, gsize group_height,
    cl_event * event, GError ** error);

G_END_DECLS
