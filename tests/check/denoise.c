/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every variant of the denoiser over time, on sequences of frames, against
 * a float64 reference: formats, borders, histories, fields, frames smaller than
 * a block; motion vectors and matches; how strong the noise is; and what earlier
 * frames must not do to things that move, after cuts, and in pans.
 *
 * Required accuracy: within 1 level of the reference rounded to nearest for up
 * to 12 bits, within 2 levels for 16 bits; vectors and matches are equal. */

#include <math.h>
#include <string.h>

#include "exhaustive.h"
#include "formatcheck.h"
#include "formatgroups.h"
#include "opencl/denoise/ocldenoise.h"
#include "opencl/denoise/oclmotion.h"
#include "opencl/denoise/oclnoise.h"
#include "picture.h"
#include "references.h"

#define N_FRAMES 5

static OclContext *context;

/* A scene: what each frame shows at x, y, between 0 and 1. */
typedef gdouble (*Scene) (guint n, gint x, gint y);

static gdouble
draw_texture (gdouble x, gdouble y)
{
  return 0.5 + 0.2 * sin (x * 0.45) * cos (y * 0.38)
      + 0.1 * sin ((x + 2 * y) * 0.21) + ((gint) floor (x / 9) & 1 ? 0.06 : 0);
}

static gdouble
show_still (G_GNUC_UNUSED guint n, gint x, gint y)
{
  return draw_texture (x, y);
}

static gdouble
show_pan (guint n, gint x, gint y)
{
  return draw_texture (x + 3.0 * n, y + 1.0 * n);
}

/* A small square that moves before a still background. */
static gdouble
show_passing (guint n, gint x, gint y)
{
  const gint left = 8 + 5 * n, top = 10 + 2 * n;

  return x >= left && x < left + 7 && y >= top && y < top + 7
      ? 0.9 - 0.1 * ((x + y) & 1) : draw_texture (x, y) * 0.6;
}

/* Frames and fields, whose rows are others, do not look like other shots. */
static gdouble
show_ramp (G_GNUC_UNUSED guint n, gint x, G_GNUC_UNUSED gint y)
{
  return 0.2 + x / 430.0;
}

/* A cut before frame 3, to a scene of other brightness. A bar at the top is as
 * bright as before. */
static gdouble
show_cut (guint n, gint x, gint y)
{
  return y < 14 ? 0.3 : n < 3 ? draw_texture (x,
      y) * 0.5 : 1.0 - 0.45 * draw_texture (y, x);
}

/* Returns how many channels a format has, without alpha. */
static guint
get_n_channels (const OclFormat * format)
{
  return format->model == OCL_MODEL_GREY ? 1 : 3;
}

/* Draws frame @n of a scene with noise of @sigma levels of 8 bits, and of
 * @growth levels more where the picture is white. Chroma shows the same with
 * less contrast. */
static void
draw_growing (FormatPicture * picture, Scene scene, guint n, gdouble sigma,
    gdouble growth)
{
  const OclFormat *format = picture->frame.format;
  const gboolean is_rgb = format->model == OCL_MODEL_RGB;
  const gdouble max_level = ocl_format_get_max_level (format);
  g_autoptr (GRand) random = g_rand_new_with_seed (n + 1);

  format_picture_fill (picture, n);
  for (guint c = 0; c < get_n_channels (format); c++) {
    const gint x_shift = c > 0 && !is_rgb ? format->chroma_x_shift : 0;
    const gint y_shift = c > 0 && !is_rgb ? format->chroma_y_shift : 0;

    for (gint y = 0; y < format_picture_get_height (picture, c); y++) {
      for (gint x = 0; x < format_picture_get_width (picture, c); x++) {
        gdouble sum = -6.0;

        for (guint i = 0; i < 12; i++)
          sum += g_rand_double (random);
        const gdouble clean = scene (n, x << x_shift, y << y_shift)
            * (c > 0 ? 0.8 : 1.0);
        const gdouble level = clean + sum * (sigma + growth * clean) / 255.0;

        format_picture_set_level (picture, c, x, y,
            rint (CLAMP (level, 0.0, 1.0) * max_level));
      }
    }
  }
}

