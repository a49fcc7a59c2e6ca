/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclhost.h"

#include <string.h>

#include "opencl/oclpinned.h"

/* A frame on the device and the host memory it is transferred through; rows are
 * packed in both. */
typedef struct
{
  OclFrame frame;               /* memory owned */
  OclPinned pinned;
} Staging;

/* What one frame on its way needs. */
typedef struct
{
  Staging input;
  Staging output;
  gboolean staged;              /* and not wrapped */
  OclFrame wrapped_input;       /* memory owned, while on its way */
  OclFrame wrapped_output;      /* likewise, where it is another one */
} Slot;

struct _GstGLOpenCLHost
{
  OclContext *ocl;
  /* In-order queues beside that of the kernels, when first needed. */
  cl_command_queue upload;
  cl_command_queue download;
  gboolean wrapping_fails;      /* the device cannot use mapped pointers */
  Slot slots[GST_GL_OPENCL_MAX_FLIGHTS];
};

GstGLOpenCLHost *
gst_gl_opencl_host_new (OclContext * ocl)
{
  GstGLOpenCLHost *self = g_new0 (GstGLOpenCLHost, 1);

  self->ocl = ocl_context_ref (ocl);
  return self;
}

static void
staging_clear (Staging * staging, OclContext * ocl)
{
  ocl_pinned_clear (&staging->pinned, ocl);
  ocl_frame_clear (&staging->frame);
}

void
gst_gl_opencl_host_free (GstGLOpenCLHost * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->slots); i++) {
    staging_clear (&self->slots[i].input, self->ocl);
    staging_clear (&self->slots[i].output, self->ocl);
  }
  g_clear_pointer (&self->upload, clReleaseCommandQueue);
  g_clear_pointer (&self->download, clReleaseCommandQueue);
  ocl_context_unref (self->ocl);
  g_free (self);
}

static gboolean
staging_ensure (Staging * staging, OclContext * ocl, const OclFrame * like,
    GError ** error)
{
  return ocl_frame_ensure (&staging->frame, ocl, OCL_STORAGE_BUFFER, like,
      error)
      && ocl_pinned_ensure (&staging->pinned, ocl,
      ocl_frame_get_size (&staging->frame), error);
}

static gboolean
ensure_queue (GstGLOpenCLHost * self, cl_command_queue * queue, GError ** error)
{
  if (!*queue)
    *queue = ocl_context_create_queue (self->ocl, error);
  return *queue != NULL;
}

/* Waits for all that was enqueued anywhere, after a failure. */
static void
gst_gl_opencl_host_finish_queues (GstGLOpenCLHost * self)
{
  if (self->upload)
    ocl_check (clFinish (self->upload), "clFinish", NULL);
  ocl_context_finish (self->ocl, NULL);
  if (self->download)
    ocl_check (clFinish (self->download), "clFinish", NULL);
}

static void
copy_rows (guint8 * target, gsize target_stride, const guint8 * source,
    gsize source_stride, gsize row_bytes, gint height)
{
  for (gint y = 0; y < height; y++)
    memcpy (target + y * target_stride, source + y * source_stride, row_bytes);
}

/* The size is that of the caps: a mapped frame may be larger. */
static OclFrame
describe_mapped (const GstGLOpenCLFlight * flight, GstVideoFrame * mapped)
{
  return (OclFrame) {
    .storage = OCL_STORAGE_BUFFER,
    .width = GST_VIDEO_INFO_WIDTH (flight->work.info),
    .height = GST_VIDEO_INFO_HEIGHT (flight->work.info),
    .stride = GST_VIDEO_FRAME_PLANE_STRIDE (mapped, 0),
  };
}

static guint8 *
get_pixels (GstVideoFrame * mapped)
{
  return GST_VIDEO_FRAME_PLANE_DATA (mapped, 0);
}

/* What @output of the slot is to be downloaded to: the input's where the frame
 * is filtered in place, NULL where it is only read. */
static Staging *
get_output_staging (Slot * slot, GstGLOpenCLFlight * flight)
{
  GstVideoFrame *mapped = gst_gl_opencl_flight_get_output (flight);

  if (!mapped)
    return NULL;
  return mapped == &flight->input ? &slot->input : &slot->output;
}

