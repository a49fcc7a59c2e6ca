/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tunes an operation with its parameters for frames of one kind. Main thread
 * only. */

#pragma once

#include "opencl/core/ocldatabase.h"
#include "runner.h"
#include "tuner.h"

G_BEGIN_DECLS

/**
 * TuneCase:
 * @item: what is run; @tuning does not count. The variant is the one that the
 *    element would choose, once tune_case_init() has succeeded
 * @keys: what the settings are stored for (OclDatabaseKey); owned
 * @has_nothing: whether the kernels of the variant have no settings
 * @space: the settings that there are
 * @result: what was found
 *
 * End with tune_case_clear().
 */
typedef struct
{
  RunnerCase item;
  GArray *keys;
  gboolean has_nothing;
  TunerSpace space;
  TunerResult result;
} TuneCase;

/* Finds out which variant the element would choose on the device of @context,
 * and what can be set. Builds it. Returns FALSE with OCL_ERROR_NOT_SUPPORTED if
 * there is nothing to tune, or with another error. @self is zeroed but for
 * @item. */
gboolean tune_case_init (TuneCase * self, OclContext * context,
    GError ** error);

/* Searches for about @budget seconds. Ends early if *@interrupted becomes true,
 * with OCL_ERROR_FAILED. */
gboolean tune_case_run (TuneCase * self, OclContext * context, gdouble budget,
    const volatile gint * interrupted, GError ** error);

void tune_case_clear (TuneCase * self);

G_END_DECLS
