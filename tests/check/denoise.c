/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every variant of the denoiser over time, on sequences of frames,
 * against a float64 reference: formats, borders, histories, frames smaller than
 * a block; motion vectors and matches, and noise estimates. denoisetime.c tests
 * side effects of previous frames.
 *
 * Required accuracy: within 1 level of the reference rounded to nearest for up
 * to 12 bits, within 2 levels for 16 bits. Vectors and matches are equal. */

#include <math.h>
#include <string.h>

#include "denoiserun.h"
#include "references.h"
#include "opencl/denoise/oclmotion.h"
#include "opencl/denoise/oclspectrum.h"
#include "picture.h"

#define N_FRAMES 5
#define MAX_FRAMES (OCL_MAX_NEIGHBOURS + 1)

/* Asserts that @output is frame @n of @n_frames, filtered. */
static void
assert_denoised (const OclDenoiseParams * params,
    const ReferenceDenoiseFrame * frames, guint n_frames, guint n,
    const Picture * input, const Picture * output)
{
  const OclFormat *format = output->frame.info.format;
  g_autofree gchar *what = g_strdup_printf ("%s, frame %u", format->name, n);
  const gsize n_samples =
      (gsize) input->frame.info.width * input->frame.info.height;
  g_autofree gdouble *samples = g_new0 (gdouble, 3 * n_samples);
  gdouble *wanted[3] = {
    samples, samples + n_samples, samples + 2 * n_samples
  };
  ReferenceDenoise reference = get_reference_denoise (params);

  for (guint c = 0; c < picture_count_channels (format); c++)
    reference.border_levels[c] = reference_get_border_level (format, c,
        params->border.color);
  reference_denoise (&reference, frames, n_frames, n, wanted);
  g_autofree gchar *fault = harness_compare (&ocl_denoise_class, params, input,
      output, wanted, FALSE, NULL);
  if (fault)
    g_error ("%s: %s", what, fault);
  picture_assert_margins (output);
}

static void
check_sequence (const Sequence * sequence, const OclDenoiseParams * params)
{
  g_autoptr (OclFilter) operation = create_operation (sequence->variant);
  ReferenceDenoiseFrame frames[MAX_FRAMES];
  Picture inputs[MAX_FRAMES];
  const OclFrame like = {.info = {.format = sequence->format,.storage =
          OCL_STORAGE_BUFFER,.width = sequence->width,.height =
          sequence->height}
  };
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (params);
  const guint n_later = neighbours.n_later;
  /* One frame at least has all neighbours. */
  const guint n_frames = MAX (N_FRAMES, neighbours.n_earlier + 1 + n_later);

  if (!has_room (operation, sequence->variant, &like, params))
    return;
  for (guint n = 0; n < n_frames; n++) {
    inputs[n] = draw_frame (sequence, n);
    frames[n] = take_denoise_frame (&inputs[n]);
  }
  g_auto (Picture) output =
      picture_new (sequence->format, sequence->width, sequence->height);
  for (guint n = 0; n < n_frames + n_later; n++) {
    const gboolean filters = n >= n_later;
    const guint age = MIN (n_later, n_frames + n_later - 1 - n);

    picture_run_kept (operation, params,
        n < n_frames ? &inputs[n] : NULL, filters ? &output : NULL, age,
        OCL_STORAGE_BUFFER);
    if (filters)
      assert_denoised (params, frames, n_frames, n - n_later,
          &inputs[n - n_later], &output);
  }
  for (guint n = 0; n < n_frames; n++) {
    denoise_frame_clear (&frames[n]);
    picture_clear (&inputs[n]);
  }
}

static const Scene scenes[] = { show_still, show_pan, show_passing, show_cut };

/* Parameters of many kinds, with earlier and later frames. The sweep over all
 * formats in formats.c has first frames. */
