/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referenceplane.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

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
  int x, y;

  assert (levels);
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      levels[(ptrdiff_t) y * width + x] = reference_plane_get_tap (plane,
          border, x - reach_x, y - reach_y);
  return levels;
}
