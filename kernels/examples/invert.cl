/* SPDX-License-Identifier: CC0-1.0 */
/* Inverts brightness.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/invert.cl ! glimagesink
 */
#pragma glopencl planes luma

Pixel filter (FRAME)
{
  return minus (grey (1.0f), pixel (frame, 0, 0));
}
