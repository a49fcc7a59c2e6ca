/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every variant of the bilateral filter, in images and in buffers, against the
 * float64 reference: windows, colour modes, borders, sigmas, sizes, strides.
 *
 * Accuracy asked for: within 1 of the reference rounded to nearest, and other
 * than it only where the reference is within 0.001 of a tie. The approximation
 * is asked for the PSNR that its header promises.
 *
 * With the environment variable GLOPENCL_TEST_STORAGE=buffer images are left
 * out, for tools that run kernels on buffers only. */

#include <math.h>
#include <string.h>

#include "opencl/bilateral/oclbilateralfast.h"
#include "picture.h"
#include "references.h"

#define TIE 0.001

static OclContext *context;

static void
assert_accurate (const Picture * input, const Picture * output,
    const gdouble * expected)
{
  for (gint y = 0; y < input->height; y++) {
    for (gint x = 0; x < input->width; x++) {
      const guint8 *in = input->pixels + y * input->stride + 4 * x;
      const guint8 *out = output->pixels + y * output->stride + 4 * x;
      const gdouble *want = expected + (y * input->width + x) * 3;

      for (gint c = 0; c < 3; c++) {
        /* 0.5 + TIE away at most: within a tie, either neighbour is right. */
        if (fabs (out[c] - want[c]) > 0.5 + TIE)
          g_error ("pixel %d,%d channel %d is %d, the reference is %.6f", x, y,
              c, out[c], want[c]);
      }
      g_assert_cmpuint (out[3], ==, in[3]);
    }
  }
}

typedef struct
{
  const OclVariant *variant;    /* NULL for the one that is chosen */
  OclStorage storage;
  OclOperation *operation;
} Combination;

#define MAX_COMBINATIONS 16

/* Of the exact variants, first in buffers, then in the same order in images;
 * and an operation that chooses among all variants itself. */
static Combination combinations[MAX_COMBINATIONS];
static Combination chosen[OCL_N_STORAGES];
static guint n_variants;

#define N_COMBINATIONS (n_variants * OCL_N_STORAGES)
#define FAST_BUFFER (&chosen[OCL_STORAGE_BUFFER])
#define FAST_IMAGE (&chosen[OCL_STORAGE_IMAGE])

/* A picture is RGBA, or BGRA: the bytes of a frame of that format, or of an
 * RGBA image that is shared as one of BGRA. */
static void
filter_as (const Combination * combination, const OclBilateralParams * params,
    Picture * input, Picture * output, const OclFormat * format,
    gboolean bytes_swapped)
{
  const OclFrame kind = {.format = format,.storage = combination->storage,
    .bytes_swapped = bytes_swapped
  };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  GError *error = NULL;
  OclFrame in = picture_create_frame (input, context, &kind);
  OclFrame out = picture_create_frame (output, context, &kind);
  const OclRun run = {.params = params,.input = &in,.output = &out,
    .timer = timer
  };

  gboolean ok = ocl_operation_prepare (combination->operation, &in, params,
      &error)
      && ocl_operation_enqueue (combination->operation, &run, &error);
  assert_ok (ok, error);
  picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
  picture_assert_margins (output);
}

static void
filter (const Combination * combination, const OclBilateralParams * params,
    Picture * input, Picture * output)
{
  filter_as (combination, params, input, output, OCL_FORMAT_RGBA, FALSE);
}

static const OclVariant *
get_variant (const Combination * combination,
    const OclBilateralParams * params)
{
  const OclFrame kind = {.format = OCL_FORMAT_RGBA,
    .storage = combination->storage
  };

  return ocl_operation_get_variant (combination->operation, &kind, params);
}

/* Of an exact variant, in buffers. */
static const Combination *
find_combination (const gchar * name)
{
  for (guint i = 0; i < n_variants; i++) {
    if (g_str_equal (combinations[i].variant->name, name))
      return &combinations[i];
  }
  g_error ("there is no variant %s", name);
}

/* All variants and storages against the reference, and images against buffers
 * to the byte. */
