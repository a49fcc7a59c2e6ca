/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of the OpenCL side.
 *
 * The first line of a message is a sentence for the user. It states the
 * problem, and the parameter or the part of the machine to change. The caller
 * adds other remedies by the error code. Further lines are details for a
 * developer (a build log, the device list). */

#pragma once

#include <CL/cl.h>
#include <glib.h>

G_BEGIN_DECLS

#define OCL_ERROR (ocl_error_quark ())

/**
 * OclError:
 * @OCL_ERROR_NO_DEVICE: there is no platform, or no device matches the request
 * @OCL_ERROR_NOT_SUPPORTED: the device or driver does not support the request
 * @OCL_ERROR_NEEDS_RGB: the parameters need red, green and blue, but the frames
 *    are Y'CbCr or grey
 * @OCL_ERROR_SETTINGS: a parameter cannot have the value that it was set to
 * @OCL_ERROR_BUILD: a kernel cannot be built
 * @OCL_ERROR_KERNEL: a kernel that a user wrote cannot be built
 * @OCL_ERROR_FAILED: an OpenCL call failed
 * @OCL_ERROR_LOST: a command does not end, and OpenCL cannot interrupt it
 */
typedef enum
{
  OCL_ERROR_NO_DEVICE,
  OCL_ERROR_NOT_SUPPORTED,
  OCL_ERROR_NEEDS_RGB,
  OCL_ERROR_SETTINGS,
  OCL_ERROR_BUILD,
  OCL_ERROR_KERNEL,
  OCL_ERROR_FAILED,
  OCL_ERROR_LOST,
} OclError;

GQuark ocl_error_quark (void);

/* Returns the name of an OpenCL status, such as "CL_OUT_OF_RESOURCES". May be
 * called from any thread. */
const gchar *ocl_status_to_string (cl_int status);

/* Sets @error to OCL_ERROR_SETTINGS with the message, and returns FALSE. May be
 * called from any thread. */
gboolean ocl_fail (GError ** error, const gchar * format, ...)
G_GNUC_PRINTF (2, 3);

/* Returns whether @status is CL_SUCCESS. If not, sets @error to
 * OCL_ERROR_FAILED with a message that names @call. May be called from any
 * thread. */
gboolean ocl_check (cl_int status, const gchar * call, GError ** error);

G_END_DECLS