/* Writes the frame to the device; the kernels' queue goes on behind that. */
static gboolean
enqueue_upload (GstGLOpenCLHost * self, Slot * slot, OclTimer * timer,
    GError ** error)
{
  Staging *input = &slot->input;
  cl_event *written = ocl_timer_add (timer, OCL_TIMER_TRANSFER);

  return ocl_check (clEnqueueWriteBuffer (self->upload, input->frame.memory,
          CL_FALSE, 0, ocl_frame_get_size (&input->frame), input->pinned.data,
          0, NULL, written), "clEnqueueWriteBuffer", error)
      && ocl_check (clFlush (self->upload), "clFlush", error)
      && ocl_check (clEnqueueBarrierWithWaitList (self->ocl->queue, 1, written,
          NULL), "clEnqueueBarrierWithWaitList", error);
}

/* Reads the frame from the device when the kernels' queue has come here. */
static gboolean
enqueue_download (GstGLOpenCLHost * self, Staging * output, OclTimer * timer,
    GError ** error)
{
  cl_event filtered = NULL;

  if (!ocl_check (clEnqueueMarkerWithWaitList (self->ocl->queue, 0, NULL,
              &filtered), "clEnqueueMarkerWithWaitList", error))
    return FALSE;
  gboolean ok = ocl_check (clFlush (self->ocl->queue), "clFlush", error)
      && ocl_check (clEnqueueReadBuffer (self->download, output->frame.memory,
          CL_FALSE, 0, ocl_frame_get_size (&output->frame),
          output->pinned.data, 1, &filtered, ocl_timer_add (timer,
              OCL_TIMER_TRANSFER)), "clEnqueueReadBuffer", error)
      && ocl_check (clFlush (self->download), "clFlush", error);
  clReleaseEvent (filtered);
  return ok;
}

/* The device copies. */
static gboolean
begin_staged (GstGLOpenCLHost * self, Slot * slot, GstGLOpenCLFlight * flight,
    OclFrame * scratch, GError ** error)
{
  const OclFrame like = describe_mapped (flight, &flight->input);
  Staging *input = &slot->input;
  Staging *output = get_output_staging (slot, flight);

  if (!ensure_queue (self, &self->upload, error)
      || !ensure_queue (self, &self->download, error)
      || !staging_ensure (input, self->ocl, &like, error)
      || (output && !staging_ensure (output, self->ocl, &like, error)))
    return FALSE;

  copy_rows (input->pinned.data, input->frame.stride,
      get_pixels (&flight->input), like.stride, input->frame.stride,
      like.height);
  return enqueue_upload (self, slot, flight->timer, error)
      && gst_gl_opencl_flight_enqueue (flight, self->ocl, &input->frame,
      output ? &output->frame : NULL, scratch, error)
      && (!output || enqueue_download (self, output, flight->timer, error))
      && gst_gl_opencl_flight_enqueue_read (flight, error)
      && ocl_check (clFlush (self->ocl->queue), "clFlush", error);
}

static void
copy_staged (Slot * slot, GstGLOpenCLFlight * flight)
{
  GstVideoFrame *mapped = gst_gl_opencl_flight_get_output (flight);
  Staging *output = get_output_staging (slot, flight);

  if (output)
    copy_rows (get_pixels (mapped), GST_VIDEO_FRAME_PLANE_STRIDE (mapped, 0),
        output->pinned.data, output->frame.stride, output->frame.stride,
        output->frame.height);
}

/* A frame around the mapped pixels themselves; clear it. */
static gboolean
wrap_mapped (OclContext * ocl, const GstGLOpenCLFlight * flight,
    GstVideoFrame * mapped, cl_mem_flags flags, OclFrame * frame,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  *frame = describe_mapped (flight, mapped);
  frame->memory = clCreateBuffer (ocl->context, flags | CL_MEM_USE_HOST_PTR,
      ocl_frame_get_size (frame), get_pixels (mapped), &status);
  return ocl_check (status, "clCreateBuffer", error);
}

/* Frames around the mapped pixels of both, or of the one that there is. Some
 * devices refuse some memory, such as that which a GL driver maps. */
