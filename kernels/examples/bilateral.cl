/* SPDX-License-Identifier: CC0-1.0 */
/* Bilateral filter like that of glopenclfilter, optimized for speed: values
 * common to all pixels are computed once, as floats, the guide is read instead
 * of three channels, and the exponents are those of 2.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=snow ! glupload ! glopenclkernel location=kernels/examples/bilateral.cl ! glimagesink
 */
#pragma glopencl radius 4
#pragma glopencl planes each
#pragma glopencl guide luma
#pragma glopencl argument spatial 0.1 50 2 "Spatial sigma in pixels"
#pragma glopencl argument intensity 0.001 1 0.25 "Intensity sigma"

/* Half of the logarithm of e to the base of 2. */
#define HALF_LOG2E 0.72134752f

Pixel filter (FRAME)
{
  const float near = HALF_LOG2E / (info.spatial * info.spatial);
  const float alike = sqrt (HALF_LOG2E) / info.intensity;
  real here = luma (frame, 0, 0), weights = 0.0f;
  Pixel sum = grey (0.0f);

  for (int j = -4; j <= 4; j++)
    for (int i = -4; i <= 4; i++) {
      real difference = (luma (frame, i, j) - here) * alike;
      real weight = falloff2 ((i * i + j * j) * near
          + difference * difference);

      sum = plus (sum, times (pixel (frame, i, j), weight));
      weights += weight;
    }
  return times (sum, 1.0f / weights);
}
