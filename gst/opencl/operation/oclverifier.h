/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares a variant with the plain variant on a small frame of noise, on the
 * device, for programs of untested texts. */

#pragma once

#include "oclkernels.h"
#include "ocloperationclass.h"

G_BEGIN_DECLS

/* Time limit of a program of a text for a small frame, in seconds. */
#define OCL_VERIFY_SECONDS 10

/* Returns whether the results of @kernels, of another variant of @klass than
 * the plain variant, equal the results of the plain variant within a level. A
 * few samples may differ by more, where a filter chooses between nearly equal
 * values. @info has the format and storage that @kernels are built for. Builds
 * the plain variant, and waits for the device. Fails with OCL_ERROR_KERNEL if
 * the results differ. May be called from any thread. */
gboolean ocl_verify (const OclOperationClass * klass, OclKernels * kernels,
    const OclFrameInfo * info, gconstpointer params, GError ** error);

G_END_DECLS
