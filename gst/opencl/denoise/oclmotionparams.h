/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of the motion search, see oclmotion.h. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * OclMotionParams:
 * @n_neighbours: number of other pictures to compare
 * @search: whether blocks are searched for. Otherwise all vectors are 0
 * @noise: the standard deviation of the noise of luma, in levels of 8 bits. -1
 *    for the noise in the first needed result, an OclNoiseResult, which also
 *    has cuts
 */
typedef struct
{
  guint n_neighbours;
  gboolean search;
  gdouble noise;
} OclMotionParams;

G_END_DECLS
