/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every variant of the bilateral filter, in images and in buffers, against the
 * float64 reference: windows, colour modes, borders, sigmas, sizes, strides.
 *
 * Accuracy asked for: within 1 of the reference rounded to nearest, and other
 * than it only where the reference is within 0.001 of a tie.
 *
 * With the environment variable GLOPENCL_TEST_STORAGE=buffer images are left
 * out, for tools that run kernels on buffers only. */

#include <math.h>
#include <string.h>

#include "opencl/oclbilateral.h"
#include "reference.h"

#define TIE 0.001

/* Bytes before the first pixel and after each row, which must stay as they
 * are; odd, so that pixels are not aligned. */
#define MARGIN 3
#define CANARY 0xa5

typedef struct
{
  gint width;
  gint height;
  gint stride;
  guint8 *bytes;                /* owned */
  guint8 *pixels;               /* within bytes */
} Picture;

static OclContext *context;

static void
picture_init (Picture * picture, gint width, gint height)
{
  picture->width = width;
  picture->height = height;
  picture->stride = width * 4 + MARGIN;
  picture->bytes = g_malloc (MARGIN + picture->stride * height);
  memset (picture->bytes, CANARY, MARGIN + picture->stride * height);
  picture->pixels = picture->bytes + MARGIN;
}

static void
picture_clear (Picture * picture)
{
  g_free (picture->bytes);
}

/* Gradients, edges and noise: differences of every size. */
static void
picture_fill (Picture * picture, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture->pixels + y * picture->stride + 4 * x;
      gint edge = (x / 9 + y / 7) % 2 ? 90 : 0;

      for (gint c = 0; c < 3; c++)
        pixel[c] = CLAMP (x * (c + 1) % 160 + edge
            + g_rand_int_range (random, -20, 21), 0, 255);
      pixel[3] = g_rand_int_range (random, 0, 256);
    }
  }
}

static gsize
picture_get_size (const Picture * picture)
{
  return MARGIN + (gsize) picture->stride * picture->height;
}

static void
assert_ok (gboolean ok, GError * error)
{
  g_assert_no_error (error);
  g_assert_true (ok);
}

/* A buffer that starts at the first pixel, in memory that has the margins. */
static cl_mem
wrap_buffer (Picture * picture)
{
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer (context->context,
      CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
      (gsize) picture->stride * (picture->height - 1) + picture->width * 4,
      picture->pixels, &status);

  g_assert_cmpint (status, ==, CL_SUCCESS);
  return memory;
}

static void
filter_buffer (OclBilateral * bilateral, const OclBilateralParams * params,
    Picture * input, Picture * output, gboolean bgra)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  GError *error = NULL;
  OclFrame in = {.storage = OCL_STORAGE_BUFFER,.width = input->width,
    .height = input->height,.stride = input->stride,.bgra = bgra
  };
  OclFrame out = in;
  cl_int status;

  in.memory = wrap_buffer (input);
  out.memory = wrap_buffer (output);
  gboolean ok = ocl_bilateral_enqueue (bilateral, params, &in, &out, timer,
      &error);
  assert_ok (ok, error);
  void *data = clEnqueueMapBuffer (context->queue, out.memory, CL_TRUE,
      CL_MAP_READ, 0, ocl_frame_get_size (&out), 0, NULL, NULL, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  g_assert_true (data == output->pixels);
  clEnqueueUnmapMemObject (context->queue, out.memory, data, 0, NULL, NULL);
  clFinish (context->queue);
  clReleaseMemObject (out.memory);
  clReleaseMemObject (in.memory);
}

static void
filter_image (OclBilateral * bilateral, const OclBilateralParams * params,
    Picture * input, Picture * output, gboolean bgra)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { input->width, input->height, 1 };
  const OclFrame like = {.width = input->width,.height = input->height,
    .bgra = bgra
  };
  OclFrame in = { 0, };
  OclFrame out = { 0, };
  GError *error = NULL;

  gboolean ok = ocl_frame_ensure (&in, context, OCL_STORAGE_IMAGE, &like,
      &error)
      && ocl_frame_ensure (&out, context, OCL_STORAGE_IMAGE, &like, &error);
  assert_ok (ok, error);
  g_autofree guint8 *packed = g_malloc (input->width * input->height * 4);
  for (gint y = 0; y < input->height; y++)
    memcpy (packed + y * input->width * 4, input->pixels + y * input->stride,
        input->width * 4);
  g_assert_cmpint (clEnqueueWriteImage (context->queue, in.memory, CL_TRUE,
          origin, region, 0, 0, packed, 0, NULL, NULL), ==, CL_SUCCESS);
  ok = ocl_bilateral_enqueue (bilateral, params, &in, &out, timer, &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueReadImage (context->queue, out.memory, CL_TRUE,
          origin, region, 0, 0, packed, 0, NULL, NULL), ==, CL_SUCCESS);
  for (gint y = 0; y < input->height; y++)
    memcpy (output->pixels + y * output->stride, packed + y * input->width * 4,
        input->width * 4);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
}