static void
check_against_reference (const OclBilateralParams * params, Picture * input)
{
  const ReferenceBilateral reference = get_reference_bilateral (params);
  g_autofree gdouble *expected =
      g_new (gdouble, input->width * input->height * 3);
  Picture outputs[MAX_COMBINATIONS];

  reference_bilateral (&reference, input->pixels, input->stride, input->width,
      input->height, expected);

  for (guint i = 0; i < N_COMBINATIONS; i++) {
    picture_init (&outputs[i], input->width, input->height);
    if (is_left_out (combinations[i].storage))
      continue;
    filter (&combinations[i], params, input, &outputs[i]);
    assert_accurate (input, &outputs[i], expected);
    if (combinations[i].storage == OCL_STORAGE_IMAGE)
      g_assert_cmpmem (outputs[i].bytes, picture_get_size (&outputs[i]),
          outputs[i - n_variants].bytes,
          picture_get_size (&outputs[i - n_variants]));
  }
  for (guint i = 0; i < N_COMBINATIONS; i++)
    picture_clear (&outputs[i]);
}

static void
check_picture (const OclBilateralParams * params, gint width, gint height)
{
  Picture input;

  picture_init (&input, width, height);
  picture_fill (&input, width * 1000 + height);
  check_against_reference (params, &input);
  picture_clear (&input);
}

static OclBilateralParams
make_params (gdouble spatial_sigma, gdouble intensity_sigma, gint radius,
    OclBilateralColorMode color_mode, OclBilateralWindow window,
    OclBorderMode border)
{
  return (OclBilateralParams) {
    .spatial_sigma = spatial_sigma,.intensity_sigma = intensity_sigma,
    .radius = radius,.color_mode = color_mode,.window = window,
    .border = {.mode = border,.color = 0xffc81e5a},
  };
}

/* All modes, windows and borders, for windows within and beyond the frame. */
static void
test_settings (void)
{
  static const gint sizes[][2] = { {1, 1}, {1, 19}, {23, 1}, {17, 13},
  {32, 9}, {37, 21}
  };

  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    for (gint window = 0; window <= OCL_BILATERAL_WINDOW_DISC; window++) {
      for (gint border = 0; border <= OCL_BORDER_CONSTANT; border++) {
        for (guint size = 0; size < G_N_ELEMENTS (sizes); size++) {
          OclBilateralParams params = make_params (2.0, 0.25, -1, mode, window,
              border);

          check_picture (&params, sizes[size][0], sizes[size][1]);
        }
      }
    }
  }
}

/* A window several times as large as the frame, for every border. */
static void
test_large_window (void)
{
  for (gint border = 0; border <= OCL_BORDER_CONSTANT; border++) {
    OclBilateralParams params = make_params (8.0, 0.3, 16,
        OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE, border);

    check_picture (&params, 5, 3);
    check_picture (&params, 2, 7);
  }
}

static void
test_sigmas (void)
{
  static const gdouble spatial_sigmas[] = { 0.3, 0.5, 1.0, 3.3, 10.0 };
  static const gdouble intensity_sigmas[] = { 0.005, 0.05, 0.25, 10.0 };

  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    for (guint i = 0; i < G_N_ELEMENTS (spatial_sigmas); i++) {
      for (guint j = 0; j < G_N_ELEMENTS (intensity_sigmas); j++) {
        /* The smallest sigma has an empty default window. */
        OclBilateralParams params = make_params (spatial_sigmas[i],
            intensity_sigmas[j], spatial_sigmas[i] < 0.5 ? 2 : -1, mode,
            OCL_BILATERAL_WINDOW_DISC, OCL_BORDER_REFLECT_101);

        check_picture (&params, 41, 17);
      }
    }
  }
}

/* Sigmas so small that their squares vanish, and the largest there is. */
static void
test_extreme_sigmas (void)
{
  static const gdouble sigmas[] = { 1e-300, 1e-45, 1e-30, 1e-8, 1e-4,
    G_MAXFLOAT
  };

  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
      OclBilateralParams params = make_params (1.0, sigmas[i], 2, mode,
          OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_WRAP);

      check_picture (&params, 33, 9);
      params.intensity_sigma = 0.2;
      params.spatial_sigma = MIN (sigmas[i], OCL_BILATERAL_MAX_SPATIAL_SIGMA);
      check_picture (&params, 33, 9);
    }
  }
}

