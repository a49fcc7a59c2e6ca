/* SPDX-License-Identifier: CC0-1.0 */
/* Non-local means: the mean of pixels with similar 3 x 3 neighbourhoods. A.
 * Buades, B. Coll and J.-M. Morel, "A non-local algorithm for image denoising",
 * CVPR 2005.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/nlm.cl ! glimagesink
 */
#pragma glopencl radius 3
#pragma glopencl planes luma
#pragma glopencl argument strength 0.001 1 0.1 "Strength of the noise reduction"

real distance_of (Pixel a, Pixel b)
{
  Pixel d = minus (a, b);

  return d.r * d.r + d.g * d.g + d.b * d.b;
}

Pixel filter (FRAME)
{
  const float unit = 1.0f / (27.0f * info.strength * info.strength);
  Pixel sum = grey (0.0f);
  real weights = 0.0f;

  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      real distance = 0.0f;

      for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
          distance += distance_of (pixel (frame, u, v),
              pixel (frame, i + u, j + v));
      real weight = falloff (distance * unit);
      sum = plus (sum, times (pixel (frame, i, j), weight));
      weights += weight;
    }
  return times (sum, 1.0f / weights);
}
