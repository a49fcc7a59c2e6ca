/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Remembers which arguments of a kernel are images from GL, so that a launch
 * can be checked against the rules.  Any thread.
 */

#ifndef GLOPENCL_LAYER_KERNELS_H
#define GLOPENCL_LAYER_KERNELS_H

#include <CL/cl.h>

/* The driver has accepted the argument, as given to clSetKernelArg. */
void layer_kernels_set_argument (cl_kernel kernel, cl_uint index, size_t size,
    const void *value);

/* Reports @function, which launches @kernel, for each argument that is an image
 * from GL and not acquired, or freed. */
void layer_kernels_check_launch (cl_kernel kernel, const char *function);

/* The application's last reference to the image, or the kernel, is going. */
void layer_kernels_image_freed (cl_mem image);
void layer_kernels_forget (cl_kernel kernel);

#endif /* GLOPENCL_LAYER_KERNELS_H */
