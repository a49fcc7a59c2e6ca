/* SPDX-License-Identifier: CC0-1.0 */
/* Median of 3 x 3 pixels: removes single wrong pixels.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/median.cl ! glimagesink
 */
#pragma glopencl radius 1
#pragma glopencl planes each

#define SORT(a, b) { real low = min (a, b); b = max (a, b); a = low; }

/* A network that brings the median of nine into the middle: J. L. Smith,
 * "Implementing median filters in XC4000E FPGAs", 1996. */
real median_of_nine (real a, real b, real c, real d, real e, real f, real g,
    real h, real i)
{
  SORT (b, c) SORT (e, f) SORT (h, i)
  SORT (a, b) SORT (d, e) SORT (g, h)
  SORT (b, c) SORT (e, f) SORT (h, i)
  SORT (a, d) SORT (f, i) SORT (e, h)
  SORT (d, g) SORT (b, e) SORT (c, f)
  SORT (e, h) SORT (e, c) SORT (g, e)
  SORT (e, c)
  return e;
}

#define MEDIAN(x) out.x = median_of_nine (p[0].x, p[1].x, p[2].x, p[3].x, \
    p[4].x, p[5].x, p[6].x, p[7].x, p[8].x);

Pixel filter (FRAME)
{
  Pixel p[9], out = pixel (frame, 0, 0);

  for (int n = 0; n < 9; n++)
    p[n] = pixel (frame, n % 3 - 1, n / 3 - 1);
  MEDIAN (r) MEDIAN (g) MEDIAN (b)
  return out;
}
