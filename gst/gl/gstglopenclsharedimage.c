/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsharedimage.h"

#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>

#include "gstglopencltrial.h"

/* Returns whether @image, the image of a shared texture, has the format of
 * @plane of @format. Sets @bytes_swapped to whether its bytes are swapped, see
 * OclFrame. */
static gboolean
check_image (cl_mem image, const OclFormat * format,
    guint plane, gboolean * bytes_swapped, GError ** error)
{
  const cl_image_format wanted = ocl_format_get_image_format (format, plane);
  cl_image_format found = { 0, 0 };

  if (!ocl_check (clGetImageInfo (image, CL_IMAGE_FORMAT, sizeof (found),
              &found, NULL), "clGetImageInfo", error))
    return FALSE;
  *bytes_swapped = format->swapped && wanted.image_channel_order == CL_RGBA
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

cl_mem
gst_gl_opencl_shared_image_new (OclContext * ocl, guint target, guint texture,
    const OclFormat * format, guint plane, gboolean * bytes_swapped,
    GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_mem image = clCreateFromGLTexture (ocl->context, CL_MEM_READ_WRITE,
      target, 0, texture, &status);

  if (!ocl_check (status, "clCreateFromGLTexture", error))
    return NULL;
  if (!check_image (image, format, plane, bytes_swapped, error))
    g_clear_pointer (&image, clReleaseMemObject);
  return image;
}

/* State of a trial with a shared image. */
typedef struct
{
  GstGLContext *gl_context;
  OclContext *ocl;
  const OclFormat *format;
  guint plane;
  gboolean bytes_swapped;
  cl_mem image;
} SharedTrial;

static cl_mem
shared_trial_acquire (gpointer data, guint texture, GError ** error)
{
  SharedTrial *self = data;

  self->image = gst_gl_opencl_shared_image_new (self->ocl, GL_TEXTURE_2D,
      texture, self->format, self->plane, &self->bytes_swapped, error);
  if (!self->image)
    return NULL;

  /* No Linux desktop driver waits for GL implicitly. */
  self->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (self->ocl->queue, 1,
          &self->image, 0, NULL, NULL), "clEnqueueAcquireGLObjects", error)
      ? self->image : NULL;
}

static gboolean
shared_trial_release (gpointer data, guint texture, GError ** error)
{
  SharedTrial *self = data;

  (void) texture;
  return ocl_check (clEnqueueReleaseGLObjects (self->ocl->queue, 1,
          &self->image, 0, NULL, NULL), "clEnqueueReleaseGLObjects", error);
}

static void
shared_trial_drop (gpointer data)
{
  SharedTrial *self = data;

  g_clear_pointer (&self->image, clReleaseMemObject);
}

gboolean
gst_gl_opencl_shared_image_try (GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane, gboolean * bytes_swapped,
    GError ** error)
{
  static const GstGLOpenCLTrialBackend backend = {
    .acquire = shared_trial_acquire,.release = shared_trial_release,
    .drop = shared_trial_drop
  };
  SharedTrial trial = { gl_context, ocl, format, plane, FALSE, NULL };
  gboolean ok =
      gst_gl_opencl_trial_run (gl_context, ocl, format, plane, &backend,
      &trial, error);

  *bytes_swapped = trial.bytes_swapped;
  return ok;
}
