/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclcontext.h"

#include <CL/cl_gl.h>
#include <dlfcn.h>
#if GST_GL_HAVE_PLATFORM_EGL
#include <gst/gl/egl/gstgldisplay_egl.h>
#endif

#include "gstglopencltrial.h"

/* Contexts in use; an entry leaves before its context ends. */
static GMutex contexts_lock;
static GSList *contexts;

/* GStreamer loads plugins RTLD_LOCAL, and Mesa's OpenCL drivers look the GL
 * loader up with dlsym (NULL, ...): make what is loaded visible. */
static void
promote_gl_libraries (void)
{
  static const gchar *const libraries[] = {
    "libEGL.so.1", "libGL.so.1", "libGLX.so.0", "libGLdispatch.so.0",
  };

  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++) {
    /* The handle only raises the count of a library that is in use anyway. */
    void *handle = dlopen (libraries[i], RTLD_NOLOAD | RTLD_GLOBAL | RTLD_LAZY);
    if (handle)
      dlclose (handle);
  }
}

static gboolean
get_display_property (GstGLContext * gl_context,
    cl_context_properties properties[2], GstGLDisplay ** display)
{
  GstGLPlatform platform = gst_gl_context_get_gl_platform (gl_context);

#if GST_GL_HAVE_PLATFORM_EGL
  if (platform == GST_GL_PLATFORM_EGL) {
    /* The raw handle of an EGL device display is no EGLDisplay. */
    GstGLDisplayEGL *egl =
        gst_gl_display_egl_from_gl_display (gl_context->display);
    if (!egl)
      return FALSE;
    *display = GST_GL_DISPLAY (egl);
    properties[0] = CL_EGL_DISPLAY_KHR;
    properties[1] = (cl_context_properties)
        gst_gl_display_get_handle (*display);
    return TRUE;
  }
#endif
  if (platform == GST_GL_PLATFORM_GLX) {
    *display = gst_object_ref (gl_context->display);
    properties[0] = CL_GLX_DISPLAY_KHR;
    properties[1] = (cl_context_properties)
        gst_gl_display_get_handle (*display);
    return TRUE;
  }
  return FALSE;
}

/* Whether @device is the one that GL runs on. */
static gboolean
check_gl_device (OclDevice * device, const cl_context_properties * sharing,
    GError ** error)
{
  clGetGLContextInfoKHR_fn get_info = (clGetGLContextInfoKHR_fn)
      clGetExtensionFunctionAddressForPlatform (device->platform,
      "clGetGLContextInfoKHR");
  if (!get_info) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "The driver of %s has no clGetGLContextInfoKHR.", device->name);
    return FALSE;
  }

  const cl_context_properties properties[] = {
    sharing[0], sharing[1], sharing[2], sharing[3],
    CL_CONTEXT_PLATFORM, (cl_context_properties) device->platform, 0
  };
  cl_device_id id = NULL;
  size_t size = 0;
  cl_int status = get_info (properties, CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR,
      sizeof (id), &id, &size);
  if (status != CL_SUCCESS) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "The driver of %s does not share with this kind of OpenGL context: "
        "clGetGLContextInfoKHR gives %s.", device->name,
        ocl_status_to_string (status));
    return FALSE;
  }
  if (size == 0 || id != device->id) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s is not the device that OpenGL runs on.", device->name);
    return FALSE;
  }
  return TRUE;
}

/* Proven with what every video becomes, RGBA; other formats are when they
 * come. */
static OclContext *
create_sharing_context (GstGLContext * gl_context, OclDevice * device,
    gboolean * bytes_swapped, GError ** error)
{
  cl_context_properties properties[5] = { CL_GL_CONTEXT_KHR,
    (cl_context_properties) gst_gl_context_get_gl_context (gl_context), 0, 0, 0
  };
  GstGLDisplay *display = NULL;

  if (!device->gl_sharing) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no cl_khr_gl_sharing.", device->name);
    return NULL;
  }
  promote_gl_libraries ();
  if (!get_display_property (gl_context, properties + 2, &display)) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "OpenGL runs neither on EGL nor on GLX.");
    return NULL;
  }

  OclContext *ocl = NULL;
  if (check_gl_device (device, properties, error))
    ocl = ocl_context_new (device, properties, error);
  if (ocl && !gst_gl_opencl_trial_run (gl_context, ocl, OCL_FORMAT_RGBA, 0,
          bytes_swapped, error))
    g_clear_pointer (&ocl, ocl_context_unref);
  gst_object_unref (display);
  return ocl;
}

