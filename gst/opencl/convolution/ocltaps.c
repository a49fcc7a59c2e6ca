/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltaps.h"

#include <stdlib.h>
#include <string.h>

/* Of a group: its weight, and the tap after its last. Of a tap: its place. */
typedef union
{
  struct
  {
    cl_float weight;
    cl_int end;
  } group;
  struct
  {
    cl_int row;
    cl_int column;
  } tap;
} Entry;

/* A group for each tap at most. */
#define MAX_ENTRIES (2 * OCL_STENCIL_MAX_TAPS)

gboolean
ocl_taps_init (OclTaps * self, OclContext * context, GError ** error)
{
  self->weights = g_new (cl_float, OCL_STENCIL_MAX_TAPS);
  return ocl_table_init (&self->table, context, MAX_ENTRIES * sizeof (Entry),
      error);
}

void
ocl_taps_clear (OclTaps * self)
{
  ocl_table_clear (&self->table);
  g_clear_pointer (&self->weights, g_free);
}

/* Whether the device has those of @stencil; else they are kept as what it is to
 * get. */
static gboolean
ocl_taps_has (OclTaps * self, const OclStencil * stencil)
{
  const gint n = ocl_stencil_get_n_taps (stencil);
  const gint width = 2 * stencil->radius_x + 1;
  gboolean same = self->n_weights == n && self->width == width;

  for (gint i = 0; i < n; i++) {
    const cl_float weight = ocl_stencil_get_weight (stencil, i);

    same = same && self->weights[i] == weight;
    self->weights[i] = weight;
  }
  self->width = width;
  self->n_weights = 0;          /* until the device has them */
  return same;
}

/* By weight, and then as they lie in memory. */
static gint
compare_taps (gconstpointer a, gconstpointer b, gpointer data)
{
  const cl_float *weights = data;
  const gint i = *(const gint *) a, j = *(const gint *) b;

  if (weights[i] != weights[j])
    return weights[i] < weights[j] ? -1 : 1;
  return i < j ? -1 : 1;
}

/* Fills the table, and returns how many entries it has. */
static gsize
ocl_taps_fill (OclTaps * self, gint n)
{
  g_autofree gint *order = g_new (gint, n);
  Entry *entries = self->table.data;

  self->n_taps = 0;
  self->n_groups = 0;
  for (gint i = 0; i < n; i++) {
    if (self->weights[i] != 0.0f)
      order[self->n_taps++] = i;
  }
  g_qsort_with_data (order, self->n_taps, sizeof (gint), compare_taps,
      self->weights);
  for (gint i = 0; i < self->n_taps; i++) {
    const cl_float weight = self->weights[order[i]];

    if (i == 0 || weight != self->weights[order[i - 1]])
      entries[self->n_groups++].group.weight = weight;
    entries[self->n_groups - 1].group.end = i + 1;
  }
  for (gint i = 0; i < self->n_taps; i++) {
    entries[self->n_groups + i].tap.row = order[i] / self->width;
    entries[self->n_groups + i].tap.column = order[i] % self->width;
  }
  return self->n_groups + self->n_taps;
}

gboolean
ocl_taps_set (OclTaps * self, OclContext * context,
    const OclStencil * stencil, OclTimer * timer, GError ** error)
{
  const gint n = ocl_stencil_get_n_taps (stencil);

  if (!ocl_taps_has (self, stencil)) {
    if (!ocl_table_begin (&self->table, error))
      return FALSE;
    const gsize n_entries = ocl_taps_fill (self, n);

    if (n_entries > 0 && !ocl_table_enqueue_write (&self->table, context,
            n_entries * sizeof (Entry), timer, error))
      return FALSE;
  }
  self->n_weights = n;
  return TRUE;
}