/* A window of 40401 taps. */
static void
test_largest_window (void)
{
  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    OclBilateralParams params = make_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA,
        0.25, -1, mode, OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_REFLECT);

    check_picture (&params, 29, 11);
  }

  /* More taps than the plain kernel takes in one launch. */
  OclBilateralParams params = make_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA,
      0.25, -1, OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_REFLECT);
  check_picture (&params, 37, 83);
}

/* Colours whose luma is the same to the last bit are no edge, however small the
 * sigma: 0.3 * 59 = 0.59 * 30. */
static void
test_equal_luma (void)
{
  static const guint8 colors[][4] = { {59, 0, 0, 9}, {0, 30, 0, 8},
  {4, 28, 0, 7}
  };
  const OclBilateralParams params = make_params (1.5, 1e-6, -1,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  Picture input;

  picture_init (&input, 31, 10);
  for (gint y = 0; y < input.height; y++) {
    for (gint x = 0; x < input.width; x++)
      memcpy (input.pixels + y * input.stride + 4 * x,
          colors[(x * 7 + y * 5) % 3], 4);
  }
  check_against_reference (&params, &input);
  picture_clear (&input);
}

static void
test_video_size (void)
{
  const OclBilateralParams intensity = make_params (2.0, 0.25, -1,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  const OclBilateralParams channel = make_params (1.0, 0.1, -1,
      OCL_BILATERAL_COLOR_PER_CHANNEL, OCL_BILATERAL_WINDOW_DISC,
      OCL_BORDER_WRAP);
  const OclBilateralParams lab = make_params (1.0, 0.1, -1,
      OCL_BILATERAL_COLOR_LAB, OCL_BILATERAL_WINDOW_DISC, OCL_BORDER_REFLECT);

  check_picture (&intensity, 640, 480);
  check_picture (&channel, 640, 480);
  check_picture (&lab, 640, 480);
}

static void
check_bgra_as (const Combination * combination,
    const OclBilateralParams * params, const OclFormat * format,
    gboolean bytes_swapped)
{
  const OclFormat *bytes = ocl_format_find ("BGRA");
  Picture input, rgba, bgra;

  picture_init (&input, 35, 11);
  picture_init (&rgba, 35, 11);
  picture_init (&bgra, 35, 11);
  picture_fill (&input, 7);
  filter (combination, params, &input, &rgba);
  picture_convert (&input, OCL_FORMAT_RGBA, bytes);
  filter_as (combination, params, &input, &bgra, format, bytes_swapped);
  picture_convert (&bgra, bytes, OCL_FORMAT_RGBA);
  g_assert_cmpmem (rgba.bytes, picture_get_size (&rgba), bgra.bytes,
      picture_get_size (&bgra));
  picture_clear (&input);
  picture_clear (&rgba);
  picture_clear (&bgra);
}

/* Blue first gives what red first gives: by the kernel, or by an image. */
static void
check_bgra (const Combination * combination, const OclBilateralParams * params)
{
  if (is_left_out (combination->storage))
    return;
  check_bgra_as (combination, params, ocl_format_find ("BGRA"), FALSE);
  if (combination->storage == OCL_STORAGE_IMAGE)
    check_bgra_as (combination, params, OCL_FORMAT_RGBA, TRUE);
}

static void
test_bgra (void)
{
  const OclBilateralParams params = make_params (1.5, 0.2, -1,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CONSTANT);

  for (guint i = 0; i < N_COMBINATIONS; i++)
    check_bgra (&combinations[i], &params);
}

/* A frame that is filtered in several bands or launches gives what its parts
 * give, which are filtered in one. */
static void
check_bands (const Combination * combination,
    const OclBilateralParams * params, gint width, gint height)
{
  const gint part_height = 64, radius = params->radius;
  Picture whole, whole_output;

  picture_init (&whole, width, height);
  picture_init (&whole_output, width, height);
  picture_fill (&whole, 3);
  filter (combination, params, &whole, &whole_output);

  for (gint y = 0; y + part_height <= height; y += part_height - 2 * radius) {
    Picture part = whole;
    Picture part_output;

    part.height = part_height;
    part.pixels = whole.pixels + (gsize) y * whole.stride;
    picture_init (&part_output, width, part_height);
    filter (combination, params, &part, &part_output);
    for (gint row = radius; row < part_height - radius; row++)
      g_assert_cmpmem (part_output.pixels + row * part_output.stride,
          width * 4, whole_output.pixels + (gsize) (y + row)
          * whole_output.stride, width * 4);
    picture_clear (&part_output);
  }
  picture_clear (&whole);
  picture_clear (&whole_output);
}

static void
test_bands_of_rows (void)
{
  const OclBilateralParams params = make_params (1.0, 0.2, 2,
      OCL_BILATERAL_COLOR_LAB, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);

  check_bands (find_combination ("rows"), &params, 4096, 1600);
}

/* A launch of the tiled kernel has up to 10^8 taps for each compute unit. */
static void
test_bands_of_tiled (void)
{
  const OclBilateralParams params = make_params (5.0, 0.2, 10,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  const gint width = 4096;
  cl_uint n_units;

  g_assert_cmpint (clGetDeviceInfo (context->device->id,
          CL_DEVICE_MAX_COMPUTE_UNITS, sizeof (n_units), &n_units, NULL), ==,
      CL_SUCCESS);
  check_bands (find_combination ("tiled"), &params, width,
      n_units * 100000000.0 / (21 * 21 * width) + 64);
}

/* A soft gradient, hard edges and thin lines, with noise of that sigma. */
static void
picture_fill_noisy (Picture * picture, gdouble noise)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (picture->width);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture->pixels + y * picture->stride + 4 * x;
      gdouble level = 60.0 + 50.0 * sin (x * 0.05) * cos (y * 0.03)
          + (x / 23 + y / 17) % 2 * 90 + ((x + 2 * y) % 31 == 0 ? 50 : 0);

      for (gint c = 0; c < 3; c++) {
        /* By the central limit theorem, with a variance of 1. */
        gdouble normal = -6.0;
        for (gint i = 0; i < 12; i++)
          normal += g_rand_double (random);
        pixel[c] = CLAMP (rint (level * (1.0 - 0.2 * c) + noise * normal), 0,
            255);
      }
      pixel[3] = g_rand_int_range (random, 0, 256);
    }
  }
}

