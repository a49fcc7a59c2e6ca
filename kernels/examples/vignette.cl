/* SPDX-License-Identifier: CC0-1.0 */
/* Darkens the corners.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/vignette.cl ! glimagesink
 */
#pragma glopencl planes luma
#pragma glopencl argument strength 0 1 0.5 "Darkness of the corners"

Pixel filter (FRAME)
{
  real x = (info.x + 0.5f) / info.width - 0.5f;
  real y = (info.y + 0.5f) / info.height - 0.5f;

  /* The square of the distance from the middle is 1 in the corners. */
  return times (pixel (frame, 0, 0),
      1.0f - info.strength * 2.0f * (x * x + y * y));
}
