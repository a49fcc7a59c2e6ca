/* SPDX-License-Identifier: CC0-1.0 */
/* Relief on grey.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/emboss.cl ! glimagesink
 */
#pragma glopencl radius 1
#pragma glopencl planes luma
#pragma glopencl argument strength 0 10 1 "Height of the relief"

Pixel filter (FRAME)
{
  Pixel slope = minus (pixel (frame, 1, 1), pixel (frame, -1, -1));

  return plus (grey (0.5f), times (slope, info.strength));
}
