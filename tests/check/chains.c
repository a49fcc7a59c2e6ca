/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests chains of operations on a device.
 *
 * An exact chain must give the bytes of the operations by themselves, one after
 * the other. A chain with floats must give them where each channel is changed
 * once, and must neither round nor clamp between operations. The result of two
 * consecutive means is known from their combined matrix.
 *
 * Every pair of operations is tried with RGBA. GLOPENCL_TEST_FORMATS=all tries
 * every format. */

#include <math.h>
#include <string.h>

#include "testcase.h"
#include "opencl/graph/oclfilter.h"
#include "opencl/ocloperations.h"
#include "picture.h"

#define WIDTH 37
#define HEIGHT 22

/* Channels of every format. */
#define ALL "planes=luma+chroma"

TEST_CONTEXT ();

/* That of all frames, or NULL for ITU-R BT.709. */
static const OclColorimetry *colorimetry;

/* Each operation with parameters that change frames of every format. */
static const gchar *const operations[] = {
  "bilateral spatial-sigma=1 radius=2 intensity-sigma=0.3 " ALL,
  "sharpen radius=1 beta=-1 alpha=2 " ALL,
  "gradient " ALL,
  "convolution 'matrix=<<1,0,2>,<0,-3,0>,<1,1,1>>' " ALL,
  "multiresolution levels=2 " ALL,
  "denoise noise=4 " ALL,
  "kernel 'source=#pragma glopencl planes each\n"
      "Pixel filter (FRAME) { return times (plus (pixel (frame, 1, 0), "
      "pixel (frame, 0, -1)), 0.45f); }'",
};

#define KERNEL(body) "kernel 'source=#pragma glopencl planes each\n" \
    "Pixel filter (FRAME) { " body " }'"

/* Parses a text that must be right. */
static OclOperationList
parse (const gchar * text, gboolean exact)
{
  OclOperationList list = { 0, };

  ASSERT_OK (ocl_operation_list_parse (&list, text, &error));
  list.exact = exact;
  return list;
}

/* Gives @chain a frame, and sets @output, unless it is NULL, to the result for
 * the frame that it was given @age frames before. */
static void
run_kept (OclFilter * chain, const OclOperationList * list, Picture * input,
    Picture * output, guint age, OclStorage storage)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  g_auto (OclFrame) in = picture_create_frame (input, context, storage);
  g_auto (OclFrame) out = picture_create_frame (output, context, storage);
  if (colorimetry)
    in.info.colorimetry = out.info.colorimetry = *colorimetry;
  const OclRun run = {.input = input ? &in : NULL,
    .output = output ? &out : NULL,.age = age,.timer = timer
  };
  GError *error = NULL;
  g_autoptr (OclGraph) plan = ocl_filter_get_graph (chain,
      &(input ? &in : &out)->info, list, &error);

  assert_ok (plan != NULL, error);
  ASSERT_OK (ocl_filter_enqueue (chain, plan, list, &run, &error)
      && ocl_timer_wait (timer, &error));
  if (output)
    picture_download (output, context, &out);
}

/* Returns the output of a chain for one frame. */
static Picture
run_chain (const OclOperationList * list, Picture * input, OclStorage storage)
{
  g_autoptr (OclFilter) chain = ocl_filter_new (list, context);
  Picture output = picture_new_like (input);

  run_kept (chain, list, input, &output, 0, storage);
  return output;
}

static Picture
run_text (const gchar * text, gboolean exact, Picture * input,
    OclStorage storage)
{
  g_auto (OclOperationList) list = parse (text, exact);

  return run_chain (&list, input, storage);
}

/* Runs each operation separately, on the output of the previous one. */
static Picture
run_row (const gchar * text, Picture * input)
{
  g_auto (OclOperationList) list = parse (text, FALSE);
  Picture output = picture_copy (input);

  for (guint i = 0; i < list.n; i++) {
    g_autoptr (OclFilter) operation =
        create_forced (context, list.items[i].klass, NULL, NULL);
    g_auto (Picture) before = output;

    output = picture_filter (operation, list.items[i].params, &before,
        OCL_STORAGE_BUFFER);
  }
  return output;
}

