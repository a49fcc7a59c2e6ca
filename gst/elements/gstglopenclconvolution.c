/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclconvolution
 * @title: glopenclconvolution
 * @short_description: convolves frames with a matrix on OpenCL
 *
 * Each pixel becomes the sum of its neighbours, each times a number of
 * #GstGLOpenCLConvolution:matrix, divided by #GstGLOpenCLConvolution:divisor,
 * plus #GstGLOpenCLConvolution:bias. The matrix is laid on the frame as it is
 * written, not mirrored, with its middle on the pixel.
 *
 * A matrix whose rows are multiples of one another takes as long as its height
 * and its width together; of others numbers that are 0 cost nothing, and
 * numbers that are equal are multiplied once. `variant` in
 * #GstGLOpenCLBaseFilter:stats says which way is taken: separable or dense.
 *
 * Formats, interop, histograms and errors are those of element-glopenclfilter;
 * messages are called `glopenclconvolution-histogram`. Of frames in Y'CbCr the
 * luma is filtered, unless #GstGLOpenCLConvolution:planes says otherwise; where
 * a sample of chroma stands for several pixels, it becomes the mean of what
 * they become.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclconvolution matrix="<<1,2,1>,<2,4,2>,<1,2,1>>" ! gldownload ! fakesink
 * ]|
 * Blurs a little.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclconvolution matrix="<<-2,-1,0>,<-1,0,1>,<0,1,2>>" bias=0.5 ! gldownload ! fakesink
 * ]|
 * A relief on grey.
 */

#include "gstglopenclconvolution.h"

#include "opencl/convolution/oclconvolution.h"

struct _GstGLOpenCLConvolution
{
  GstGLOpenCLBaseFilter parent;
};

G_DEFINE_FINAL_TYPE (GstGLOpenCLConvolution, gst_gl_opencl_convolution,
    GST_TYPE_GL_OPENCL_BASE_FILTER);

GST_ELEMENT_REGISTER_DEFINE (glopenclconvolution, "glopenclconvolution",
    GST_RANK_NONE, GST_TYPE_GL_OPENCL_CONVOLUTION);

/* Properties: the parameters of the operation, ocl_convolution_class. */

/**
 * GstGLOpenCLConvolution:matrix:
 *
 * A #GstValueArray of rows, each a #GstValueArray of numbers: integers,
 * fractions or of floating point, in any mixture. Rows are as long as one
 * another; how many they are and how long is odd, up to 63. What is no matrix
 * is refused with a warning that says what is wrong in which row and column,
 * and the one before stays; an element that is not started yet will not start
 * then.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:matrix-file:
 *
 * The name of a text file that #GstGLOpenCLConvolution:matrix is read from when
 * this is set: a row a line, with blanks or commas between numbers. It is unset
 * when #GstGLOpenCLConvolution:matrix is set.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:divisor:
 *
 * What the sum is divided by. 0 stands for the sum of the matrix, with which
 * areas of one colour stay, or 1 where that is 0.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:bias:
 *
 * What is added, in units of the range from black to white.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:planes:
 *
 * What is filtered of frames in Y'CbCr; the other planes are copied to the
 * bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:border:
 *
 * What is read outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLConvolution:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB; also for
 * frames in Y'CbCr, converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

static void
gst_gl_opencl_convolution_class_init (GstGLOpenCLConvolutionClass * klass)
{
  gst_gl_opencl_base_filter_class_set_operation
      (GST_GL_OPENCL_BASE_FILTER_CLASS (klass), &ocl_convolution_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL convolution", "Filter/Effect/Video",
      "Convolves OpenGL textures with a matrix, with OpenCL",
      "The gst-glopencl developers");
}

static void
gst_gl_opencl_convolution_init (GstGLOpenCLConvolution * self)
{
  (void) self;
}
