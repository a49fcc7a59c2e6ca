/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclkernel
 * @title: glopenclkernel
 * @short_description: filters frames with the user's own kernel on OpenCL
 *
 * A kernel is a function in a text file that makes one pixel from the pixels
 * around it, and from earlier frames. The element makes programs from it that
 * are fast on the device: 16 pixels at once on a CPU, tiles in local memory on
 * a GPU. docs/glopenclkernel.md has the language, on one page, and kernels to
 * begin with. Kernels that were written for FFmpeg's filter program_opencl run
 * unchanged.
 *
 * A kernel is code: it runs with the rights of the application. The element
 * reads no file that #GstGLOpenCLKernel:location does not name. OpenCL cannot
 * interrupt a kernel. If one does not end on a small frame, within 10 seconds,
 * the element fails, and no element of the process can use the device any more;
 * one that does not end later, with other arguments, hangs.
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter; messages are called `glopenclkernel-histogram`. A
 * kernel says which planes of Y'CbCr frames it filters. If it does not, it
 * takes RGB.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! glupload ! glopenclkernel location=kernels/examples/emboss.cl ! gldownload ! fakesink
 * ]|
 * Shows a relief.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/vignette.cl arguments="arguments,strength=0.8" ! gldownload ! fakesink
 * ]|
 * Makes the corners dark.
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
 * Since: 0.1
 */

/**
 * GstGLOpenCLKernel:source:
 *
 * The text of the kernel.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLKernel:arguments:
 *
 * A #GstStructure with a field for each argument of the kernel that does not
 * have its default. A change takes effect with the next frame. When another
 * kernel is set, arguments that it does not have are dropped.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLKernel:watch:
 *
 * Whether the file is read again when it is written, at most ten times a
 * second. On a GPU the kernel before filters frames until the new one is built.
 * A kernel that cannot be built leaves the kernel before in use, with a warning
 * that names the line.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLKernel:border:
 *
 * Selects what the kernel reads outside the frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLKernel:border-color:
 *
 * The colour outside the frame with border=constant, as 0xAARRGGBB. In Y'CbCr
 * frames the colour is converted by the matrix and range of their caps.
 *
 * Since: 0.1
 */

GST_GL_OPENCL_DEFINE_ELEMENT (GstGLOpenCLKernel, gst_gl_opencl_kernel,
    glopenclkernel, &ocl_user_class,
    "OpenCL kernel",
    "Filters OpenGL textures with the user's own kernel, with OpenCL",
    gst_gl_opencl_arguments_init_proxy);
