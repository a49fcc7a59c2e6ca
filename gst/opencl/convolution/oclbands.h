/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How kernels that take bands of whole rows lay out what they keep, see
 * kernels/bands.clh. */

#pragma once

#include "oclmemory.h"
#include "oclprogram.h"

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

/* Makes @scratch as large as what all bands keep. One thread at a time. */
gboolean ocl_bands_ensure (const OclBands * bands, OclMemory * scratch,
    OclContext * context, GError ** error);

/* Adds what all kernels of bands get behind the size of the frame: the height
 * of a band, @scratch, and how it is laid out. Both have to be there when the
 * arguments are set. Any thread. */
void ocl_bands_add_arguments (const OclBands * bands,
    const OclMemory * scratch, OclArguments * arguments);

G_END_DECLS
