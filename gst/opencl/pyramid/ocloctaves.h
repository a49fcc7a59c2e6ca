/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of float images in octaves. The images of an octave have half the
 * size, rounded up, of the images of the previous octave. The memory can have
 * any
 * OclStorage:
 *
 *   BUFFER         each image is planes of floats, at offsets in one buffer
 *   IMAGE          each image is a 2D image
 *   IMAGE_ARRAY    the images of an octave are layers of one image array
 *   IMAGE_BUFFER   the images of an octave lie at offsets in one 1D image that
 *                  is made on a buffer
 *
 * Use an OclOctaves from one thread at a time. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_MAX_OCTAVES 16

/**
 * OclOctaves:
 * @storage: the kind of memory
 * @n_octaves: the number of octaves
 * @n_layers: the number of images per octave
 * @frames: @n_octaves times @n_layers descriptions of images (owned)
 * @memories: the memory objects that hold the images (owned)
 * @buffers: the buffers of the 1D images, one per octave, or empty (owned)
 *
 * Start with a zeroed struct, end with ocl_octaves_clear().
 */
typedef struct
{
  OclStorage storage;
  guint n_octaves;
  guint n_layers;
  OclFrame *frames;
  GPtrArray *memories;
  GPtrArray *buffers;
} OclOctaves;

/* Returns the number of floats per sample in octaves of @pass: one for each
 * channel of the pass, and one for luma if the pass is guided. Thread-safe. */
guint ocl_octaves_count_floats (const OclPass * pass);

/* Sets @format to the format of octaves in @storage: they hold the channels of
 * @pass of frames of format @like, as floats. If the pass is guided, luma comes
 * first. Use the same @pass for frames of @format. @is_difference states
 * whether the octaves hold differences of octaves. May be called from any
 * thread. */
void ocl_octaves_init_format (OclFormat * format, const OclFormat * like,
    const OclPass * pass, OclStorage storage, gboolean is_difference);

/* Allocates the memory of @octaves for these arguments. Keeps the present
 * memory if it fits. Images of the first octave have @width x @height samples
 * of @pass. @octaves keeps the pointer @format. @n_octaves is at most
 * OCL_MAX_OCTAVES.
 *
 * Fails with OCL_ERROR_NOT_SUPPORTED if the device does not support so many
 * pixels in one memory object, otherwise with OCL_ERROR_FAILED. */
gboolean ocl_octaves_ensure (OclOctaves * octaves, OclContext * context,
    OclStorage storage, const OclFormat * format, const OclPass * pass,
    gint width, gint height, guint n_octaves, guint n_layers, GError ** error);

void ocl_octaves_clear (OclOctaves * octaves);

/* Returns the description of image @layer of octave @octave. */
const OclFrame *ocl_octaves_get (const OclOctaves * octaves, guint octave,
    guint layer);

G_END_DECLS
