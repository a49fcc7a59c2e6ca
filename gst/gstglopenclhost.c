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

struct _GstGLOpenCLHost
{
  OclContext *ocl;
  gboolean wrapping_fails;      /* the device cannot use mapped pointers */
  Staging input;
  Staging output;
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
  staging_clear (&self->input, self->ocl);
  staging_clear (&self->output, self->ocl);
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

static void
copy_rows (guint8 * target, gsize target_stride, const guint8 * source,
    gsize source_stride, gsize row_bytes, gint height)
{
  for (gint y = 0; y < height; y++)
    memcpy (target + y * target_stride, source + y * source_stride, row_bytes);
}

/* The size is that of the caps: a mapped frame may be larger. */
static OclFrame
describe_mapped (const GstGLOpenCLWork * work, GstVideoFrame * mapped)
{
  return (OclFrame) {
    .storage = OCL_STORAGE_BUFFER,
    .width = GST_VIDEO_INFO_WIDTH (work->info),
    .height = GST_VIDEO_INFO_HEIGHT (work->info),
    .stride = GST_VIDEO_FRAME_PLANE_STRIDE (mapped, 0),
  };
}

static guint8 *
get_pixels (GstVideoFrame * mapped)
{
  return GST_VIDEO_FRAME_PLANE_DATA (mapped, 0);
}

/* The device copies: write, run, read, wait. */
static gboolean
process_staged (GstGLOpenCLHost * self, OclFrame * scratch,
    const GstGLOpenCLWork * work, GstVideoFrame * mapped_input,
    GstVideoFrame * mapped_output, OclTimer * timer, guint64 * wait_time,
    GError ** error)
{
  const OclFrame like = describe_mapped (work, mapped_input);
  gboolean in_place = mapped_input == mapped_output;
  Staging *input = &self->input;
  Staging *output = !mapped_output ? NULL : in_place ? input : &self->output;
  cl_command_queue queue = self->ocl->queue;

  if (!staging_ensure (input, self->ocl, &like, error)
      || (output && !staging_ensure (output, self->ocl, &like, error)))
    return FALSE;

  gsize size = ocl_frame_get_size (&input->frame);
  gsize row_bytes = input->frame.stride;
  copy_rows (input->pinned.data, row_bytes, get_pixels (mapped_input),
      GST_VIDEO_FRAME_PLANE_STRIDE (mapped_input, 0), row_bytes, like.height);

  gboolean ok = ocl_check (clEnqueueWriteBuffer (queue, input->frame.memory,
          CL_FALSE, 0, size, input->pinned.data, 0, NULL,
          ocl_timer_add (timer, OCL_TIMER_TRANSFER)), "clEnqueueWriteBuffer",
      error)
      && gst_gl_opencl_work_enqueue (work, self->ocl, &input->frame,
      output ? &output->frame : NULL, scratch, timer, error)
      && (!output || ocl_check (clEnqueueReadBuffer (queue,
              output->frame.memory, CL_FALSE, 0, size, output->pinned.data, 0,
              NULL, ocl_timer_add (timer, OCL_TIMER_TRANSFER)),
          "clEnqueueReadBuffer", error))
      && gst_gl_opencl_work_enqueue_read (work, timer, error);

  GstClockTime start = gst_util_get_timestamp ();
  ok = ocl_context_finish (self->ocl, ok ? error : NULL) && ok;
  *wait_time += gst_util_get_timestamp () - start;
  if (ok && output)
    copy_rows (get_pixels (mapped_output),
        GST_VIDEO_FRAME_PLANE_STRIDE (mapped_output, 0), output->pinned.data,
        row_bytes, row_bytes, like.height);
  return ok;
}

/* A frame around the mapped pixels themselves; clear it. */
static gboolean
wrap_mapped (OclContext * ocl, const GstGLOpenCLWork * work,
    GstVideoFrame * mapped, cl_mem_flags flags, OclFrame * frame,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  *frame = describe_mapped (work, mapped);
  frame->memory = clCreateBuffer (ocl->context, flags | CL_MEM_USE_HOST_PTR,
      ocl_frame_get_size (frame), get_pixels (mapped), &status);
  return ocl_check (status, "clCreateBuffer", error);
}

/* Runs the operation on wrapped frames and makes its result, if any, visible to
 * the host. Nothing is running when this returns. */
static gboolean
run_wrapped (GstGLOpenCLHost * self, OclFrame * scratch,
    const GstGLOpenCLWork * work, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, guint64 * wait_time,
    GError ** error)
{
  cl_command_queue queue = self->ocl->queue;
  cl_int status = CL_SUCCESS;

  gboolean ok = gst_gl_opencl_work_enqueue (work, self->ocl, input, output,
      scratch, timer, error)
      && gst_gl_opencl_work_enqueue_read (work, timer, error);
  GstClockTime start = gst_util_get_timestamp ();
  if (ok && output) {
    void *data = clEnqueueMapBuffer (queue, output->memory, CL_FALSE,
        CL_MAP_READ, 0, ocl_frame_get_size (output), 0, NULL,
        ocl_timer_add (timer, OCL_TIMER_TRANSFER), &status);
    ok = ocl_check (status, "clEnqueueMapBuffer", error);
    if (ok) {
      ok = ocl_context_finish (self->ocl, error);
      ok = ocl_check (clEnqueueUnmapMemObject (queue, output->memory, data, 0,
              NULL, NULL), "clEnqueueUnmapMemObject", ok ? error : NULL) && ok;
    }
  }
  ok = ocl_context_finish (self->ocl, ok ? error : NULL) && ok;
  *wait_time += gst_util_get_timestamp () - start;
  return ok;
}

/* Frames around the mapped pixels of both, or of the one that there is; clear
 * them. Some devices refuse some memory, such as that which a GL driver maps. */
static gboolean
wrap_both (GstGLOpenCLHost * self, const GstGLOpenCLWork * work,
    GstVideoFrame * mapped_input, GstVideoFrame * mapped_output,
    OclFrame * input, OclFrame * output)
{
  gboolean in_place = mapped_input == mapped_output;
  g_autoptr (GError) error = NULL;

  if (!self->ocl->device->host_unified || self->wrapping_fails)
    return FALSE;
  if (wrap_mapped (self->ocl, work, mapped_input,
          in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, input, &error)
      && (in_place || !mapped_output
          || wrap_mapped (self->ocl, work, mapped_output, CL_MEM_READ_WRITE,
              output, &error)))
    return TRUE;
  GST_INFO ("frames are copied from now on: %s", error->message);
  ocl_frame_clear (input);
  self->wrapping_fails = TRUE;
  return FALSE;
}

static gboolean
process_mapped (GstGLOpenCLHost * self, OclFrame * scratch,
    const GstGLOpenCLWork * work, GstVideoFrame * mapped_input,
    GstVideoFrame * mapped_output, OclTimer * timer, guint64 * wait_time,
    GError ** error)
{
  gboolean in_place = mapped_input == mapped_output;
  OclFrame input = { 0, };
  OclFrame output = { 0, };

  if (!wrap_both (self, work, mapped_input, mapped_output, &input, &output))
    return process_staged (self, scratch, work, mapped_input, mapped_output,
        timer, wait_time, error);

  gboolean ok = run_wrapped (self, scratch, work, &input,
      !mapped_output ? NULL : in_place ? &input : &output, timer, wait_time,
      error);
  ocl_frame_clear (&output);
  ocl_frame_clear (&input);
  return ok;
}

gboolean
gst_gl_opencl_host_process (GstGLOpenCLHost * self, OclFrame * scratch,
    const GstGLOpenCLWork * work, OclTimer * timer, guint64 * wait_time,
    GError ** error)
{
  GstVideoFrame input;
  GstVideoFrame output;

  if (!gst_gl_opencl_work_map (work, 0, &input, &output, error))
    return FALSE;
  gboolean ok = process_mapped (self, scratch, work, &input,
      !work->output ? NULL : work->input == work->output ? &input : &output,
      timer, wait_time, error);
  gst_gl_opencl_work_unmap (work, &input, &output);
  return ok;
}
