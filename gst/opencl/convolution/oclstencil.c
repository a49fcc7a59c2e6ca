/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
ocl_stencil_set_box (OclStencil * stencil)
{
  stencil->kind = OCL_STENCIL_BOX;
  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    stencil->rows[j] = 1.0;
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    stencil->columns[i] = 1.0;
}

gint
ocl_stencil_get_n_taps (const OclStencil * stencil)
{
  return (2 * stencil->radius_x + 1) * (2 * stencil->radius_y + 1);
}

/* Returns the weight of the @n-th tap, counted row by row. */
static gdouble
ocl_stencil_get_weight (const OclStencil * stencil, gint n)
{
  const gint width = 2 * stencil->radius_x + 1;

  return stencil->kind == OCL_STENCIL_DENSE ? stencil->taps[n]
      : stencil->rows[n / width] * stencil->columns[n % width];
}

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

/* Writes the entries, and returns the number of entries. */
static gsize
ocl_taps_fill (OclTaps * self, gint n, gint most)
{
  g_autofree Tap *taps = g_new (Tap, n);
  g_autofree Group *groups = g_new (Group, n);
  Entry *entries = self->coefficients.data;
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

  gint negative = 0, positive = n_negative, end = 0;
  gdouble sum = 0.0;
  for (gint i = 0; i < n_groups; i++) {
    /* The sign that brings the sum of the weights nearer to 0. */
    const gboolean takes_positive = negative == n_negative
        || (positive < n_groups && sum <= 0.0);
    const Group *group = &groups[takes_positive ? positive++ : negative++];

    sum += (gdouble) group->taps->weight * group->n;
    for (gint k = 0; k < group->n; k++) {
      Entry *entry = &entries[n_groups + end++];

      entry->tap.row = group->taps[k].place / self->width;
      entry->tap.column = group->taps[k].place % self->width;
    }
    entries[i].group.weight = group->taps->weight;
    entries[i].group.end = end;
  }
  self->n_groups = n_groups;
  self->n_taps = n_taps;
  return n_groups + n_taps;
}

gboolean
ocl_taps_supports (gdouble gain, gdouble largest, const OclFormat * format)
{
  return gain <= MAX_GAIN
      && largest * ocl_format_get_max_level (format) <= MAX_PRODUCT;
}

OclStencilSpecialization
ocl_taps_get_specialization (gdouble gain, const OclFormat * format)
{
  return gain * ocl_format_get_max_level (format) > MAX_SUM
      ? OCL_STENCIL_PARTS : OCL_STENCIL_FLOATS;
}

/* Writes the taps of @stencil for frames of @format to the device, unless the
 * device already has these taps. All calls must have the same format. */
