/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltaps.h"

#include <stdlib.h>

/* The entry of a group has the weight of the group, and the index of the tap
 * after its last tap. The entry of a tap has the row and the column of the
 * tap. */
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

/* There is at most one group per tap. */
#define MAX_ENTRIES (2 * OCL_STENCIL_MAX_TAPS)

/* A float holds every whole number up to this value. */
#define MAX_WHOLE (1 << 24)

/* Number of groups in a part of a sum. */
#define PART 32

/* Maximum sum of absolute levels that is added in one part. Half of this value
 * is rounded to a 16th of a level. */
#define MAX_SUM (1 << 21)

/* Maximum sum of the absolute weights. */
#define MAX_GAIN 1000.0

/* Maximum product of a tap in levels. The error of the rounded product with a
 * float is then less than a 16th of a level. */
#define MAX_PRODUCT (1 << 20)

void
ocl_taps_clear (OclTaps * self)
{
  ocl_coefficients_clear (&self->coefficients);
  g_clear_pointer (&self->weights, g_free);
}

/* Returns whether the device has the weights of @stencil. If the device does
 * not have them, the weights are kept for the next write. */
static gboolean
ocl_taps_has (OclTaps * self, const OclStencil * stencil)
{
  const gint n = ocl_stencil_get_n_taps (stencil);
  const gint width = 2 * stencil->radius_x + 1;
  gboolean same = self->n_weights == n && self->width == width;

  for (gint i = 0; i < n; i++) {
    const cl_float weight =
        ocl_stencil_get_weight (stencil, i) * stencil->scale;

    same = same && self->weights[i] == weight;
    self->weights[i] = weight;
  }
  self->width = width;
  self->n_weights = 0;          /* until the device has the weights */
  return same;
}

/* Taps are sorted by weight, and then by their place in memory. */
typedef struct
{
  cl_float weight;
  gint place;
} Tap;

static int
compare_taps (const void *a, const void *b)
{
  const Tap *tap = a, *other = b;

  if (tap->weight != other->weight)
    return tap->weight < other->weight ? -1 : 1;
  return tap->place < other->place ? -1 : 1;
}

/* Groups are sorted by the place of their first tap in memory. */
typedef struct
{
  const Tap *taps;
  gint n;
} Group;

static int
compare_groups (const void *a, const void *b)
{
  const Group *group = a, *other = b;

  return group->taps->place < other->taps->place ? -1 : 1;
}

/* Splits @n taps, which are sorted by weight, into groups of at most @most
 * taps. The groups of negative weights come first. Within each sign, the groups
 * are sorted by their place in memory. Returns the number of groups, and sets
 * @n_negative to the number of groups of negative weights. */
static gint
group_taps (const Tap * taps, gint n, gint most, Group * groups,
    gint * n_negative)
{
  gint n_groups = 0;

  *n_negative = 0;
  for (gint i = 0; i < n; i++) {
    if (i == 0 || taps[i].weight != taps[i - 1].weight
        || groups[n_groups - 1].n == most) {
      groups[n_groups].taps = taps + i;
      groups[n_groups++].n = 0;
      *n_negative += taps[i].weight < 0.0f;
    }
    groups[n_groups - 1].n++;
  }
  qsort (groups, *n_negative, sizeof (Group), compare_groups);
  qsort (groups + *n_negative, n_groups - *n_negative, sizeof (Group),
      compare_groups);
  return n_groups;
}

static void
ocl_taps_add_group (OclTaps * self, const Group * group)
{
  Entry *entry = (Entry *) self->coefficients.data + self->n_groups++;

  self->n_taps += group->n;
  entry->group.weight = group->taps->weight;
  entry->group.end = self->n_taps;
}

/* Writes the taps of @group after the entries of all groups. */
static void
ocl_taps_add_taps (OclTaps * self, const Group * group, gint end)
{
  Entry *entry =
      (Entry *) self->coefficients.data + self->n_groups + end - group->n;

  for (gint i = 0; i < group->n; i++) {
    entry[i].tap.row = group->taps[i].place / self->width;
    entry[i].tap.column = group->taps[i].place % self->width;
  }
}

/* Sets @order to the order in which @groups are added. The groups of negative
 * weights come first in @groups. The next group in @order has the sign that
 * brings the sum of the weights nearer to 0. */
static void
order_groups (const Group * groups, gint n, gint n_negative,
    const Group ** order)
{
  gint negative = 0, positive = n_negative;
  gdouble sum = 0.0;

  for (gint i = 0; i < n; i++) {
    const gboolean takes_positive = negative == n_negative
        || (positive < n && sum <= 0.0);

    order[i] = &groups[takes_positive ? positive++ : negative++];
    sum += (gdouble) order[i]->taps->weight * order[i]->n;
  }
}

/* Writes the entries, and returns the number of entries. */
static gsize
ocl_taps_fill (OclTaps * self, gint n, gint most)
{
  g_autofree Tap *taps = g_new (Tap, n);
  g_autofree Group *groups = g_new (Group, n);
  g_autofree const Group **order = g_new (const Group *, n);
  gint n_taps = 0;
  gint n_negative;

  for (gint i = 0; i < n; i++) {
    if (self->weights[i] != 0.0f) {
      taps[n_taps].weight = self->weights[i];
      taps[n_taps++].place = i;
    }
  }
  qsort (taps, n_taps, sizeof (Tap), compare_taps);
  const gint n_groups = group_taps (taps, n_taps, most, groups, &n_negative);
  order_groups (groups, n_groups, n_negative, order);

  self->n_taps = 0;
  self->n_groups = 0;
  for (gint i = 0; i < n_groups; i++)
    ocl_taps_add_group (self, order[i]);
  for (gint i = 0, end = 0; i < n_groups; i++) {
    end += order[i]->n;
    ocl_taps_add_taps (self, order[i], end);
  }
  return self->n_groups + self->n_taps;
}

gboolean
ocl_taps_can_serve (gdouble gain, gdouble largest, const OclFormat * format)
{
  return gain <= MAX_GAIN
      && largest * ocl_format_get_max_level (format) <= MAX_PRODUCT;
}

OclStencilForm
ocl_taps_get_form (gdouble gain, const OclFormat * format)
{
  return gain * ocl_format_get_max_level (format) > MAX_SUM
      ? OCL_STENCIL_PARTS : OCL_STENCIL_FLOATS;
}

const gchar *
ocl_taps_get_options (OclStencilForm form)
{
  return form == OCL_STENCIL_PARTS ? "-D PART=" G_STRINGIFY (PART) : NULL;
}

gboolean
ocl_taps_set (OclTaps * self, OclContext * context, const OclStencil * stencil,
    const OclFormat * format, OclTimer * timer, GError ** error)
{
  const gint n = ocl_stencil_get_n_taps (stencil);

  /* The centre is one of the taps. */
  g_assert (stencil->centre == 0.0);
  if (!self->weights)
    self->weights = g_new (cl_float, OCL_STENCIL_MAX_TAPS);
  if (!ocl_taps_has (self, stencil)) {
    if (!ocl_coefficients_begin (&self->coefficients, context,
            MAX_ENTRIES * sizeof (Entry), error))
      return FALSE;
    const gsize n_entries = ocl_taps_fill (self, n,
        MAX_WHOLE / ocl_format_get_max_level (format));

    if (n_entries > 0 && !ocl_coefficients_enqueue_write (&self->coefficients,
            context, n_entries * sizeof (Entry), timer, error))
      return FALSE;
  }
  self->n_weights = n;
  return TRUE;
}
