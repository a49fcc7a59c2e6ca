/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every variant of the bilateral filter gives the operation in
 * oclbilateral.h, which is what others use. */

#pragma once

#include "oclbilateral.h"

G_BEGIN_DECLS

/**
 * OclBilateralImplementation:
 * @names: what the variant is called in stats, by OclStorage
 * @buffers_only: whether it takes buffers only; frames in images are then
 *    copied to buffers and back
 * @new: builds what frames in @storage need, and keeps a reference to @context;
 *    NULL with OCL_ERROR_NOT_SUPPORTED where the device cannot run it, with
 *    OCL_ERROR_BUILD where its driver cannot build it, or OCL_ERROR_FAILED
 * @enqueue: as ocl_bilateral_enqueue(), for frames in the storage it was made
 *    for or, with @buffers_only, in buffers; @radius is the resolved one
 * @free: frees what @new made
 *
 * The methods of a variant. One thread at a time for each object.
 */
typedef struct
{
  const gchar *names[2];
  gboolean buffers_only;
  gpointer (*new) (OclContext * context, OclStorage storage, GError ** error);
  gboolean (*enqueue) (gpointer variant, const OclBilateralParams * params,
      gint radius, const OclFrame * input, const OclFrame * output,
      OclTimer * timer, GError ** error);
  void (*free) (gpointer variant);
} OclBilateralImplementation;

G_END_DECLS