static gdouble
get_psnr (const Picture * picture, const gdouble * expected)
{
  gdouble sum = 0.0;

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      for (gint c = 0; c < 3; c++) {
        gdouble difference = picture->pixels[y * picture->stride + 4 * x + c]
            - expected[(y * picture->width + x) * 3 + c];

        sum += difference * difference;
      }
    }
  }
  return 10.0 * log10 (255.0 * 255.0 * 3 * picture->width * picture->height
      / sum);
}

static void
assert_same_alpha (const Picture * input, const Picture * output)
{
  for (gint y = 0; y < input->height; y++) {
    for (gint x = 0; x < input->width; x++)
      g_assert_cmpuint (output->pixels[y * output->stride + 4 * x + 3], ==,
          input->pixels[y * input->stride + 4 * x + 3]);
  }
}

/* The approximation in both storages: to the byte the same, and as close to the
 * reference as promised. */
static void
check_fast (const OclBilateralParams * params, Picture * input)
{
  const ReferenceBilateral reference = get_reference_bilateral (params);
  g_autofree gdouble *expected =
      g_new (gdouble, input->width * input->height * 3);
  Picture buffer, image;

  picture_init (&buffer, input->width, input->height);
  picture_init (&image, input->width, input->height);
  reference_bilateral (&reference, input->pixels, input->stride, input->width,
      input->height, expected);
  filter (FAST_BUFFER, params, input, &buffer);
  g_assert_true (get_variant (FAST_BUFFER, params) == &ocl_bilateral_fast);
  gdouble psnr = get_psnr (&buffer, expected);
  g_test_message ("%dx%d, sigmas %g and %g, radius %d, border %d: %.1f dB",
      input->width, input->height, params->spatial_sigma,
      params->intensity_sigma, params->radius, params->border.mode, psnr);
  g_assert_cmpfloat (psnr, >=, OCL_BILATERAL_FAST_PSNR);
  assert_same_alpha (input, &buffer);
  if (!is_left_out (OCL_STORAGE_IMAGE)) {
    filter (FAST_IMAGE, params, input, &image);
    g_assert_cmpmem (image.bytes, picture_get_size (&image), buffer.bytes,
        picture_get_size (&buffer));
  }
  picture_clear (&buffer);
  picture_clear (&image);
}

