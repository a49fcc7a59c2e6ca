/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backend host-copy: OpenCL works on GL memory that is mapped to the
 * host.
 *
 * Mapping copies nothing if the element is after glupload and before
 * gldownload. A device that works in host memory uses the mapped pointers
 * directly. For other devices, frames are transferred, see
 * gstglopencltransfer.h. */
#include "gstglopenclinterop.h"
#include "gstglopencltransfer.h"

/* State of one job: the memory of its frames. */
typedef struct
{
  GstGLOpenCLStaging input;
  GstGLOpenCLStaging output;
  gboolean staged;              /* FALSE: wrapped */
  OclFrame wrapped_input;       /* memory owned, while in flight */
  OclFrame wrapped_output;      /* likewise, if in another buffer */
} Buffers;

typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  OclContext *ocl;              /* the context's */
  GstGLOpenCLTransfer transfer;
  gboolean wrapping_fails;      /* the device cannot use mapped pointers */
} HostCopy;

static gpointer
host_copy_new (GstGLOpenCLContext * context)
{
  HostCopy *self = g_new0 (HostCopy, 1);

  self->context = gst_gl_opencl_context_ref (context);
  self->ocl = context->ocl;
  gst_gl_opencl_transfer_init (&self->transfer, self->ocl);
  return self;
}

static void
host_copy_free (gpointer interop)
{
  HostCopy *self = interop;

  gst_gl_opencl_transfer_clear (&self->transfer);
  gst_gl_opencl_context_unref (self->context);
  g_free (self);
}

static void
host_copy_clear_state (gpointer interop, gpointer state)
{
  HostCopy *self = interop;
  Buffers *buffers = state;

  gst_gl_opencl_staging_clear (&buffers->input, self->ocl);
  gst_gl_opencl_staging_clear (&buffers->output, self->ocl);
}

static gboolean
host_copy_check_format (gpointer interop, const OclFormat * format, gint width,
    gint height, GError ** error)
{
  HostCopy *self = interop;
  const OclDevice *device = self->ocl->device;
  const OclFrameInfo info = {.format = format,.width = width,.height = height };
  guint64 largest = 0;

  for (guint i = 0; i < format->n_planes; i++)
    largest = MAX (largest, (guint64) ocl_frame_info_get_row_bytes (&info, i)
        * ocl_frame_info_get_plane_height (&info, i));
  if (largest <= device->max_alloc_size)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "Frames of %dx%d are larger than the %" G_GUINT64_FORMAT " bytes that a "
      "buffer of %s can be. Scale them down, or choose another device with the "
      "device property.", width, height, device->max_alloc_size, device->name);
  return FALSE;
}

static OclFrame
describe_mapped (const GstGLOpenCLJob * job, GstVideoFrame * mapped)
{
  OclFrame frame = gst_gl_opencl_job_describe (job, OCL_STORAGE_BUFFER);

  for (guint i = 0; i < frame.info.format->n_planes; i++)
    frame.planes[i].stride = GST_VIDEO_FRAME_PLANE_STRIDE (mapped, i);
  return frame;
}

/* Returns the staging memory of the output of the job: the input's staging
 * memory if the frame is filtered in place, or NULL if the frame is only
 * read. */
static GstGLOpenCLStaging *
get_output_staging (Buffers * buffers, GstGLOpenCLJob * job)
{
  GstVideoFrame *mapped = gst_gl_opencl_job_get_output (job);

  if (!mapped)
    return NULL;
  return mapped == &job->input ? &buffers->input : &buffers->output;
}

/* Begins a job whose frames are copied to and from the device. */
static gboolean
begin_staged (HostCopy * self, Buffers * buffers, GstGLOpenCLJob * job,
    GError ** error)
{
  const OclFrame like = describe_mapped (job, &job->input);
  GstGLOpenCLTransfer *transfer = &self->transfer;
  GstGLOpenCLStaging *input = &buffers->input;
  GstGLOpenCLStaging *output = get_output_staging (buffers, job);
  const gboolean in_place = output == input;

  return gst_gl_opencl_transfer_prepare (transfer, &transfer->upload, input,
      &like.info, &job->input, error)
      && (!output || gst_gl_opencl_transfer_prepare (transfer,
          &transfer->download, output, &like.info,
          in_place ? NULL : &job->output, error))
      && gst_gl_opencl_transfer_upload (transfer, input, &job->input,
      job->timer, error)
      && gst_gl_opencl_job_enqueue (job, self->ocl, &input->frame,
      output ? &output->frame : NULL, error)
      && (output ? gst_gl_opencl_transfer_begin_download (transfer, output,
          gst_gl_opencl_job_get_output (job), job->timer, error)
      : ocl_timer_enqueue_marker (job->timer, self->ocl, error))
      && gst_gl_opencl_job_enqueue_read (job, self->ocl, error)
      && ocl_check (clFlush (self->ocl->queue), "clFlush", error);
}

/* Sets @frame to a frame that wraps the mapped pixels. The caller clears
 * @frame. */
static gboolean
wrap_mapped (OclContext * ocl, const GstGLOpenCLJob * job,
    GstVideoFrame * mapped, cl_mem_flags flags, OclFrame * frame,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  *frame = describe_mapped (job, mapped);
  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    frame->planes[i].memory = clCreateBuffer (ocl->context,
        flags | CL_MEM_USE_HOST_PTR, ocl_frame_get_size (frame, i),
        GST_VIDEO_FRAME_PLANE_DATA (mapped, i), &status);
    if (!ocl_check (status, "clCreateBuffer", error)) {
      ocl_frame_clear (frame);
      return FALSE;
    }
  }
  return TRUE;
}

