/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `glopencl operations`: what can be run, and how it can be set. */

#pragma once

/* The subcommand; returns its exit status. */
int operations_main (int argc, char **argv);
