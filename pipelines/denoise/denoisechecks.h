/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether all that went in came out: by what flowed, not by what headers
 * say. */
#pragma once

#include "denoiseinventory.h"
#include "denoisetrack.h"

G_BEGIN_DECLS

/**
 * DenoiseChecks:
 * @options: what was asked for
 * @report: gets errors, and what was not kept
 * @tracks: of DenoiseTrack
 * @n_of_kind: how many there are, by DenoiseTrackKind
 * @inventory: of the input
 * @duration: of the input as its header says, or NONE
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

/* When all has flowed, and before the pipeline is stopped. */
void denoise_checks_run (const DenoiseChecks * checks);

G_END_DECLS
