/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referenceplane.h"

#include <stddef.h>

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
