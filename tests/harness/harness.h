/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs operations on pictures of any format and compares the results with the
 * float64 references, for the tests of kernels and for `glopencl check`. Not
 * thread-safe: one thread at a time. */

#pragma once

#include "opencl/graph/oclfilter.h"
#include "picture.h"

G_BEGIN_DECLS

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OclOperationList, ocl_operation_list_clear)

/* The lowest PSNR of approximations against the reference, in dB. It is lower
 * than for photographs, because random parameters and pictures have extremes. A
 * sweep on an H100 found 39.96. */
#define HARNESS_MIN_PSNR 38.0

/* The border colour of the tests, 0xAARRGGBB. */
#define HARNESS_BORDER_COLOR 0xffc81e5a

/**
 * Accuracy:
 * @worst: the largest distance of a sample from the reference, in levels
 * @psnr: the lowest PSNR of an approximation, in dB; 0 before the first one
 *
 * The accuracy of all runs so far. Starts as zeros.
 */
typedef struct
{
  gdouble worst;
  gdouble psnr;
} Accuracy;

/* Runs @operation on @input and waits. @input is NULL if the operation reads
 * none, @output is NULL if it writes none. @result has the size of the result
 * of the operation: an operation that draws reads it, another one overwrites
 * it. It is NULL if there is no result. The operation filters the input as its
 * first frame. Fails with OCL_ERROR_NOT_SUPPORTED if the device cannot run the
 * forced variant, with OCL_ERROR_FAILED also if the input or bytes around the
 * output have changed. */
gboolean harness_run (OclFilter * operation, gconstpointer params,
    Picture * input, Picture * output, guint8 * result, PictureMemory memory,
    GError ** error);

/* Compares @output with the levels of the channels that are filtered, and with
 * @input in all other channels. Exact variants round levels of 8 bits to the
 * nearest level, or to either side near a tie. With more bits they are off by up
 * to 1 level, with 16 bits by up to 2 levels, beside the rounding. Adds to
 * @accuracy, which may be NULL. Returns NULL, or a description of the first
 * error, which the caller frees. */
gchar *harness_compare (const OclOperationClass * klass, gconstpointer params,
    const Picture * input, const Picture * output, gdouble * const levels[3],
    gboolean approximate, Accuracy * accuracy);

/* Compares the output and the result of harness_run() with the reference of the
 * operation. @drawn is the result that was drawn. Each field of an interlaced
 * picture is compared as a picture. Returns NULL, or a description of the first
 * error, which the caller frees. */
gchar *harness_check (const OclOperationClass * klass, gconstpointer params,
    const Picture * input, const Picture * output, const guint8 * result,
    gboolean approximate, Accuracy * accuracy);

/* Makes g_error() end the program also where a library handles SIGTRAP. */
void harness_end_on_errors (void);

/* Creates a context on the first device. Ends the program after a failure. */
OclContext *open_context (void);

/* Returns whether the tests leave @storage out, because
 * GLOPENCL_TEST_STORAGE=buffer is set for a tool that runs kernels on buffers
 * only. */
gboolean is_left_out (OclStorage storage);

/* Creates a filter with one operation. Forces @variant with @tuning, or with the default tuning
 * if @tuning is NULL, unless @variant is NULL. */
OclFilter *create_forced (OclContext * context,
    const OclOperationClass * klass, const OclVariant * variant,
    const OclTuning * tuning);

/* Returns whether @variant is for the type of @device: it is for both types, for
 * neither, or for that of the device. */
gboolean variant_suits (const OclVariant * variant, const OclDevice * device);

/* Returns whether the device can run @variant with the default parameters.
 * Leaves out variants for CPUs on other devices, where some drivers take 20 s
 * to build one, unless is_exhaustive (). */
gboolean can_run (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant);

/* Returns whether @variant can compute all passes over frames of @format, of
 * which there must be one. */
gboolean can_run_all_passes (const OclOperationClass * klass,
    const OclVariant * variant, gconstpointer params,
    const OclFormat * format);

/* Returns the variant that the operation chooses for the first pass of frames
 * like @frame. Returns NULL and sets @error on failure. */
const OclVariant *find_variant (OclFilter * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* Returns whether the device can run the forced @variant on frames like @frame,
 * which may take more local memory than it has. Every device must run the plain
 * variant. */
gboolean has_room (OclFilter * operation, const OclVariant * variant,
    const OclFrame * frame, gconstpointer params);

/* Return a graph of @operation, and enqueue it with the parameters of @run, see
 * oclfilter.h. */
OclGraph *get_graph (OclFilter * operation, const OclFrameInfo * info,
    gconstpointer params, GError ** error);
gboolean enqueue_graph (OclFilter * operation, OclGraph * graph,
    const OclRun * run, GError ** error);

/* Returns pass @n of the operations of @graph. */
const OclNode *get_pass (const OclGraph * graph, guint n);

/* Returns how many operations @graph runs by nodes of their own. */
guint count_active (const OclGraph * graph);

/* Gets the graph for the frames of @run and enqueues it. Does not wait. */
gboolean run_operation (OclFilter * operation, const OclRun * run,
    GError ** error);

/* Returns all parameters that differ from their defaults, each after a space.
 * The caller frees the text. */
gchar *describe_params (const OclOperationClass * klass,
    gconstpointer params);

/* Parameters of any type as numbers, for tests that know no parameter by
 * name. */

/* Returns whether @param is a number. Matrices, lists of numbers and files are
 * no numbers. */
gboolean is_number (const OclParam * param);

/* Returns the value of @param in @params. In this and the next function @param
 * must be a number. Values of UINT64 above 2^53 are rounded. */
gdouble get_number (const OclParam * param, gconstpointer params);

/* Sets @param in @params to @number, which must be in the range of the
 * parameter's type. */
void set_number (const OclParam * param, gpointer params, gdouble number);

/* Returns an array of doubles to try the parameter with: its limits, or all its
 * values. For flags, also the sum of the values. The array is empty if @param
 * is not a number. */
GArray *get_numbers (const OclParam * param);

/* The following functions end the program after a failure. */

/* Asserts that a call succeeded: @ok is its return value, @error its error. */
void assert_ok (gboolean ok, GError * error);

/* Asserts that @call, which takes &error of the macro, returns TRUE. */
#define ASSERT_OK(call) \
  G_STMT_START { \
    GError *error = NULL; \
    const gboolean ok_ = (call); \
\
    assert_ok (ok_, error); \
  } G_STMT_END

/* Runs @operation, which may have earlier frames, on @input. */
void picture_run (OclFilter * operation, gconstpointer params,
    Picture * input, Picture * output, OclStorage storage);

/* Returns the output of picture_run(). */
Picture picture_filter (OclFilter * operation, gconstpointer params,
    Picture * input, OclStorage storage);

/* Gives the frame @input, unless it is NULL, to an operation that keeps frames,
 * and sets @output, unless it is NULL, to the result for the frame that it got
 * @age frames before the last one, see enqueue_graph(). */
void picture_run_kept (OclFilter * operation, gconstpointer params,
    Picture * input, Picture * output, guint age, OclStorage storage);

/* Asserts that @operation, which runs on @input as on its first frame, gives the
 * output of the reference and leaves the bytes around it. */
void check_picture (OclFilter * operation, gconstpointer params,
    Picture * input, OclStorage storage, gboolean approximate);

/* Asserts the same for a scene of the given size, exactly. */
void check_scene (OclFilter * operation, gconstpointer params,
    const OclFormat * format, OclStorage storage, gint width, gint height);

G_END_DECLS