static void
check_exact (const gchar * text, Picture * input, OclStorage storage)
{
  g_auto (Picture) expected = run_row (text, input);
  g_auto (Picture) output = run_text (text, TRUE, input, storage);
  g_autofree gchar *what = g_strdup_printf ("%s: %s",
      input->frame.info.format->name, text);

  picture_assert_equal (&output, &expected, what);
}

/* Operations by themselves, so that their programs stay. */
static void
keep_programs (OclFilter * kept[G_N_ELEMENTS (operations)], Picture * input)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++) {
    g_auto (OclOperationList) list = parse (operations[i], TRUE);

    kept[i] = create_forced (context, list.items[0].klass, NULL, NULL);
    picture_discard (picture_filter (kept[i], list.items[0].params, input,
            OCL_STORAGE_BUFFER));
  }
}

static void
test_exact (gconstpointer data)
{
  const gboolean tries_all = data == OCL_FORMAT_RGBA;
  OclFilter *kept[G_N_ELEMENTS (operations)];
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 1);

  keep_programs (kept, &input);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (operations); j++) {
      if (!tries_all && (j + G_N_ELEMENTS (operations) - i)
          % G_N_ELEMENTS (operations) > 1)
        continue;
      g_autofree gchar *text =
          g_strdup_printf ("%s ! %s", operations[i], operations[j]);

      check_exact (text, &input, OCL_STORAGE_BUFFER);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    ocl_filter_unref (kept[i]);
}

/* Asserts that no level is further off, and that about one of @share levels is
 * off at all, or fewer. How many there are is chance, with this mean at most. */
static void
assert_channel_within (const Picture * output,
    const Picture * expected, guint channel, gdouble tolerance,
    gint share, const gchar * what)
{
  const OclFormat *format = output->frame.info.format;
  g_autofree gdouble *found = picture_get_levels (output, channel);
  g_autofree gdouble *wanted = picture_get_levels (expected, channel);
  const gint width = picture_get_width (output, channel);
  const gint n_levels = width * picture_get_height (output, channel);
  gint n_others = 0;

  for (gint n = 0; n < n_levels; n++) {
    if (fabs (found[n] - wanted[n]) > tolerance)
      g_error ("%s, %s: channel %u at %d,%d is %g, not %g", format->name, what,
          channel, n % width, n / width, found[n], wanted[n]);
    n_others += found[n] != wanted[n];
  }
  const gdouble mean = (gdouble) n_levels / share;
  g_assert_cmpfloat (n_others, <=, mean + 3.0 * sqrt (mean));
}

/* Asserts that the levels of a channel are those of both pictures. Levels of 8
 * bits in between are off by up to a 256th, so that few levels, near the middle
 * between two, are rounded the other way. */
static void
assert_channel (const Picture * output, const Picture * expected,
    guint channel, const gchar * what)
{
  assert_channel_within (output, expected, channel,
      output->frame.info.format->depth == 8 ? 1.0 : 0.0, 10, what);
}

/* Asserts that few levels differ, and these by one. */
static void
assert_near_channel (const Picture * output,
    const Picture * expected, guint channel, const gchar * what)
{
  assert_channel_within (output, expected, channel, 1.0, 10, what);
}

/* The levels of a border are those of the frame's colorimetry. */
#define BORDERS "gradient " ALL " ! sharpen radius=2 alpha=0 beta=1 " \
    "border=constant border-color=0xff20c0f0 " ALL

/* Chains of operations that each change other channels, and of three that do
 * not: the converted, shared and copied planes differ. */
