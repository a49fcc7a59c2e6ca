/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of the OpenCL functions which the layer wraps, once: from it come
 * their numbers, their names, the declarations of the wrappers, and the
 * entries of the dispatch table.
 *
 * The wrapper of clSomething is layer_clSomething.  Wrappers are called by the
 * loader on any thread.
 */

#ifndef GLOPENCL_LAYER_FUNCTIONS_H
#define GLOPENCL_LAYER_FUNCTIONS_H

#include <CL/cl_icd.h>

/* The functions that can fail, and can so be made to fail. */
#define LAYER_FAILING_FUNCTIONS(X) \
  X (clGetPlatformIDs) \
  X (clGetPlatformInfo) \
  X (clGetDeviceIDs) \
  X (clGetDeviceInfo) \
  X (clCreateSubDevices) \
  X (clCreateContext) \
  X (clCreateContextFromType) \
  X (clGetContextInfo) \
  X (clCreateCommandQueue) \
  X (clCreateCommandQueueWithProperties) \
  X (clGetCommandQueueInfo) \
  X (clSetCommandQueueProperty) \
  X (clCreateBuffer) \
  X (clCreateSubBuffer) \
  X (clCreateImage) \
  X (clCreateImage2D) \
  X (clCreateImage3D) \
  X (clGetSupportedImageFormats) \
  X (clGetMemObjectInfo) \
  X (clGetImageInfo) \
  X (clSetMemObjectDestructorCallback) \
  X (clCreateSampler) \
  X (clGetSamplerInfo) \
  X (clCreateProgramWithSource) \
  X (clCreateProgramWithBinary) \
  X (clCreateProgramWithBuiltInKernels) \
  X (clBuildProgram) \
  X (clCompileProgram) \
  X (clLinkProgram) \
  X (clUnloadPlatformCompiler) \
  X (clUnloadCompiler) \
  X (clGetProgramInfo) \
  X (clGetProgramBuildInfo) \
  X (clCreateKernel) \
  X (clCreateKernelsInProgram) \
  X (clSetKernelArg) \
  X (clSetKernelArgSVMPointer) \
  X (clGetKernelInfo) \
  X (clGetKernelArgInfo) \
  X (clGetKernelWorkGroupInfo) \
  X (clCreateUserEvent) \
  X (clSetUserEventStatus) \
  X (clSetEventCallback) \
  X (clWaitForEvents) \
  X (clGetEventInfo) \
  X (clGetEventProfilingInfo) \
  X (clFlush) \
  X (clFinish) \
  X (clEnqueueReadBuffer) \
  X (clEnqueueReadBufferRect) \
  X (clEnqueueWriteBuffer) \
  X (clEnqueueWriteBufferRect) \
  X (clEnqueueFillBuffer) \
  X (clEnqueueCopyBuffer) \
  X (clEnqueueCopyBufferRect) \
  X (clEnqueueReadImage) \
  X (clEnqueueWriteImage) \
  X (clEnqueueFillImage) \
  X (clEnqueueCopyImage) \
  X (clEnqueueCopyImageToBuffer) \
  X (clEnqueueCopyBufferToImage) \
  X (clEnqueueMapBuffer) \
  X (clEnqueueMapImage) \
  X (clEnqueueUnmapMemObject) \
  X (clEnqueueMigrateMemObjects) \
  X (clEnqueueNDRangeKernel) \
  X (clEnqueueTask) \
  X (clEnqueueNativeKernel) \
  X (clEnqueueMarkerWithWaitList) \
  X (clEnqueueBarrierWithWaitList) \
  X (clEnqueueMarker) \
  X (clEnqueueWaitForEvents) \
  X (clEnqueueBarrier) \
  X (clGetExtensionFunctionAddress) \
  X (clGetExtensionFunctionAddressForPlatform) \
  X (clGetGLContextInfoKHR) \
  X (clCreateFromGLBuffer) \
  X (clCreateFromGLTexture) \
  X (clCreateFromGLTexture2D) \
  X (clCreateFromGLTexture3D) \
  X (clCreateFromGLRenderbuffer) \
  X (clGetGLObjectInfo) \
  X (clGetGLTextureInfo) \
  X (clEnqueueAcquireGLObjects) \
  X (clEnqueueReleaseGLObjects)

/* The functions that move reference counts.  They are counted, but never made
 * to fail: no program could handle that. */
#define LAYER_LIFETIME_FUNCTIONS(X) \
  X (clRetainDevice) \
  X (clReleaseDevice) \
  X (clRetainContext) \
  X (clReleaseContext) \
  X (clRetainCommandQueue) \
  X (clReleaseCommandQueue) \
  X (clRetainMemObject) \
  X (clReleaseMemObject) \
  X (clRetainSampler) \
  X (clReleaseSampler) \
  X (clRetainProgram) \
  X (clReleaseProgram) \
  X (clRetainKernel) \
  X (clReleaseKernel) \
  X (clRetainEvent) \
  X (clReleaseEvent)

#define LAYER_FUNCTION(name) LAYER_FUNCTION_##name

typedef enum
{
#define LAYER_FUNCTION_NUMBER(name) LAYER_FUNCTION (name),
  LAYER_FAILING_FUNCTIONS (LAYER_FUNCTION_NUMBER)
  LAYER_FAILING_FUNCTION_COUNT,
  /* The first of the other functions comes right after the last of these. */
  LAYER_LIFETIME_FUNCTION_BASE = LAYER_FAILING_FUNCTION_COUNT - 1,
  LAYER_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NUMBER)
  LAYER_FUNCTION_COUNT
#undef LAYER_FUNCTION_NUMBER
} LayerFunction;

/* The type of a wrapper is the type of the table's entry, whatever version of
 * the OpenCL headers declares it. */
#define LAYER_DECLARE_WRAPPER(name) \
  __typeof__ (*((cl_icd_dispatch *) NULL)->name) layer_##name;
LAYER_FAILING_FUNCTIONS (LAYER_DECLARE_WRAPPER)
LAYER_LIFETIME_FUNCTIONS (LAYER_DECLARE_WRAPPER)
#undef LAYER_DECLARE_WRAPPER

#endif /* GLOPENCL_LAYER_FUNCTIONS_H */
