/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl operations`: lists the operations and their parameters. */

#pragma once

/* Runs the subcommand. Returns the exit status of the program. */
int operations_main (int argc, char **argv);
