/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that everything in the input came out: counts the data that flowed
 * instead of trusting headers. */
#pragma once

#include "denoiseinventory.h"
#include "denoisetrack.h"

G_BEGIN_DECLS

/**
 * DenoiseChecks:
 * @options: the options of the user
 * @report: receives errors, and the parts of the input that were not kept
 * @tracks: the tracks (DenoiseTrack)
 * @n_of_kind: the number of tracks of each kind, indexed by DenoiseTrackKind
 * @inventory: the inventory of the input
 * @duration: the duration of the input according to its header, or NONE
 */
typedef struct
{
  const DenoiseOptions *options;
  DenoiseReport *report;
  GPtrArray *tracks;
  const guint *n_of_kind;
  const DenoiseInventory *inventory;
  GstClockTime duration;
} DenoiseChecks;

/* Runs all checks. Must be called after all data has flowed, and before the
 * pipeline is stopped. */
void denoise_checks_run (const DenoiseChecks * checks);

G_END_DECLS
