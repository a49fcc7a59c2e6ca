/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateralcheck.h"

#include <string.h>

void
combination_init (Combination * combination, OclContext * context,
    const OclVariant * variant, OclStorage storage)
{
  combination->variant = variant;
  combination->storage = storage;
  combination->operation = ocl_operation_new (&ocl_bilateral_class, context);
  if (variant)
    ocl_operation_force (combination->operation, variant, NULL);
}

void
combination_clear (Combination * combination)
{
  ocl_operation_free (combination->operation);
}

OclBilateralParams
make_params (gdouble spatial_sigma, gdouble intensity_sigma, gint radius,
    OclBilateralColorMode color_mode, OclBilateralWindow window,
    OclBorderMode border)
{
  const OclBilateralParams params = {
    .spatial_sigma = spatial_sigma,.intensity_sigma = intensity_sigma,
    .radius = radius,.color_mode = color_mode,.window = window,
    .border = {.mode = border,.color = 0xffc81e5a},
  };

  return params;
}

void
filter (const Combination * combination, const OclBilateralParams * params,
    Picture * input, Picture * output)
{
  const OclFrame kind = {.format = OCL_FORMAT_RGBA,
    .storage = combination->storage
  };
  OclContext *context = ocl_operation_get_context (combination->operation);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  GError *error = NULL;
  OclFrame in = picture_create_frame (input, context, &kind);
  OclFrame out = picture_create_frame (output, context, &kind);
  const OclRun run = {.params = params,.input = &in,.output = &out,
    .timer = timer
  };

  gboolean ok = run_operation (combination->operation, &run, &error);
  assert_ok (ok, error);
  picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
  picture_assert_margins (output);
}

void
check_constant (const Combination * combination,
    const OclBilateralParams * params)
{
  Picture input, output;

  picture_init (&input, 33, 12);
  picture_init (&output, 33, 12);
  for (gint y = 0; y < 12; y++) {
    for (gint x = 0; x < 33; x++)
      memcpy (input.pixels + y * input.stride + 4 * x, "\x01\x7f\xff\x42", 4);
  }
  filter (combination, params, &input, &output);
  g_assert_cmpmem (input.bytes, picture_get_size (&input), output.bytes,
      picture_get_size (&output));
  picture_clear (&input);
  picture_clear (&output);
}