static void
check_fast_picture (const OclBilateralParams * params, gint width, gint height,
    gdouble noise)
{
  Picture input;

  picture_init (&input, width, height);
  picture_fill_noisy (&input, noise);
  check_fast (params, &input);
  picture_clear (&input);
}

static OclBilateralParams
make_fast_params (gdouble spatial_sigma, gdouble intensity_sigma, gint radius)
{
  OclBilateralParams params = make_params (spatial_sigma, intensity_sigma,
      radius, OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_DISC,
      OCL_BORDER_CLAMP_TO_EDGE);

  params.method = OCL_BILATERAL_METHOD_FAST;
  return params;
}

/* All windows and borders, within and beyond the frame, in all sizes. */
static void
test_fast_settings (void)
{
  static const gint sizes[][2] = { {1, 1}, {1, 19}, {23, 1}, {17, 13},
  {32, 9}, {67, 41}
  };

  for (gint window = 0; window <= OCL_BILATERAL_WINDOW_DISC; window++) {
    for (gint border = 0; border <= OCL_BORDER_CONSTANT; border++) {
      for (guint size = 0; size < G_N_ELEMENTS (sizes); size++) {
        OclBilateralParams params = make_fast_params (5.0, 0.25, -1);

        params.window = window;
        params.border.mode = border;
        check_fast_picture (&params, sizes[size][0], sizes[size][1], 10.0);
      }
    }
  }
}

/* Each layout of the nodes once, in little time: for tools. */
static void
test_fast_small (void)
{
  for (gdouble sigma = 5.0; sigma <= 40.0; sigma *= 2.0) {
    OclBilateralParams params = make_fast_params (sigma, 1.0, -1);

    params.border.mode = OCL_BORDER_WRAP;
    check_fast_picture (&params, 35, 9, 10.0);
  }
}

/* Every step between nodes, few cosines and many, windows that end early and
 * late, without noise and with much. */
static void
test_fast_sigmas (void)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
  } settings[] = {
    {5.0, 0.05, -1}, {9.9, 0.1, -1}, {10.0, 0.25, -1}, {9.9, 0.03, 60},
    {10.0, 0.25, 10}, {16.0, 0.25, -1}, {16.0, 0.05, 16}, {24.5, 0.1, -1},
    {32.0, 0.5, -1}, {50.0, 0.25, -1}, {50.0, 0.1, 31}, {12.0, 10.0, -1},
    {5.0, G_MAXFLOAT, 100},
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    for (gdouble noise = 0.0; noise <= 25.0; noise += 12.5) {
      OclBilateralParams params = make_fast_params (settings[i].spatial_sigma,
          settings[i].intensity_sigma, settings[i].radius);

      params.window = i % 2;
      check_fast_picture (&params, 75, 43, noise);
    }
  }
}

/* A pixel unlike all around it stays, in the largest window, whose weight
 * multiplies the error of the cosines: that must not outweigh the pixel. */
static void
test_fast_outliers (void)
{
  static const gdouble sigmas[] = { 0.03, 0.1, 0.25 };
  Picture input;

  picture_init (&input, 81, 67);
  for (gint y = 0; y < input.height; y++) {
    for (gint x = 0; x < input.width; x++)
      memset (input.pixels + y * input.stride + 4 * x,
          x == 37 && y == 35 ? 255 : 0, 4);
  }
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    OclBilateralParams params =
        make_fast_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA, sigmas[i], -1);

    check_fast (&params, &input);
  }
  picture_clear (&input);
}

/* A frame that is filtered in several bands gives what its parts give: rows
 * further from a part's ends than what nodes reach, in parts that begin at a
 * node. */
static void
test_fast_bands (void)
{
  const OclBilateralParams params = make_fast_params (5.0, 0.03, -1);
  const gint width = 640, height = 480, part_height = 96, part_y = 32;
  const gint margin = (3 + 2) * 4;
  Picture whole, whole_output;

  picture_init (&whole, width, height);
  picture_init (&whole_output, width, height);
  picture_fill_noisy (&whole, 10.0);
  filter (FAST_BUFFER, &params, &whole, &whole_output);

  for (gint y = 0; y + part_height <= height; y += part_y) {
    Picture part = whole;
    Picture part_output;

    part.height = part_height;
    part.pixels = whole.pixels + (gsize) y * whole.stride;
    picture_init (&part_output, width, part_height);
    filter (FAST_BUFFER, &params, &part, &part_output);
    for (gint row = margin; row < part_height - margin; row++)
      g_assert_cmpmem (part_output.pixels + row * part_output.stride,
          width * 4, whole_output.pixels + (gsize) (y + row)
          * whole_output.stride, width * 4);
    picture_clear (&part_output);
  }
  picture_clear (&whole);
  picture_clear (&whole_output);
}

