/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How frames that are mapped to the host get to a device with memory of its
 * own, and back.
 *
 * There are two routes, for each direction: the driver takes the mapped pixels
 * as they are, or several threads copy them to or from pinned memory, which a
 * device transfers by itself. Which is faster differs by device, driver and
 * host: it is measured with the first frame of a size.
 *
 * Transfers have queues of their own: while one frame is filtered the next can
 * be sent to the device and the last be read from it. */

#pragma once

#include <gst/video/video.h>

#include "gstglopenclcopier.h"
#include "opencl/core/oclframe.h"
#include "opencl/core/oclpinned.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLStaging:
 * @frame: on the device, packed; memory owned
 * @pinned: host memory for its planes, packed as well
 * @filtered: ends when @frame can be read, or NULL; owned
 * @direct: whether the download at hand takes the direct route
 *
 * What a frame is transferred through. Start with a zeroed struct, end with
 * gst_gl_opencl_staging_clear().
 */
typedef struct
{
  OclFrame frame;
  OclPinned pinned[OCL_MAX_PLANES];
  cl_event filtered;
  gboolean direct;
} GstGLOpenCLStaging;

/**
 * GstGLOpenCLRoute:
 * @queue: in-order queue, when first needed; owned
 * @direct: whether it is the direct one
 * @bytes: of the frames that @direct was measured with; 0 before
 *
 * How frames go in one direction.
 */
typedef struct
{
  cl_command_queue queue;
  gboolean direct;
  gsize bytes;
} GstGLOpenCLRoute;

/**
 * GstGLOpenCLTransfer:
 * @ocl: where frames go; not owned
 * @copier: owned
 * @upload: to the device
 * @download: from it
 */
typedef struct
{
  OclContext *ocl;
  GstGLOpenCLCopier *copier;
  GstGLOpenCLRoute upload;
  GstGLOpenCLRoute download;
} GstGLOpenCLTransfer;

/* One thread at a time for all. */

/* @ocl has to outlive it. Does not touch the device. */
void gst_gl_opencl_transfer_init (GstGLOpenCLTransfer * transfer,
    OclContext * ocl);

/* Nothing may be in flight. */
void gst_gl_opencl_transfer_clear (GstGLOpenCLTransfer * transfer);

/* Nothing of it may be in flight. */
void gst_gl_opencl_staging_clear (GstGLOpenCLStaging * staging,
    OclContext * ocl);

/* Makes @staging room for frames like @like, and measures the routes of uploads
 * from @mapped, a frame of that kind, where that was not done. Waits for the
 * device where something has to be done. */
gboolean gst_gl_opencl_transfer_prepare_upload (GstGLOpenCLTransfer * transfer,
    GstGLOpenCLStaging * staging, const OclFrame * like,
    GstVideoFrame * mapped, GError ** error);

/* The same of downloads; @mapped is written to. Where it is NULL, nothing is
 * measured. */
gboolean gst_gl_opencl_transfer_prepare_download (GstGLOpenCLTransfer *
    transfer, GstGLOpenCLStaging * staging, const OclFrame * like,
    GstVideoFrame * mapped, GError ** error);

/* Enqueues the upload of @mapped, which has to stay mapped until that is done;
 * the kernels' queue goes on behind it. */
gboolean gst_gl_opencl_transfer_upload (GstGLOpenCLTransfer * transfer,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error);

/* Prepares the download to @mapped of what the kernels' queue has written when
 * it has come here, and enqueues what can be done without waiting. */
gboolean gst_gl_opencl_transfer_begin_download (GstGLOpenCLTransfer * transfer,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error);

/* Does the rest, to the same frame, and waits for all that @timer has timed.
 * Bytes between its rows stay as they are. */
gboolean gst_gl_opencl_transfer_finish_download (GstGLOpenCLTransfer *
    transfer, GstGLOpenCLStaging * staging, GstVideoFrame * mapped,
    OclTimer * timer, GError ** error);

/* Waits for all that was enqueued anywhere, after a failure. */
void gst_gl_opencl_transfer_finish_queues (GstGLOpenCLTransfer * transfer);

G_END_DECLS