TEST_VARIANTS (&ocl_denoise_class, test_formats)
{
  static const gchar *const names[] = { "RGBA", "GRAY8", "I420_10LE" };
  static const gint sizes[][2] = { {48, 40}, {35, 21}, {7, 5}, {1, 1}, {66, 18}
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    Sequence sequence = {.variant = variant,
      .format = ocl_format_find (names[i]),.sigma = 8.0
    };

    for (guint n = 0; n < G_N_ELEMENTS (sizes); n++) {
      g_autoptr (OclDenoiseParams) params = create_params ();

      sequence.width = sizes[n][0];
      sequence.height = sizes[n][1];
      sequence.scene = scenes[(i + n) % G_N_ELEMENTS (scenes)];
      params->noise = n % 2 ? -1.0 : 8.0;
      params->strength = n % 3 == 2 ? 1.6 : 1.0;
      params->chroma_strength = n >= 2 ? 0.5 : -1.0;
      params->planes = 1 + (i + n) % 3;
      params->lookahead = n == 3 ? 1 : n == 0 ? 2 : 0;
      params->curve = n % 2;
      params->grain = n == 1 ? 0.3 : 0.0;
      params->border.mode = (i + n) % 5;
      params->border.color = HARNESS_BORDER_COLOR;
      check_sequence (&sequence, params);
    }
  }
}

TEST_VARIANTS (&ocl_denoise_class, test_histories)
{
  static const struct
  {
    guint history;
    guint lookahead;
    gboolean motion;
    gdouble noise;              /* a low one leaves changes of matching frames */
  } cases[] = {
    {0, 0, TRUE, 10.0}, {1, 0, TRUE, 10.0}, {2, 0, TRUE, 3.0},
    {3, 0, FALSE, 10.0}, {4, 0, TRUE, 3.0}, {0, 2, TRUE, 10.0},
    {1, 1, TRUE, 10.0}, {2, 2, TRUE, 3.0}, {2, 2, FALSE, 10.0},
    {4, 2, TRUE, 3.0},
  };
  Sequence sequence = {.variant = variant,.width = 50,.height = 34,.sigma = 10.0
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OclDenoiseParams) params = create_params ();

    params->history = cases[i].history;
    params->lookahead = cases[i].lookahead;
    params->motion = cases[i].motion;
    params->noise = cases[i].noise;
    sequence.scene = scenes[i % G_N_ELEMENTS (scenes)];
    /* Vectors of chroma are halved in both directions, or in one. */
    sequence.format = ocl_format_find (i % 2 ? "Y42B" : "I420");
    check_sequence (&sequence, params);
  }
}

/* Blocks at every fourth sample, and four frames on both sides, in sizes that
 * end in the middle of blocks, cells and vectors of samples. */
TEST_VARIANTS (&ocl_denoise_class, test_efforts)
{
  static const struct
  {
    OclDenoiseEffort effort;
    const gchar *format;
    gint width, height;
    gdouble noise;
    guint history, lookahead;
  } cases[] = {
    {OCL_DENOISE_EFFORT_FAST, "I420", 50, 34, 10.0, 2, 0},
    {OCL_DENOISE_EFFORT_FAST, "Y42B", 67, 19, -1.0, 2, 2},
    {OCL_DENOISE_EFFORT_FAST, "RGBA", 35, 21, 8.0, 0, 0},
    {OCL_DENOISE_EFFORT_FAST, "GRAY8", 131, 37, 10.0, 4, 1},
    /* History and lookahead are not asked. */
    {OCL_DENOISE_EFFORT_BEST, "I420", 50, 34, 10.0, 0, 0},
    {OCL_DENOISE_EFFORT_BEST, "GRAY8", 35, 21, -1.0, 2, 0},
    {OCL_DENOISE_EFFORT_FAST, "I420_10LE", 3, 2, 10.0, 1, 1},
  };
  Sequence sequence = {.variant = variant,.sigma = 10.0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OclDenoiseParams) params = create_params ();

    params->effort = cases[i].effort;
    params->noise = cases[i].noise;
    params->history = cases[i].history;
    params->lookahead = cases[i].lookahead;
    params->border.mode = i % 5;
    params->border.color = HARNESS_BORDER_COLOR;
    sequence.scene = scenes[i % G_N_ELEMENTS (scenes)];
    sequence.format = ocl_format_find (cases[i].format);
    sequence.width = cases[i].width;
    sequence.height = cases[i].height;
    check_sequence (&sequence, params);
  }
}

