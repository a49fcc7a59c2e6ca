/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclcontext.h"

#include <CL/cl_gl.h>
#include <dlfcn.h>
#include <gst/gl/gstglfuncs.h>
#include <string.h>
#if GST_GL_HAVE_PLATFORM_EGL
#include <gst/gl/egl/gstgldisplay_egl.h>
#endif

#define TRIAL_SIDE 16
#define TRIAL_BYTES (TRIAL_SIDE * TRIAL_SIDE * 4)

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
    void *handle =
        dlopen (libraries[i], RTLD_NOLOAD | RTLD_GLOBAL | RTLD_LAZY);
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

/* A texture of the format that GstGLMemory has, or 0. */
static guint
create_trial_texture (GstGLContext * gl_context, const guint8 * bytes)
{
  const GstGLFuncs *gl = gl_context->gl_vtable;
  guint texture = 0;

  gl->GenTextures (1, &texture);
  gl->BindTexture (GL_TEXTURE_2D, texture);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl->TexImage2D (GL_TEXTURE_2D, 0,
      gst_gl_sized_gl_format_from_gl_format_type (gl_context, GL_RGBA,
          GL_UNSIGNED_BYTE), TRIAL_SIDE, TRIAL_SIDE, 0, GL_RGBA,
      GL_UNSIGNED_BYTE, bytes);
  gl->BindTexture (GL_TEXTURE_2D, 0);
  if (gl->GetError () != GL_NO_ERROR) {
    gl->DeleteTextures (1, &texture);
    return 0;
  }
  return texture;
}

static gboolean
read_trial_texture (const GstGLFuncs * gl, guint texture, guint8 * bytes)
{
  guint framebuffer = 0;

  gl->GenFramebuffers (1, &framebuffer);
  gl->BindFramebuffer (GL_FRAMEBUFFER, framebuffer);
  gl->FramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
      GL_TEXTURE_2D, texture, 0);
  gboolean complete = gl->CheckFramebufferStatus (GL_FRAMEBUFFER)
      == GL_FRAMEBUFFER_COMPLETE;
  if (complete)
    gl->ReadPixels (0, 0, TRIAL_SIDE, TRIAL_SIDE, GL_RGBA, GL_UNSIGNED_BYTE,
        bytes);
  gl->BindFramebuffer (GL_FRAMEBUFFER, 0);
  gl->DeleteFramebuffers (1, &framebuffer);
  return complete && gl->GetError () == GL_NO_ERROR;
}

/* Takes the image from GL, reads what GL wrote and writes its complement. The
 * commands have ended when this returns. */
static gboolean
run_trial_commands (OclContext * ocl, cl_mem image, guint8 * seen,
    guint8 * written, GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { TRIAL_SIDE, TRIAL_SIDE, 1 };

  if (!ocl_check (clEnqueueAcquireGLObjects (ocl->queue, 1, &image, 0, NULL,
              NULL), "clEnqueueAcquireGLObjects", error))
    return FALSE;

  gboolean ok = ocl_check (clEnqueueReadImage (ocl->queue, image, CL_TRUE,
          origin, region, 0, 0, seen, 0, NULL, NULL), "clEnqueueReadImage",
      error);
  if (ok) {
    for (guint i = 0; i < TRIAL_BYTES; i++)
      written[i] = ~seen[i];
    ok = ocl_check (clEnqueueWriteImage (ocl->queue, image, CL_TRUE, origin,
            region, 0, 0, written, 0, NULL, NULL), "clEnqueueWriteImage",
        error);
  }

  ok = ocl_check (clEnqueueReleaseGLObjects (ocl->queue, 1, &image, 0, NULL,
          NULL), "clEnqueueReleaseGLObjects", ok ? error : NULL) && ok;
  return ocl_context_finish (ocl, ok ? error : NULL) && ok;
}

gboolean
gst_gl_opencl_context_check_image (cl_mem image, const OclFormat * format,
    guint plane, gboolean * bytes_swapped, GError ** error)
{
  const cl_image_format wanted = ocl_format_get_image_format (format, plane);
  cl_image_format found = { 0, 0 };

  if (!ocl_check (clGetImageInfo (image, CL_IMAGE_FORMAT, sizeof (found),
              &found, NULL), "clGetImageInfo", error))
    return FALSE;
  *bytes_swapped = wanted.image_channel_order == CL_RGBA
      && found.image_channel_order == CL_BGRA;
  if (found.image_channel_data_type == wanted.image_channel_data_type
      && (*bytes_swapped
          || found.image_channel_order == wanted.image_channel_order))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The driver shares %s textures as a format that is not supported (order "
      "0x%x, type 0x%x).", format->name, found.image_channel_order,
      found.image_channel_data_type);
  return FALSE;
}

/* Some drivers accept everything and share nothing. */
static gboolean
prove_sharing (GstGLContext * gl_context, OclContext * ocl,
    gboolean * bytes_swapped, GError ** error)
{
  const GstGLFuncs *gl = gl_context->gl_vtable;
  guint8 original[TRIAL_BYTES];
  guint8 seen[TRIAL_BYTES];
  guint8 written[TRIAL_BYTES];
  guint8 result[TRIAL_BYTES] = { 0, };
  cl_int status = CL_SUCCESS;
  gboolean ok = FALSE;

  for (guint i = 0; i < TRIAL_BYTES; i++)
    original[i] = i * 7 + i / 256;
  /* Not what somebody before left behind. */
  while (gl->GetError () != GL_NO_ERROR);
  guint texture = create_trial_texture (gl_context, original);
  if (!texture) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "OpenGL cannot make a trial texture.");
    return FALSE;
  }
  cl_mem image = clCreateFromGLTexture (ocl->context, CL_MEM_READ_WRITE,
      GL_TEXTURE_2D, 0, texture, &status);
  if (!ocl_check (status, "clCreateFromGLTexture", error)
      || !gst_gl_opencl_context_check_image (image, OCL_FORMAT_RGBA, 0,
          bytes_swapped, error))
    goto done;

  gl->Finish ();
  if (!run_trial_commands (ocl, image, seen, written, error))
    goto done;

  ok = read_trial_texture (gl, texture, result);
  for (guint i = 0; ok && i < TRIAL_BYTES; i++)
    ok = (result[i] ^ original[i]) == 0xff;
  if (!ok)
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A trial texture did not come back from OpenCL as it was written.");

done:
  if (image)
    clReleaseMemObject (image);
  gl->DeleteTextures (1, &texture);
  return ok;
}

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
  if (ocl && !prove_sharing (gl_context, ocl, bytes_swapped, error))
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