static void
draw (FormatPicture * picture, Scene scene, guint n, gdouble sigma)
{
  draw_growing (picture, scene, n, sigma, 0.0);
}

static OclDenoiseParams *
create_params (void)
{
  return ocl_operation_class_create_params (&ocl_denoise_class);
}

/* A run of frames through one operation. */
typedef struct
{
  const OclVariant *variant;
  const OclFormat *format;
  gint width;
  gint height;
  Scene scene;
  gdouble sigma;
  gdouble growth;
} Sequence;

static OclOperation *
create_operation (const OclVariant * variant)
{
  return format_create_operation (context, &ocl_denoise_class, variant);
}

/* Filters frame @n. The caller clears both pictures. */
static void
run_frame (const Sequence * sequence, OclOperation * operation,
    const OclDenoiseParams * params, guint n, FormatPicture * input,
    FormatPicture * output)
{
  format_picture_init (input, sequence->format, sequence->width,
      sequence->height);
  format_picture_init (output, sequence->format, sequence->width,
      sequence->height);
  draw (input, sequence->scene, n, sequence->sigma);
  format_picture_run (operation, params, input, output, OCL_STORAGE_BUFFER);
}

/* Filters frames 0 to @n with an operation of their own; sets @output to the
 * last one, which the caller clears. */
static void
run_frames (const Sequence * sequence, const OclDenoiseParams * params,
    guint first, guint n, FormatPicture * output)
{
  g_autoptr (OclOperation) operation = create_operation (sequence->variant);

  for (guint i = first; i <= n; i++) {
    FormatPicture input;

    run_frame (sequence, operation, params, i, &input, output);
    format_picture_clear (&input);
    if (i < n)
      format_picture_clear (output);
  }
}

static gboolean
is_filtered (const OclDenoiseParams * params, const OclFormat * format,
    guint channel)
{
  return format->model != OCL_MODEL_YCBCR || params->planes
      & (channel > 0 ? OCL_PLANES_CHROMA : OCL_PLANES_LUMA);
}

static void
assert_channel (const FormatPicture * output, guint channel,
    const gdouble * wanted, guint n)
{
  const OclFormat *format = output->frame.format;
  const gint width = format_picture_get_width (output, channel);
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble tolerance = format->depth > 12 ? 2.0 : 1.0;

  for (gint i = 0; i < width * format_picture_get_height (output, channel); i++) {
    const gdouble level = format_picture_get_level (output, channel, i % width,
        i / width);

    if (fabs (level - rint (CLAMP (wanted[i], 0.0, max_level))) > tolerance)
      g_error ("%s, frame %u, channel %u at %d,%d: %f, not %f", format->name,
          n, channel, i % width, i / width, level, wanted[i]);
  }
}

/* Asserts that @output is frame @n of @n_frames, filtered. */
static void
assert_denoised (const OclDenoiseParams * params,
    const ReferenceDenoiseFrame * frames, guint n_frames, guint n,
    const FormatPicture * input, const FormatPicture * output)
{
  const OclFormat *format = output->frame.format;
  ReferenceDenoise reference = get_reference_denoise (params);
  gdouble *wanted[3] = { NULL, };

  for (guint c = 0; c < get_n_channels (format); c++) {
    reference.border_levels[c] = format_get_border_level (format, c,
        params->border.color);
    if (is_filtered (params, format, c))
      wanted[c] = g_new (gdouble, format_picture_get_width (output, c)
          * format_picture_get_height (output, c));
  }
  reference_denoise (&reference, frames, n_frames, n, wanted);
  for (guint c = 0; c < get_n_channels (format); c++) {
    if (wanted[c])
      assert_channel (output, c, wanted[c], n);
    else
      format_picture_assert_copied (output, input, c);
    g_free (wanted[c]);
  }
  format_picture_assert_margins (output);
}

