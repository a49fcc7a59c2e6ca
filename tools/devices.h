/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl devices`: lists the OpenCL devices and the selectors that name
 * them. */

#pragma once

/* Runs the subcommand. Returns the exit status of the program. */
int devices_main (int argc, char **argv);
