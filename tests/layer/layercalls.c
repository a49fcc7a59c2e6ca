/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of the functions that create, describe and free objects, and of
 * those that wait.  Contexts and what comes from GL is in layersharing.c,
 * platforms and devices are in layerdevice.c, and commands in layerenqueue.c.
 */

#include "layerimages.h"
#include "layerkernels.h"
#include "layerwrap.h"

/* Macros that make functions. */
/* *INDENT-OFF* */
/* Reference counts */

LAYER_WRAP_LIFETIME (cl_device_id, Device, )
LAYER_WRAP_LIFETIME (cl_command_queue, CommandQueue,
    layer_images_forget_queue (object))
LAYER_WRAP_LIFETIME (cl_mem, MemObject, layer_images_remove (object))
LAYER_WRAP_LIFETIME (cl_sampler, Sampler, )
LAYER_WRAP_LIFETIME (cl_program, Program, )
LAYER_WRAP_LIFETIME (cl_kernel, Kernel, layer_kernels_forget (object))
LAYER_WRAP_LIFETIME (cl_event, Event, layer_images_forget_event (object))

/* Command queues */

LAYER_WRAP_CREATE (cl_command_queue, LAYER_OBJECT_QUEUE, clCreateCommandQueue,
    (cl_context context, cl_device_id device,
        cl_command_queue_properties properties, cl_int *errcode_ret),
    (context, device, properties, &error))

LAYER_WRAP_CREATE (cl_command_queue, LAYER_OBJECT_QUEUE,
    clCreateCommandQueueWithProperties,
    (cl_context context, cl_device_id device,
        const cl_queue_properties *properties, cl_int *errcode_ret),
    (context, device, properties, &error))

LAYER_WRAP (clGetCommandQueueInfo,
    (cl_command_queue queue, cl_command_queue_info param_name,
        size_t param_value_size, void *param_value,
        size_t *param_value_size_ret),
    (queue, param_name, param_value_size, param_value, param_value_size_ret))

LAYER_WRAP (clSetCommandQueueProperty,
    (cl_command_queue queue, cl_command_queue_properties properties,
        cl_bool enable, cl_command_queue_properties *old_properties),
    (queue, properties, enable, old_properties))

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
    (cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
        cl_int *errcode_ret),
    (context, flags, size, host_ptr, &error))

LAYER_WRAP_CREATE (cl_mem, LAYER_OBJECT_MEMORY, clCreateSubBuffer,
    (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
        const void *info, cl_int *errcode_ret),
    (buffer, flags, type, info, &error))

LAYER_WRAP_CREATE (cl_mem, LAYER_OBJECT_MEMORY, clCreateImage,
    (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        const cl_image_desc *description, void *host_ptr, cl_int *errcode_ret),
    (context, flags, format, description, host_ptr, &error))

LAYER_WRAP_CREATE (cl_mem, LAYER_OBJECT_MEMORY, clCreateImage2D,
    (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        size_t width, size_t height, size_t row_pitch, void *host_ptr,
        cl_int *errcode_ret),
    (context, flags, format, width, height, row_pitch, host_ptr, &error))

LAYER_WRAP_CREATE (cl_mem, LAYER_OBJECT_MEMORY, clCreateImage3D,
    (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        size_t width, size_t height, size_t depth, size_t row_pitch,
        size_t slice_pitch, void *host_ptr, cl_int *errcode_ret),
    (context, flags, format, width, height, depth, row_pitch, slice_pitch,
        host_ptr, &error))

LAYER_WRAP (clGetSupportedImageFormats,
    (cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
        cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats),
    (context, flags, image_type, num_entries, formats, num_formats))

