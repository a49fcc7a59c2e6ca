/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plainc.h"

#include <string.h>

/* Of 8 bits. */
#define N_BINS 256

void
plain_c_histogram (PlainCThreads threads, const guint8 * pixels, gint width,
    gint height, OclHistogramCounts * counts)
{
  const gsize n_pixels = (gsize) width * height;

  memset (counts, 0, sizeof (*counts));
#pragma omp parallel if (threads == PLAIN_C_OPENMP)
  {
    OclHistogramCounts own = { 0 };

#pragma omp for
    for (gsize i = 0; i < n_pixels; i++) {
      const guint8 *pixel = pixels + i * 4;

      own.counts[OCL_HISTOGRAM_RED][pixel[0]]++;
      own.counts[OCL_HISTOGRAM_GREEN][pixel[1]]++;
      own.counts[OCL_HISTOGRAM_BLUE][pixel[2]]++;
      own.counts[OCL_HISTOGRAM_LUMA][(30 * pixel[0] + 59 * pixel[1]
              + 11 * pixel[2] + 50) / 100]++;
    }
#pragma omp critical
    for (gint channel = 0; channel < OCL_HISTOGRAM_N_CHANNELS; channel++) {
      for (gint bin = 0; bin < N_BINS; bin++)
        counts->counts[channel][bin] += own.counts[channel][bin];
    }
  }
}
