/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Remembers which arguments of a kernel are images from GL, so that a launch
 * can be checked against the rules.  Functions may be called from any thread.
 */

#ifndef GLOPENCL_LAYER_KERNELS_H
#define GLOPENCL_LAYER_KERNELS_H

#include <CL/cl.h>

/* Called when the driver has accepted an argument.  The parameters are those of
 * clSetKernelArg. */
void layer_kernels_set_argument (cl_kernel kernel, cl_uint index, size_t size,
    const void *value);

/* Checks a launch of @kernel in groups of size @group, or of any size if it is
 * NULL.  Reports @function for each argument that is an image from GL and is
 * not acquired or has been freed, and for a group that the device cannot
 * have. */
void layer_kernels_check_launch (cl_kernel kernel, cl_uint dimensions,
    const size_t *group, const char *function);

/* Called before the application drops its last reference to an image or a
 * kernel. */
void layer_kernels_image_freed (cl_mem image);
void layer_kernels_forget (cl_kernel kernel);

#endif /* GLOPENCL_LAYER_KERNELS_H */
