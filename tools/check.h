/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Checks the kernels on a device. Returns the exit status. Main thread only. */
int check_main (int argc, char **argv);