/* Returns the result of a needed operation on the host. The caller frees it. */
static gpointer
read_needed (OclFilter * operation, const OclOperationClass * klass, gsize size)
{
  OclResult *result = ocl_filter_find_result (operation, klass);
  g_autoptr (OclTimer) timer = ocl_timer_new ();

  g_assert_nonnull (result);
  ASSERT_OK (ocl_result_ensure (result, context, size, &error)
      && ocl_result_enqueue_read (result, context, size, timer, &error)
      && ocl_context_finish (context, &error));
  return g_memdup2 (result->host.data, size);
}

/* Asserts that the @n masks of two operations are equal. */
static void
assert_equal_masks (OclFilter * a, OclFilter * b, guint n)
{
  const gsize size = (OCL_SPECTRUM_MASKS + n) * sizeof (gint);
  g_autofree gint *masks = read_needed (a, &ocl_spectrum_class, size);
  g_autofree gint *wanted = read_needed (b, &ocl_spectrum_class, size);

  g_assert_cmpmem (masks + OCL_SPECTRUM_MASKS, n * sizeof (gint),
      wanted + OCL_SPECTRUM_MASKS, n * sizeof (gint));
}

/* Asserts that the vectors of frame @n are those of the reference. Returns how
 * many are not 0. */
static guint
assert_vectors (const gint * vectors, const ReferenceDenoiseFrame * frames,
    guint n, gdouble sigma)
{
  const guint n_blocks =
      (frames[n].width + 15) / 16 * ((frames[n].height + 15) / 16);
  g_autofree gint *wanted = g_new (gint, 2 * n_blocks);
  guint n_moved = 0;

  for (guint k = 0; k < MIN (n, 2); k++) {
    reference_denoise_search (&frames[n], &frames[n - 1 - k], sigma, wanted);
    for (guint i = 0; i < 2 * n_blocks; i++) {
      g_assert_cmpint (vectors[2 * n_blocks * k + i], ==, wanted[i]);
      n_moved += wanted[i] != 0;
    }
  }
  return n_moved;
}

/* Vectors are those of the reference, and matches those of the plain variant.
 * Where there is nothing but noise, any vector may be the best one. */
