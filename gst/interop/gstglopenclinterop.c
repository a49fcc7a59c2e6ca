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

/* Indexed by GstGLOpenCLInteropMode. */
static const GstGLOpenCLInterop *const interops[GST_GL_OPENCL_N_MODES] = {
  [GST_GL_OPENCL_INTEROP_GL_SHARING] = &gst_gl_opencl_gl_sharing,
  [GST_GL_OPENCL_INTEROP_HOST_COPY] = &gst_gl_opencl_host_copy,
#if GST_GL_OPENCL_EXTERNAL_MEMORY
  [GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY] = &gst_gl_opencl_external_memory,
#endif
};

G_STATIC_ASSERT (G_N_ELEMENTS (((GstGLOpenCLJob *) NULL)->states)
    == GST_GL_OPENCL_N_MODES);

static const OclValue modes[] = {
  {GST_GL_OPENCL_INTEROP_AUTO, "auto",
      "Tries gl-sharing, external-memory and host-copy in this "
        "order. Live sources try external-memory first"},
  {GST_GL_OPENCL_INTEROP_GL_SHARING, "gl-sharing",
      "OpenCL acquires the textures through cl_khr_gl_sharing, "
        "without a copy"},
  {GST_GL_OPENCL_INTEROP_HOST_COPY, "host-copy",
      "Frames are mapped to host memory, and OpenCL reads and "
        "writes them there"},
  {GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY, "external-memory",
      "OpenGL and OpenCL import memory allocated with Vulkan. Frames "
        "in other textures are copied on the GPU"},
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
    const GstGLOpenCLInteropMode mode =
        sharing[request->is_live ? last - i : i];
    g_autoptr (GError) reason = NULL;

    if (request->mode != GST_GL_OPENCL_INTEROP_AUTO && request->mode != mode)
      continue;
    GstGLOpenCLContext *context = get_sharing (gl_context, devices,
        request->selector, mode, owner, &reason);
    if (context)
      return context;
    g_assert (reason);
    const gchar *hint = get_hint (mode, gl_context, devices);
    const gchar *name = modes[mode].nick;
    GST_INFO_OBJECT (owner, "%s is not available: %s %s", name, reason->message,
        hint);
    if (request->mode == mode)
      g_set_error (error, OCL_ERROR, OCL_ERROR_NO_DEVICE,
          "interop=%s is not available: %s %s Or set interop=auto.", name,
          reason->message, hint);
  }
  return NULL;
}

/* gst_gl_context_thread_add() passes this struct to open_on_gl_thread(). */
typedef struct
{
  GstGLOpenCLBackends *backends;
  const GstGLOpenCLRequest *request;
  GstObject *owner;
  GError **error;
} OpenCall;

static void
open_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  const OpenCall *call = data;
  GstGLOpenCLBackends *self = call->backends;
  const GstGLOpenCLRequest *request = call->request;

  g_autoptr (GPtrArray) devices = ocl_device_list (call->error);
  if (!devices)
    return;
  g_autoptr (OclDevice) device =
      ocl_device_select (devices, request->selector, call->error);
  if (!device)
    return;

  if (request->mode != GST_GL_OPENCL_INTEROP_HOST_COPY) {
    self->context = try_sharing (gl_context, devices, request, call->owner,
        call->error);
    if (self->context || request->mode != GST_GL_OPENCL_INTEROP_AUTO)
      return;
    GST_INFO_OBJECT (call->owner, "frames go through host memory");
  }
  self->context = gst_gl_opencl_context_get (gl_context, device,
      GST_GL_OPENCL_INTEROP_HOST_COPY, call->error);
}

gboolean
gst_gl_opencl_backends_open (GstGLOpenCLBackends * self,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GstObject * owner, GError ** error)
{
  OpenCall call = { self, request, owner, error };

  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_interop_debug, "glopenclinterop", 0,
      "OpenGL and OpenCL interop");
  self->asked = request->mode;
  self->fell_back = FALSE;
  if (gl_context)
    gst_gl_context_thread_add (gl_context, open_on_gl_thread, &call);
  if (!self->context && !*error)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
        "There is no OpenGL context. Restart the pipeline.");
  return self->context != NULL;
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
  const GstGLBaseMemory *base = GST_GL_BASE_MEMORY_CAST (memory);
  const GstGLMemory *texture = GST_GL_MEMORY_CAST (memory);

  if (!gst_is_gl_memory (memory)
      || gst_gl_opencl_interop_is_foreign_texture (memory))
    return FALSE;
  /* A CPU mapping of GL memory that wraps a pointer uses this pointer. With
   * pixel buffers, GStreamer downloads a texture into a separate one. */
  if (base->data != NULL && base->alloc_data == NULL
      && (mode == GST_GL_OPENCL_INTEROP_HOST_COPY
          || !gst_gl_context_check_gl_version (base->context,
              GST_GL_API_OPENGL | GST_GL_API_OPENGL3 | GST_GL_API_GLES2, 3, 0)))
    return FALSE;
  /* GStreamer ignores the padding of rows when it downloads a texture. */
  return texture->plane < info->format->n_planes
      && (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&texture->info, texture->plane)
      == ocl_frame_info_get_row_bytes (info, texture->plane);
}

