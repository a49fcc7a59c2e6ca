/* SPDX-License-Identifier: CC0-1.0 */
/* Gamma correction: makes dark areas brighter, or darker.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/gamma.cl arguments="arguments,gamma=2" ! glimagesink
 */
#pragma glopencl planes luma
#pragma glopencl argument gamma 0.1 10 1.5 "Above 1: brighter"

Pixel filter (FRAME)
{
  const real exponent = 1.0f / info.gamma;
  Pixel out = pixel (frame, 0, 0);

  out.r = pow (out.r, exponent);
  out.g = pow (out.g, exponent);
  out.b = pow (out.b, exponent);
  return out;
}
