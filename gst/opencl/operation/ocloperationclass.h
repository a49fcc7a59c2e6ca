/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An OclOperationClass describes a computation.
 *
 * An operation is one const table of its parameters and of its variants, the
 * implementations of the operation, which are const tables, too.
 * ocloperations.h lists all operations.
 *
 * All functions may be called from any thread. */

#pragma once

#include "core/ocldatabase.h"
#include "core/oclframe.h"
#include "core/oclmemory.h"
#include "core/oclprograms.h"
#include "oclhistory.h"
#include "params/oclparam.h"

G_BEGIN_DECLS

#define OCL_MAX_PASSES 2
#define OCL_MAX_PASS_CHANNELS 3

/**
 * OclPlanes:
 * @OCL_PLANES_LUMA: luma, which is also the channel of grey frames
 * @OCL_PLANES_CHROMA: both chroma channels, Cb and Cr
 *
 * Channels of Y'CbCr that an operation changes. RGB has only one choice: all
 * channels.
 */
typedef enum
{
  OCL_PLANES_LUMA = 1 << 0,
  OCL_PLANES_CHROMA = 1 << 1,
  OCL_PLANES_ALL = OCL_PLANES_LUMA | OCL_PLANES_CHROMA,
} OclPlanes;

/* Expands to the entry of a parameter table for the member @member, an
 * OclPlanes, of the struct @type. */
#define OCL_PLANES_PARAM(type, member, planes) \
  {"planes", \
      "Planes of Y'CbCr frames to filter. RGB is always filtered", \
      OCL_PARAM_FLAGS, G_STRUCT_OFFSET (type, member), \
      .values = &ocl_planes_values, .default_value = planes, .fixed = TRUE, \
      .decides = TRUE}

extern const OclValues ocl_planes_values;

/**
 * OclPass:
 * @first_channel: the first channel that is read and written
 * @n_channels: number of channels that are read and written, from
 *    @first_channel on
 * @guided: whether luma is also read, as a guide: the mean luma of the pixels
 *    that a sample stands for. Luma is then not among the channels that are
 *    written
 * @x_shift: log2 of the number of pixels across that a sample stands for
 * @y_shift: log2 of the number of pixels down that a sample stands for
 *
 * The part of a frame that an operation computes at a time: some of the
 * channels, on their grid of samples. Packed RGB takes one pass. Y'CbCr takes
 * one pass for luma and one for chroma, the differences Cb and Cr. An operation
 * that only reads may take all three channels of Y'CbCr in one pass with the
 * shifts of luma, see kernels/channels.clh. Kernels are built for a pass.
 */
typedef struct
{
  guint first_channel;
  guint n_channels;
  gboolean guided;
  guint x_shift;
  guint y_shift;
} OclPass;

gboolean ocl_pass_equals (const OclPass * a, const OclPass * b);

/* Sets @passes to the passes that change the planes @which of @format, and
 * returns their number. The pass for chroma is guided if @guided is TRUE. */
guint ocl_passes_init (OclPass passes[OCL_MAX_PASSES],
    const OclFormat * format, OclPlanes which, gboolean guided);

/* Returns a pass for channel @n of @pass alone, without a guide. */
OclPass ocl_pass_get_channel (const OclPass * pass, guint n);

/* Returns whether each channel of @pass has a separate plane. */
gboolean ocl_pass_is_planar (const OclPass * pass, const OclFormat * format);

/* Return the width and the height of a frame in samples of @pass. */
gint ocl_pass_get_width (const OclPass * pass, const OclFrameInfo * info);
gint ocl_pass_get_height (const OclPass * pass, const OclFrameInfo * info);

/* Converts the colour @argb, as 0xAARRGGBB, to the levels of the channels of
 * @pass. Unused components of the result are 0. */
cl_float4 ocl_pass_get_color (const OclPass * pass, const OclFrameInfo * info,
    guint argb);

/* Returns whether @pass reads or writes the plane @plane of @format. */
gboolean ocl_pass_has_plane (const OclPass * pass, const OclFormat * format,
    guint plane);

