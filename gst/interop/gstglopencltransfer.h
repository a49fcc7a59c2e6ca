/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers frames that are mapped to the host to a device with separate
 * memory, and back.
 *
 * There are two routes for each direction. On the direct route, the driver
 * reads or writes the mapped pixels. On the other route, several threads copy
 * the pixels to or from pinned memory, which a device transfers by DMA. The
 * faster route depends on the device, the driver and the host, so both are
 * measured with the first frame of a size.
 *
 * Transfers have separate queues: while one frame is filtered, the next frame
 * can be uploaded and the previous frame downloaded. */

#pragma once

#include <gst/video/video.h>

#include "opencl/core/oclframe.h"
#include "opencl/core/oclmemory.h"

G_BEGIN_DECLS

/* Copies rows of pixels in host memory with several threads, because one thread
 * does not reach the memory's bandwidth. */
typedef struct _GstGLOpenCLCopier GstGLOpenCLCopier;

/* The first copy that is large enough for several threads starts them. May be
 * called from any thread. */
GstGLOpenCLCopier *gst_gl_opencl_copier_new (void);
void gst_gl_opencl_copier_free (GstGLOpenCLCopier * copier);

/* Copies @height rows of @row_bytes bytes from @source to @target, and waits
 * until the copy has finished. The rows start @target_stride and @source_stride
 * bytes apart. Must be called by one thread at a time. */
void gst_gl_opencl_copier_copy (GstGLOpenCLCopier * copier, guint8 * target,
    gsize target_stride, const guint8 * source, gsize source_stride,
    gsize row_bytes, gint height);

/**
 * GstGLOpenCLStaging:
 * @frame: the frame on the device, packed (memory owned)
 * @pinned: host memory for the planes of @frame, also packed
 * @filtered: event that ends when @frame can be read, or NULL (owned)
 * @direct: whether the current download uses the direct route
 *
 * Memory for the transfer of a frame. Start with a zeroed struct, end with
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
 * @queue: in-order queue, created on first use (owned)
 * @direct: whether the faster route is the direct one
 * @bytes: size in bytes of the frames that @direct was measured with, or 0
 *    before the first measurement
 *
 * The route of frames in one direction.
 */
typedef struct
{
  cl_command_queue queue;
  gboolean direct;
  gsize bytes;
} GstGLOpenCLRoute;

/**
 * GstGLOpenCLTransfer:
 * @ocl: the context that frames are transferred to (not owned)
 * @copier: copies pixels to and from pinned memory (owned)
 * @upload: the route to the device
 * @download: the route from the device
 */
typedef struct
{
  OclContext *ocl;
  GstGLOpenCLCopier *copier;
  GstGLOpenCLRoute upload;
  GstGLOpenCLRoute download;
} GstGLOpenCLTransfer;

/* Must be called by one thread at a time. */

/* Does not use the device. @ocl must outlive @transfer. */
void gst_gl_opencl_transfer_init (GstGLOpenCLTransfer * transfer,
    OclContext * ocl);

/* No transfer may be in flight. */
void gst_gl_opencl_transfer_clear (GstGLOpenCLTransfer * transfer);

/* No transfer through @staging may be in flight. */
void gst_gl_opencl_staging_clear (GstGLOpenCLStaging * staging,
    OclContext * ocl);

/* Allocates memory in @staging for frames like @info. If @route, a route of
 * @transfer, has not been measured for frames of this kind, measures it with
 * @mapped, a frame of this kind, to which the measurement of a download writes.
 * If @mapped is NULL, nothing is measured. Waits for the device if it allocates
 * or measures. */
gboolean gst_gl_opencl_transfer_prepare (GstGLOpenCLTransfer * transfer,
    GstGLOpenCLRoute * route, GstGLOpenCLStaging * staging,
    const OclFrameInfo * info, GstVideoFrame * mapped, GError ** error);

/* Enqueues the upload of @mapped, which must stay mapped until the upload has
 * finished. Later commands in the kernels' queue wait for the upload. */
gboolean gst_gl_opencl_transfer_upload (GstGLOpenCLTransfer * transfer,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error);

/* Prepares the download of the frame in @staging to @mapped. The download
 * starts after the commands that are already in the kernels' queue. Enqueues
 * the part of the download that does not block. */
gboolean gst_gl_opencl_transfer_begin_download (GstGLOpenCLTransfer * transfer,
    GstGLOpenCLStaging * staging, GstVideoFrame * mapped, OclTimer * timer,
    GError ** error);

/* Finishes the download that was begun to @mapped, and waits for all commands
 * that have an event of @timer. The bytes between the rows of @mapped stay
 * unchanged. */
gboolean gst_gl_opencl_transfer_finish_download (GstGLOpenCLTransfer *
    transfer, GstGLOpenCLStaging * staging, GstVideoFrame * mapped,
    OclTimer * timer, GError ** error);

/* Waits for all commands in all queues. Must be called after a failure. */
void gst_gl_opencl_transfer_finish_queues (GstGLOpenCLTransfer * transfer);

G_END_DECLS
