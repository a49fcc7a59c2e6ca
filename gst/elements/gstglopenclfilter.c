/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclfilter
 * @title: glopenclfilter
 * @short_description: edge-preserving bilateral filter on OpenCL
 *
 * Smooths noise and keeps edges: every pixel becomes a weighted mean of its
 * neighbourhood, in which near and similar pixels count most. The filter works
 * on OpenGL textures, which OpenCL borrows if the driver can share them
 * (#GstGLOpenCLBaseFilter:interop).
 *
 * #GstGLOpenCLFilter:spatial-sigma says how far the filter reaches, in pixels.
 * #GstGLOpenCLFilter:intensity-sigma says how different a neighbour may be: a
 * difference above two or three times this value is kept as an edge. Both may
 * change while playing and take effect on the next frame. With either at 0,
 * frames pass through untouched, unless a histogram is drawn into them.
 *
 * Time grows with the square of the spatial sigma, unless
 * #GstGLOpenCLFilter:method lets the filter be approximated. On a device that
 * cannot share with OpenGL, #GstGLOpenCLBaseFilter:pipeline-depth lets
 * transfers and filtering overlap.
 *
 * #GstGLOpenCLBaseFilter:histogram-emission emits, for applications, how
 * bright the frames are: how many pixels have each value of red, green, blue
 * and luma, or, in Y'CbCr, of luma, cb and cr, in element messages
 * `glopenclfilter-histogram` and in a custom meta `GstGLOpenCLHistogramMeta`
 * on the buffers. The messages hold `timestamp`, `stream-time`, `running-time`
 * and `duration` (guint64), `bins` (guint) and the arrays `red`, `green`,
 * `blue` and `luma` of guint; the meta holds `element` (the name of the
 * element), `bins`, and the same channels as GBytes of guint32 in the
 * machine's byte order. Both describe the pixels at this element. An
 * application that asks for messages has to read them: when 1000 are waiting,
 * further ones are dropped.
 *
 * The element takes frames in the formats that decoders give, with 8 to 16
 * bits, and keeps their format. In Y'CbCr, #GstGLOpenCLFilter:planes says which
 * planes are filtered; the luma decides what is an edge. If OpenGL cannot hold
 * a decoder's format, `videoconvert dither=none` before glupload converts it.
 *
 * As in every OpenGL filter, late frames may be dropped if the sink has a
 * clock; qos=false turns this dropping off.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 pattern=snow ! glupload ! glopenclfilter spatial-sigma=3 intensity-sigma=0.2 ! gldownload ! fakesink
 * ]|
 * Filters a test pattern. With `glimagesink` instead of the last two elements
 * the result is shown in a window.
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=30 ! glupload ! glopenclfilter spatial-sigma=0 histogram-emission=messages histogram-bins=64 histogram-interval=200000000 ! gldownload ! fakesink
 * ]|
 * Prints the histograms of a test pattern, five per second, and leaves the
 * picture unchanged.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=snow ! glupload ! glopenclfilter spatial-sigma=16 method=fast ! gldownload ! fakesink
 * ]|
 * Smooths over large areas in the time that small areas take.
 */

#include "gstglopenclelements.h"
#include "opencl/bilateral/oclbilateral.h"

/* Properties: the parameters of the operation, ocl_bilateral_class. */

/**
 * GstGLOpenCLFilter:spatial-sigma:
 *
 * Says how far the filter reaches: the standard deviation, in pixels of the
 * frame, of the Gaussian that weights neighbours by their distance. With 0
 * frames pass through untouched. #GstGLOpenCLFilter:radius sets the size of the
 * window.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:intensity-sigma:
 *
 * Says how strong an edge must be to be kept: the standard deviation of the
 * Gaussian that weights neighbours by their difference, in units of the range
 * from black to white. With 0 frames pass through untouched.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:radius:
 *
 * The number of pixels that the window has on each side of its middle; -1 for
 * twice #GstGLOpenCLFilter:spatial-sigma, rounded down. With 0 frames pass
 * through untouched.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:color-mode:
 *
 * Selects how the difference between two pixels is measured. lab needs frames
 * in RGB, and the element then offers only RGB: set it before caps are
 * negotiated.
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
 * Selects what the filter reads outside the frame.
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
 * Selects the exact filter, or an approximation where there is one: in
 * intensity mode from a spatial sigma of 5 on. The time of the approximation
 * does not grow with the window.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLFilter:max-error:
 *
 * The least PSNR in dB against the exact filter that method=auto has to keep.
 * Above 45, method=auto uses the exact filter.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLFilter, gst_gl_opencl_filter,
    glopenclfilter, &ocl_bilateral_class,
    "OpenCL bilateral filter",
    "Smooths noise and keeps edges of OpenGL textures, with OpenCL", NULL);
