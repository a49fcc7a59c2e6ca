/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencljob.h"

gboolean
gst_gl_opencl_job_is_filtered (const GstGLOpenCLJob * self)
{
  return !ocl_operation_list_is_neutral (&self->operations);
}

guint
gst_gl_opencl_job_get_lookahead (const GstGLOpenCLJob * self)
{
  return ocl_operation_list_get_neighbours (&self->operations).n_later;
}

GstGLOpenCLWork
gst_gl_opencl_job_get_work (const GstGLOpenCLJob * self)
{
  const GstGLOpenCLHistogramFrame *emission = &self->emission;
  GstGLOpenCLWork work = GST_GL_OPENCL_WORK_NONE;

  if (gst_gl_opencl_job_is_filtered (self) || emission->settings.overlay)
    work |= GST_GL_OPENCL_WORK_READ | GST_GL_OPENCL_WORK_WRITE;
  if (emission->due)
    work |= GST_GL_OPENCL_WORK_READ;
  if (emission->due && emission->settings.emission
      & GST_GL_OPENCL_HISTOGRAM_EMISSION_META)
    work |= GST_GL_OPENCL_WORK_ATTACH;
  return work;
}

GstVideoFrame *
gst_gl_opencl_job_get_output (GstGLOpenCLJob * self)
{
  if (!self->output_buffer)
    return NULL;
  return self->output_buffer == self->input_buffer ? &self->input
      : &self->output;
}

OclFrame
gst_gl_opencl_job_describe (const GstGLOpenCLJob * self, OclStorage storage)
{
  const OclFrame frame = {.info = {.format = self->format,.colorimetry =
          self->colorimetry,.interlaced = self->interlaced,.storage =
          storage,.width = GST_VIDEO_INFO_WIDTH (self->info),.height =
          GST_VIDEO_INFO_HEIGHT (self->info)}
  };

  return frame;
}

gboolean
gst_gl_opencl_job_takes (const GstGLOpenCLJob * self, gboolean bytes_swapped)
{
  return (!self->graph || ocl_graph_takes (self->graph, bytes_swapped))
      && gst_gl_opencl_histogram_frame_takes (&self->emission, bytes_swapped);
}

/* gst_gl_context_thread_add() passes a MapCall to its function. */
typedef struct
{
  GstGLOpenCLJob *job;
  GstMapFlags flags;
  gboolean done;
  gboolean ok;
} MapCall;

static void
map_buffers (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  MapCall *call = data;
  GstGLOpenCLJob *self = call->job;
  const gboolean in_place = self->input_buffer == self->output_buffer;

  call->done = TRUE;
  if (!gst_video_frame_map (&self->input, self->info, self->input_buffer,
          call->flags | (in_place ? GST_MAP_READWRITE : GST_MAP_READ)))
    return;
  call->ok = in_place || !self->output_buffer
      || gst_video_frame_map (&self->output, self->info, self->output_buffer,
      call->flags | GST_MAP_WRITE);
  if (!call->ok)
    gst_video_frame_unmap (&self->input);
}

static void
unmap_buffers (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  MapCall *call = data;
  GstGLOpenCLJob *self = call->job;

  call->done = TRUE;
  if (gst_gl_opencl_job_get_output (self) == &self->output)
    gst_video_frame_unmap (&self->output);
  gst_video_frame_unmap (&self->input);
}

static gboolean
is_of_context (GstBuffer * buffer, GstGLContext * gl_context)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (!gst_is_gl_base_memory (memory)
        || GST_GL_BASE_MEMORY_CAST (memory)->context != gl_context)
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gl_opencl_job_is_of_context (const GstGLOpenCLJob * self,
    GstGLContext * gl_context)
{
  return is_of_context (self->input_buffer, gl_context)
      && (!self->output_buffer
      || is_of_context (self->output_buffer, gl_context));
}

/* Runs @func once on the GL thread. Otherwise GStreamer would switch to the GL
 * thread, and wait for it, for every plane. If memory belongs to another GL
 * context, runs @func on the calling thread, because two GL threads could wait
 * for each other. */
static void
run_on_gl_thread (GstGLOpenCLJob * self, GstGLContext * gl_context,
    GstGLContextThreadFunc func, MapCall * call)
{
  if (gst_gl_opencl_job_is_of_context (self, gl_context))
    gst_gl_context_thread_add (gl_context, func, call);
  /* A GL thread that has ended does not run @func either. */
  if (!call->done)
    func (gl_context, call);
}

