/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wrappers of the functions of the dispatch table, but for those about images
 * from GL.  Each checks for a fault, forwards the call to the driver, and tracks
 * the objects that the driver returns.  Those about platforms and devices report
 * the emulated extensions, and change the reported properties of devices if the
 * environment asks for it. */

#include <string.h>

#include "layer.h"

/* *INDENT-OFF* */
/* The macro arguments "parameters" and "arguments" are parenthesised lists.  The
 * declarations in layer.h check the types of the wrappers against the dispatch
 * table. */

/* Removes the parentheses of a list. */
#define LAYER_LIST(...) __VA_ARGS__

/* Wraps a function which returns an error code. */
#define LAYER_WRAP(name, parameters, arguments) \
cl_int CL_API_CALL \
layer_##name parameters \
{ \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
\
  if (error != CL_SUCCESS) \
    return error; \
  return layer_target.name arguments; \
}

/* Wraps a query.  The lists omit the parameters that end every query. */
#define LAYER_WRAP_QUERY(name, parameters, arguments) \
  LAYER_WRAP (name, (LAYER_LIST parameters, LAYER_INFO_PARAMETERS), \
      (LAYER_LIST arguments, LAYER_INFO_ARGUMENTS))

/* Wraps a function which returns a new object.  The lists omit the last
 * parameter, errcode_ret. */
