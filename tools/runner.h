/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs operations one at a time, on a device or, in plain C, on the host, and
 * measures how long each takes. Not thread-safe: one thread at a time. */

#pragma once

#include "plainc.h"

G_BEGIN_DECLS

/**
 * RunnerVariant:
 * @klass: the operation
 * @name: the name on the command line, unique within an operation
 * @variant: the variant to force, or NULL for the variant that the element
 *    would choose and for plain C
 * @plain_c: the plain C to run, or NULL to run on a device
 * @threads: whether plain C uses OpenMP
 *
 * A way to run an operation. The struct may be copied.
 */
typedef struct
{
  const OclOperationClass *klass;
  const gchar *name;
  const OclVariant *variant;
  const PlainC *plain_c;
  gboolean threads;
} RunnerVariant;

/* The @name of the variant that the element would choose. */
#define RUNNER_VARIANT_AUTO "auto"

/* Returns the variants of @klass or, if @klass is NULL, of all operations in an
 * array of RunnerVariant. */
GArray *runner_variant_list (const OclOperationClass * klass);

/* Sets @variant to the variant of @klass that is named @text. Returns FALSE
 * after a complaint about @option. */
gboolean runner_variant_parse (const OclOperationClass * klass,
    const gchar * option, const gchar * text, RunnerVariant * variant);

/**
 * RunnerCase:
 * @variant: the way to run the operation
 * @tuning: the tuning of a forced variant
 * @params: the parameters of the operation, not owned
 * @storage: the storage of the frames, ignored in plain C
 * @format: the format of the frames
 * @width: in pixels
 * @height: in pixels
 * @n_octaves: if above 0, the operation runs on the images of a pyramid with
 *    this many levels, with one launch per image, to compare storages: the
 *    images are grey, have float samples and noise, and each level has half
 *    the size of the previous one. @format is ignored
 * @n_images: number of images per level
 *
 * A case to time.
 */
typedef struct
{
  RunnerVariant variant;
  OclTuning tuning;
  gconstpointer params;
  OclStorage storage;
  const OclFormat *format;
  gint width;
  gint height;
  guint n_octaves;
  guint n_images;
} RunnerCase;

/**
 * RunnerTimes:
 * @kernel: time of the kernels, in milliseconds. In plain C, the whole time
 * @transfer: time of the copies on the device and to the host. Results are
 *    read back, frames are not
 * @wall: time from the first call to the end of the last command, see
 *    runner_keep_busy()
 */
typedef struct
{
  gdouble kernel;
  gdouble transfer;
  gdouble wall;
} RunnerTimes;

typedef struct _Runner Runner;

/* Creates a runner, which keeps a reference to @context. If @pixels is NULL,
 * the runner draws its frames. Otherwise @pixels is an RGBA image with the
 * width and height of all cases, frames consist of as many of its rows as
 * needed, and the runner takes ownership of @pixels. Frames of other formats
 * are converted from RGBA. */
Runner *runner_new (OclContext * context, guint8 * pixels);
void runner_free (Runner * runner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Runner, runner_free)

/* From now on, runs each case twice on a GPU without waiting in between, and
 * measures the second run, so that the GPU is not idle when it starts. The wall
 * time then contains the rest of the first run. */
void runner_keep_busy (Runner * runner);

/* Returns the number of pixels of a row that the operation reads to compute one
 * pixel. */
gint runner_case_get_diameter (const RunnerCase * item);

/* Runs @item once. Builds its kernels and uploads its frames before, unless an
 * earlier run has done so. Fails with OCL_ERROR_NOT_SUPPORTED or
 * OCL_ERROR_BUILD if the device or the variant cannot run @item, or with
 * OCL_ERROR_FAILED. */
gboolean runner_run (Runner * runner, const RunnerCase * item,
    RunnerTimes * times, GError ** error);

/* Runs @item once to warm up. First runs some rows of @item to estimate the
 * time of a frame, and fails with OCL_ERROR_NOT_SUPPORTED if a frame would take
 * more than @max_seconds. */
gboolean runner_warm_up (Runner * runner, const RunnerCase * item,
    gdouble max_seconds, GError ** error);

/* Returns the bytes of @plane of the output frame of @item, which must be the
 * last case that was run. The caller frees them. */
guint8 *runner_read (Runner * runner, const RunnerCase * item, guint plane,
    gsize * size, GError ** error);

/* Frees the kernels of @item, which may be run again. */
void runner_forget (Runner * runner, const RunnerCase * item);

G_END_DECLS
