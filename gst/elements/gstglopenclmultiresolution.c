/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclmultiresolution
 * @title: glopenclmultiresolution
 * @short_description: edge-preserving smoothing and details by scale, on OpenCL
 *
 * Splits a frame into the bands of a Laplacian pyramid: each band has structure
 * of about twice the size of the previous band. The element smooths each band
 * with the bilateral filter of element-glopenclfilter, and reconstructs the
 * frame. So small windows smooth coarse and fine noise.
 * #GstGLOpenCLMultiresolution:gains makes details of each size stronger or
 * weaker.
 *
 * Bands are counted from 0, the finest. The last band, with the number
 * #GstGLOpenCLMultiresolution:levels, is the residual of the frame, small and
 * blurred. #GstGLOpenCLMultiresolution:spatial-sigma and
 * #GstGLOpenCLMultiresolution:intensity-sigma are for all bands. The arrays
 * #GstGLOpenCLMultiresolution:spatial-sigmas and
 * #GstGLOpenCLMultiresolution:intensity-sigmas set the first bands one by one.
 * #GstGLOpenCLMultiresolution:show-band shows the contents of a band.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named
 * `glopenclmultiresolution-histogram`. In Y'CbCr frames
 * #GstGLOpenCLMultiresolution:planes selects the planes, by default luma.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclmultiresolution intensity-sigmas="<0.1,0.03,0.01,0,0,0>" ! gldownload ! fakesink
 * ]|
 * Removes noise.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclmultiresolution intensity-sigma=0 gains="<1.5,1.5,1.2>" ! gldownload ! fakesink
 * ]|
 * Makes details of three sizes stronger.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclmultiresolution intensity-sigmas="<0.1,0.03>" show-band=1 ! gldownload ! fakesink
 * ]|
 * Shows the second band, smoothed, on grey.
 */

#include "gstglopenclelements.h"
#include "opencl/pyramid/oclmultiresolution.h"

/* Properties: the parameters of the operation, ocl_multiresolution_class. */

/**
 * GstGLOpenCLMultiresolution:levels:
 *
 * The number of times that the frame is halved, fewer for frames or planes that
 * shrink to one pixel earlier.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:spatial-sigma:
 *
 * The reach of the filter in each band: the standard deviation of the weight by
 * distance, in pixels of the band.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:intensity-sigma:
 *
 * The strength of structure to keep: the standard deviation of the weight by
 * difference, in units of the range from black to white. 0 disables the
 * smoothing.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:spatial-sigmas:
 *
 * An array of up to 9 numbers that replace
 * #GstGLOpenCLMultiresolution:spatial-sigma in the first bands.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:intensity-sigmas:
 *
 * An array of up to 9 numbers that replace
 * #GstGLOpenCLMultiresolution:intensity-sigma in the first bands.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:gains:
 *
 * An array of up to 9 numbers, which multiply the first bands in the
 * reconstruction. The other bands have the gain 1, which leaves a band
 * unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:radius:
 *
 * The number of pixels of the window on each side of its middle, in pixels of
 * the band. -1 selects twice the spatial sigma.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:color-mode:
 *
 * Selects the measure of the difference between two pixels of a band.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:show-band:
 *
 * The band to show alone, as large as the frame, with its gain. A band of
 * details is shown around grey. The last band, the residual, is shown
 * unchanged. -1 shows the result. In Y'CbCr frames, planes that are not
 * filtered stay unchanged: `planes=luma+chroma` shows the band in both.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:planes:
 *
 * The planes of Y'CbCr frames that are filtered. The other planes are copied to
 * the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:border:
 *
 * Selects the values outside the frame and outside its pyramid levels.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLMultiresolution,
    gst_gl_opencl_multiresolution, glopenclmultiresolution,
    &ocl_multiresolution_class, "OpenCL multiresolution filter",
    "Smooths OpenGL textures and changes their details by scale, with OpenCL",
    NULL);
