/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperations.h"

#include "bilateral/oclbilateral.h"
#include "convolution/oclconvolution.h"
#include "convolution/oclgradient.h"
#include "convolution/oclsharpen.h"
#include "denoise/ocldenoise.h"
#include "histogram/oclhistogram.h"
#include "histogram/oclhistogramoverlay.h"
#include "pyramid/oclmultiresolution.h"
#include "user/ocluser.h"

const OclOperationClass *const ocl_operations[] = {
  &ocl_bilateral_class,
  &ocl_sharpen_class,
  &ocl_gradient_class,
  &ocl_convolution_class,
  &ocl_multiresolution_class,
  &ocl_denoise_class,
  &ocl_user_class,
  &ocl_histogram_class,
  &ocl_histogram_overlay_class,
  NULL,
};

const OclOperationClass *
ocl_operations_find (const gchar * name)
{
  for (guint i = 0; ocl_operations[i]; i++) {
    if (g_str_equal (ocl_operations[i]->name, name))
      return ocl_operations[i];
  }
  return NULL;
}
