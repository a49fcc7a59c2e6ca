/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiles programs in other processes, each of which runs glopencl-compiler.
 * Some drivers compile one program at a time in a process, so that threads gain
 * nothing. The other processes leave their programs in the cache of the driver,
 * from which this process takes them.
 *
 * A list in the user's cache folder names the programs that were compiled
 * before. Programs are announced before they are needed. As soon as a program
 * that is not in the list is needed, this process compiles it, and others
 * compile the announced programs that are not in the list, the last one first.
 * A process gets a program when it is ready, which takes half a second. Until
 * then this process compiles one program after the other. If another process
 * fails to compile a program, this process compiles it. If one ends before it
 * is ready, no others are started for these programs.
 *
 * Drivers for CPUs compile the kernels of a program when these first run. With
 * such a driver, this process compiles all programs before it runs kernels.
 * Another process that has no program to compile runs the kernels of a pass,
 * the last one first, unless this process has begun to, or the pass has a
 * program in common with an earlier one. With two processors, the other process
 * only runs kernels, because PoCL takes half a second for the first program in
 * a process.
 *
 * All functions may be called from any thread. */

#pragma once

#include "ocldevice.h"

G_BEGIN_DECLS

typedef struct _OclCompiler OclCompiler;

/* Creates a compiler for programs on @device. Does not start anything. */
OclCompiler *ocl_compiler_new (const OclDevice * device);

/* Releases @compiler. Processes end after the programs that they compile. */
void ocl_compiler_free (OclCompiler * compiler);

/* Announces a program: the source @source_name, see OclKernelSource, with
 * @options. @checksum is that of the source. Both must outlive the compiler.
 * Its kernels run in @pass, see ocl_graph_is_ready(), or NULL. Programs must be
 * announced in the order in which they are needed. Does nothing if other
 * processes would not help: if the driver is not known to compile one program
 * at a time, if its cache is turned off, on a machine with one processor, or
 * without glopencl-compiler. */
void ocl_compiler_announce (OclCompiler * compiler, const gchar * source_name,
    const gchar * checksum, const gchar * options, const gchar * pass);

/* Must be called after the kernels of the programs of a user ran. Adds built
 * programs to the list, and drops announced programs that are not being
 * compiled, and for which no thread waits, of all users. */
void ocl_compiler_withdraw (OclCompiler * compiler);

/* Takes the last announced program that neither the driver has nor another
 * process compiles, if other processes may run its kernels as soon as it is
 * built. The caller builds it, and frees @options. Returns FALSE if there is
 * none. */
gboolean ocl_compiler_take (OclCompiler * compiler, const gchar ** source_name,
    gchar ** options);

/* Must be called before a program is built. If it was announced, waits while
 * another process compiles it. If the driver does not have it, and it was not
 * taken, also waits while this process compiles another program. Does not wait
 * longer than a minute, and only once. */
void ocl_compiler_begin (OclCompiler * compiler, const gchar * source_name,
    const gchar * options);

/* Must be called after a program was built, or could not be built, in @time
 * microseconds of the thread's processor time. Returns the pass for
 * ocl_compiler_begin_pass(), or NULL. The caller frees it. */
gchar *ocl_compiler_end (OclCompiler * compiler, const gchar * source_name,
    const gchar * options, gboolean ok, gint64 time);

/* Must be called before the kernels of a pass run. Waits like
 * ocl_compiler_begin() while another process runs them. */
void ocl_compiler_begin_pass (OclCompiler * compiler, const gchar * pass);

G_END_DECLS