/* Wraps the mapped pixels of the input and of the output, or only of the input
 * if there is no other frame. Some devices reject memory, such as memory that a
 * GL driver maps. */
static gboolean
wrap_both (HostCopy * self, Buffers * buffers, GstGLOpenCLJob * job)
{
  GstVideoFrame *output = gst_gl_opencl_job_get_output (job);
  gboolean in_place = output == &job->input;
  g_autoptr (GError) error = NULL;

  if (!self->ocl->device->host_unified || self->wrapping_fails)
    return FALSE;
  if (wrap_mapped (self->ocl, job, &job->input,
          in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY,
          &buffers->wrapped_input, &error)
      && (in_place || !output
          || wrap_mapped (self->ocl, job, output, CL_MEM_READ_WRITE,
              &buffers->wrapped_output, &error)))
    return TRUE;
  GST_INFO ("frames are copied from now on: %s", error->message);
  ocl_frame_clear (&buffers->wrapped_input);
  self->wrapping_fails = TRUE;
  return FALSE;
}

/* Makes the output of the device visible to the host, in the order of the
 * queue. Unmapping the output at once is safe: the device does not write to it
 * again. */
static gboolean
enqueue_map (HostCopy * self, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  gboolean ok = TRUE;

  if (!ocl_timer_begin (timer, self->ocl, error))
    return FALSE;
  const cl_command_queue queue = ocl_timer_get_queue (timer, self->ocl);
  for (guint i = 0; ok && i < output->info.format->n_planes; i++) {
    cl_mem memory = output->planes[i].memory;
    cl_int status = CL_SUCCESS;
    void *data = clEnqueueMapBuffer (queue, memory, CL_FALSE, CL_MAP_READ, 0,
        ocl_frame_get_size (output, i), 0, NULL,
        ocl_timer_add_event (timer, OCL_TIMER_TRANSFER), &status);

    ok = ocl_check (status, "clEnqueueMapBuffer", error)
        && ocl_check (clEnqueueUnmapMemObject (queue, memory, data, 0, NULL,
            ocl_timer_add_event (timer, OCL_TIMER_TRANSFER)),
        "clEnqueueUnmapMemObject", error);
  }
  return ocl_timer_end (timer, self->ocl, ok ? error : NULL) && ok;
}

/* Releases the wrapped memory and the mapped buffers. No command of the frame
 * may be running. */
static void
buffers_release (HostCopy * self, Buffers * buffers, GstGLOpenCLJob * job)
{
  ocl_frame_clear (&buffers->wrapped_output);
  ocl_frame_clear (&buffers->wrapped_input);
  gst_gl_opencl_job_unmap (job, self->context->gl_context);
}

static gboolean
host_copy_begin (gpointer interop, gpointer state, GstGLOpenCLJob * job,
    GError ** error)
{
  HostCopy *self = interop;
  Buffers *buffers = state;

  if (!gst_gl_opencl_job_map (job, self->context->gl_context, 0, error))
    return FALSE;

  buffers->staged = !wrap_both (self, buffers, job);
  const GstVideoFrame *mapped = gst_gl_opencl_job_get_output (job);
  const OclFrame *input = &buffers->wrapped_input;
  const OclFrame *output = !mapped ? NULL
      : mapped == &job->input ? input : &buffers->wrapped_output;
  const gboolean ok = buffers->staged ? begin_staged (self, buffers, job, error)
      : gst_gl_opencl_job_enqueue (job, self->ocl, input, output, error)
      && (output ? enqueue_map (self, output, job->timer, error)
      : ocl_timer_enqueue_marker (job->timer, self->ocl, error))
      && gst_gl_opencl_job_enqueue_read (job, self->ocl, error)
      && ocl_check (clFlush (self->ocl->queue), "clFlush", error);
  if (!ok) {
    gst_gl_opencl_transfer_finish_queues (&self->transfer);
    buffers_release (self, buffers, job);
  }
  return ok;
}

static gboolean
host_copy_finish (gpointer interop, gpointer state, GstGLOpenCLJob * job,
    GError ** error)
{
  HostCopy *self = interop;
  Buffers *buffers = state;
  GstGLOpenCLStaging *output =
      buffers->staged ? get_output_staging (buffers, job) : NULL;
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = output
      ? gst_gl_opencl_transfer_finish_download (&self->transfer, output,
      gst_gl_opencl_job_get_output (job), job->timer, error)
      : ocl_timer_wait (job->timer, error);
  if (!ok)
    gst_gl_opencl_transfer_finish_queues (&self->transfer);
  job->wait_time += gst_util_get_timestamp () - start;
  buffers_release (self, buffers, job);
  return ok;
}

const GstGLOpenCLInterop gst_gl_opencl_host_copy = {
  .storage = OCL_STORAGE_BUFFER,
  .new = host_copy_new,
  .free = host_copy_free,
  .state_size = sizeof (Buffers),
  .clear_state = host_copy_clear_state,
  .check_format = host_copy_check_format,
  .begin = host_copy_begin,
  .finish = host_copy_finish,
};