static const gchar *const apart[] = {
  "sharpen planes=luma ! bilateral radius=2 planes=chroma",
  "bilateral radius=2 planes=chroma ! sharpen planes=luma",
  "gradient planes=chroma ! sharpen planes=luma",
  "convolution planes=luma ! bilateral radius=2 planes=chroma",
  /* The luma of the input of the text, and the border in its colorimetry. */
  "sharpen radius=2 alpha=0 beta=1 " ALL " ! kernel 'source="
      "#pragma glopencl planes each\n#pragma glopencl guide luma\n"
      "Pixel filter (FRAME) { return plus (times (pixel (frame, 0, 0), 0.5f), "
      "grey (0.125f * luma (frame, 0, 0))); }'",
  BORDERS,
};

static void
test_apart (gconstpointer data)
{
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 2);

  for (guint i = 0; i < G_N_ELEMENTS (apart); i++) {
    check_exact (apart[i], &input, OCL_STORAGE_BUFFER);
    /* The guide of chroma is a luma that is not rounded. */
    if (strstr (apart[i], "! bilateral"))
      continue;
    g_auto (Picture) expected = run_row (apart[i], &input);
    g_auto (Picture) output =
        run_text (apart[i], FALSE, &input, OCL_STORAGE_BUFFER);
    for (guint c = 0; c < 3; c++) {
      /* Nor is that of a text, so that more levels are rounded another way, and
       * fractions stay that the second operation finds rounded in the row. */
      if (strstr (apart[i], "luma ("))
        assert_channel_within (&output, &expected, c, 1.0, 4, apart[i]);
      else if (g_str_equal (apart[i], BORDERS))
        assert_near_channel (&output, &expected, c, apart[i]);
      else
        assert_channel (&output, &expected, c, apart[i]);
    }
    picture_assert_margins (&output);
  }
}

/* Frames have the colorimetry that they come with, regardless of previous
 * frames. */
static void
test_colorimetry (gconstpointer data)
{
  static const OclColorimetry full = { 0.299, 0.114, TRUE };
  g_auto (OclOperationList) list = parse (BORDERS, FALSE);
  g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 4);
  g_auto (Picture) output = picture_new (data, WIDTH, HEIGHT);

  run_kept (chain, &list, &input, &output, 0, OCL_STORAGE_BUFFER);
  colorimetry = &full;
  run_kept (chain, &list, &input, &output, 0, OCL_STORAGE_BUFFER);
  g_auto (Picture) expected = run_chain (&list, &input, OCL_STORAGE_BUFFER);
  colorimetry = NULL;
  picture_assert_equal (&output, &expected, "another colorimetry");
}

/* Luma, then chroma, then luma: each channel equals the result of its operation
 * alone. */
static void
test_luma_again (gconstpointer data)
{
  const OclFormat *format = data;
  g_auto (Picture) input = picture_new_scene (format, WIDTH, HEIGHT, 3);

  g_auto (Picture) output =
      run_text ("sharpen planes=luma alpha=3 beta=-2 ! gradient planes=chroma"
      " ! sharpen planes=luma radius=2 alpha=0 beta=1", FALSE, &input,
      OCL_STORAGE_BUFFER);
  g_auto (Picture) luma =
      run_text
      ("sharpen planes=luma alpha=3 beta=-2 ! sharpen planes=luma radius=2"
      " alpha=0 beta=1", FALSE, &input, OCL_STORAGE_BUFFER);
  g_auto (Picture) chroma =
      run_text ("gradient planes=chroma", FALSE, &input, OCL_STORAGE_BUFFER);
  picture_assert_copied (&output, &luma, 0);
  assert_channel (&output, &chroma, 1, "chroma in the middle");
  assert_channel (&output, &chroma, 2, "chroma in the middle");
  if (format->channels[OCL_CHANNEL_ALPHA].step > 0)
    picture_assert_copied (&output, &input, OCL_CHANNEL_ALPHA);
  /* An operation that keeps frames copies all planes, including unused ones. */
  g_auto (Picture) kept =
      run_text ("sharpen planes=luma ! denoise planes=luma noise=3 history=1",
      FALSE, &input, OCL_STORAGE_BUFFER);
  picture_assert_copied (&kept, &input, 1);
  picture_assert_copied (&kept, &input, 2);
}