/* Returns compiler options with the macros that describe the pass to kernels
 * that read @format and write @output, see kernels/format.clh. Both have the
 * same layout. The caller frees the string. */
gchar *ocl_pass_get_options (const OclPass * pass, const OclFormat * format,
    const OclFormat * output);

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
#define OCL_MAX_SPECIALIZATIONS 2

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
 * @OCL_VARIANT_BY_PLANE: if ocl_kernels_is_by_plane(), kernels in the source
 *    process one plane at a time. All planes share a program, in which X_SHIFT
 *    and Y_SHIFT are 0
 */
typedef enum
{
  OCL_VARIANT_FOR_CPU = 1 << 0,
  OCL_VARIANT_FOR_GPU = 1 << 1,
  OCL_VARIANT_BUFFERS_ONLY = 1 << 2,
  OCL_VARIANT_SLOW_IN_IMAGES = 1 << 3,
  OCL_VARIANT_APPROXIMATE = 1 << 4,
  OCL_VARIANT_CHECKS_TEXT = 1 << 5,
  OCL_VARIANT_BY_PLANE = 1 << 6,
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
 * @specialization: selects one of the variant's programs, see OclVariant
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
  guint specialization;
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
 * @tunables: the tunables of @shared_source if there is one, otherwise of
 *    @source, or NULL. If GROUP_WIDTH and GROUP_HEIGHT are among the tunables,
 *    they are the group size of all kernels, unless a launch sets another one
 * @source: the source file in kernels/, or NULL if the variant uses only
 *    kernels of other variants
 * @kernels: the names of the kernels in the source, ended by NULL
 * @rgb_kernels: the names of further kernels, only in programs for red, green
 *    and blue, or NULL. Variants with @shared_source have none
 * @shared_source: a second source file, with kernels that do not depend on the
 *    format of frames, or NULL. Builds of all formats and channels share its
 *    program if they have the same options
 * @shared_kernels: the names of the kernels in @shared_source, which follow
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
 * @supports: returns whether the variant supports @params. NULL if it supports
 *    all parameters
 * @get_specializations: sets @specializations to the specializations for
 *    @params, and returns their number. A specialization is any number, and is
 *    passed to the build. Lists specializations, fastest first. The last
 *    specialization supports most parameters, must be ready for the first
 *    frame, and is used while the others are built. NULL if there is one
 *    program, of specialization 0
 * @get_options: returns further compiler options for the source, or NULL if
 *    there are none. May itself be NULL
 * @get_shared_options: returns the options of @shared_source besides the
 *    tuning (transfer full)
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
  const gchar *shared_source;
  const gchar *const *shared_kernels;
  guint group_width;
  guint group_height;
  gsize state_size;
  gconstpointer family;
  gboolean (*supports) (gconstpointer params, const OclFormat * format,
      const OclPass * pass);
  guint (*get_specializations) (gconstpointer params, const OclFormat * format,
      guint specializations[OCL_MAX_SPECIALIZATIONS]);
  gchar *(*get_options) (const OclBuild * build, const OclDevice * device);
  gchar *(*get_shared_options) (const OclBuild * build,
      const OclDevice * device);
  const OclInsert *(*get_insert) (const OclBuild * build);
  gboolean (*init) (OclKernels * kernels, GError ** error);
  void (*clear) (gpointer state);
  gboolean (*enqueue) (OclKernels * kernels, const OclRun * run,
      GError ** error);
} OclVariant;

/* Expands to a list of names for a table. Use it only in tables outside of
 * functions. */
#define OCL_NAMES(...) ((const gchar *const[]) {__VA_ARGS__, NULL})

/* Returns whether @variant supports @params. */
gboolean ocl_variant_supports (const OclVariant * variant,
    gconstpointer params, const OclFormat * format, const OclPass * pass);

/* Sets @specializations to the specializations of @variant for @params, and
 * returns their number, at least one, see OclVariant. */