static gboolean
ocl_taps_set (OclTaps * self, OclContext * context, const OclStencil * stencil,
    const OclFormat * format, OclTimer * timer, GError ** error)
{
  const gint n = ocl_stencil_get_n_taps (stencil);
  const gint width = 2 * stencil->radius_x + 1;
  gboolean same = self->n_weights == n && self->width == width;

  /* The centre is one of the taps. */
  g_assert (stencil->centre == 0.0);
  if (!self->weights)
    self->weights = g_new (cl_float, OCL_STENCIL_MAX_TAPS);
  for (gint i = 0; i < n; i++) {
    const cl_float weight =
        ocl_stencil_get_weight (stencil, i) * stencil->scale;

    same = same && self->weights[i] == weight;
    self->weights[i] = weight;
  }
  self->width = width;
  if (!same) {
    self->n_weights = 0;        /* until the device has the weights */
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

void
ocl_stencil_state_clear (gpointer state)
{
  OclStencilState *self = state;

  ocl_weights_clear (&self->weights);
  ocl_coefficients_clear (&self->taps.coefficients);
  g_clear_pointer (&self->taps.weights, g_free);
  ocl_slices_clear (&self->slices);
  ocl_memory_clear (&self->sums);
}

/* Arguments of all kernels. */
typedef struct
{
  cl_int width;                 /* of the pass, in samples */
  cl_int height;
  cl_int radius_x;
  cl_int radius_y;
  cl_float centre;
  cl_float scale;
  cl_float offset;              /* in levels */
  cl_int border;
  cl_float4 outside;            /* levels of the constant border */
} Numbers;

#define SIZE(n) OCL_INT ((n).width), OCL_INT ((n).height)
#define RADII(n) OCL_INT ((n).radius_x), OCL_INT ((n).radius_y)
#define SUM(n) OCL_FLOAT ((n).centre), OCL_FLOAT ((n).scale), \
    OCL_FLOAT ((n).offset)
#define BORDER(n) OCL_INT ((n).border), OCL_FLOAT4 ((n).outside)

/* Sets the stencil of @run in the state, and returns its numbers. */
static Numbers
begin (OclKernels * self, const OclRun * run)
{
  const OclStencilFamily *family = self->variant->family;
  OclStencil *stencil = &((OclStencilState *) self->state)->stencil;

  family->init (stencil, run);
  return (Numbers) {
  .width = ocl_run_get_width (run),.height =
        ocl_run_get_height (run),.radius_x = stencil->radius_x,.radius_y =
        stencil->radius_y,.centre = stencil->centre,.scale =
        stencil->scale,.offset =
        stencil->offset *
        ocl_format_get_max_level (run->input->info.format),.border =
        stencil->border.mode,.outside =
        ocl_pass_get_color (run->pass, &run->input->info,
        stencil->border.color),};
}

/* Writes @n weights: zeros, except the weights of the rows from index @row on,
 * and those of the columns from index @column on. @limit is the maximum of
 * @n. */
static gboolean
set_separable_weights (OclStencilState * self, OclContext * context,
    gsize limit, gsize n, gint row, gint column, OclTimer * timer,
    GError ** error)
{
  const OclStencil *stencil = &self->stencil;
  cl_float *values = ocl_weights_begin (&self->weights, limit);

  memset (values, 0, n * sizeof (cl_float));
  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    values[row + j] = stencil->rows[j];
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    values[column + i] = stencil->columns[i];
  return ocl_weights_end (&self->weights, context, n, timer, error);
}

gchar *
ocl_stencil_get_form_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return build->specialization == OCL_STENCIL_PARTS
      ? g_strdup ("-D PART=" G_STRINGIFY (PART))
      : build->specialization ==
      OCL_STENCIL_PAIRS ? g_strdup ("-D PAIRS") : NULL;
}

gchar *
ocl_stencil_get_radius_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-D RADIUS=%u", build->specialization);
}

#define MAX_PLAIN_TAPS (OCL_STENCIL_MAX_SIDE * OCL_STENCIL_MAX_SIDE)

/* Cost of a tap in taps of the other variants, because the plain variant
 * handles the border for each tap. In the program for pairs, a weight is two
 * floats, and a tap takes about eight times as long. */
#define TAPS_OF_TAP 4
#define TAPS_OF_PAIR (8 * TAPS_OF_TAP)
#define FLOATS_OF_PAIR 2

gboolean
ocl_stencil_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const gboolean pairs = self->build.specialization == OCL_STENCIL_PAIRS;
  const Numbers n = begin (self, run);
  const gint n_taps = ocl_stencil_get_n_taps (&state->stencil);
  const OclGrid grid = {.width = n.width,.height = n.height,
    .n_taps = (guint64) n_taps * (pairs ? TAPS_OF_PAIR : TAPS_OF_TAP)
  };
  cl_float *values = ocl_weights_begin (&state->weights,
      FLOATS_OF_PAIR * MAX_PLAIN_TAPS);
  gsize n_values = 0;

  for (gint i = 0; i < n_taps; i++) {
    const gdouble weight = ocl_stencil_get_weight (&state->stencil, i);
    const cl_float value = weight;

    values[n_values++] = value;
    if (pairs)
      values[n_values++] = weight - value;
  }
  return ocl_weights_end (&state->weights, self->context, n_values,
      run->timer, error)
      && OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT, SIZE (n),
      RADII (n), OCL_MEMORY (state->weights.coefficients.memory), SUM (n),
      BORDER (n));
}

/* SMALL_RADIUS in stencil-rows.cl. */
#define SMALL_RADIUS 4

enum
{
  ROWS_SEPARABLE,
  ROWS_BOX,
};

/* Prepares slices that keep @n_rows rows, and @n_words words after the rows. */
static gboolean
ensure_slices (OclKernels * self, const OclRun * run,
    const Numbers * n, gint n_rows, gint n_words, GError ** error)
{
  const OclSlicesNeeds needs = {
    .width = n->width,.height = n->height,
    .reach_x = n->radius_x,.reach_y = n->radius_y,
    .n_planes = run->pass->n_channels,.n_rows = n_rows,.n_words = n_words,
  };

  return ocl_slices_ensure (&((OclStencilState *) self->state)->slices,
      self->context, &needs, error);
}