/* Asserts that all levels are those of the input. Unused bits become 0. */
static void
assert_levels (const Picture * output, const Picture * input,
    const gchar * what)
{
  const OclFormat *format = input->frame.info.format;

  for (guint c = 0; c < OCL_N_CHANNELS; c++) {
    if (format->channels[c].step == 0)
      continue;
    g_autofree gdouble *found = picture_get_levels (output, c);
    g_autofree gdouble *wanted = picture_get_levels (input, c);
    const gint width = picture_get_width (input, c);

    for (gint n = 0; n < width * picture_get_height (input, c); n++) {
      const gdouble level = MIN (wanted[n], ocl_format_get_max_level (format));

      if (found[n] != level && c != OCL_CHANNEL_ALPHA)
        g_error ("%s, %s: channel %u at %d,%d is %g, not %g", format->name,
            what, c, n % width, n / width, found[n], level);
    }
  }
}

/* The wide format keeps fractions of levels, and levels out of range on either
 * side, which whole levels lose. */
static const gchar *const lossless[] = {
  KERNEL ("return times (pixel (frame, 0, 0), 0.125f);") " ! "
      KERNEL ("return times (pixel (frame, 0, 0), 8.0f);"),
  KERNEL ("return plus (pixel (frame, 0, 0), grey (0.4f));") " ! "
      KERNEL ("return minus (pixel (frame, 0, 0), grey (0.4f));"),
  KERNEL ("return minus (pixel (frame, 0, 0), grey (0.4f));") " ! sharpen"
      " alpha=1 beta=0 gamma=0.2 " ALL " ! convolution matrix=<<1>> bias=0.2 "
      ALL,
};

static void
test_wide (gconstpointer data)
{
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 4);

  for (guint i = 0; i < G_N_ELEMENTS (lossless); i++) {
    g_auto (Picture) output =
        run_text (lossless[i], FALSE, &input, OCL_STORAGE_BUFFER);
    assert_levels (&output, &input, lossless[i]);
  }
}

/* Levels below black are in the lowest bin of the means that show cuts. Other
 * accesses are checked by oclgrind. */
TEST (test_below_black)
{
  g_auto (Picture) input =
      picture_new_scene (ocl_format_find ("I420"), 24, 16, 4);

  g_auto (Picture) output =
      run_text ("sharpen alpha=1 beta=0 gamma=-0.4 radius=1 " ALL
      " ! denoise history=0", FALSE, &input, OCL_STORAGE_BUFFER);
  picture_assert_margins (&output);
}

/* The mean of 3 x 3 twice is this matrix, divided by 81. */
static const gint mean_twice[5] = { 1, 2, 3, 2, 1 };

static void
test_means (gconstpointer data)
{
  const gdouble tolerance = 0.5 / ocl_format_get_wide (data)->steps + 0.01;
  guint n_other = 0;
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 5);

  g_auto (Picture) output = run_text ("sharpen radius=1 alpha=0 beta=1 " ALL
      " ! sharpen radius=1 alpha=0 beta=1 " ALL, FALSE, &input,
      OCL_STORAGE_BUFFER);
  g_auto (Picture) rounded = run_text ("sharpen radius=1 alpha=0 beta=1 " ALL
      " ! sharpen radius=1 alpha=0 beta=1 " ALL, TRUE, &input,
      OCL_STORAGE_BUFFER);
  g_autofree gdouble *levels = picture_get_levels (&input, 0);
  g_autofree gdouble *found = picture_get_levels (&output, 0);
  g_autofree gdouble *found_rounded = picture_get_levels (&rounded, 0);
  const gint width = picture_get_width (&input, 0);
  for (gint y = 2; y < picture_get_height (&input, 0) - 2; y++) {
    for (gint x = 2; x < width - 2; x++) {
      gdouble sum = 0.0;

      for (gint n = 0; n < 25; n++)
        sum += mean_twice[n / 5] * mean_twice[n % 5]
            * levels[(y + n / 5 - 2) * width + x + n % 5 - 2];
      if (fabs (found[y * width + x] - sum / 81.0) > 0.5 + tolerance)
        g_error ("%s: %d,%d is %g, not %g", input.frame.info.format->name, x, y,
            found[y * width + x], sum / 81.0);
      n_other += fabs (found_rounded[y * width + x] - sum / 81.0)
          > 0.5 + tolerance;
    }
  }
  g_assert_cmpuint (n_other, >, 0);
}

