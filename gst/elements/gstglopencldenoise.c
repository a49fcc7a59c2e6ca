/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopencldenoise
 * @title: glopencldenoise
 * @short_description: temporal denoiser on OpenCL
 *
 * Removes noise from video. The element estimates the noise, searches each
 * block of the frame in other frames, and keeps the coefficients above the
 * noise in the spectrum of these blocks: a shrinkage of their DCT over time.
 * Frames are not delayed, unless #GstGLOpenCLDenoise:lookahead or
 * #GstGLOpenCLDenoise:effort needs later frames.
 *
 * Where other frames do not match, for example at uncovered background, the
 * frame is filtered alone. Frames are not mixed across cuts, seeks and
 * discontinuities.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named `glopencldenoise-histogram`. In
 * Y'CbCr frames #GstGLOpenCLDenoise:planes selects the planes, by default all.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc pattern=snow num-buffers=30 ! glupload ! glopencldenoise ! gldownload ! fakesink
 * ]|
 * Adapts the strength to the noise.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! video/x-raw,format=NV12 ! glupload ! glopencldenoise noise=8 history=4 ! gldownload ! fakesink
 * ]|
 * Uses a known noise and four earlier frames.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopencldenoise lookahead=2 ! gldownload ! fakesink
 * ]|
 * Also uses two later frames, for films, where latency does not matter.
 */

#include "gstglopenclelements.h"
#include "opencl/denoise/ocldenoise.h"

/* Properties: the parameters of the operation, ocl_denoise_class. */

/**
 * GstGLOpenCLDenoise:noise:
 *
 * The standard deviation of the noise in levels of 8 bits, at any bit depth. -1
 * estimates it for each plane, from the quiet parts of the last frames and from
 * the differences along the motion. With 0 frames pass through unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:noise-messages:
 *
 * Posts an element message for every frame whose noise is estimated. It is
 * named `glopencldenoise-noise` and has the times of the frame, the standard
 * deviation of the noise of each channel in levels of 8 bits, and `kind`:
 * `white`, `correlated` or `encoded`.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:strength:
 *
 * Strength of the filter. 1 is best for white noise. More also removes details.
 * With 0 frames pass through unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:chroma-strength:
 *
 * The strength for the chroma planes of Y'CbCr. -1 uses
 * #GstGLOpenCLDenoise:strength.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:curve:
 *
 * Whether to estimate the noise by brightness: camera noise is stronger in
 * bright parts than in dark ones, or weaker after a tone curve. Each block is
 * then filtered according to its brightness. Costs very little if the noise is
 * the same everywhere. Has no effect on the chroma planes of Y'CbCr, or if
 * #GstGLOpenCLDenoise:noise is set.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:grain:
 *
 * The part of the removed noise to add back, to keep film grain. With 1 frames
 * pass through unchanged.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:effort:
 *
 * Trades speed for quality. `fast` filters a quarter of the blocks, for live
 * streams on CPUs. `best` is slow: it ignores #GstGLOpenCLDenoise:history and
 * #GstGLOpenCLDenoise:lookahead, and uses four earlier and four later frames,
 * which adds four frames of latency. Changing the number of frames drops the
 * previous frames.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLDenoise:history:
 *
 * The number of earlier frames. Each one improves the result, and costs time
 * and memory. A change drops the previous frames. With 0, and without
 * #GstGLOpenCLDenoise:lookahead, noise is not measured along the motion, and
 * only white noise is detected.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:lookahead:
 *
 * The number of later frames. Each one improves the result more than an earlier
 * frame, costs time and memory, and adds one frame of latency. The last frames
 * of a stream, or before a discontinuity, use the later frames that exist.
 * #GstGLOpenCLBaseFilter:in-place has no effect then. A change drops the
 * previous frames.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:motion:
 *
 * Whether to search blocks in other frames. Without the search only static
 * parts are filtered over time.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:planes:
 *
 * The planes of Y'CbCr frames that are changed. The other planes are copied to
 * the bit.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:border:
 *
 * Selects the values outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLDenoise, gst_gl_opencl_denoise,
    glopencldenoise, &ocl_denoise_class,
    "OpenCL denoiser",
    "Removes noise from OpenGL textures over time, with OpenCL", NULL);
