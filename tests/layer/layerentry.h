/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The entry points of a loader layer, and the declarations that older OpenCL
 * headers lack.  The loader calls the entry points on one thread and before any
 * other function, except clDeinitLayer, which it calls last.
 */

#ifndef GLOPENCL_LAYER_ENTRY_H
#define GLOPENCL_LAYER_ENTRY_H

#include <CL/cl_layer.h>

#include "testlayer.h"

#ifndef CL_LAYER_NAME
#define CL_LAYER_NAME 0x4241
#endif

/* Headers of the first generation lack these. */
#ifndef CL_LAYER_PROPERTIES_LIST_END
typedef cl_properties cl_layer_properties;
#define CL_LAYER_PROPERTIES_LIST_END ((cl_layer_properties) 0)
#endif

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL
clGetLayerInfo (cl_layer_info param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret);
LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL
clInitLayer (cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
    cl_uint *num_entries_ret, const cl_icd_dispatch **layer_dispatch_ret);
LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL
clInitLayerWithProperties (cl_uint num_entries,
    const cl_icd_dispatch *target_dispatch, cl_uint *num_entries_ret,
    const cl_icd_dispatch **layer_dispatch_ret,
    const cl_layer_properties *properties);
LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer (void);

#endif /* GLOPENCL_LAYER_ENTRY_H */
