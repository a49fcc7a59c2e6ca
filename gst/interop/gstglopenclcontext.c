/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclcontext.h"

#include <CL/cl_gl.h>
#include <dlfcn.h>
#if GST_GL_HAVE_PLATFORM_EGL
#include <gst/gl/egl/gstgldisplay_egl.h>
#endif

#if GST_GL_OPENCL_EXTERNAL_MEMORY
#include "interop/external/gstglopenclexternal.h"
#endif
#include "gl/gstglopenclsharedimage.h"

/* The contexts in use. A context is removed from the list before it ends. */
static GMutex contexts_lock;
static GSList *contexts;

/* GStreamer loads plugins with RTLD_LOCAL, but Mesa's OpenCL drivers look up
 * the GL loader with dlsym (NULL, ...). Makes the GL libraries that are already
 * loaded visible to these drivers. */
static void
promote_gl_libraries (void)
{
  static const gchar *const libraries[] = {
    "libEGL.so.1", "libGL.so.1", "libGLX.so.0", "libGLdispatch.so.0",
  };

  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++) {
    /* The handle only raises the reference count of a library that is in use
     * anyway. */
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
    /* The raw handle of an EGL device display is not an EGLDisplay. */
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

/* Returns whether GL runs on @device. */
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

static OclContext *
create_context (OclDevice * device, const cl_context_properties * sharing,
    GError ** error)
{
  g_autoptr (OclContext) ocl = ocl_context_new (device, sharing, error);

  return ocl && ocl_context_add_timed_queue (ocl, error)
      ? g_steal_pointer (&ocl) : NULL;
}

static OclContext *
create_sharing_context (GstGLContext * gl_context, OclDevice * device,
    GError ** error)
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
    ocl = create_context (device, properties, error);
  gst_object_unref (display);
  return ocl;
}

/* Passes arguments and results through gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLContext *context;
  const OclFormat *format;
  GError **error;
  gboolean ok;
} ProofCall;

static gboolean
gst_gl_opencl_context_try (GstGLOpenCLContext * self, const OclFormat * format,
    guint plane, GError ** error)
{
#if GST_GL_OPENCL_EXTERNAL_MEMORY
  if (self->external)
    return gst_gl_opencl_external_try (self->external, format, plane, error);
#endif
  gboolean bytes_swapped = FALSE;
  gboolean ok =
      gst_gl_opencl_shared_image_try (self->gl_context, self->ocl, format,
      plane, &bytes_swapped, error);
  if (format == OCL_FORMAT_RGBA)
    self->bytes_swapped = bytes_swapped;
  return ok;
}

/* Runs on the GL thread. */
static gboolean
gst_gl_opencl_context_prove (GstGLOpenCLContext * self,
    const OclFormat * format, GError ** error)
{
  for (guint i = 0; i < format->n_planes; i++) {
    const guint shift = 4 * (format->image_component_bytes - 1);
    const guint kind =
        1 << ocl_format_get_image_components (format, i) << shift;

    if (!(self->shared & kind)
        && !gst_gl_opencl_context_try (self, format, i, error))
      return FALSE;
    self->shared |= kind;
  }
  return TRUE;
}

static void
prove_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  ProofCall *call = data;

  call->ok =
      gst_gl_opencl_context_prove (call->context, call->format, call->error);
}

static gboolean
gst_gl_opencl_context_check_images (GstGLOpenCLContext * self,
    const OclFormat * format, gint width, gint height, GError ** error)
{
  const OclDevice *device = self->ocl->device;
  gboolean supported = ocl_format_has_images (format);

  if (width % (1 << format->texel_shift) != 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "Textures of %s lack a sample if the width is odd, as %d is.",
        format->name, width);
    return FALSE;
  }
  for (guint plane = 0; supported && plane < format->n_planes; plane++) {
    if (!ocl_context_supports_image (self->ocl,
            ocl_format_get_image_format (format, plane), &supported, error))
      return FALSE;
  }
  if (!supported) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no images for %s.", device->name, format->name);
    return FALSE;
  }
  if ((gsize) width > device->image_max_width
      || (gsize) height > device->image_max_height) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "Frames of %dx%d are larger than the %" G_GSIZE_FORMAT "x%"
        G_GSIZE_FORMAT " that images of %s can be.", width, height,
        device->image_max_width, device->image_max_height, device->name);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_gl_opencl_context_check_format (GstGLOpenCLContext * self,
    const OclFormat * format, gint width, gint height, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  ProofCall call = { self, format, &reason, FALSE };

  if (!gst_gl_opencl_context_check_images (self, format, width, height, error))
    return FALSE;
  gst_gl_context_thread_add (self->gl_context, prove_on_gl_thread, &call);
  if (call.ok)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The driver of %s does not share %s frames with OpenGL: %s",
      self->ocl->device->name, format->name, reason ? reason->message
      : "the OpenGL context is gone");
  return FALSE;
}