gboolean
gst_gl_opencl_backends_can_work_in_place (const GstGLOpenCLBackends * self,
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

void
gst_gl_opencl_backends_close (GstGLOpenCLBackends * self)
{
  for (guint mode = 0; mode < GST_GL_OPENCL_N_MODES; mode++) {
    if (self->instances[mode])
      interops[mode]->free (self->instances[mode]);
    self->instances[mode] = NULL;
  }
  g_clear_pointer (&self->context, gst_gl_opencl_context_unref);
}

OclStorage
gst_gl_opencl_backends_get_storage (const GstGLOpenCLBackends * self)
{
  return interops[self->mode]->storage;
}

/* Returns the instance of the interop backend @mode. The first call for @mode
 * creates the instance. */
static gpointer
gst_gl_opencl_backends_ensure (GstGLOpenCLBackends * self,
    GstGLOpenCLInteropMode mode)
{
  if (!self->instances[mode])
    self->instances[mode] = interops[mode]->new (self->context);
  return self->instances[mode];
}

static gboolean
gst_gl_opencl_backends_check_format (GstGLOpenCLBackends * self,
    GstGLOpenCLInteropMode mode, const OclFormat * format, gint width,
    gint height, GError ** error)
{
  gpointer instance = gst_gl_opencl_backends_ensure (self, mode);

  if (!interops[mode]->check_format)
    return gst_gl_opencl_context_check_format (self->context, format, width,
        height, error);
  return interops[mode]->check_format (instance, format, width, height, error);
}

gboolean
gst_gl_opencl_backends_choose (GstGLOpenCLBackends * self,
    const OclFormat * format, gint width, gint height, gchar ** notice,
    GError ** error)
{
  const GstGLOpenCLInteropMode best = self->context->mode;
  g_autoptr (GError) reason = NULL;

  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  if (best != self->mode && !self->fell_back) {
    if (gst_gl_opencl_backends_check_format (self, best, format, width, height,
            &reason)) {
      self->mode = best;
      return TRUE;
    }
    if (self->asked != GST_GL_OPENCL_INTEROP_AUTO) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "%s Set interop=auto, or scale or convert frames.", reason->message);
      return FALSE;
    }
    *notice = g_strdup_printf ("%s Frames go through host memory.",
        reason->message);
  }
  return gst_gl_opencl_backends_check_format (self,
      GST_GL_OPENCL_INTEROP_HOST_COPY, format, width, height, error);
}

gboolean
gst_gl_opencl_backends_fall_back (GstGLOpenCLBackends * self,
    const GError * error)
{
  if (self->mode == GST_GL_OPENCL_INTEROP_HOST_COPY
      || self->asked != GST_GL_OPENCL_INTEROP_AUTO
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    return FALSE;
  self->fell_back = TRUE;
  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  return TRUE;
}

GstAllocator *
gst_gl_opencl_backends_get_allocator (GstGLOpenCLBackends * self)
{
  const GstGLOpenCLInterop *interop = interops[self->mode];

  return self->instances[self->mode] && interop->get_allocator
      ? interop->get_allocator (self->instances[self->mode]) : NULL;
}

void
gst_gl_opencl_backends_prepare (GstGLOpenCLBackends * self,
    GstGLOpenCLJob * job)
{
  if (job->states[self->mode])
    return;
  gst_gl_opencl_backends_ensure (self, self->mode);
  job->states[self->mode] = g_malloc0 (interops[self->mode]->state_size);
}

void
gst_gl_opencl_backends_clear_job (GstGLOpenCLBackends * self,
    GstGLOpenCLJob * job)
{
  for (guint mode = 0; mode < GST_GL_OPENCL_N_MODES; mode++) {
    if (job->states[mode] && interops[mode]->clear_state)
      interops[mode]->clear_state (self->instances[mode], job->states[mode]);
    g_clear_pointer (&job->states[mode], g_free);
  }
}

/* Discards the measured times, and sets @error if the failed call did not. */
static gboolean
fail_job (GstGLOpenCLJob * job, GError ** error)
{
  ocl_timer_reset (job->timer);
  if (!*error)
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_FAILED,
        "The OpenGL context is gone. Restart the pipeline.");
  return FALSE;
}

gboolean
gst_gl_opencl_backends_begin (GstGLOpenCLBackends * self, GstGLOpenCLJob * job,
    GError ** error)
{
  GstGLSyncMeta *sync = gst_buffer_get_gl_sync_meta (job->input_buffer);

  if (sync)
    gst_gl_sync_meta_wait (sync, self->context->gl_context);
  if (!interops[self->mode]->begin (self->instances[self->mode],
          job->states[self->mode], job, error))
    return fail_job (job, error);
  job->mode = self->mode;
  return TRUE;
}

gboolean
gst_gl_opencl_backends_finish (GstGLOpenCLBackends * self, GstGLOpenCLJob * job,
    GError ** error)
{
  return interops[job->mode]->finish (self->instances[job->mode],
      job->states[job->mode], job, error)
      || fail_job (job, error);
}