guint ocl_variant_get_specializations (const OclVariant * variant,
    gconstpointer params, const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS]);

/* Return the width and the height of the frame of @run, in samples of its
 * pass. */
gint ocl_run_get_width (const OclRun * run);
gint ocl_run_get_height (const OclRun * run);

/* Returns the name of @variant for users, for frames in @storage. The caller
 * frees it. */
gchar *ocl_variant_get_label (const OclVariant * variant, OclStorage storage);

/**
 * OclOperationFlags:
 * @OCL_OPERATION_READS: the operation has an input
 * @OCL_OPERATION_WRITES: the operation has an output. An operation without an
 *    input changes the output in place
 * @OCL_OPERATION_IS_TEXT: programs contain a user's text, a parameter of the
 *    type TEXT. A program is compared with the plain variant before use, and is
 *    dropped when other texts are in use
 * @OCL_OPERATION_FUSES: the kernels that write frames can run a user's function
 *    on their output, see kernels/fuse.clh
 */
typedef enum
{
  OCL_OPERATION_READS = 1 << 0,
  OCL_OPERATION_WRITES = 1 << 1,
  OCL_OPERATION_IS_TEXT = 1 << 2,
  OCL_OPERATION_FUSES = 1 << 3,
  OCL_OPERATION_FILTERS = OCL_OPERATION_READS | OCL_OPERATION_WRITES,
} OclOperationFlags;

typedef struct _OclOperationClass OclOperationClass;

/* Maximum number of needed results of an operation. */
#define OCL_MAX_NEEDS 3

/**
 * OclNeed:
 * @klass: an operation that reads frames and has a result
 * @is_needed: returns whether the operation with @params needs the result
 * @set_params: sets @needed, the parameters of @klass, for @params
 *
 * A result on which an operation depends. The result is computed for each
 * picture before the operation, from its input, and stays on the device.
 */
typedef struct
{
  const OclOperationClass *klass;
  gboolean (*is_needed) (gconstpointer params);
  void (*set_params) (gpointer needed, gconstpointer params);
} OclNeed;

/* Maximum number of fields of a report. */
#define OCL_MAX_REPORT_FIELDS 8

/* Maximum number of unread messages with a report. */
#define OCL_MAX_REPORT_MESSAGES 1000

/**
 * OclReportField:
 * @name: the name of the field, a constant
 * @text: its value, a constant, or NULL for a number
 * @number: its value, if it is a number
 */
typedef struct
{
  const gchar *name;
  const gchar *text;
  gdouble number;
} OclReportField;

/**
 * OclReportSettings:
 * @messages: whether a message is posted for each frame
 */
typedef struct
{
  gboolean messages;
} OclReportSettings;

/**
 * OclReport:
 * @name: the name in statistics, and the second part of a message's name
 * @remedy: how to stop the messages, for users
 * @params: the table of OclReportSettings
 * @results: the needed results that are reported, and the size of the part that
 *    is read, ended by an entry without a class
 * @describe: sets @fields for a frame of @format and returns their number, or 0
 *    if there is nothing to report. A missing result is NULL. The first one is
 *    never missing
 *
 * Selects results of an operation that applications receive for each frame.
 */
typedef struct
{
  const gchar *name;
  const gchar *remedy;
  const OclParam *params;
  struct
  {
    const OclOperationClass *klass;
    gsize size;
  } results[OCL_MAX_NEEDS + 1];
  guint (*describe) (gconstpointer const results[OCL_MAX_NEEDS],
      const OclFormat * format, OclReportField fields[OCL_MAX_REPORT_FIELDS]);
} OclReport;

