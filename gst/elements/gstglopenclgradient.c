/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclgradient
 * @title: glopenclgradient
 * @short_description: edges by Scharr's derivatives on OpenCL
 *
 * Shows the rate and the direction of brightness changes. The element computes
 * both derivatives of a frame with Scharr's coefficients, which are as
 * isotropic as six numbers can be. #GstGLOpenCLGradient:output selects the
 * output.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named `glopenclgradient-histogram`. In
 * Y'CbCr frames #GstGLOpenCLGradient:planes selects the planes, by default
 * luma.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclgradient scale=2 ! gldownload ! fakesink
 * ]|
 * Shows the edges of a test pattern.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! video/x-raw,format=RGBA ! glupload ! glopenclgradient output=direction size=5 ! gldownload ! fakesink
 * ]|
 * Shows the directions of the edges as colours.
 */

#include "gstglopenclelements.h"
#include "opencl/convolution/oclgradient.h"

/* Properties: the parameters of the operation, ocl_gradient_class. */

/**
 * GstGLOpenCLGradient:size:
 *
 * The width of the window in pixels. Only the six outer coefficients are
 * non-zero: a larger window detects wider edges in the same time.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:output:
 *
 * Selects the output. direction needs frames in RGB, and the element then
 * offers only RGB: set it before caps are negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:channels:
 *
 * Selects the input in RGB frames: their brightness, or each channel.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:scale:
 *
 * Multiplies the response by this number. With 1, the steepest possible edge
 * from black to white has the response 1.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:planes:
 *
 * The planes of Y'CbCr frames that are changed. The other planes are copied to
 * the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:border:
 *
 * Selects the values outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLGradient, gst_gl_opencl_gradient,
    glopenclgradient, &ocl_gradient_class,
    "OpenCL gradient", "Shows edges of OpenGL textures, with OpenCL", NULL);
