/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A variant is one implementation of an operation, as a const table. */

#pragma once

#include "core/ocldatabase.h"
#include "core/oclmemory.h"
#include "core/oclprograms.h"
#include "oclhistory.h"
#include "oclpass.h"
#include "params/oclliteral.h"

G_BEGIN_DECLS

/**
 * OclRun:
 * @params: the operation's parameters
 * @derived: the data derived from @params for the pass, see OclOperationClass.
 *    The operation sets it, like @pass
 * @pass: the pass, which names the channels that are computed
 * @input: the frame to read, or NULL if the operation reads none
 * @output: the frame to write. It has the size, format and storage of @input,
 *    but is never @input itself. NULL if the operation writes none
 * @result: the result that the operation computes or draws, or NULL
 * @serial: the serial number of @input, see OclPicture, or 0 if no earlier
 *    pictures are kept
 * @neighbours: the neighbours of @input that the operation reads: the earlier
 *    pictures, then the later pictures, each from the nearest on. Some are
 *    missing after a start or a discontinuity, and before an end
 * @n_earlier: number of @neighbours before @input
 * @n_later: number of @neighbours after @input
 * @age: number of frames that the operation received after the frame to filter,
 *    if it keeps frames. The operation sets the members above
 * @is_first: whether the result holds no state of previous frames
 * @needed: the results of the operations that this one needs, in the order of
 *    its class. An entry is NULL if @params do not need it
 * @time: the time of the frame in its stream, in seconds
 * @number: number of frames before this one, since the start or the last
 *    discontinuity
 * @fused_values: the 16 arguments of the user's function that runs on the
 *    output, if there is one, see ocl_format_get_fused(). NULL for zeros
 * @timer: the timer that gets the events of all commands
 *
 * One run of an operation on a frame or, for a variant, of one pass of the
 * operation.
 */
typedef struct
{
  gconstpointer params;
  gconstpointer derived;
  const OclPass *pass;
  const OclFrame *input;
  const OclFrame *output;
  OclResult *result;
  guint64 serial;
  const OclPicture *neighbours;
  guint n_earlier;
  guint n_later;
  guint age;
  gboolean is_first;
  OclResult *const *needed;
  gfloat time;
  guint number;
  const gfloat *fused_values;
  OclTimer *timer;
} OclRun;

/* Maximum number of programs of a variant for the same parameters. */
#define OCL_MAX_FORMS 2

/**
 * OclVariantFlags:
 * @OCL_VARIANT_FOR_CPU: CPUs use the variant if no other one is chosen
 * @OCL_VARIANT_FOR_GPU: other devices use the variant if no other one is chosen
 * @OCL_VARIANT_BUFFERS_ONLY: the variant does not support images, which are
 *    copied to buffers and back. For operations that read.
 * @OCL_VARIANT_SLOW_IN_IMAGES: the variant is faster than others only in
 *    buffers. For frames in images, it is used only if it is chosen
 * @OCL_VARIANT_APPROXIMATE: the results differ from the results of other
 *    variants, so the variant is used only if it is chosen
 * @OCL_VARIANT_CHECKS_TEXT: the variant is built on every device, so that a
 *    text that it cannot be built from is known on every device
 */
typedef enum
{
  OCL_VARIANT_FOR_CPU = 1 << 0,
  OCL_VARIANT_FOR_GPU = 1 << 1,
  OCL_VARIANT_BUFFERS_ONLY = 1 << 2,
  OCL_VARIANT_SLOW_IN_IMAGES = 1 << 3,
  OCL_VARIANT_APPROXIMATE = 1 << 4,
  OCL_VARIANT_CHECKS_TEXT = 1 << 5,
} OclVariantFlags;

/**
 * OclBuild:
 * @format: the format of the frames, or NULL if the kernels do not work on
 *    frames
 * @output: the format of the output. NULL if it is @format
 * @text: the user's text of an operation with a text, see
 *    OCL_OPERATION_IS_TEXT, or NULL
 * @fused: the text of a user's function that runs on the output, see
 *    kernels/fuse.clh, or NULL
 * @storage: the storage of the frames
 * @pass: the pass that is computed
 * @form: the form, which selects one of the variant's programs, see OclVariant
 * @tuning: the values of the variant's tunables
 * @is_stored: whether @tuning is from the database of settings
 * @quick: whether the driver compiles without optimization
 *
 * Describes the frames and settings that kernels are built for.
 */
typedef struct
{
  const OclFormat *format;
  const OclFormat *output;
  OclLiteral *text;
  OclLiteral *fused;
  OclStorage storage;
  OclPass pass;
  guint form;
  OclTuning tuning;
  gboolean is_stored;
  gboolean quick;
} OclBuild;

