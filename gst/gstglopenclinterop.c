/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclinterop.h"

#include "gstglopenclhost.h"
#include "gstglopenclshared.h"
#include "gstglopencltexture.h"

#if GST_GL_HAVE_PLATFORM_EGL
#include <gst/gl/egl/gstglmemoryegl.h>
#endif

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_interop_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_interop_debug

struct _GstGLOpenCLInterop
{
  GstGLOpenCLShared *shared;    /* owned */
  GstGLOpenCLInteropMode asked;
  GstGLOpenCLInteropMode mode;  /* for the size in use */
  gboolean fell_back;           /* a frame could not be shared */
  GstGLOpenCLFlight flights[GST_GL_OPENCL_MAX_FLIGHTS];
  GstGLOpenCLInteropMode flight_modes[GST_GL_OPENCL_MAX_FLIGHTS];
  OclFrame scratch;             /* copies of frames filtered in place */
  GstGLOpenCLTextures *textures;        /* where the context shares */
  GstGLOpenCLHost *host;        /* when first needed */
};

GType
gst_gl_opencl_interop_mode_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_GL_OPENCL_INTEROP_AUTO,
        "OpenCL borrows the textures where that works, else host-copy",
        "auto"},
    {GST_GL_OPENCL_INTEROP_GL_SHARING,
        "OpenCL borrows the textures through cl_khr_gl_sharing, no copy",
        "gl-sharing"},
    {GST_GL_OPENCL_INTEROP_HOST_COPY,
        "OpenCL works on frames mapped to the host", "host-copy"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLInteropMode", values));
  return type;
}

/* The device that shares with GL, of those that @selector names; NULL with the
 * reason of the first that does not. */
static GstGLOpenCLShared *
get_sharing (GstGLContext * gl_context, GPtrArray * devices,
    const gchar * selector, GstObject * owner, GError ** error)
{
  for (guint i = 0; i < devices->len; i++) {
    OclDevice *device = g_ptr_array_index (devices, i);
    GError *reason = NULL;

    if (!ocl_device_matches (device, selector))
      continue;
    GstGLOpenCLShared *shared =
        gst_gl_opencl_shared_get (gl_context, device, TRUE, &reason);
    if (shared) {
      g_clear_error (error);
      return shared;
    }
    GST_DEBUG_OBJECT (owner, "%s does not share with OpenGL: %s", device->name,
        reason->message);
    if (error && !*error)
      g_propagate_error (error, reason);
    else
      g_error_free (reason);
  }
  return NULL;
}

/* What would make gl-sharing work here. */
static const gchar *
get_sharing_hint (GstGLContext * gl_context, GPtrArray * devices)
{
  for (guint i = 0; i < devices->len; i++) {
    OclDevice *device = g_ptr_array_index (devices, i);

    if (g_str_has_prefix (device->platform_name, "NVIDIA")
        && gst_gl_context_get_gl_platform (gl_context) == GST_GL_PLATFORM_EGL)
      return "With NVIDIA's driver OpenGL has to run on GLX: set "
          "GST_GL_PLATFORM=glx.";
  }
  return "OpenGL and OpenCL have to run on the same GPU, with an OpenCL driver "
      "that has cl_khr_gl_sharing.";
}

static GstGLOpenCLShared *
choose_shared (GstGLContext * gl_context, GstGLOpenCLInteropMode mode,
    const gchar * selector, GstObject * owner, GError ** error)
{
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  if (!devices)
    return NULL;
  g_autoptr (OclDevice) device = ocl_device_select (devices, selector, error);
  if (!device)
    return NULL;

  if (mode != GST_GL_OPENCL_INTEROP_HOST_COPY) {
    g_autoptr (GError) reason = NULL;
    GstGLOpenCLShared *shared =
        get_sharing (gl_context, devices, selector, owner, &reason);

    if (shared)
      return shared;
    const gchar *hint = get_sharing_hint (gl_context, devices);
    if (mode == GST_GL_OPENCL_INTEROP_GL_SHARING) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_NO_DEVICE,
          "interop=gl-sharing cannot be had: %s %s Or set interop=auto.",
          reason->message, hint);
      return NULL;
    }
    GST_INFO_OBJECT (owner, "frames go through host memory: %s %s",
        reason->message, hint);
  }
  return gst_gl_opencl_shared_get (gl_context, device, FALSE, error);
}

