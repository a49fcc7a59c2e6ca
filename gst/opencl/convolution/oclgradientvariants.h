/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The variants of the gradient, see oclgradient.h. */

#pragma once

#include "oclgradient.h"

G_BEGIN_DECLS

extern const OclVariant ocl_gradient_plain;
extern const OclVariant ocl_gradient_rows;
extern const OclVariant ocl_gradient_tiled;

/* The kernels of variants that have one for each channel by itself, and one for
 * the luma of red, green and blue. */
enum
{
  OCL_GRADIENT_KERNEL_EACH,
  OCL_GRADIENT_KERNEL_LUMA,
  OCL_GRADIENT_N_KERNELS,
};

extern const gchar *const ocl_gradient_kernel_names[OCL_GRADIENT_N_KERNELS];

/**
 * OclGradientNumbers:
 * @width: samples of the pass
 * @height: the same, down
 * @step_x: samples from the middle to the taps
 * @step_y: the same, down
 * @output: an OclGradientOutput
 * @luma: whether that of red, green and blue is derived, a hundred times
 * @unit: takes the response of the coefficients to [0, 1], scaled
 * @border: an OclBorderMode
 * @outside: levels of the constant border
 *
 * What the kernels get.
 */
typedef struct
{
  cl_int width;
  cl_int height;
  cl_int step_x;
  cl_int step_y;
  cl_int output;
  cl_int luma;
  cl_float unit;
  cl_int border;
  cl_float4 outside;
} OclGradientNumbers;

/* Any thread. */
void ocl_gradient_get_numbers (const OclRun * run,
    OclGradientNumbers * numbers);

G_END_DECLS
