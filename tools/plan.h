/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cases that `glopencl bench` times and `glopencl tune` tunes: all
 * combinations of the values in the lists. Main thread only. */

#pragma once

#include "paramlists.h"
#include "series.h"

G_BEGIN_DECLS

/**
 * Plan:
 * @classes: operations (OclOperationClass)
 * @variants: variants of the operations (RunnerVariant)
 * @sizes: sizes of frames (ToolSize)
 * @storages: storages of frames (guint: OclStorage)
 * @formats: formats of frames (guint: index in ocl_formats[])
 * @n_octaves: number of octaves of a pyramid, or 0 to use a frame instead
 * @n_images: number of images per octave
 * @params: lists of parameters
 * @tunings: for tunings_get(), or NULL
 *
 * The other members are the texts of the options.
 */
typedef struct
{
  GPtrArray *classes;
  GArray *variants;
  GArray *sizes;
  GArray *storages;
  GArray *formats;
  gint n_octaves;
  gint n_images;
  ParamLists *params;
  GHashTable *tunings;
  gchar *operations_text;
  gchar *sizes_text;
  gchar *variants_text;
  gchar *storages_text;
  gchar *formats_text;
  gchar *tuning_text;
  gchar *operations_help;
} Plan;

Plan *plan_new (void);
void plan_free (Plan * plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Plan, plan_free)

/* Adds the options to @entries (of GOptionEntry). */
void plan_add_options (Plan * plan, GArray * entries);

/* Adds the options for operations, their parameters and frames only. */
void plan_add_frame_options (Plan * plan, GArray * entries);

/* Makes the operations that have all of the flags @with, and none of @without,
 * the default. */
void plan_set_default_operations (Plan * plan, OclOperationFlags with,
    OclOperationFlags without);

/* Fills the plan from the texts of the options. Returns FALSE after a
 * complaint. */
gboolean plan_parse (Plan * plan);

/* Returns a series with a case for each combination. */
GPtrArray *plan_make_series (const Plan * plan);

G_END_DECLS
