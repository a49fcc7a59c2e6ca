/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs built from the kernel sources that are part of the library. */

#pragma once

#include "oclcontext.h"

G_BEGIN_DECLS

/**
 * OclKernelSource:
 * @name: file name in kernels/, such as "bilateral.cl"
 * @text: its source, with the files it includes in place
 */
typedef struct
{
  const gchar *name;
  const gchar *text;
} OclKernelSource;

/* Ended by an entry whose name is NULL. Made at build time. */
extern const OclKernelSource ocl_kernel_sources[];

/* The program @source_name (one of ocl_kernel_sources) built with @options; the
 * caller owns it. NULL with OCL_ERROR_BUILD (the build log is in the message's
 * further lines) or OCL_ERROR_FAILED. Any thread; may take a second. */
cl_program ocl_program_build (OclContext * context, const gchar * source_name,
    const gchar * options, GError ** error);

/* A kernel of @program; the caller owns it, and only one thread at a time may
 * set its arguments. */
cl_kernel ocl_program_create_kernel (cl_program program, const gchar * name,
    GError ** error);

/* The kernel @name of ocl_program_build()'s program, for kernels that are the
 * only one of theirs. */
cl_kernel ocl_program_build_kernel (OclContext * context,
    const gchar * source_name, const gchar * options, const gchar * name,
    GError ** error);

/* Sets @size to the work-items that a group of @kernel can have, at most
 * @limit, which is a power of 2, and so is @size. Any thread. */
gboolean ocl_kernel_get_group_size (OclContext * context, cl_kernel kernel,
    gsize limit, gsize * size, GError ** error);

/* One argument of a kernel. */
typedef struct
{
  size_t size;
  gconstpointer value;
} OclArgument;

#define OCL_ARGUMENT(value) { sizeof (value), &(value) }

/* Sets the arguments from 0 on. The thread that owns @kernel. */
gboolean ocl_kernel_set_arguments (cl_kernel kernel,
    const OclArgument * arguments, guint n_arguments, GError ** error);

/* Enqueues @kernel over at least @width x @height work-items, from row @y on,
 * in groups of @group_width x @group_height; the kernel ignores those beyond.
 * The thread that owns @kernel; does not wait. */
gboolean ocl_kernel_enqueue (OclContext * context, cl_kernel kernel, gsize y,
    gsize width, gsize height, gsize group_width, gsize group_height,
    cl_event * event, GError ** error);

G_END_DECLS
