/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of the functions about contexts.  The layer removes the properties
 * that ask for sharing with GL, and remembers them; the driver gets the other
 * properties.
 */

#include "layercontexts.h"

#include <CL/cl_gl.h>

#include "layerwrap.h"

/* Properties as the application has given them, read by layer_parse(). */
typedef struct
{
  cl_platform_id platform;
  gpointer gl_context;          /* NULL: they do not ask for sharing */
  GArray *plain;                /* those without GL, NULL-terminated, owned */
} LayerProperties;

/* The table from cl_context to GL context, of those that share.  With the
 * lock. */
static GHashTable *
layer_contexts (void)
{
  static GHashTable *contexts;

  if (contexts == NULL)
    contexts = g_hash_table_new (NULL, NULL);
  return contexts;
}

static void
layer_contexts_add (cl_context handle, gpointer gl_context)
{
  LAYER_LOCK;

  g_hash_table_replace (layer_contexts (), handle, gl_context);
}

gpointer
layer_contexts_find (cl_context handle)
{
  LAYER_LOCK;

  return g_hash_table_lookup (layer_contexts (), handle);
}

static void
layer_contexts_forget (cl_context handle)
{
  LAYER_LOCK;

  g_hash_table_remove (layer_contexts (), handle);
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
LAYER_WRAP_LIFETIME (cl_context, Context, layer_contexts_forget (object))

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
    layer_contexts_add (context, parsed.gl_context);
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
  layer_objects_add (LAYER_OBJECT_CONTEXT, context, "clCreateContext");
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
