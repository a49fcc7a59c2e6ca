/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Border mode: defines the values of taps outside the frame. Part of the
 * parameters of every operation with a window. */

#pragma once

#include "oclparam.h"

G_BEGIN_DECLS

/**
 * OclBorderMode:
 * @OCL_BORDER_CLAMP_TO_EDGE: a a [a b c d] d d
 * @OCL_BORDER_REFLECT: b a [a b c d] d c
 * @OCL_BORDER_REFLECT_101: c b [a b c d] c b
 * @OCL_BORDER_WRAP: c d [a b c d] a b
 * @OCL_BORDER_CONSTANT: k k [a b c d] k k, k a colour
 *
 * The values must match kernels/border.clh.
 */
typedef enum
{
  OCL_BORDER_CLAMP_TO_EDGE,
  OCL_BORDER_REFLECT,
  OCL_BORDER_REFLECT_101,
  OCL_BORDER_WRAP,
  OCL_BORDER_CONSTANT,
} OclBorderMode;

/**
 * OclBorder:
 * @mode: the source of taps outside the frame
 * @color: k as 0xAARRGGBB, where 0xff is the largest level. Alpha has no effect
 */
typedef struct
{
  OclBorderMode mode;
  guint color;
} OclBorder;

extern const OclValues ocl_border_modes;

/* Defines the entries of a parameter table for @member, which is an OclBorder
 * in the struct @type. */
#define OCL_BORDER_PARAMS(type, member) \
  {"border", "Samples outside the frame. The examples show a row a b c d", \
      OCL_PARAM_ENUM, G_STRUCT_OFFSET (type, member.mode), \
      .values = &ocl_border_modes, \
      .default_value = OCL_BORDER_CLAMP_TO_EDGE}, \
  {"border-color", "Colour outside the frame for border=constant, as " \
        "0xAARRGGBB. Alpha is ignored, because alpha is not filtered", \
      OCL_PARAM_UINT, G_STRUCT_OFFSET (type, member.color), \
      .maximum = G_MAXUINT32, .default_value = 0xff000000}

G_END_DECLS