gboolean
ocl_stencil_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const OclFormat *format = run->input->info.format;
  const Numbers n = begin (self, run);
  /* Whether running sums are exact. */
  const gboolean is_exact = !format->is_float || (format->steps > 0
      && MAX (n.radius_x, n.radius_y) <= SMALL_RADIUS);
  const gboolean is_box = state->stencil.kind == OCL_STENCIL_BOX && is_exact;
  /* A box keeps one row of sums. Otherwise a slice keeps the rows of the
   * windows of two rows, and one row of sums for each of the two. */
  const gint n_rows = is_box ? 1 : 2 * n.radius_y + 2 + 2;
  const gint column = 2 * n.radius_y + 1;

  return set_separable_weights (state, self->context, 2 * OCL_STENCIL_MAX_SIDE,
      column + 2 * n.radius_x + 1, 0, column, run->timer, error)
      && ensure_slices (self, run, &n, n_rows, 0, error)
      && OCL_LAUNCH (self, run, OCL_SLICES_GRID (is_box ? ROWS_BOX
          : ROWS_SEPARABLE, &state->slices), error, OCL_INPUT, OCL_OUTPUT,
      SIZE (n), OCL_SLICES (&state->slices), RADII (n),
      OCL_MEMORY (state->weights.coefficients.memory), SUM (n), BORDER (n));
}

/* Number of rows of sums after the rows of the window. */
#define N_SUMS 1

gboolean
ocl_stencil_dense_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const Numbers n = begin (self, run);
  const OclTaps *taps = &state->taps;

  return ocl_taps_set (&state->taps, self->context, &state->stencil,
      run->input->info.format, run->timer, error)
      && ensure_slices (self, run, &n, 2 * n.radius_y + 1 + N_SUMS,
      taps->n_taps, error)
      && OCL_LAUNCH (self, run, OCL_SLICES_GRID (0, &state->slices), error,
      OCL_INPUT, OCL_OUTPUT, SIZE (n), OCL_SLICES (&state->slices),
      RADII (n), OCL_MEMORY (taps->coefficients.memory),
      OCL_INT (taps->n_groups), OCL_INT (taps->n_taps), OCL_FLOAT (n.offset),
      BORDER (n));
}

/* Local memory in bytes that drivers use. NVIDIA's driver includes it in the
 * local memory of a work-group. */
#define RESERVED_SIZE 1024

#define MAX_ROWS 8
#define MAX_TILED_WEIGHTS (2 * OCL_STENCIL_MAX_SIDE + MAX_ROWS - 1)

/* The tunables are the work-items of a group, and the samples per work-item or
 * the rows of a block. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
};

const OclTunable ocl_stencil_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 64, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 2, OCL_CHOICES (2, 4, 8)},
  [ROWS] = {"ROWS", 8, OCL_CHOICES (1, 2, 4, MAX_ROWS)},
  {NULL},
};

const OclTunable ocl_stencil_dense_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4, 8)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  {NULL},
};

/* Returns the size in bytes of the channels of a sample of @pass in local
 * memory. */
static gsize
get_sample_size (const OclPass * pass)
{
  static const gsize sizes[OCL_MAX_PASS_CHANNELS + 1] = {
    0, sizeof (cl_float), sizeof (cl_float2), sizeof (cl_float4)
  };

  return sizes[pass->n_channels];
}

static gsize
divide_up (gsize value, gsize divisor)
{
  return (value + divisor - 1) / divisor;
}

/* Up to this radius, a program that is specialised for one radius is faster.
 * Its specialization is the radius. */
#define MAX_SPECIAL_RADIUS 4

guint
ocl_stencil_tiled_get_specializations (gint radius,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  guint n = 0;

  if (radius <= MAX_SPECIAL_RADIUS)
    specializations[n++] = MAX (radius, 1);
  specializations[n++] = 0;
  return n;
}

/* Up to this radius, one kernel computes both sums. Beyond this radius, the
 * sums that a group computes left and right of its samples cost more than the
 * use of global memory. */
#define MAX_RADIUS_OF_TILE 12