TEST_VARIANTS (&ocl_denoise_class, test_vectors)
{
  static const struct
  {
    const gchar *format;
    Scene scene;
    gdouble sigma;
  } cases[] = {
    {"GRAY16_LE", show_pan, 6.0}, {"I420", show_passing, 6.0},
    {"RGBA", show_pan, 6.0}, {"GRAY16_LE", show_still, 70.0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Sequence sequence = {.variant = variant,
      .format = ocl_format_find (cases[i].format),.width = 90,.height = 52,
      .scene = cases[i].scene,.sigma = cases[i].sigma
    };
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (variant);
    g_autoptr (OclFilter) plain =
        create_operation (ocl_denoise_class.variants[0]);
    ReferenceDenoiseFrame frames[N_FRAMES];
    guint n_moved = 0;

    params->noise = 6.0;
    for (guint n = 0; n < N_FRAMES; n++) {
      g_auto (Picture) input = draw_frame (&sequence, n);

      picture_discard (picture_filter (operation, params, &input,
              OCL_STORAGE_BUFFER));
      picture_discard (picture_filter (plain, params, &input,
              OCL_STORAGE_BUFFER));
      const gsize size = 2 * 2 * 6 * 4 * sizeof (gint);
      g_autofree gint *result =
          read_needed (operation, &ocl_motion_class, size);
      g_autofree gint *wanted = read_needed (plain, &ocl_motion_class, size);

      assert_equal_masks (operation, plain, 23 * 13);

      frames[n] = take_denoise_frame (&input);
      n_moved += assert_vectors (result, frames, n, 6.0);
      g_assert_cmpmem (result, size, wanted, size);
    }
    g_assert_cmpuint (n_moved, >, 4);
    for (guint n = 0; n < N_FRAMES; n++)
      denoise_frame_clear (&frames[n]);
  }
}

/* Returns the variant that takes the least time on a CPU: noise is measured
 * before any of them filters. */
static const OclVariant *
get_quick_variant (void)
{
  return ocl_operation_class_find_variant (&ocl_denoise_class, "rows");
}

/* A half so dark that noise is cut off. */
static gdouble
show_night (guint n, gint x, gint y)
{
  return x < 160 ? 0.0 : show_pan (n, x, y);
}

/* White noise is found to 5 percent, and films without noise have next to
 * none. */
TEST (test_noise)
{
  static const gdouble sigmas[] = { 0.0, 3.0, 5.0, 10.0, 20.0, 40.0, 10.0 };
  static const gchar *const names[] = { "GRAY8", "I420_10LE" };
  const guint n_cases = G_N_ELEMENTS (sigmas) * G_N_ELEMENTS (names);

  for (guint i = 0; i < n_cases; i++) {
    const Sequence sequence = {.variant = get_quick_variant (),
      .format = ocl_format_find (names[i % 2]),.width = 320,.height = 240,
      .scene = i < n_cases - G_N_ELEMENTS (names) ? show_pan : show_night,
      .sigma = sigmas[i / 2]
    };
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (sequence.variant);

    params->history = 0;
    picture_discard (run_frames (&sequence, operation, params, 0, 2));
    g_autofree OclNoiseResult *noise = read_needed (operation,
        &ocl_noise_class, sizeof (OclNoiseResult));
    g_test_message ("%s, %.0f: %.3f", names[i % 2], sequence.sigma,
        noise->sigma[0]);
    g_assert_cmpint (noise->n_estimates[0], ==, 3);
    g_assert_cmpint (noise->n_earlier, ==, 2);
    if (sequence.sigma > 0.0)
      g_assert_cmpfloat_with_epsilon (noise->sigma[0], sequence.sigma,
          0.05 * sequence.sigma);
    else
      g_assert_cmpfloat (noise->sigma[0], <, 0.6);
  }
}

/* A pattern that rotates by 40 degrees per picture and becomes brighter: each
 * picture continues the one before it, and is a cut to the one before that. */
static gdouble
show_turn (guint n, gint x, gint y)
{
  const gdouble angle = 0.7 * n;

  return 0.2 + 0.1 * n + (x / 16 % 2 ? 0.1 : -0.1) * cos (angle)
      + (y / 16 % 2 ? 0.1 : -0.1) * sin (angle);
}

/* Later pictures are compared with the pictures before them. */
TEST (test_shots)
{
  const Sequence sequence = {.variant = get_quick_variant (),
    .format = ocl_format_find ("GRAY8"),.width = 128,.height = 96,
    .scene = show_turn,.sigma = 2.0
  };
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_autoptr (OclFilter) operation = create_operation (sequence.variant);

  params->history = 0;
  params->lookahead = 2;
  for (guint n = 0; n < 4; n++) {
    g_auto (Picture) input = draw_frame (&sequence, n);
    g_auto (Picture) output = picture_new_like (&input);

    picture_run_kept (operation, params, &input,
        n >= 2 ? &output : NULL, 2, OCL_STORAGE_BUFFER);
  }
  g_autofree OclNoiseResult *noise = read_needed (operation, &ocl_noise_class,
      sizeof (OclNoiseResult));
  g_assert_cmpint (noise->n_earlier, ==, 1);
  g_assert_cmpint (noise->n_later, ==, 2);
}

/* Bars without noise over a third of the rows, or of the columns. They do not
 * begin where blocks do. Those across have two levels in turn, as an encoder may
 * leave them. */
static void
draw_bars (Picture * picture, gboolean is_across)
{
  const OclFormat *format = picture->frame.info.format;

  for (guint c = 0; c < picture_count_channels (format); c++) {
    const gint width = picture_get_width (picture, c);
    const gint height = picture_get_height (picture, c);
    const gint size = is_across ? height : width;

    for (gint y = 0; y < height; y++) {
      for (gint x = 0; x < width; x++) {
        const gint at = is_across ? y : x;

        if (at < size / 6 + 1 || at >= size - size / 6 + 1)
          picture_set_level (picture, c, x, y,
              ocl_format_get_max_level (format) / 8
              + (is_across ? (x + y) % 2 << (format->depth - 8) : 0));
      }
    }
  }
}

/* White noise is found beside bars without noise, as the reference does. */
TEST (test_bars)
{
  static const gchar *const names[] = {
    "GRAY8", "I420", "I420_10LE", "RGBA", "NV21", "UYVY", "Y412_LE"
  };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i / 4]);
    const Sequence sequence = {.format = format,.width = 320,.height = 240,
      .scene = show_ramp,.sigma = 8.0
    };
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (get_quick_variant ());
    gdouble wanted[OCL_NOISE_N_CHANNELS] = { 0.0, };

    /* Other layouts differ in where samples are. */
    if (i / 4 > 3 && i % 4 > 0)
      continue;
    params->history = 0;
    params->curve = i % 4 / 2;
    for (guint n = 0; n < 3; n++) {
      g_auto (Picture) input = draw_frame (&sequence, n);

      draw_bars (&input, i % 2);
      picture_discard (picture_filter (operation, params, &input,
              OCL_STORAGE_BUFFER));
      ReferenceDenoiseFrame frame = take_denoise_frame (&input);
      for (gint c = 0; c < frame.n_channels; c++)
        wanted[c] += reference_denoise_estimate (&frame, c) / 3.0;
      denoise_frame_clear (&frame);
    }
    g_autofree OclNoiseResult *noise = read_needed (operation,
        &ocl_noise_class, sizeof (OclNoiseResult));
    for (guint c = 0; c < picture_count_channels (format); c++) {
      g_test_message ("%s, channel %u: %.3f, %.3f", format->name, c,
          noise->sigma[c], wanted[c]);
      g_assert_cmpfloat_with_epsilon (noise->sigma[c], 8.0, 0.6);
      g_assert_cmpfloat_with_epsilon (noise->sigma[c], wanted[c], 0.01);
    }
  }
}

