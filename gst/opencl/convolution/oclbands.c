/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbands.h"

/* As in the kernels: samples a vector, floats a step of a loop. */
#define VECTOR 16
#define STEP 64

/* Bands that a thread takes, so that one that is kept from work does not hold
 * up the frame; and the least rows of a band, as each loads the rows of a
 * window first. */
#define BANDS_OF_THREAD 4
#define MIN_BAND_HEIGHT 16
#define WINDOWS_OF_BAND 2

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

void
ocl_bands_init (OclBands * bands, gint width, gint height, gint reach_x,
    gint reach_y, gint n_planes, gint n_rows, gint n_threads)
{
  const gint least = MAX (MIN_BAND_HEIGHT,
      WINDOWS_OF_BAND * (2 * reach_y + 1));
  const gint n = CLAMP (height / least / n_threads, 1, BANDS_OF_THREAD)
      * n_threads;

  bands->pad = round_up (reach_x + 1, VECTOR);
  bands->pitch = round_up (2 * bands->pad + round_up (width, STEP), STEP);
  bands->scratch_floats = n_rows * n_planes * bands->pitch;
  bands->band_height = (height + n - 1) / n;
  bands->n_bands = (height + bands->band_height - 1) / bands->band_height;
}

void
ocl_bands_add (OclBands * bands, gint n_words)
{
  bands->scratch_floats += round_up (n_words, STEP);
}

gboolean
ocl_bands_ensure (const OclBands * bands, OclMemory * scratch,
    OclContext * context, GError ** error)
{
  return ocl_memory_ensure (scratch, context,
      bands->n_bands * bands->scratch_floats * sizeof (cl_float), error);
}

void
ocl_bands_add_arguments (const OclBands * bands, const OclMemory * scratch,
    OclArguments * arguments)
{
  OCL_ARGUMENTS_ADD (arguments, bands->band_height);
  OCL_ARGUMENTS_ADD (arguments, scratch->memory);
  OCL_ARGUMENTS_ADD (arguments, bands->scratch_floats);
  OCL_ARGUMENTS_ADD (arguments, bands->pitch);
  OCL_ARGUMENTS_ADD (arguments, bands->pad);
}
