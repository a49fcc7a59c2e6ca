/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A filter on the images of a pyramid, a launch each: what storages of pyramids
 * are compared by. One thread at a time. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * OctavesShape:
 * @storage: what the images are in
 * @width: samples of each image of the first octave
 * @height: the same, down
 * @n_octaves: each of half the size of the one before
 * @n_images: of an octave
 *
 * What pyramid; images are grey, of floats.
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

/* With noise in all images, and @variant of @klass, an operation that reads and
 * writes, built for them with @tuning. Keeps a reference to @context; waits.
 * Errors are those of OclVariant. */
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
