/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl roofline`: measures the limits of a device, and how near the
 * kernels come to them. */

#pragma once

/* Runs the subcommand. Returns the exit status of the program. */
int roofline_main (int argc, char **argv);
