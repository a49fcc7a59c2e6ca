/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl bench --lines`: runs the cases that another program asks for, so
 * that both programs can take turns. */

#pragma once

#include "runner.h"
#include "tool.h"

G_BEGIN_DECLS

/* The form of a line. NAME is the name of a parameter, or "format". */
#define LINES_FORM "OPERATION VARIANT STORAGE [NAME=VALUE ...]"

/* Prints the device, then runs every line of standard input on frames of @size,
 * with @tunings (see tunings_get()), and prints the milliseconds of the kernels
 * and of the transfers. When a line comes for the first time, it is also run
 * once untimed before. Returns FALSE after a complaint, or if standard output
 * cannot be written. */
gboolean lines_answer (Runner * runner, const OclDevice * device,
    const ToolSize * size, GHashTable * tunings);

G_END_DECLS
