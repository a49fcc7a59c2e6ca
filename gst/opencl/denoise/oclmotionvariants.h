/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Common functions of the variants of the motion search. Use a state from one
 * thread at a time. */

#pragma once

#include "oclmotionparams.h"
#include "oclmotionresult.h"
#include "oclpictures.h"

G_BEGIN_DECLS

/* Number of planes of a blurred picture, as in kernels/motion.clh. */
#define OCL_MOTION_SCALES 3

/**
 * OclMotionState:
 * @pictures: blurred pictures of luma, see kernels/motion.clh
 * @luma: luma before it is blurred
 * @shared: the shared data of the last result
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
 * @fill: writes a blurred picture
 * @search: the index of the kernel that searches
 * @search_size: number of work-items that search for a vector, in one
 *    work-group. 0 for one work-item
 * @search_blocks: number of adjacent blocks for which a work-item searches. 0
 *    for one block
 *
 * The differences of the variants.
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

/* Writes a blurred picture at word @offset of @memory: launches a kernel that
 * blurs over @grid, and kernel @halve for the smaller planes. Common to the
 * variants that compute single pixels. */
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
