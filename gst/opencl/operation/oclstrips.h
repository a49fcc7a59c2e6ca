/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How kernels that take strips of whole rows lay out what they keep: a strip is
 * the work of one work-item, see kernels/strips.clh. */

#pragma once

#include "core/oclmemory.h"
#include "oclkernels.h"

G_BEGIN_DECLS

/**
 * OclStripsNeeds:
 * @width: samples of the frame, or of a plane of one, across
 * @height: the same, down
 * @reach_x: samples that are read left and right of the frame
 * @reach_y: samples that are read above and below a strip
 * @n_planes: planes of a row that a strip keeps
 * @n_rows: rows that a strip keeps
 * @n_words: words of 4 bytes that a strip keeps behind its rows
 */
typedef struct
{
  gint width;
  gint height;
  gint reach_x;
  gint reach_y;
  gint n_planes;
  gint n_rows;
  gint n_words;
} OclStripsNeeds;

/**
 * OclStrips:
 * @pad: floats of a row before the frame's first column
 * @pitch: floats of a plane of a row
 * @scratch_floats: floats that a strip keeps
 * @height: rows of the frame in a strip, but the last
 * @n: how many strips there are
 * @scratch: what all strips keep
 *
 * Start with a zeroed struct, end with ocl_strips_clear(). One thread at a
 * time.
 */
typedef struct
{
  cl_int pad;
  cl_int pitch;
  cl_int scratch_floats;
  cl_int height;
  gsize n;
  OclMemory scratch;
} OclStrips;

/* Cuts a frame into strips, a few for each compute unit of the device, and
 * makes room for what they keep. Commands that use the room there is may be in
 * flight. */
gboolean ocl_strips_ensure (OclStrips * strips, OclContext * context,
    const OclStripsNeeds * needs, GError ** error);

void ocl_strips_clear (OclStrips * strips);

/* A launch of a work-item for each strip. */
#define OCL_STRIPS_GRID(n_kernel, strips) OCL_GRID (n_kernel, (strips)->n, 1)

/* What all kernels of strips get behind the size of the frame. */
#define OCL_STRIPS(strips) OCL_INT ((strips)->height), \
    OCL_MEMORY ((strips)->scratch.memory), \
    OCL_INT ((strips)->scratch_floats), OCL_INT ((strips)->pitch), \
    OCL_INT ((strips)->pad)

G_END_DECLS
