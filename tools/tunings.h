/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `--tuning`: values for the tunable macros of kernels. Main thread only. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Parses MACRO=VALUE[,...]. At least one of @variants (of OclVariant) must have
 * each macro, and the value must be legal for all @variants that have the
 * macro. Returns NULL after a complaint. */
GHashTable *tunings_parse (const gchar * text, GPtrArray * variants);

/* Fills @tuning with the values that @tunings has for the macros of @variant,
 * and with the defaults of @variant for its other macros. @tunings may be
 * NULL. */
void tunings_get (GHashTable * tunings, const OclVariant * variant,
    OclTuning * tuning);

G_END_DECLS
