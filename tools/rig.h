/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs operations one at a time and tells how long each took: on a device, or,
 * for the yardsticks, on the host. One thread at a time. */

#pragma once

#include "opencl/oclbilateral.h"

G_BEGIN_DECLS

typedef enum
{
  RIG_BILATERAL,
  RIG_HISTOGRAM,
} RigOperation;

/**
 * RigVariant:
 * @operation: what it does
 * @name: what it is called on the command line, once an operation
 * @on_host: whether it is a yardstick
 * @id: an OclBilateralVariant, OclHistogramVariant or YardstickThreads
 * @method: of the bilateral filter
 */
typedef struct
{
  RigOperation operation;
  const gchar *name;
  gboolean on_host;
  gint id;
  OclBilateralMethod method;
} RigVariant;

/* In the order of the enumerations, ended by NULL. */
extern const gchar *const rig_operation_names[];
extern const gchar *const rig_color_mode_names[];
extern const gchar *const rig_window_names[];
extern const gchar *const rig_storage_names[];

extern const RigVariant rig_variants[];
extern const guint rig_n_variants;

/**
 * RigTrial:
 * @variant: one of rig_variants
 * @storage: of the frames; of no effect for a yardstick
 * @width: in pixels
 * @height: in pixels
 * @radius: of the window, at least 1; its spatial sigma is half of it, its
 *    intensity sigma 0.25. This and what follows are the bilateral filter's.
 * @color_mode: what differences are taken of
 * @window: the taps of the window
 *
 * What is timed.
 */
typedef struct
{
  const RigVariant *variant;
  OclStorage storage;
  gint width;
  gint height;
  gint radius;
  OclBilateralColorMode color_mode;
  OclBilateralWindow window;
} RigTrial;

/**
 * RigTimes:
 * @kernel: what the kernels took, in milliseconds; for a yardstick, all
 * @transfer: what copies on the device and to the host took; histograms are
 *    read back, filtered frames are not
 * @wall: from the first call to the end of the last command
 */
typedef struct
{
  gdouble kernel;
  gdouble transfer;
  gdouble wall;
} RigTimes;

typedef struct _Rig Rig;

/* Keeps a reference to @context. The frames are drawn, or, where @pixels is not
 * NULL, are as many rows of it as needed, which has the width and height of
 * every trial to come; the rig owns it then. */
Rig *rig_new (OclContext * context, guint8 * pixels);
void rig_free (Rig * rig);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rig, rig_free)

/* The variant of that name, or NULL. */
const RigVariant *rig_find_variant (RigOperation operation,
    const gchar * name);

/* Runs @trial once. What it needs is built and brought to the device before,
 * where that was not done yet. OCL_ERROR_NOT_SUPPORTED or OCL_ERROR_BUILD where
 * the device cannot do it, or OCL_ERROR_FAILED. */
gboolean rig_run (Rig * rig, const RigTrial * trial, RigTimes * times,
    GError ** error);

/* Runs @trial once, so that the next run is a warm one. Before that some rows
 * of it are run, and where they tell that all would take more than @patience
 * seconds it ends with OCL_ERROR_NOT_SUPPORTED. */
gboolean rig_warm_up (Rig * rig, const RigTrial * trial, gdouble patience,
    GError ** error);

G_END_DECLS
