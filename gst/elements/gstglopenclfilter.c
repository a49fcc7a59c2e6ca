/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclfilter
 * @title: glopenclfilter
 * @short_description: edge-preserving bilateral filter on OpenCL
 *
 * Smooths noise and keeps edges: every pixel becomes a weighted mean of its
 * neighbourhood, in which near and similar pixels have the largest weights. The
 * filter uses OpenGL textures, which OpenCL acquires if the driver can share
 * them (#GstGLOpenCLBaseFilter:interop).
 *
 * #GstGLOpenCLFilter:spatial-sigma is the reach of the filter, in pixels.
 * #GstGLOpenCLFilter:intensity-sigma limits the difference of a neighbour: a
 * difference above two or three times this value is kept as an edge. Both may
 * change while playing and take effect on the next frame. With either at 0,
 * frames pass through unchanged, unless a histogram is drawn into them.
 *
 * Time grows with the square of the spatial sigma, unless
 * #GstGLOpenCLFilter:method lets the filter be approximated. On a device that
 * cannot share with OpenGL, #GstGLOpenCLBaseFilter:pipeline-depth lets
 * transfers and filtering overlap.
 *
 * #GstGLOpenCLBaseFilter:histogram-emission emits histograms for applications:
 * the number of pixels with each value of red, green, blue and luma, or, in
 * Y'CbCr, of luma, cb and cr, in element messages `glopenclfilter-histogram`
 * and in a custom meta `GstGLOpenCLHistogramMeta` on the buffers. The messages
 * hold `timestamp`, `stream-time`, `running-time` and `duration` (guint64),
 * `bins` (guint) and the arrays `red`, `green`, `blue` and `luma` of guint. The
 * meta holds `element` (the name of the element), `bins`, and the same channels
 * as GBytes of guint32 in the machine's byte order. Both describe the pixels at
 * this element. Applications must read the messages they request: when 1000 are
 * waiting, further ones are dropped.
 *
 * The element accepts frames in the formats of decoders, with 8 to 16 bits, and
 * keeps their format. In Y'CbCr, #GstGLOpenCLFilter:planes selects the planes,
 * and the luma defines the edges. If OpenGL cannot hold a decoder's format,
 * `videoconvert dither=none` before glupload converts it.
 *
 * As in every OpenGL filter, late frames may be dropped if the sink has a
 * clock. qos=false disables this.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 pattern=snow ! glupload ! glopenclfilter spatial-sigma=3 intensity-sigma=0.2 ! gldownload ! fakesink
 * ]|
 * Filters a test pattern. Use `glimagesink` instead of the last two elements to
 * show the result in a window.
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=30 ! glupload ! glopenclfilter spatial-sigma=0 histogram-emission=messages histogram-bins=64 histogram-interval=200000000 ! gldownload ! fakesink
 * ]|
 * Prints the histograms of a test pattern, five per second, without changing
 * it.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=snow ! glupload ! glopenclfilter spatial-sigma=16 method=fast ! gldownload ! fakesink
 * ]|
 * Smooths large areas as fast as small ones.
 */

#include "gstglopenclelements.h"
#include "opencl/bilateral/oclbilateral.h"

/* Properties: the parameters of the operation, ocl_bilateral_class. */

/**
 * GstGLOpenCLFilter:spatial-sigma:
 *
 * The reach of the filter: the standard deviation, in pixels of the frame, of
 * the Gaussian that weights neighbours by their distance. With 0 frames pass
 * through unchanged. #GstGLOpenCLFilter:radius sets the size of the window.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:intensity-sigma:
 *
 * The strength of edges to keep: the standard deviation of the Gaussian that
 * weights neighbours by their difference, in units of the range from black to
 * white. With 0 frames pass through unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:radius:
 *
 * The number of pixels of the window on each side of its middle. -1 selects
 * twice #GstGLOpenCLFilter:spatial-sigma, rounded down. With 0 frames pass
 * through unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:color-mode:
 *
 * Selects the measure of the difference between two pixels. lab needs frames in
 * RGB, and the element then offers only RGB: set it before caps are negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:window:
 *
 * The shape of the window. A disc has the same reach in all directions, and
 * fewer pixels.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:border:
 *
 * Selects the values outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:planes:
 *
 * The planes of Y'CbCr frames that are filtered. The other planes are copied to
 * the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:method:
 *
 * Selects the exact filter, or an approximation where available: in intensity
 * mode from a spatial sigma of 5 on. The time of the approximation does not
 * grow with the window.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:max-error:
 *
 * Minimum PSNR of method=auto against the exact filter, in dB. Above 45,
 * method=auto uses the exact filter.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLFilter, gst_gl_opencl_filter,
    glopenclfilter, &ocl_bilateral_class,
    "OpenCL bilateral filter",
    "Smooths noise and keeps edges of OpenGL textures, with OpenCL", NULL);