/* See oclkernels.h. */
typedef struct _OclKernels OclKernels;

/**
 * OclVariant:
 * @name: the name in stats and in `glopencl bench`
 * @flags: flags of the variant
 * @tunables: the tunables of the variant, or NULL. If GROUP_WIDTH and
 *    GROUP_HEIGHT are among the tunables, they are the group size of all
 *    kernels, unless a launch sets another one
 * @source: the source file in kernels/, or NULL if the variant uses only
 *    kernels of other variants
 * @kernels: the names of the kernels in the source, ended by NULL
 * @rgb_kernels: the names of further kernels, only in programs for red, green
 *    and blue, or NULL
 * @group_source: a second source file, with kernels that run in few work-groups
 *    and read no samples, or NULL. All builds of the variant share its program
 * @group_kernels: the names of the kernels in @group_source, which follow
 *    @kernels
 * @group_width: width of a work-group in work-items, if no tunables set it. It
 *    is halved until the device can run all kernels. 0 stands for 1
 * @group_height: height of a work-group in work-items, with the rules of
 *    @group_width
 * @state_size: the size in bytes of the state that is kept between frames:
 *    memory, and values that were computed from the parameters. The state
 *    starts as zeros. The output must not depend on the state, because warm-up
 *    frames and both pictures of interlaced frames share it
 * @family: data for functions shared by a family of variants, see each family
 * @can_serve: returns whether the variant supports @params. NULL if it supports
 *    all parameters
 * @get_forms: sets @forms to the forms of the programs for @params, and returns
 *    their number. A form is any number, and is passed to the build. Lists
 *    specializations, fastest first. The last form supports most parameters,
 *    must be ready for the first frame, and is used while the others are built.
 *    NULL if there is one program, of form 0
 * @get_options: returns further compiler options for the source, or NULL if
 *    there are none. May itself be NULL
 * @get_insert: returns the text to insert into the source, which belongs to the
 *    text of the build. NULL if there is none
 * @init: prepares state that needs the kernels, or detects that the device
 *    cannot run them, see ocl_kernels_new(). NULL if there is nothing to
 *    prepare
 * @clear: frees the contents of the state. Commands that use it may be in
 *    flight: the driver keeps buffers and kernels until these commands have
 *    ended, but memory of the host that a transfer uses must be kept. Also
 *    called if @init has failed, or was not called because there are no
 *    kernels. NULL if there is nothing to free
 * @enqueue: enqueues the operation. Does not wait, with one exception: if
 *    coefficients computed from the parameters change, waits until their
 *    previous change has reached the device
 *
 * One implementation of an operation. Each instance is used by one thread at a
 * time.
 */
typedef struct
{
  const gchar *name;
  OclVariantFlags flags;
  const OclTunable *tunables;
  const gchar *source;
  const gchar *const *kernels;
  const gchar *const *rgb_kernels;
  const gchar *group_source;
  const gchar *const *group_kernels;
  guint group_width;
  guint group_height;
  gsize state_size;
  gconstpointer family;
  gboolean (*can_serve) (gconstpointer params, const OclFormat * format,
      const OclPass * pass);
  guint (*get_forms) (gconstpointer params, const OclFormat * format,
      guint forms[OCL_MAX_FORMS]);
  gchar *(*get_options) (const OclBuild * build, const OclDevice * device);
  const OclInsert *(*get_insert) (const OclBuild * build);
  gboolean (*init) (OclKernels * kernels, GError ** error);
  void (*clear) (gpointer state);
  gboolean (*enqueue) (OclKernels * kernels, const OclRun * run,
      GError ** error);
} OclVariant;

/* Expands to a list of names for a table. Use it only in tables outside of
 * functions. */
#define OCL_NAMES(...) ((const gchar *const[]) {__VA_ARGS__, NULL})

/* The functions below may be called from any thread. */

/* Returns whether @variant supports @params. */
gboolean ocl_variant_can_serve (const OclVariant * variant,
    gconstpointer params, const OclFormat * format, const OclPass * pass);

/* Sets @forms to the forms of the programs of @variant for @params, and returns
 * their number, at least one, see OclVariant. */
guint ocl_variant_get_forms (const OclVariant * variant,
    gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS]);

/* Return the width and the height of the frame of @run, in samples of its
 * pass. */
gint ocl_run_get_width (const OclRun * run);
gint ocl_run_get_height (const OclRun * run);

/* Returns the name of @variant for users, for frames in @storage. The caller
 * frees it. */
gchar *ocl_variant_get_label (const OclVariant * variant, OclStorage storage);

G_END_DECLS
