/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl tune`: finds the fastest settings of kernels on a device, and puts
 * them into the database of settings. */

#pragma once

/* Runs the subcommand. Returns the exit status of the program. */
int tune_main (int argc, char **argv);
