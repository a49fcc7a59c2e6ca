/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The programs of a context. Compiling takes longer than many frames, so a
 * program with a given source and given options is built once and shared by all
 * users.
 *
 * All functions may be called from any thread. */

#pragma once

#include "ocldevice.h"
#include "oclformat.h"

G_BEGIN_DECLS

/**
 * OclKernelSource:
 * @name: file name in kernels/, such as "bilateral.cl"
 * @text: source of the file, with its includes expanded in place
 */
typedef struct
{
  const gchar *name;
  const gchar *text;
} OclKernelSource;

/* The array ends with an entry whose name is NULL. It is generated at build
 * time. */
extern const OclKernelSource ocl_kernel_sources[];

/* Returns the source of the file @name, one of ocl_kernel_sources. */
const gchar *ocl_kernel_source_find (const gchar * name);

/* Returns the time limit for the build of a program with an inserted text, in
 * seconds: 60, unless the environment variable GLOPENCL_BUILD_SECONDS has
 * another number. */
guint ocl_program_get_limit (void);

/* A built program, reference-counted. The owner of a reference to a program
 * also has a reference to its context. */
typedef struct _OclProgram OclProgram;

typedef struct _OclPrograms OclPrograms;

/* Creates the programs of @context on @device. @context and @device must
 * outlive the programs. */
OclPrograms *ocl_programs_new (cl_context context, const OclDevice * device);

/* Frees @programs. No program may be in use. */
void ocl_programs_free (OclPrograms * programs);

/* Announces that ocl_program_get() is going to be called with @source_name and
 * @options, after other programs that were announced before, so that all of
 * them are compiled at the same time, see oclcompiler.h. @checksum is that of
 * the source, see ocl_database_get_checksum(). Its kernels run in @pass, see
 * ocl_compiler_announce(). Programs that are in use are not compiled. */
void ocl_programs_announce (OclPrograms * programs, const gchar * source_name,
    const gchar * checksum, const gchar * options, const gchar * pass);

/* Builds announced programs that are not built yet, if other processes may run
 * their kernels meanwhile. Keeps the programs until ocl_programs_withdraw() is
 * called. */
void ocl_programs_prepare (OclPrograms * programs);

/* Must be called after the kernels of announced programs have run. Drops the
 * announcements of all users for which ocl_program_get() was not called. */
void ocl_programs_withdraw (OclPrograms * programs);

/* Returns the program of @source_name, one of ocl_kernel_sources, with @options
 * and @insert, which may be NULL. If the program is in use already, it is
 * shared, otherwise it is built. This may take a second, also if another thread
 * is building the program. The caller owns a reference.
 *
 * Returns NULL with OCL_ERROR_BUILD or, if the program builds without the
 * inserted text, OCL_ERROR_KERNEL (the further lines of the message have the
 * build log), or with OCL_ERROR_FAILED. If the build of a program with an
 * inserted text exceeds ocl_program_get_limit(), fails with OCL_ERROR_KERNEL,
 * and a thread continues the build, because OpenCL cannot interrupt it. Until
 * it ends, all programs that are not built yet fail in the same way. */
OclProgram *ocl_program_get (OclPrograms * programs,
    const gchar * source_name, const gchar * options,
    const OclInsert * insert, GError ** error);

/* Must be called before kernels of the program first run. Waits while another
 * process runs them, see ocl_compiler_begin_pass(). */
void ocl_program_begin_pass (OclProgram * program);

/* Releases a reference. Kernels that were created from the program stay
 * valid. */
void ocl_program_unref (OclProgram * program);

/* Returns the kernel @name of the program, or NULL with OCL_ERROR_FAILED. The
 * caller owns the kernel. */
cl_kernel ocl_program_create_kernel (OclProgram * program, const gchar * name,
    GError ** error);

/* Returns the first error of @log in the text called @name, as
 * NAME:LINE:COLUMN: MESSAGE, with the line counted in the text. The text has
 * @n_lines lines, from line @first_line of the program on, counted from 1. Some
 * drivers follow line directives, and name the text. Others, such as NVIDIA's,
 * name the line of the program. Returns NULL if there is no such error. If a
 * vector of 16 pixels is used as one number, suggests a replacement. The caller
 * frees the text. */
gchar *ocl_build_log_find (const gchar * log, const gchar * name,
    guint first_line, guint n_lines);

G_END_DECLS
