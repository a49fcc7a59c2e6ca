/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclflight.h"

#include <gst/gl/gl.h>

GstVideoFrame *
gst_gl_opencl_flight_get_output (GstGLOpenCLFlight * self)
{
  if (!self->work.output)
    return NULL;
  return self->work.output == self->work.input ? &self->input : &self->output;
}

gboolean
gst_gl_opencl_flight_map (GstGLOpenCLFlight * self, GstMapFlags flags,
    GError ** error)
{
  const GstGLOpenCLWork *work = &self->work;
  gboolean in_place = work->input == work->output;

  if (gst_video_frame_map (&self->input, work->info, work->input,
          flags | (in_place ? GST_MAP_READWRITE : GST_MAP_READ))) {
    if (in_place || !work->output
        || gst_video_frame_map (&self->output, work->info, work->output,
            flags | GST_MAP_WRITE))
      return TRUE;
    gst_video_frame_unmap (&self->input);
  }
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
      flags & GST_MAP_GL
      ? "A frame's OpenGL texture cannot be used. Put glupload before this "
      "element."
      : "A frame cannot be mapped to host memory. Put glupload before this "
      "element.");
  return FALSE;
}

void
gst_gl_opencl_flight_unmap (GstGLOpenCLFlight * self)
{
  if (gst_gl_opencl_flight_get_output (self) == &self->output)
    gst_video_frame_unmap (&self->output);
  gst_video_frame_unmap (&self->input);
}

gboolean
gst_gl_opencl_flight_enqueue (GstGLOpenCLFlight * self, OclContext * ocl,
    const OclFrame * input, const OclFrame * output, OclFrame * scratch,
    GError ** error)
{
  const GstGLOpenCLWork *work = &self->work;

  if (!output || input->memory != output->memory)
    return work->enqueue (input, output, self->timer, work->user_data, error);

  return ocl_frame_ensure (scratch, ocl, input->storage, input, error)
      && ocl_frame_enqueue_copy (ocl, input, scratch, self->timer, error)
      && work->enqueue (scratch, output, self->timer, work->user_data, error);
}

gboolean
gst_gl_opencl_flight_enqueue_read (GstGLOpenCLFlight * self, GError ** error)
{
  const GstGLOpenCLWork *work = &self->work;

  return !work->enqueue_read
      || work->enqueue_read (self->timer, work->user_data, error);
}
