/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclinterop.h"

#if GST_GL_HAVE_PLATFORM_EGL
#include <gst/gl/egl/gstglmemoryegl.h>
#endif

#if GST_GL_OPENCL_EXTERNAL_MEMORY
#include "gstglopenclexternalallocator.h"
#endif

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_interop_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_interop_debug

static const OclValue modes[] = {
  {GST_GL_OPENCL_INTEROP_AUTO, "auto",
      "The first that works of gl-sharing, external-memory and host-copy; "
        "of external-memory, gl-sharing and host-copy for live sources"},
  {GST_GL_OPENCL_INTEROP_GL_SHARING, "gl-sharing",
      "OpenCL borrows the textures through cl_khr_gl_sharing, "
        "without a copy"},
  {GST_GL_OPENCL_INTEROP_HOST_COPY, "host-copy",
      "Frames are mapped to host memory, and OpenCL reads and "
        "writes them there"},
  {GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY, "external-memory",
      "OpenGL and OpenCL share memory that Vulkan allocated; "
        "frames in other textures are copied on the GPU"},
  {0, NULL, NULL},
};

const OclValues gst_gl_opencl_interop_modes = {
  "interop-mode", modes
};

/* Returns the context of the first device that matches @selector and shares
 * with GL by @mode. If there is none, returns NULL with the error of the first
 * device that does not share. */
static GstGLOpenCLContext *
get_sharing (GstGLContext * gl_context, GPtrArray * devices,
    const gchar * selector, GstGLOpenCLInteropMode mode, GstObject * owner,
    GError ** error)
{
  for (guint i = 0; i < devices->len; i++) {
    OclDevice *device = g_ptr_array_index (devices, i);
    GError *reason = NULL;

    if (!ocl_device_matches (device, selector))
      continue;
    GstGLOpenCLContext *context =
        gst_gl_opencl_context_get (gl_context, device, mode, &reason);
    if (context) {
      g_clear_error (error);
      return context;
    }
    GST_DEBUG_OBJECT (owner, "%s does not share with OpenGL: %s", device->name,
        reason->message);
    if (*error)
      g_error_free (reason);
    else
      g_propagate_error (error, reason);
  }
  return NULL;
}

/* Returns a remedy that makes @mode available. */
static const gchar *
get_hint (GstGLOpenCLInteropMode mode, GstGLContext * gl_context,
    GPtrArray * devices)
{
  if (mode == GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY)
    return
        "OpenGL, OpenCL and Vulkan must run on the same GPU, with "
        "OpenGL 4.3 and drivers that share memory as file " "descriptors.";
  for (guint i = 0; i < devices->len; i++) {
    OclDevice *device = g_ptr_array_index (devices, i);

    if (g_str_has_prefix (device->platform_name, "NVIDIA")
        && gst_gl_context_get_gl_platform (gl_context) == GST_GL_PLATFORM_EGL)
      return "With NVIDIA's driver OpenGL must run on GLX: set "
          "GST_GL_PLATFORM=glx.";
  }
  return "OpenGL and OpenCL must run on the same GPU, with an "
      "OpenCL driver that has cl_khr_gl_sharing.";
}

/* Tries the backends for sharing between GL and OpenCL that @request allows.
 * Returns NULL if none works, and sets @error if @request requires one of these
 * backends. */
static GstGLOpenCLContext *
try_sharing (GstGLContext * gl_context, GPtrArray * devices,
    const GstGLOpenCLRequest * request, GstObject * owner, GError ** error)
{
  /* A frame that is acquired without a batch costs most with gl-sharing. */
  static const GstGLOpenCLInteropMode sharing[] = {
    GST_GL_OPENCL_INTEROP_GL_SHARING, GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY
  };
  const guint last = G_N_ELEMENTS (sharing) - 1;

  for (guint i = 0; i <= last; i++) {
    const GstGLOpenCLInteropMode way = sharing[request->is_live ? last - i : i];
    g_autoptr (GError) reason = NULL;

    if (request->mode != GST_GL_OPENCL_INTEROP_AUTO && request->mode != way)
      continue;
    GstGLOpenCLContext *context = get_sharing (gl_context, devices,
        request->selector, way, owner, &reason);
    if (context)
      return context;
    g_assert (reason);
    const gchar *hint = get_hint (way, gl_context, devices);
    const gchar *name = modes[way].nick;
    GST_INFO_OBJECT (owner, "%s is not available: %s %s", name, reason->message,
        hint);
    if (request->mode == way)
      g_set_error (error, OCL_ERROR, OCL_ERROR_NO_DEVICE,
          "interop=%s is not available: %s %s Or set interop=auto.", name,
          reason->message, hint);
  }
  return NULL;
}

