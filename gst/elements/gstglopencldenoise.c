/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopencldenoise
 * @title: glopencldenoise
 * @short_description: a denoiser over time on OpenCL
 *
 * Removes noise from video. The element measures how strong the noise is,
 * finds where each block of the frame is in other frames, and keeps what
 * stands out of the noise in the spectrum of these blocks: a shrinkage of
 * their DCT over time. Frames are not delayed, unless
 * #GstGLOpenCLDenoise:lookahead says so.
 *
 * Where another frame does not match, for example where something moved away
 * from the background, the frame is filtered by itself. A cut, a seek and a
 * discontinuity leave nothing of other frames behind.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter; messages are called `glopencldenoise-histogram`. All
 * planes of Y'CbCr frames are filtered, unless #GstGLOpenCLDenoise:planes says
 * otherwise.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc pattern=snow num-buffers=30 ! glupload ! glopencldenoise ! gldownload ! fakesink
 * ]|
 * Denoises as strongly as the noise is.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! video/x-raw,format=NV12 ! glupload ! glopencldenoise noise=8 history=4 ! gldownload ! fakesink
 * ]|
 * The noise is known, and four earlier frames are used.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopencldenoise lookahead=2 ! gldownload ! fakesink
 * ]|
 * A film, where a delay does not matter: two later frames are used as well.
 */

#include "gstglopenclelements.h"
#include "opencl/denoise/ocldenoise.h"

/* Properties: the parameters of the operation, ocl_denoise_class. */

/**
 * GstGLOpenCLDenoise:noise:
 *
 * The standard deviation of the noise in levels of 8 bits, whatever the depth
 * of the frames is. -1 estimates it, for each plane by itself, from the quiet
 * parts of the last frames and from what differs along the motion. With 0
 * frames pass through untouched.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:noise-messages:
 *
 * Posts an element message for every frame whose noise is estimated. It is
 * called `glopencldenoise-noise` and has the times of the frame, a number for
 * each channel, the standard deviation of the noise in levels of 8 bits, and
 * `kind`: `white`, `correlated` or `encoded`.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:strength:
 *
 * How much is removed. 1 is best for white noise; more removes details, too.
 * With 0 frames pass through untouched.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:chroma-strength:
 *
 * The strength for the chroma planes of Y'CbCr; -1 takes
 * #GstGLOpenCLDenoise:strength.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:curve:
 *
 * Whether the noise is estimated by brightness: the noise of a camera is
 * stronger in bright parts than in dark ones, or the other way round after a
 * tone curve. Each block is then filtered as strongly as its brightness asks
 * for. It costs next to nothing where the noise is the same everywhere. It has
 * no effect on the chroma planes of Y'CbCr, nor if #GstGLOpenCLDenoise:noise is
 * given.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:grain:
 *
 * The part of the removed noise that is added back, so that the picture keeps
 * the look of film. With 1 frames pass through untouched.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:effort:
 *
 * How much time is spent on a frame. `fast` filters a quarter of the blocks,
 * for live streams on CPUs. `best` is for people with patience: it uses four
 * earlier and four later frames, whatever #GstGLOpenCLDenoise:history and
 * #GstGLOpenCLDenoise:lookahead say, and so has four frames of latency. A
 * change of the number of frames forgets the frames before it.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:history:
 *
 * How many earlier frames are used. Each one makes the result better, and takes
 * time and memory. A change forgets the frames before it. With 0, and without
 * #GstGLOpenCLDenoise:lookahead, noise is not measured along the motion: only
 * white noise is found.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:lookahead:
 *
 * How many later frames are used. Each one makes the result better, more than
 * an earlier one does; it takes time and memory, and adds one frame of latency.
 * The last frames of a stream, and those before a discontinuity, use the later
 * frames that there are. #GstGLOpenCLBaseFilter:in-place has no effect then. A
 * change forgets the frames before it.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLDenoise:motion:
 *
 * Whether blocks are searched for in other frames. Without the search only
 * what stays at its place is filtered over time.
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
 * Selects what blocks read outside the frame.
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
