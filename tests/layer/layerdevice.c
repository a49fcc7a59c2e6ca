/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of the functions about platforms and devices.  They report the
 * emulated extension, and change the reported properties of devices if the
 * environment asks for it.
 */

#include <string.h>

#include "layergl.h"
#include "layerwrap.h"

/* Those that are emulated, as far as the configuration asks for them. */
static const char *
layer_extension (unsigned index)
{
  switch (index) {
    case 0:
      return layer_config.sharing ? "cl_khr_gl_sharing" : NULL;
    case 1:
      return layer_config.external ? "cl_khr_external_memory_opaque_fd" : NULL;
    default:
      return layer_config.semaphores ? "cl_khr_external_semaphore_opaque_fd"
          : NULL;
  }
}

/* *INDENT-OFF* */
LAYER_WRAP (clGetPlatformIDs,
    (cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms),
    (num_entries, platforms, num_platforms))
/* *INDENT-ON* */

/* What the driver says about the extensions of @device, or of @platform if that
 * is NULL. */
static cl_int
layer_driver_extensions (cl_platform_id platform, cl_device_id device,
    LAYER_INFO_PARAMETERS)
{
  if (device != NULL)
    return layer_target.clGetDeviceInfo (device, CL_DEVICE_EXTENSIONS,
        LAYER_INFO_ARGUMENTS);
  return layer_target.clGetPlatformInfo (platform, CL_PLATFORM_EXTENSIONS,
      LAYER_INFO_ARGUMENTS);
}

/* @extensions, to which the emulated ones are added if they are missing. */
static char *
layer_add_extensions (const char *extensions)
{
  g_auto (GStrv) words = g_strsplit (extensions, " ", -1);
  GString *all = g_string_new (extensions);

  for (unsigned i = 0; i < 3; i++) {
    const char *name = layer_extension (i);

    if (name == NULL || g_strv_contains ((const char *const *) words, name))
      continue;
    if (all->len > 0 && !g_str_has_suffix (all->str, " "))
      g_string_append_c (all, ' ');
    g_string_append (all, name);
  }
  return g_string_free (all, FALSE);
}

/* Answers a query for the extensions of @device, or of @platform if that is
 * NULL. */
static cl_int
layer_answer_extensions (cl_platform_id platform, cl_device_id device,
    LAYER_INFO_PARAMETERS)
{
  g_autofree char *driver = NULL;
  g_autofree char *extensions = NULL;
  size_t size;
  cl_int error = layer_driver_extensions (platform, device, 0, NULL, &size);

  if (error != CL_SUCCESS)
    return error;
  driver = g_malloc0 (size + 1);
  error = layer_driver_extensions (platform, device, size, driver, NULL);
  if (error != CL_SUCCESS)
    return error;
  extensions = layer_add_extensions (driver);
  return layer_answer (extensions, strlen (extensions) + 1,
      LAYER_INFO_ARGUMENTS);
}

cl_int CL_API_CALL
layer_clGetPlatformInfo (cl_platform_id platform, cl_platform_info param_name,
    LAYER_INFO_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetPlatformInfo));

  if (error != CL_SUCCESS)
    return error;
  if (param_name == CL_PLATFORM_EXTENSIONS)
    return layer_answer_extensions (platform, NULL, LAYER_INFO_ARGUMENTS);
  return layer_target.clGetPlatformInfo (platform, param_name,
      LAYER_INFO_ARGUMENTS);
}

cl_int CL_API_CALL
layer_clGetDeviceInfo (cl_device_id device, cl_device_info param_name,
    LAYER_INFO_PARAMETERS)
{
  static const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
  static const cl_bool no = CL_FALSE;
  static const size_t flat[] = { 1024, 1, 1 };
  guint8 uuid[CL_UUID_SIZE_KHR];
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetDeviceInfo));

  if (error != CL_SUCCESS)
    return error;
  if (param_name == CL_DEVICE_EXTENSIONS)
    return layer_answer_extensions (NULL, device, LAYER_INFO_ARGUMENTS);
  if (layer_config.external && param_name == CL_DEVICE_UUID_KHR)
    return layer_gl_get_uuid (uuid) ? layer_answer (uuid, sizeof (uuid),
        LAYER_INFO_ARGUMENTS) : CL_INVALID_VALUE;
  if (layer_config.all_gpus && param_name == CL_DEVICE_TYPE)
    return layer_answer (&gpu, sizeof (gpu), LAYER_INFO_ARGUMENTS);
  if (layer_config.discrete && param_name == CL_DEVICE_HOST_UNIFIED_MEMORY)
    return layer_answer (&no, sizeof (no), LAYER_INFO_ARGUMENTS);
  if (layer_config.local_size > 0 && param_name == CL_DEVICE_LOCAL_MEM_SIZE)
    return layer_answer (&layer_config.local_size,
        sizeof (layer_config.local_size), LAYER_INFO_ARGUMENTS);
  if (layer_config.flat_groups && param_name == CL_DEVICE_MAX_WORK_ITEM_SIZES)
    return layer_answer (&flat, sizeof (flat), LAYER_INFO_ARGUMENTS);
  if (layer_config.max_image > 0
      && (param_name == CL_DEVICE_IMAGE2D_MAX_WIDTH
          || param_name == CL_DEVICE_IMAGE2D_MAX_HEIGHT))
    return layer_answer (&layer_config.max_image,
        sizeof (layer_config.max_image), LAYER_INFO_ARGUMENTS);
  if (layer_config.max_alloc > 0 && param_name == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
    return layer_answer (&layer_config.max_alloc,
        sizeof (layer_config.max_alloc), LAYER_INFO_ARGUMENTS);
  return layer_target.clGetDeviceInfo (device, param_name,
      LAYER_INFO_ARGUMENTS);
}

/* Changes the @type of device the application asks for to the one to ask the
 * driver for.  FALSE: no device can be of that type. */
static gboolean
layer_driver_device_type (cl_device_type * type)
{
  if (!layer_config.all_gpus || *type == CL_DEVICE_TYPE_DEFAULT || *type == 0)
    return TRUE;
  if ((*type & CL_DEVICE_TYPE_GPU) == 0)
    return FALSE;
  *type = CL_DEVICE_TYPE_ALL;
  return TRUE;
}

cl_int CL_API_CALL
layer_clGetDeviceIDs (cl_platform_id platform, cl_device_type type,
    cl_uint num_entries, cl_device_id * devices, cl_uint * num_devices)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetDeviceIDs));

  if (error != CL_SUCCESS)
    return error;
  if (layer_driver_device_type (&type))
    return layer_target.clGetDeviceIDs (platform, type, num_entries, devices,
        num_devices);
  if (num_devices != NULL)
    *num_devices = 0;
  return CL_DEVICE_NOT_FOUND;
}