GstGLOpenCLInterop *
gst_gl_opencl_interop_new (GstGLContext * gl_context,
    GstGLOpenCLInteropMode mode, const gchar * selector, GstObject * owner,
    GError ** error)
{
  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_interop_debug, "glopenclinterop", 0,
      "OpenGL and OpenCL interop");

  GstGLOpenCLShared *shared =
      choose_shared (gl_context, mode, selector, owner, error);
  if (!shared)
    return NULL;

  GstGLOpenCLInterop *self = g_new0 (GstGLOpenCLInterop, 1);
  self->shared = shared;
  self->asked = mode;
  self->mode = shared->gl_sharing ? GST_GL_OPENCL_INTEROP_GL_SHARING
      : GST_GL_OPENCL_INTEROP_HOST_COPY;
  if (shared->gl_sharing)
    self->textures = gst_gl_opencl_textures_new (shared);
  for (guint i = 0; i < G_N_ELEMENTS (self->flights); i++) {
    self->flights[i].slot = i;
    self->flights[i].timer = ocl_timer_new ();
  }
  return self;
}

void
gst_gl_opencl_interop_free (GstGLOpenCLInterop * self)
{
  g_clear_pointer (&self->host, gst_gl_opencl_host_free);
  g_clear_pointer (&self->textures, gst_gl_opencl_textures_free);
  ocl_frame_clear (&self->scratch);
  for (guint i = 0; i < G_N_ELEMENTS (self->flights); i++)
    ocl_timer_free (self->flights[i].timer);
  gst_gl_opencl_shared_unref (self->shared);
  g_free (self);
}

static gboolean
check_buffer_size (const OclDevice * device, gint width, gint height,
    GError ** error)
{
  if ((guint64) width * height * 4 <= device->max_alloc_size)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "Frames of %dx%d are larger than the %" G_GUINT64_FORMAT " bytes that a "
      "buffer of %s can be. Scale them down, or choose another device with the "
      "device property.", width, height, device->max_alloc_size, device->name);
  return FALSE;
}

gboolean
gst_gl_opencl_interop_set_size (GstGLOpenCLInterop * self, gint width,
    gint height, gchar ** notice, GError ** error)
{
  const OclDevice *device = self->shared->ocl->device;

  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  if (!self->shared->gl_sharing || self->fell_back)
    return check_buffer_size (device, width, height, error);
  if ((gsize) width <= device->image_max_width
      && (gsize) height <= device->image_max_height) {
    self->mode = GST_GL_OPENCL_INTEROP_GL_SHARING;
    return TRUE;
  }

  g_autofree gchar *limit = g_strdup_printf ("Frames of %dx%d are larger than "
      "the %" G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT " that images of %s can be",
      width, height, device->image_max_width, device->image_max_height,
      device->name);
  if (self->asked == GST_GL_OPENCL_INTEROP_GL_SHARING) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s. Scale them down, or set interop=auto.", limit);
    return FALSE;
  }
  *notice = g_strdup_printf ("%s; they go through host memory.", limit);
  return check_buffer_size (device, width, height, error);
}

