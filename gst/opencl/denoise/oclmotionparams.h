/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of the motion search, see oclmotion.h. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * OclMotionParams:
 * @n_neighbours: how many other pictures are compared
 * @search: whether blocks are searched for; otherwise all vectors are 0
 * @noise: the standard deviation of the noise of luma, in levels of 8 bits; -1
 *    for the noise in the first needed result, an OclNoiseResult, which also
 *    names cuts
 */
typedef struct
{
  guint n_neighbours;
  gboolean search;
  gdouble noise;
} OclMotionParams;

G_END_DECLS
