/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclweights.h"

#include <string.h>

cl_float *
ocl_weights_begin (OclWeights * self, gsize limit)
{
  if (!self->values)
    self->values = g_new0 (cl_float, limit);
  self->limit = limit;
  return self->values;
}

gboolean
ocl_weights_end (OclWeights * self, OclContext * context, gsize n,
    OclTimer * timer, GError ** error)
{
  const gsize size = n * sizeof (cl_float);

  g_assert (n <= self->limit);
  if (n == self->n && memcmp (self->values, self->coefficients.data, size) == 0)
    return TRUE;
  self->n = 0;                  /* until the device has the weights */
  if (!ocl_coefficients_begin (&self->coefficients, context,
          self->limit * sizeof (cl_float), error))
    return FALSE;
  memcpy (self->coefficients.data, self->values, size);
  if (!ocl_coefficients_enqueue_write (&self->coefficients, context, size,
          timer, error))
    return FALSE;
  self->n = n;
  return TRUE;
}

void
ocl_weights_clear (OclWeights * self)
{
  ocl_coefficients_clear (&self->coefficients);
  g_clear_pointer (&self->values, g_free);
}
