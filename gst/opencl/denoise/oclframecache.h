/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Per-frame cache: data that a variant computes from each frame once, and
 * reuses while the frame is a neighbour of others. Of interlaced video, a frame
 * is one field, here and in the operations that use the cache.
 *
 * Missing data is computed again. */

#pragma once

#include "core/oclmemory.h"
#include "operation/oclkernels.h"

G_BEGIN_DECLS

/* A run reads up to OCL_MAX_NEIGHBOURS + 1 frames. Interlaced video needs
 * as many for the other field. */
#define OCL_FRAME_CACHE_MAX (2 * (OCL_MAX_NEIGHBOURS + 1))

/**
 * OclFrameCache:
 * @memory: the data of all frames, in sequence
 * @n_floats: the size of the data of one frame, in words of 4 bytes
 * @n: capacity in frames
 * @serials: the serial number of the frame in each place, or 0
 *
 * Start with a zeroed struct and end with ocl_frame_cache_clear(). Use the
 * struct from one thread at a time.
 */
typedef struct
{
  OclMemory memory;
  gsize n_floats;
  guint n;
  guint64 serials[OCL_FRAME_CACHE_MAX];
} OclFrameCache;

/**
 * OclFrameCacheOffsets:
 * @current: the word where the data of the input of a run starts
 * @neighbours: the words where the data of its neighbours starts. A missing
 *    frame has the word of the input
 */
typedef struct
{
  cl_int current;
  cl_int8 neighbours;
} OclFrameCacheOffsets;

/* Computes the data of the frame that @run reads. The data starts at word
 * @offset of @memory. */
typedef gboolean (*OclFrameCacheFill) (OclKernels * kernels, const OclRun * run,
    cl_mem memory, cl_int offset, GError ** error);

/* Calls @fill for the input of @run and each of its neighbours, at most
 * @n_neighbours, without data of @n_floats words. Sets @offsets to the start of
 * the data. Returns FALSE with OCL_ERROR_FAILED if the data is too large for
 * the device. */
gboolean ocl_frame_cache_ensure (OclFrameCache * cache, OclKernels * kernels,
    const OclRun * run, guint n_neighbours, gsize n_floats,
    OclFrameCacheFill fill, OclFrameCacheOffsets * offsets, GError ** error);

/* Returns a mask of the neighbours of @run that are not missing, of at most
 * @n_neighbours. May be called from any thread. */
guint ocl_frame_cache_get_present (const OclRun * run, guint n_neighbours);

/* Drops all data, and keeps the memory. */
void ocl_frame_cache_invalidate (OclFrameCache * cache);

/* Releases the memory. Commands may be in flight. */
void ocl_frame_cache_clear (OclFrameCache * cache);

G_END_DECLS