/* Returns whether the device can run the variant with so many frames: tiles of
 * many frames need much local memory. Every device runs the plain variant. */
static gboolean
has_room (const Sequence * sequence, OclOperation * operation,
    const OclDenoiseParams * params)
{
  const OclFrame like = {.format = sequence->format,
    .storage = OCL_STORAGE_BUFFER,.width = sequence->width,
    .height = sequence->height
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (OclPlan) plan =
      ocl_operation_get_plan (operation, &like, params, &error);

  if (plan || sequence->variant == ocl_denoise_class.variants[0]
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)) {
    g_assert_no_error (error);
    return TRUE;
  }
  g_test_message ("left out: %s", error->message);
  return FALSE;
}

static void
check_sequence (const Sequence * sequence, const OclDenoiseParams * params)
{
  g_autoptr (OclOperation) operation = create_operation (sequence->variant);
  ReferenceDenoiseFrame frames[N_FRAMES];
  FormatPicture inputs[N_FRAMES];
  FormatPicture output;

  if (!has_room (sequence, operation, params))
    return;
  for (guint n = 0; n < N_FRAMES; n++) {
    format_picture_init (&inputs[n], sequence->format, sequence->width,
        sequence->height);
    draw_growing (&inputs[n], sequence->scene, n, sequence->sigma,
        sequence->growth);
    frames[n] = take_denoise_frame (&inputs[n]);
  }
  format_picture_init (&output, sequence->format, sequence->width,
      sequence->height);
  for (guint n = 0; n < N_FRAMES + params->lookahead; n++) {
    const gboolean filters = n >= params->lookahead;
    const guint age = MIN (params->lookahead, N_FRAMES + params->lookahead
        - 1 - n);

    format_picture_run_kept (operation, params,
        n < N_FRAMES ? &inputs[n] : NULL, filters ? &output : NULL, age,
        OCL_STORAGE_BUFFER);
    if (filters)
      assert_denoised (params, frames, N_FRAMES, n - params->lookahead,
          &inputs[n - params->lookahead], &output);
  }
  for (guint n = 0; n < N_FRAMES; n++) {
    denoise_frame_clear (&frames[n]);
    format_picture_clear (&inputs[n]);
  }
  format_picture_clear (&output);
}

static const Scene scenes[] = { show_still, show_pan, show_passing, show_cut };

/* Parameters of many kinds: histories, borders, planes, strengths. */
static void
test_formats (gconstpointer data)
{
  static const gint sizes[][2] = { {48, 40}, {35, 21}, {7, 5}, {1, 1}, {66, 18}
  };
  const OclVariant *variant = data;

  for (guint i = 0; ocl_formats[i]; i++) {
    Sequence sequence = {.variant = variant,.format = ocl_formats[i],
      .sigma = 8.0
    };

    if (!format_is_tried (context, variant, ocl_formats[i]->name))
      continue;
    for (guint n = 0; n < G_N_ELEMENTS (sizes); n++) {
      g_autofree OclDenoiseParams *params = create_params ();

      sequence.width = sizes[n][0];
      sequence.height = sizes[n][1];
      sequence.scene = scenes[(i + n) % G_N_ELEMENTS (scenes)];
      params->noise = n % 2 && ocl_formats[i]->depth < 16 ? -1.0 : 8.0;
      params->strength = n % 3 == 2 ? 1.6 : 1.0;
      params->chroma_strength = n == 1 ? 0.5 : -1.0;
      params->planes = 1 + (i + n) % 3;
      params->lookahead = n == 3 ? 1 : n == 0 ? 2 : 0;
      params->curve = n % 2;
      params->grain = n == 1 ? 0.3 : 0.0;
      params->border.mode = (i + n) % 5;
      params->border.color = FORMAT_BORDER_COLOR;
      check_sequence (&sequence, params);
    }
  }
}

