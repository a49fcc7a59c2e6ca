/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The language of docs/glopenclkernel.md, for the compiler of the tests. The generated
 * file that includes this has the definitions and the text of a kernel around
 * it, see compose.c. */

#include <math.h>
#include <stdlib.h>

#include "referencekernel.h"

typedef double real;
typedef int integer;

typedef struct
{
  real r, g, b, a;
} Pixel;

#define float double

typedef struct
{
  real x, y;
  float width, height, time;
  int number;
  ARGUMENTS
} Info;

/* A vector of the values of all arguments. */
typedef struct
{
  float s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf;
} Values;

#define FRAME const ReferenceKernelPoint *glo_point, Info info
#define frame glo_point, info
#define to_integer(value) ((int) (value))
#define to_real(value) ((double) (value))

static real
min (real a, real b)
{
  return a < b ? a : b;
}

static real
max (real a, real b)
{
  return a < b ? b : a;
}

static real
clamp (real value, real least, real most)
{
  return min (max (value, least), most);
}

static Pixel
plus (Pixel a, Pixel b)
{
  const Pixel sum = { a.r + b.r, a.g + b.g, a.b + b.b, a.a };

  return sum;
}

static Pixel
minus (Pixel a, Pixel b)
{
  const Pixel difference = { a.r - b.r, a.g - b.g, a.b - b.b, a.a };

  return difference;
}

static Pixel
times (Pixel a, real factor)
{
  const Pixel product = { a.r * factor, a.g * factor, a.b * factor, a.a };

  return product;
}

static Pixel
grey (real value)
{
  const Pixel p = { value, value, value, 1.0 };

  return p;
}

static real
falloff (real t)
{
  return exp (-t);
}

static real
falloff2 (real t)
{
  return exp2 (-t);
}

static int
cut (int offset, int radius)
{
  return offset < -radius ? -radius : offset > radius ? radius : offset;
}

static Pixel
earlier (FRAME, int age, int i, int j)
{
  const ReferenceKernelPlanes *planes = glo_point->planes;
  const int x = glo_point->x + cut (i, RADIUS_X);
  const int y = glo_point->y + cut (j, RADIUS_Y);

  (void) info;
  age = age < 0 ? 0 : age > HISTORY ? HISTORY : age;
  if (glo_point->channel >= 0)
    return grey (planes->get (planes->data, age, glo_point->channel, x, y));
  const Pixel p = { planes->get (planes->data, age, 0, x, y),
    planes->get (planes->data, age, 1, x, y),
    planes->get (planes->data, age, 2, x, y),
    HAS_ALPHA ? planes->get (planes->data, age, 3, x, y) : 1.0
  };

  return p;
}

static Pixel
pixel (FRAME, int i, int j)
{
  return earlier (frame, 0, i, j);
}

static real
luma (FRAME, int i, int j)
{
  const ReferenceKernelPlanes *planes = glo_point->planes;
  const Pixel p = pixel (frame, i, j);

  if (glo_point->channel < 0)
    return 0.3 * p.r + 0.59 * p.g + 0.11 * p.b;
  return planes->get_luma (planes->data, glo_point->x + cut (i, RADIUS_X),
      glo_point->y + cut (j, RADIUS_Y));
}

Pixel filter (FRAME);

__attribute__ ((visibility ("default")))
void
FUNCTION (const ReferenceKernelPoint * glo_point, double out[4])
{
  Values values;
  float *first = &values.s0;
  Info info = {.x = glo_point->x,.y = glo_point->y,
    .width = glo_point->planes->width,.height = glo_point->planes->height
  };

  for (int i = 0; i < 16; i++)
    first[i] = glo_point->values[i];
  SET_ARGUMENTS (info, values)
  const Pixel result = filter (frame);
  out[0] = result.r;
  out[1] = result.g;
  out[2] = result.b;
  out[3] = result.a;
}
