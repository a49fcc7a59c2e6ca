/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclmultiresolution
 * @title: glopenclmultiresolution
 * @short_description: edge-preserving smoothing and details by scale, on OpenCL
 *
 * Splits a frame into the bands of a Laplacian pyramid: each band has structure
 * of about twice the size of the band before. The element smooths each band
 * with the bilateral filter of element-glopenclfilter, and puts the bands
 * together again. Small windows are therefore enough to smooth coarse noise as
 * well as fine noise. With #GstGLOpenCLMultiresolution:gains details of each
 * size can be made stronger or weaker.
 *
 * Bands are counted from 0, the finest. The last band has the number
 * #GstGLOpenCLMultiresolution:levels: it is the rest of the frame, small and
 * blurred. #GstGLOpenCLMultiresolution:spatial-sigma and
 * #GstGLOpenCLMultiresolution:intensity-sigma are for all bands. The arrays
 * #GstGLOpenCLMultiresolution:spatial-sigmas and
 * #GstGLOpenCLMultiresolution:intensity-sigmas set the first bands one by one.
 * #GstGLOpenCLMultiresolution:show-band shows the contents of a band.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter; messages are called
 * `glopenclmultiresolution-histogram`. In Y'CbCr frames the luma is filtered,
 * unless #GstGLOpenCLMultiresolution:planes says otherwise.
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
 * The number of times that the frame is halved. Frames, or planes of frames,
 * that shrink to one pixel earlier have fewer levels.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:spatial-sigma:
 *
 * Says how far the filter reaches in each band: the standard deviation of the
 * weight by distance, in pixels of the band.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:intensity-sigma:
 *
 * Says how strong structure must be to be kept: the standard deviation of the
 * weight by difference, in units of the range from black to white. 0 filters no
 * band.
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
 * An array of up to 9 numbers, by which the first bands are multiplied when the
 * bands are put together. The other bands have the gain 1, which leaves a band
 * unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:radius:
 *
 * The number of pixels of a band that the window has on each side of its
 * middle; -1 for twice the spatial sigma.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:color-mode:
 *
 * Selects how the difference between two pixels of a band is measured.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLMultiresolution:show-band:
 *
 * The band to show alone, as large as the frame, with its gain. A band of
 * details is shown around grey. The last band, the rest of the frame, is shown
 * as it is. -1 shows the result. In Y'CbCr frames, planes that are not filtered
 * stay unchanged: `planes=luma+chroma` shows the band in both.
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
 * Selects what the filter reads outside the frame, and outside its levels.
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
