/* SPDX-License-Identifier: CC0-1.0 */
/* Shows differences from the previous frame in red.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=ball ! glupload ! glopenclkernel location=kernels/examples/motion.cl ! glimagesink
 */
#pragma glopencl radius 1
#pragma glopencl history 1
#pragma glopencl argument threshold 0 1 0.05 "Smaller differences are noise"

real brightness (Pixel p)
{
  return 0.3f * p.r + 0.59f * p.g + 0.11f * p.b;
}

Pixel filter (FRAME)
{
  Pixel here = pixel (frame, 0, 0), red = grey (0.0f);
  real difference = 0.0f;

  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      difference += brightness (pixel (frame, i, j))
          - brightness (earlier (frame, 1, i, j));
  red.r = 1.0f;
  real part = clamp ((fabs (difference) / 9.0f - info.threshold) * 10.0f,
      (real) 0.0f, (real) 1.0f);
  return plus (here, times (minus (red, here), part));
}
