/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "paramnumbers.h"

#define MEMBER(type, params, param) \
    G_STRUCT_MEMBER (type, params, (param)->offset)

gboolean
is_number (const OclParam * param)
{
  switch (param->type) {
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
    case OCL_PARAM_NAMED_NUMBERS:
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      return FALSE;
    default:
      return TRUE;
  }
}

gdouble
get_number (const OclParam * param, gconstpointer params)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
    case OCL_PARAM_INT:
    case OCL_PARAM_ENUM:
      return MEMBER (gint, params, param);
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      return MEMBER (guint, params, param);
    case OCL_PARAM_UINT64:
      return MEMBER (guint64, params, param);
    case OCL_PARAM_DOUBLE:
      return MEMBER (gdouble, params, param);
    default:
      break;
  }
  g_assert_not_reached ();
}

void
set_number (const OclParam * param, gpointer params, gdouble number)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
    case OCL_PARAM_INT:
    case OCL_PARAM_ENUM:
      MEMBER (gint, params, param) = number;
      break;
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      MEMBER (guint, params, param) = number;
      break;
    case OCL_PARAM_UINT64:
      MEMBER (guint64, params, param) = number;
      break;
    case OCL_PARAM_DOUBLE:
      MEMBER (gdouble, params, param) = number;
      break;
    default:
      g_assert_not_reached ();
  }
}

GArray *
get_numbers (const OclParam * param)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble limits[] = { param->minimum, param->maximum };
  gdouble sum = 0.0;

  if (!is_number (param))
    return numbers;
  if (param->type == OCL_PARAM_BOOLEAN || param->type == OCL_PARAM_UINT64)
    limits[0] = 0.0;
  if (param->type == OCL_PARAM_BOOLEAN)
    limits[1] = 1.0;
  if (param->type == OCL_PARAM_UINT64)
    limits[1] = 0x1p63;
  if (!param->values)
    return g_array_append_vals (numbers, limits, G_N_ELEMENTS (limits));
  for (const OclValue * value = param->values->values; value->nick; value++) {
    gdouble number = value->value;

    g_array_append_val (numbers, number);
    sum = (guint) sum | (guint) value->value;
  }
  return param->type == OCL_PARAM_FLAGS ? g_array_append_val (numbers, sum)
      : numbers;
}