static void
test_histories (gconstpointer data)
{
  static const struct
  {
    guint history;
    guint lookahead;
    gboolean motion;
  } cases[] = {
    {0, 0, TRUE}, {1, 0, TRUE}, {2, 0, TRUE}, {3, 0, FALSE}, {4, 0, TRUE},
    {0, 2, TRUE}, {1, 1, TRUE}, {2, 2, TRUE}, {2, 2, FALSE}, {4, 2, TRUE},
  };
  Sequence sequence = {.variant = data,.format = ocl_format_find ("I420"),
    .width = 50,.height = 34,.sigma = 10.0
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree OclDenoiseParams *params = create_params ();

    params->history = cases[i].history;
    params->lookahead = cases[i].lookahead;
    params->motion = cases[i].motion;
    params->noise = 10.0;
    sequence.scene = scenes[i % G_N_ELEMENTS (scenes)];
    check_sequence (&sequence, params);
  }
}

/* The result of a needed operation on the host; free it. */
static gpointer
read_needed (OclOperation * operation, const OclOperationClass * klass,
    gsize size)
{
  OclResult *result = ocl_operation_find_needed (operation, klass);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  GError *error = NULL;

  g_assert_nonnull (result);
  gboolean ok = ocl_result_ensure (result, context, size, &error)
      && ocl_result_enqueue_read (result, context, size, timer, &error)
      && ocl_context_finish (context, &error);
  assert_ok (ok, error);
  return g_memdup2 (result->host.data, size);
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
static void
test_vectors (gconstpointer data)
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
  const OclVariant *variant = data;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Sequence sequence = {.variant = variant,
      .format = ocl_format_find (cases[i].format),.width = 90,.height = 52,
      .scene = cases[i].scene,.sigma = cases[i].sigma
    };
    g_autofree OclDenoiseParams *params = create_params ();
    g_autoptr (OclOperation) operation = create_operation (variant);
    g_autoptr (OclOperation) plain =
        create_operation (ocl_denoise_class.variants[0]);
    ReferenceDenoiseFrame frames[N_FRAMES];
    guint n_moved = 0;

    params->noise = 6.0;
    for (guint n = 0; n < N_FRAMES; n++) {
      FormatPicture input, output;

      run_frame (&sequence, operation, params, n, &input, &output);
      format_picture_clear (&output);
      format_picture_init_copy (&output, &input);
      format_picture_run (plain, params, &input, &output, OCL_STORAGE_BUFFER);
      const gsize size = (2 * 2 * 6 * 4 + 23 * 13) * sizeof (gint);
      g_autofree gint *result =
          read_needed (operation, &ocl_motion_class, size);
      g_autofree gint *wanted = read_needed (plain, &ocl_motion_class, size);

      frames[n] = take_denoise_frame (&input);
      n_moved += assert_vectors (result, frames, n, 6.0);
      g_assert_cmpmem (result, size, wanted, size);
      format_picture_clear (&input);
      format_picture_clear (&output);
    }
    g_assert_cmpuint (n_moved, >, 4);
    for (guint n = 0; n < N_FRAMES; n++)
      denoise_frame_clear (&frames[n]);
  }
}

/* White noise is found to 5 percent, and films without noise have next to
 * none. */
