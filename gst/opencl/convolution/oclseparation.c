/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclseparation.h"

#include <math.h>

/* Maximum norm of the remainder, relative to the largest singular value. */
#define TOLERANCE 1e-6

/* Tolerance for the remainder of one number, to reject early a matrix that is
 * not separable. If the largest number is the pivot, the remainder of one
 * number can be larger than the norm of the remainder of the matrix, but not a
 * thousand times larger. */
#define COARSE_TOLERANCE 1e-3

/* Returns the index of the largest absolute number. */
static gint
find_pivot (const gdouble * numbers, gint n)
{
  gint pivot = 0;

  for (gint i = 1; i < n; i++) {
    if (fabs (numbers[i]) > fabs (numbers[pivot]))
      pivot = i;
  }
  return pivot;
}

static gboolean
is_near (const gdouble * numbers, gint width, gint height, gint pivot)
{
  const gdouble largest = numbers[pivot];
  const gdouble *row = numbers + pivot / width * width;
  const gdouble *column = numbers + pivot % width;

  for (gint j = 0; j < height; j++) {
    for (gint i = 0; i < width; i++) {
      const gdouble product = column[j * width] * row[i] / largest;

      if (fabs (numbers[j * width + i] - product)
          > COARSE_TOLERANCE * fabs (largest))
        return FALSE;
    }
  }
  return TRUE;
}

static gdouble
normalize (gdouble * vector, gint n)
{
  gdouble sum = 0.0;

  for (gint i = 0; i < n; i++)
    sum += vector[i] * vector[i];
  for (gint i = 0; i < n; i++)
    vector[i] /= sqrt (sum);
  return sqrt (sum);
}

/* Computes one power iteration: improves @columns, sets @rows to the matching
 * rows times the singular value, and returns the singular value. If @columns
 * starts as the row of the largest number and the matrix is separable, both
 * vectors are then exact to one part in 10^12. */
static gdouble
iterate (const gdouble * numbers, gint width, gint height, gdouble * rows,
    gdouble * columns)
{
  for (gint j = 0; j < height; j++) {
    rows[j] = 0.0;
    for (gint i = 0; i < width; i++)
      rows[j] += numbers[j * width + i] * columns[i];
  }
  normalize (rows, height);
  for (gint i = 0; i < width; i++) {
    columns[i] = 0.0;
    for (gint j = 0; j < height; j++)
      columns[i] += numbers[j * width + i] * rows[j];
  }
  const gdouble value = normalize (columns, width);
  for (gint j = 0; j < height; j++)
    rows[j] *= value;
  return value;
}

gboolean
ocl_separate (const gdouble * numbers, gint width, gint height, gdouble * rows,
    gdouble * columns)
{
  const gint pivot = find_pivot (numbers, width * height);
  gdouble left = 0.0;

  if (numbers[pivot] == 0.0 || !is_near (numbers, width, height, pivot))
    return FALSE;
  for (gint i = 0; i < width; i++)
    columns[i] = numbers[pivot / width * width + i];
  normalize (columns, width);
  const gdouble value = iterate (numbers, width, height, rows, columns);
  for (gint n = 0; n < width * height; n++) {
    const gdouble rest = numbers[n] - rows[n / width] * columns[n % width];
    left += rest * rest;
  }
  return sqrt (left) <= TOLERANCE * value;
}
