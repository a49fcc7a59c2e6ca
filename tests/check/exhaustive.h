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

/* Whether that format is the one of its layout that is always tried. Those that
 * differ from it in order, depth or subsampling alone take a CPU's compiler
 * minutes. */
static inline gboolean
is_format_usual (const gchar * name)
{
  static const gchar *const usual[] = { "RGBA", "RGB", "GRAY8", "I420", "NV12",
    "P010_10LE", "Y212_LE", NULL
  };

  return g_strv_contains (usual, name);
}

/* Whether frames of that format are tried: the usual ones, or all. */
static inline gboolean
is_format_tried (const gchar * name)
{
  return is_exhaustive () || is_format_usual (name);
}
