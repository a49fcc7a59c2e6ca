/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencltexture.h"

#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>

/* The image of a texture in one OpenCL context. A GstGLMemory keeps an array of
 * them, one for every context that used it. */
typedef struct
{
  GstGLOpenCLShared *shared;    /* owned */
  cl_mem image;                 /* owned */
  gboolean bgra;
  cl_event given_back;          /* owned; of the last frame, or NULL */
} Texture;

/* A frame on its way. */
typedef struct
{
  GstGLOpenCLShared *shared;
  OclFrame *scratch;
  GstGLOpenCLFlight *flight;
  GstGLMemory *input;           /* of the mapped buffers */
  GstGLMemory *output;          /* the same as input to work in place or read */
  cl_event given_back;          /* owned; from a begin that went well on */
  gboolean ok;
  GError **error;               /* while it begins */
} Job;

struct _GstGLOpenCLTextures
{
  GstGLOpenCLShared *shared;    /* owned */
  Job jobs[GST_GL_OPENCL_MAX_FLIGHTS];
};

/* Guards the arrays: elements on several GL threads may use a memory. */
static GMutex textures_lock;

static GQuark
textures_quark (void)
{
  return g_quark_from_static_string ("gst-gl-opencl-textures");
}

static void
texture_free_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Texture *texture = data;

  (void) gl_context;
  g_clear_pointer (&texture->given_back, clReleaseEvent);
  clReleaseMemObject (texture->image);
}

/* Called before the GstGLMemory deletes its texture, on any thread. */
static void
texture_free (gpointer data)
{
  Texture *texture = data;

  gst_gl_context_thread_add (texture->shared->gl_context,
      texture_free_on_gl_thread, texture);
  gst_gl_opencl_shared_unref (texture->shared);
  g_free (texture);
}

/* With textures_lock; NULL where there are none yet. */
static GPtrArray *
get_textures (GstGLMemory * memory)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
      textures_quark ());
}

/* With textures_lock; -1 where there is none. */
static gint
find_texture (GPtrArray * textures, GstGLOpenCLShared * shared)
{
  for (guint i = 0; textures && i < textures->len; i++) {
    Texture *texture = g_ptr_array_index (textures, i);

    if (texture->shared == shared)
      return i;
  }
  return -1;
}

static Texture *
look_up_texture (GstGLOpenCLShared * shared, GstGLMemory * memory)
{
  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_textures (memory);
  gint index = find_texture (textures, shared);
  Texture *texture = index < 0 ? NULL : g_ptr_array_index (textures, index);
  g_mutex_unlock (&textures_lock);
  return texture;
}

static void
keep_texture (GstGLMemory * memory, Texture * texture)
{
  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_textures (memory);
  if (!textures) {
    textures = g_ptr_array_new_with_free_func (texture_free);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory),
        textures_quark (), textures, (GDestroyNotify) g_ptr_array_unref);
  }
  g_ptr_array_add (textures, texture);
  g_mutex_unlock (&textures_lock);
}

/* Frees the image of a memory: after a failure its state is not known. GL
 * thread. */
static void
forget_texture (GstGLOpenCLShared * shared, GstGLMemory * memory)
{
  Texture *texture = NULL;

  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_textures (memory);
  gint index = find_texture (textures, shared);
  if (index >= 0)
    texture = g_ptr_array_steal_index_fast (textures, index);
  g_mutex_unlock (&textures_lock);
  g_clear_pointer (&texture, texture_free);
}

/* RGBA8 textures come back as RGBA or BGRA, which matters only where an image
 * is copied to bytes. */
static gboolean
texture_read_format (cl_mem image, gboolean * bgra, GError ** error)
{
  cl_image_format format = { 0, 0 };

  if (!ocl_check (clGetImageInfo (image, CL_IMAGE_FORMAT, sizeof (format),
              &format, NULL), "clGetImageInfo", error))
    return FALSE;
  if (format.image_channel_data_type != CL_UNORM_INT8
      || (format.image_channel_order != CL_RGBA
          && format.image_channel_order != CL_BGRA)) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "The driver shares RGBA textures as a format that is not supported "
        "(order 0x%x, type 0x%x).",
        format.image_channel_order, format.image_channel_data_type);
    return FALSE;
  }
  *bgra = format.image_channel_order == CL_BGRA;
  return TRUE;
}

