/* SPDX-License-Identifier: CC0-1.0 */
/* Makes each channel a sum of all three; at first in the colours of an old
 * photograph.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/color-matrix.cl ! glimagesink
 */
#pragma glopencl argument rr -4 4 0.393 "Red that becomes red"
#pragma glopencl argument rg -4 4 0.769 "Green that becomes red"
#pragma glopencl argument rb -4 4 0.189 "Blue that becomes red"
#pragma glopencl argument gr -4 4 0.349 "Red that becomes green"
#pragma glopencl argument gg -4 4 0.686 "Green that becomes green"
#pragma glopencl argument gb -4 4 0.168 "Blue that becomes green"
#pragma glopencl argument br -4 4 0.272 "Red that becomes blue"
#pragma glopencl argument bg -4 4 0.534 "Green that becomes blue"
#pragma glopencl argument bb -4 4 0.131 "Blue that becomes blue"

Pixel filter (FRAME)
{
  Pixel here = pixel (frame, 0, 0);
  Pixel out = here;

  out.r = info.rr * here.r + info.rg * here.g + info.rb * here.b;
  out.g = info.gr * here.r + info.gg * here.g + info.gb * here.b;
  out.b = info.br * here.r + info.bg * here.g + info.bb * here.b;
  return out;
}
