/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Variants of a user's kernel, see ocluser.h, and functions shared by their
 * tables. */

#pragma once

#include "ocluserparams.h"
#include "oclusersource.h"
#include "operation/oclkernels.h"

G_BEGIN_DECLS

extern const OclVariant ocl_user_plain;
extern const OclVariant ocl_user_rows;
extern const OclVariant ocl_user_tiled;

/* The functions below may be called from any thread. */

/* Returns the source of a run, or of a build. */
const OclUserSource *ocl_user_get_source (gconstpointer params);
const OclUserSource *ocl_user_get_built (const OclBuild * build);

/* A member of OclVariant. */
const OclInsert *ocl_user_get_insert (const OclBuild * build);

/* Returns the maximum number of taps of a sample of @run. */
gint ocl_user_get_n_taps (const OclRun * run);

/* Returns the frame @age frames before the input of @run, or the earliest
 * available frame. @age is at least 1. */
const OclFrame *ocl_user_get_earlier (const OclRun * run, guint age);

/* Return the colour and the luma of the constant border, in levels. */
cl_float4 ocl_user_get_outside (const OclRun * run);
cl_float ocl_user_get_outside_luma (const OclRun * run);

/* Returns the values of the arguments of @run. */
cl_float16 ocl_user_get_values (const OclRun * run);

/* Expands to the arguments of all kernels: frames and their size, the border,
 * and the arguments of the function. @source is the text of @run. */
#define OCL_USER_ARGUMENTS(run, source) OCL_INPUT, \
    OCL_IF ((source)->history > 0, OCL_FRAME (ocl_user_get_earlier (run, 1))), \
    OCL_IF ((source)->history > 1, OCL_FRAME (ocl_user_get_earlier (run, 2))), \
    OCL_IF ((source)->history > 2, OCL_FRAME (ocl_user_get_earlier (run, 3))), \
    OCL_OUTPUT, OCL_INT (ocl_run_get_width (run)), \
    OCL_INT (ocl_run_get_height (run)), \
    OCL_INT (((const OclUserParams *) (run)->params)->border.mode), \
    OCL_FLOAT4 (ocl_user_get_outside (run)), \
    OCL_FLOAT (ocl_user_get_outside_luma (run)), OCL_FLOAT ((run)->time), \
    OCL_INT ((run)->number), OCL_FLOAT16 (ocl_user_get_values (run))

G_END_DECLS
