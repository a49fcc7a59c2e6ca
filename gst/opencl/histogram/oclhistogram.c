/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogram.h"

#include "oclhistogrambands.h"
#include "oclhistogramgroups.h"

static const OclVariant *const variants[] = {
  &ocl_histogram_groups, &ocl_histogram_bands, NULL,
};

const OclOperationClass ocl_histogram_class = {
  .name = "histogram",
  .flags = OCL_OPERATION_READS,
  .variants = variants,
  .result_size = sizeof (OclHistogramCounts),
};
