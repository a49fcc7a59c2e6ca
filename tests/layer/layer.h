/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Common code of the parts of the layer.  All functions may be called from any
 * thread, those about GL on the thread where the context is current. */

#ifndef GLOPENCL_LAYER_H
#define GLOPENCL_LAYER_H

#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>
#include <glib.h>
#include <stdlib.h>

#include "testlayer.h"

/* The functions of OpenCL.  Each is listed once.  The lists generate the
 * numbers and the names of the functions, the declarations of the wrappers, and
 * the entries of the dispatch table.  The wrapper of clSomething is
 * layer_clSomething. The loader calls wrappers on any thread. */

/* The functions that can fail.  A test can make them fail. */
#define LAYER_FAILING_FUNCTIONS(X) \
  X (clGetPlatformIDs) X (clGetPlatformInfo) X (clGetDeviceIDs) \
  X (clGetDeviceInfo) X (clCreateContext) X (clCreateCommandQueue) \
  X (clCreateBuffer) X (clCreateImage) X (clCreateImageWithProperties) \
  X (clGetSupportedImageFormats) X (clGetImageInfo) \
  X (clCreateProgramWithSource) X (clBuildProgram) X (clGetProgramBuildInfo) \
  X (clCreateKernel) X (clSetKernelArg) X (clGetKernelInfo) \
  X (clGetKernelArgInfo) X (clGetKernelWorkGroupInfo) X (clWaitForEvents) \
  X (clGetEventInfo) X (clGetEventProfilingInfo) X (clFlush) X (clFinish) \
  X (clEnqueueReadBuffer) X (clEnqueueWriteBuffer) X (clEnqueueFillBuffer) \
  X (clEnqueueCopyBuffer) X (clEnqueueCopyBufferRect) X (clEnqueueReadImage) \
  X (clEnqueueWriteImage) X (clEnqueueFillImage) X (clEnqueueCopyImage) \
  X (clEnqueueCopyImageToBuffer) X (clEnqueueCopyBufferToImage) \
  X (clEnqueueMapBuffer) X (clEnqueueUnmapMemObject) \
  X (clEnqueueNDRangeKernel) X (clEnqueueMarkerWithWaitList) \
  X (clEnqueueBarrierWithWaitList) \
  X (clGetExtensionFunctionAddressForPlatform) X (clGetGLContextInfoKHR) \
  X (clCreateFromGLTexture) X (clEnqueueAcquireGLObjects) \
  X (clEnqueueReleaseGLObjects)

/* The functions of extensions that can fail, too.  The dispatch table does not
 * have them. The application looks them up by name. */
#define LAYER_EXTENSION_FUNCTIONS(X) \
  X (clEnqueueAcquireExternalMemObjectsKHR) \
  X (clEnqueueReleaseExternalMemObjectsKHR) \
  X (clCreateSemaphoreWithPropertiesKHR) \
  X (clEnqueueWaitSemaphoresKHR) X (clEnqueueSignalSemaphoresKHR)

/* The functions that change reference counts.  Their calls are counted, but
 * never made to fail, because no program could handle such a failure. */
#define LAYER_LIFETIME_FUNCTIONS(X) \
  X (clRetainContext) X (clReleaseContext) \
  X (clRetainCommandQueue) X (clReleaseCommandQueue) \
  X (clRetainMemObject) X (clReleaseMemObject) \
  X (clRetainProgram) X (clReleaseProgram) \
  X (clRetainKernel) X (clReleaseKernel) \
  X (clRetainEvent) X (clReleaseEvent)

/* The functions of extensions that change reference counts. */
#define LAYER_EXTENSION_LIFETIME_FUNCTIONS(X) \
  X (clReleaseSemaphoreKHR)

/* The calls that the plugin never makes, and that have no wrapper: those that
 * return an error code or nothing, and those that return a pointer.  Making one
 * of these calls breaks a rule.  When the plugin starts to use a call, move it
 * to a list above.
 *
 * The lists end with OpenCL 1.2 and GL, like the project's headers: the
 * compiler refuses functions that are newer or belong to another extension. */
#define LAYER_REFUSED_CALLS(X) \
  X (clGetContextInfo) X (clGetCommandQueueInfo) \
  X (clSetCommandQueueProperty) X (clGetMemObjectInfo) X (clRetainSampler) \
  X (clReleaseSampler) X (clGetSamplerInfo) X (clUnloadCompiler) \
  X (clGetProgramInfo) X (clCreateKernelsInProgram) X (clEnqueueTask) \
  X (clEnqueueNativeKernel) X (clEnqueueMarker) X (clEnqueueWaitForEvents) \
  X (clEnqueueBarrier) X (clGetGLObjectInfo) X (clGetGLTextureInfo) \
  X (clSetEventCallback) X (clSetMemObjectDestructorCallback) \
  X (clSetUserEventStatus) X (clEnqueueReadBufferRect) \
  X (clEnqueueWriteBufferRect) X (clCreateSubDevices) X (clRetainDevice) \
  X (clReleaseDevice) X (clCompileProgram) X (clUnloadPlatformCompiler) \
  X (clEnqueueMigrateMemObjects)

