/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header has what the variants of the motion search share. One thread at
 * a time may use a state. */

#pragma once

#include "oclmotionparams.h"
#include "oclmotionresult.h"
#include "oclpictures.h"

G_BEGIN_DECLS

/* A blurred picture has this many planes, as in kernels/motion.clh. */
#define OCL_MOTION_SCALES 3

/**
 * OclMotionState:
 * @pictures: blurred pictures of luma, see kernels/motion.clh
 * @luma: luma before it is blurred
 * @shared: what the last result shares
 *
 * The state of a variant.
 */
typedef struct
{
  OclPictures pictures;
  OclMemory luma;
  OclMotionShared shared;
} OclMotionState;

/**
 * OclMotionFamily:
 * @fill: makes a blurred picture
 * @search: the index of the kernel that searches
 * @search_size: how many work-items search for a vector, in a group of their
 *    own; 0 for one work-item
 * @search_blocks: for how many blocks that are side by side a work-item
 *    searches; 0 for one block
 *
 * The variants differ by the members of this struct.
 */
typedef struct
{
  OclPicturesFill fill;
  guint search;
  gsize search_size;
  gint search_blocks;
} OclMotionFamily;

/* Returns the side of a plane of a blurred picture at a scale, in samples, for
 * @n_blocks blocks. */
gint ocl_motion_get_side (gint n_blocks, guint scale);

/* Returns the size of a blurred picture in words of 4 bytes. */
gsize ocl_motion_get_picture_words (const OclRun * run);

/* Makes a blurred picture at word @offset of @memory: launches a kernel that
 * blurs over @grid, and kernel @halve for the smaller planes. The variants of
 * pixels share it. */
gboolean ocl_motion_fill_picture (OclKernels * kernels, const OclRun * run,
    OclGrid grid, guint halve, cl_mem memory, cl_int offset, GError ** error);

gboolean ocl_motion_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);

void ocl_motion_clear (gpointer state);

/* The variants, see each file. */
extern const OclVariant ocl_motion_plain;
extern const OclVariant ocl_motion_rows;
extern const OclVariant ocl_motion_tiled;

G_END_DECLS
