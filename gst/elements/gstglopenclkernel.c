/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclkernel
 * @title: glopenclkernel
 * @short_description: filters frames with the user's own kernel on OpenCL
 *
 * A kernel is a function in a text file that computes one pixel from its
 * neighbourhood, and from earlier frames. The element creates fast programs for
 * the device from it: 16 pixels at once on a CPU, tiles in local memory on a
 * GPU. docs/glopenclkernel.md describes the language, with examples. Kernels
 * for FFmpeg's filter program_opencl run unchanged.
 *
 * A kernel is code: it runs with the rights of the application. The element
 * reads no files except #GstGLOpenCLKernel:location. OpenCL cannot interrupt a
 * kernel. If it does not end on a small frame within 10 seconds, the element
 * fails, and the process can no longer use the device. A kernel that hangs
 * later, with other arguments, hangs the element.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named `glopenclkernel-histogram`. A
 * kernel declares the planes of Y'CbCr frames to filter. Otherwise it needs
 * RGB.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclkernel location=kernels/examples/emboss.cl ! gldownload ! fakesink
 * ]|
 * Shows a relief.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/vignette.cl arguments="arguments,strength=0.8" ! gldownload ! fakesink
 * ]|
 * Darkens the corners.
 */

#include "gstglopenclarguments.h"
#include "gstglopenclelements.h"
#include "opencl/user/ocluser.h"

/* Properties: the parameters of the operation, ocl_user_class. */

/**
 * GstGLOpenCLKernel:location:
 *
 * The name of a text file of at most 256 KiB with the kernel. This property is
 * unset when #GstGLOpenCLKernel:source is set. If the file cannot be read, or
 * its pragmas are wrong, a warning names the line, and the previous kernel
 * stays in use. Without a kernel, frames pass unchanged.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLKernel:source:
 *
 * The text of the kernel.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLKernel:arguments:
 *
 * A #GstStructure with a field for each argument of the kernel that differs
 * from its default. A change takes effect with the next frame. Setting another
 * kernel drops arguments that it lacks.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLKernel:watch:
 *
 * Whether to reload the file when it changes, at most ten times a second. On a
 * GPU the previous kernel is used until the new one is built. If a kernel
 * cannot be built, the previous one stays in use, and a warning names the line.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLKernel:border:
 *
 * Selects the values outside the frame.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLKernel:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.2
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLKernel, gst_gl_opencl_kernel,
    glopenclkernel, &ocl_user_class,
    "OpenCL kernel",
    "Filters OpenGL textures with the user's own kernel, with OpenCL",
    gst_gl_opencl_arguments_init_proxy);
