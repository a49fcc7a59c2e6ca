/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl bench --lines`: runs what another program asks for, so that the two
 * can take turns. */

#pragma once

#include "rig.h"
#include "tool.h"

G_BEGIN_DECLS

/* Prints the device, then runs every line of standard input on frames of @size
 * and prints the milliseconds of the kernels and of the transfers. A setting is
 * run once untimed when it comes first. FALSE after a complaint. */
gboolean lines_answer (Rig * rig, const OclDevice * device,
    const ToolSize * size);

G_END_DECLS
