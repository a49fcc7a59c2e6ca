/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a tap outside the frame reads, for every operation with a window. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * OclBorder:
 * @OCL_BORDER_CLAMP_TO_EDGE: a a [a b c d] d d
 * @OCL_BORDER_REFLECT: b a [a b c d] d c
 * @OCL_BORDER_REFLECT_101: c b [a b c d] c b
 * @OCL_BORDER_WRAP: c d [a b c d] a b
 * @OCL_BORDER_CONSTANT: k k [a b c d] k k, k a colour
 *
 * The values are those of kernels/border.clh.
 */
typedef enum
{
  OCL_BORDER_CLAMP_TO_EDGE,
  OCL_BORDER_REFLECT,
  OCL_BORDER_REFLECT_101,
  OCL_BORDER_WRAP,
  OCL_BORDER_CONSTANT,
} OclBorder;

G_END_DECLS