LAYER_WRAP (clGetMemObjectInfo,
    (cl_mem memory, cl_mem_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (memory, param_name, param_value_size, param_value, param_value_size_ret))

LAYER_WRAP (clGetImageInfo,
    (cl_mem image, cl_image_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (image, param_name, param_value_size, param_value, param_value_size_ret))

LAYER_WRAP (clSetMemObjectDestructorCallback,
    (cl_mem memory, void (CL_CALLBACK *notify) (cl_mem, void *),
        void *user_data),
    (memory, notify, user_data))

/* Samplers */

LAYER_WRAP_CREATE (cl_sampler, LAYER_OBJECT_SAMPLER, clCreateSampler,
    (cl_context context, cl_bool normalized, cl_addressing_mode addressing,
        cl_filter_mode filter, cl_int *errcode_ret),
    (context, normalized, addressing, filter, &error))

LAYER_WRAP (clGetSamplerInfo,
    (cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (sampler, param_name, param_value_size, param_value, param_value_size_ret))

/* Programs */

LAYER_WRAP_CREATE (cl_program, LAYER_OBJECT_PROGRAM, clCreateProgramWithSource,
    (cl_context context, cl_uint count, const char **strings,
        const size_t *lengths, cl_int *errcode_ret),
    (context, count, strings, lengths, &error))

LAYER_WRAP_CREATE (cl_program, LAYER_OBJECT_PROGRAM, clCreateProgramWithBinary,
    (cl_context context, cl_uint num_devices, const cl_device_id *devices,
        const size_t *lengths, const unsigned char **binaries,
        cl_int *binary_status, cl_int *errcode_ret),
    (context, num_devices, devices, lengths, binaries, binary_status, &error))

LAYER_WRAP_CREATE (cl_program, LAYER_OBJECT_PROGRAM,
    clCreateProgramWithBuiltInKernels,
    (cl_context context, cl_uint num_devices, const cl_device_id *devices,
        const char *names, cl_int *errcode_ret),
    (context, num_devices, devices, names, &error))

typedef void (CL_CALLBACK *LayerProgramNotify) (cl_program, void *);

LAYER_WRAP (clBuildProgram,
    (cl_program program, cl_uint num_devices, const cl_device_id *devices,
        const char *options, LayerProgramNotify notify, void *user_data),
    (program, num_devices, devices, options, notify, user_data))

LAYER_WRAP (clCompileProgram,
    (cl_program program, cl_uint num_devices, const cl_device_id *devices,
        const char *options, cl_uint num_headers, const cl_program *headers,
        const char **names, LayerProgramNotify notify, void *user_data),
    (program, num_devices, devices, options, num_headers, headers, names,
        notify, user_data))

LAYER_WRAP_CREATE (cl_program, LAYER_OBJECT_PROGRAM, clLinkProgram,
    (cl_context context, cl_uint num_devices, const cl_device_id *devices,
        const char *options, cl_uint num_programs, const cl_program *programs,
        LayerProgramNotify notify, void *user_data, cl_int *errcode_ret),
    (context, num_devices, devices, options, num_programs, programs, notify,
        user_data, &error))

LAYER_WRAP (clUnloadPlatformCompiler, (cl_platform_id platform), (platform))

LAYER_WRAP (clUnloadCompiler, (void), ())

LAYER_WRAP (clGetProgramInfo,
    (cl_program program, cl_program_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (program, param_name, param_value_size, param_value, param_value_size_ret))

LAYER_WRAP (clGetProgramBuildInfo,
    (cl_program program, cl_device_id device, cl_program_build_info param_name,
        size_t param_value_size, void *param_value,
        size_t *param_value_size_ret),
    (program, device, param_name, param_value_size, param_value,
        param_value_size_ret))

/* Kernels */

LAYER_WRAP_CREATE (cl_kernel, LAYER_OBJECT_KERNEL, clCreateKernel,
    (cl_program program, const char *name, cl_int *errcode_ret),
    (program, name, &error))

cl_int CL_API_CALL
layer_clCreateKernelsInProgram (cl_program program, cl_uint num_kernels,
    cl_kernel *kernels, cl_uint *num_kernels_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clCreateKernelsInProgram));
  cl_uint count = 0;

  if (error != CL_SUCCESS)
    return error;
  error = layer_target.clCreateKernelsInProgram (program, num_kernels, kernels,
      &count);
  if (error != CL_SUCCESS)
    return error;
  for (cl_uint i = 0; kernels != NULL && i < count; i++)
    layer_objects_add (LAYER_OBJECT_KERNEL, kernels[i],
        "clCreateKernelsInProgram");
  if (num_kernels_ret != NULL)
    *num_kernels_ret = count;
  return CL_SUCCESS;
}

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

cl_int CL_API_CALL
layer_clSetKernelArgSVMPointer (cl_kernel kernel, cl_uint index,
    const void *value)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clSetKernelArgSVMPointer));

  if (error != CL_SUCCESS)
    return error;
  error = layer_target.clSetKernelArgSVMPointer (kernel, index, value);
  if (error == CL_SUCCESS)
    layer_kernels_set_argument (kernel, index, 0, NULL);
  return error;
}

LAYER_WRAP (clGetKernelInfo,
    (cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (kernel, param_name, param_value_size, param_value, param_value_size_ret))

LAYER_WRAP (clGetKernelArgInfo,
    (cl_kernel kernel, cl_uint index, cl_kernel_arg_info param_name,
        size_t param_value_size, void *param_value,
        size_t *param_value_size_ret),
    (kernel, index, param_name, param_value_size, param_value,
        param_value_size_ret))

LAYER_WRAP (clGetKernelWorkGroupInfo,
    (cl_kernel kernel, cl_device_id device,
        cl_kernel_work_group_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (kernel, device, param_name, param_value_size, param_value,
        param_value_size_ret))

/* Events */

LAYER_WRAP_CREATE (cl_event, LAYER_OBJECT_EVENT, clCreateUserEvent,
    (cl_context context, cl_int *errcode_ret), (context, &error))

LAYER_WRAP (clSetUserEventStatus, (cl_event event, cl_int status),
    (event, status))

LAYER_WRAP (clSetEventCallback,
    (cl_event event, cl_int type,
        void (CL_CALLBACK *notify) (cl_event, cl_int, void *),
        void *user_data),
    (event, type, notify, user_data))

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
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetEventInfo));

  if (error != CL_SUCCESS)
    return error;
  error = layer_target.clGetEventInfo (event, param_name, param_value_size,
      param_value, param_value_size_ret);
  /* A negative status is that of a command which has failed. */
  if (error == CL_SUCCESS && param_value != NULL
      && param_name == CL_EVENT_COMMAND_EXECUTION_STATUS
      && *(const cl_int *) param_value <= CL_COMPLETE)
    layer_images_event_seen (event);
  return error;
}

LAYER_WRAP (clGetEventProfilingInfo,
    (cl_event event, cl_profiling_info param_name, size_t param_value_size,
        void *param_value, size_t *param_value_size_ret),
    (event, param_name, param_value_size, param_value, param_value_size_ret))

/* *INDENT-ON* */
