/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiserun.h"

#include <math.h>

#include "references.h"
#include "testrandom.h"

TEST_CONTEXT ();

static gdouble
draw_texture (gdouble x, gdouble y)
{
  return 0.5 + 0.2 * sin (x * 0.45) * cos (y * 0.38)
      + 0.1 * sin ((x + 2 * y) * 0.21) + ((gint) floor (x / 9) & 1 ? 0.06 : 0);
}

gdouble
show_still (G_GNUC_UNUSED guint n, gint x, gint y)
{
  return draw_texture (x, y);
}

gdouble
show_pan (guint n, gint x, gint y)
{
  return draw_texture (x + 3.0 * n, y + 1.0 * n);
}

/* Strong texture as fine as fur. */
static gdouble
draw_fur (gdouble x, gdouble y)
{
  return 0.5 + 0.11 * (sin (0.9 * x + 0.2 * y) + sin (0.4 * x - 1.0 * y + 1.0)
      + sin (0.7 * y - 0.6 * x + 2.0));
}

gdouble
show_fur (G_GNUC_UNUSED guint n, gint x, gint y)
{
  return draw_fur (x, y);
}

gdouble
show_fur_pan (guint n, gint x, gint y)
{
  return draw_fur (x + 0.2 * n, y + 0.15 * n);
}

gdouble
show_passing (guint n, gint x, gint y)
{
  const gint left = 8 + 5 * n, top = 10 + 2 * n;

  return x >= left && x < left + 7 && y >= top && y < top + 7
      ? 0.9 - 0.1 * ((x + y) & 1) : draw_texture (x, y) * 0.6;
}

gdouble
show_ramp (G_GNUC_UNUSED guint n, gint x, G_GNUC_UNUSED gint y)
{
  return 0.2 + x / 430.0;
}

gdouble
show_cut (guint n, gint x, gint y)
{
  return y < 14 ? 0.3 : n < 3 ? draw_texture (x,
      y) * 0.5 : 1.0 - 0.45 * draw_texture (y, x);
}

/* The noise is always the same: limits on its rest were measured with it. */
Picture
draw_frame (const Sequence * self, guint n)
{
  Picture picture =
      picture_new_scene (self->format, self->width, self->height, n);
  const gdouble max_level = ocl_format_get_max_level (self->format);
  const gint pitch = self->width + 2;
  g_autofree gdouble *white = g_new (gdouble, pitch * (self->height + 2));
  g_autoptr (GRand) random = g_rand_new_with_seed (n + 1);

  for (guint c = 0; c < picture_count_channels (self->format); c++) {
    const gboolean is_chroma = c > 0 && self->format->model != OCL_MODEL_RGB;
    const gint x_shift = is_chroma ? self->format->chroma_x_shift : 0;
    const gint y_shift = is_chroma ? self->format->chroma_y_shift : 0;

    for (gint i = 0; self->is_blurred && i < pitch * (self->height + 2); i++)
      white[i] = test_random_normal (random);
    for (gint y = 0; y < picture_get_height (&picture, c); y++) {
      for (gint x = 0; x < picture_get_width (&picture, c); x++) {
        const gdouble clean = self->scene (n, x << x_shift, y << y_shift)
            * (c > 0 ? 0.8 : 1.0);
        gdouble level = clean;

        /* The mean of 9 samples has a third of their deviation. */
        for (gint i = 0; self->is_blurred && i < 9; i++)
          level += white[(y + i / 3) * pitch + x + i % 3] / 3.0 * self->sigma
              / 255.0;
        /* Other channels have other curves. */
        if (!self->is_blurred)
          level += test_random_normal (random) * (self->sigma
              + self->growth * (c > 0 ? 1.0 - clean : clean)) / 255.0;
        picture_set_level (&picture, c, x, y,
            rint (CLAMP (level, 0.0, 1.0) * max_level));
      }
    }
  }
  return picture;
}

OclDenoiseParams *
create_params (void)
{
  return ocl_operation_class_create_params (&ocl_denoise_class);
}

OclFilter *
create_operation (const OclVariant * variant)
{
  return create_forced (context, &ocl_denoise_class, variant, NULL);
}

Picture
run_frames (const Sequence * sequence, OclFilter * operation,
    const OclDenoiseParams * params, guint first, guint n)
{
  g_autoptr (OclFilter) separate =
      operation ? NULL : create_operation (sequence->variant);
  Picture output = { 0, };

  for (guint i = first; i <= n; i++) {
    g_auto (Picture) input = draw_frame (sequence, i);

    picture_clear (&output);
    output = picture_filter (operation ? operation : separate, params, &input,
        OCL_STORAGE_BUFFER);
  }
  return output;
}