#define LAYER_REFUSED_CREATIONS(X) \
  X (clCreateContextFromType) X (clCreateImage2D) X (clCreateImage3D) \
  X (clCreateSampler) X (clCreateProgramWithBinary) X (clEnqueueMapImage) \
  X (clGetExtensionFunctionAddress) X (clCreateFromGLBuffer) \
  X (clCreateFromGLTexture2D) X (clCreateFromGLTexture3D) \
  X (clCreateFromGLRenderbuffer) X (clCreateSubBuffer) X (clCreateUserEvent) \
  X (clCreateProgramWithBuiltInKernels) X (clLinkProgram)

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

/* The configuration from the environment, see testlayer.h. */
typedef struct
{
  gboolean abort_on_violation, sharing, break_sharing, external, semaphores;
  guint corrupt_bytes;          /* bytes of a pixel, G_MAXUINT: any */
  gboolean bgra, discrete, all_gpus, no_rg_images, rgba_shorts, flat_groups;
  /* 0: the limit of the device */
  cl_ulong local_size;
  size_t max_image;
  cl_ulong max_alloc;
} LayerConfig;

/* The driver's functions and the configuration. Both are written once, before
 * the loader knows any function of the layer, and are read-only afterwards. */
extern cl_icd_dispatch layer_target;
extern LayerConfig layer_config;

/* Guards all tracking.  It is never held while calling the driver or GL, as
 * both may block, and the driver may call back into the application. */
extern GMutex layer_mutex;

/* Holds layer_mutex until the end of the block. */
#define LAYER_LOCK \
  g_autoptr (GMutexLocker) layer_locker G_GNUC_UNUSED = \
      g_mutex_locker_new (&layer_mutex)

/* Prints a line which says that @function breaks a rule, and counts the broken
 * rule. */
