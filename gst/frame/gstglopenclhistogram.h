/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the frames of an element, for applications: counted with
 * OpenCL, emitted as element messages and buffer metas, drawn into the picture.
 *
 * A session owns one. The element message, named after the element's factory
 * (`glopenclfilter-histogram`), has the fields
 *
 *   timestamp, stream-time, running-time, duration    guint64, of the frame;
 *                                  GST_CLOCK_TIME_NONE where it has none
 *   bins                           guint, 1024, 256 or 64
 *   CHANNEL                        GST_TYPE_ARRAY of as many guint
 *
 * and the custom meta GST_GL_OPENCL_HISTOGRAM_META_NAME has the fields
 *
 *   element                        gchararray, the name of the element
 *   bins                           guint, 1024, 256 or 64
 *   CHANNEL                        GBytes, as many guint32 in the machine's
 *                                  byte order
 *
 * with a field for each channel: red, green, blue and luma of RGB; luma, cb and
 * cr of Y'CbCr; luma of grey. Where a format has fewer bins than were asked
 * for, bins says how many: 256 of 8 bits.
 *
 * The counts are those of the pixels at this element: elements downstream hand
 * the meta on, whatever they do to the picture. */

#pragma once

#include <gst/video/video.h>

#include "opencl/histogram/oclhistogram.h"
#include "opencl/operation/oclplan.h"

G_BEGIN_DECLS

#define GST_GL_OPENCL_HISTOGRAM_META_NAME "GstGLOpenCLHistogramMeta"

/* Messages that may wait to be read; further ones are dropped, so that a bus
 * that nobody reads does not take all memory. */
#define GST_GL_OPENCL_HISTOGRAM_MAX_MESSAGES 1000

/**
 * GstGLOpenCLHistogramEmission:
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE: nothing is emitted
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES: an element message a frame
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_META: a custom meta on the buffer
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
 * @GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT: the picture that came in
 */
typedef enum
{
  GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT,
  GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT,
} GstGLOpenCLHistogramSource;

/**
 * GstGLOpenCLHistogramSettings:
 * @emission: how the counts are emitted
 * @bins: of each channel, at most
 * @source: what is counted
 * @interval: nanoseconds of running time; of the frames in each such span the
 *    first has its counts emitted; 0 for all
 * @overlay: whether every frame has its histogram drawn into a corner
 */
typedef struct
{
  GstGLOpenCLHistogramEmission emission;
  GstGLOpenCLHistogramBins bins;
  GstGLOpenCLHistogramSource source;
  GstClockTime interval;
  gboolean overlay;
} GstGLOpenCLHistogramSettings;

/* The table of the settings. */
extern const OclParam gst_gl_opencl_histogram_params[];

/**
 * GstGLOpenCLHistogramFrame:
 * @settings: for this frame
 * @due: whether its counts are emitted
 * @stream_time: of the frame, or NONE
 * @running_time: of the frame, or NONE
 * @format: of the pixels that are counted
 * @result: the counts
 * @counter_plan: what counts, or NULL; owned
 * @overlay_plan: what draws, or NULL; owned
 *
 * What belongs to one frame in flight. Start with a zeroed struct, end with
 * gst_gl_opencl_histogram_frame_clear().
 */
typedef struct
{
  GstGLOpenCLHistogramSettings settings;
  gboolean due;
  GstClockTime stream_time;
  GstClockTime running_time;
  const OclFormat *format;
  OclResult result;
  OclPlan *counter_plan;
  OclPlan *overlay_plan;
} GstGLOpenCLHistogramFrame;

/* No command may be in flight. */
void gst_gl_opencl_histogram_frame_clear (GstGLOpenCLHistogramFrame * frame,
    OclContext * ocl);

typedef struct _GstGLOpenCLHistogram GstGLOpenCLHistogram;

/* @element, which messages come from, has to outlive it. Any thread. */
GstGLOpenCLHistogram *gst_gl_opencl_histogram_new (GstElement * element);
void gst_gl_opencl_histogram_free (GstGLOpenCLHistogram * histogram);

/* For a device; does not touch it. Streaming thread, for all that follows. */
void gst_gl_opencl_histogram_open (GstGLOpenCLHistogram * histogram,
    OclContext * ocl);

/* Also the thread that stops the element, when there is no streaming. */
void gst_gl_opencl_histogram_close (GstGLOpenCLHistogram * histogram);

/* The frames before are forgotten: the next is due again. */
void gst_gl_opencl_histogram_flush (GstGLOpenCLHistogram * histogram);

/* Takes over @settings for the frame in @buffer, whose times are in
 * @segment. */
void gst_gl_opencl_histogram_snapshot (GstGLOpenCLHistogram * histogram,
    GstGLOpenCLHistogramFrame * frame,
    const GstGLOpenCLHistogramSettings * settings, const GstSegment * segment,
    GstBuffer * buffer);

/* Whether what is counted and drawn may be in textures of @bytes_swapped, see
 * OclFrame. */
gboolean gst_gl_opencl_histogram_frame_takes (const GstGLOpenCLHistogramFrame *
    frame, gboolean bytes_swapped);

/* Prepares what the settings taken over so far need for frames like @like, and
 * @frame, which is one; must return at once if prepared. Who never asks for
 * histograms does not wait for their kernels. */
gboolean gst_gl_opencl_histogram_prepare (GstGLOpenCLHistogram * histogram,
    GstGLOpenCLHistogramFrame * frame, const OclFrame * like,
    GError ** error);

/* Enqueues counting and drawing, behind the element's own operation. @output is
 * NULL where the frame is only read. Also on the GL thread. */
gboolean gst_gl_opencl_histogram_enqueue (GstGLOpenCLHistogram * histogram,
    GstGLOpenCLHistogramFrame * frame, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error);

/* The commands of @frame are enqueued, or will be: the next one that is due
 * comes with another span of time. */
void gst_gl_opencl_histogram_begun (GstGLOpenCLHistogram * histogram,
    const GstGLOpenCLHistogramFrame * frame);

/* Enqueues reading the counts of a frame that is due. Also on the GL
 * thread. */
gboolean gst_gl_opencl_histogram_frame_enqueue_read
    (GstGLOpenCLHistogramFrame * frame, OclContext * ocl, OclTimer * timer,
    GError ** error);

/* Posts and attaches what is due of a frame that OpenCL is done with, and that
 * goes downstream in @buffer. */
void gst_gl_opencl_histogram_emit (GstGLOpenCLHistogram * histogram,
    const GstGLOpenCLHistogramFrame * frame, GstBuffer * buffer);

G_END_DECLS