static GstGLOpenCLContext *
find_context (GstGLContext * gl_context, OclDevice * device,
    gboolean gl_sharing)
{
  GstGLOpenCLContext *found = NULL;

  g_mutex_lock (&contexts_lock);
  for (GSList * l = contexts; l && !found; l = l->next) {
    GstGLOpenCLContext *context = l->data;

    if (context->gl_context == gl_context && context->gl_sharing == gl_sharing
        && context->ocl->device->id == device->id) {
      context->ref_count++;
      found = context;
    }
  }
  g_mutex_unlock (&contexts_lock);
  return found;
}

/* For gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLContext *context;
  const OclFormat *format;
  GError **error;
  gboolean ok;
} SharesJob;

/* The bit of @shared of the kind of texture that a plane takes. */
static guint
get_kind (const OclFormat * format, guint plane)
{
  const guint bytes = format->image_component_bytes;

  return 1 << ocl_format_get_group_bytes (format, plane) / bytes
      << 4 * (bytes - 1);
}

static void
prove_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  SharesJob *job = data;
  GstGLOpenCLContext *context = job->context;
  gboolean bytes_swapped;

  job->ok = TRUE;
  for (guint i = 0; job->ok && i < job->format->n_planes; i++) {
    const guint kind = get_kind (job->format, i);

    job->ok = context->shared & kind || gst_gl_opencl_trial_run (gl_context,
        context->ocl, job->format, i, &bytes_swapped, job->error);
    if (job->ok)
      context->shared |= kind;
  }
}

gboolean
gst_gl_opencl_context_shares (GstGLOpenCLContext * context,
    const OclFormat * format, GError ** error)
{
  SharesJob job = { context, format, error, FALSE };

  gst_gl_context_thread_add (context->gl_context, prove_on_gl_thread, &job);
  return job.ok;
}

GstGLOpenCLContext *
gst_gl_opencl_context_get (GstGLContext * gl_context, OclDevice * device,
    gboolean gl_sharing, GError ** error)
{
  GstGLOpenCLContext *context = find_context (gl_context, device, gl_sharing);
  gboolean bytes_swapped = FALSE;
  if (context)
    return context;

  OclContext *ocl = gl_sharing
      ? create_sharing_context (gl_context, device, &bytes_swapped, error)
      : ocl_context_new (device, NULL, error);
  if (!ocl)
    return NULL;

  context = g_new0 (GstGLOpenCLContext, 1);
  context->ref_count = 1;
  context->gl_context = gst_object_ref (gl_context);
  context->ocl = ocl;
  context->gl_sharing = gl_sharing;
  context->bytes_swapped = bytes_swapped;
  context->shared = gl_sharing ? get_kind (OCL_FORMAT_RGBA, 0) : 0;
  g_mutex_lock (&contexts_lock);
  contexts = g_slist_prepend (contexts, context);
  g_mutex_unlock (&contexts_lock);
  return context;
}

GstGLOpenCLContext *
gst_gl_opencl_context_ref (GstGLOpenCLContext * context)
{
  g_mutex_lock (&contexts_lock);
  context->ref_count++;
  g_mutex_unlock (&contexts_lock);
  return context;
}

static void
destroy_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  GstGLOpenCLContext *context = data;

  (void) gl_context;
  ocl_context_unref (context->ocl);
}

void
gst_gl_opencl_context_unref (GstGLOpenCLContext * context)
{
  g_mutex_lock (&contexts_lock);
  gboolean last = --context->ref_count == 0;
  if (last)
    contexts = g_slist_remove (contexts, context);
  g_mutex_unlock (&contexts_lock);
  if (!last)
    return;

  gst_gl_context_thread_add (context->gl_context, destroy_on_gl_thread,
      context);
  gst_object_unref (context->gl_context);
  g_free (context);
}
