/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclconvert.h"

#include "operation/oclkernels.h"

/* A work-item takes this many samples. */
#define VECTOR 16

static const OclParam params_table[] = {
  OCL_PLANES_PARAM (OclConvertParams, planes, OCL_PLANES_ALL),
  {NULL},
};

static gboolean
enqueue (OclKernels * self, const OclRun * run, gint samples, GError ** error)
{
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);

  return OCL_LAUNCH (self, run, OCL_GRID (0, (width + samples - 1) / samples,
          height), error, OCL_INPUT, OCL_OUTPUT, OCL_INT (width),
      OCL_INT (height));
}

static gboolean
ocl_convert_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  return enqueue (self, run, 1, error);
}

static gboolean
ocl_convert_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  return enqueue (self, run, VECTOR, error);
}

static const OclVariant plain = {
  .name = "plain",
  .flags = OCL_VARIANT_FOR_GPU,
  .source = "convert.cl",
  .kernels = OCL_NAMES ("convert"),
  .group_width = 16,
  .group_height = 16,
  .enqueue = ocl_convert_plain_enqueue,
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "convert-rows.cl",
  .kernels = OCL_NAMES ("convert"),
  .group_width = 8,
  .enqueue = ocl_convert_rows_enqueue,
};

static const OclVariant *const variants[] = { &plain, &rows, NULL };

const OclOperationClass ocl_convert_class = {
  .name = "convert",
  .flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (OclConvertParams),
  .params = params_table,
  .variants = variants,
};
