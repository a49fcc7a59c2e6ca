/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The type of a device, which may not be what the driver says.  Any thread.
 */

#ifndef GLOPENCL_LAYER_DEVICE_H
#define GLOPENCL_LAYER_DEVICE_H

#include <CL/cl.h>

/*
 * Changes the @type of device the application asks for to the one to ask the
 * driver for.  Returns CL_DEVICE_NOT_FOUND if no device can be of that type.
 */
cl_int layer_driver_device_type (cl_device_type *type);

#endif /* GLOPENCL_LAYER_DEVICE_H */
