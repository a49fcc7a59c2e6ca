/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl roofline`: what limits a device, and how near the kernels come to
 * it. */

#pragma once

/* The subcommand; returns its exit status. */
int roofline_main (int argc, char **argv);
