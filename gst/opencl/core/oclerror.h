/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of the OpenCL side.
 *
 * The first line of a message is a sentence for the user: the fact, and what of
 * the parameters or of the machine would change it. What else can be done,
 * whoever uses this side knows by the code. Lines after it are details for a
 * developer (a build log, the device list). */

#pragma once

#include <CL/cl.h>
#include <glib.h>

G_BEGIN_DECLS

#define OCL_ERROR (ocl_error_quark ())

/**
 * OclError:
 * @OCL_ERROR_NO_DEVICE: there is no platform, or no device that was asked for
 * @OCL_ERROR_NOT_SUPPORTED: the device or driver cannot do this
 * @OCL_ERROR_NEEDS_RGB: parameters need red, green and blue, and frames are
 *    Y'CbCr or grey
 * @OCL_ERROR_SETTINGS: a parameter cannot be what it was set to
 * @OCL_ERROR_BUILD: a kernel does not build
 * @OCL_ERROR_FAILED: an OpenCL call failed
 */
typedef enum
{
  OCL_ERROR_NO_DEVICE,
  OCL_ERROR_NOT_SUPPORTED,
  OCL_ERROR_NEEDS_RGB,
  OCL_ERROR_SETTINGS,
  OCL_ERROR_BUILD,
  OCL_ERROR_FAILED,
} OclError;

GQuark ocl_error_quark (void);

/* The name of an OpenCL status, such as "CL_OUT_OF_RESOURCES". Any thread. */
const gchar *ocl_status_to_string (cl_int status);

/* Whether @status is CL_SUCCESS; sets @error (OCL_ERROR_FAILED) where it is
 * not, naming @call. Any thread. */
gboolean ocl_check (cl_int status, const gchar * call, GError ** error);

G_END_DECLS
