/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclfilter
 * @title: glopenclfilter
 * @short_description: edge-preserving bilateral filter on OpenCL
 *
 * Smooths noise and keeps edges: every pixel becomes a mean of its
 * neighbourhood, in which those count most that are near it and alike. It works
 * on OpenGL textures, which OpenCL borrows where the driver can share them
 * (#GstGLOpenCLBaseFilter:interop).
 *
 * #GstGLOpenCLFilter:spatial-sigma says how far the filter reaches, in pixels,
 * #GstGLOpenCLFilter:intensity-sigma how different a neighbour may be: above
 * two or three of it, an edge is kept. Both may change while playing and take
 * effect on the next frame; with either at 0, frames pass through untouched,
 * unless a histogram is drawn into them.
 *
 * Time grows with the square of the spatial sigma, unless
 * #GstGLOpenCLFilter:method lets the filter be approximated. On a device that
 * cannot share with OpenGL, #GstGLOpenCLBaseFilter:pipeline-depth lets
 * transfers and filtering overlap.
 *
 * #GstGLOpenCLFilter:histogram-emission emits, for applications, how bright the
 * frames are: how many pixels have each value of red, green, blue and luma, or,
 * in Y'CbCr, of luma, cb and cr, in element messages `glopenclfilter-histogram`
 * and in a custom meta `GstGLOpenCLHistogramMeta` on the buffers. The messages
 * hold `timestamp`,
 * `stream-time`, `running-time` and `duration` (guint64), `bins` (guint) and
 * the arrays `red`, `green`, `blue` and `luma` of guint; the meta holds
 * `element` (the name of the element), `bins`, and the same channels as GBytes
 * of guint32 in the machine's byte order. Both describe the pixels at this
 * element. An application that asks for messages has to read them: when 1000
 * are waiting, further ones are dropped.
 *
 * Frames are taken in the formats that decoders give, with 8 to 16 bits, and
 * stay what they are. In Y'CbCr #GstGLOpenCLFilter:planes says what is
 * filtered; the luma decides what is an edge. Where OpenGL cannot hold what a
 * decoder gives, `videoconvert dither=none` before glupload converts it.
 *
 * As in every OpenGL filter, a sink with a clock may have late frames dropped;
 * qos=false turns that off.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 pattern=snow ! glupload ! glopenclfilter spatial-sigma=3 intensity-sigma=0.2 ! gldownload ! fakesink
 * ]|
 * Filters a test pattern. With `glimagesink` instead of the last two elements
 * it is shown in a window.
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=30 ! glupload ! glopenclfilter spatial-sigma=0 histogram-emission=messages histogram-bins=64 histogram-interval=200000000 ! gldownload ! fakesink
 * ]|
 * Prints the histograms of a test pattern, five a second, and leaves it as it
 * is.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=snow ! glupload ! glopenclfilter spatial-sigma=16 method=fast ! gldownload ! fakesink
 * ]|
 * Smooths over large areas at the cost of small ones.
 */

#include "gstglopenclfilter.h"

#include "opencl/bilateral/oclbilateral.h"

struct _GstGLOpenCLFilter
{
  GstGLOpenCLBaseFilter parent;
};

G_DEFINE_FINAL_TYPE (GstGLOpenCLFilter, gst_gl_opencl_filter,
    GST_TYPE_GL_OPENCL_BASE_FILTER);

GST_ELEMENT_REGISTER_DEFINE (glopenclfilter, "glopenclfilter", GST_RANK_NONE,
    GST_TYPE_GL_OPENCL_FILTER);

static void
gst_gl_opencl_filter_class_init (GstGLOpenCLFilterClass * klass)
{
  gst_gl_opencl_base_filter_class_set_operation
      (GST_GL_OPENCL_BASE_FILTER_CLASS (klass), &ocl_bilateral_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL bilateral filter", "Filter/Effect/Video",
      "Smooths noise and keeps edges of OpenGL textures, with OpenCL",
      "The gst-glopencl developers");
}

static void
gst_gl_opencl_filter_init (GstGLOpenCLFilter * self)
{
  (void) self;
}