enum
{
  TILED_BOTH,
  TILED_DOWN,
  TILED_ACROSS,
};

/* Returns the size in bytes of the sums of @rows rows of a group, for a window
 * of @radius_x. */
static gsize
get_sums_size (const OclKernels * self, gsize rows, gint radius_x)
{
  return get_sample_size (&self->build.pass) * rows
      * (self->group_width + 2 * radius_x);
}

gboolean
ocl_stencil_tiled_init (OclKernels * self, GError ** error)
{
  const OclDevice *device = self->context->device;

  if (get_sums_size (self, self->group_height, OCL_STENCIL_MAX_RADIUS)
      <= device->local_size)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "%s has too little local memory for a tile.", device->name);
  return FALSE;
}

gboolean
ocl_stencil_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  Numbers n = begin (self, run);
  const gint special_radius = self->build.specialization;
  const gsize rows = ocl_kernels_get_tuning (self, ROWS);

  if (special_radius > 0) {
    n.radius_x = special_radius;
    n.radius_y = special_radius;
  }
  /* The stencil may be smaller than the window. There are zeros between the
   * weights of its rows and of its columns. */
  const gint row = n.radius_y - state->stencil.radius_y;
  const cl_int first = 2 * n.radius_y + rows;
  const gint column = first + n.radius_x - state->stencil.radius_x;
  if (!set_separable_weights (state, self->context, MAX_TILED_WEIGHTS,
          first + 2 * n.radius_x + 1, row, column, run->timer, error))
    return FALSE;

  const cl_mem weights = state->weights.coefficients.memory;
  const gsize sums_size =
      get_sums_size (self, self->group_height * rows, n.radius_x);
  if (MAX (n.radius_x, n.radius_y) <= MAX_RADIUS_OF_TILE
      && sums_size + RESERVED_SIZE <= self->context->device->local_size)
    return OCL_LAUNCH (self, run, OCL_GRID (TILED_BOTH, n.width,
            divide_up (n.height, rows)), error, OCL_INPUT, OCL_OUTPUT,
        SIZE (n), RADII (n), OCL_MEMORY (weights), OCL_INT (first), SUM (n),
        BORDER (n), OCL_LOCAL (sums_size));
  /* Writes the sums of columns to global memory, and adds them along rows. */
  return ocl_memory_ensure (&state->sums, self->context,
      get_sample_size (run->pass) * n.width * n.height, error)
      && OCL_LAUNCH (self, run, OCL_GRID (TILED_DOWN, n.width,
          divide_up (n.height, rows)), error, OCL_INPUT,
      OCL_MEMORY (state->sums.memory), SIZE (n), OCL_INT (n.radius_y),
      OCL_MEMORY (weights), BORDER (n))
      && OCL_LAUNCH (self, run, OCL_GRID (TILED_ACROSS, n.width, n.height),
      error, OCL_MEMORY (state->sums.memory), OCL_INPUT, OCL_OUTPUT, SIZE (n),
      RADII (n), OCL_MEMORY (weights), OCL_INT (first), SUM (n), BORDER (n),
      OCL_LOCAL (get_sums_size (self, self->group_height, n.radius_x)));
}

enum
{
  TILED_DENSE,
  TILED_DIRECT,
};

gboolean
ocl_stencil_dense_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const Numbers n = begin (self, run);
  const gsize rows = ocl_kernels_get_tuning (self, ROWS);
  const gsize tile_size = get_sample_size (run->pass)
      * (self->group_width + 2 * n.radius_x)
      * (self->group_height * rows + 2 * n.radius_y);
  const gboolean fits =
      tile_size + RESERVED_SIZE <= self->context->device->local_size;
  OclGrid grid = {.kernel = fits ? TILED_DENSE : TILED_DIRECT,
    .width = n.width,.height = divide_up (n.height, rows)
  };

  if (!ocl_taps_set (&state->taps, self->context, &state->stencil,
          run->input->info.format, run->timer, error))
    return FALSE;
  grid.n_taps = rows * MAX (state->taps.n_taps, 1);
  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      SIZE (n), RADII (n),
      OCL_MEMORY (state->taps.coefficients.memory),
      OCL_INT (state->taps.n_groups), OCL_FLOAT (n.offset),
      BORDER (n), fits ? OCL_LOCAL (tile_size) : OCL_NONE);
}

