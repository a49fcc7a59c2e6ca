/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's kernel as C, with doubles in place of floats: the text that a driver
 * compiles is compiled by the compiler of the tests, see language.h. */

#pragma once

/**
 * ReferenceKernelPlanes:
 * @width: columns of samples
 * @height: rows of samples
 * @get: returns component @channel, 3 for alpha, at @x, @y of the frame that is
 *    @age frames before; all in [0, 1], at any coordinate
 * @get_luma: returns the luma that belongs to a sample
 * @data: what both functions get
 */
typedef struct
{
  int width;
  int height;
  double (*get) (const void *data, int age, int channel, int x, int y);
  double (*get_luma) (const void *data, int x, int y);
  const void *data;
} ReferenceKernelPlanes;

/**
 * ReferenceKernelPoint:
 * @planes: where pixels are
 * @x: the column
 * @y: the row
 * @channel: the only channel that is read, or -1 for red, green, blue and alpha
 * @values: the values of the arguments
 */
typedef struct
{
  const ReferenceKernelPlanes *planes;
  int x;
  int y;
  int channel;
  const float *values;
} ReferenceKernelPoint;

/* Sets @out to red, green, blue and alpha of the result. */
typedef void (*ReferenceKernel) (const ReferenceKernelPoint * point,
    double out[4]);

/* Returns the kernel of kernels/examples/@name, without ".cl", or NULL. */
ReferenceKernel reference_kernel_find (const char *name);
