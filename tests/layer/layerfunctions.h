/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The lists of the OpenCL functions which the layer wraps, and of the functions
 * which it refuses.  Each function is listed once.  The lists generate the
 * numbers and the names of the functions, the declarations of the wrappers, and
 * the entries of the dispatch table.
 *
 * The wrapper of clSomething is layer_clSomething.  Wrappers are called by the
 * loader on any thread.
 */

#ifndef GLOPENCL_LAYER_FUNCTIONS_H
#define GLOPENCL_LAYER_FUNCTIONS_H

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

/* The functions that can fail.  A test can make them fail. */
#define LAYER_FAILING_FUNCTIONS(X) \
  X (clGetPlatformIDs) \
  X (clGetPlatformInfo) \
  X (clGetDeviceIDs) \
  X (clGetDeviceInfo) \
  X (clCreateContext) \
  X (clCreateCommandQueue) \
  X (clCreateBuffer) \
  X (clCreateImage) \
  X (clCreateImageWithProperties) \
  X (clGetSupportedImageFormats) \
  X (clGetImageInfo) \
  X (clCreateProgramWithSource) \
  X (clBuildProgram) \
  X (clGetProgramBuildInfo) \
  X (clCreateKernel) \
  X (clSetKernelArg) \
  X (clGetKernelInfo) \
  X (clGetKernelArgInfo) \
  X (clGetKernelWorkGroupInfo) \
  X (clWaitForEvents) \
  X (clGetEventInfo) \
  X (clGetEventProfilingInfo) \
  X (clFlush) \
  X (clFinish) \
  X (clEnqueueReadBuffer) \
  X (clEnqueueWriteBuffer) \
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
  X (clEnqueueUnmapMemObject) \
  X (clEnqueueNDRangeKernel) \
  X (clEnqueueMarkerWithWaitList) \
  X (clEnqueueBarrierWithWaitList) \
  X (clGetExtensionFunctionAddressForPlatform) \
  X (clGetGLContextInfoKHR) \
  X (clCreateFromGLTexture) \
  X (clEnqueueAcquireGLObjects) \
  X (clEnqueueReleaseGLObjects)

/* The functions of extensions that can fail, too.  The dispatch table does not
 * have them; the application looks them up by name. */
#define LAYER_EXTENSION_FUNCTIONS(X) \
  X (clEnqueueAcquireExternalMemObjectsKHR) \
  X (clEnqueueReleaseExternalMemObjectsKHR) \
  X (clCreateSemaphoreWithPropertiesKHR) \
  X (clEnqueueWaitSemaphoresKHR) \
  X (clEnqueueSignalSemaphoresKHR)

/* The functions that change reference counts.  Their calls are counted, but
 * never made to fail, because no program could handle such a failure. */
#define LAYER_LIFETIME_FUNCTIONS(X) \
  X (clRetainContext) \
  X (clReleaseContext) \
  X (clRetainCommandQueue) \
  X (clReleaseCommandQueue) \
  X (clRetainMemObject) \
  X (clReleaseMemObject) \
  X (clRetainProgram) \
  X (clReleaseProgram) \
  X (clRetainKernel) \
  X (clReleaseKernel) \
  X (clRetainEvent) \
  X (clReleaseEvent)

/* The functions of extensions that change reference counts. */
#define LAYER_EXTENSION_LIFETIME_FUNCTIONS(X) \
  X (clReleaseSemaphoreKHR)

/*
 * The calls that the plugin never makes, and that have no wrapper.  The first
 * list has the calls which return an error code or nothing, the second one has
 * the calls which return a pointer.  Making one of these calls breaks a rule.
 * When the plugin starts to use a call, move it to a list above.
 *
 * The lists end with OpenCL 1.2 and GL, like the project's headers: the
 * compiler refuses functions that are newer or belong to another extension.
 */
#define LAYER_REFUSED_CALLS(X) \
  X (clGetContextInfo) \
  X (clGetCommandQueueInfo) \
  X (clSetCommandQueueProperty) \
  X (clGetMemObjectInfo) \
  X (clRetainSampler) \
  X (clReleaseSampler) \
  X (clGetSamplerInfo) \
  X (clUnloadCompiler) \
  X (clGetProgramInfo) \
  X (clCreateKernelsInProgram) \
  X (clEnqueueTask) \
  X (clEnqueueNativeKernel) \
  X (clEnqueueMarker) \
  X (clEnqueueWaitForEvents) \
  X (clEnqueueBarrier) \
  X (clGetGLObjectInfo) \
  X (clGetGLTextureInfo) \
  X (clSetEventCallback) \
  X (clSetMemObjectDestructorCallback) \
  X (clSetUserEventStatus) \
  X (clEnqueueReadBufferRect) \
  X (clEnqueueWriteBufferRect) \
  X (clCreateSubDevices) \
  X (clRetainDevice) \
  X (clReleaseDevice) \
  X (clCompileProgram) \
  X (clUnloadPlatformCompiler) \
  X (clEnqueueMigrateMemObjects)

#define LAYER_REFUSED_CREATIONS(X) \
  X (clCreateContextFromType) \
  X (clCreateImage2D) \
  X (clCreateImage3D) \
  X (clCreateSampler) \
  X (clCreateProgramWithBinary) \
  X (clEnqueueMapImage) \
  X (clGetExtensionFunctionAddress) \
  X (clCreateFromGLBuffer) \
  X (clCreateFromGLTexture2D) \
  X (clCreateFromGLTexture3D) \
  X (clCreateFromGLRenderbuffer) \
  X (clCreateSubBuffer) \
  X (clCreateUserEvent) \
  X (clCreateProgramWithBuiltInKernels) \
  X (clLinkProgram)

#define LAYER_FUNCTION(name) LAYER_FUNCTION_##name

typedef enum
{
#define LAYER_FUNCTION_NUMBER(name) LAYER_FUNCTION (name),
  LAYER_FAILING_FUNCTIONS (LAYER_FUNCTION_NUMBER)
  LAYER_EXTENSION_FUNCTIONS (LAYER_FUNCTION_NUMBER)
  LAYER_FAILING_FUNCTION_COUNT,
  /* The next functions are numbered right after the failing functions. */
  LAYER_LIFETIME_FUNCTION_BASE = LAYER_FAILING_FUNCTION_COUNT - 1,
  LAYER_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NUMBER)
  LAYER_EXTENSION_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NUMBER)
  LAYER_FUNCTION_COUNT
#undef LAYER_FUNCTION_NUMBER
} LayerFunction;

/* A wrapper has the type of its entry in the dispatch table, with every version
 * of the OpenCL headers. */
#define LAYER_DECLARE_WRAPPER(name) \
  __typeof__ (*((cl_icd_dispatch *) NULL)->name) layer_##name;
LAYER_FAILING_FUNCTIONS (LAYER_DECLARE_WRAPPER)
LAYER_LIFETIME_FUNCTIONS (LAYER_DECLARE_WRAPPER)
#undef LAYER_DECLARE_WRAPPER

#define LAYER_DECLARE_EXTENSION(name) __typeof__ (name) layer_##name;
LAYER_EXTENSION_FUNCTIONS (LAYER_DECLARE_EXTENSION)
LAYER_EXTENSION_LIFETIME_FUNCTIONS (LAYER_DECLARE_EXTENSION)
#undef LAYER_DECLARE_EXTENSION

#endif /* GLOPENCL_LAYER_FUNCTIONS_H */
