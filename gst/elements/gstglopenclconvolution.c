/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclconvolution
 * @title: glopenclconvolution
 * @short_description: convolves frames with a matrix on OpenCL
 *
 * Each pixel becomes the sum of its neighbours, each multiplied by a number of
 * #GstGLOpenCLConvolution:matrix, divided by #GstGLOpenCLConvolution:divisor,
 * plus #GstGLOpenCLConvolution:bias. The matrix is not mirrored, and its middle
 * is at the pixel.
 *
 * A matrix whose rows are multiples of one another is separable: the time grows
 * with the sum of its height and its width. In other matrices, zeros cost
 * nothing, and equal numbers are multiplied once. `variant` in
 * #GstGLOpenCLBaseFilter:stats is separable or dense.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named `glopenclconvolution-histogram`.
 * In Y'CbCr frames #GstGLOpenCLConvolution:planes selects the planes, by
 * default luma. Subsampled chroma becomes the mean of the results for its
 * pixels.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclconvolution matrix="<<1,2,1>,<2,4,2>,<1,2,1>>" ! gldownload ! fakesink
 * ]|
 * Blurs a little.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclconvolution matrix="<<-2,-1,0>,<-1,0,1>,<0,1,2>>" bias=0.5 ! gldownload ! fakesink
 * ]|
 * Shows a relief on grey.
 */

#include "gstglopenclelements.h"
#include "opencl/convolution/oclconvolution.h"

/* Properties: the parameters of the operation, ocl_convolution_class. */

/**
 * GstGLOpenCLConvolution:matrix:
 *
 * A #GstValueArray of rows. Each row is a #GstValueArray of numbers: integers,
 * fractions or floating-point numbers, in any mixture. All rows have equal
 * length. The number of rows and their length are odd, up to 63. An invalid
 * matrix is rejected: a warning describes the error with its row and column,
 * and the previous matrix stays in use. If the element is not started yet, it
 * fails to start.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:matrix-file:
 *
 * The name of a text file. When this property is set,
 * #GstGLOpenCLConvolution:matrix is read from the file: one row per line, with
 * blanks or commas between numbers. This property is unset when
 * #GstGLOpenCLConvolution:matrix is set.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:divisor:
 *
 * Divides the sum by this number. 0 selects the sum of the matrix, which keeps
 * areas of one colour unchanged, or 1 if the sum of the matrix is 0.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:bias:
 *
 * Adds this value to the quotient, in units of the range from black to white.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:planes:
 *
 * The planes of Y'CbCr frames that are filtered. The other planes are copied to
 * the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:border:
 *
 * Selects the values outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLConvolution, gst_gl_opencl_convolution,
    glopenclconvolution, &ocl_convolution_class,
    "OpenCL convolution",
    "Convolves OpenGL textures with a matrix, with OpenCL", NULL);