/**
 * OclOperationClass:
 * @name: the name in tools, also part of the names of kernels
 * @flags: flags of the operation
 * @params_size: the size of the struct of parameters, or 0 if there are no
 *    parameters
 * @params: the table of the parameters, or NULL. The parameters that decide
 *    something are marked: the passes, the variants, their specializations, the
 *    number of neighbours, the support of wide frames, the fused text and the
 *    data of @derive depend on no other parameters. If no parameter is marked,
 *    they may depend on all
 * @variants: the variants, ended by NULL. [0] is the plain variant, which
 *    follows the definition of the operation, runs on any device, and supports
 *    all parameters
 * @changed: sets other parameters after @param of @params has been set. Returns
 *    FALSE with OCL_ERROR_SETTINGS if this is impossible. NULL if no parameter
 *    depends on another one
 * @is_neutral: returns whether frames would stay unchanged. NULL if they never
 *    do
 * @check: returns whether frames of @format can be computed with @params, or
 *    FALSE with OCL_ERROR_NEEDS_RGB. NULL if all frames can be computed
 * @takes_wide: returns whether wide frames can be read and written with
 *    @params, see ocl_format_get_wide(). NULL if they always can
 * @get_fused_values: if the operation with a text can run inside the kernels of
 *    the previous operation, returns the 16 arguments of the function, which
 *    belong to @params, and sets @reads_luma to whether it reads the luma of a
 *    sample of chroma. The text then reads one pixel only and does not change
 *    alpha. Otherwise returns NULL. NULL if the operation never can
 * @get_passes: sets @passes to the passes that frames of @format take, and
 *    returns their number. NULL selects the channels of the planes that a
 *    parameter (OCL_PLANES_PARAM) names, or all channels without such a
 *    parameter, in passes without a guide
 * @get_reach: returns the radius of the largest window in pixels. It depends on
 *    marked parameters, because settings are looked up by it. NULL stands for 0
 * @choose: returns the variant that @params request on @device, or NULL for the
 *    default variant of the device. May itself be NULL
 * @get_warm_up: sets @params to the @n-th set of warm-up parameters, counted
 *    from 0. Variants must be run with these sets so that no frame waits for
 *    the compiler. Returns FALSE if there are no more sets. NULL if programs
 *    need to be run with the default parameters only, and no programs for other
 *    parameters than those of the frames are built in advance
 * @result_size: size of the operation's result in bytes, or 0 if it has no
 *    result
 * @get_result_size: returns the size of the result for frames like @info, if it
 *    depends on the frames. NULL stands for @result_size
 * @get_neighbours: returns the numbers of earlier and later frames that the
 *    operation reads, at most OCL_MAX_HISTORY and OCL_MAX_LOOKAHEAD. The
 *    operation keeps copies, and its variants get buffers. NULL stands for
 *    none. An operation without neighbours and needs keeps no frames, and its
 *    variants get no serial number
 * @get_lead: returns the number of earlier frames that the result for a frame
 *    depends on, directly and through needed results. NULL stands for the
 *    earlier frames of @get_neighbours
 * @needs: the results that the operation needs, ended by an entry without a
 *    class. Each one can use the previous results. NULL if there are none
 * @report: the report about each frame, or NULL
 * @derived_size: size in bytes of the data that @derive sets, or 0 if there is
 *    none
 * @derive: sets @derived to data computed from @params for @pass that would
 *    take too long to compute for each frame
 */
struct _OclOperationClass
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
  gboolean (*takes_wide) (gconstpointer params);
  const gfloat *(*get_fused_values) (gconstpointer params,
      gboolean * reads_luma);
  guint (*get_passes) (gconstpointer params, const OclFormat * format,
      OclPass passes[OCL_MAX_PASSES]);
  gint (*get_reach) (gconstpointer params);
  const OclVariant *(*choose) (gconstpointer params, const OclFormat * format,
      const OclPass * pass, const OclDevice * device);
  gboolean (*get_warm_up) (guint n, gpointer params);
  gsize result_size;
  gsize (*get_result_size) (const OclFrameInfo * info);
  OclNeighbours (*get_neighbours) (gconstpointer params);
  guint (*get_lead) (gconstpointer params);
  const OclNeed *needs;
  const OclReport *report;
  gsize derived_size;
  void (*derive) (gpointer derived, gconstpointer params,
      const OclPass * pass);
};

