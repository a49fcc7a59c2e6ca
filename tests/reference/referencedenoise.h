/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The denoiser in double precision, written from its definition and from
 * nothing else.
 *
 * Blocks of 8 x 8 samples at x, y = -6, -4, ..., or at -4, 0, ... if it has to
 * be fast, are cut from the current frame and, displaced by their vectors, from
 * the frames around it that match. Their orthonormal DCT-II over columns, rows
 * and time is U. With the threshold t = 2.8 strength σ and g (a) = clamp (5 a -
 * 4.5, 0, 1),
 *
 *   U' = g (f |U| / t) U,   w = 1 / (n Σ e² g + 1/2)
 *
 * where the coefficient of the mean over all samples and frames has g = 1, n is
 * the number of frames, and e is the factor of U' in the inverse transform over
 * time, at the current frame. f is 1 if n is 1. Otherwise it is 1.1 for static
 * content, and 0.8 for changes over time. The inverse transforms, at the
 * current frame, give b. The output is Σ w b / Σ w over the blocks that cover a
 * sample.
 *
 * σ: of the 8 x 8 blocks with at most 3 samples at 0 or at the largest level,
 * those are flat whose mean of C(i,j)² over 2 <= i + j <= 8 is below 0.25, or
 * in which the samples of a row or column are equal. If less than a tenth of
 * them is not flat, σ is 0. Of the blocks that are not flat, the tenth with the
 * least mean of C(i,j)² over 0 < i + j < 8 is quiet, and at least 50 blocks
 * are. s is the median of the |C(i,j)|, i + j >= 9, of quiet blocks over
 * 0.6745, and σ² = max (0, s² - 0.8²). Both are counted in bins, of which a
 * power of 2 has 32: the blocks of the last bin are all quiet, and values are
 * spread evenly in the bin of the median. Blocks are 4, 12, 20, ... samples
 * apart, so that there are at most 4096. If there are more flat blocks than a
 * tenth of the others, and the quiet ones have energies above 10 s², σ is 0.
 * The mean of σ over the last 8 frames since a cut is used.
 *
 * A curve has σ of the blocks whose mean is in each of 8 bins, if there are 16
 * of them, and if the quiet ones, then at least 16, have energies up to 3 s².
 * It is 0.001 of a bin generous. A bin without σ lies between those with one.
 * Between the middles of bins σ is linear. Grain g adds g (input - output) to
 * the output.
 *
 * Luma in sixteenths of a level of 8 bits is blurred by 1 14 62 102 62 14 1
 * over 256, rounded once, and halved twice by rounded means. A block of 16 x 16
 * has a vector for each other frame: at a quarter, half and full size, the
 * candidate v with the least
 *
 *   Σ |a - b| over 32 x 32 pixels + 0.004 σ (|v - first| + 4 (v != 0)) a sample
 *
 * where first is the double of the best vector before, |v| is |x| + |y|, and
 * the candidates are up to 4 samples away from 0, then up to 1 sample away from
 * first and, if that is not 0, from 0. Another frame matches in a cell of 4 x 4
 * if the mean of |a - b| over the 8 x 8 pixels around it is at most 1.692 σ' +
 * 3, where σ' is the noise after the blur. kernels/spectrum.clh defines it, and
 * the threshold of each frequency, if noise is estimated and there are other
 * frames: t = 2.8 strength max (σ, L sqrt (s2)). Frames beyond a cut do not
 * match. A cut: the cumulative histograms, in 64 bins, of the means of n blocks
 * of 8 x 8 of luma differ by more than 0.1 n + sqrt (n) somewhere, and the
 * means correlate by less than a half. At most 32 x 32 blocks, evenly spread,
 * are compared. */

#ifndef REFERENCE_DENOISE_H
#define REFERENCE_DENOISE_H

#include "reference.h"

#define REFERENCE_MAX_HISTORY 4
#define REFERENCE_MAX_LOOKAHEAD 4

typedef struct
{
  double noise;                 /* σ in levels of 8 bits, negative: estimated */
  double strength;
  double chroma_strength;       /* negative: as strength */
  int curve;                    /* not 0: σ by brightness, if estimated */
  double grain;
  int fast;                     /* not 0: blocks at every fourth sample */
  int history;
  int lookahead;
  int motion;                   /* not 0: vectors are searched for */
  ReferenceBorder border;
  double border_levels[3];      /* of the channels, in their levels */
} ReferenceDenoise;

/* A frame of red, green and blue, of luma and two channels of chroma, or of luma
 * alone. */
typedef struct
{
  int width;                    /* in pixels */
  int height;
  int is_rgb;
  int n_channels;
  /* A sample of channels 1 and 2 stands for 2^x_shift pixels across and
   * 2^y_shift pixels down. */
  int x_shift;
  int y_shift;
  int lacks_row;                /* of channels 1 and 2: one less than that */
  double max_level;
  double *channels[3];          /* whole levels, row-major, without padding */
} ReferenceDenoiseFrame;

/* Returns the samples of channel @n across and down. */
int reference_denoise_get_width (const ReferenceDenoiseFrame *frame, int n);
int reference_denoise_get_height (const ReferenceDenoiseFrame *frame, int n);

/* Returns σ of one channel of one frame, or a negative number if no block
 * counts. */
double reference_denoise_estimate (const ReferenceDenoiseFrame *frame, int n);

/* Returns whether there is a cut between the frames. */
int reference_denoise_is_cut (const ReferenceDenoiseFrame *before,
    const ReferenceDenoiseFrame *frame);

/* Sets @vectors, x before y, for each block of 16 x 16 pixels, row by row. */
void reference_denoise_search (const ReferenceDenoiseFrame *frame,
    const ReferenceDenoiseFrame *earlier, double sigma, int *vectors);

/* Filters frame @current of @n_frames frames, which follow each other from a
 * start to an end. Sets @outputs, one for each channel, in levels that are not
 * rounded. Channels whose output is NULL are left out. */
void reference_denoise (const ReferenceDenoise *params,
    const ReferenceDenoiseFrame *frames, int n_frames, int current,
    double *outputs[3]);

#endif
