/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One way to compute an operation, as a const table. */

#pragma once

#include "oclprogram.h"
#include "oclresult.h"

G_BEGIN_DECLS

/**
 * OclRun:
 * @params: the operation's parameters
 * @derived: what follows from them for the pass, see OclOperationClass; like
 *    @pass, the operation sets it
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
  gconstpointer derived;
  const OclPass *pass;
  const OclFrame *input;
  const OclFrame *output;
  OclResult *result;
  OclTimer *timer;
} OclRun;

/* Programs that serve the same parameters, at most. */
#define OCL_MAX_FORMS 2

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
 * @get_forms: sets @forms to those of its programs that serve @params, and
 *    returns how many they are: any numbers, which the build gets. The last one
 *    serves most parameters and is there for the first frame; those before it
 *    are faster, the fastest first, and built while it serves. NULL where there
 *    is one program, of form 0
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
  guint (*get_forms) (gconstpointer params, const OclFormat * format,
      guint forms[OCL_MAX_FORMS]);
  gpointer (*new) (OclContext * context, const OclBuild * build,
      GError ** error);
  gboolean (*enqueue) (gpointer object, const OclRun * run, GError ** error);
  void (*free) (gpointer object);
} OclVariant;

/* Any thread for these. */

/* Whether @variant can compute what @params ask for. */
gboolean ocl_variant_can_serve (const OclVariant * variant,
    gconstpointer params, const OclFormat * format, const OclPass * pass);

/* Sets @forms to those of its programs that serve @params, and returns how many
 * they are, at least one, see OclVariant. */
guint ocl_variant_get_forms (const OclVariant * variant,
    gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS]);

/* What users call @variant for frames in that storage; free it. */
gchar *ocl_variant_get_label (const OclVariant * variant, OclStorage storage);

G_END_DECLS
