/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencltransfer.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_transfer_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_transfer_debug

/* Number of measurements of each route. The first round includes the
 * initialization of the driver. */
#define N_ROUNDS 2

/* The calling thread also copies, and is not counted here. */
#define MAX_THREADS 3

/* Number of bytes that a thread copies at a time: large enough to make the
 * synchronization negligible, small enough that all threads end together. */
#define BAND_BYTES (128 * 1024)

/* Minimum size of a copy for several threads. */
#define MIN_BYTES (4 * BAND_BYTES)

struct _GstGLOpenCLCopier
{
  GThread *threads[MAX_THREADS];
  guint n_threads;
  gboolean tried;               /* to start the threads */

  /* The current copy. Written while no other thread works. */
  guint8 *target;
  gsize target_stride;
  const guint8 *source;
  gsize source_stride;
  gsize row_bytes;
  gint height;
  gint band;                    /* rows */
  gint next_row;                /* atomic */

  /* The lock protects these members. */
  GMutex lock;
  GCond started;
  GCond ended;
  guint copy;                   /* number of the current copy */
  guint n_working;
  gboolean stopping;
};

static void
copy_rows (const GstGLOpenCLCopier * self, gint first, gint n)
{
  for (gint y = first; y < first + n; y++)
    memcpy (self->target + y * self->target_stride,
        self->source + y * self->source_stride, self->row_bytes);
}

static void
gst_gl_opencl_copier_work (GstGLOpenCLCopier * self)
{
  gint row;

  while ((row = g_atomic_int_add (&self->next_row, self->band)) < self->height)
    copy_rows (self, row, MIN (self->band, self->height - row));
}

static gpointer
run_thread (gpointer data)
{
  GstGLOpenCLCopier *self = data;
  guint done = 0;

  g_mutex_lock (&self->lock);
  while (TRUE) {
    while (!self->stopping && self->copy == done)
      g_cond_wait (&self->started, &self->lock);
    if (self->stopping)
      break;
    done = self->copy;
    g_mutex_unlock (&self->lock);
    gst_gl_opencl_copier_work (self);
    g_mutex_lock (&self->lock);
    if (--self->n_working == 0)
      g_cond_signal (&self->ended);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

GstGLOpenCLCopier *
gst_gl_opencl_copier_new (void)
{
  GstGLOpenCLCopier *self = g_new0 (GstGLOpenCLCopier, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->started);
  g_cond_init (&self->ended);
  return self;
}

void
gst_gl_opencl_copier_free (GstGLOpenCLCopier * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_broadcast (&self->started);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->n_threads; i++)
    g_thread_join (self->threads[i]);
  g_cond_clear (&self->started);
  g_cond_clear (&self->ended);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
gst_gl_opencl_copier_copy (GstGLOpenCLCopier * self, guint8 * target,
    gsize target_stride, const guint8 * source, gsize source_stride,
    gsize row_bytes, gint height)
{
  self->target = target;
  self->target_stride = target_stride;
  self->source = source;
  self->source_stride = source_stride;
  self->row_bytes = row_bytes;
  self->height = height;
  if (row_bytes * height < MIN_BYTES) {
    copy_rows (self, 0, height);
    return;
  }

  /* Start one thread for every two processors, up to MAX_THREADS, once. If a
   * thread cannot be started, the copier works without it. */
  const guint wanted = MIN (g_get_num_processors () / 2, MAX_THREADS);
  while (!self->tried && self->n_threads < wanted) {
    GThread *thread = g_thread_try_new ("glopencl-copier", run_thread, self,
        NULL);

    if (!thread)
      break;
    self->threads[self->n_threads++] = thread;
  }
  self->tried = TRUE;
  self->band = MAX (BAND_BYTES / row_bytes, 1);
  g_mutex_lock (&self->lock);
  self->next_row = 0;
  self->copy++;
  self->n_working = self->n_threads;
  g_cond_broadcast (&self->started);
  g_mutex_unlock (&self->lock);
  gst_gl_opencl_copier_work (self);
  g_mutex_lock (&self->lock);
  while (self->n_working > 0)
    g_cond_wait (&self->ended, &self->lock);
  g_mutex_unlock (&self->lock);
}

void
gst_gl_opencl_transfer_init (GstGLOpenCLTransfer * self, OclContext * ocl)
{
  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_transfer_debug, "glopencltransfer", 0,
      "transfers of frames to OpenCL devices");
  self->ocl = ocl;
  self->copier = gst_gl_opencl_copier_new ();
}

void
gst_gl_opencl_transfer_clear (GstGLOpenCLTransfer * self)
{
  g_clear_pointer (&self->upload.queue, clReleaseCommandQueue);
  g_clear_pointer (&self->download.queue, clReleaseCommandQueue);
  g_clear_pointer (&self->copier, gst_gl_opencl_copier_free);
}

void
gst_gl_opencl_staging_clear (GstGLOpenCLStaging * staging, OclContext * ocl)
{
  g_clear_pointer (&staging->filtered, clReleaseEvent);
  for (guint i = 0; i < OCL_MAX_PLANES; i++)
    ocl_pinned_clear (&staging->pinned[i], ocl);
  ocl_frame_clear (&staging->frame);
}

void
gst_gl_opencl_transfer_finish_queues (GstGLOpenCLTransfer * self)
{
  if (self->upload.queue)
    ocl_check (clFinish (self->upload.queue), "clFinish", NULL);
  ocl_context_finish (self->ocl, NULL);
  if (self->download.queue)
    ocl_check (clFinish (self->download.queue), "clFinish", NULL);
}

/* Returns whether the mapped planes have the layout of the staged planes in
 * bytes. */
static gboolean
can_go_directly (const GstGLOpenCLStaging * staging, GstVideoFrame * mapped)
{
  const OclFrame *frame = &staging->frame;

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    const gint row_bytes = ocl_frame_info_get_row_bytes (&frame->info, i);

    if (GST_VIDEO_FRAME_PLANE_STRIDE (mapped, i) != row_bytes
        || frame->planes[i].stride != row_bytes)
      return FALSE;
  }
  return TRUE;
}