/* Where this fails nothing was touched yet: OCL_ERROR_NOT_SUPPORTED. */
static Texture *
texture_new (GstGLOpenCLShared * shared, GstGLMemory * memory, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  cl_int status = CL_SUCCESS;
  gboolean bgra = FALSE;
  cl_mem image = NULL;

  if (gst_gl_context_can_share (memory->mem.context, shared->gl_context))
    image = clCreateFromGLTexture (shared->ocl->context, CL_MEM_READ_WRITE,
        gst_gl_texture_target_to_gl (memory->tex_target), 0, memory->tex_id,
        &status);
  else
    status = CL_INVALID_GL_OBJECT;
  if (!ocl_check (status, "clCreateFromGLTexture", &reason)
      || !texture_read_format (image, &bgra, &reason)) {
    if (image)
      clReleaseMemObject (image);
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A texture cannot be borrowed: %s Set interop=auto or host-copy.",
        reason->message);
    return NULL;
  }

  Texture *texture = g_new0 (Texture, 1);
  texture->shared = gst_gl_opencl_shared_ref (shared);
  texture->image = image;
  texture->bgra = bgra;
  return texture;
}

/* The image of a texture; owned by the memory. GL thread. */
static Texture *
texture_get (GstGLOpenCLShared * shared, GstGLMemory * memory, GError ** error)
{
  Texture *texture = look_up_texture (shared, memory);

  if (!texture) {
    texture = texture_new (shared, memory, error);
    if (texture)
      keep_texture (memory, texture);
  }
  return texture;
}

static OclFrame
texture_describe (const Texture * texture, const GstVideoInfo * info)
{
  return (OclFrame) {
    .storage = OCL_STORAGE_IMAGE,
    .memory = texture->image,
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
    .bgra = texture->bgra,
  };
}

/* Takes the textures from GL, after those who use them still: an element on
 * another branch of a tee may. */
static gboolean
textures_acquire (Job * job, Texture * input, Texture * output, GError ** error)
{
  const cl_mem images[2] = { input->image, output->image };
  const cl_uint n_images = input == output ? 1 : 2;
  cl_event users[2];
  cl_uint n_users = 0;

  if (input->given_back)
    users[n_users++] = input->given_back;
  if (output != input && output->given_back)
    users[n_users++] = output->given_back;

  /* No Linux desktop driver waits for GL by itself. */
  job->shared->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (job->shared->ocl->queue,
          n_images, images, n_users, n_users ? users : NULL,
          ocl_timer_add (job->flight->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueAcquireGLObjects", error);
}

static gboolean
texture_keep_event (Texture * texture, cl_event event, GError ** error)
{
  g_clear_pointer (&texture->given_back, clReleaseEvent);
  if (!ocl_check (clRetainEvent (event), "clRetainEvent", error))
    return FALSE;
  texture->given_back = event;
  return TRUE;
}

/* Runs the operation between taking the textures and giving them back. */
static gboolean
texture_run (Job * job, Texture * input, Texture * output, GError ** error)
{
  OclContext *ocl = job->shared->ocl;
  GstGLOpenCLFlight *flight = job->flight;
  const cl_mem images[2] = { input->image, output->image };
  const cl_uint n_images = input == output ? 1 : 2;
  const OclFrame input_frame = texture_describe (input, flight->work.info);
  const OclFrame output_frame = texture_describe (output, flight->work.info);

  if (!textures_acquire (job, input, output, error))
    return FALSE;

  gboolean ok = gst_gl_opencl_flight_enqueue (flight, ocl, &input_frame,
      flight->work.output ? &output_frame : NULL, job->scratch, error);
  ok = ocl_check (clEnqueueReleaseGLObjects (ocl->queue, n_images, images, 0,
          NULL, &job->given_back), "clEnqueueReleaseGLObjects",
      ok ? error : NULL) && ok;
  return ok && gst_gl_opencl_flight_enqueue_read (flight, error)
      && ocl_check (clFlush (ocl->queue), "clFlush", error)
      && texture_keep_event (input, job->given_back, error)
      && (input == output
      || texture_keep_event (output, job->given_back, error));
}

static void
forget_textures_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;

  (void) gl_context;
  forget_texture (job->shared, job->input);
  forget_texture (job->shared, job->output);
}

static void
texture_begin_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;

  Texture *input = texture_get (job->shared, job->input, job->error);
  Texture *output = input && job->output != job->input
      ? texture_get (job->shared, job->output, job->error) : input;
  if (!input || !output)
    return;

  job->ok = texture_run (job, input, output, job->error);
  if (job->ok)
    return;
  ocl_context_finish (job->shared->ocl, NULL);
  g_clear_pointer (&job->given_back, clReleaseEvent);
  forget_textures_on_gl_thread (gl_context, job);
}