const OclTunable ocl_stencil_blocked_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32, 64)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (1, 2, 4, 8)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (2, 4, 8)},
  {NULL},
};

enum
{
  BLOCKED_DENSE,
  BLOCKED_SEPARABLE,
};

/* Loops are unrolled up to these radii. */
#define MAX_DENSE_RADIUS 2
#define MAX_SEPARABLE_RADIUS 3
#define MAX_BLOCKED_WEIGHTS \
    ((2 * MAX_SEPARABLE_RADIUS + 1) * (2 * MAX_SEPARABLE_RADIUS + 1))

/* With several channels, a larger block needs more registers than available,
 * and tiles are faster in images. */
#define GET_MAX_SEPARABLE_RADIUS(n_channels) \
    ((n_channels) == 1 ? MAX_SEPARABLE_RADIUS : 1)

/* BLOCK_COLUMNS in stencil-blocked.cl. */
#define BLOCK_COLUMNS(n_channels) ((n_channels) == 1 ? 4 : 2)

/* Rounding of a sum of floats, relative to the sum. */
#define FLOAT_UNIT (1.0 / (1 << 24))
#define MAX_ERROR 0.25          /* levels */

guint
ocl_stencil_blocked_get_specializations (gint radius,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  specializations[0] = CLAMP (radius, 1, MAX_SEPARABLE_RADIUS);
  return 1;
}

gboolean
ocl_stencil_blocked_supports (const OclStencil * stencil,
    const OclFormat * format, const OclPass * pass, gint radius)
{
  const gint n_taps = ocl_stencil_get_n_taps (stencil);
  /* Floats outside of the range are rare, and not rounded to whole levels. */
  const gdouble largest_level = format->is_float
      ? ocl_format_get_max_level (format)
      : ocl_format_get_largest_difference (format);
  gdouble gain = 0.0;

  if (stencil->kind != OCL_STENCIL_DENSE)
    return radius <= GET_MAX_SEPARABLE_RADIUS (pass->n_channels);
  if (radius > MAX_DENSE_RADIUS)
    return FALSE;
  for (gint i = 0; i < n_taps; i++)
    gain += fabs (stencil->taps[i]);
  return n_taps * FLOAT_UNIT * gain * largest_level <= MAX_ERROR;
}

/* Writes the weights of the square of @radius, row by row. */
static gboolean
set_dense_weights (OclStencilState * self, OclContext * context, gint radius,
    OclTimer * timer, GError ** error)
{
  const OclStencil *stencil = &self->stencil;
  const gint side = 2 * radius + 1;
  const gint width = 2 * stencil->radius_x + 1;
  cl_float *values = ocl_weights_begin (&self->weights, MAX_BLOCKED_WEIGHTS);
  cl_float *first = values + (radius - stencil->radius_y) * side
      + radius - stencil->radius_x;

  memset (values, 0, side * side * sizeof (cl_float));
  for (gint i = 0; i < ocl_stencil_get_n_taps (stencil); i++)
    first[i / width * side + i % width] = stencil->taps[i] * stencil->scale;
  values[side * side / 2] += stencil->centre;
  return ocl_weights_end (&self->weights, context, side * side, timer, error);
}

gboolean
ocl_stencil_blocked_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStencilState *state = self->state;
  const Numbers n = begin (self, run);
  const gint radius = self->build.specialization;
  const gint side = 2 * radius + 1;
  const gint rows = ocl_kernels_get_tuning (self, ROWS);
  const gint columns = BLOCK_COLUMNS (run->pass->n_channels);
  const gboolean is_dense = state->stencil.kind == OCL_STENCIL_DENSE;

  g_assert (MAX (n.radius_x, n.radius_y) <= radius);
  return (is_dense
      ? set_dense_weights (state, self->context, radius, run->timer, error)
      : set_separable_weights (state, self->context, MAX_BLOCKED_WEIGHTS,
          2 * side, radius - n.radius_y, side + radius - n.radius_x,
          run->timer, error))
      && OCL_LAUNCH (self, run, OCL_GRID (is_dense ? BLOCKED_DENSE
          : BLOCKED_SEPARABLE, (n.width + columns - 1) / columns,
          (n.height + rows - 1) / rows), error, OCL_INPUT, OCL_OUTPUT,
      SIZE (n), OCL_MEMORY (state->weights.coefficients.memory), SUM (n),
      BORDER (n));
}
