/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl devices`: the OpenCL devices and how they can be named. */

#pragma once

/* The subcommand; returns its exit status. */
int devices_main (int argc, char **argv);
