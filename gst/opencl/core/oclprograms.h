/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The programs of a context. A compiler takes longer than many frames: what has
 * the same source and the same options is built once, for all who use it.
 *
 * All functions: any thread. */

#pragma once

#include "ocldevice.h"

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

/* A program that is built; reference-counted. Who has a reference to it has one
 * to its context, too. */
typedef struct _OclProgram OclProgram;

typedef struct _OclPrograms OclPrograms;

/* The programs of @context on @device, which both have to outlive them. */
OclPrograms *ocl_programs_new (cl_context context, const OclDevice * device);

/* No program is in use. */
void ocl_programs_free (OclPrograms * programs);

/* The program of @source_name, one of ocl_kernel_sources, with @options: the
 * one that somebody uses, or one that is built. May take a second, also where
 * another thread is building it. The caller owns a reference. NULL with
 * OCL_ERROR_BUILD (the build log is in the message's further lines) or
 * OCL_ERROR_FAILED. */
OclProgram *ocl_program_get (OclPrograms * programs,
    const gchar * source_name, const gchar * options, GError ** error);

/* Kernels that were made of it keep what they need of it. */
void ocl_program_unref (OclProgram * program);

/* A kernel of that name, which the caller owns; NULL with OCL_ERROR_FAILED. */
cl_kernel ocl_program_create_kernel (OclProgram * program, const gchar * name,
    GError ** error);

G_END_DECLS
