/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of float images in pyramid levels. The images of a pyramid level have
 * half the size, rounded up, of the images of the previous level. The memory
 * can have any OclStorage:
 *
 *   BUFFER         each image is planes of floats, at offsets in one buffer
 *   IMAGE          each image is a 2D image
 *   IMAGE_ARRAY    the images of a pyramid level are layers of one image array
 *   IMAGE_BUFFER   the images of a pyramid level lie at offsets in one 1D
 *                  image that is made on a buffer
 *
 * Use an OclPyramidLevels from one thread at a time. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_MAX_PYRAMID_LEVELS 16

/**
 * OclPyramidLevels:
 * @storage: the kind of memory
 * @n_levels: the number of pyramid levels
 * @n_layers: the number of images per pyramid level
 * @frames: @n_levels times @n_layers descriptions of images (owned)
 * @memories: the memory objects that hold the images (owned)
 * @buffers: the buffers of the 1D images, one per pyramid level, or empty
 *    (owned)
 *
 * Start with a zeroed struct, end with ocl_pyramid_levels_clear().
 */
typedef struct
{
  OclStorage storage;
  guint n_levels;
  guint n_layers;
  OclFrame *frames;
  GPtrArray *memories;
  GPtrArray *buffers;
} OclPyramidLevels;

/* Returns the number of floats per sample in pyramid levels of @pass: one for
 * each channel of the pass, and one for luma if the pass is guided.
 * Thread-safe. */
guint ocl_pyramid_levels_count_floats (const OclPass * pass);

/* Sets @format to the format of pyramid levels in @storage: they hold the
 * channels of @pass of frames of format @like, as floats. If the pass is
 * guided, luma comes first. Use the same @pass for frames of @format.
 * @is_difference states whether they hold differences of pyramid levels. May be
 * called from any thread. */
void ocl_pyramid_levels_init_format (OclFormat * format, const OclFormat * like,
    const OclPass * pass, OclStorage storage, gboolean is_difference);

/* Allocates the memory of @levels for these arguments. Keeps the present memory
 * if it fits. Images of the first pyramid level have @width x @height samples
 * of @pass. @levels keeps the pointer @format. @n_levels is at most
 * OCL_MAX_PYRAMID_LEVELS.
 *
 * Fails with OCL_ERROR_NOT_SUPPORTED if the device does not support so many
 * pixels in one memory object, otherwise with OCL_ERROR_FAILED. */
gboolean ocl_pyramid_levels_ensure (OclPyramidLevels * levels,
    OclContext * context, OclStorage storage, const OclFormat * format,
    const OclPass * pass, gint width, gint height, guint n_levels,
    guint n_layers, GError ** error);

void ocl_pyramid_levels_clear (OclPyramidLevels * levels);

/* Returns the description of image @layer of pyramid level @level. */
const OclFrame *ocl_pyramid_levels_get (const OclPyramidLevels * levels,
    guint level, guint layer);

G_END_DECLS
