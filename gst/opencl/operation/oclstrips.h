/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lays out the scratch memory of kernels that process strips of whole rows. A
 * strip is the work of one work-item, see kernels/strips.clh. */

#pragma once

#include "core/oclmemory.h"
#include "oclkernels.h"

G_BEGIN_DECLS

/**
 * OclStripsNeeds:
 * @width: the width of the frame, or of a plane of it, in samples
 * @height: the height of the frame, or of a plane of it, in samples
 * @reach_x: samples that are read left and right of the frame
 * @reach_y: samples that are read above and below a strip
 * @n_planes: planes of a row that a strip keeps
 * @n_rows: rows that a strip keeps
 * @n_words: words of 4 bytes that a strip keeps after its rows
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
 * @height: rows of the frame in each strip. The last strip may have fewer
 * @n: the number of strips
 * @scratch: the memory with the floats of all strips
 *
 * Start with a zeroed struct, end with ocl_strips_clear(). Use the struct from
 * one thread at a time.
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

/* Splits a frame into strips, a few for each compute unit of the device, and
 * allocates enough scratch memory. Commands that use the present scratch memory
 * may be in flight. */
gboolean ocl_strips_ensure (OclStrips * strips, OclContext * context,
    const OclStripsNeeds * needs, GError ** error);

/* Releases the scratch memory. Commands that use it may be in flight. */
void ocl_strips_clear (OclStrips * strips);

/* Expands to a grid with a work-item for each strip. */
#define OCL_STRIPS_GRID(n_kernel, strips) OCL_GRID (n_kernel, (strips)->n, 1)

/* Expands to the arguments of all kernels for strips after the size of the
 * frame. */
#define OCL_STRIPS(strips) OCL_INT ((strips)->height), \
    OCL_MEMORY ((strips)->scratch.memory), \
    OCL_INT ((strips)->scratch_floats), OCL_INT ((strips)->pitch), \
    OCL_INT ((strips)->pad)

G_END_DECLS