static void
test_noise (void)
{
  static const gdouble sigmas[] = { 0.0, 3.0, 5.0, 10.0, 20.0, 40.0 };
  static const gchar *const names[] = { "GRAY8", "I420_10LE" };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas) * G_N_ELEMENTS (names); i++) {
    const Sequence sequence = {.variant = ocl_denoise_class.variants[0],
      .format = ocl_format_find (names[i % 2]),.width = 320,.height = 240,
      .scene = show_pan,.sigma = sigmas[i / 2]
    };
    g_autofree OclDenoiseParams *params = create_params ();
    g_autoptr (OclOperation) operation = create_operation (sequence.variant);
    FormatPicture input, output;

    params->history = 0;
    for (guint n = 0; n < 3; n++) {
      run_frame (&sequence, operation, params, n, &input, &output);
      format_picture_clear (&input);
      format_picture_clear (&output);
    }
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

/* Noise that grows with the brightness is found by brightness. */
static void
test_curve (gconstpointer data)
{
  static const gchar *const names[] = { "GRAY8", "RGBA", "I420_10LE" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const Sequence sequence = {.variant = data,
      .format = ocl_format_find (names[i]),.width = 192,.height = 48,
      .scene = show_steps,.sigma = 3.0,.growth = 14.0
    };
    g_autofree OclDenoiseParams *params = create_params ();
    g_autoptr (OclOperation) operation = create_operation (data);

    Sequence strip = sequence;

    params->curve = TRUE;
    check_sequence (&sequence, params);
    strip.scene = show_strip;
    strip.sigma = 12.0;
    strip.growth = -10.0;
    check_sequence (&strip, params);
    for (guint n = 0; n < 4; n++) {
      FormatPicture input, output;

      format_picture_init (&input, sequence.format, 192, 48);
      format_picture_init (&output, sequence.format, 192, 48);
      draw_growing (&input, sequence.scene, n, 3.0, 14.0);
      format_picture_run (operation, params, &input, &output,
          OCL_STORAGE_BUFFER);
      format_picture_clear (&input);
      format_picture_clear (&output);
    }
    g_autofree OclNoiseResult *noise = read_needed (operation,
        &ocl_noise_class, sizeof (OclNoiseResult));
    for (guint n = 0; n < OCL_NOISE_CURVE_BINS; n++) {
      const gdouble wanted = 3.0 + 14.0 * (0.06 + n * 0.125);

      g_assert_cmpfloat_with_epsilon (noise->curve[0][n], wanted,
          0.12 * wanted);
    }
  }
}

/* Black, white and constant frames, and frames that are too small, have no
 * noise, and stay as they are. */
static void
test_constant (gconstpointer data)
{
  static const guint levels[] = { 0, 255, 97 };
  const OclVariant *variant = data;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (levels); i++) {
    g_autofree OclDenoiseParams *params = create_params ();
    g_autoptr (OclOperation) operation = create_operation (variant);
    const gint side = i % 2 ? 5 : 40;
    FormatPicture input, output;

    format_picture_init (&input, ocl_format_find ("GRAY8"), side, side);
    format_picture_init_copy (&output, &input);
    for (gint n = 0; n < side * side; n++)
      format_picture_set_level (&input, 0, n % side, n / side, levels[i / 2]);
    for (guint n = 0; n < 3; n++) {
      format_picture_run (operation, params, &input, &output,
          OCL_STORAGE_BUFFER);
      format_picture_assert_equal (&output, &input, "a constant frame");
    }
    format_picture_clear (&input);
    format_picture_clear (&output);
  }
}

/* The mean square error of luma against the scene without noise, in a square
 * of the picture. */
