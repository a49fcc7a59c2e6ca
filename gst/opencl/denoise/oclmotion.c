/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmotion.h"

#include "oclmotionvariants.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclMotionParams, member)

static const OclParam params_table[] = {
  {"neighbours", "How many other pictures are compared",
        OCL_PARAM_UINT, OFFSET (n_neighbours),
      .maximum = OCL_MAX_NEIGHBOURS,.default_value = 2,.fixed = TRUE},
  {"search", "Search for blocks",
        OCL_PARAM_BOOLEAN, OFFSET (search),.default_value = TRUE,
      .fixed = TRUE,.decides = TRUE},
  {"noise", "Standard deviation of the noise of luma",
        OCL_PARAM_DOUBLE, OFFSET (noise),
      .minimum = -1.0,.maximum = 255.0,.default_value = -1.0},
  {NULL},
};

/* The vectors are common to luma, or to red, green and blue. */
static guint
ocl_motion_get_passes (gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  (void) params;
  return ocl_passes_init (passes, format, OCL_PLANES_LUMA, FALSE);
}

static const OclVariant *const variants[] = {
  &ocl_motion_plain, &ocl_motion_tiled, &ocl_motion_rows, NULL,
};

const OclOperationClass ocl_motion_class = {
  .name = "motion",
  .flags = OCL_OPERATION_READS,
  .params_size = sizeof (OclMotionParams),
  .params = params_table,
  .variants = variants,
  .get_passes = ocl_motion_get_passes,
  .get_result_size = ocl_motion_get_result_size,
};
