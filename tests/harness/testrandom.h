/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

/* Returns random numbers. Equal seeds give equal ones as long as
 * GLOPENCL_TEST_SEED, a number, is the same: tests/run.sh --all sets another
 * one each time. */
static inline GRand *
test_random_new (guint32 seed)
{
  const gchar *text = g_getenv ("GLOPENCL_TEST_SEED");
  const guint32 base = text ? g_ascii_strtoull (text, NULL, 0) : 0;

  return g_rand_new_with_seed (seed + base * 2654435761u);
}

/* Returns a number from a normal distribution with the deviation 1: the sum of 12
 * numbers, by the central limit theorem. */
static inline gdouble
test_random_normal (GRand * random)
{
  gdouble sum = -6.0;

  for (guint i = 0; i < 12; i++)
    sum += g_rand_double (random);
  return sum;
}
