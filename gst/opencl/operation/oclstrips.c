/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstrips.h"

/* Both values are as in the kernels: a vector has VECTOR samples, and a step of
 * a loop processes STEP floats. */
#define VECTOR 16
#define STEP 64

/* A compute unit processes up to STRIPS_OF_UNIT strips, so that a busy unit
 * does not delay the frame. A strip should have at least MIN_STRIP_HEIGHT rows
 * and WINDOWS_OF_STRIP times the rows of a window, because each strip loads the
 * rows of a window first. */
#define STRIPS_OF_UNIT 4
#define MIN_STRIP_HEIGHT 16
#define WINDOWS_OF_STRIP 2

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

gboolean
ocl_strips_ensure (OclStrips * self, OclContext * context,
    const OclStripsNeeds * needs, GError ** error)
{
  const gint n_units = context->device->n_units;
  const gint least = MAX (MIN_STRIP_HEIGHT,
      WINDOWS_OF_STRIP * (2 * needs->reach_y + 1));
  const gint n = CLAMP (needs->height / least / n_units, 1, STRIPS_OF_UNIT)
      * n_units;

  self->pad = round_up (needs->reach_x + 1, VECTOR);
  self->pitch = round_up (2 * self->pad + round_up (needs->width, STEP), STEP);
  self->scratch_floats = needs->n_rows * needs->n_planes * self->pitch
      + round_up (needs->n_words, STEP);
  self->height = (needs->height + n - 1) / n;
  self->n = (needs->height + self->height - 1) / self->height;
  return ocl_memory_ensure (&self->scratch, context,
      self->n * self->scratch_floats * sizeof (cl_float), error);
}

void
ocl_strips_clear (OclStrips * self)
{
  ocl_memory_clear (&self->scratch);
}
