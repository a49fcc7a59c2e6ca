/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `glopencl bench` is asked to time: all combinations of what lists hold.
 * The main thread only. */

#pragma once

#include "paramlists.h"
#include "series.h"

G_BEGIN_DECLS

/**
 * Plan:
 * @classes: operations (OclOperationClass)
 * @variants: of them (RunnerVariant)
 * @sizes: of frames (ToolSize)
 * @storages: of frames (guint: OclStorage)
 * @formats: of frames (guint: index in ocl_formats[])
 * @n_octaves: of a pyramid in place of a frame, or 0
 * @n_images: of an octave
 * @params: lists of parameters
 * @tunings: for tunings_get(), or NULL
 *
 * Other members are the options' texts.
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

/* Fills the plan with what the options say. FALSE after a complaint. */
gboolean plan_parse (Plan * plan);

/* All combinations. */
GPtrArray *plan_make_series (const Plan * plan);

G_END_DECLS
