/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every variant of the denoiser over time, on sequences of frames: no
 * artifacts from previous frames on moving objects, after cuts and in pans,
 * resets of the history, fields, and frames without noise. */

#include <math.h>

#include "denoiserun.h"
#include "picture.h"

#define N_FRAMES 5

/* Black, white and constant frames, and frames that are too small, have no
 * noise, and stay as they are. */
TEST_VARIANTS (&ocl_denoise_class, test_constant)
{
  static const guint levels[] = { 0, 255, 97 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (levels); i++) {
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (variant);
    const gint side = i % 2 ? 5 : 40;
    g_auto (Picture) input =
        picture_new (ocl_format_find ("GRAY8"), side, side);
    g_auto (Picture) output = picture_copy (&input);

    for (gint n = 0; n < side * side; n++)
      picture_set_level (&input, 0, n % side, n / side, levels[i / 2]);
    for (guint n = 0; n < 3; n++) {
      picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
      picture_assert_equal (&output, &input, "a constant frame");
    }
  }
}

/* The mean square error of luma against the scene without noise, in a square
 * of the picture. */
static gdouble
get_error (const Sequence * sequence, const Picture * output, guint n,
    gint left, gint top, gint side)
{
  gdouble sum = 0.0;

  for (gint y = top; y < top + side; y++) {
    for (gint x = left; x < left + side; x++) {
      const gdouble difference = picture_get_level (output, 0, x, y)
          - 255.0 * CLAMP (sequence->scene (n, x, y), 0.0, 1.0);

      sum += difference * difference;
    }
  }
  return sum / (side * side);
}

/* How many dB the error is less with earlier frames than without, in a square of
 * frame @n. */
static gdouble
get_gain (const Sequence * sequence, const OclDenoiseParams * params, guint n,
    gint left, gint top, gint side)
{
  OclDenoiseParams alone = *params;

  alone.history = 0;
  g_auto (Picture) output = run_frames (sequence, NULL, params, 0, n);
  g_auto (Picture) output_alone = run_frames (sequence, NULL, &alone, n, n);
  return 10.0 * log10 (get_error (sequence, &output_alone, n, left, top, side)
      / get_error (sequence, &output, n, left, top, side));
}

/* A small thing that moves keeps its shape, and the background that it uncovers
 * shows nothing of it. */
TEST_VARIANTS (&ocl_denoise_class, test_passing)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("GRAY8"),.width = 64,.height = 48,
    .scene = show_passing,.sigma = 12.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();

  params->noise = 12.0;
  /* The square is 28, 18 by then, and was 18, 14 before. */
  const gdouble thing = get_gain (&sequence, params, 4, 27, 17, 9);
  const gdouble trail = get_gain (&sequence, params, 4, 17, 13, 10);
  const gdouble still = get_gain (&sequence, params, 4, 2, 32, 14);

  g_test_message ("dB over the frame by itself: thing %.2f, trail %.2f, "
      "background %.2f", thing, trail, still);
  g_assert_cmpfloat (thing, >, -0.5);
  g_assert_cmpfloat (trail, >, -0.5);
  g_assert_cmpfloat (still, >, 1.5);
}

/* A cut leaves nothing of the frames before it. */
TEST_VARIANTS (&ocl_denoise_class, test_cut)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("I420"),.width = 96,.height = 64,
    .scene = show_cut,.sigma = 10.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();

  for (guint n = 3; n < N_FRAMES; n++) {
    g_auto (Picture) after = run_frames (&sequence, NULL, params, 0, n);
    g_auto (Picture) first = run_frames (&sequence, NULL, params, 3, n);

    picture_assert_equal (&after, &first, "a frame after a cut");
  }
}

/* Panning content is improved by previous frames, and has no ghosts. */
TEST_VARIANTS (&ocl_denoise_class, test_pan)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("GRAY8"),.width = 96,.height = 64,
    .scene = show_pan,.sigma = 12.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();

  params->noise = 12.0;
  const gdouble searched = get_gain (&sequence, params, 4, 16, 8, 48);
  params->motion = FALSE;
  const gdouble still = get_gain (&sequence, params, 4, 16, 8, 48);

  g_test_message ("dB over the frame by itself: %.2f, without motion %.2f",
      searched, still);
  g_assert_cmpfloat (searched, >, 1.5);
  g_assert_cmpfloat (still, >, -0.3);
}

/* After ocl_filter_forget() the next frame is the first one. So it is after a
 * change of the size, of the format or of the history. */
