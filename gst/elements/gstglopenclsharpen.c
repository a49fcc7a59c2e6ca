/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclsharpen
 * @title: glopenclsharpen
 * @short_description: sharpens and blurs on OpenCL
 *
 * Blurs a frame by a mean or a Gaussian, and adds up alpha times the frame,
 * beta times its blur, and gamma. If alpha and beta sum to 1 and gamma is 0,
 * areas of one colour stay unchanged, and edges become stronger if beta is
 * negative (unsharp masking), and weaker otherwise. Other values create
 * effects, for example #GstGLOpenCLSharpen:preset.
 *
 * The time of a Gaussian grows with #GstGLOpenCLSharpen:radius, the time of a
 * mean does not.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named `glopenclsharpen-histogram`. In
 * Y'CbCr frames #GstGLOpenCLSharpen:planes selects the planes, by default luma.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclsharpen alpha=2 beta=-1 ! gldownload ! fakesink
 * ]|
 * Doubles the strength of edges.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclsharpen preset=glow ! gldownload ! fakesink
 * ]|
 * Adds a glow.
 */

#include "gstglopenclelements.h"
#include "opencl/convolution/oclsharpen.h"

/* Properties: the parameters of the operation, ocl_sharpen_class. */

/**
 * GstGLOpenCLSharpen:kernel:
 *
 * The weights of the blur. The weights of gaussian-raw do not sum to 1: they
 * are divided by the square of the window's side, for strong effects.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:radius:
 *
 * The number of pixels of the window of the blur on each side of its middle.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:sigma:
 *
 * The standard deviation, in pixels, of the weights of a Gaussian. The window
 * should reach two or three times as far.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:alpha:
 *
 * Multiplies the frame by this number.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:beta:
 *
 * Multiplies the blur of the frame by this number.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:gamma:
 *
 * Adds this value to the sum, in units of the range from black to white.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:output:
 *
 * Selects the output: the sum, the blur alone, or, on grey, the difference of
 * the frame and its blur. #GstGLOpenCLSharpen:alpha, #GstGLOpenCLSharpen:beta
 * and #GstGLOpenCLSharpen:gamma apply to the sum only.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:preset:
 *
 * A look. It sets #GstGLOpenCLSharpen:kernel, #GstGLOpenCLSharpen:radius,
 * #GstGLOpenCLSharpen:sigma, #GstGLOpenCLSharpen:alpha,
 * #GstGLOpenCLSharpen:beta, #GstGLOpenCLSharpen:gamma and
 * #GstGLOpenCLSharpen:output. Changing these properties afterwards sets the
 * preset to custom.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:planes:
 *
 * The planes of Y'CbCr frames that are filtered. The other planes are copied to
 * the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:border:
 *
 * Selects the values outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLSharpen:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLSharpen, gst_gl_opencl_sharpen,
    glopenclsharpen, &ocl_sharpen_class,
    "OpenCL sharpening", "Sharpens or blurs OpenGL textures, with OpenCL",
    NULL);
