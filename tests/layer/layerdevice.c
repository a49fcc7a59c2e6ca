/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of the functions about platforms and devices.  They are where the
 * emulated extension shows, and where devices look different from what they are
 * if the environment asks for it.
 */

#include "layerdevice.h"

#include <string.h>

#include "layerwrap.h"

static const char sharing_extension[] = "cl_khr_gl_sharing";

/* *INDENT-OFF* */
LAYER_WRAP (clGetPlatformIDs,
    (cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms),
    (num_entries, platforms, num_platforms))
/* *INDENT-ON* */

static gboolean
layer_has_extension (const char *extensions, const char *name)
{
  char **words = g_strsplit (extensions, " ", -1);
  gboolean has = g_strv_contains ((const char *const *) words, name);

  g_strfreev (words);
  return has;
}

/* Answers a query for extensions with those in @buffer, of @size bytes, as
 * the driver has given them, and the emulated one.  Takes @buffer. */
static cl_int
layer_answer_extensions (char *buffer, size_t size, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
  char *extensions = g_strndup (buffer, size);
  cl_int error;

  if (!layer_has_extension (extensions, sharing_extension)) {
    char *longer = g_strjoin (*extensions == '\0'
        || g_str_has_suffix (extensions, " ") ? "" : " ", extensions,
        sharing_extension, NULL);

    g_free (extensions);
    extensions = longer;
  }
  error = layer_answer (extensions, strlen (extensions) + 1, param_value_size,
      param_value, param_value_size_ret);
  g_free (extensions);
  g_free (buffer);
  return error;
}

cl_int CL_API_CALL
layer_clGetPlatformInfo (cl_platform_id platform, cl_platform_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetPlatformInfo));
  char *buffer;
  size_t size;

  if (error != CL_SUCCESS)
    return error;
  if (!layer_config.sharing || param_name != CL_PLATFORM_EXTENSIONS)
    return layer_target.clGetPlatformInfo (platform, param_name,
        param_value_size, param_value, param_value_size_ret);

  error = layer_target.clGetPlatformInfo (platform, param_name, 0, NULL, &size);
  if (error != CL_SUCCESS)
    return error;
  buffer = g_malloc0 (size);
  error = layer_target.clGetPlatformInfo (platform, param_name, size, buffer,
      NULL);
  if (error != CL_SUCCESS) {
    g_free (buffer);
    return error;
  }
  return layer_answer_extensions (buffer, size, param_value_size, param_value,
      param_value_size_ret);
}

static cl_int
layer_get_device_extensions (cl_device_id device, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
  char *buffer;
  size_t size;
  cl_int error = layer_target.clGetDeviceInfo (device, CL_DEVICE_EXTENSIONS, 0,
      NULL, &size);

  if (error != CL_SUCCESS)
    return error;
  buffer = g_malloc0 (size);
  error = layer_target.clGetDeviceInfo (device, CL_DEVICE_EXTENSIONS, size,
      buffer, NULL);
  if (error != CL_SUCCESS) {
    g_free (buffer);
    return error;
  }
  return layer_answer_extensions (buffer, size, param_value_size, param_value,
      param_value_size_ret);
}

cl_int CL_API_CALL
layer_clGetDeviceInfo (cl_device_id device, cl_device_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
  static const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
  static const cl_bool no = CL_FALSE;
  const void *value = NULL;
  size_t size = 0;
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetDeviceInfo));

  if (error != CL_SUCCESS)
    return error;
  if (layer_config.sharing && param_name == CL_DEVICE_EXTENSIONS)
    return layer_get_device_extensions (device, param_value_size, param_value,
        param_value_size_ret);

  if (layer_config.all_gpus && param_name == CL_DEVICE_TYPE) {
    value = &gpu;
    size = sizeof (gpu);
  } else if (layer_config.discrete
      && param_name == CL_DEVICE_HOST_UNIFIED_MEMORY) {
    value = &no;
    size = sizeof (no);
  } else if (layer_config.max_image > 0
      && (param_name == CL_DEVICE_IMAGE2D_MAX_WIDTH
          || param_name == CL_DEVICE_IMAGE2D_MAX_HEIGHT)) {
    value = &layer_config.max_image;
    size = sizeof (layer_config.max_image);
  }
  if (value != NULL)
    return layer_answer (value, size, param_value_size, param_value,
        param_value_size_ret);
  return layer_target.clGetDeviceInfo (device, param_name, param_value_size,
      param_value, param_value_size_ret);
}

cl_int
layer_driver_device_type (cl_device_type * type)
{
  if (!layer_config.all_gpus || *type == CL_DEVICE_TYPE_DEFAULT || *type == 0)
    return CL_SUCCESS;
  if ((*type & CL_DEVICE_TYPE_GPU) == 0)
    return CL_DEVICE_NOT_FOUND;
  *type = CL_DEVICE_TYPE_ALL;
  return CL_SUCCESS;
}

cl_int CL_API_CALL
layer_clGetDeviceIDs (cl_platform_id platform, cl_device_type type,
    cl_uint num_entries, cl_device_id * devices, cl_uint * num_devices)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetDeviceIDs));

  if (error != CL_SUCCESS)
    return error;
  error = layer_driver_device_type (&type);
  if (error != CL_SUCCESS) {
    if (num_devices != NULL)
      *num_devices = 0;
    return error;
  }
  return layer_target.clGetDeviceIDs (platform, type, num_entries, devices,
      num_devices);
}

cl_int CL_API_CALL
layer_clCreateSubDevices (cl_device_id device,
    const cl_device_partition_property * properties, cl_uint num_entries,
    cl_device_id * devices, cl_uint * num_devices)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clCreateSubDevices));
  cl_uint count = 0;

  if (error != CL_SUCCESS)
    return error;
  error = layer_target.clCreateSubDevices (device, properties, num_entries,
      devices, &count);
  if (error != CL_SUCCESS)
    return error;
  for (cl_uint i = 0; devices != NULL && i < count; i++)
    layer_objects_add (LAYER_OBJECT_DEVICE, devices[i], "clCreateSubDevices");
  if (num_devices != NULL)
    *num_devices = count;
  return CL_SUCCESS;
}