/* Chains whose operations keep frames. */
static const gchar *const over_time[] = {
  "sharpen radius=1 " ALL " ! denoise noise=5 history=2",
  "denoise noise=5 history=1 ! denoise noise=3 history=2",
  "kernel 'source=#pragma glopencl planes each\n#pragma glopencl history 1\n"
      "Pixel filter (FRAME) { return times (plus (pixel (frame, 0, 0),"
      " earlier (frame, 1, 0, 0)), 0.5f); }' ! gradient planes=luma",
};

static void
test_over_time (gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (over_time); i++) {
    g_auto (OclOperationList) list = parse (over_time[i], TRUE);
    g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
    g_autoptr (OclFilter) first =
        create_forced (context, list.items[0].klass, NULL, NULL);
    g_autoptr (OclFilter) second =
        create_forced (context, list.items[1].klass, NULL, NULL);

    for (guint n = 0; n < 4; n++) {
      g_autofree gchar *what = g_strdup_printf ("%s, frame %u", over_time[i],
          n);
      g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 10 + n);

      g_auto (Picture) output = picture_new (data, WIDTH, HEIGHT);
      g_auto (Picture) between = picture_filter (first, list.items[0].params,
          &input, OCL_STORAGE_BUFFER);
      g_auto (Picture) expected = picture_filter (second,
          list.items[1].params, &between, OCL_STORAGE_BUFFER);
      run_kept (chain, &list, &input, &output, 0, OCL_STORAGE_BUFFER);
      picture_assert_equal (&output, &expected, what);
    }
  }
}

#define N_FRAMES 4

/* Runs @n frames through a chain whose first operation reads one later
 * frame. */
static void
run_ahead (OclFilter * chain, const OclOperationList * list,
    const OclFormat * format, Picture outputs[N_FRAMES])
{
  for (guint n = 0; n <= N_FRAMES; n++) {
    if (n > 0)
      outputs[n - 1] = picture_new (format, WIDTH, HEIGHT);
    g_auto (Picture) input = picture_new_scene (format, WIDTH, HEIGHT, 20 + n);
    run_kept (chain, list, n < N_FRAMES ? &input : NULL,
        n > 0 ? &outputs[n - 1] : NULL, n < N_FRAMES ? 1 : 0,
        OCL_STORAGE_BUFFER);
  }
}

static void
test_lookahead (gconstpointer data)
{
  g_auto (OclOperationList) list =
      parse ("denoise noise=5 lookahead=1 planes=luma ! sharpen"
      " planes=chroma", FALSE);
  g_auto (OclOperationList) alone =
      parse ("denoise noise=5 lookahead=1 planes=luma", FALSE);
  g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
  g_autoptr (OclFilter) single = ocl_filter_new (&alone, context);
  Picture outputs[N_FRAMES], expected[N_FRAMES];

  run_ahead (chain, &list, data, outputs);
  run_ahead (single, &alone, data, expected);
  for (guint n = 0; n < N_FRAMES; n++) {
    g_auto (Picture) row = run_row ("sharpen planes=chroma", &expected[n]);
    for (guint c = 0; c < 3; c++)
      assert_channel (&outputs[n], &row, c, "lookahead");
    picture_clear (&outputs[n]);
    picture_clear (&expected[n]);
  }
}

/* Three operations on fields and on images, with rounding and without. */
#define THREE "sharpen radius=1 " ALL " ! bilateral radius=2 " ALL \
    " ! gradient " ALL

