/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playparams.h"

#include <math.h>

#include "playsettings.h"

static void
play_param_free (gpointer data)
{
  PlayParam *self = data;

  gst_object_unref (self->element);
  g_object_unref (self->object);
  g_free (self->name);
  g_free (self);
}

/* Returns the largest power of ten that is not greater than @number. */
static gdouble
get_power (gdouble number)
{
  return pow (10.0, floor (log10 (number) + 1e-9));
}

/* Returns the initial step of a number: a tenth of the power of ten that is
 * nearest to its default, where 5 is as near to 10 as to 1. If the default is
 * 0, uses the range, or 1. */
static gdouble
get_first_step (gdouble default_value, gdouble minimum, gdouble maximum)
{
  const gdouble size = default_value != 0.0 ? fabs (default_value)
      : MIN (maximum - minimum, 1.0);

  return get_power (2.0 * size) / 10.0;
}

static gboolean
is_integer (GType type)
{
  return type == G_TYPE_INT || type == G_TYPE_UINT || type == G_TYPE_INT64
      || type == G_TYPE_UINT64;
}

/* A key iterates over all combinations of flags up to this mask. */
#define MAX_FLAGS 7

/* Returns whether keys can change the property. Sets the kind of its values,
 * and the step of a number or 0. */
static gboolean
find_kind (GParamSpec * pspec, PlayParamKind * kind, gdouble * step)
{
  *step = 0.0;
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec)) {
    *kind = PLAY_PARAM_SWITCH;
  } else if (G_IS_PARAM_SPEC_ENUM (pspec)) {
    *kind = PLAY_PARAM_CHOICE;
  } else if (G_IS_PARAM_SPEC_FLAGS (pspec)) {
    *kind = PLAY_PARAM_FLAGS;
    return G_PARAM_SPEC_FLAGS (pspec)->flags_class->mask <= MAX_FLAGS;
  } else if (G_IS_PARAM_SPEC_UINT (pspec)
      && G_PARAM_SPEC_UINT (pspec)->maximum == G_MAXUINT32
      && g_str_has_suffix (pspec->name, "color")) {
    *kind = PLAY_PARAM_COLOR;
  } else {
    *kind = PLAY_PARAM_NUMBER;
    if (G_IS_PARAM_SPEC_DOUBLE (pspec)) {
      const GParamSpecDouble *number = G_PARAM_SPEC_DOUBLE (pspec);

      *step = get_first_step (number->default_value, number->minimum,
          number->maximum);
    } else if (G_IS_PARAM_SPEC_FLOAT (pspec)) {
      const GParamSpecFloat *number = G_PARAM_SPEC_FLOAT (pspec);

      *step = get_first_step (number->default_value, number->minimum,
          number->maximum);
    } else {
      *step = 1.0;
      return is_integer (pspec->value_type);
    }
  }
  return TRUE;
}

typedef struct
{
  GPtrArray *params;
  GstElement *element;
} Listing;

static void
add_param (GObject * object, GParamSpec * pspec, const gchar * name,
    gpointer data)
{
  const Listing *listing = data;
  PlayParamKind kind;
  gdouble step;

  if ((GST_IS_ELEMENT (object) && pspec->owner_type != G_OBJECT_TYPE (object))
      || !find_kind (pspec, &kind, &step))
    return;
  PlayParam *param = g_new0 (PlayParam, 1);

  param->element = gst_object_ref (listing->element);
  param->object = g_object_ref (object);
  param->pspec = pspec;
  param->name = g_strdup (name);
  param->step = step;
  param->kind = kind;
  g_ptr_array_add (listing->params, param);
}

GPtrArray *
play_params_list (const GList * elements)
{
  GPtrArray *params = g_ptr_array_new_with_free_func (play_param_free);

  for (const GList * l = elements; l; l = l->next) {
    Listing listing = { params, l->data };

    play_properties_foreach (l->data, add_param, &listing);
  }
  return params;
}

/* Reads a value of any kind. GLib transforms numbers and booleans. */
gdouble
play_param_get (const PlayParam * self)
{
  g_auto (GValue) value = G_VALUE_INIT, number = G_VALUE_INIT;

  g_value_init (&value, self->pspec->value_type);
  g_object_get_property (self->object, self->pspec->name, &value);
  if (G_VALUE_HOLDS_ENUM (&value))
    return g_value_get_enum (&value);
  if (G_VALUE_HOLDS_FLAGS (&value))
    return g_value_get_flags (&value);
  if (G_VALUE_HOLDS_BOOLEAN (&value))
    return g_value_get_boolean (&value);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_value_transform (&value, &number);
  return g_value_get_double (&number);
}