/* Slanted strokes without noise over much of a flat ground. All blocks of 8 x 8
 * among them have parts of strokes. */
static gdouble
show_page (guint n, gint x, gint y)
{
  const gint at = (5 * x + 3 * (y + (gint) n)) % 31;

  return y < 120 ? 0.9 - 0.8 * CLAMP ((15 - ABS (at - 15)) / 5.0 - 1.0, 0.0,
      1.0) : 0.9;
}

/* A few small dots. */
static gdouble
show_title (guint n, gint x, gint y)
{
  return y > 60 && y < 100 && x > 100 && x < 180
      ? 0.5 + 0.2 * ((x * 37 + y * 91 + x * y * 13 + (gint) n) / 7 % 2) : 0.9;
}

/* Letters are not noise. */
TEST (test_letters)
{
  static const Scene scenes[] = { show_page, show_title };

  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++) {
    const Sequence sequence = {.variant = get_quick_variant (),
      .format = ocl_format_find ("I420"),.width = 320,.height = 240,
      .scene = scenes[i]
    };
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (sequence.variant);

    params->history = 0;
    for (guint n = 0; n < 3; n++) {
      g_auto (Picture) input = draw_frame (&sequence, n);

      picture_discard (picture_filter (operation, params, &input,
              OCL_STORAGE_BUFFER));
      ReferenceDenoiseFrame frame = take_denoise_frame (&input);
      g_assert_cmpfloat (reference_denoise_estimate (&frame, 0), ==, 0.0);
      denoise_frame_clear (&frame);
    }
    g_autofree OclNoiseResult *noise = read_needed (operation,
        &ocl_noise_class, sizeof (OclNoiseResult));
    for (guint c = 0; c < OCL_NOISE_N_CHANNELS; c++)
      g_assert_cmpfloat (noise->sigma[c], ==, 0.0);
    g_assert_cmpint (noise->n_estimates[0], ==, 3);
  }
}

