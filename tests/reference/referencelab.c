/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <math.h>

static const double xyz_from_linear[3][3] = {
  {0.4124564, 0.3575761, 0.1804375},
  {0.2126729, 0.7151522, 0.0721750},
  {0.0193339, 0.1191920, 0.9503041}
};

static const double white_d65[3] = { 0.95047, 1.0, 1.08883 };

/* IEC 61966-2-1: the light an sRGB byte stands for, in [0, 1]. */
static double
linear_from_srgb (uint8_t byte)
{
  double encoded = byte / 255.0;

  if (encoded <= 0.04045)
    return encoded / 12.92;
  return pow ((encoded + 0.055) / 1.055, 2.4);
}

/* CIE 15: the cube root, with a straight line near black. */
static double
lab_function (double t)
{
  if (t > 216.0 / 24389.0)
    return cbrt (t);
  return (24389.0 / 27.0 * t + 16.0) / 116.0;
}

void
reference_lab (const uint8_t rgb[3], double lab[3])
{
  double f[3];
  int row, channel;

  for (row = 0; row < 3; row++) {
    double tristimulus = 0.0;

    for (channel = 0; channel < 3; channel++)
      tristimulus +=
          xyz_from_linear[row][channel] * linear_from_srgb (rgb[channel]);
    f[row] = lab_function (tristimulus / white_d65[row]);
  }

  lab[0] = 116.0 * f[1] - 16.0;
  lab[1] = 500.0 * (f[0] - f[1]);
  lab[2] = 200.0 * (f[1] - f[2]);
}