static void
finish_gl (GstGLContext * gl_context, gpointer data)
{
  (void) data;
  gl_context->gl_vtable->Finish ();
}

GstGLOpenCLTextures *
gst_gl_opencl_textures_new (GstGLOpenCLShared * shared)
{
  GstGLOpenCLTextures *self = g_new0 (GstGLOpenCLTextures, 1);

  self->shared = gst_gl_opencl_shared_ref (shared);
  return self;
}

void
gst_gl_opencl_textures_free (GstGLOpenCLTextures * self)
{
  gst_gl_opencl_shared_unref (self->shared);
  g_free (self);
}

/* With the buffers mapped. */
static gboolean
textures_begin_mapped (Job * job, GError ** error)
{
  GstGLOpenCLFlight *flight = job->flight;
  GstVideoFrame *output = gst_gl_opencl_flight_get_output (flight);
  GstMemory *input_memory = flight->input.map[0].memory;
  GstMemory *output_memory = output ? output->map[0].memory : input_memory;

  if (!gst_is_gl_memory (input_memory) || !gst_is_gl_memory (output_memory)) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
        "A frame is not an OpenGL texture. Put glupload before this element.");
    return FALSE;
  }
  job->input = GST_GL_MEMORY_CAST (input_memory);
  job->output = GST_GL_MEMORY_CAST (output_memory);

  /* What mapping uploaded on another GL context of the share group. */
  if (job->input->mem.context != job->shared->gl_context)
    gst_gl_context_thread_add (job->input->mem.context, finish_gl, NULL);
  gst_gl_context_thread_add (job->shared->gl_context,
      texture_begin_on_gl_thread, job);
  return job->ok;
}

gboolean
gst_gl_opencl_textures_begin (GstGLOpenCLTextures * self,
    GstGLOpenCLFlight * flight, OclFrame * scratch, GError ** error)
{
  Job *job = &self->jobs[flight->slot];

  *job = (Job) {.shared = self->shared,.scratch = scratch,.flight = flight,
    .error = error
  };
  if (!gst_gl_opencl_flight_map (flight, GST_MAP_GL, error))
    return FALSE;
  if (textures_begin_mapped (job, error))
    return TRUE;
  gst_gl_opencl_flight_unmap (flight);
  return FALSE;
}

gboolean
gst_gl_opencl_textures_finish (GstGLOpenCLTextures * self,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error)
{
  Job *job = &self->jobs[flight->slot];
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = ocl_check (clWaitForEvents (1, &job->given_back),
      "clWaitForEvents", error)
      && ocl_timer_wait (flight->timer, error);
  if (!ok) {
    ocl_context_finish (self->shared->ocl, NULL);
    gst_gl_context_thread_add (self->shared->gl_context,
        forget_textures_on_gl_thread, job);
  }
  g_clear_pointer (&job->given_back, clReleaseEvent);
  *wait_time += gst_util_get_timestamp () - start;
  gst_gl_opencl_flight_unmap (flight);
  return ok;
}
