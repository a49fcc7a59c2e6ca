/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl bench --lines`: runs what another program asks for, so that the two
 * can take turns. */

#pragma once

#include "runner.h"
#include "tool.h"

G_BEGIN_DECLS

/* What a line has; a NAME is that of a parameter, or "format". */
#define LINES_FORM "OPERATION VARIANT STORAGE [NAME=VALUE ...]"

/* Prints the device, then runs every line of standard input on frames of @size,
 * with @tunings (see tunings_get()), and prints the milliseconds of the kernels
 * and of the transfers. A line is run once untimed when it comes first. FALSE
 * after a complaint, or where standard output cannot be written. */
gboolean lines_answer (Runner * runner, const OclDevice * device,
    const ToolSize * size, GHashTable * tunings);

G_END_DECLS
