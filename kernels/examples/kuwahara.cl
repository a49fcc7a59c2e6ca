/* SPDX-License-Identifier: CC0-1.0 */
/* Kuwahara filter: flattens areas and keeps edges. Returns the mean of the one
 * of four squares around a pixel with the least variance. M. Kuwahara et al.,
 * "Processing of RI-angiocardiographic images", 1976.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/kuwahara.cl ! glimagesink
 */
#pragma glopencl radius 2
#pragma glopencl planes luma
#pragma glopencl guide luma

Pixel filter (FRAME)
{
  Pixel best = pixel (frame, 0, 0);
  real least = 1e9f;

  for (int n = 0; n < 4; n++) {
    Pixel sum = grey (0.0f);
    real mean = 0.0f, square = 0.0f;

    for (int j = -2; j <= 0; j++)
      for (int i = -2; i <= 0; i++) {
        const int x = n % 2 ? -i : i;
        const int y = n / 2 ? -j : j;
        real l = luma (frame, x, y);

        sum = plus (sum, pixel (frame, x, y));
        mean += l;
        square += l * l;
      }
    real variance = square / 9.0f - mean * mean / 81.0f;
    best.r = variance < least ? sum.r / 9.0f : best.r;
    best.g = variance < least ? sum.g / 9.0f : best.g;
    best.b = variance < least ? sum.b / 9.0f : best.b;
    least = min (variance, least);
  }
  return best;
}
