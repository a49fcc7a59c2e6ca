/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs operations one at a time and measures how long each takes: on a device,
 * or, in plain C, on the host. One thread at a time. */

#pragma once

#include "runnervariant.h"

G_BEGIN_DECLS

/**
 * RunnerCase:
 * @variant: what is run
 * @tuning: of a variant that is forced
 * @params: the operation's; not owned
 * @storage: of the frames; of no effect in plain C
 * @format: of the frames
 * @width: in pixels
 * @height: in pixels
 * @n_octaves: where it is above 0, the operation is run on the images of a
 *    pyramid, see octaves.h, and @format is of no effect
 * @n_images: of an octave
 *
 * What is timed.
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
 * @kernel: what the kernels took, in milliseconds; in plain C, all
 * @transfer: what copies on the device and to the host took; results are read
 *    back, frames are not
 * @wall: from the first call to the end of the last command
 */
typedef struct
{
  gdouble kernel;
  gdouble transfer;
  gdouble wall;
} RunnerTimes;

typedef struct _Runner Runner;

/* Keeps a reference to @context. The frames are drawn, or, where @pixels is not
 * NULL, are as many rows of it as needed, which is RGBA and has the width and
 * height of every case to come; the runner owns it then. Other formats are made
 * of RGBA. */
Runner *runner_new (OclContext * context, guint8 * pixels);
void runner_free (Runner * runner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Runner, runner_free)

/* How many pixels in a row the operation reads for one. */
gint runner_case_get_diameter (const RunnerCase * item);

/* Runs @item once. What it needs is built and brought to the device before,
 * where that was not done yet. OCL_ERROR_NOT_SUPPORTED or OCL_ERROR_BUILD where
 * the device, or the variant, cannot do it, or OCL_ERROR_FAILED. */
gboolean runner_run (Runner * runner, const RunnerCase * item,
    RunnerTimes * times, GError ** error);

/* Runs @item once, so that the next run is a warm one. Before that some rows of
 * it are run, and where they show that all would take more than @max_seconds it
 * ends with OCL_ERROR_NOT_SUPPORTED. */
gboolean runner_warm_up (Runner * runner, const RunnerCase * item,
    gdouble max_seconds, GError ** error);

G_END_DECLS
