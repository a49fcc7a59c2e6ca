/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The float64 reference of each operation: what the tests of kernels and of
 * plain C hold them to. */

#pragma once

#include "opencl/bilateral/oclbilateral.h"
#include "opencl/convolution/oclconvolution.h"
#include "opencl/convolution/oclgradient.h"
#include "opencl/convolution/oclsharpen.h"
#include "opencl/pyramid/oclmultiresolution.h"
#include "picture.h"
#include "reference.h"
#include "referenceconvolution.h"
#include "referencegradient.h"
#include "referencemultiresolution.h"
#include "referencesharpen.h"

G_BEGIN_DECLS

/**
 * Reference:
 * @operation: its name
 * @filter: of what reads and writes: sets @levels to three doubles a pixel,
 *    without padding: red, green and blue of the output in levels of 255, not
 *    rounded; alpha stays as it is
 * @find: of what reads and has a result: sets @result to it
 * @draw: of what only writes: changes @picture as @result says
 *
 * Pictures are RGBA. What the operation does not do is NULL.
 */
typedef struct
{
  const gchar *operation;
  void (*filter) (gconstpointer params, const Picture * input,
      gdouble * levels);
  void (*find) (gconstpointer params, const Picture * input, gpointer result);
  void (*draw) (gconstpointer params, gconstpointer result,
      Picture * picture);
} Reference;

/* Of an operation that has none the test fails. */
const Reference *reference_find (const gchar * operation);

ReferenceBilateral get_reference_bilateral (const OclBilateralParams * params);
/* Keeps a pointer to the matrix of @params. */
ReferenceConvolution get_reference_convolution (const OclConvolutionParams *
    params);
ReferenceGradient get_reference_gradient (const OclGradientParams * params);
ReferenceMultiresolution get_reference_multiresolution
    (const OclMultiresolutionParams * params);
ReferenceSharpen get_reference_sharpen (const OclSharpenParams * params);

G_END_DECLS
