/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl kernel`: builds, checks and times a kernel on every device. */

#pragma once

/* Runs the subcommand. Returns the exit status of the program. */
int try_kernel_main (int argc, char **argv);
