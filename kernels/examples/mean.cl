/* SPDX-License-Identifier: CC0-1.0 */
/* Mean of this frame and the three previous ones.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=ball ! glupload ! glopenclkernel location=kernels/examples/mean.cl ! glimagesink
 */
#pragma glopencl history 3
#pragma glopencl planes each

Pixel filter (FRAME)
{
  Pixel sum = pixel (frame, 0, 0);

  for (int n = 1; n <= 3; n++)
    sum = plus (sum, earlier (frame, n, 0, 0));
  return times (sum, 0.25f);
}
