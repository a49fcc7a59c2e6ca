/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclmultiresolution
 * @title: glopenclmultiresolution
 * @short_description: edge-preserving smoothing and details by scale, on OpenCL
 *
 * Takes a frame apart into bands, each with structure of about twice the size
 * of the one before (a Laplacian pyramid), smooths each with the bilateral
 * filter of element-glopenclfilter, and puts them together again. So noise that
 * is coarse is smoothed as well as noise that is fine, with small windows; and
 * with
 * #GstGLOpenCLMultiresolution:gains details of each size can be made stronger
 * or weaker.
 *
 * Bands are counted from the finest, 0, on; the last, which has the number of
 * #GstGLOpenCLMultiresolution:levels, is what is left of the frame, small and
 * blurred. #GstGLOpenCLMultiresolution:spatial-sigma and
 * #GstGLOpenCLMultiresolution:intensity-sigma are for all bands, the arrays
 * #GstGLOpenCLMultiresolution:spatial-sigmas and
 * #GstGLOpenCLMultiresolution:intensity-sigmas for the first ones each.
 * #GstGLOpenCLMultiresolution:show-band shows what a band has.
 *
 * Formats, interop, histograms and errors are those of element-glopenclfilter;
 * messages are called `glopenclmultiresolution-histogram`. Of frames in Y'CbCr
 * the luma is filtered, unless #GstGLOpenCLMultiresolution:planes says
 * otherwise.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclmultiresolution intensity-sigmas="<0.1,0.03,0.01,0,0,0>" ! gldownload ! fakesink
 * ]|
 * Takes noise away.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclmultiresolution intensity-sigma=0 gains="<1.5,1.5,1.2>" ! gldownload ! fakesink
 * ]|
 * Makes details of three sizes stronger.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclmultiresolution intensity-sigmas="<0.1,0.03>" show-band=1 ! gldownload ! fakesink
 * ]|
 * Shows the second band, smoothed, on grey.
 */

#include "gstglopenclmultiresolution.h"

#include "opencl/pyramid/oclmultiresolution.h"

struct _GstGLOpenCLMultiresolution
{
  GstGLOpenCLBaseFilter parent;
};

G_DEFINE_FINAL_TYPE (GstGLOpenCLMultiresolution,
    gst_gl_opencl_multiresolution, GST_TYPE_GL_OPENCL_BASE_FILTER);

GST_ELEMENT_REGISTER_DEFINE (glopenclmultiresolution,
    "glopenclmultiresolution", GST_RANK_NONE,
    GST_TYPE_GL_OPENCL_MULTIRESOLUTION);

/* Properties: the parameters of the operation, ocl_multiresolution_class. */

/**
 * GstGLOpenCLMultiresolution:levels:
 *
 * How often the frame is halved. Frames, or planes of frames, that have one
 * pixel before that have fewer levels.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:spatial-sigma:
 *
 * How far the filter reaches in each band: the standard deviation of the weight
 * by distance, in pixels of the band.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:intensity-sigma:
 *
 * How strong structure has to be to be kept: the standard deviation of the
 * weight by difference, in units of the range from black to white. 0 filters no
 * band.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:spatial-sigmas:
 *
 * #GstGLOpenCLMultiresolution:spatial-sigma of the first bands, an array of up
 * to 9 numbers.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:intensity-sigmas:
 *
 * #GstGLOpenCLMultiresolution:intensity-sigma of the first bands, an array of
 * up to 9 numbers.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:gains:
 *
 * What the first bands are multiplied by when they are put together, an array
 * of up to 9 numbers; others have 1, which leaves a band as it is.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:radius:
 *
 * Pixels of a band that the window has on each side of its middle; -1 for twice
 * the spatial sigma.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:color-mode:
 *
 * What the difference between two pixels of a band is.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:show-band:
 *
 * The band to be seen alone, as large as the frame, with its gain: details
 * around grey, or what is left of the frame as it is. -1 for the result. Of
 * frames in Y'CbCr, planes that are not filtered stay what they are:
 * `planes=luma+chroma` shows both.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:planes:
 *
 * What is filtered of frames in Y'CbCr; the other planes are copied to the
 * bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:border:
 *
 * What is read outside the frame, and outside its levels.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB; also for
 * frames in Y'CbCr, converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

static void
gst_gl_opencl_multiresolution_class_init (GstGLOpenCLMultiresolutionClass *
    klass)
{
  gst_gl_opencl_base_filter_class_set_operation
      (GST_GL_OPENCL_BASE_FILTER_CLASS (klass), &ocl_multiresolution_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL multiresolution filter", "Filter/Effect/Video",
      "Smooths OpenGL textures and changes their details by scale, with OpenCL",
      "The gst-glopencl developers");
}

static void
gst_gl_opencl_multiresolution_init (GstGLOpenCLMultiresolution * self)
{
  (void) self;
}
