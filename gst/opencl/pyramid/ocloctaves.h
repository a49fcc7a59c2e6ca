/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of images of floats in octaves: those of an octave have half the
 * size, rounded up, of those of the one before. In any OclStorage:
 *
 *   BUFFER         planes of floats in one buffer, at offsets
 *   IMAGE          each is a 2D image
 *   IMAGE_ARRAY    those of an octave are layers of one array
 *   IMAGE_BUFFER   those of an octave are pixels of a 1D image, at offsets,
 *                  that is made on a buffer
 *
 * One thread at a time. */

#pragma once

#include "operation/oclpass.h"

G_BEGIN_DECLS

#define OCL_MAX_OCTAVES 16

/**
 * OclOctaves:
 * @storage: what the memory is
 * @n_octaves: how many there are
 * @n_layers: images of an octave
 * @frames: @n_octaves times @n_layers descriptions; owned
 * @memories: what they are in; owned
 * @buffers: what images are made on, one an octave, or empty; owned
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

/* The floats of a sample of octaves of @pass: those of its channels, and luma
 * where it is guided. Any thread. */
guint ocl_octaves_count_floats (const OclPass * pass);

/* Sets @format to that of octaves of the channels of @pass of frames of
 * @like, as floats, in @storage: with luma first where the pass is guided. The
 * same pass, over frames of @format, is for them. @is_difference says whether
 * they are differences of octaves. Any thread. */
void ocl_octaves_init_format (OclFormat * format, const OclFormat * like,
    const OclPass * pass, OclStorage storage, gboolean is_difference);

/* Makes @octaves what is asked for; keeps the memory it has where that fits.
 * Images of the first octave have @width x @height samples of @pass. @format is
 * kept a pointer to. There are at most OCL_MAX_OCTAVES.
 * OCL_ERROR_NOT_SUPPORTED where the device cannot have so many pixels in one
 * memory, or OCL_ERROR_FAILED. */
gboolean ocl_octaves_ensure (OclOctaves * octaves, OclContext * context,
    OclStorage storage, const OclFormat * format, const OclPass * pass,
    gint width, gint height, guint n_octaves, guint n_layers, GError ** error);

void ocl_octaves_clear (OclOctaves * octaves);

/* An image of an octave. */
const OclFrame *ocl_octaves_get (const OclOctaves * octaves, guint octave,
    guint layer);

G_END_DECLS
