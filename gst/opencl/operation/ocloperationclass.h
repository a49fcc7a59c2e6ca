/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An OclOperationClass describes a computation.
 *
 * An operation is one const table of its parameters and of its variants, the
 * implementations of the operation. ocloperations.h lists all operations. */

#pragma once

#include "oclvariant.h"
#include "params/oclparam.h"

G_BEGIN_DECLS

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
 *    something are marked: the passes, the variants, their forms, the number of
 *    neighbours, the support of wide frames, the fused text and the data of
 *    @derive depend on no other parameters. If no parameter is marked, they may
 *    depend on all
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
 *    the compiler. Returns FALSE if there are no more sets. NULL if the default
 *    parameters are enough
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

/* The functions below may be called from any thread. */

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

/* Returns the parameters of the needed result for an operation with @params.
 * Free them with ocl_params_free(). */
OclParams *ocl_need_create_params (const OclNeed * need, gconstpointer params);

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

/* Returns the key of settings of @variant in the database: for its form @form
 * and a pass over frames like @info. The key owns nothing. */
OclDatabaseKey ocl_operation_class_get_database_key (const OclOperationClass *
    klass, const OclVariant * variant, guint form, const OclFrameInfo * info,
    const OclPass * pass, gconstpointer params);

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
