/* SPDX-License-Identifier: CC0-1.0 */
/* Non-local means, see nlm.cl, with similar pixels of the previous frame, too.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=ball ! glupload ! glopenclkernel location=kernels/examples/nlm-time.cl ! glimagesink
 */
#pragma glopencl radius 2
#pragma glopencl history 1
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

  for (int n = 0; n <= 1; n++)
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) {
        real distance = 0.0f;

        for (int v = -1; v <= 1; v++)
          for (int u = -1; u <= 1; u++)
            distance += distance_of (pixel (frame, u, v),
                earlier (frame, n, i + u, j + v));
        real weight = falloff (distance * unit);
        sum = plus (sum, times (earlier (frame, n, i, j), weight));
        weights += weight;
      }
  return times (sum, 1.0f / weights);
}
