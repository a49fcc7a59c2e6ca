/* SPDX-License-Identifier: CC0-1.0 */
/* Makes a colour transparent.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/chroma-key.cl ! glimagesink
 */
#pragma glopencl alpha
#pragma glopencl argument red 0 1 0 "Red of the colour"
#pragma glopencl argument green 0 1 1 "Green of the colour"
#pragma glopencl argument blue 0 1 0 "Blue of the colour"
#pragma glopencl argument tolerance 0 2 0.4 "Distance that is transparent"
#pragma glopencl argument softness 0.001 1 0.1 "Distance until opaque"

Pixel filter (FRAME)
{
  Pixel here = pixel (frame, 0, 0);
  real r = here.r - info.red, g = here.g - info.green, b = here.b - info.blue;
  real distance = sqrt (r * r + g * g + b * b);

  here.a *= clamp ((distance - info.tolerance) / info.softness, (real) 0.0f,
      (real) 1.0f);
  return here;
}
