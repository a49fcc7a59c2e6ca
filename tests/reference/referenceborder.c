/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

/* The remainder that is never negative, unlike C's. */
static int64_t
modulo (int64_t value, int64_t period)
{
  int64_t remainder = value % period;

  return remainder < 0 ? remainder + period : remainder;
}

static int64_t
clamp_to_edge (int64_t i, int64_t n)
{
  if (i < 0)
    return 0;
  return i < n ? i : n - 1;
}

/* The row followed by its mirror image, `a b c d d c b a`, repeats. */
static int64_t
reflect (int64_t i, int64_t n)
{
  int64_t position = modulo (i, 2 * n);

  return position < n ? position : 2 * n - 1 - position;
}

/* As reflect(), without reading an end twice: `a b c d c b` repeats. */
static int64_t
reflect_101 (int64_t i, int64_t n)
{
  int64_t position;

  /* a single pixel has nothing between its ends, and no period */
  if (n == 1)
    return 0;
  position = modulo (i, 2 * n - 2);
  return position < n ? position : 2 * n - 2 - position;
}

int
reference_border_index (ReferenceBorder border, int i, int n)
{
  assert (n >= 1);

  /* the helpers count in 64 bits so that twice n cannot overflow */
  switch (border) {
    case REFERENCE_BORDER_CLAMP_TO_EDGE:
      return (int) clamp_to_edge (i, n);
    case REFERENCE_BORDER_REFLECT:
      return (int) reflect (i, n);
    case REFERENCE_BORDER_REFLECT_101:
      return (int) reflect_101 (i, n);
    case REFERENCE_BORDER_WRAP:
      return (int) modulo (i, n);
    case REFERENCE_BORDER_CONSTANT:
      return i >= 0 && i < n ? i : -1;
  }
  abort ();
}

double
reference_plane_get_tap (const ReferencePlane * plane, ReferenceBorder border,
    int x, int y)
{
  int column = reference_border_index (border, x, plane->width);
  int row = reference_border_index (border, y, plane->height);

  if (column < 0 || row < 0)
    return plane->border_level;
  return plane->levels[(ptrdiff_t) row * plane->width + column];
}

double *
reference_plane_new_bordered (const ReferencePlane * plane,
    ReferenceBorder border, int reach_x, int reach_y)
{
  const int width = plane->width + 2 * reach_x;
  const int height = plane->height + 2 * reach_y;
  double *levels = malloc (sizeof (double) * width * height);

  assert (levels);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      levels[(ptrdiff_t) y * width + x] = reference_plane_get_tap (plane,
          border, x - reach_x, y - reach_y);
  return levels;
}