static void
swap_red_and_blue (Picture * picture)
{
  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture->pixels + y * picture->stride + 4 * x;
      guint8 red = pixel[0];

      pixel[0] = pixel[2];
      pixel[2] = red;
    }
  }
}

static void
assert_margins_untouched (const Picture * picture)
{
  for (gint i = 0; i < MARGIN; i++)
    g_assert_cmpuint (picture->bytes[i], ==, CANARY);
  for (gint y = 0; y < picture->height; y++) {
    for (gint i = picture->width * 4; i < picture->stride; i++)
      g_assert_cmpuint (picture->pixels[y * picture->stride + i], ==, CANARY);
  }
}

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

static ReferenceBilateral
get_reference_params (const OclBilateralParams * params)
{
  ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = params->radius,
    .color_mode = (ReferenceColorMode) params->color_mode,
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border,
  };

  memcpy (reference.border_color, params->border_color, 4);
  return reference;
}

typedef struct
{
  OclBilateralVariant variant;
  OclStorage storage;
  OclBilateral *bilateral;
} Combination;

static Combination combinations[] = {
  {OCL_BILATERAL_VARIANT_PLAIN, OCL_STORAGE_BUFFER, NULL},
  {OCL_BILATERAL_VARIANT_ROWS, OCL_STORAGE_BUFFER, NULL},
  {OCL_BILATERAL_VARIANT_TILED, OCL_STORAGE_BUFFER, NULL},
  {OCL_BILATERAL_VARIANT_PLAIN, OCL_STORAGE_IMAGE, NULL},
  {OCL_BILATERAL_VARIANT_ROWS, OCL_STORAGE_IMAGE, NULL},
  {OCL_BILATERAL_VARIANT_TILED, OCL_STORAGE_IMAGE, NULL},
};

/* The same order in images as in buffers. */
#define N_VARIANTS (G_N_ELEMENTS (combinations) / 2)

static gboolean
is_left_out (const Combination * combination)
{
  return combination->storage == OCL_STORAGE_IMAGE
      && g_strcmp0 (g_getenv ("GLOPENCL_TEST_STORAGE"), "buffer") == 0;
}

static void
filter (const Combination * combination, const OclBilateralParams * params,
    Picture * input, Picture * output, gboolean bgra)
{
  (combination->storage == OCL_STORAGE_BUFFER ? filter_buffer : filter_image)
      (combination->bilateral, params, input, output, bgra);
  assert_margins_untouched (output);
}

/* All variants and storages against the reference, and images against buffers
 * to the byte. */