void layer_violation_note (const char *function, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/* Calls layer_violation_note(), then aborts unless the configuration says
 * otherwise.  The caller does not hold the lock. */
#define layer_violation(...) \
  G_STMT_START { \
    layer_violation_note (__VA_ARGS__); \
    if (layer_config.abort_on_violation) \
      abort (); \
  } G_STMT_END

/* Aborts because the layer is used in a way that makes no sense. */
void layer_misuse (const char *format, ...)
    G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;

/* Counts a call.  Returns the error with which it has to fail, or
 * CL_SUCCESS. */
cl_int layer_call_begin (LayerFunction function);

/* Answers a query like the clGet...Info functions: copies @value, which has
 * @size bytes, to @param_value, and @size to @param_value_size_ret. Either
 * pointer may be NULL. */
cl_int layer_answer (const void *value, size_t size, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret);

/* The parameters that end every query, and every enqueue. */
#define LAYER_INFO_PARAMETERS \
    size_t param_value_size, void *param_value, size_t *param_value_size_ret
#define LAYER_INFO_ARGUMENTS \
    param_value_size, param_value, param_value_size_ret
#define LAYER_EVENT_PARAMETERS \
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, \
    cl_event *event
#define LAYER_EVENT_ARGUMENTS num_events_in_wait_list, event_wait_list, event

/* Objects: the references that the application owns, and the memory that it has
 * mapped.  Only the application's references are counted, not the driver's
 * internal references.  The layer does not track a handle whose creation it has
 * not seen (a root device). */

/* Called when the function @creator (a static string) has created @handle, a
 * "context", for example, with one reference.  NULL is ignored. */
void layer_objects_add (const char *kind, gpointer handle,
    const char *creator);
void layer_objects_retain (gpointer handle);
/* Called before the driver's release function, because the driver may use the
 * address for another object afterwards.  Returns whether the reference was the
 * last one. */
gboolean layer_objects_release (gpointer handle);

typedef enum
{
  LAYER_MAPPED,
  LAYER_UNMAPPED,
  LAYER_UNMAP_REFUSED           /* by a fault: the mapping is not blamed */
} LayerMapping;

void layer_objects_map (cl_mem memory, LayerMapping what);

/* Called at exit.  Report memory that is still mapped as a broken rule, and
 * print the objects that are still alive.  Return whether there were any. */
gboolean layer_objects_report_mapped (void);
gboolean layer_objects_report_alive (void);

/* Tracks the event which @function, an enqueue, has returned, if any. */
static inline void
layer_track_event (cl_int error, const cl_event *event, const char *function)
{
  if (error == CL_SUCCESS && event != NULL)
    layer_objects_add ("event", *event, function);
}

/* Returns the GL context that @context shares with, or NULL if @context does
 * not share. */
gpointer layer_contexts_find (cl_context context);

/* Kernels: which arguments are images from GL, so that a launch can be checked
 * against the rules. */

/* Called when the driver has accepted an argument. */
void layer_kernels_set_argument (cl_kernel kernel, cl_uint index, size_t size,
    const void *value);
/* Checks a launch of @kernel in groups of size @group, or of any size if it is
 * NULL: reports @function for each argument that is an image from GL and is not
 * acquired or has been freed, and for a group that the device cannot have. */
void layer_kernels_check_launch (cl_kernel kernel, cl_uint dimensions,
    const size_t *group, const char *function);
/* Called before the application drops its last reference. */
void layer_kernels_forget (cl_kernel kernel);

/* OpenGL: moves pixels between a texture and the host, with whatever kind of EGL
 * context is current (desktop GL 3 and 4, core or compatibility, OpenGL ES 2 and
 * 3).  The layer does not link GL, but looks it up when GL is first used.  The
 * functions leave all GL state unchanged, except for the error flag. */

gboolean layer_gl_is_current (gpointer gl_context);
gboolean layer_gl_is_texture (cl_GLuint texture);

/* The layout of a texture's pixels in OpenCL, in GL and in host memory. */
typedef struct
{
  cl_GLuint internal_format;
  cl_image_format image_format;
  cl_GLuint format;             /* of transfers from and to the host */
  cl_GLuint type;
  guint bytes;                  /* per pixel */
} LayerPixels;

/* Sets the size of level 0 of a 2D texture, and the layout of its pixels: RGBA
 * bytes if GL does not know the layout.  Returns FALSE if the texture has no
 * size or is not 2D. */
gboolean layer_gl_describe_texture (cl_GLuint texture, int *width,
    int *height, const LayerPixels **pixels);

/* Read and write level 0 of a 2D texture.  @data has tightly packed pixels with
 * the layout @pixels.  A write is complete when the function returns.  Return
 * FALSE if GL refuses. */
gboolean layer_gl_read_texture (cl_GLuint texture, int width, int height,
    const LayerPixels *pixels, guint8 *data);
gboolean layer_gl_write_texture (cl_GLuint texture, int width, int height,
    const LayerPixels *pixels, const guint8 *data);

/* Returns the layout of pixels of images of @format, or NULL. */
const LayerPixels *layer_gl_find_image_pixels (const cl_image_format *format);

/* Gets the first UUID of the device on which the current GL context runs.
 * Returns FALSE if GL does not know it. */
gboolean layer_gl_get_uuid (guint8 uuid[16]);

/* Images made from GL textures or external memory, and the rules about their
 * life.  All functions ignore other memory objects.  A LayerImage stays valid
 * until the application drops its last reference.  If the application uses the
 * image on another thread at that moment, this is an error in the application,
 * as in OpenCL itself. */

typedef struct
{
  cl_mem memory;
  gpointer gl_context;          /* that its OpenCL context shares with */
  cl_GLuint texture;
  int width;
  int height;
  const LayerPixels *pixels;
  gboolean bgra;                /* RGBA bytes are CL_BGRA in OpenCL */
  guint8 *data;                 /* host memory for copies, owned */

  /* An image on external memory has no GL context.  It has a mapping of the
   * memory (owned), the offset of the first pixel, and the bytes of a row. */
  guint8 *mapping;
  gsize mapping_size;
  gsize offset;
  gsize stride;

  /* The lock guards the following members. */
  gboolean acquired;
  gboolean release_refused;     /* still acquired: a release has failed */
} LayerImage;

/* Adds a copy of @image to the known images. */
void layer_images_add (const LayerImage *image);
LayerImage *layer_images_find (cl_mem memory);
/* Called before the application drops its last reference to @memory.  Checks
 * that the rules allow this, and forgets the image. */
void layer_images_remove (cl_mem memory);

/* Reports @function if the GL context is not current.  Returns whether it is. */
gboolean layer_images_check_current (gpointer gl_context,
    const char *function);
/* Reports @function, which enqueues a command on @memory, if @memory is an
 * image that is not acquired. */
void layer_images_check_use (cl_mem memory, const char *function);

/* Copies the pixels of an image from where the application has it, or back. */
typedef cl_int (*LayerCopy) (LayerImage * image, cl_command_queue queue,
    gboolean acquire);

/* Acquire or release images, of external memory or from GL, for @function.
 * Report the broken rules. */
cl_int layer_images_acquire (const char *function, gboolean external,
    LayerCopy copy, cl_command_queue queue, cl_uint count,
    const cl_mem *memory, LAYER_EVENT_PARAMETERS);
cl_int layer_images_release (const char *function, gboolean external,
    LayerCopy copy, cl_command_queue queue, cl_uint count,
    const cl_mem *memory, LAYER_EVENT_PARAMETERS);
/* Called when a release has failed.  The images are still acquired, but the
 * application may free them in this state. */
void layer_images_release_refused (cl_uint count, const cl_mem *memory);

/* Called when the application has waited for @event, or has seen that @event is
 * complete, or when it has finished @queue.  @number is the value of
 * layer_images_release_number() when the application called clFinish. */
void layer_images_event_seen (cl_event event);
guint64 layer_images_release_number (void);
void layer_images_queue_finished (cl_command_queue queue, guint64 number);

/* Called before the application drops its last reference to an event or a
 * queue. From now on, waiting for an object at this address is ignored. */
void layer_images_forget (gpointer event_or_queue);

/* Called at exit.  Reports the releases that have not been waited for.  Returns
 * whether there were any. */
gboolean layer_images_report_owed (void);

#endif /* GLOPENCL_LAYER_H */