GstGLOpenCLContext *
gst_gl_opencl_interop_choose (GstGLContext * gl_context,
    const GstGLOpenCLRequest * request, GstObject * owner, GError ** error)
{
  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_interop_debug, "glopenclinterop", 0,
      "OpenGL and OpenCL interop");

  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  if (!devices)
    return NULL;
  g_autoptr (OclDevice) device =
      ocl_device_select (devices, request->selector, error);
  if (!device)
    return NULL;

  if (request->mode != GST_GL_OPENCL_INTEROP_HOST_COPY) {
    GstGLOpenCLContext *context = try_sharing (gl_context, devices, request,
        owner, error);

    if (context || request->mode != GST_GL_OPENCL_INTEROP_AUTO)
      return context;
    GST_INFO_OBJECT (owner, "frames go through host memory");
  }
  return gst_gl_opencl_context_get (gl_context, device,
      GST_GL_OPENCL_INTEROP_HOST_COPY, error);
}

/* Returns whether a CPU mapping of @memory returns, or writes to, a pointer
 * that the GL memory wraps. */
static gboolean
maps_to_wrapped_pointer (const GstGLBaseMemory * memory,
    GstGLOpenCLInteropMode mode)
{
  if (memory->data == NULL || memory->alloc_data != NULL)
    return FALSE;
  /* With pixel buffers, GStreamer downloads a texture into a separate pixel
   * buffer. */
  return mode == GST_GL_OPENCL_INTEROP_HOST_COPY
      || !gst_gl_context_check_gl_version (memory->context,
      GST_GL_API_OPENGL | GST_GL_API_OPENGL3 | GST_GL_API_GLES2, 3, 0);
}

gboolean
gst_gl_opencl_interop_is_foreign_texture (GstMemory * memory)
{
#if GST_GL_HAVE_PLATFORM_EGL
  if (gst_is_gl_memory_egl (memory))
    return TRUE;
#endif
#if GST_GL_OPENCL_EXTERNAL_MEMORY
  if (gst_gl_opencl_external_allocator_made (GST_GL_MEMORY_CAST (memory)))
    return FALSE;
#endif
  return GST_GL_MEMORY_CAST (memory)->texture_wrapped;
}

/* Returns whether @memory, a plane of a frame like @info, may be
 * overwritten. */
static gboolean
is_ours (GstMemory * memory, GstGLOpenCLInteropMode mode,
    const OclFrameInfo * info)
{
  if (!gst_is_gl_memory (memory)
      || gst_gl_opencl_interop_is_foreign_texture (memory)
      || maps_to_wrapped_pointer (GST_GL_BASE_MEMORY_CAST (memory), mode))
    return FALSE;

  /* GStreamer ignores the padding of rows when it downloads a texture. */
  const GstGLMemory *texture = GST_GL_MEMORY_CAST (memory);
  return texture->plane < info->format->n_planes
      && (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&texture->info, texture->plane)
      == ocl_frame_info_get_row_bytes (info, texture->plane);
}

gboolean
gst_gl_opencl_interop_can_work_in_place (const GstGLOpenCLInterop * self,
    GstBuffer * buffer, const OclFrameInfo * info)
{
  /* A copy of a buffer is writable but still shares the memory of the
   * original. */
  if (!gst_buffer_is_writable (buffer)
      || !gst_buffer_is_all_memory_writable (buffer)
      || gst_buffer_get_parent_buffer_meta (buffer))
    return FALSE;

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (!is_ours (gst_buffer_peek_memory (buffer, i), self->mode, info))
      return FALSE;
  }
  return gst_buffer_n_memory (buffer) > 0;
}
