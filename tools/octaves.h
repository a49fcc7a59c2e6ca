/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a filter on every image of a pyramid, with one launch per image, to
 * compare the storages of pyramids. Not thread-safe: one thread at a time. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * OctavesShape:
 * @storage: the storage of the images
 * @width: samples across, of each image of the first octave
 * @height: samples down, of each image of the first octave
 * @n_octaves: number of octaves; each has half the size of the one before
 * @n_images: number of images per octave
 *
 * The shape of a pyramid. Its images are grey and have float samples.
 */
typedef struct
{
  OclStorage storage;
  gint width;
  gint height;
  guint n_octaves;
  guint n_images;
} OctavesShape;

typedef struct _Octaves Octaves;

/* Creates a pyramid with noise in all images, builds @variant of @klass for
 * them with @tuning, and waits for both. @klass is an operation that reads and
 * writes. Keeps a reference to @context. Fails with the errors of
 * OclVariant. */
Octaves *octaves_new (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant, const OclTuning * tuning,
    const OctavesShape * shape, GError ** error);
void octaves_free (Octaves * octaves);

gboolean octaves_are (const Octaves * octaves, const OclVariant * variant,
    const OclTuning * tuning, const OctavesShape * shape);

/* Enqueues the operation on every image; does not wait. */
gboolean octaves_enqueue (Octaves * octaves, gconstpointer params,
    OclTimer * timer, GError ** error);

G_END_DECLS
