/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting of calls and injection of faults.  Any thread.
 */

#ifndef GLOPENCL_LAYER_FAULT_H
#define GLOPENCL_LAYER_FAULT_H

#include "layerfunctions.h"

/*
 * Every wrapper calls it first.  Counts a call of @function, and returns the
 * error which this call is to fail with, CL_SUCCESS for none.
 */
cl_int layer_call_begin (LayerFunction function);

#endif /* GLOPENCL_LAYER_FAULT_H */