static gsize
get_bytes (const GstGLOpenCLStaging * staging)
{
  gsize bytes = 0;

  for (guint i = 0; i < staging->frame.info.format->n_planes; i++)
    bytes += ocl_frame_get_size (&staging->frame, i);
  return bytes;
}

/* Copies @mapped to the pinned memory, or the pinned memory to @mapped. */
static void
copy_pinned (GstGLOpenCLTransfer * self, const GstGLOpenCLStaging * staging,
    GstVideoFrame * mapped, gboolean to_pinned)
{
  const OclFrame *frame = &staging->frame;

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    guint8 *pixels = GST_VIDEO_FRAME_PLANE_DATA (mapped, i);
    guint8 *pinned = staging->pinned[i].data;
    const gsize stride = GST_VIDEO_FRAME_PLANE_STRIDE (mapped, i);
    const gsize pinned_stride = frame->planes[i].stride;

    gst_gl_opencl_copier_copy (self->copier, to_pinned ? pinned : pixels,
        to_pinned ? pinned_stride : stride, to_pinned ? pixels : pinned,
        to_pinned ? stride : pinned_stride,
        ocl_frame_info_get_row_bytes (&frame->info, i),
        ocl_frame_info_get_plane_height (&frame->info, i));
  }
}

/* Enqueues the upload of @mapped, or of the pinned memory if @mapped is NULL.
 * @last gets the event of the last plane. */
static gboolean
enqueue_writes (GstGLOpenCLTransfer * self, GstGLOpenCLStaging * staging,
    GstVideoFrame * mapped, OclTimer * timer, cl_event ** last, GError ** error)
{
  const OclFrame *frame = &staging->frame;

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    const void *pixels = mapped ? GST_VIDEO_FRAME_PLANE_DATA (mapped, i)
        : staging->pinned[i].data;

    *last = ocl_timer_add_event (timer, OCL_TIMER_TRANSFER);
    if (!ocl_check (clEnqueueWriteBuffer (self->upload.queue,
                frame->planes[i].memory, CL_FALSE, 0,
                ocl_frame_get_size (frame, i), pixels, 0, NULL, *last),
            "clEnqueueWriteBuffer", error))
      return FALSE;
  }
  return ocl_check (clFlush (self->upload.queue), "clFlush", error);
}

/* Enqueues the download to @mapped, or to the pinned memory if @mapped is NULL.
 * The download waits for the event @filtered unless that event is NULL. */
static gboolean
enqueue_reads (GstGLOpenCLTransfer * self, GstGLOpenCLStaging * staging,
    GstVideoFrame * mapped, OclTimer * timer, GError ** error)
{
  const OclFrame *frame = &staging->frame;
  const cl_uint n_events = staging->filtered ? 1 : 0;

  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    void *pixels = mapped ? GST_VIDEO_FRAME_PLANE_DATA (mapped, i)
        : staging->pinned[i].data;

    if (!ocl_check (clEnqueueReadBuffer (self->download.queue,
                frame->planes[i].memory, CL_FALSE, 0,
                ocl_frame_get_size (frame, i), pixels, n_events,
                n_events ? &staging->filtered : NULL,
                ocl_timer_add_event (timer, OCL_TIMER_TRANSFER)),
            "clEnqueueReadBuffer", error))
      return FALSE;
  }
  return ocl_check (clFlush (self->download.queue), "clFlush", error);
}