static void
test_fields (gconstpointer data)
{
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 6);

  input.frame.info.interlaced = TRUE;
  check_exact (THREE, &input, OCL_STORAGE_BUFFER);
  for (guint i = 0; i < G_N_ELEMENTS (apart)
      && ((const OclFormat *) data)->model == OCL_MODEL_YCBCR; i++)
    check_exact (apart[i], &input, OCL_STORAGE_BUFFER);
}

static void
test_images (gconstpointer data)
{
  if (is_left_out (OCL_STORAGE_IMAGE) || !picture_has_images (context, data)) {
    g_test_skip ("no images");
    return;
  }
  g_auto (Picture) input = picture_new_scene (data, WIDTH, HEIGHT, 7);
  check_exact (THREE, &input, OCL_STORAGE_IMAGE);
  g_auto (Picture) expected =
      run_text (THREE, FALSE, &input, OCL_STORAGE_BUFFER);
  g_auto (Picture) output = run_text (THREE, FALSE, &input, OCL_STORAGE_IMAGE);
  picture_assert_equal (&output, &expected, "images");
}

/* A kernel in FFmpeg's form gets and makes integers. */
#define NATIVE "kernel 'source=__kernel void invert (__write_only image2d_t " \
    "target, unsigned int index, __read_only image2d_t source) { " \
    "const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE " \
    "| CLK_FILTER_NEAREST; " \
    "int2 at = (int2) (get_global_id (0), get_global_id (1)); " \
    "write_imagef (target, at, 1.0f - read_imagef (source, sampler, at)); }'"

TEST (test_native)
{
  if (!picture_has_images (context, OCL_FORMAT_RGBA)) {
    g_test_skip ("no images");
    return;
  }
  g_auto (Picture) input =
      picture_new_scene (OCL_FORMAT_RGBA, WIDTH, HEIGHT, 8);
  g_auto (Picture) output =
      run_text (NATIVE " ! " NATIVE, FALSE, &input, OCL_STORAGE_BUFFER);
  assert_levels (&output, &input, "FFmpeg's form twice");
  check_exact ("sharpen ! " NATIVE " ! gradient", &input, OCL_STORAGE_BUFFER);
}

/* An operation that does nothing is not run. */
TEST (test_neutral)
{
  g_auto (OclOperationList) list =
      parse ("denoise strength=0 ! sharpen ! denoise strength=0", FALSE);
  g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
  GError *error = NULL;
  g_auto (Picture) input =
      picture_new_scene (OCL_FORMAT_RGBA, WIDTH, HEIGHT, 9);

  input.frame.info.storage = OCL_STORAGE_BUFFER;
  g_autoptr (OclGraph) plan = ocl_filter_get_graph (chain, &input.frame.info,
      &list, &error);
  assert_ok (plan != NULL, error);
  g_assert_cmpuint (count_active (plan), ==, 1);
  g_assert_true (plan->active[1]);
  /* The plan is made once. */
  g_autoptr (OclGraph) again = ocl_filter_get_graph (chain, &input.frame.info,
      &list, &error);
  g_assert_true (plan == again);
  g_auto (Picture) output = run_chain (&list, &input, OCL_STORAGE_BUFFER);
  g_auto (Picture) expected = run_row ("sharpen", &input);
  picture_assert_equal (&output, &expected, "neutral operations");
}

/* A function that reads one pixel, with its optional inputs, and the same with
 * a radius, so that it does not run inside another kernel. */
#define POINT(pragmas) "kernel gain=0.75 'source=" pragmas \
    "#pragma glopencl planes each\n#pragma glopencl argument gain 0 2 1\n" \
    "Pixel helper (Pixel p, real gain)\n{\n  return times (p, gain);\n}\n" \
    "Pixel filter (FRAME)\n{\n  Pixel p = pixel (frame, 0, 0);\n" \
    "  real shade = info.x / info.width + 0.25f * info.y / info.height;\n" \
    "  return plus (helper (p, info.gain), times (grey (falloff (shade)), " \
    "0.2f + 0.01f * info.time));\n}'"

