/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares a variant with the plain variant on a small frame of noise, on the
 * device itself: for programs of texts that nobody has tested. */

#pragma once

#include "oclkernels.h"
#include "ocloperationclass.h"

G_BEGIN_DECLS

/* A program of a text has so many seconds for a small frame. */
#define OCL_VERIFY_SECONDS 10

/* Returns whether @kernels, of a variant of @klass that is not the plain one,
 * compute what the plain variant does, within a level. A few samples may differ
 * by more, where a filter chooses between values that are nearly equal. @info
 * has the format and storage that @kernels are built for. Builds the
 * plain variant, and waits for the device. Fails with OCL_ERROR_KERNEL
 * if the results differ. May be called from any thread. */
gboolean ocl_verify (const OclOperationClass * klass, OclKernels * kernels,
    const OclFrameInfo * info, gconstpointer params, GError ** error);

G_END_DECLS
