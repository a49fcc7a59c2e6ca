/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How kernels that take bands of whole rows lay out what they keep, see
 * kernels/bands.clh. */

#pragma once

#include "oclcontext.h"

G_BEGIN_DECLS

/**
 * OclBands:
 * @pad: floats of a row before the frame's first column
 * @pitch: floats of a plane of a row
 * @scratch_floats: of a band
 * @band_height: rows of the frame in a band, but the last
 * @n_bands: how many there are
 */
typedef struct
{
  cl_int pad;
  cl_int pitch;
  cl_int scratch_floats;
  cl_int band_height;
  gsize n_bands;
} OclBands;

/* For a frame, or a plane of one, of @width x @height samples; @reach_x and
 * @reach_y more are read on each side. A band keeps @n_rows rows of @n_planes
 * each. @n_threads work at a time. Any thread. */
void ocl_bands_init (OclBands * bands, gint width, gint height, gint reach_x,
    gint reach_y, gint n_planes, gint n_rows, gint n_threads);

/* Each band has as many more words of 4 bytes behind its rows. Any thread. */
void ocl_bands_add (OclBands * bands, gint n_words);

/* Bytes of what all bands keep. */
gsize ocl_bands_get_size (const OclBands * bands);

G_END_DECLS