static const gchar *const before_point[] = {
  "bilateral spatial-sigma=1 radius=2 " ALL,
  "bilateral method=fast spatial-sigma=6 " ALL,
  "sharpen radius=1 " ALL,
  "sharpen radius=2 kernel=gaussian " ALL,
  "convolution 'matrix=<<1,0,2>,<0,-3,0>,<1,1,1>>' " ALL,
  "gradient " ALL,
};

static guint
count_steps (const gchar * text, gboolean exact, const OclFormat * format)
{
  g_auto (OclOperationList) list = parse (text, exact);
  g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
  const OclFrame frame = {.info = {.format = format,.width = WIDTH,.height =
          HEIGHT}
  };
  GError *error = NULL;
  g_autoptr (OclGraph) plan = ocl_filter_get_graph (chain, &frame.info, &list,
      &error);

  assert_ok (plan != NULL, error);
  const guint n = count_active (plan);
  return n;
}

static void
test_fused (gconstpointer data)
{
  const OclFormat *format = data;
  g_auto (Picture) input = picture_new_scene (format, WIDTH, HEIGHT, 30);

  for (guint i = 0; i < G_N_ELEMENTS (before_point); i++) {
    g_autofree gchar *fused = g_strconcat (before_point[i], " ! ", POINT (""),
        NULL);
    g_autofree gchar *apart = g_strconcat (before_point[i], " ! ",
        POINT ("#pragma glopencl radius 1\n"), NULL);
    g_autofree gchar *three = g_strconcat (fused, " ! sharpen radius=1 " ALL,
        NULL);
    g_assert_cmpuint (count_steps (fused, FALSE, format), ==, 1);
    g_assert_cmpuint (count_steps (three, FALSE, format), ==, 2);
    g_assert_cmpuint (count_steps (apart, FALSE, format), ==, 2);
    g_assert_cmpuint (count_steps (fused, TRUE, format), ==, 2);
    g_auto (Picture) output =
        run_text (fused, FALSE, &input, OCL_STORAGE_BUFFER);
    g_auto (Picture) expected =
        run_text (apart, FALSE, &input, OCL_STORAGE_BUFFER);
    for (guint c = 0; c < OCL_N_CHANNELS; c++) {
      if (format->channels[c].step > 0)
        assert_near_channel (&output, &expected, c, fused);
    }
    picture_assert_margins (&output);
  }
}

/* Kernels that cannot run inside another kernel, and run separately. */
static const gchar *const unfused[] = {
  /* The kernels of bilateral have a function of this name. */
  "bilateral radius=1 ! kernel 'source=Pixel add_tap (Pixel p) { return p; } "
      "Pixel filter (FRAME) { return add_tap (pixel (frame, 0, 0)); }'",
  "bilateral radius=1 ! kernel 'source=#pragma glopencl scalar\n"
      "Pixel filter (FRAME) { return pixel (frame, 0, 0); }'",
  "bilateral radius=1 ! kernel 'source=#pragma glopencl alpha\n"
      "Pixel filter (FRAME) { return pixel (frame, 0, 0); }'",
  "denoise noise=3 ! kernel 'source=Pixel filter (FRAME) { return "
      "pixel (frame, 0, 0); }'",
};

/* Its functions have names of those of the bilateral filter's kernels for CPUs
 * and for GPUs. */
#define CLASHES "bilateral radius=1 ! kernel 'source=Pixel add_row (Pixel p) " \
    "{ return p; } Pixel add_tap (Pixel p) { return p; } Pixel filter (FRAME)" \
    " { return add_tap (add_row (pixel (frame, 0, 0))); }'"

