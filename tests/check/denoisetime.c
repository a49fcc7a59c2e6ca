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
    Picture input, output;

    picture_init (&input, ocl_format_find ("GRAY8"), side, side);
    picture_init_copy (&output, &input);
    for (gint n = 0; n < side * side; n++)
      picture_set_level (&input, 0, n % side, n / side, levels[i / 2]);
    for (guint n = 0; n < 3; n++) {
      picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
      picture_assert_equal (&output, &input, "a constant frame");
    }
    picture_clear (&input);
    picture_clear (&output);
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
  Picture output, output_alone;

  alone.history = 0;
  run_frames (sequence, params, 0, n, &output);
  run_frames (sequence, &alone, n, n, &output_alone);
  const gdouble gain = 10.0 * log10 (get_error (sequence, &output_alone, n,
          left, top, side) / get_error (sequence, &output, n, left, top, side));
  picture_clear (&output);
  picture_clear (&output_alone);
  return gain;
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
  Picture after, first;

  for (guint n = 3; n < N_FRAMES; n++) {
    run_frames (&sequence, params, 0, n, &after);
    run_frames (&sequence, params, 3, n, &first);
    picture_assert_equal (&after, &first, "a frame after a cut");
    picture_clear (&after);
    picture_clear (&first);
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
    Picture input, output, first;

    if (i % 4 == 0)
      ocl_filter_forget (operation);
    else if (i % 4 == 1)
      sequence.width ^= 8;
    else if (i % 4 == 2)
      sequence.format = ocl_format_find (i == 2 ? "GRAY8" : "I420");
    else
      params->history ^= 1;
    run_frame (&sequence, operation, params, 0, &input, &output);
    run_frames (&sequence, params, 0, 0, &first);
    picture_assert_equal (&output, &first, "a frame after a change");
    picture_clear (&input);
    picture_clear (&output);
    run_frame (&sequence, operation, params, 1, &input, &output);
    picture_clear (&first);
    run_frames (&sequence, params, 0, 1, &first);
    picture_assert_equal (&output, &first, "the frame after it");
    picture_clear (&input);
    picture_clear (&output);
    picture_clear (&first);
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
    Picture input, output, wanted;

    params->border.mode =
        i == 0 ? OCL_BORDER_CLAMP_TO_EDGE : OCL_BORDER_CONSTANT;
    params->border.color = i == 1 ? 0xff000000 : HARNESS_BORDER_COLOR;
    run_frame (&sequence, operation, params, i, &input, &output);
    run_frames (&sequence, params, 0, i, &wanted);
    picture_assert_equal (&output, &wanted, "a frame with a new border");
    picture_clear (&input);
    picture_clear (&output);
    picture_clear (&wanted);
  }
}

/* The fields of interlaced frames are two films. */
TEST_VARIANTS (&ocl_denoise_class, test_fields)
{
  const OclFormat *format = ocl_format_find ("I420");
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_autoptr (OclFilter) whole = create_operation (variant);
  OclFilter *halves[2] = { NULL, };

  for (guint n = 0; n < 4; n++) {
    Picture input, output;

    picture_init (&input, format, 48, 64);
    picture_init (&output, format, 48, 64);
    draw (&input, show_pan, n, 10.0);
    input.frame.info.interlaced = output.frame.info.interlaced = TRUE;
    picture_run (whole, params, &input, &output, OCL_STORAGE_BUFFER);
    for (guint field = 0; field < 2; field++) {
      Picture half, wanted, actual;

      picture_init_field (&half, &input, field);
      picture_init_field (&actual, &output, field);
      picture_init (&wanted, format, 48, 32);
      if (!halves[field])
        halves[field] = create_operation (variant);
      picture_run (halves[field], params, &half, &wanted, OCL_STORAGE_BUFFER);
      picture_assert_equal (&actual, &wanted, "a field");
      picture_clear (&half);
      picture_clear (&wanted);
      picture_clear (&actual);
    }
    picture_clear (&input);
    picture_clear (&output);
  }
  ocl_filter_unref (halves[0]);
  ocl_filter_unref (halves[1]);
}

/* Filters frame @n, which is interlaced if @interlaced is set. The caller clears
 * @output. */
static void
run_interlaced (const Sequence * sequence, OclFilter * operation,
    gboolean interlaced, guint n, Picture * output)
{
  g_autoptr (OclDenoiseParams) params = create_params ();
  Picture input;

  picture_init (&input, sequence->format, sequence->width, sequence->height);
  picture_init (output, sequence->format, sequence->width, sequence->height);
  draw (&input, sequence->scene, n, sequence->sigma);
  input.frame.info.interlaced = output->frame.info.interlaced = interlaced;
  picture_run (operation, params, &input, output, OCL_STORAGE_BUFFER);
  picture_assert_margins (output);
  picture_clear (&input);
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
  Picture output, wanted;

  before.sigma = 30.0;
  run_interlaced (&sequence, alone, TRUE, 1, &wanted);
  for (guint i = 0; i < 2; i++) {
    run_interlaced (&sequence, mixed, FALSE, 0, &output);
    picture_clear (&output);
    run_interlaced (&sequence, mixed, TRUE, 1, &output);
    picture_assert_equal (&output, &wanted, "the first fields");
    picture_clear (&output);
    run_interlaced (&before, mixed, TRUE, 2, &output);
    picture_clear (&output);
    ocl_filter_forget (mixed);
  }
  picture_clear (&wanted);
}

/* A frame with given noise resets the estimate. */
TEST_VARIANTS (&ocl_denoise_class, test_given)
{
  const Sequence sequence = {.variant = variant,
    .format = ocl_format_find ("GRAY8"),.width = 64,.height = 48,
    .scene = show_ramp,.sigma = 10.0
  };
  Picture outputs[2];

  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (variant);

    params->history = 0;
    for (guint n = 0; n < 3; n++) {
      Picture input;

      params->noise = n == 1 || (n == 0 && i == 0) ? 30.0 : -1.0;
      run_frame (&sequence, operation, params, n, &input, &outputs[i]);
      picture_clear (&input);
      if (n < 2)
        picture_clear (&outputs[i]);
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
      Picture output;

      run_interlaced (&sequence, operation, TRUE, n, &output);
      picture_clear (&output);
    }
  }
}
