/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclborder.h"

static const OclValue modes[] = {
  {OCL_BORDER_CLAMP_TO_EDGE, "clamp-to-edge", "a a [a b c d] d d"},
  {OCL_BORDER_REFLECT, "reflect", "b a [a b c d] d c"},
  {OCL_BORDER_REFLECT_101, "reflect-101", "c b [a b c d] c b"},
  {OCL_BORDER_WRAP, "wrap", "c d [a b c d] a b"},
  {OCL_BORDER_CONSTANT, "constant", "k k [a b c d] k k, k the border-color"},
  {0, NULL, NULL},
};

const OclValues ocl_border_modes = { "border", modes };
