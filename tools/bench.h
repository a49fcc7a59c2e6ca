/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl bench`: times the operations on a device, and in plain C. */

#pragma once

/* Runs the subcommand. Returns the exit status of the program. */
int bench_main (int argc, char **argv);
