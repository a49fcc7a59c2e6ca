/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of elements that keys, sliders and menus change: numbers,
 * switches, choices, flags and colours. They are read from the elements'
 * properties, and from the properties of the elements' children, so that this
 * code knows no element by its name.
 *
 * All functions are for the main thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * PlayParamKind:
 * @PLAY_PARAM_NUMBER: a number with a range, a step and a default
 * @PLAY_PARAM_SWITCH: 0 or 1
 * @PLAY_PARAM_CHOICE: a value of an enumeration
 * @PLAY_PARAM_FLAGS: a set of flags
 * @PLAY_PARAM_COLOR: a colour, as 0xAARRGGBB: an unsigned integer of 32 bits
 *    whose name ends in "color"
 */
typedef enum
{
  PLAY_PARAM_NUMBER,
  PLAY_PARAM_SWITCH,
  PLAY_PARAM_CHOICE,
  PLAY_PARAM_FLAGS,
  PLAY_PARAM_COLOR,
} PlayParamKind;

/**
 * PlayParam:
 * @kind: the type of its values
 * @element: the element that the parameter belongs to, owned
 * @object: @element or a child of it, which has the property, owned
 * @pspec: the property
 * @name: the name in gst-launch syntax, owned: spatial-sigma, or
 *    bilateral0::spatial-sigma of a child
 * @step: the step of a key for a number, otherwise 0
 */
typedef struct
{
  GstElement *element;
  GObject *object;
  GParamSpec *pspec;
  gchar *name;
  gdouble step;
  PlayParamKind kind;
} PlayParam;

/* Returns the parameters of @elements: a GPtrArray of PlayParam that the caller
 * frees with g_ptr_array_unref().
 *
 * Omits properties that do not affect the picture: those of abstract classes,
 * such as the device. */
GPtrArray *play_params_list (const GList * elements);

/* Returns the value as text: names of choices and flags, #RRGGBB of a
 * colour, or #AARRGGBB if it is not opaque. Free it with g_free(). */
gchar *play_param_print (const PlayParam * self);

/* Get and set the value: a number, or the number that represents a switch, a
 * choice, flags or a colour. A number is clamped to the range of the property,
 * and rounded to a thousandth of the step. */
gdouble play_param_get (const PlayParam * self);
void play_param_set (PlayParam * self, gdouble number);

/* Gets the range for a slider: that of the property, or a part of it around 0,
 * the default and the current value if the range is more than four hundred
 * steps wide. */
void play_param_get_range (const PlayParam * self, gdouble * lowest,
    gdouble * highest);

/* Adds @n_steps steps to a number, within its range. Selects another choice,
 * @n_steps further, toggles a switch, or makes a colour lighter. */
void play_param_move (PlayParam * self, gint n_steps);

/* Resets the property to its default. */
void play_param_reset (PlayParam * self);

/* Makes the step ten times as large for @power 1, or a tenth for -1. A step of
 * an integer is at least 1. */
void play_param_scale_step (PlayParam * self, gint power);

/* Adds @n units to the step, where a unit is the power of ten of the step: 0.2
 * becomes 0.3. It stays above 0. */
void play_param_add_to_step (PlayParam * self, gint n);

G_END_DECLS
