/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of elements that a key can change: numbers, switches and
 * choices. They are read from the elements' properties, and from the properties
 * of the elements' children, so that this code knows no element by its name.
 *
 * All functions are for the main thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * PlayParam:
 * @element: the element that the parameter belongs to; owned
 * @object: @element or a child of it, which has the property; owned
 * @pspec: the property
 * @name: the name as gst-launch-1.0 takes it: spatial-sigma, or
 *    bilateral0::spatial-sigma of a child; owned
 * @step: how much a key changes a number; 0 for what is no number
 */
typedef struct
{
  GstElement *element;
  GObject *object;
  GParamSpec *pspec;
  gchar *name;
  gdouble step;
} PlayParam;

/* Returns the parameters of @elements: a GPtrArray of PlayParam that the caller
 * frees with g_ptr_array_unref().
 *
 * Left out is what does not concern the picture: properties that were declared
 * by an abstract class, such as the device. */
GPtrArray *play_params_list (const GList * elements);

/* Returns the value as text; free it with g_free(). */
gchar *play_param_print (const PlayParam * self);

/* Adds @n_steps steps to a number, within its range. Takes another choice,
 * @n_steps further, or turns a switch. */
void play_param_move (PlayParam * self, gint n_steps);

/* Sets the property's default. */
void play_param_reset (PlayParam * self);

/* Makes the step ten times as large for @power 1, or a tenth for -1. A step of
 * an integer is at least 1. */
void play_param_scale_step (PlayParam * self, gint power);

/* Adds @n units to the step, where a unit is the power of ten of the step: 0.2
 * becomes 0.3. It stays above 0. */
void play_param_add_to_step (PlayParam * self, gint n);

G_END_DECLS
