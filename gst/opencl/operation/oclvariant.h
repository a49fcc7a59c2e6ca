/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One way to compute an operation, as a const table. */

#pragma once

#include "core/oclresult.h"
#include "core/ocltuning.h"
#include "oclpass.h"

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
 * OclBuild:
 * @format: of the frames; NULL where kernels work on none
 * @storage: of the frames
 * @pass: what is done to them at a time
 * @form: which of the variant's programs, see OclVariant
 * @tuning: values of the variant's tunables
 *
 * What kernels are built for.
 */
typedef struct
{
  const OclFormat *format;
  OclStorage storage;
  OclPass pass;
  guint form;
  OclTuning tuning;
} OclBuild;

/* See oclkernels.h. */
typedef struct _OclKernels OclKernels;

/**
 * OclVariant:
 * @name: in stats, in `glopencl bench`
 * @flags: what it is for
 * @tunables: what may vary about it, or NULL. GROUP_WIDTH and GROUP_HEIGHT
 *    among them are the groups of all kernels, but where a launch says others
 * @source: of kernels/; NULL where others' kernels do all
 * @kernels: their names in the source, ended by NULL
 * @rgb_kernels: more of them, which only programs for red, green and blue have;
 *    or NULL
 * @group_width: work-items of a group, where no tunables say it: halved until
 *    the device can run all kernels; 0 for 1
 * @group_height: the same, down
 * @state_size: bytes of what is kept between frames, which starts as zeros:
 *    memory, and what was worked out for the parameters. What comes out must
 *    not depend on it: frames that variants are warmed up with, and both
 *    pictures of interlaced ones, have the same state
 * @family: what the functions of a family are told by the table, see there
 * @can_serve: whether it can compute what @params ask for; NULL where it always
 *    can
 * @get_forms: sets @forms to those of its programs that serve @params, and
 *    returns how many they are: any numbers, which the build gets. The last one
 *    serves most parameters and is there for the first frame; those before it
 *    are faster, the fastest first, and built while it serves. NULL where there
 *    is one program, of form 0
 * @get_options: what else the source is compiled with; NULL where there is
 *    nothing, and may return NULL
 * @init: prepares what needs the kernels, or what makes the device one that
 *    cannot run them, see ocl_kernels_new(); NULL where there is nothing
 * @clear: frees what is in the state, also where @init has failed, or was not
 *    called since there are no kernels; NULL where there is nothing
 * @enqueue: enqueues the operation; does not wait, but where coefficients that
 *    the parameters make change, for their last change to have reached the
 *    device
 *
 * One way to compute an operation. One thread at a time for each object.
 */
typedef struct
{
  const gchar *name;
  OclVariantFlags flags;
  const OclTunable *tunables;
  const gchar *source;
  const gchar *const *kernels;
  const gchar *const *rgb_kernels;
  guint group_width;
  guint group_height;
  gsize state_size;
  gconstpointer family;
  gboolean (*can_serve) (gconstpointer params, const OclFormat * format,
      const OclPass * pass);
  guint (*get_forms) (gconstpointer params, const OclFormat * format,
      guint forms[OCL_MAX_FORMS]);
  gchar *(*get_options) (const OclBuild * build, const OclDevice * device);
  gboolean (*init) (OclKernels * kernels, GError ** error);
  void (*clear) (gpointer state);
  gboolean (*enqueue) (OclKernels * kernels, const OclRun * run,
      GError ** error);
} OclVariant;

/* A list of names as a table has it; for tables outside of functions. */
#define OCL_NAMES(...) ((const gchar *const[]) {__VA_ARGS__, NULL})

/* Any thread for these. */

/* Whether @variant can compute what @params ask for. */
gboolean ocl_variant_can_serve (const OclVariant * variant,
    gconstpointer params, const OclFormat * format, const OclPass * pass);

/* Sets @forms to those of its programs that serve @params, and returns how many
 * they are, at least one, see OclVariant. */
guint ocl_variant_get_forms (const OclVariant * variant,
    gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS]);

/* Samples of the pass of @run across and down. */
gint ocl_run_get_width (const OclRun * run);
gint ocl_run_get_height (const OclRun * run);

/* What users call @variant for frames in that storage; free it. */
gchar *ocl_variant_get_label (const OclVariant * variant, OclStorage storage);

G_END_DECLS
