/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencltexture.h"

#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>

/* What is kept on a GstGLMemory. */
typedef struct
{
  GstGLOpenCLShared *shared;    /* owned */
  cl_mem image;                 /* owned */
  gboolean bgra;
} Texture;

/* One frame on its way through the GL thread. */
typedef struct
{
  GstGLOpenCLShared *shared;
  OclFrame *scratch;
  const GstGLOpenCLWork *work;
  OclTimer *timer;
  cl_event given_back;          /* owned; set where @ok */
  gboolean ok;
  GError **error;
} Job;

static GQuark
texture_quark (void)
{
  return g_quark_from_static_string ("gst-gl-opencl-texture");
}

static void
texture_free_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Texture *texture = data;

  (void) gl_context;
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
        "(order 0x%x, type 0x%x). Set interop=host-copy.",
        format.image_channel_order, format.image_channel_data_type);
    return FALSE;
  }
  *bgra = format.image_channel_order == CL_BGRA;
  return TRUE;
}

/* The image of a texture; owned by the memory. GL thread. */
static Texture *
texture_get (GstGLOpenCLShared * shared, GstGLMemory * memory, GError ** error)
{
  GstMiniObject *object = GST_MINI_OBJECT_CAST (memory);
  Texture *texture = gst_mini_object_get_qdata (object, texture_quark ());
  if (texture && texture->shared == shared)
    return texture;

  cl_int status = CL_SUCCESS;
  gboolean bgra = FALSE;
  cl_mem image = clCreateFromGLTexture (shared->ocl->context,
      CL_MEM_READ_WRITE, gst_gl_texture_target_to_gl (memory->tex_target), 0,
      memory->tex_id, &status);
  if (!ocl_check (status, "clCreateFromGLTexture", error))
    return NULL;
  if (!texture_read_format (image, &bgra, error)) {
    clReleaseMemObject (image);
    return NULL;
  }

  texture = g_new0 (Texture, 1);
  texture->shared = gst_gl_opencl_shared_ref (shared);
  texture->image = image;
  texture->bgra = bgra;
  gst_mini_object_set_qdata (object, texture_quark (), texture, texture_free);
  return texture;
}

static gboolean
texture_describe (GstGLOpenCLShared * shared, GstVideoFrame * mapped,
    OclFrame * frame, GError ** error)
{
  Texture *texture = texture_get (shared,
      GST_GL_MEMORY_CAST (mapped->map[0].memory), error);
  if (!texture)
    return FALSE;

  *frame = (OclFrame) {
    .storage = OCL_STORAGE_IMAGE,
    .memory = texture->image,
    .width = GST_VIDEO_FRAME_WIDTH (mapped),
    .height = GST_VIDEO_FRAME_HEIGHT (mapped),
    .bgra = texture->bgra,
  };
  return TRUE;
}

/* Runs the operation between taking the textures and giving them back. After
 * an error nothing is running and GL has its textures. */
static gboolean
texture_run (Job * job, const OclFrame * input, const OclFrame * output,
    GError ** error)
{
  OclContext *ocl = job->shared->ocl;
  const cl_mem images[2] = { input->memory, output->memory };
  const cl_uint n_images = input->memory == output->memory ? 1 : 2;

  /* No Linux desktop driver waits for GL by itself. */
  job->shared->gl_context->gl_vtable->Finish ();
  if (!ocl_check (clEnqueueAcquireGLObjects (ocl->queue, n_images, images, 0,
              NULL, ocl_timer_add (job->timer, OCL_TIMER_TRANSFER)),
          "clEnqueueAcquireGLObjects", error))
    return FALSE;

  gboolean ok = gst_gl_opencl_work_enqueue (job->work, ocl, input, output,
      job->scratch, job->timer, error);
  cl_int status = clEnqueueReleaseGLObjects (ocl->queue, n_images, images, 0,
      NULL, ok ? &job->given_back : NULL);
  /* A texture that OpenCL keeps could not be freed: ask once more. */
  if (status != CL_SUCCESS)
    clEnqueueReleaseGLObjects (ocl->queue, n_images, images, 0, NULL, NULL);
  ok = ocl_check (status, "clEnqueueReleaseGLObjects", ok ? error : NULL) && ok;
  ok = ocl_check (clFlush (ocl->queue), "clFlush", ok ? error : NULL) && ok;
  if (!ok) {
    clFinish (ocl->queue);
    g_clear_pointer (&job->given_back, clReleaseEvent);
  }
  return ok;
}

static gboolean
texture_map (GstVideoFrame * frame, const GstGLOpenCLWork * work,
    GstBuffer * buffer, GstMapFlags flags, GError ** error)
{
  if (!gst_video_frame_map (frame, work->info, buffer, flags | GST_MAP_GL)) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
        "A frame's OpenGL texture cannot be used. Put glupload before this "
        "element.");
    return FALSE;
  }
  if (!gst_is_gl_memory (frame->map[0].memory)) {
    gst_video_frame_unmap (frame);
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
        "A frame is not an OpenGL texture. Put glupload before this element.");
    return FALSE;
  }
  return TRUE;
}

/* The texture that is input and output. */
static gboolean
texture_process_in_place (Job * job, GError ** error)
{
  GstVideoFrame mapped;
  OclFrame frame;

  if (!texture_map (&mapped, job->work, job->work->input, GST_MAP_READWRITE,
          error))
    return FALSE;
  gboolean ok = texture_describe (job->shared, &mapped, &frame, error)
      && texture_run (job, &frame, &frame, error);
  gst_video_frame_unmap (&mapped);
  return ok;
}

static gboolean
texture_process_two (Job * job, GError ** error)
{
  GstVideoFrame mapped_input;
  GstVideoFrame mapped_output;
  OclFrame input;
  OclFrame output;

  if (!texture_map (&mapped_input, job->work, job->work->input, GST_MAP_READ,
          error))
    return FALSE;
  if (!texture_map (&mapped_output, job->work, job->work->output,
          GST_MAP_WRITE, error)) {
    gst_video_frame_unmap (&mapped_input);
    return FALSE;
  }
  gboolean ok = texture_describe (job->shared, &mapped_input, &input, error)
      && texture_describe (job->shared, &mapped_output, &output, error)
      && texture_run (job, &input, &output, error);
  gst_video_frame_unmap (&mapped_output);
  gst_video_frame_unmap (&mapped_input);
  return ok;
}

static void
texture_process_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;

  (void) gl_context;
  job->ok = job->work->input == job->work->output
      ? texture_process_in_place (job, job->error)
      : texture_process_two (job, job->error);
}

gboolean
gst_gl_opencl_texture_process (GstGLOpenCLShared * shared, OclFrame * scratch,
    const GstGLOpenCLWork * work, OclTimer * timer, guint64 * wait_time,
    GError ** error)
{
  Job job = {.shared = shared,.scratch = scratch,.work = work,.timer = timer,
    .error = error
  };

  gst_gl_context_thread_add (shared->gl_context, texture_process_on_gl_thread,
      &job);
  if (!job.ok)
    return FALSE;

  GstClockTime start = gst_util_get_timestamp ();
  gboolean ok = ocl_check (clWaitForEvents (1, &job.given_back),
      "clWaitForEvents", error);
  if (!ok)
    clFinish (shared->ocl->queue);
  clReleaseEvent (job.given_back);
  *wait_time += gst_util_get_timestamp () - start;
  return ok;
}