static gdouble
get_error (const Sequence * sequence, const FormatPicture * output, guint n,
    gint left, gint top, gint side)
{
  gdouble sum = 0.0;

  for (gint y = top; y < top + side; y++) {
    for (gint x = left; x < left + side; x++) {
      const gdouble difference = format_picture_get_level (output, 0, x, y)
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
  FormatPicture output, output_alone;

  alone.history = 0;
  run_frames (sequence, params, 0, n, &output);
  run_frames (sequence, &alone, n, n, &output_alone);
  const gdouble gain = 10.0 * log10 (get_error (sequence, &output_alone, n,
          left, top, side) / get_error (sequence, &output, n, left, top, side));
  format_picture_clear (&output);
  format_picture_clear (&output_alone);
  return gain;
}

/* A small thing that moves keeps its shape, and the background that it uncovers
 * shows nothing of it. */
static void
test_passing (gconstpointer data)
{
  const Sequence sequence = {.variant = data,
    .format = ocl_format_find ("GRAY8"),.width = 64,.height = 48,
    .scene = show_passing,.sigma = 12.0
  };
  g_autofree OclDenoiseParams *params = create_params ();

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
static void
test_cut (gconstpointer data)
{
  const Sequence sequence = {.variant = data,
    .format = ocl_format_find ("I420"),.width = 96,.height = 64,
    .scene = show_cut,.sigma = 10.0
  };
  g_autofree OclDenoiseParams *params = create_params ();
  FormatPicture after, first;

  for (guint n = 3; n < N_FRAMES; n++) {
    run_frames (&sequence, params, 0, n, &after);
    run_frames (&sequence, params, 3, n, &first);
    format_picture_assert_equal (&after, &first, "a frame after a cut");
    format_picture_clear (&after);
    format_picture_clear (&first);
  }
}

/* What pans gains from earlier frames, and has no ghosts. */
static void
test_pan (gconstpointer data)
{
  const Sequence sequence = {.variant = data,
    .format = ocl_format_find ("GRAY8"),.width = 96,.height = 64,
    .scene = show_pan,.sigma = 12.0
  };
  g_autofree OclDenoiseParams *params = create_params ();

  params->noise = 12.0;
  const gdouble searched = get_gain (&sequence, params, 4, 16, 8, 48);
  params->motion = FALSE;
  const gdouble still = get_gain (&sequence, params, 4, 16, 8, 48);

  g_test_message ("dB over the frame by itself: %.2f, without motion %.2f",
      searched, still);
  g_assert_cmpfloat (searched, >, 1.5);
  g_assert_cmpfloat (still, >, -0.3);
}

/* After ocl_operation_forget() the next frame is the first one. So it is after a
 * change of the size, of the format or of the history. */
static void
test_forget (gconstpointer data)
{
  Sequence sequence = {.variant = data,.format = ocl_format_find ("I420"),
    .width = 48,.height = 32,.scene = show_still,.sigma = 10.0
  };
  g_autofree OclDenoiseParams *params = create_params ();
  g_autoptr (OclOperation) operation = create_operation (data);

  for (guint i = 0; i < 8; i++) {
    FormatPicture input, output, first;

    if (i % 4 == 0)
      ocl_operation_forget (operation);
    else if (i % 4 == 1)
      sequence.width ^= 8;
    else if (i % 4 == 2)
      sequence.format = ocl_format_find (i == 2 ? "GRAY8" : "I420");
    else
      params->history ^= 1;
    run_frame (&sequence, operation, params, 0, &input, &output);
    run_frames (&sequence, params, 0, 0, &first);
    format_picture_assert_equal (&output, &first, "a frame after a change");
    format_picture_clear (&input);
    format_picture_clear (&output);
    run_frame (&sequence, operation, params, 1, &input, &output);
    format_picture_clear (&first);
    run_frames (&sequence, params, 0, 1, &first);
    format_picture_assert_equal (&output, &first, "the frame after it");
    format_picture_clear (&input);
    format_picture_clear (&output);
    format_picture_clear (&first);
  }
}

/* A new border counts for earlier frames, too. */
static void
test_border (gconstpointer data)
{
  const Sequence sequence = {.variant = data,
    .format = ocl_format_find ("GRAY16_LE"),.width = 48,.height = 32,
    .scene = show_still,.sigma = 10.0
  };
  g_autofree OclDenoiseParams *params = create_params ();
  g_autoptr (OclOperation) operation = create_operation (data);

  params->noise = 10.0;
  for (guint i = 0; i < 3; i++) {
    FormatPicture input, output, wanted;

    params->border.mode =
        i == 0 ? OCL_BORDER_CLAMP_TO_EDGE : OCL_BORDER_CONSTANT;
    params->border.color = i == 1 ? 0xff000000 : FORMAT_BORDER_COLOR;
    run_frame (&sequence, operation, params, i, &input, &output);
    run_frames (&sequence, params, 0, i, &wanted);
    format_picture_assert_equal (&output, &wanted, "a frame with a new border");
    format_picture_clear (&input);
    format_picture_clear (&output);
    format_picture_clear (&wanted);
  }
}

/* Copies field @field of @source to @target, a picture of half the height. */
static void
copy_field (const FormatPicture * source, guint field, FormatPicture * target)
{
  for (guint c = 0; c < get_n_channels (source->frame.format); c++) {
    for (gint y = 0; y < format_picture_get_height (target, c); y++) {
      for (gint x = 0; x < format_picture_get_width (target, c); x++)
        format_picture_set_component (target, c, x, y,
            format_picture_get_component (source, c, x, 2 * y + field));
    }
  }
}

/* The fields of interlaced frames are two films. */
static void
test_fields (gconstpointer data)
{
  const OclFormat *format = ocl_format_find ("I420");
  g_autofree OclDenoiseParams *params = create_params ();
  g_autoptr (OclOperation) whole = create_operation (data);
  OclOperation *halves[2] = { NULL, };

  for (guint n = 0; n < 4; n++) {
    FormatPicture input, output;

    format_picture_init (&input, format, 48, 64);
    format_picture_init (&output, format, 48, 64);
    draw (&input, show_pan, n, 10.0);
    input.frame.interlaced = output.frame.interlaced = TRUE;
    format_picture_run (whole, params, &input, &output, OCL_STORAGE_BUFFER);
    for (guint field = 0; field < 2; field++) {
      FormatPicture half, wanted, actual;

      format_picture_init (&half, format, 48, 32);
      format_picture_init (&wanted, format, 48, 32);
      format_picture_init (&actual, format, 48, 32);
      copy_field (&input, field, &half);
      copy_field (&output, field, &actual);
      if (!halves[field])
        halves[field] = create_operation (data);
      format_picture_run (halves[field], params, &half, &wanted,
          OCL_STORAGE_BUFFER);
      format_picture_assert_equal (&actual, &wanted, "a field");
      format_picture_clear (&half);
      format_picture_clear (&wanted);
      format_picture_clear (&actual);
    }
    format_picture_clear (&input);
    format_picture_clear (&output);
  }
  ocl_operation_free (halves[0]);
  ocl_operation_free (halves[1]);
}

/* Filters frame @n, which is interlaced if @interlaced is set. The caller clears
 * @output. */
static void
run_interlaced (const Sequence * sequence, OclOperation * operation,
    gboolean interlaced, guint n, FormatPicture * output)
{
  g_autofree OclDenoiseParams *params = create_params ();
  FormatPicture input;

  format_picture_init (&input, sequence->format, sequence->width,
      sequence->height);
  format_picture_init (output, sequence->format, sequence->width,
      sequence->height);
  draw (&input, sequence->scene, n, sequence->sigma);
  input.frame.interlaced = output->frame.interlaced = interlaced;
  format_picture_run (operation, params, &input, output, OCL_STORAGE_BUFFER);
  format_picture_assert_margins (output);
  format_picture_clear (&input);
}

/* In mixed streams, the first interlaced frame knows no noise of fields. Fields
 * of this size have as many means as frames. */
static void
test_mixed (gconstpointer data)
{
  const Sequence sequence = {.variant = data,
    .format = ocl_format_find ("GRAY8"),.width = 256,.height = 512,
    .scene = show_ramp,.sigma = 10.0
  };
  g_autoptr (OclOperation) mixed = create_operation (data);
  g_autoptr (OclOperation) alone = create_operation (data);
  FormatPicture output, wanted;

  run_interlaced (&sequence, mixed, FALSE, 0, &output);
  format_picture_clear (&output);
  run_interlaced (&sequence, mixed, TRUE, 1, &output);
  run_interlaced (&sequence, alone, TRUE, 1, &wanted);
  format_picture_assert_equal (&output, &wanted, "the first fields");
  format_picture_clear (&output);
  format_picture_clear (&wanted);
}

/* A frame whose noise is given ends what is known of the noise. */
static void
test_given (gconstpointer data)
{
  const Sequence sequence = {.variant = data,
    .format = ocl_format_find ("GRAY8"),.width = 64,.height = 48,
    .scene = show_ramp,.sigma = 10.0
  };
  FormatPicture outputs[2];

  for (guint i = 0; i < 2; i++) {
    g_autofree OclDenoiseParams *params = create_params ();
    g_autoptr (OclOperation) operation = create_operation (data);

    params->history = 0;
    for (guint n = 0; n < 3; n++) {
      FormatPicture input;

      params->noise = n == 1 || (n == 0 && i == 0) ? 30.0 : -1.0;
      run_frame (&sequence, operation, params, n, &input, &outputs[i]);
      format_picture_clear (&input);
      if (n < 2)
        format_picture_clear (&outputs[i]);
    }
  }
  format_picture_assert_equal (&outputs[0], &outputs[1], "the last frame");
  format_picture_clear (&outputs[0]);
  format_picture_clear (&outputs[1]);
}

/* Interlaced frames of a few rows, whose second field may be empty. */
static void
test_few_rows (gconstpointer data)
{
  for (gint height = 1; height <= 5; height++) {
    const Sequence sequence = {.variant = data,
      .format = ocl_format_find ("I420"),.width = 20,.height = height,
      .scene = show_still,.sigma = 10.0
    };
    g_autoptr (OclOperation) operation = create_operation (data);

    for (guint n = 0; n < 3; n++) {
      FormatPicture output;

      run_interlaced (&sequence, operation, TRUE, n, &output);
      format_picture_clear (&output);
    }
  }
}

/* Bits above the depth count in no variant, and lead nowhere. */
static void
test_excess (gconstpointer data)
{
  const OclFormat *format = ocl_format_find ("I420_10LE");
  const gsize size = (2 * 2 * 3 * 2 + 10 * 8) * sizeof (gint);
  g_autofree OclDenoiseParams *params = create_params ();
  g_autoptr (OclOperation) operation = create_operation (data);
  g_autoptr (OclOperation) plain =
      create_operation (ocl_denoise_class.variants[0]);

  for (guint n = 0; n < 3; n++) {
    FormatPicture input, output;

    format_picture_init (&input, format, 40, 32);
    format_picture_init (&output, format, 40, 32);
    draw (&input, show_pan, n, 20.0);
    for (gint i = 0; i < 20 * 32; i++)
      format_picture_set_component (&input, 0, i % 20, i / 20,
          0xffff - i % 7 * (n + 1));
    format_picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
    format_picture_assert_margins (&output);
    format_picture_run (plain, params, &input, &output, OCL_STORAGE_BUFFER);
    g_autofree gint *result = read_needed (operation, &ocl_motion_class, size);
    g_autofree gint *wanted = read_needed (plain, &ocl_motion_class, size);
    g_assert_cmpmem (result, size, wanted, size);
    format_picture_clear (&input);
    format_picture_clear (&output);
  }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *name;
    GTestDataFunc function;
  } tests[] = {
    {"formats", test_formats},
    {"histories", test_histories},
    {"vectors", test_vectors},
    {"curve", test_curve},
    {"constant", test_constant},
    {"passing", test_passing},
    {"cut", test_cut},
    {"pan", test_pan},
    {"forget", test_forget},
    {"border", test_border},
    {"fields", test_fields},
    {"mixed", test_mixed},
    {"given", test_given},
    {"few-rows", test_few_rows},
    {"excess", test_excess},
  };

  g_test_init (&argc, &argv, NULL);
  context = open_context ();
  for (guint i = 0; ocl_denoise_class.variants[i]; i++) {
    if (!can_run (context, &ocl_denoise_class, ocl_denoise_class.variants[i]))
      continue;
    for (guint n = 0; n < G_N_ELEMENTS (tests); n++) {
      const OclVariant *variant = ocl_denoise_class.variants[i];
      g_autofree gchar *path =
          g_strdup_printf ("/denoise/%s/%s", variant->name, tests[n].name);

      g_test_add_data_func (path, variant, tests[n].function);
    }
  }
  g_test_add_func ("/denoise/noise", test_noise);
  const int status = g_test_run ();
  ocl_context_unref (context);
  return status;
}