/* A ramp over all the brightness, in steps that quiet blocks fit into. */
static gdouble
show_steps (G_GNUC_UNUSED guint n, gint x, G_GNUC_UNUSED gint y)
{
  return 0.06 + x / 24 * 0.125;
}

/* Bright surfaces, and a dark strip that is too narrow to count. */
static gdouble
show_strip (G_GNUC_UNUSED guint n, gint x, G_GNUC_UNUSED gint y)
{
  return x < 10 ? 0.03 : 0.45 + x / 24 * 0.06;
}

/* Two levels of brightness, in bins 1 and 6 of the curve. */
static gdouble
show_gap (G_GNUC_UNUSED guint n, gint x, G_GNUC_UNUSED gint y)
{
  return x < 96 ? 0.1875 : 0.8125;
}

/* Bins between two that are known lie on the line between them, and those beyond
 * are like the nearest one. */
static void
check_gap (const Sequence * like, const OclDenoiseParams * params)
{
  g_autoptr (OclFilter) operation = create_operation (like->variant);
  Sequence sequence = *like;

  sequence.scene = show_gap;
  picture_discard (run_frames (&sequence, operation, params, 0, 1));
  g_autofree OclNoiseResult *noise = read_needed (operation, &ocl_noise_class,
      sizeof (OclNoiseResult));
  const cl_float *curve = noise->curve[0];
  g_assert_cmpfloat (curve[6], >, 1.5 * curve[1]);
  for (gint n = 0; n < OCL_NOISE_CURVE_BINS; n++)
    g_assert_cmpfloat_with_epsilon (curve[n], curve[1] + (curve[6] - curve[1])
        * CLAMP (n - 1, 0, 5) / 5.0, 0.001);
}

/* Noise that grows with the brightness is found by brightness. */
TEST_VARIANTS (&ocl_denoise_class, test_curve)
{
  static const gchar *const names[] = { "GRAY8", "RGBA", "I420_10LE" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const Sequence sequence = {.variant = variant,
      .format = ocl_format_find (names[i]),.width = 192,.height = 48,
      .scene = show_steps,.sigma = 3.0,.growth = 14.0
    };
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (variant);
    Sequence strip = sequence;

    params->curve = TRUE;
    check_sequence (&sequence, params);
    strip.scene = show_strip;
    strip.sigma = 12.0;
    strip.growth = -10.0;
    check_sequence (&strip, params);
    check_gap (&sequence, params);
    picture_discard (run_frames (&sequence, operation, params, 0, 3));
    g_autofree OclNoiseResult *noise = read_needed (operation,
        &ocl_noise_class, sizeof (OclNoiseResult));
    for (guint n = 0; n < OCL_NOISE_CURVE_BINS; n++) {
      const gdouble wanted = 3.0 + 14.0 * (0.06 + n * 0.125);

      g_assert_cmpfloat_with_epsilon (noise->curve[0][n], wanted,
          0.12 * wanted);
    }
  }
}

/* Noise without high frequencies is found over time, and filtered as the
 * reference does. */
