/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of the functions that create, describe and free objects, and of
 * the functions that wait.  Wrappers for contexts are in layercontexts.c, for
 * images from GL in layersharing.c, for platforms and devices in layerdevice.c,
 * and for commands in layerenqueue.c.
 */

#include "layerimages.h"
#include "layerkernels.h"
#include "layerwrap.h"

/* Macros that make functions. */
/* *INDENT-OFF* */
/* Reference counts */

LAYER_WRAP_LIFETIME (cl_command_queue, CommandQueue,
    layer_images_forget (object))
LAYER_WRAP_LIFETIME (cl_mem, MemObject, layer_images_remove (object))
LAYER_WRAP_LIFETIME (cl_program, Program, )
LAYER_WRAP_LIFETIME (cl_kernel, Kernel, layer_kernels_forget (object))
LAYER_WRAP_LIFETIME (cl_event, Event, layer_images_forget (object))

/* Command queues */

LAYER_WRAP_CREATE (cl_command_queue, LAYER_OBJECT_QUEUE, clCreateCommandQueue,
    (cl_context context, cl_device_id device,
        cl_command_queue_properties properties),
    (context, device, properties))

LAYER_WRAP (clFlush, (cl_command_queue queue), (queue))

/* Really waits even when it is to fail, as the caller's memory may be in use by
 * commands until then. */
cl_int CL_API_CALL
layer_clFinish (cl_command_queue queue)
{
  cl_int fault = layer_call_begin (LAYER_FUNCTION (clFinish));
  guint64 number = layer_images_release_number ();
  cl_int error = layer_target.clFinish (queue);

  if (error == CL_SUCCESS)
    layer_images_queue_finished (queue, number);
  return fault != CL_SUCCESS ? fault : error;
}

/* Memory objects */

LAYER_WRAP_CREATE (cl_mem, LAYER_OBJECT_MEMORY, clCreateBuffer,
    (cl_context context, cl_mem_flags flags, size_t size, void *host_ptr),
    (context, flags, size, host_ptr))

LAYER_WRAP_CREATE (cl_mem, LAYER_OBJECT_MEMORY, clCreateImage,
    (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        const cl_image_desc *description, void *host_ptr),
    (context, flags, format, description, host_ptr))

#define MAX_IMAGE_FORMATS 256

cl_int CL_API_CALL
layer_clGetSupportedImageFormats (cl_context context, cl_mem_flags flags,
    cl_mem_object_type image_type, cl_uint num_entries,
    cl_image_format * formats, cl_uint * num_formats)
{
  cl_image_format all[MAX_IMAGE_FORMATS];
  cl_uint n_all = 0, n = 0;
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetSupportedImageFormats));

  if (error == CL_SUCCESS)
    error = layer_target.clGetSupportedImageFormats (context, flags,
        image_type, MAX_IMAGE_FORMATS, all, &n_all);
  if (error != CL_SUCCESS)
    return error;
  for (cl_uint i = 0; i < MIN (n_all, MAX_IMAGE_FORMATS); i++) {
    if (layer_config.no_rg_images && all[i].image_channel_order == CL_RG)
      continue;
    if (layer_config.rgba_floats && all[i].image_channel_order != CL_RGBA
        && (all[i].image_channel_data_type == CL_HALF_FLOAT
            || all[i].image_channel_data_type == CL_FLOAT))
      continue;
    if (n < num_entries)
      formats[n] = all[i];
    n++;
  }
  if (num_formats != NULL)
    *num_formats = n;
  return CL_SUCCESS;
}

LAYER_WRAP_QUERY (clGetImageInfo,
    (cl_mem image, cl_image_info param_name),
    (image, param_name))

/* Programs */

LAYER_WRAP_CREATE (cl_program, LAYER_OBJECT_PROGRAM, clCreateProgramWithSource,
    (cl_context context, cl_uint count, const char **strings,
        const size_t *lengths),
    (context, count, strings, lengths))

typedef void (CL_CALLBACK *LayerProgramNotify) (cl_program, void *);

LAYER_WRAP (clBuildProgram,
    (cl_program program, cl_uint num_devices, const cl_device_id *devices,
        const char *options, LayerProgramNotify notify, void *user_data),
    (program, num_devices, devices, options, notify, user_data))

LAYER_WRAP_QUERY (clGetProgramBuildInfo,
    (cl_program program, cl_device_id device, cl_program_build_info param_name),
    (program, device, param_name))

/* Kernels */

LAYER_WRAP_CREATE (cl_kernel, LAYER_OBJECT_KERNEL, clCreateKernel,
    (cl_program program, const char *name),
    (program, name))

cl_int CL_API_CALL
layer_clSetKernelArg (cl_kernel kernel, cl_uint index, size_t size,
    const void *value)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clSetKernelArg));

  if (error != CL_SUCCESS)
    return error;
  error = layer_target.clSetKernelArg (kernel, index, size, value);
  if (error == CL_SUCCESS)
    layer_kernels_set_argument (kernel, index, size, value);
  return error;
}

LAYER_WRAP_QUERY (clGetKernelInfo,
    (cl_kernel kernel, cl_kernel_info param_name),
    (kernel, param_name))

LAYER_WRAP_QUERY (clGetKernelArgInfo,
    (cl_kernel kernel, cl_uint index, cl_kernel_arg_info param_name),
    (kernel, index, param_name))

LAYER_WRAP_QUERY (clGetKernelWorkGroupInfo,
    (cl_kernel kernel, cl_device_id device,
        cl_kernel_work_group_info param_name),
    (kernel, device, param_name))

/* Events */

/* Really waits even when it is to fail, see clFinish. */
cl_int CL_API_CALL
layer_clWaitForEvents (cl_uint num_events, const cl_event *events)
{
  cl_int fault = layer_call_begin (LAYER_FUNCTION (clWaitForEvents));
  cl_int error = layer_target.clWaitForEvents (num_events, events);

  /* The wait is over as well if some command has failed. */
  if (error == CL_SUCCESS
      || error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
    for (cl_uint i = 0; i < num_events; i++)
      layer_images_event_seen (events[i]);
  }
  return fault != CL_SUCCESS ? fault : error;
}

cl_int CL_API_CALL
layer_clGetEventInfo (cl_event event, cl_event_info param_name,
    LAYER_INFO_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetEventInfo));

  if (error != CL_SUCCESS)
    return error;
  error = layer_target.clGetEventInfo (event, param_name,
      LAYER_INFO_ARGUMENTS);
  /* A negative status is that of a command which has failed. */
  if (error == CL_SUCCESS && param_value != NULL
      && param_name == CL_EVENT_COMMAND_EXECUTION_STATUS
      && *(const cl_int *) param_value <= CL_COMPLETE)
    layer_images_event_seen (event);
  return error;
}

LAYER_WRAP_QUERY (clGetEventProfilingInfo,
    (cl_event event, cl_profiling_info param_name),
    (event, param_name))

/* *INDENT-ON* */