#if GST_GL_OPENCL_EXTERNAL_MEMORY
static gboolean
gst_gl_opencl_context_open_external (GstGLOpenCLContext * self,
    OclDevice * device, GError ** error)
{
  if (!device->external_memory) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no cl_khr_external_memory_opaque_fd.", device->name);
    return FALSE;
  }
  self->ocl = create_context (device, NULL, error);
  if (!self->ocl)
    return FALSE;
  self->external =
      gst_gl_opencl_external_new (self->gl_context, self->ocl, error);
  return self->external != NULL;
}
#else
static gboolean
gst_gl_opencl_context_open_external (G_GNUC_UNUSED GstGLOpenCLContext * self,
    G_GNUC_UNUSED OclDevice * device, GError ** error)
{
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "This plugin was built without external-memory: build it with "
      "-Dexternal-memory=enabled.");
  return FALSE;
}
#endif

static void
close_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  GstGLOpenCLContext *self = data;

#if GST_GL_OPENCL_EXTERNAL_MEMORY
  g_clear_pointer (&self->external, gst_gl_opencl_external_free);
#endif
  g_clear_pointer (&self->ocl, ocl_context_unref);
}

static void
gst_gl_opencl_context_free (GstGLOpenCLContext * self)
{
  gst_gl_context_thread_add (self->gl_context, close_on_gl_thread, self);
  gst_object_unref (self->gl_context);
  g_free (self);
}

GstGLOpenCLContext *
gst_gl_opencl_context_get (GstGLContext * gl_context, OclDevice * device,
    GstGLOpenCLInteropMode mode, GError ** error)
{
  GstGLOpenCLContext *self = NULL;
  gboolean ok;

  g_mutex_lock (&contexts_lock);
  for (GSList * l = contexts; l && !self; l = l->next) {
    GstGLOpenCLContext *context = l->data;

    if (context->gl_context == gl_context && context->mode == mode
        && context->ocl->device->id == device->id) {
      context->ref_count++;
      self = context;
    }
  }
  g_mutex_unlock (&contexts_lock);
  if (self)
    return self;

  self = g_new0 (GstGLOpenCLContext, 1);
  self->ref_count = 1;
  self->gl_context = gst_object_ref (gl_context);
  self->mode = mode;
  if (mode == GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY) {
    ok = gst_gl_opencl_context_open_external (self, device, error);
  } else {
    self->ocl = mode == GST_GL_OPENCL_INTEROP_HOST_COPY
        ? create_context (device, NULL, error)
        : create_sharing_context (gl_context, device, error);
    ok = self->ocl != NULL;
  }
  /* Check sharing with RGBA, to which every video is converted. Other formats
   * are checked when they are first needed. */
  if (!ok || (mode != GST_GL_OPENCL_INTEROP_HOST_COPY
          && !gst_gl_opencl_context_prove (self, OCL_FORMAT_RGBA, error))) {
    gst_gl_opencl_context_free (self);
    return NULL;
  }
  g_mutex_lock (&contexts_lock);
  contexts = g_slist_prepend (contexts, self);
  g_mutex_unlock (&contexts_lock);
  return self;
}

GstGLOpenCLContext *
gst_gl_opencl_context_ref (GstGLOpenCLContext * context)
{
  g_mutex_lock (&contexts_lock);
  context->ref_count++;
  g_mutex_unlock (&contexts_lock);
  return context;
}

void
gst_gl_opencl_context_unref (GstGLOpenCLContext * context)
{
  g_mutex_lock (&contexts_lock);
  gboolean last = --context->ref_count == 0;
  if (last)
    contexts = g_slist_remove (contexts, context);
  g_mutex_unlock (&contexts_lock);
  if (last)
    gst_gl_opencl_context_free (context);
}