TEST_VARIANTS (&ocl_denoise_class, test_forget)
{
  Sequence sequence = {.variant = variant,.format = ocl_format_find ("I420"),
    .width = 48,.height = 32,.scene = show_still,.sigma = 10.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_autoptr (OclFilter) operation = create_operation (variant);

  for (guint i = 0; i < 8; i++) {
    if (i % 4 == 0)
      ocl_filter_forget (operation);
    else if (i % 4 == 1)
      sequence.width ^= 8;
    else if (i % 4 == 2)
      sequence.format = ocl_format_find (i == 2 ? "GRAY8" : "I420");
    else
      params->history ^= 1;
    for (guint n = 0; n < 2; n++) {
      g_auto (Picture) output = run_frames (&sequence, operation, params, n, n);
      g_auto (Picture) first = run_frames (&sequence, NULL, params, 0, n);

      picture_assert_equal (&output, &first, n == 0
          ? "a frame after a change" : "the frame after it");
    }
  }
}

/* A new border counts for earlier frames, too. */
TEST_VARIANTS (&ocl_denoise_class, test_border)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("GRAY16_LE"),.width = 48,.height = 32,
    .scene = show_still,.sigma = 10.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_autoptr (OclFilter) operation = create_operation (variant);

  params->noise = 10.0;
  for (guint i = 0; i < 3; i++) {
    params->border.mode =
        i == 0 ? OCL_BORDER_CLAMP_TO_EDGE : OCL_BORDER_CONSTANT;
    params->border.color = i == 1 ? 0xff000000 : HARNESS_BORDER_COLOR;
    g_auto (Picture) output = run_frames (&sequence, operation, params, i, i);
    g_auto (Picture) wanted = run_frames (&sequence, NULL, params, 0, i);
    picture_assert_equal (&output, &wanted, "a frame with a new border");
  }
}

/* The fields of interlaced frames are two films. */
TEST_VARIANTS (&ocl_denoise_class, test_fields)
{
  const Sequence sequence = {.format = ocl_format_find ("I420"),.width = 48,
    .height = 64,.scene = show_pan,.sigma = 10.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_autoptr (OclFilter) whole = create_operation (variant);
  OclFilter *halves[2] = { NULL, };

  for (guint n = 0; n < 4; n++) {
    g_auto (Picture) input = draw_frame (&sequence, n);

    input.frame.info.interlaced = TRUE;
    g_auto (Picture) output = picture_filter (whole, params, &input,
        OCL_STORAGE_BUFFER);
    for (guint field = 0; field < 2; field++) {
      g_auto (Picture) half = picture_copy_field (&input, field);
      g_auto (Picture) actual = picture_copy_field (&output, field);

      if (!halves[field])
        halves[field] = create_operation (variant);
      g_auto (Picture) wanted = picture_filter (halves[field], params, &half,
          OCL_STORAGE_BUFFER);
      picture_assert_equal (&actual, &wanted, "a field");
    }
  }
  ocl_filter_unref (halves[0]);
  ocl_filter_unref (halves[1]);
}

/* Returns the output for frame @n, which is interlaced if @interlaced is
 * set. */
static Picture
run_interlaced (const Sequence * sequence, OclFilter * operation,
    gboolean interlaced, guint n)
{
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_auto (Picture) input = draw_frame (sequence, n);

  input.frame.info.interlaced = interlaced;
  Picture output = picture_filter (operation, params, &input,
      OCL_STORAGE_BUFFER);
  picture_assert_margins (&output);
  return output;
}

/* In mixed streams, the first interlaced frame knows no noise of fields, also
 * after a discontinuity. Fields of this size have as many means as frames. */
TEST_VARIANTS (&ocl_denoise_class, test_mixed)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("GRAY8"),.width = 256,.height = 512,
    .scene = show_ramp,.sigma = 10.0
  };
  g_autoptr (OclFilter) mixed = create_operation (variant);
  g_autoptr (OclFilter) alone = create_operation (variant);
  Sequence before = sequence;

  before.sigma = 30.0;
  g_auto (Picture) wanted = run_interlaced (&sequence, alone, TRUE, 1);
  for (guint i = 0; i < 2; i++) {
    picture_discard (run_interlaced (&sequence, mixed, FALSE, 0));
    g_auto (Picture) output = run_interlaced (&sequence, mixed, TRUE, 1);

    picture_assert_equal (&output, &wanted, "the first fields");
    picture_discard (run_interlaced (&before, mixed, TRUE, 2));
    ocl_filter_forget (mixed);
  }
}

/* A frame with given noise resets the estimate. */
TEST_VARIANTS (&ocl_denoise_class, test_given)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("GRAY8"),.width = 64,.height = 48,
    .scene = show_ramp,.sigma = 10.0
  };
  Picture outputs[2] = { 0, };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (variant);

    params->history = 0;
    for (guint n = 0; n < 3; n++) {
      params->noise = n == 1 || (n == 0 && i == 0) ? 30.0 : -1.0;
      picture_clear (&outputs[i]);
      outputs[i] = run_frames (&sequence, operation, params, n, n);
    }
  }
  picture_assert_equal (&outputs[0], &outputs[1], "the last frame");
  picture_clear (&outputs[0]);
  picture_clear (&outputs[1]);
}

/* Interlaced frames of a few rows, whose second field may be empty. Tools take
 * half a minute for two heights. */
TEST_VARIANTS (&ocl_denoise_class, test_few_rows)
{
  const gint step = is_left_out (OCL_STORAGE_IMAGE) ? 4 : 1;

  for (gint height = 1; height <= 5; height += step) {
    const Sequence sequence = {.variant = variant,
      .format = ocl_format_find ("I420"),.width = 20,.height = height,
      .scene = show_still,.sigma = 10.0
    };
    g_autoptr (OclFilter) operation = create_operation (variant);

    for (guint n = 0; n < 3; n++) {
      picture_discard (run_interlaced (&sequence, operation, TRUE, n));
    }
  }
}
