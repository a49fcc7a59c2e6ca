/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much the tests try. Of cases that differ little they try a part, unless
 * the environment variable GLOPENCL_TEST_ALL=1 asks for all cases, as
 * tests/run.sh --all does. Functions may be called from any thread. */

#pragma once

#include <glib.h>

static inline gboolean
is_exhaustive (void)
{
  return g_strcmp0 (g_getenv ("GLOPENCL_TEST_ALL"), "1") == 0;
}

/* Returns whether the format is always tried: one format of each layout is. The
 * other formats of a layout differ only in order, depth or subsampling, and
 * take the compiler of a CPU minutes. */
static inline gboolean
is_format_usual (const gchar * name)
{
  static const gchar *const usual[] = { "RGBA", "RGB", "GRAY8", "I420", "NV12",
    "P010_10LE", "YUY2", "Y212_LE", NULL
  };

  return g_strv_contains (usual, name);
}

/* Returns whether frames of the format are tried: either the usual formats or
 * all formats are. */
static inline gboolean
is_format_tried (const gchar * name)
{
  return is_exhaustive () || is_format_usual (name);
}