/* Sets @route to the faster of the two routes, by the best round of each. Each
 * round transfers a frame and waits for the transfer. */
static gboolean
measure_route (GstGLOpenCLTransfer * self, GstGLOpenCLStaging * staging,
    GstVideoFrame * mapped, GstGLOpenCLRoute * route, GError ** error)
{
  const gboolean is_upload = route == &self->upload;
  GstClockTime best[2] = { GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE };

  for (guint i = 0; i < 2 * N_ROUNDS; i++) {
    const gboolean direct = i % 2;
    g_autoptr (OclTimer) timer = ocl_timer_new ();
    const GstClockTime start = gst_util_get_timestamp ();
    GstVideoFrame *pixels = direct ? mapped : NULL;
    cl_event *last = NULL;

    if (is_upload && !direct)
      copy_pinned (self, staging, mapped, TRUE);
    if (!(is_upload
            ? enqueue_writes (self, staging, pixels, timer, &last, error)
            : enqueue_reads (self, staging, pixels, timer, error))
        || !ocl_check (clFinish (route->queue), "clFinish", error))
      return FALSE;
    if (!is_upload && !direct)
      copy_pinned (self, staging, mapped, FALSE);
    best[direct] = MIN (best[direct], gst_util_get_timestamp () - start);
  }
  route->direct = best[1] < best[0];
  route->bytes = get_bytes (staging);
  GST_INFO ("frames of %" G_GSIZE_FORMAT " bytes: %" G_GUINT64_FORMAT
      " ns by pinned memory, %" G_GUINT64_FORMAT " ns directly",
      route->bytes, best[0], best[1]);
  return TRUE;
}

gboolean
gst_gl_opencl_transfer_prepare (GstGLOpenCLTransfer * self,
    GstGLOpenCLRoute * route, GstGLOpenCLStaging * staging,
    const OclFrameInfo * info, GstVideoFrame * mapped, GError ** error)
{
  const OclFrameInfo copy = ocl_frame_info_get_copy (info);

  if (!route->queue)
    route->queue = ocl_context_create_queue (self->ocl, error);
  if (!route->queue
      || !ocl_frame_ensure (&staging->frame, self->ocl, &copy, error))
    return FALSE;
  for (guint i = 0; i < info->format->n_planes; i++) {
    if (!ocl_pinned_ensure (&staging->pinned[i], self->ocl,
            ocl_frame_get_size (&staging->frame, i), error))
      return FALSE;
  }
  return !mapped || !can_go_directly (staging, mapped)
      || route->bytes == get_bytes (staging)
      || measure_route (self, staging, mapped, route, error);
}

/* Returns whether to use the direct route. Ignores measurements with frames of
 * another size. */
static gboolean
is_direct (const GstGLOpenCLRoute * route, const GstGLOpenCLStaging * staging,
    GstVideoFrame * mapped)
{
  return route->direct && route->bytes == get_bytes (staging)
      && can_go_directly (staging, mapped);
}

gboolean
gst_gl_opencl_transfer_upload (GstGLOpenCLTransfer * self,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error)
{
  const gboolean direct = is_direct (&self->upload, staging, mapped);
  cl_event *written = NULL;

  if (!direct)
    copy_pinned (self, staging, mapped, TRUE);
  /* The queue is in order: when the last write ends, all writes have ended. */
  return enqueue_writes (self, staging, direct ? mapped : NULL, timer,
      &written, error)
      && ocl_check (clEnqueueBarrierWithWaitList (self->ocl->queue, 1, written,
          NULL), "clEnqueueBarrierWithWaitList", error);
}

/* The direct route is used in gst_gl_opencl_transfer_finish_download(), because
 * it would block the thread here. */
gboolean
gst_gl_opencl_transfer_begin_download (GstGLOpenCLTransfer * self,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error)
{
  g_clear_pointer (&staging->filtered, clReleaseEvent);
  staging->direct = is_direct (&self->download, staging, mapped);
  return ocl_check (clEnqueueMarkerWithWaitList (self->ocl->queue, 0, NULL,
          &staging->filtered), "clEnqueueMarkerWithWaitList", error)
      && ocl_check (clFlush (self->ocl->queue), "clFlush", error)
      && (staging->direct || enqueue_reads (self, staging, NULL, timer, error));
}

gboolean
gst_gl_opencl_transfer_finish_download (GstGLOpenCLTransfer * self,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error)
{
  gboolean ok = (!staging->direct
      || enqueue_reads (self, staging, mapped, timer, error))
      && ocl_timer_wait (timer, error);

  g_clear_pointer (&staging->filtered, clReleaseEvent);
  if (ok && !staging->direct)
    copy_pinned (self, staging, mapped, FALSE);
  return ok;
}
