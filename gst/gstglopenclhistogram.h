/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the frames of an element, for applications: counted with
 * OpenCL, told by element messages and buffer metas, drawn into the picture.
 *
 * An element owns one and calls it from its virtual methods of the same names.
 * The element message `glopenclfilter-histogram` has the fields
 *
 *   timestamp, stream-time, running-time, duration    guint64, of the frame;
 *                                  GST_CLOCK_TIME_NONE where it has none
 *   bins                           guint, 256 or 64
 *   red, green, blue, luma         GST_TYPE_ARRAY of as many guint
 *
 * and the custom meta GST_GL_OPENCL_HISTOGRAM_META_NAME has the fields
 *
 *   element                        gchararray, the name of the element
 *   bins                           guint, 256 or 64
 *   red, green, blue, luma         GBytes, as many guint32 in the machine's
 *                                  byte order
 *
 * The counts are those of the pixels at this element: elements downstream hand
 * the meta on, whatever they do to the picture. */

#pragma once

#include "gstglopenclbasefilter.h"
#include "opencl/oclhistogram.h"

G_BEGIN_DECLS

#define GST_GL_OPENCL_HISTOGRAM_META_NAME "GstGLOpenCLHistogramMeta"

/* Messages that may wait to be read; further ones are dropped, so that a bus
 * that nobody reads does not take all memory. */
#define GST_GL_OPENCL_HISTOGRAM_MAX_MESSAGES 1000

/**
 * GstGLOpenCLHistogramEmission:
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE: nothing is told
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES: an element message a frame
 * @GST_GL_OPENCL_HISTOGRAM_EMISSION_META: a custom meta on the buffer
 */
typedef enum
{
  GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE = 0,
  GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES = 1 << 0,
  GST_GL_OPENCL_HISTOGRAM_EMISSION_META = 1 << 1,
} GstGLOpenCLHistogramEmission;

#define GST_TYPE_GL_OPENCL_HISTOGRAM_EMISSION \
    (gst_gl_opencl_histogram_emission_get_type ())
GType gst_gl_opencl_histogram_emission_get_type (void);

/* The value is the number of bins. */
typedef enum
{
  GST_GL_OPENCL_HISTOGRAM_BINS_64 = 64,
  GST_GL_OPENCL_HISTOGRAM_BINS_256 = 256,
} GstGLOpenCLHistogramBins;

#define GST_TYPE_GL_OPENCL_HISTOGRAM_BINS \
    (gst_gl_opencl_histogram_bins_get_type ())
GType gst_gl_opencl_histogram_bins_get_type (void);

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

#define GST_TYPE_GL_OPENCL_HISTOGRAM_SOURCE \
    (gst_gl_opencl_histogram_source_get_type ())
GType gst_gl_opencl_histogram_source_get_type (void);

/**
 * GstGLOpenCLHistogramSettings:
 * @emission: how the counts are told
 * @bins: of each channel
 * @source: what is counted
 * @interval: nanoseconds of running time; of the frames in each such span the
 *    first is told; 0 for all
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

#define GST_GL_OPENCL_HISTOGRAM_SETTINGS_DEFAULT \
    ((GstGLOpenCLHistogramSettings) { \
    .bins = GST_GL_OPENCL_HISTOGRAM_BINS_256 })

typedef struct _GstGLOpenCLHistogram GstGLOpenCLHistogram;

/* @element, which messages come from, has to outlive it. Any thread. */
GstGLOpenCLHistogram *gst_gl_opencl_histogram_new (GstElement * element);
void gst_gl_opencl_histogram_free (GstGLOpenCLHistogram * histogram);

/* As the methods of GstGLOpenCLBaseFilterClass, on their threads. */

void gst_gl_opencl_histogram_open (GstGLOpenCLHistogram * histogram,
    OclContext * context);
void gst_gl_opencl_histogram_close (GstGLOpenCLHistogram * histogram);

/* Forgets which frames have been told. */
void gst_gl_opencl_histogram_flush (GstGLOpenCLHistogram * histogram);

/* Prepares for the settings taken over so far: who never asks for histograms
 * does not wait for their kernels. */
gboolean gst_gl_opencl_histogram_prepare (GstGLOpenCLHistogram * histogram,
    OclStorage storage, GError ** error);

/* Takes over @settings for @frame, whose times are in @segment, and tells what
 * has to be done with it. */
GstGLOpenCLWorkFlags gst_gl_opencl_histogram_snapshot (GstGLOpenCLHistogram *
    histogram, guint slot, const GstGLOpenCLHistogramSettings * settings,
    const GstSegment * segment, GstBuffer * frame);

/* Comes after the element's own operation. @output is NULL where the frame is
 * only read. */
gboolean gst_gl_opencl_histogram_enqueue (GstGLOpenCLHistogram * histogram,
    guint slot, const OclFrame * input, const OclFrame * output,
    OclTimer * timer, GError ** error);

/* Enqueues reading the counts of a frame that is due. */
gboolean gst_gl_opencl_histogram_enqueue_read (GstGLOpenCLHistogram *
    histogram, guint slot, OclTimer * timer, GError ** error);

/* Posts and attaches what @frame, which goes downstream, is due. */
void gst_gl_opencl_histogram_finish (GstGLOpenCLHistogram * histogram,
    guint slot, GstBuffer * frame);

G_END_DECLS
