/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `--tuning`: values for what may vary about kernels. The main thread only. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Parses MACRO=VALUE[,...]. NULL after a complaint: every macro has to be one
 * of @variants (of OclVariant), and its value legal for all of them that have
 * it. */
GHashTable *tunings_parse (const gchar * text, GPtrArray * variants);

/* Sets @tuning to what @tunings, or NULL, say of @variant, and to its defaults
 * elsewhere. */
void tunings_get (GHashTable * tunings, const OclVariant * variant,
    OclTuning * tuning);

G_END_DECLS
