/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocluservariants.h"

#include <string.h>

const OclUserSource *
ocl_user_get_source (gconstpointer params)
{
  return ocl_user_source_of (((const OclUserParams *) params)->source);
}

const OclUserSource *
ocl_user_get_built (const OclBuild * build)
{
  return ocl_user_source_of (build->text);
}

const OclInsert *
ocl_user_get_insert (const OclBuild * build)
{
  return &ocl_user_get_built (build)->insert;
}

gint
ocl_user_get_n_taps (const OclRun * run)
{
  const OclUserSource *source = ocl_user_get_source (run->params);

  return (2 * source->radius_x + 1) * (2 * source->radius_y + 1)
      * (1 + source->history);
}

const OclFrame *
ocl_user_get_earlier (const OclRun * run, guint age)
{
  const OclFrame *frame = run->input;

  for (guint i = 0; i < MIN (age, run->n_earlier); i++) {
    if (run->neighbours[i].serial == 0)
      break;
    frame = &run->neighbours[i].frame;
  }
  return frame;
}

cl_float4
ocl_user_get_outside (const OclRun * run)
{
  const OclUserParams *params = run->params;
  const guint argb = params->border.color;
  cl_float4 color = ocl_pass_get_color (run->pass, &run->input->info, argb);

  if (run->pass->n_channels == OCL_MAX_PASS_CHANNELS)
    color.s[3] = (argb >> 24) / 255.0f
        * ocl_format_get_max_level (run->input->info.format);
  return color;
}

cl_float
ocl_user_get_outside_luma (const OclRun * run)
{
  const OclUserParams *params = run->params;
  const OclPass luma = {.first_channel = OCL_CHANNEL_LUMA,.n_channels = 1 };

  return run->pass->guided
      ? ocl_pass_get_color (&luma, &run->input->info, params->border.color).s[0]
      : 0.0f;
}

cl_float16
ocl_user_get_values (const OclRun * run)
{
  const OclUserParams *params = run->params;
  cl_float16 values;

  memcpy (values.s, params->values, sizeof (params->values));
  return values;
}