gboolean
gst_gl_opencl_job_map (GstGLOpenCLJob * self, GstGLContext * gl_context,
    GstMapFlags flags, GError ** error)
{
  MapCall call = { self, flags, FALSE, FALSE };
  gboolean is_gl = gst_buffer_n_memory (self->input_buffer) > 0;

  run_on_gl_thread (self, gl_context, map_buffers, &call);
  if (call.ok)
    return TRUE;
  for (guint i = 0; i < gst_buffer_n_memory (self->input_buffer); i++)
    is_gl &= gst_is_gl_memory (gst_buffer_peek_memory (self->input_buffer, i));
  if (!is_gl)
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_FAILED,
        "A frame is not in OpenGL textures. Put glupload before this element.");
  else
    g_set_error (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_FAILED,
        "A frame of %dx%d cannot be mapped to %s: memory is short, or OpenGL "
        "failed. Scale frames down, or restart the pipeline.",
        GST_VIDEO_INFO_WIDTH (self->info), GST_VIDEO_INFO_HEIGHT (self->info),
        flags & GST_MAP_GL ? "a texture" : "host memory");
  return FALSE;
}

void
gst_gl_opencl_job_unmap (GstGLOpenCLJob * self, GstGLContext * gl_context)
{
  MapCall call = { self, 0, FALSE, TRUE };
  GstBuffer *output = self->output_buffer;

  /* With these references, a buffer without another owner is released here. On
   * the GL thread, its pool, or memory of another context, could wait for the
   * GL thread. */
  GstBuffer *input = gst_buffer_ref (self->input_buffer);
  if (output)
    gst_buffer_ref (output);
  run_on_gl_thread (self, gl_context, unmap_buffers, &call);
  gst_buffer_unref (input);
  if (output)
    gst_buffer_unref (output);
}

/* Returns whether the first operation only copies the input, and the frame is
 * filtered when later frames have arrived. */
static gboolean
gst_gl_opencl_job_only_takes (const GstGLOpenCLJob * self)
{
  return self->needs_lookahead && !self->output_buffer;
}

static gboolean
enqueue_commands (GstGLOpenCLJob * self, OclContext * ocl,
    const OclFrame * input, const OclFrame * output, GError ** error)
{
  const gboolean only_takes = gst_gl_opencl_job_only_takes (self);
  const gboolean is_filtered = gst_gl_opencl_job_is_filtered (self);
  const GstClockTime time = self->times.stream_time;
  OclFrame kept;

  if (output && input->planes[0].memory == output->planes[0].memory) {
    if (!ocl_frame_ensure (self->scratch, ocl, &input->info, error)
        || !ocl_frame_enqueue_copy (ocl, input, self->scratch, self->timer,
            error))
      return FALSE;
    input = self->scratch;
  }
  if (is_filtered && (output || only_takes)) {
    const OclRun run = {
      .input = self->input_in_history ? NULL : input,.output = output,
      .age = self->delay,.time = GST_CLOCK_TIME_IS_VALID (time)
          ? (gdouble) time / GST_SECOND : 0.0f,
      .number = self->number,.timer = self->timer
    };

    if (self->reset_history)
      ocl_filter_forget (self->chain);
    if (!ocl_filter_enqueue (self->chain, self->graph, &self->operations, &run,
            error)
        || (output && !gst_gl_opencl_report_frame_enqueue (&self->report,
                self->chain, self->format, self->timer, error)))
      return FALSE;
  } else if (output
      && !ocl_frame_enqueue_copy (ocl, input, output, self->timer, error)) {
    /* A frame that is only drawn on is copied. */
    return FALSE;
  }
  if (only_takes)
    return TRUE;
  /* If the frame has waited, the input is a later frame, and the first
   * operation has a copy of this frame. */
  if (self->needs_lookahead) {
    kept = ocl_filter_get_kept (self->chain, self->delay, self->interlaced);
    input = &kept;
  }
  return gst_gl_opencl_histogram_enqueue (self->histogram, &self->emission,
      input, output, self->timer, error);
}

gboolean
gst_gl_opencl_job_enqueue (GstGLOpenCLJob * self, OclContext * ocl,
    const OclFrame * input, const OclFrame * output, GError ** error)
{
  if (!ocl_timer_begin (self->timer, ocl, error))
    return FALSE;
  const gboolean ok = enqueue_commands (self, ocl, input, output, error);
  return ocl_timer_end (self->timer, ocl, ok ? error : NULL) && ok;
}

gboolean
gst_gl_opencl_job_enqueue_read (GstGLOpenCLJob * self, OclContext * ocl,
    GError ** error)
{
  if (gst_gl_opencl_job_only_takes (self))
    return TRUE;
  if (!ocl_timer_begin (self->timer, ocl, error))
    return FALSE;
  const gboolean ok = gst_gl_opencl_histogram_frame_enqueue_read
      (&self->emission, ocl, self->timer, error)
      && gst_gl_opencl_report_frame_enqueue_read (&self->report, ocl,
      self->timer, error);
  return ocl_timer_end (self->timer, ocl, ok ? error : NULL) && ok;
}