TEST_VARIANTS (&ocl_denoise_class, test_blurred)
{
  static const struct
  {
    const gchar *format;
    Scene scene;
    guint history, lookahead;
    gboolean curve, motion;
    gdouble sigma;
    gdouble least, most;        /* level that is found */
    gint side;                  /* of the frame, or 0 for any */
  } cases[] = {
    {"I420", show_pan, 2, 0, TRUE, TRUE, 12.0, 12.0, 99.0},
    /* Chroma has 400 blocks, and luma 196. */
    {"I420", show_pan, 2, 0, TRUE, TRUE, 12.0, 12.0, 99.0, 168},
    {"GRAY8", show_still, 1, 1, TRUE, TRUE, 12.0, 12.0, 99.0},
    {"I420_10LE", show_cut, 2, 1, FALSE, TRUE, 12.0, 12.0, 99.0},
    {"RGBA", show_pan, 2, 0, TRUE, TRUE, 12.0, 12.0, 99.0},
    {"GRAY16_LE", show_still, 0, 1, FALSE, FALSE, 12.0, 12.0, 99.0},
    /* The residual of fine texture with subsample motion is not noise. */
    {"GRAY8", show_fur, 2, 0, FALSE, TRUE, 12.0, 9.0, 99.0},
    {"I420", show_fur_pan, 2, 0, FALSE, TRUE, 2.0, 0.0, 1.0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Sequence sequence = {.variant = variant,
      .format = ocl_format_find (cases[i].format),
      .width = cases[i].side > 0 ? cases[i].side : 88,
      .height = cases[i].side > 0 ? cases[i].side : 72,
      .scene = cases[i].scene,.sigma = cases[i].sigma,.is_blurred = TRUE
    };
    g_autoptr (OclDenoiseParams) params = create_params ();
    g_autoptr (OclFilter) operation = create_operation (variant);

    params->history = cases[i].history;
    params->lookahead = cases[i].lookahead;
    params->curve = cases[i].curve;
    params->motion = cases[i].motion;
    check_sequence (&sequence, params);
    if (cases[i].lookahead > 0)
      continue;
    picture_discard (run_frames (&sequence, operation, params, 0, 2));
    g_autofree OclSpectrumResult *spectrum = read_needed (operation,
        &ocl_spectrum_class, sizeof (OclSpectrumResult));
    g_test_message ("%s: %.2f, %.2f, %.2f", cases[i].format,
        spectrum->mean[0], spectrum->ratio[0], spectrum->slope[0]);
    g_assert_cmpint (spectrum->n_frames[0], ==, 2);
    /* The low frequencies have most of the noise. */
    g_assert_cmpfloat (spectrum->mean[0], >=, cases[i].least);
    g_assert_cmpfloat (spectrum->mean[0], <=, cases[i].most);
    g_assert_cmpfloat (spectrum->slope[0], <, 0.4);
  }
}

/* Bits above the depth count in no variant, and lead nowhere. */
TEST_VARIANTS (&ocl_denoise_class, test_excess)
{
  const Sequence sequence = {.format = ocl_format_find ("I420_10LE"),
    .width = 40,.height = 32,.scene = show_pan,.sigma = 20.0
  };
  const gsize size = 2 * 2 * 3 * 2 * sizeof (gint);
  g_autoptr (OclDenoiseParams) params = create_params ();
  g_autoptr (OclFilter) operation = create_operation (variant);
  g_autoptr (OclFilter) plain =
      create_operation (ocl_denoise_class.variants[0]);

  for (guint n = 0; n < 3; n++) {
    g_auto (Picture) input = draw_frame (&sequence, n);

    for (gint i = 0; i < 20 * 32; i++)
      picture_set_component (&input, 0, i % 20, i / 20,
          0xffff - i % 7 * (n + 1));
    g_auto (Picture) output = picture_filter (operation, params, &input,
        OCL_STORAGE_BUFFER);
    picture_assert_margins (&output);
    picture_run (plain, params, &input, &output, OCL_STORAGE_BUFFER);
    g_autofree gint *result = read_needed (operation, &ocl_motion_class, size);
    g_autofree gint *wanted = read_needed (plain, &ocl_motion_class, size);
    g_assert_cmpmem (result, size, wanted, size);
    assert_equal_masks (operation, plain, 10 * 8);
  }
}
