/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much tests try: a part of what differs little, unless the environment
 * variable GLOPENCL_TEST_ALL=1 asks for all of it, as tests/run.sh --all does.
 * Any thread. */

#pragma once

#include <glib.h>

static inline gboolean
is_exhaustive (void)
{
  return g_strcmp0 (g_getenv ("GLOPENCL_TEST_ALL"), "1") == 0;
}