static void
check_against_reference (const OclBilateralParams * params, Picture * input)
{
  const ReferenceBilateral reference = get_reference_params (params);
  g_autofree gdouble *expected =
      g_new (gdouble, input->width * input->height * 3);
  Picture outputs[G_N_ELEMENTS (combinations)];

  reference_bilateral (&reference, input->pixels, input->stride, input->width,
      input->height, expected);

  for (guint i = 0; i < G_N_ELEMENTS (combinations); i++) {
    picture_init (&outputs[i], input->width, input->height);
    if (is_left_out (&combinations[i]))
      continue;
    filter (&combinations[i], params, input, &outputs[i], FALSE);
    assert_accurate (input, &outputs[i], expected);
    if (combinations[i].storage == OCL_STORAGE_IMAGE)
      g_assert_cmpmem (outputs[i].bytes, picture_get_size (&outputs[i]),
          outputs[i - N_VARIANTS].bytes, picture_get_size (&outputs[i - N_VARIANTS]));
  }
  for (guint i = 0; i < G_N_ELEMENTS (combinations); i++)
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
    OclBorder border)
{
  return (OclBilateralParams) {
    .spatial_sigma = spatial_sigma,.intensity_sigma = intensity_sigma,
    .radius = radius,.color_mode = color_mode,.window = window,
    .border = border,.border_color = {200, 30, 90, 255},
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

/* Blue first gives what red first gives. */
static void
test_bgra (void)
{
  const OclBilateralParams params = make_params (1.5, 0.2, -1,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CONSTANT);

  for (guint i = 0; i < G_N_ELEMENTS (combinations); i++) {
    const Combination *combination = &combinations[i];
    Picture input, rgba, bgra;

    /* Only rows sees the order of a buffer, others that of an image. */
    if (is_left_out (combination)
        || (combination->storage == OCL_STORAGE_BUFFER
            && combination->variant != OCL_BILATERAL_VARIANT_ROWS))
      continue;
    picture_init (&input, 35, 11);
    picture_init (&rgba, 35, 11);
    picture_init (&bgra, 35, 11);
    picture_fill (&input, 7);
    filter (combination, &params, &input, &rgba, FALSE);
    swap_red_and_blue (&input);
    filter (combination, &params, &input, &bgra, TRUE);
    swap_red_and_blue (&bgra);
    g_assert_cmpmem (rgba.bytes, picture_get_size (&rgba), bgra.bytes,
        picture_get_size (&bgra));
    picture_clear (&input);
    picture_clear (&rgba);
    picture_clear (&bgra);
  }
}

/* A frame that is filtered in several bands gives what its parts give. */
static void
test_bands (void)
{
  const OclBilateralParams params = make_params (1.0, 0.2, -1,
      OCL_BILATERAL_COLOR_LAB, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  const gint width = 4096, height = 1600, part_height = 64, radius = 2;
  const Combination *rows = &combinations[1];
  Picture whole, whole_output;

  picture_init (&whole, width, height);
  picture_init (&whole_output, width, height);
  picture_fill (&whole, 3);
  filter (rows, &params, &whole, &whole_output, FALSE);

  for (gint y = 0; y + part_height <= height; y += part_height - 2 * radius) {
    Picture part = whole;
    Picture part_output;

    part.height = part_height;
    part.pixels = whole.pixels + (gsize) y * whole.stride;
    picture_init (&part_output, width, part_height);
    filter (rows, &params, &part, &part_output, FALSE);
    for (gint row = radius; row < part_height - radius; row++)
      g_assert_cmpmem (part_output.pixels + row * part_output.stride,
          width * 4, whole_output.pixels + (gsize) (y + row)
          * whole_output.stride, width * 4);
    picture_clear (&part_output);
  }
  picture_clear (&whole);
  picture_clear (&whole_output);
}

/* One colour stays that colour. */
static void
test_constant (void)
{
  OclBilateralParams params = make_params (5.0, 0.25, -1, 0,
      OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_CLAMP_TO_EDGE);

  for (guint i = 0; i < G_N_ELEMENTS (combinations); i++) {
    if (is_left_out (&combinations[i]))
      continue;
    for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
      Picture input, output;

      params.color_mode = mode;
      picture_init (&input, 33, 12);
      picture_init (&output, 33, 12);
      for (gint y = 0; y < 12; y++) {
        for (gint x = 0; x < 33; x++)
          memcpy (input.pixels + y * input.stride + 4 * x, "\x01\x7f\xff\x42",
              4);
      }
      filter (&combinations[i], &params, &input, &output, FALSE);
      g_assert_cmpmem (input.bytes, picture_get_size (&input), output.bytes,
          picture_get_size (&output));
      picture_clear (&input);
      picture_clear (&output);
    }
  }
}

static void
test_neutral (void)
{
  OclBilateralParams params = OCL_BILATERAL_PARAMS_DEFAULT;

  g_assert_false (ocl_bilateral_is_neutral (&params));
  params.spatial_sigma = 0.0;
  g_assert_true (ocl_bilateral_is_neutral (&params));
  params.radius = 3;
  g_assert_true (ocl_bilateral_is_neutral (&params));
  params.spatial_sigma = 0.3;
  g_assert_false (ocl_bilateral_is_neutral (&params));
  params.radius = -1;
  g_assert_true (ocl_bilateral_is_neutral (&params));
  params.spatial_sigma = 2.0;
  params.intensity_sigma = 0.0;
  g_assert_true (ocl_bilateral_is_neutral (&params));
}

static void
open_device (void)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);

  g_assert_no_error (error);
  g_test_message ("on %s", ((OclDevice *) devices->pdata[0])->name);
  context = ocl_context_new (devices->pdata[0], NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (combinations); i++) {
    if (is_left_out (&combinations[i]))
      continue;
    combinations[i].bilateral = ocl_bilateral_new (context,
        combinations[i].variant);
    gboolean ok = ocl_bilateral_prepare (combinations[i].bilateral,
        combinations[i].storage, &error);
    assert_ok (ok, error);
  }
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
  g_test_add_func ("/bilateral/bands", test_bands);

  open_device ();
  int result = g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (combinations); i++)
    g_clear_pointer (&combinations[i].bilateral, ocl_bilateral_free);
  ocl_context_unref (context);
  return result;
}