#define LAYER_WRAP_CREATE(type, kind, name, parameters, arguments) \
type CL_API_CALL \
layer_##name (LAYER_LIST parameters, cl_int *errcode_ret) \
{ \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
  type object = NULL; \
\
  if (error == CL_SUCCESS) { \
    object = layer_target.name (LAYER_LIST arguments, &error); \
    layer_objects_add (kind, object, #name); \
  } \
  if (errcode_ret != NULL) \
    *errcode_ret = error; \
  return object; \
}

/* Wraps a function which enqueues a command.  The lists omit the queue, which
 * is the first parameter, and the parameters that end every enqueue.  "check"
 * is a statement which looks for broken rules; in this statement, "function" is
 * the name of the function. */
#define LAYER_WRAP_ENQUEUE(name, check, parameters, arguments) \
  LAYER_WRAP_ENQUEUE_ALL (name, check, \
      (cl_command_queue queue, LAYER_LIST parameters, LAYER_EVENT_PARAMETERS), \
      (queue, LAYER_LIST arguments, LAYER_EVENT_ARGUMENTS))

/* Wraps a function which enqueues a command.  The lists have all parameters. */
#define LAYER_WRAP_ENQUEUE_ALL(name, check, parameters, arguments) \
cl_int CL_API_CALL \
layer_##name parameters \
{ \
  static const char function[] = #name; \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
\
  if (error != CL_SUCCESS) \
    return error; \
  check; \
  error = layer_target.name arguments; \
  layer_track_event (error, event, function); \
  return error; \
}

/* Wraps the two functions which change the reference count of objects of a
 * type. "forget" is a statement that runs before the last reference to "object"
 * is dropped. */
#define LAYER_WRAP_LIFETIME(type, suffix, forget) \
cl_int CL_API_CALL \
layer_clRetain##suffix (type object) \
{ \
  cl_int error; \
\
  layer_call_begin (LAYER_FUNCTION (clRetain##suffix)); \
  error = layer_target.clRetain##suffix (object); \
  if (error == CL_SUCCESS) \
    layer_objects_retain (object); \
  return error; \
} \
\
cl_int CL_API_CALL \
layer_clRelease##suffix (type object) \
{ \
  layer_call_begin (LAYER_FUNCTION (clRelease##suffix)); \
  if (layer_objects_release (object)) { \
    forget; \
  } \
  return layer_target.clRelease##suffix (object); \
}
/* *INDENT-ON* */

/* Contexts */

/* Properties as the application has given them, read by layer_parse(). */
typedef struct
{
  cl_platform_id platform;
  gpointer gl_context;          /* NULL: they do not ask for sharing */
  GArray *plain;                /* those without GL, NULL-terminated, owned */
} LayerProperties;

/* The table from cl_context to GL context, of those that share.  With the
 * lock. */
static GHashTable *all_contexts;

__attribute__((constructor))
     static void layer_contexts_init (void)
{
  all_contexts = g_hash_table_new (NULL, NULL);
}

gpointer
layer_contexts_find (cl_context handle)
{
  LAYER_LOCK;

  return g_hash_table_lookup (all_contexts, handle);
}

static void
layer_contexts_set (cl_context handle, gpointer gl_context)
{
  LAYER_LOCK;

  if (gl_context != NULL)
    g_hash_table_replace (all_contexts, handle, gl_context);
  else
    g_hash_table_remove (all_contexts, handle);
}

static cl_int
layer_parse (const cl_context_properties * properties, LayerProperties * parsed)
{
  gpointer display = NULL;
  gboolean shares = FALSE;

  parsed->plain = g_array_new (TRUE, TRUE, sizeof (cl_context_properties));
  for (; properties != NULL && *properties != 0; properties += 2) {
    gpointer value = (gpointer) properties[1];

    switch (properties[0]) {
      case CL_GL_CONTEXT_KHR:
        parsed->gl_context = value;
        shares = TRUE;
        continue;
      case CL_EGL_DISPLAY_KHR:
        display = value;
        shares = TRUE;
        continue;
      case CL_CONTEXT_PLATFORM:
        parsed->platform = value;
        break;
      default:
        break;
    }
    g_array_append_vals (parsed->plain, properties, 2);
  }
  if (shares && (parsed->gl_context == NULL || display == NULL))
    return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
  return CL_SUCCESS;
}

/* *INDENT-OFF* */
LAYER_WRAP_LIFETIME (cl_context, Context, layer_contexts_set (object, NULL))

typedef void (CL_CALLBACK *LayerContextNotify) (const char *, const void *,
    size_t, void *);
/* *INDENT-ON* */

/* Creates a context with the emulation, which the driver does not see. */
static cl_context
layer_create_context (const cl_context_properties * properties,
    cl_uint num_devices, const cl_device_id * devices,
    LayerContextNotify notify, void *user_data, cl_int * error)
{
  LayerProperties parsed = { 0 };
  cl_context context = NULL;

  *error = layer_parse (properties, &parsed);
  if (*error == CL_SUCCESS)
    context = layer_target.clCreateContext (properties == NULL ? NULL
        : (gpointer) parsed.plain->data, num_devices, devices, notify,
        user_data, error);
  if (context != NULL && parsed.gl_context != NULL)
    layer_contexts_set (context, parsed.gl_context);
  g_array_unref (parsed.plain);
  return context;
}

cl_context CL_API_CALL
layer_clCreateContext (const cl_context_properties * properties,
    cl_uint num_devices, const cl_device_id * devices,
    LayerContextNotify notify, void *user_data, cl_int * errcode_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clCreateContext));
  cl_context context = NULL;

  if (error == CL_SUCCESS)
    context = (layer_config.sharing ? layer_create_context
        : layer_target.clCreateContext) (properties, num_devices, devices,
        notify, user_data, &error);
  layer_objects_add ("context", context, "clCreateContext");
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return context;
}

/* The one device that can share with the GL context of @properties. */
static cl_int
layer_sharing_device (const cl_context_properties * properties,
    cl_device_id * device)
{
  LayerProperties parsed = { 0 };
  cl_int error = layer_parse (properties, &parsed);

  g_array_unref (parsed.plain);
  if (error != CL_SUCCESS)
    return error;
  if (parsed.gl_context == NULL)
    return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
  if (parsed.platform == NULL)
    return CL_INVALID_PLATFORM;
  return layer_target.clGetDeviceIDs (parsed.platform, CL_DEVICE_TYPE_ALL, 1,
      device, NULL);
}

cl_int CL_API_CALL
layer_clGetGLContextInfoKHR (const cl_context_properties * properties,
    cl_gl_context_info param_name, LAYER_INFO_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetGLContextInfoKHR));
  cl_device_id device;

  if (error != CL_SUCCESS)
    return error;
  if (!layer_config.sharing)
    return layer_target.clGetGLContextInfoKHR (properties, param_name,
        LAYER_INFO_ARGUMENTS);

  error = layer_sharing_device (properties, &device);
  if (error != CL_SUCCESS)
    return error;
  if (param_name != CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR
      && param_name != CL_DEVICES_FOR_GL_CONTEXT_KHR)
    return CL_INVALID_VALUE;
  return layer_answer (&device, sizeof (device), LAYER_INFO_ARGUMENTS);
}

/* Platforms and devices */

/* *INDENT-OFF* */
LAYER_WRAP (clGetPlatformIDs,
    (cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms),
    (num_entries, platforms, num_platforms))
/* *INDENT-ON* */

/* The extensions that the driver reports for @device, or for @platform if that
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

/* @extensions, to which the emulated ones are added if they are missing, as far
 * as the configuration asks for them. */
static char *
layer_add_extensions (const char *extensions)
{
  g_auto (GStrv) words = g_strsplit (extensions, " ", -1);
  const struct
  {
    gboolean is_asked;
    const char *name;
  } emulated[] = {
    {layer_config.sharing, "cl_khr_gl_sharing"},
    {layer_config.external, "cl_khr_external_memory_opaque_fd"},
    {layer_config.semaphores, "cl_khr_external_semaphore_opaque_fd"},
  };
  GString *all = g_string_new (extensions);

  for (guint i = 0; i < G_N_ELEMENTS (emulated); i++) {
    const char *name = emulated[i].name;

    if (emulated[i].is_asked
        && !g_strv_contains ((const char *const *) words, name))
      g_string_append_printf (all, " %s", name);
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
  const LayerConfig *config = &layer_config;
  const struct
  {
    gboolean is_asked;
    cl_device_info name;
    const void *value;
    size_t size;
  } answers[] = {
    {config->all_gpus, CL_DEVICE_TYPE, &gpu, sizeof (gpu)},
    {config->discrete, CL_DEVICE_HOST_UNIFIED_MEMORY, &no, sizeof (no)},
    {config->local_size > 0, CL_DEVICE_LOCAL_MEM_SIZE, &config->local_size,
        sizeof (config->local_size)},
    {config->flat_groups, CL_DEVICE_MAX_WORK_ITEM_SIZES, flat, sizeof (flat)},
    {config->max_image > 0, CL_DEVICE_IMAGE2D_MAX_WIDTH, &config->max_image,
        sizeof (config->max_image)},
    {config->max_image > 0, CL_DEVICE_IMAGE2D_MAX_HEIGHT, &config->max_image,
        sizeof (config->max_image)},
    {config->max_alloc > 0, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &config->max_alloc,
        sizeof (config->max_alloc)},
  };
  guint8 uuid[CL_UUID_SIZE_KHR];
  cl_int error = layer_call_begin (LAYER_FUNCTION (clGetDeviceInfo));

  if (error != CL_SUCCESS)
    return error;
  if (param_name == CL_DEVICE_EXTENSIONS)
    return layer_answer_extensions (NULL, device, LAYER_INFO_ARGUMENTS);
  if (layer_config.external && param_name == CL_DEVICE_UUID_KHR)
    return layer_gl_get_uuid (uuid) ? layer_answer (uuid, sizeof (uuid),
        LAYER_INFO_ARGUMENTS) : CL_INVALID_VALUE;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++) {
    if (answers[i].is_asked && param_name == answers[i].name)
      return layer_answer (answers[i].value, answers[i].size,
          LAYER_INFO_ARGUMENTS);
  }
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

/* *INDENT-OFF* */
/* Reference counts */

LAYER_WRAP_LIFETIME (cl_command_queue, CommandQueue,
    layer_images_forget (object))
LAYER_WRAP_LIFETIME (cl_mem, MemObject, layer_images_remove (object))
LAYER_WRAP_LIFETIME (cl_program, Program, )
LAYER_WRAP_LIFETIME (cl_kernel, Kernel, layer_kernels_forget (object))
LAYER_WRAP_LIFETIME (cl_event, Event, layer_images_forget (object))

/* Command queues */

LAYER_WRAP_CREATE (cl_command_queue, "command queue", clCreateCommandQueue,
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

LAYER_WRAP_CREATE (cl_mem, "memory object", clCreateBuffer,
    (cl_context context, cl_mem_flags flags, size_t size, void *host_ptr),
    (context, flags, size, host_ptr))

LAYER_WRAP_CREATE (cl_mem, "memory object", clCreateImage,
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
    if (layer_config.rgba_shorts && all[i].image_channel_order != CL_RGBA
        && all[i].image_channel_data_type == CL_UNORM_INT16)
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

LAYER_WRAP_CREATE (cl_program, "program", clCreateProgramWithSource,
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

LAYER_WRAP_CREATE (cl_kernel, "kernel", clCreateKernel,
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

/* *INDENT-OFF* */
#define USES(memory) layer_images_check_use (memory, function)

/* Buffers, which never come from GL here */

LAYER_WRAP_ENQUEUE (clEnqueueReadBuffer, ,
    (cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
        void *pointer),
    (buffer, blocking, offset, size, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueWriteBuffer, ,
    (cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
        const void *pointer),
    (buffer, blocking, offset, size, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueFillBuffer, ,
    (cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
        size_t size),
    (buffer, pattern, pattern_size, offset, size))

LAYER_WRAP_ENQUEUE (clEnqueueCopyBuffer, ,
    (cl_mem source, cl_mem target, size_t source_offset, size_t target_offset,
        size_t size),
    (source, target, source_offset, target_offset, size))

LAYER_WRAP_ENQUEUE (clEnqueueCopyBufferRect, ,
    (cl_mem source, cl_mem target, const size_t *source_origin,
        const size_t *target_origin, const size_t *region,
        size_t source_row_pitch, size_t source_slice_pitch,
        size_t target_row_pitch, size_t target_slice_pitch),
    (source, target, source_origin, target_origin, region, source_row_pitch,
        source_slice_pitch, target_row_pitch, target_slice_pitch))

/* Images */

LAYER_WRAP_ENQUEUE (clEnqueueReadImage, USES (image),
    (cl_mem image, cl_bool blocking, const size_t *origin,
        const size_t *region, size_t row_pitch, size_t slice_pitch,
        void *pointer),
    (image, blocking, origin, region, row_pitch, slice_pitch, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueWriteImage, USES (image),
    (cl_mem image, cl_bool blocking, const size_t *origin,
        const size_t *region, size_t row_pitch, size_t slice_pitch,
        const void *pointer),
    (image, blocking, origin, region, row_pitch, slice_pitch, pointer))

LAYER_WRAP_ENQUEUE (clEnqueueFillImage, USES (image),
    (cl_mem image, const void *color, const size_t *origin,
        const size_t *region),
    (image, color, origin, region))

LAYER_WRAP_ENQUEUE (clEnqueueCopyImage, USES (source); USES (target),
    (cl_mem source, cl_mem target, const size_t *source_origin,
        const size_t *target_origin, const size_t *region),
    (source, target, source_origin, target_origin, region))

LAYER_WRAP_ENQUEUE (clEnqueueCopyImageToBuffer, USES (image),
    (cl_mem image, cl_mem buffer, const size_t *origin, const size_t *region,
        size_t offset),
    (image, buffer, origin, region, offset))

LAYER_WRAP_ENQUEUE (clEnqueueCopyBufferToImage, USES (image),
    (cl_mem buffer, cl_mem image, size_t offset, const size_t *origin,
        const size_t *region),
    (buffer, image, offset, origin, region))

/* Mapping */

void *CL_API_CALL
layer_clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
    LAYER_EVENT_PARAMETERS, cl_int *errcode_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueMapBuffer));
  void *pointer = NULL;

  if (error == CL_SUCCESS) {
    pointer = layer_target.clEnqueueMapBuffer (queue, buffer, blocking, flags,
        offset, size, LAYER_EVENT_ARGUMENTS, &error);
    layer_track_event (error, event, "clEnqueueMapBuffer");
    if (error == CL_SUCCESS)
      layer_objects_map (buffer, LAYER_MAPPED);
  }
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return pointer;
}

cl_int CL_API_CALL
layer_clEnqueueUnmapMemObject (cl_command_queue queue, cl_mem memory,
    void *pointer, LAYER_EVENT_PARAMETERS)
{
  static const char function[] = "clEnqueueUnmapMemObject";
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueUnmapMemObject));

  if (error != CL_SUCCESS) {
    layer_objects_map (memory, LAYER_UNMAP_REFUSED);
    return error;
  }
  USES (memory);
  error = layer_target.clEnqueueUnmapMemObject (queue, memory, pointer,
      LAYER_EVENT_ARGUMENTS);
  layer_track_event (error, event, function);
  if (error == CL_SUCCESS)
    layer_objects_map (memory, LAYER_UNMAPPED);
  return error;
}

/* Kernels */

LAYER_WRAP_ENQUEUE (clEnqueueNDRangeKernel,
    layer_kernels_check_launch (kernel, dimensions, local_size, function),
    (cl_kernel kernel, cl_uint dimensions, const size_t *global_offset,
        const size_t *global_size, const size_t *local_size),
    (kernel, dimensions, global_offset, global_size, local_size))

/* Synchronisation */

LAYER_WRAP_ENQUEUE_ALL (clEnqueueMarkerWithWaitList, ,
    (cl_command_queue queue, LAYER_EVENT_PARAMETERS),
    (queue, LAYER_EVENT_ARGUMENTS))

LAYER_WRAP_ENQUEUE_ALL (clEnqueueBarrierWithWaitList, ,
    (cl_command_queue queue, LAYER_EVENT_PARAMETERS),
    (queue, LAYER_EVENT_ARGUMENTS))

/* *INDENT-ON* */