/* Returns the variant of @klass with the name @name, or NULL. */
const OclVariant *ocl_operation_class_find_variant (const OclOperationClass *
    klass, const gchar * name);

/* Returns whether the operation reads and writes frames. */
gboolean ocl_operation_class_filters (const OclOperationClass * klass);

gboolean ocl_operation_class_is_neutral (const OclOperationClass * klass,
    gconstpointer params);

/* Returns whether frames of @format can be computed with @params, see
 * OclOperationClass. */
gboolean ocl_operation_class_check (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format, GError ** error);

/* Returns whether wide frames can be computed, see OclOperationClass. */
gboolean ocl_operation_class_takes_wide (const OclOperationClass * klass,
    gconstpointer params);

/* Sets @passes to the passes that frames of @format take, and returns their
 * number. */
guint ocl_operation_class_get_passes (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES]);

/* Returns parameters with their default values, or a copy of @params, which may
 * be NULL. Returns NULL if there are no parameters. Free them with
 * ocl_params_free(). */
OclParams *ocl_operation_class_create_params (const OclOperationClass * klass);
OclParams *ocl_operation_class_copy_params (const OclOperationClass * klass,
    gconstpointer params);

/* Memory for the parameters of a needed result, which have no literals. */
typedef struct
{
  guint64 memory[8];
} OclNeedParams;

/* Sets @needed to the parameters of the needed result for an operation with
 * @params. */
void ocl_need_init_params (const OclNeed * need, gconstpointer params,
    OclNeedParams * needed);

/* Returns the text of an operation with a text, which belongs to @params. NULL
 * stands for an empty text, and for other operations. */
OclLiteral *ocl_operation_class_get_text (const OclOperationClass * klass,
    gconstpointer params);

/* Must be called after @param of @params was set. After a failure @params must
 * not be used. */
gboolean ocl_operation_class_changed (const OclOperationClass * klass,
    gpointer params, const OclParam * param, GError ** error);

/* Sets @param of @params to the value in @text, see ocl_param_parse(), and sets
 * the parameters that depend on @param. Returns FALSE and sets nothing if this
 * is impossible. */
gboolean ocl_operation_class_parse (const OclOperationClass * klass,
    const OclParam * param, const gchar * text, gpointer params);

/* Sets @params to the @n-th set of warm-up parameters. Returns FALSE if there
 * are no more sets, see OclOperationClass. */
gboolean ocl_operation_class_get_warm_up (const OclOperationClass * klass,
    guint n, gpointer params);

/* Returns the key of settings of @variant in the database, for one of its
 * specializations and a pass over frames like @info. The key owns nothing. */
OclDatabaseKey ocl_operation_class_get_database_key (const OclOperationClass *
    klass, const OclVariant * variant, guint specialization,
    const OclFrameInfo * info, const OclPass * pass, gconstpointer params);

/* Returns whether the parameters that decide something are equal in @a and @b,
 * or all parameters if none is marked. */
gboolean ocl_operation_class_decide_alike (const OclOperationClass * klass,
    gconstpointer a, gconstpointer b);

/* Returns the numbers of earlier and later frames that the operation reads. */
OclNeighbours ocl_operation_class_get_neighbours (const OclOperationClass *
    klass, gconstpointer params);

/* Returns the number of earlier frames that the result for a frame depends
 * on. */
guint ocl_operation_class_get_lead (const OclOperationClass * klass,
    gconstpointer params);

/* Returns whether the operation keeps copies of frames, see
 * OclOperationClass. */
gboolean ocl_operation_class_keeps_frames (const OclOperationClass * klass,
    gconstpointer params);

/* Returns the size in bytes of the result for frames like @info. */
gsize ocl_operation_class_get_result_size (const OclOperationClass * klass,
    const OclFrameInfo * info);

/* Returns the data derived from @params for @pass, or NULL if there is none.
 * Free it with g_free(). */
gpointer ocl_operation_class_derive (const OclOperationClass * klass,
    gconstpointer params, const OclPass * pass);

G_END_DECLS