/* Sigmas and sizes that change from frame to frame leave nothing behind. */
static void
test_fast_changes (void)
{
  const OclBilateralParams settings[] = {
    make_fast_params (16.0, 0.25, -1), make_fast_params (5.0, 0.25, -1),
    make_fast_params (5.0, 0.05, -1), make_fast_params (16.0, 0.25, 10),
    make_fast_params (16.0, 0.25, -1),
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    check_fast_picture (&settings[i], i == 2 ? 120 : 40, i == 3 ? 90 : 30,
        10.0);
}

/* Whether the approximation is chosen; NULL is for what suits the device. */
static gboolean
is_fast_chosen (const OclBilateralParams * params)
{
  const OclVariant *variant = ocl_bilateral_class.choose (params,
      OCL_FORMAT_RGBA, context->device);

  g_assert_true (variant == NULL || variant == &ocl_bilateral_fast);
  return variant != NULL;
}

static void
test_methods (void)
{
  OclBilateralParams params = make_fast_params (16.0, 0.25, -1);

  params.method = OCL_BILATERAL_METHOD_EXACT;
  g_assert_false (is_fast_chosen (&params));
  params.method = OCL_BILATERAL_METHOD_AUTO;
  params.max_error = 40.0;
  g_assert_true (is_fast_chosen (&params));
  params.max_error = OCL_BILATERAL_FAST_PSNR + 0.1;
  g_assert_false (is_fast_chosen (&params));
  params.method = OCL_BILATERAL_METHOD_FAST;
  g_assert_true (is_fast_chosen (&params));
}

/* What the approximation cannot serve, or on a CPU not faster. */
static void
test_methods_range (void)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
    OclBilateralColorMode color_mode;
    gboolean fast_gets, auto_gets;
  } cases[] = {
    {16.0, 0.25, -1, OCL_BILATERAL_COLOR_PER_CHANNEL, FALSE, FALSE},
    {16.0, 0.25, -1, OCL_BILATERAL_COLOR_LAB, FALSE, FALSE},
    {4.9, 0.25, 20, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {16.0, 0.25, 9, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {16.0, 0.02, -1, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {16.0, 1e-300, -1, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {5.0, 0.25, -1, OCL_BILATERAL_COLOR_INTENSITY, TRUE, TRUE},
    /* 16 cosines, 800 taps: 15² π = 707, 16² π = 804 */
    {16.0, 0.05, 15, OCL_BILATERAL_COLOR_INTENSITY, TRUE, FALSE},
    {16.0, 0.05, 16, OCL_BILATERAL_COLOR_INTENSITY, TRUE, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    OclBilateralParams params = make_fast_params (cases[i].spatial_sigma,
        cases[i].intensity_sigma, cases[i].radius);

    params.color_mode = cases[i].color_mode;
    g_assert_cmpint (is_fast_chosen (&params), ==, cases[i].fast_gets);
    params.method = OCL_BILATERAL_METHOD_AUTO;
    if (context->device->type & CL_DEVICE_TYPE_CPU)
      g_assert_cmpint (is_fast_chosen (&params), ==, cases[i].auto_gets);
  }
}

static void
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

/* One colour stays that colour. */
static void
test_constant (void)
{
  OclBilateralParams params = make_params (5.0, 0.25, -1, 0,
      OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_CLAMP_TO_EDGE);

  for (guint i = 0; i < N_COMBINATIONS; i++) {
    if (is_left_out (combinations[i].storage))
      continue;
    for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
      params.color_mode = mode;
      check_constant (&combinations[i], &params);
    }
  }
}

static void
test_fast_constant (void)
{
  static const gdouble spatial_sigmas[] = { 5.0, 16.0, 50.0 };
  static const gdouble intensity_sigmas[] = { 0.022, 0.25, G_MAXFLOAT };

  for (guint i = 0; i < G_N_ELEMENTS (spatial_sigmas); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (intensity_sigmas); j++) {
      OclBilateralParams params = make_fast_params (spatial_sigmas[i],
          intensity_sigmas[j], -1);

      check_constant (FAST_BUFFER, &params);
    }
  }
}

static void
test_fast_bgra (void)
{
  const OclBilateralParams params = make_fast_params (5.0, 0.2, -1);

  check_bgra (FAST_BUFFER, &params);
  check_bgra (FAST_IMAGE, &params);
}

static gboolean
is_neutral (const OclBilateralParams * params)
{
  return ocl_operation_class_is_neutral (&ocl_bilateral_class, params);
}

static void
test_neutral (void)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  g_assert_false (is_neutral (&params));
  params.spatial_sigma = 0.0;
  g_assert_true (is_neutral (&params));
  params.radius = 3;
  g_assert_true (is_neutral (&params));
  params.spatial_sigma = 0.3;
  g_assert_false (is_neutral (&params));
  params.radius = -1;
  g_assert_true (is_neutral (&params));
  params.spatial_sigma = 2.0;
  params.intensity_sigma = 0.0;
  g_assert_true (is_neutral (&params));
}

static void
combination_init (Combination * combination, const OclVariant * variant,
    OclStorage storage)
{
  combination->variant = variant;
  combination->storage = storage;
  combination->operation = ocl_operation_new (&ocl_bilateral_class, context);
  if (variant)
    ocl_operation_force (combination->operation, variant, NULL);
}

static void
open_device (void)
{
  const OclVariant *const *variants = ocl_bilateral_class.variants;
  guint n = 0;

  context = open_context ();
  for (gint storage = 0; storage < OCL_N_STORAGES; storage++) {
    for (guint i = 0; variants[i]; i++) {
      if (variants[i]->flags & OCL_VARIANT_APPROXIMATE)
        continue;
      g_assert_cmpuint (n, <, MAX_COMBINATIONS);
      combination_init (&combinations[n++], variants[i], storage);
    }
    combination_init (&chosen[storage], NULL, storage);
  }
  n_variants = n / OCL_N_STORAGES;
}

static void
close_device (void)
{
  for (guint i = 0; i < N_COMBINATIONS; i++)
    ocl_operation_free (combinations[i].operation);
  for (guint i = 0; i < OCL_N_STORAGES; i++)
    ocl_operation_free (chosen[i].operation);
  ocl_context_unref (context);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bilateral/neutral", test_neutral);
  g_test_add_func ("/bilateral/constant", test_constant);
  g_test_add_func ("/bilateral/settings", test_settings);
  g_test_add_func ("/bilateral/large-window", test_large_window);
  g_test_add_func ("/bilateral/sigmas", test_sigmas);
  g_test_add_func ("/bilateral/extreme-sigmas", test_extreme_sigmas);
  g_test_add_func ("/bilateral/largest-window", test_largest_window);
  g_test_add_func ("/bilateral/equal-luma", test_equal_luma);
  g_test_add_func ("/bilateral/video-size", test_video_size);
  g_test_add_func ("/bilateral/bgra", test_bgra);
  g_test_add_func ("/bilateral/bands-of-rows", test_bands_of_rows);
  g_test_add_func ("/bilateral/bands-of-tiled", test_bands_of_tiled);
  g_test_add_func ("/bilateral/methods", test_methods);
  g_test_add_func ("/bilateral/methods-range", test_methods_range);
  g_test_add_func ("/bilateral/fast-constant", test_fast_constant);
  g_test_add_func ("/bilateral/fast-bgra", test_fast_bgra);
  g_test_add_func ("/bilateral/fast-small", test_fast_small);
  g_test_add_func ("/bilateral/fast-settings", test_fast_settings);
  g_test_add_func ("/bilateral/fast-sigmas", test_fast_sigmas);
  g_test_add_func ("/bilateral/fast-outliers", test_fast_outliers);
  g_test_add_func ("/bilateral/fast-bands", test_fast_bands);
  g_test_add_func ("/bilateral/fast-changes", test_fast_changes);

  open_device ();
  int result = g_test_run ();
  close_device ();
  return result;
}
