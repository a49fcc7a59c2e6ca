/* SPDX-License-Identifier: CC0-1.0 */
/* Mixes the channels with a matrix. The defaults are the colours of an old
 * photograph.
 *
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclkernel location=kernels/examples/color-matrix.cl ! glimagesink
 */
#pragma glopencl argument rr -4 4 0.393 "Red to red"
#pragma glopencl argument rg -4 4 0.769 "Green to red"
#pragma glopencl argument rb -4 4 0.189 "Blue to red"
#pragma glopencl argument gr -4 4 0.349 "Red to green"
#pragma glopencl argument gg -4 4 0.686 "Green to green"
#pragma glopencl argument gb -4 4 0.168 "Blue to green"
#pragma glopencl argument br -4 4 0.272 "Red to blue"
#pragma glopencl argument bg -4 4 0.534 "Green to blue"
#pragma glopencl argument bb -4 4 0.131 "Blue to blue"

Pixel filter (FRAME)
{
  Pixel here = pixel (frame, 0, 0);
  Pixel out = here;

  out.r = info.rr * here.r + info.rg * here.g + info.rb * here.b;
  out.g = info.gr * here.r + info.gg * here.g + info.gb * here.b;
  out.b = info.br * here.r + info.bg * here.g + info.bb * here.b;
  return out;
}
