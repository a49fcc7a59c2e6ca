/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playparams.h"

#include <math.h>

#include "playproperties.h"

static void
play_param_free (gpointer data)
{
  PlayParam *self = data;

  gst_object_unref (self->element);
  g_object_unref (self->object);
  g_free (self->name);
  g_free (self);
}

/* Returns the largest power of ten that is not above @number. */
static gdouble
get_power (gdouble number)
{
  return pow (10.0, floor (log10 (number) + 1e-9));
}

/* Returns the step of a number: a tenth of the power of ten of its default, or
 * of its range, or of 1 if this is less, if the default is 0. */
static gdouble
get_first_step (gdouble default_value, gdouble minimum, gdouble maximum)
{
  const gdouble size = default_value != 0.0 ? fabs (default_value)
      : MIN (maximum - minimum, 1.0);

  return get_power (size) / 10.0;
}

static gboolean
is_integer (GType type)
{
  return type == G_TYPE_INT || type == G_TYPE_UINT || type == G_TYPE_INT64
      || type == G_TYPE_UINT64;
}

/* A key goes through all combinations of flags up to this mask. */
#define MAX_FLAGS 7

static gboolean
is_choice (GParamSpec * pspec)
{
  return G_IS_PARAM_SPEC_BOOLEAN (pspec) || G_IS_PARAM_SPEC_ENUM (pspec)
      || (G_IS_PARAM_SPEC_FLAGS (pspec)
      && G_PARAM_SPEC_FLAGS (pspec)->flags_class->mask <= MAX_FLAGS);
}

/* Returns 0 for a property that is no number. */
static gdouble
get_step (GParamSpec * pspec)
{
  if (G_IS_PARAM_SPEC_DOUBLE (pspec)) {
    const GParamSpecDouble *number = G_PARAM_SPEC_DOUBLE (pspec);

    return get_first_step (number->default_value, number->minimum,
        number->maximum);
  }
  if (G_IS_PARAM_SPEC_FLOAT (pspec)) {
    const GParamSpecFloat *number = G_PARAM_SPEC_FLOAT (pspec);

    return get_first_step (number->default_value, number->minimum,
        number->maximum);
  }
  return is_integer (pspec->value_type) ? 1.0 : 0.0;
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
  const gdouble step = get_step (pspec);

  if ((GST_IS_ELEMENT (object) && pspec->owner_type != G_OBJECT_TYPE (object))
      || (step == 0.0 && !is_choice (pspec)))
    return;
  PlayParam *param = g_new0 (PlayParam, 1);

  param->element = gst_object_ref (listing->element);
  param->object = g_object_ref (object);
  param->pspec = pspec;
  param->name = g_strdup (name);
  param->step = step;
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

static gdouble
get_number (const PlayParam * self)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_object_get_property (self->object, self->pspec->name, &value);
  return g_value_get_double (&value);
}

gchar *
play_param_print (const PlayParam * self)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (self->step != 0.0 && !is_integer (self->pspec->value_type))
    return g_strdup_printf ("%.6g", get_number (self));
  g_value_init (&value, self->pspec->value_type);
  g_object_get_property (self->object, self->pspec->name, &value);
  return gst_value_serialize (&value);
}

/* Sets a number within the range of the property. Rounds it, because digits far
 * behind those of the step are errors of floats. */
static void
set_number (PlayParam * self, gdouble number)
{
  g_auto (GValue) wanted = G_VALUE_INIT;
  g_auto (GValue) value = G_VALUE_INIT;
  const gdouble scale = 1000.0 / get_power (self->step);
  const gboolean is_unsigned = self->pspec->value_type == G_TYPE_UINT
      || self->pspec->value_type == G_TYPE_UINT64;

  number = round (number * scale) / scale;
  g_value_init (&wanted, G_TYPE_DOUBLE);
  g_value_set_double (&wanted, is_unsigned ? MAX (number, 0.0) : number);
  g_value_init (&value, self->pspec->value_type);
  g_value_transform (&wanted, &value);
  g_param_value_validate (self->pspec, &value);
  g_object_set_property (self->object, self->pspec->name, &value);
}

static void
take_another (PlayParam * self, gint n_steps)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, self->pspec->value_type);
  g_object_get_property (self->object, self->pspec->name, &value);
  if (G_IS_PARAM_SPEC_BOOLEAN (self->pspec)) {
    g_value_set_boolean (&value, !g_value_get_boolean (&value));
  } else if (G_IS_PARAM_SPEC_FLAGS (self->pspec)) {
    const gint n = G_PARAM_SPEC_FLAGS (self->pspec)->flags_class->mask + 1;
    const gint flags = g_value_get_flags (&value);

    g_value_set_flags (&value, ((flags + n_steps) % n + n) % n);
  } else {
    const GEnumClass *choices = G_PARAM_SPEC_ENUM (self->pspec)->enum_class;
    const gint n = choices->n_values;
    gint at = 0;

    while (at < n - 1 && choices->values[at].value != g_value_get_enum (&value))
      at++;
    at = ((at + n_steps) % n + n) % n;
    g_value_set_enum (&value, choices->values[at].value);
  }
  g_object_set_property (self->object, self->pspec->name, &value);
}

void
play_param_move (PlayParam * self, gint n_steps)
{
  if (self->step == 0.0)
    take_another (self, n_steps);
  else
    set_number (self, get_number (self) + n_steps * self->step);
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

  /* Below its own unit, a step goes on with tenths of it. */
  if (n < 0 && self->step < 1.5 * unit)
    unit /= 10.0;
  set_step (self, unit * round (self->step / unit + n));
}
