/* SPDX-License-Identifier: CC0-1.0 */
/* Adds film grain, different in each frame.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/grain.cl arguments="arguments,strength=0.3" ! glimagesink
 */
#pragma glopencl planes luma
#pragma glopencl argument strength 0 1 0.1 "Strength of the grain"

/* A random number of 16 bits from another one. No product exceeds 31 bits. */
integer next_random (integer n)
{
  return ((n & 0xffff) * 25173 + 13849) & 0xffff;
}

Pixel filter (FRAME)
{
  Pixel here = pixel (frame, 0, 0);
  integer n = next_random (to_integer (info.x) + 7919 * (info.number & 0xfff));

  n = next_random (n ^ (n >> 7) ^ to_integer (info.y));
  real first = to_real (next_random (n ^ (n >> 5)));
  real second = to_real (next_random (n ^ (n >> 9)));
  real noise = (first + second) / 65535.0f - 1.0f;
  return plus (here, grey (noise * info.strength));
}
