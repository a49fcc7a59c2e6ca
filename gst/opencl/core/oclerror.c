/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclerror.h"

/* *INDENT-OFF* */
G_DEFINE_QUARK (ocl-error-quark, ocl_error)
/* *INDENT-ON* */

#define STATUS(name) case name: return #name

const gchar *
ocl_status_to_string (cl_int status)
{
  switch (status) {
      STATUS (CL_SUCCESS);
      STATUS (CL_DEVICE_NOT_FOUND);
      STATUS (CL_DEVICE_NOT_AVAILABLE);
      STATUS (CL_COMPILER_NOT_AVAILABLE);
      STATUS (CL_MEM_OBJECT_ALLOCATION_FAILURE);
      STATUS (CL_OUT_OF_RESOURCES);
      STATUS (CL_OUT_OF_HOST_MEMORY);
      STATUS (CL_PROFILING_INFO_NOT_AVAILABLE);
      STATUS (CL_MEM_COPY_OVERLAP);
      STATUS (CL_IMAGE_FORMAT_MISMATCH);
      STATUS (CL_IMAGE_FORMAT_NOT_SUPPORTED);
      STATUS (CL_BUILD_PROGRAM_FAILURE);
      STATUS (CL_MAP_FAILURE);
      STATUS (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      STATUS (CL_INVALID_VALUE);
      STATUS (CL_INVALID_PLATFORM);
      STATUS (CL_INVALID_DEVICE);
      STATUS (CL_INVALID_CONTEXT);
      STATUS (CL_INVALID_QUEUE_PROPERTIES);
      STATUS (CL_INVALID_COMMAND_QUEUE);
      STATUS (CL_INVALID_HOST_PTR);
      STATUS (CL_INVALID_MEM_OBJECT);
      STATUS (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
      STATUS (CL_INVALID_IMAGE_SIZE);
      STATUS (CL_INVALID_BINARY);
      STATUS (CL_INVALID_BUILD_OPTIONS);
      STATUS (CL_INVALID_PROGRAM);
      STATUS (CL_INVALID_PROGRAM_EXECUTABLE);
      STATUS (CL_INVALID_KERNEL_NAME);
      STATUS (CL_INVALID_KERNEL);
      STATUS (CL_INVALID_ARG_INDEX);
      STATUS (CL_INVALID_ARG_VALUE);
      STATUS (CL_INVALID_ARG_SIZE);
      STATUS (CL_INVALID_KERNEL_ARGS);
      STATUS (CL_INVALID_WORK_DIMENSION);
      STATUS (CL_INVALID_WORK_GROUP_SIZE);
      STATUS (CL_INVALID_WORK_ITEM_SIZE);
      STATUS (CL_INVALID_GLOBAL_OFFSET);
      STATUS (CL_INVALID_EVENT_WAIT_LIST);
      STATUS (CL_INVALID_EVENT);
      STATUS (CL_INVALID_OPERATION);
      STATUS (CL_INVALID_GL_OBJECT);
      STATUS (CL_INVALID_BUFFER_SIZE);
      STATUS (CL_INVALID_GLOBAL_WORK_SIZE);
      STATUS (CL_INVALID_PROPERTY);
    case -1000:
      return "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR";
    case -1001:
      return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
      return "unknown OpenCL status";
  }
}

gboolean
ocl_fail (GError ** error, const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autoptr (GError) made = g_error_new_valist (OCL_ERROR, OCL_ERROR_SETTINGS,
      format, arguments);
  va_end (arguments);
  g_propagate_error (error, g_steal_pointer (&made));
  return FALSE;
}

gboolean
ocl_check (cl_int status, const gchar * call, GError ** error)
{
  if (status == CL_SUCCESS)
    return TRUE;

  g_set_error (error, OCL_ERROR, OCL_ERROR_FAILED,
      "The OpenCL driver failed in %s: %s (%d).", call,
      ocl_status_to_string (status), status);
  return FALSE;
}