gboolean
gst_gl_opencl_interop_fall_back (GstGLOpenCLInterop * self,
    const GError * error)
{
  if (self->mode != GST_GL_OPENCL_INTEROP_GL_SHARING
      || self->asked == GST_GL_OPENCL_INTEROP_GL_SHARING
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    return FALSE;
  GST_INFO_OBJECT (self->shared->gl_context,
      "frames go through host memory from now on: %s", error->message);
  self->fell_back = TRUE;
  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  return TRUE;
}

GstGLContext *
gst_gl_opencl_interop_get_gl_context (GstGLOpenCLInterop * self)
{
  return self->shared->gl_context;
}

OclContext *
gst_gl_opencl_interop_get_context (GstGLOpenCLInterop * self)
{
  return self->shared->ocl;
}

GstGLOpenCLInteropMode
gst_gl_opencl_interop_get_mode (GstGLOpenCLInterop * self)
{
  return self->mode;
}

OclStorage
gst_gl_opencl_interop_get_storage (GstGLOpenCLInterop * self)
{
  return self->mode == GST_GL_OPENCL_INTEROP_GL_SHARING
      ? OCL_STORAGE_IMAGE : OCL_STORAGE_BUFFER;
}

/* Whether a CPU map of @memory hands out, or writes to, a pointer that GL
 * memory was made around. */
static gboolean
maps_to_wrapped_pointer (const GstGLBaseMemory * memory,
    GstGLOpenCLInteropMode mode)
{
  if (memory->data == NULL || memory->alloc_data != NULL)
    return FALSE;
  /* With pixel buffers GStreamer downloads a texture into one of its own. */
  return mode == GST_GL_OPENCL_INTEROP_HOST_COPY
      || !gst_gl_context_check_gl_version (memory->context,
      GST_GL_API_OPENGL | GST_GL_API_OPENGL3 | GST_GL_API_GLES2, 3, 0);
}

/* Whether the texture itself is somebody's, such as a decoder's. */
static gboolean
is_foreign_texture (GstMemory * memory)
{
#if GST_GL_HAVE_PLATFORM_EGL
  if (gst_is_gl_memory_egl (memory))
    return TRUE;
#endif
  return GST_GL_MEMORY_CAST (memory)->texture_wrapped;
}

gboolean
gst_gl_opencl_interop_can_work_in_place (GstGLOpenCLInterop * self,
    GstBuffer * buffer)
{
  /* A copied buffer is writable and still shares its memory. */
  if (!gst_buffer_is_writable (buffer) || gst_buffer_n_memory (buffer) != 1
      || !gst_buffer_is_all_memory_writable (buffer)
      || gst_buffer_get_parent_buffer_meta (buffer))
    return FALSE;

  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_gl_memory (memory) || is_foreign_texture (memory)
      || maps_to_wrapped_pointer (GST_GL_BASE_MEMORY_CAST (memory),
          self->mode))
    return FALSE;

  /* GStreamer downloads textures without regard to padded rows. */
  const GstVideoInfo *info = &GST_GL_MEMORY_CAST (memory)->info;
  return GST_VIDEO_INFO_PLANE_STRIDE (info, 0)
      == GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
}

/* Sets @error where whatever failed did not, and drops what was timed. */
static gboolean
fail_flight (GstGLOpenCLFlight * flight, GError ** error)
{
  ocl_timer_reset (flight->timer);
  if (!*error)
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
        "The OpenGL context is gone. Restart the pipeline.");
  return FALSE;
}

gboolean
gst_gl_opencl_interop_begin (GstGLOpenCLInterop * self, guint slot,
    const GstGLOpenCLWork * work, GError ** error)
{
  GstGLOpenCLFlight *flight = &self->flights[slot];
  GstGLSyncMeta *sync = gst_buffer_get_gl_sync_meta (work->input);
  gboolean ok;

  if (sync)
    gst_gl_sync_meta_wait (sync, self->shared->gl_context);

  flight->work = *work;
  self->flight_modes[slot] = self->mode;
  if (self->mode == GST_GL_OPENCL_INTEROP_GL_SHARING) {
    ok = gst_gl_opencl_textures_begin (self->textures, flight, &self->scratch,
        error);
  } else {
    if (!self->host)
      self->host = gst_gl_opencl_host_new (self->shared->ocl);
    ok = gst_gl_opencl_host_begin (self->host, flight, &self->scratch, error);
  }
  return ok || fail_flight (flight, error);
}

gboolean
gst_gl_opencl_interop_finish (GstGLOpenCLInterop * self, guint slot,
    GstGLOpenCLTimes * times, GError ** error)
{
  GstGLOpenCLFlight *flight = &self->flights[slot];
  guint64 device_times[OCL_TIMER_N_KINDS] = { 0, };
  gboolean ok;

  if (self->flight_modes[slot] == GST_GL_OPENCL_INTEROP_GL_SHARING)
    ok = gst_gl_opencl_textures_finish (self->textures, flight, &times->wait,
        error);
  else
    ok = gst_gl_opencl_host_finish (self->host, flight, &times->wait, error);
  ok = ok && ocl_timer_read (flight->timer, device_times, error);
  if (!ok)
    return fail_flight (flight, error);
  times->kernel += device_times[OCL_TIMER_KERNEL];
  times->transfer += device_times[OCL_TIMER_TRANSFER];
  return TRUE;
}
