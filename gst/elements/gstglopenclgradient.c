/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclgradient
 * @title: glopenclgradient
 * @short_description: edges by Scharr's derivatives on OpenCL
 *
 * Shows how fast brightness changes, and where to: both derivatives of a frame
 * by Scharr's coefficients, which are the same in all directions as far as six
 * numbers can be. #GstGLOpenCLGradient:output says what is shown of them.
 *
 * Formats, interop, histograms and errors are those of element-glopenclfilter;
 * messages are called `glopenclgradient-histogram`. Of frames in Y'CbCr the
 * luma is derived and the colours stay, unless #GstGLOpenCLGradient:planes says
 * otherwise.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclgradient scale=2 ! gldownload ! fakesink
 * ]|
 * Shows the edges of a test pattern.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! video/x-raw,format=RGBA ! glupload ! glopenclgradient output=direction size=5 ! gldownload ! fakesink
 * ]|
 * Shows where they go, as colours.
 */

#include "gstglopenclgradient.h"

#include "opencl/convolution/oclgradient.h"

struct _GstGLOpenCLGradient
{
  GstGLOpenCLBaseFilter parent;
};

G_DEFINE_FINAL_TYPE (GstGLOpenCLGradient, gst_gl_opencl_gradient,
    GST_TYPE_GL_OPENCL_BASE_FILTER);

GST_ELEMENT_REGISTER_DEFINE (glopenclgradient, "glopenclgradient",
    GST_RANK_NONE, GST_TYPE_GL_OPENCL_GRADIENT);

/* Properties: the parameters of the operation, ocl_gradient_class. */

/**
 * GstGLOpenCLGradient:size:
 *
 * Pixels across the window. Its six coefficients are at its rim: a larger one
 * sees wider edges, and takes no longer.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:output:
 *
 * What is shown. direction needs frames in RGB, and is only offered with them:
 * it is set before caps are negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:channels:
 *
 * What of frames in RGB is derived: their brightness, or each channel.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:scale:
 *
 * Times the response, which is 1 for an edge from black to white as steep as
 * can be.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:planes:
 *
 * What is changed of frames in Y'CbCr; the other planes are copied to the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:border:
 *
 * What is read outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLGradient:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB; also for
 * frames in Y'CbCr, converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

static void
gst_gl_opencl_gradient_class_init (GstGLOpenCLGradientClass * klass)
{
  gst_gl_opencl_base_filter_class_set_operation
      (GST_GL_OPENCL_BASE_FILTER_CLASS (klass), &ocl_gradient_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL gradient", "Filter/Effect/Video",
      "Shows edges of OpenGL textures, with OpenCL",
      "The gst-glopencl developers");
}

static void
gst_gl_opencl_gradient_init (GstGLOpenCLGradient * self)
{
  (void) self;
}