TEST (test_unfused)
{
  g_auto (Picture) input =
      picture_new_scene (OCL_FORMAT_RGBA, WIDTH, HEIGHT, 31);

  for (guint i = 0; i < G_N_ELEMENTS (unfused); i++) {
    g_assert_cmpuint (count_steps (unfused[i], FALSE, OCL_FORMAT_RGBA), ==, 2);
    picture_discard (run_text (unfused[i], FALSE, &input, OCL_STORAGE_BUFFER));
  }
  g_assert_cmpuint (count_steps ("bilateral planes=luma ! " POINT (""), FALSE,
          ocl_format_find ("I420")), ==, 2);
  /* As many passes, of other planes. */
  g_assert_cmpuint (count_steps ("sharpen planes=chroma ! kernel 'source="
          "#pragma glopencl planes luma\nPixel filter (FRAME)\n"
          "{\n  return times (pixel (frame, 0, 0), 0.5f);\n}'", FALSE,
          ocl_format_find ("I420")), ==, 2);
  g_assert_cmpuint (count_steps (POINT ("") " ! " POINT (""), FALSE,
          OCL_FORMAT_RGBA), ==, 2);
  g_assert_cmpuint (count_steps (CLASHES " ! " CLASHES, FALSE,
          OCL_FORMAT_RGBA), ==, 4);
}

/* Between operations the fast programs of a text are used. Their values outside
 * the frame do not matter. */
static void
test_text_between (gconstpointer data)
{
  OclFrame frame = {.info = {.format = data,.storage =
          OCL_STORAGE_BUFFER,.width = WIDTH,.height = HEIGHT}
  };
  g_auto (OclOperationList) list =
      parse ("sharpen radius=1 " ALL " ! kernel 'source="
      "#pragma glopencl planes each\n#pragma glopencl radius 1\n"
      "Pixel filter (FRAME) " "{ return pixel (frame, 1, 0); }' ! gradient "
      ALL, FALSE);
  g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
  GError *error = NULL;
  OclGraph *plan = ocl_filter_get_graph (chain, &frame.info, &list, &error);

  assert_ok (plan != NULL, error);
  g_assert_no_error (ocl_filter_take_warning (chain));
  g_assert_cmpuint (count_active (plan), ==, 3);
  g_assert_true (ocl_graph_get_variant (plan, 1)
      != list.items[1].klass->variants[0]);
  ocl_graph_unref (plan);
}

void
test_set_up (void)
{
  static const gchar *const few[] = { "RGBA", "I420", "YUY2", "Y212_LE",
    NULL
  };
  static const gchar *const few_of_texts[] = { "RGBA", "I420", "YUY2",
    "Y212_LE", "NV12", "RGB", NULL
  };
  static const struct
  {
    const gchar *name;
    GTestDataFunc function;
    gboolean is_ycbcr;          /* whether it is for Y'CbCr only */
    gboolean no_packed;         /* whether packed Y'CbCr is left out */
  } tests[] = {
    {"exact", test_exact, FALSE}, {"wide", test_wide, FALSE},
    {"means", test_means, FALSE}, {"over-time", test_over_time, FALSE},
    {"fields", test_fields, FALSE}, {"images", test_images, FALSE},
    {"fused", test_fused, FALSE, TRUE},
    {"text-between", test_text_between, FALSE},
    {"apart", test_apart, TRUE}, {"luma-again", test_luma_again, TRUE},
    {"lookahead", test_lookahead, TRUE},
    {"colorimetry", test_colorimetry, TRUE},
  };
  const gboolean tries_all =
      g_strcmp0 (g_getenv ("GLOPENCL_TEST_FORMATS"), "all") == 0;
  const OclFormat *format;

  for (guint i = 0; (format = ocl_formats[i]); i++) {
    const gboolean is_packed = format->planes[0].x_shift > 0;

    for (guint j = 0; j < G_N_ELEMENTS (tests); j++) {
      const GTestDataFunc function = tests[j].function;

      if (!tries_all && !g_strv_contains (function == test_text_between
              ? few_of_texts : few, format->name))
        continue;
      /* Levels of 16 bits leave no room for fractions. */
      if (!ocl_format_get_wide (format)
          && (function == test_wide || function == test_means))
        continue;
      if ((format->model == OCL_MODEL_YCBCR || !tests[j].is_ycbcr)
          && !(is_packed && tests[j].no_packed))
        testcase_add_data (function, format, "%s/%s", tests[j].name,
            format->name);
    }
  }
}
