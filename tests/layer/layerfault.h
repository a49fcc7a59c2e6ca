/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts calls and injects faults.  Functions may be called from any thread.
 */

#ifndef GLOPENCL_LAYER_FAULT_H
#define GLOPENCL_LAYER_FAULT_H

#include "layerfunctions.h"

/*
 * Counts a call of @function.  Returns the error with which this call must
 * fail, or CL_SUCCESS if it must not fail.  Every wrapper calls this function
 * first.
 */
cl_int layer_call_begin (LayerFunction function);

#endif /* GLOPENCL_LAYER_FAULT_H */