/* Rounds numbers, because digits far below the step are rounding errors. */
void
play_param_set (PlayParam * self, gdouble number)
{
  g_auto (GValue) wanted = G_VALUE_INIT, value = G_VALUE_INIT;
  const GType type = self->pspec->value_type;

  g_value_init (&value, type);
  if (G_VALUE_HOLDS_ENUM (&value)) {
    g_value_set_enum (&value, number);
  } else if (G_VALUE_HOLDS_FLAGS (&value)) {
    g_value_set_flags (&value, number);
  } else if (G_VALUE_HOLDS_BOOLEAN (&value)) {
    g_value_set_boolean (&value, number != 0.0);
  } else {
    if (self->step != 0.0) {
      const gdouble scale = 1000.0 / get_power (self->step);

      number = round (number * scale) / scale;
    }
    g_value_init (&wanted, G_TYPE_DOUBLE);
    g_value_set_double (&wanted, type == G_TYPE_UINT || type == G_TYPE_UINT64
        ? MAX (number, 0.0) : number);
    g_value_transform (&wanted, &value);
  }
  g_param_value_validate (self->pspec, &value);
  g_object_set_property (self->object, self->pspec->name, &value);
}

#define GET_RANGE(TYPE) \
  if (G_IS_PARAM_SPEC_##TYPE (self->pspec)) { \
    *lowest = G_PARAM_SPEC_##TYPE (self->pspec)->minimum; \
    *highest = G_PARAM_SPEC_##TYPE (self->pspec)->maximum; \
    usual = G_PARAM_SPEC_##TYPE (self->pspec)->default_value; \
  }

/* Maximum steps of a slider that a mouse can resolve. */
#define N_SLIDER_STEPS 400
#define N_STEPS_AROUND 150

void
play_param_get_range (const PlayParam * self, gdouble * lowest,
    gdouble * highest)
{
  const gdouble now = play_param_get (self);
  gdouble usual = 0.0;

  *lowest = *highest = 0.0;
  GET_RANGE (INT);
  GET_RANGE (UINT);
  GET_RANGE (INT64);
  GET_RANGE (UINT64);
  GET_RANGE (FLOAT);
  GET_RANGE (DOUBLE);
  if (*highest - *lowest > N_SLIDER_STEPS * self->step) {
    const gdouble around = N_STEPS_AROUND * self->step;

    *lowest = MAX (*lowest, MIN (MIN (usual, 0.0) - around, now));
    *highest = MIN (*highest, MAX (MAX (usual, 0.0) + around, now));
  }
}

gchar *
play_param_print (const PlayParam * self)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (self->kind == PLAY_PARAM_COLOR) {
    const guint32 color = play_param_get (self);

    return color >> 24 == 0xff ? g_strdup_printf ("#%06X", color & 0xffffff)
        : g_strdup_printf ("#%08X", color);
  }
  if (self->step != 0.0 && !is_integer (self->pspec->value_type))
    return g_strdup_printf ("%.6g", play_param_get (self));
  g_value_init (&value, self->pspec->value_type);
  g_object_get_property (self->object, self->pspec->name, &value);
  return play_properties_serialize (&value);
}

/* Returns the next choice, flags or colour. */
static guint
find_next (const PlayParam * self, gint n_steps)
{
  const gint64 now = play_param_get (self);

  if (self->kind == PLAY_PARAM_SWITCH)
    return !now;
  if (self->kind == PLAY_PARAM_FLAGS) {
    const gint n = G_PARAM_SPEC_FLAGS (self->pspec)->flags_class->mask + 1;

    return ((now + n_steps) % n + n) % n;
  }
  if (self->kind == PLAY_PARAM_COLOR) {
    guint color = now & 0xff000000;

    for (gint shift = 0; shift < 24; shift += 8) {
      const gint level = (now >> shift & 0xff) + n_steps * 16;

      color |= CLAMP (level, 0, 255) << shift;
    }
    return color;
  }
  const GEnumClass *choices = G_PARAM_SPEC_ENUM (self->pspec)->enum_class;
  const gint n = choices->n_values;
  gint at = 0;

  while (at < n - 1 && choices->values[at].value != now)
    at++;
  return choices->values[((at + n_steps) % n + n) % n].value;
}

void
play_param_move (PlayParam * self, gint n_steps)
{
  play_param_set (self, self->kind == PLAY_PARAM_NUMBER ? play_param_get (self)
      + n_steps * self->step : find_next (self, n_steps));
}

void
play_param_reset (PlayParam * self)
{
  g_object_set_property (self->object, self->pspec->name,
      g_param_spec_get_default_value (self->pspec));
}

static void
set_step (PlayParam * self, gdouble step)
{
  if (is_integer (self->pspec->value_type))
    step = MAX (round (step), 1.0);
  if (self->step != 0.0)
    self->step = CLAMP (step, 1e-6, 1e6);
}

void
play_param_scale_step (PlayParam * self, gint power)
{
  set_step (self, power > 0 ? self->step * 10.0 : self->step / 10.0);
}

void
play_param_add_to_step (PlayParam * self, gint n)
{
  if (self->step == 0.0)
    return;
  gdouble unit = get_power (self->step);

  /* Below its unit, a step continues in tenths of it. */
  if (n < 0 && self->step < 1.5 * unit)
    unit /= 10.0;
  set_step (self, unit * round (self->step / unit + n));
}
