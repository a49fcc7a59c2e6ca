/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes histograms of the frames of an element, for applications. Histograms
 * are counted with OpenCL, emitted as element messages and buffer metas, and
 * drawn into the picture.
 *
 * A session owns one. The element message, named after the element's factory
 * (`glopenclfilter-histogram`), has the times of the frame, see
 * gstglopenclreport.h, and the fields
 *
 *   bins                           guint, 1024, 256 or 64
 *   CHANNEL                        GST_TYPE_ARRAY of guint, one per bin
 *
 * and the custom meta GST_GL_OPENCL_HISTOGRAM_META_NAME has the fields
 *
 *   element                        gchararray, the name of the element
 *   bins                           guint, 1024, 256 or 64
 *   CHANNEL                        GBytes, a guint32 per bin in the machine's
 *                                  byte order
 *
 * CHANNEL stands for one field for each channel: red, green, blue and luma of
 * RGB, or luma, cb and cr of Y'CbCr, or luma of grey. If a format has fewer
 * bins than requested, the field bins has the smaller number: 256 for 8 bits.
 *
 * The counts describe the pixels at this element. Downstream elements pass the
 * meta on, even if they change the picture. */

#pragma once

#include <gst/video/video.h>

#include "gstglopenclreport.h"
#include "opencl/histogram/oclhistogram.h"
#include "opencl/graph/oclfilter.h"

G_BEGIN_DECLS

#define GST_GL_OPENCL_HISTOGRAM_META_NAME "GstGLOpenCLHistogramMeta"

/**
 * GstGLOpenCLHistogramEmission:
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE: nothing is emitted
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES: an element message is posted for
 *    each frame
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_META: a custom meta is added to the buffer
 */
typedef enum
{
  GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE = 0,
  GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES = 1 << 0,
  GST_GL_OPENCL_HISTOGRAM_EMISSION_META = 1 << 1,
} GstGLOpenCLHistogramEmission;

/* The value is the number of bins. */
typedef enum
{
  GST_GL_OPENCL_HISTOGRAM_BINS_64 = 64,
  GST_GL_OPENCL_HISTOGRAM_BINS_256 = 256,
  GST_GL_OPENCL_HISTOGRAM_BINS_1024 = 1024,
} GstGLOpenCLHistogramBins;

/**
 * GstGLOpenCLHistogramSource:
 * @GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT: the filtered picture, before anything
 *    is drawn on it
 * @GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT: the input picture
 */
typedef enum
{
  GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT,
  GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT,
} GstGLOpenCLHistogramSource;

/**
 * GstGLOpenCLHistogramSettings:
 * @emission: how the counts are emitted
 * @bins: the largest number of bins of each channel
 * @source: the picture to count
 * @interval: length of an interval of running time in nanoseconds. The counts
 *    of the first frame in each interval are emitted. 0 emits the counts of all
 *    frames
 * @overlay: whether the histogram of every frame is drawn into a corner of it
 */
typedef struct
{
  GstGLOpenCLHistogramEmission emission;
  GstGLOpenCLHistogramBins bins;
  GstGLOpenCLHistogramSource source;
  GstClockTime interval;
  gboolean overlay;
} GstGLOpenCLHistogramSettings;

/* Describes the settings. */
extern const OclParam gst_gl_opencl_histogram_params[];

/**
 * GstGLOpenCLHistogramFrame:
 * @settings: the settings for this frame
 * @due: whether the counts of this frame are emitted
 * @span: the interval that contains the frame, or NONE if the frame has no time
 *    or all frames are due
 * @format: the format of the pixels that are counted
 * @result: the counts
 * @counter_graph: the graph that counts, or NULL (owned)
 * @overlay_graph: the graph that draws, or NULL (owned)
 *
 * Histogram state of one frame in flight. Start with a zeroed struct, end with
 * gst_gl_opencl_histogram_frame_clear().
 */
typedef struct
{
  GstGLOpenCLHistogramSettings settings;
  gboolean due;
  GstClockTime span;
  const OclFormat *format;
  OclResult result;
  OclGraph *counter_graph;
  OclGraph *overlay_graph;
} GstGLOpenCLHistogramFrame;

/* No command may be in flight. */
void gst_gl_opencl_histogram_frame_clear (GstGLOpenCLHistogramFrame * frame,
    OclContext * ocl);

typedef struct _GstGLOpenCLHistogram GstGLOpenCLHistogram;

/* Creates a histogram whose messages come from @element. @element must outlive
 * the histogram. May be called from any thread. */
GstGLOpenCLHistogram *gst_gl_opencl_histogram_new (GstElement * element);
void gst_gl_opencl_histogram_free (GstGLOpenCLHistogram * histogram);

/* Opens @histogram for the device of @ocl. Does not use the device. Kernels use
 * the settings of the database if @uses_database is true. This function and all
 * functions below must be called on the streaming thread. */
void gst_gl_opencl_histogram_open (GstGLOpenCLHistogram * histogram,
    OclContext * ocl, gboolean uses_database);

/* May also be called on the thread that stops the element, after streaming has
 * ended. */
void gst_gl_opencl_histogram_close (GstGLOpenCLHistogram * histogram);

/* Drops the state of previous frames: the next frame is due again. */
void gst_gl_opencl_histogram_flush (GstGLOpenCLHistogram * histogram);

/* Copies @settings to @frame, whose times are @times. */
void gst_gl_opencl_histogram_snapshot (GstGLOpenCLHistogram * histogram,
    GstGLOpenCLHistogramFrame * frame,
    const GstGLOpenCLHistogramSettings * settings,
    const GstGLOpenCLTimes * times);

/* Returns whether the graphs of @frame support textures with @bytes_swapped,
 * see OclFrame. */
gboolean gst_gl_opencl_histogram_frame_takes (const GstGLOpenCLHistogramFrame *
    frame, gboolean bytes_swapped);

/* Prepares @frame and all settings used so far, for outputs like @info and
 * inputs like @input. Returns at once if everything is prepared. Applications
 * that never request histograms do not wait for their kernels. */
gboolean gst_gl_opencl_histogram_prepare (GstGLOpenCLHistogram * histogram,
    GstGLOpenCLHistogramFrame * frame, const OclFrameInfo * info,
    const OclFrameInfo * input, GError ** error);

/* Enqueues counting and drawing after the operation of the element. @output is
 * NULL if the frame is only read. May also be called on the GL thread. */
gboolean gst_gl_opencl_histogram_enqueue (GstGLOpenCLHistogram * histogram,
    GstGLOpenCLHistogramFrame * frame, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error);

/* Must be called when the commands of @frame are enqueued or will be. The next
 * due frame is then in another interval. */
void gst_gl_opencl_histogram_begun (GstGLOpenCLHistogram * histogram,
    const GstGLOpenCLHistogramFrame * frame);

/* Enqueues the read of the counts, if the frame is due. May also be called on
 * the GL thread. */
gboolean gst_gl_opencl_histogram_frame_enqueue_read
    (GstGLOpenCLHistogramFrame * frame, OclContext * ocl, OclTimer * timer,
    GError ** error);

/* Posts the message and attaches the meta that are due for @frame. OpenCL must
 * have finished the frame. @buffer is pushed downstream. */
void gst_gl_opencl_histogram_emit (GstGLOpenCLHistogram * histogram,
    const GstGLOpenCLHistogramFrame * frame, const GstGLOpenCLTimes * times,
    GstBuffer * buffer);

G_END_DECLS
