/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One way to compute an operation, as a const table. */

#pragma once

#include "oclprogram.h"
#include "oclresult.h"

G_BEGIN_DECLS

/**
 * OclRun:
 * @params: the operation's parameters
 * @pass: which channels it is about
 * @input: the frame to read, or NULL where the operation reads none
 * @output: the frame to write, of the same size, format and storage, and never
 *    the same; NULL where the operation writes none
 * @result: what the operation finds out, or draws; NULL where it has none
 * @timer: gets the events of all commands
 *
 * An operation on one frame, or, for a variant, one pass of it.
 */
typedef struct
{
  gconstpointer params;
  const OclPass *pass;
  const OclFrame *input;
  const OclFrame *output;
  OclResult *result;
  OclTimer *timer;
} OclRun;

/**
 * OclVariantFlags:
 * @OCL_VARIANT_FOR_CPU: what CPUs take, where nothing else is chosen
 * @OCL_VARIANT_FOR_GPU: what other devices take
 * @OCL_VARIANT_BUFFERS_ONLY: takes no images: they are copied to buffers and
 *    back. For operations that read.
 * @OCL_VARIANT_APPROXIMATE: its results are not those of the others: it serves
 *    only where it is chosen
 */
typedef enum
{
  OCL_VARIANT_FOR_CPU = 1 << 0,
  OCL_VARIANT_FOR_GPU = 1 << 1,
  OCL_VARIANT_BUFFERS_ONLY = 1 << 2,
  OCL_VARIANT_APPROXIMATE = 1 << 3,
} OclVariantFlags;

/**
 * OclVariant:
 * @name: in stats, in `glopencl bench`
 * @flags: what it is for
 * @tunables: what may vary about it, or NULL
 * @can_serve: whether it can compute what @params ask for; NULL where it always
 *    can
 * @get_form: which of its programs @params need, where one does not serve all
 *    that it can: any number, which the build gets; NULL where there is one
 * @get_special_form: which of its programs does the same as that one, faster,
 *    but for few @params: a number that @get_form never gives, or 0 where there
 *    is none for these. It is built while the other serves. NULL where there is
 *    none at all
 * @new: builds what @build asks for and keeps a reference to @context; NULL
 *    with OCL_ERROR_NOT_SUPPORTED where the device cannot run it, with
 *    OCL_ERROR_BUILD where its driver cannot build it, or OCL_ERROR_FAILED
 * @enqueue: enqueues the operation; does not wait, but where a table that the
 *    parameters make changes, for its last change to have reached the device
 * @free: frees what @new made
 *
 * One way to compute an operation. One thread at a time for each object.
 */
typedef struct
{
  const gchar *name;
  OclVariantFlags flags;
  const OclTunable *tunables;
  gboolean (*can_serve) (gconstpointer params, const OclFormat * format,
      const OclPass * pass);
  guint (*get_form) (gconstpointer params, const OclFormat * format);
  guint (*get_special_form) (gconstpointer params, const OclFormat * format);
  gpointer (*new) (OclContext * context, const OclBuild * build,
      GError ** error);
  gboolean (*enqueue) (gpointer object, const OclRun * run, GError ** error);
  void (*free) (gpointer object);
} OclVariant;

/* Any thread for these. */

/* Whether @variant can compute what @params ask for. */
gboolean ocl_variant_can_serve (const OclVariant * variant,
    gconstpointer params, const OclFormat * format, const OclPass * pass);

/* Which of its programs @params need, and which does the same faster; 0 for the
 * second where there is none. */
guint ocl_variant_get_form (const OclVariant * variant, gconstpointer params,
    const OclFormat * format);
guint ocl_variant_get_special_form (const OclVariant * variant,
    gconstpointer params, const OclFormat * format);

/* What users call @variant for frames in that storage; free it. */
gchar *ocl_variant_get_label (const OclVariant * variant, OclStorage storage);

G_END_DECLS