static gboolean
wrap_both (GstGLOpenCLHost * self, Slot * slot, GstGLOpenCLFlight * flight)
{
  GstVideoFrame *output = gst_gl_opencl_flight_get_output (flight);
  gboolean in_place = output == &flight->input;
  g_autoptr (GError) error = NULL;

  if (!self->ocl->device->host_unified || self->wrapping_fails)
    return FALSE;
  if (wrap_mapped (self->ocl, flight, &flight->input,
          in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY,
          &slot->wrapped_input, &error)
      && (in_place || !output
          || wrap_mapped (self->ocl, flight, output, CL_MEM_READ_WRITE,
              &slot->wrapped_output, &error)))
    return TRUE;
  GST_INFO ("frames are copied from now on: %s", error->message);
  ocl_frame_clear (&slot->wrapped_input);
  self->wrapping_fails = TRUE;
  return FALSE;
}

/* Makes what the device wrote visible to the host, in the order of the queue.
 * To unmap it at once takes nothing back: the device does not write it
 * again. */
static gboolean
enqueue_map (GstGLOpenCLHost * self, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  cl_command_queue queue = self->ocl->queue;
  cl_int status = CL_SUCCESS;
  void *data = clEnqueueMapBuffer (queue, output->memory, CL_FALSE,
      CL_MAP_READ, 0, ocl_frame_get_size (output), 0, NULL,
      ocl_timer_add (timer, OCL_TIMER_TRANSFER), &status);

  return ocl_check (status, "clEnqueueMapBuffer", error)
      && ocl_check (clEnqueueUnmapMemObject (queue, output->memory, data, 0,
          NULL, ocl_timer_add (timer, OCL_TIMER_TRANSFER)),
      "clEnqueueUnmapMemObject", error);
}

/* Runs the operation on wrapped frames. */
static gboolean
begin_wrapped (GstGLOpenCLHost * self, Slot * slot, GstGLOpenCLFlight * flight,
    OclFrame * scratch, GError ** error)
{
  GstVideoFrame *mapped = gst_gl_opencl_flight_get_output (flight);
  const OclFrame *input = &slot->wrapped_input;
  const OclFrame *output = !mapped ? NULL
      : mapped == &flight->input ? input : &slot->wrapped_output;

  return gst_gl_opencl_flight_enqueue (flight, self->ocl, input, output,
      scratch, error)
      && (!output || enqueue_map (self, output, flight->timer, error))
      && gst_gl_opencl_flight_enqueue_read (flight, error)
      && ocl_check (clFlush (self->ocl->queue), "clFlush", error);
}

/* Nothing of the frame is running. */
static void
slot_release (Slot * slot, GstGLOpenCLFlight * flight)
{
  ocl_frame_clear (&slot->wrapped_output);
  ocl_frame_clear (&slot->wrapped_input);
  gst_gl_opencl_flight_unmap (flight);
}

gboolean
gst_gl_opencl_host_begin (GstGLOpenCLHost * self, GstGLOpenCLFlight * flight,
    OclFrame * scratch, GError ** error)
{
  Slot *slot = &self->slots[flight->slot];

  if (!gst_gl_opencl_flight_map (flight, 0, error))
    return FALSE;

  slot->staged = !wrap_both (self, slot, flight);
  gboolean ok = slot->staged
      ? begin_staged (self, slot, flight, scratch, error)
      : begin_wrapped (self, slot, flight, scratch, error);
  if (!ok) {
    gst_gl_opencl_host_finish_queues (self);
    slot_release (slot, flight);
  }
  return ok;
}

gboolean
gst_gl_opencl_host_finish (GstGLOpenCLHost * self, GstGLOpenCLFlight * flight,
    guint64 * wait_time, GError ** error)
{
  Slot *slot = &self->slots[flight->slot];
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = ocl_timer_wait (flight->timer, error);
  if (!ok)
    gst_gl_opencl_host_finish_queues (self);
  *wait_time += gst_util_get_timestamp () - start;
  if (ok && slot->staged)
    copy_staged (slot, flight);
  slot_release (slot, flight);
  return ok;
}
