/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is computed, without GStreamer and without OpenGL.
 *
 * An operation is one const table, an OclOperationClass: its parameters and the
 * ways to compute it, its variants. ocl_operations[] lists all; tools and tests
 * walk that list and know none by name. An OclOperation is one at work on a
 * device: it builds and warms up variants, chooses the one for a frame, falls
 * back where a driver cannot build one, and copies images for variants that
 * take buffers only. */

#pragma once

#include "oclparam.h"
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

/**
 * OclOperationFlags:
 * @OCL_OPERATION_READS: has an input
 * @OCL_OPERATION_WRITES: has an output. Where it does not read, it changes what
 *    is there.
 */
typedef enum
{
  OCL_OPERATION_READS = 1 << 0,
  OCL_OPERATION_WRITES = 1 << 1,
  OCL_OPERATION_FILTERS = OCL_OPERATION_READS | OCL_OPERATION_WRITES,
} OclOperationFlags;

/**
 * OclOperationClass:
 * @name: in tools, and part of the names of kernels
 * @flags: what it does with frames
 * @params_size: of the struct of its parameters; 0 where it has none
 * @params: the table of them, or NULL
 * @variants: ended by NULL. [0] is the plain one: written as the operation is
 *    defined, it runs on any device and serves all parameters
 * @changed: called when @param of @params has been set, to set others; FALSE
 *    with OCL_ERROR_SETTINGS where that cannot be done; NULL where none depends
 *    on another
 * @is_neutral: whether frames would stay as they are; NULL where they never do
 * @check: whether frames of @format can be computed with @params; FALSE with
 *    OCL_ERROR_NOT_SUPPORTED and a sentence that says what to do; NULL where
 *    all can
 * @get_passes: sets @passes to those that frames of @format take, and returns
 *    how many they are; NULL for all channels, none of them guided
 * @get_reach: how many pixels its largest window has on each side of its
 *    middle; NULL for 0
 * @choose: the variant that @params ask for on that device, or NULL for the
 *    one that suits the device; may itself be NULL
 * @get_warm_up: sets @params to the @n-th parameters, from 0 on, with which
 *    variants have to be run so that no frame waits for a compiler; FALSE where
 *    there are no more. NULL where the defaults do.
 * @result_size: of its result, in bytes; 0 where it has none
 */
typedef struct
{
  const gchar *name;
  OclOperationFlags flags;
  gsize params_size;
  const OclParam *params;
  const OclVariant *const *variants;
  gboolean (*changed) (gpointer params, const OclParam * param,
      GError ** error);
  gboolean (*is_neutral) (gconstpointer params);
  gboolean (*check) (gconstpointer params, const OclFormat * format,
      GError ** error);
  guint (*get_passes) (gconstpointer params, const OclFormat * format,
      OclPass passes[OCL_MAX_PASSES]);
  gint (*get_reach) (gconstpointer params);
  const OclVariant *(*choose) (gconstpointer params, const OclFormat * format,
      const OclPass * pass, const OclDevice * device);
  gboolean (*get_warm_up) (guint n, gpointer params);
  gsize result_size;
} OclOperationClass;

/* All there are, ended by NULL. */
extern const OclOperationClass *const ocl_operations[];

/* Any thread for these. */

/* The operation of that name, or NULL. */
const OclOperationClass *ocl_operation_class_find (const gchar * name);

/* Its variant of that name, or NULL. */
const OclVariant *ocl_operation_class_find_variant (const OclOperationClass *
    klass, const gchar * name);

gboolean ocl_operation_class_is_neutral (const OclOperationClass * klass,
    gconstpointer params);

/* Whether frames of @format can be computed with @params, see
 * OclOperationClass. */
gboolean ocl_operation_class_check (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format, GError ** error);

/* The passes that frames of @format take, and how many they are. */
guint ocl_operation_class_get_passes (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES]);

/* Parameters, all at their defaults; free them with g_free(). NULL where there
 * are none. */
gpointer ocl_operation_class_create_params (const OclOperationClass * klass);

/* Has to be called when @param of @params was set; after a failure @params are
 * not to be used. */
gboolean ocl_operation_class_changed (const OclOperationClass * klass,
    gpointer params, const OclParam * param, GError ** error);

/* Sets @param of @params to what @text says, see ocl_param_parse(), and what
 * depends on it. FALSE, and nothing set, where that cannot be. */
gboolean ocl_operation_class_parse (const OclOperationClass * klass,
    const OclParam * param, const gchar * text, gpointer params);

/* Sets @params to the @n-th that variants are run with before frames are; FALSE
 * where there are no more, see OclOperationClass. */
gboolean ocl_operation_class_get_warm_up (const OclOperationClass * klass,
    guint n, gpointer params);

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

typedef struct _OclOperation OclOperation;

/* One thread at a time for all that follows. */

/* Keeps a reference to @context. Does not touch the device. */
OclOperation *ocl_operation_new (const OclOperationClass * klass,
    OclContext * context);

/* No command may be in flight. Waits for what is being built. */
void ocl_operation_free (OclOperation * operation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclOperation, ocl_operation_free)

const OclOperationClass *ocl_operation_get_class (OclOperation * operation);

OclContext *ocl_operation_get_context (OclOperation * operation);

/* Takes @variant, with @tuning or, where that is NULL, its defaults, for all
 * frames, whatever suits them and the device; there is no fallback then, and
 * its special forms are waited for. Before the first prepare. */
void ocl_operation_force (OclOperation * operation, const OclVariant * variant,
    const OclTuning * tuning);

/* Builds and warms up what frames like @frame (its memory is of no concern)
 * need with @params; nothing where that was done before. Waits for the device.
 * What they would need with other parameters is built at once on a CPU, and on
 * other devices by a thread of the operation's, with commands in the same
 * queue; so are special forms, on other devices only. Where a variant cannot be
 * built or run, another serves, down to the plain one, and g_info() says why.
 * OCL_ERROR_BUILD, OCL_ERROR_FAILED, or OCL_ERROR_NOT_SUPPORTED for a variant
 * that was forced. */
gboolean ocl_operation_prepare (OclOperation * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* Enqueues the operation on frames that were prepared; does not wait, see
 * OclVariant. Parameters must not be neutral. After an error, wait for the
 * queue before the frames are touched. */
gboolean ocl_operation_enqueue (OclOperation * operation, const OclRun * run,
    GError ** error);

/* The variant that the first pass of frames like @frame gets with @params,
 * which were prepared. */
const OclVariant *ocl_operation_get_variant (OclOperation * operation,
    const OclFrame * frame, gconstpointer params);

G_END_DECLS
