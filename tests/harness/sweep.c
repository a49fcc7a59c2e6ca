/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exhaustive.h"
#include "opencl/ocloperations.h"
#include "references.h"
#include "testrandom.h"

/* The largest radius of windows that are drawn: the work of the reference grows
 * with its square. */
#define MAX_REACH 12

/* Formats that are drawn in addition to the usual ones, or instead of them for
 * variants that take the compiler of a CPU seconds to build. */
#define N_DRAWN_FORMATS 2

/* The first format runs all parameters. */
#define FIRST_FORMAT "RGBA"

/* Maximum sum of the absolute coefficients of a matrix, above which kernels add
 * them up tap by tap. */
#define MAX_GAIN 998.0

/* The number of wrong runs of a variant that are described. */
#define MAX_COMPLAINTS 3

/* Sizes of pictures. Each variant adds up to 3 at random. It has few, because
 * PoCL compiles a kernel for each size. */
enum
{
  SIZE_PIXEL,
  SIZE_TWO,
  SIZE_FEW,
  SIZE_SMALL,
  SIZE_MEDIUM,
  SIZE_WIDE,
  SIZE_LARGE,
  N_SIZES
};

static const gint sizes[N_SIZES][2] = {
  {1, 1}, {2, 2}, {3, 3}, {17, 9}, {37, 21}, {70, 11}, {130, 22}
};

/* The largest product of the pixels and the samples of the window that is
 * drawn: drivers without optimization take a second for more. */
#define MAX_TAPS 300000

/* Cases that are not drawn. @params are words name=value, where value may be
 * several values with | between them, or * for all values of an enumeration, and
 * RANDOM:63x1 is a random matrix of this size. A case runs with the product of
 * them. */
static const struct
{
  const gchar *operation;
  const gchar *params;
  const gchar *format;
  guint size;
  PictureContent content;
} special_cases[] = {
  /* Windows larger than the frame. */
  {"bilateral", "spatial-sigma=8 intensity-sigma=0.3 radius=16 "
        "color-mode=intensity border=*", "RGBA", SIZE_FEW, PICTURE_SCENE},
  {"bilateral", "spatial-sigma=50 intensity-sigma=0.25 border=reflect "
        "color-mode=*", "RGBA", SIZE_FEW, PICTURE_SCENE},
  /* Sigmas whose squares vanish, and the largest sigma. Floats do not
   * distinguish colours between equal and far apart. */
  {"bilateral", "spatial-sigma=1 radius=2 border=wrap color-mode=* "
        "intensity-sigma=1e-300|1e-45|1e-30|1e-8|1e-4|10", "RGBA",
      SIZE_SMALL, PICTURE_EXTREMES},
  {"bilateral", "spatial-sigma=1e-300|1e-45|1e-8 radius=2 border=wrap "
        "color-mode=* intensity-sigma=0.2", "RGBA", SIZE_SMALL,
      PICTURE_EXTREMES},
  {"bilateral", "spatial-sigma=1.5 intensity-sigma=1e-6", "RGBA",
      SIZE_MEDIUM, PICTURE_ONE_LUMA},
  /* Radii with a program of their size. */
  {"bilateral", "radius=2|3|4 planes=luma", "GRAY8", SIZE_MEDIUM,
      PICTURE_SCENE},
  {"bilateral", "radius=2|3|4", "RGBA", SIZE_MEDIUM, PICTURE_SCENE},
  /* Tiles in which a window of the expanded variants does not fit at once. */
  {"bilateral", "radius=40 spatial-sigma=6.1|20 intensity-sigma=0.04|10",
      "GRAY8", SIZE_SMALL, PICTURE_SCENE},
  {"bilateral", "radius=40 spatial-sigma=20 window=*", "RGBA", SIZE_SMALL,
      PICTURE_SCENE},
  /* Numbers as large as possible that cancel each other. */
  {"convolution", "matrix=<<0,1e9,-1e9>> divisor=1 bias=0.5", "GRAY16_LE",
      SIZE_LARGE, PICTURE_EXTREMES},
  {"convolution", "matrix=<<3,-2,-1>> divisor=1e-9 bias=0.5", "GRAY8",
      SIZE_LARGE, PICTURE_SCENE},
  {"convolution", "matrix=<<123456.789,-999999.75,876542.961>> bias=0.5 "
        "divisor=0.001", "P010_10LE", SIZE_LARGE, PICTURE_EXTREMES},
  {"convolution", "matrix=<<1e6,0,-1e6>,<0,3,0>,<-1e6,0,1e6>> divisor=-3 "
        "bias=0.5", "GRAY16_LE", SIZE_LARGE, PICTURE_EXTREMES},
  {"convolution", "matrix=RANDOM:63x63|RANDOM:1x63|RANDOM:63x1|RANDOM:15x15 "
        "divisor=1 bias=0.5", "GRAY16_LE", SIZE_LARGE, PICTURE_EXTREMES},
  {"convolution", "matrix=RANDOM:63x63|RANDOM:31x17|RANDOM:3x3|RANDOM:5x5 "
        "divisor=1 bias=0.5", "GRAY8", SIZE_LARGE, PICTURE_EXTREMES},
  {"convolution", "matrix=RANDOM:15x15|RANDOM:3x3 divisor=1 bias=0.5",
      "P010_10LE", SIZE_LARGE, PICTURE_SCENE},
  {"convolution", "matrix=RANDOM:63x63|RANDOM:9x9 planes=luma+chroma", "I420",
      SIZE_MEDIUM, PICTURE_SCENE},
  {"sharpen", "radius=64 sigma=25 kernel=* border=wrap", "GRAY16_LE",
      SIZE_WIDE, PICTURE_SCENE},
  {"sharpen", "radius=64 sigma=25 kernel=* border=clamp-to-edge|constant "
        "border-color=0xffc81e5a output=blur", "RGBA", SIZE_WIDE,
      PICTURE_EXTREMES},
  /* Differences of bands are up to twice as large as those of frames. */
  {"multiresolution", "levels=2 radius=3 spatial-sigma=0.3 "
        "intensity-sigma=0.107", "GRAY8", SIZE_LARGE, PICTURE_EXTREMES},
};

/* The work on one variant. */
typedef struct
{
  const Sweep *sweep;
  const OclOperationClass *klass;
  const OclVariant *variant;
  gint sizes[N_SIZES][2];
  OclFilter *operation;
  OclFilter *general;           /* its program for all parameters, or NULL */
  SweepResult results[OCL_N_STORAGES];
  GChecksum *checksums[OCL_N_STORAGES];
  gchar *skipped;
  gchar *tuning;                /* the options of an extreme tuning, or NULL */
} Work;

static gboolean
filters (const Work * self)
{
  return ocl_operation_class_filters (self->klass);
}

static gboolean
is_approximate (const Work * self)
{
  return (self->variant->flags & OCL_VARIANT_APPROXIMATE) != 0;
}

/* Returns whether the compiler of the device takes seconds for the variant. */
static gboolean
is_slow (const Work * self)
{
  return self->sweep->context->device->type & CL_DEVICE_TYPE_CPU
      && !(self->variant->flags & OCL_VARIANT_FOR_CPU);
}

static gint
get_reach (const Work * self, gconstpointer params)
{
  return self->klass->get_reach ? self->klass->get_reach (params) : 0;
}

/* Returns whether the variant can run with @params, and changes frames. */
static gboolean
is_usable (const Work * self, gconstpointer params, const OclFormat * format,
    gint max_reach)
{
  const OclOperationClass *klass = self->klass;

  return !ocl_operation_class_is_neutral (klass, params)
      && ocl_operation_class_check (klass, params, format, NULL)
      && get_reach (self, params) <= max_reach
      && can_run_all_passes (klass, self->variant, params, format);
}

/* Returns the default parameters, or the first parameters of the warm-up that
 * the variant can run with. Returns NULL if it runs with none of them. */
static gpointer
create_base (const Work * self, const OclFormat * format)
{
  g_autoptr (OclParams) params =
      ocl_operation_class_create_params (self->klass);

  for (guint n = 0; !is_usable (self, params, format, MAX_REACH); n++) {
    if (!ocl_operation_class_get_warm_up (self->klass, n, params))
      return NULL;
  }
  return g_steal_pointer (&params);
}

/* Returns a matrix as text: numbers of either sign, whose sizes differ much,
 * that cancel each other, that are a product of a row and a column, or that are
 * equal. Most have sizes that add up to @gain. */
static gchar *
draw_matrix (gint width, gint height, gdouble gain, GRand * random)
{
  const gint kind = g_rand_int_range (random, 0, 6);
  g_autofree gdouble *numbers = g_new (gdouble, width * height);
  GString *text = g_string_new ("<");
  gdouble sum = 0.0, size = 0.0;

  for (gint i = 0; i < width * height; i++) {
    const gdouble number = g_rand_double_range (random, -1.0, 1.0);

    numbers[i] = kind == 0 ? number : kind == 1 ? pow (number, 9.0)
        : kind == 2 ? (gain > 500.0 && i % 2 ? -1.0 : 1.0)
        : kind == 3 ? (i / width % 2 ? fabs (number) : -fabs (number))
        : kind == 4 ? (i < width ? number : numbers[i % width]
        * (1.0 + i / width % 5))
        : MAX (0.0, floor (number * 6.0));
    sum += numbers[i];
  }
  for (gint i = 0; i < width * height; i++) {
    if (kind != 2 && kind < 4)
      numbers[i] -= sum / (width * height) * (kind == 3 || gain > 500.0);
    size += fabs (numbers[i]);
  }
  for (gint i = 0; i < width * height; i++) {
    gchar number[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_dtostr (number, sizeof (number), kind == 2 || kind == 5
        ? numbers[i] : numbers[i] * gain / MAX (size, 1e-3));
    g_string_append_printf (text, "%s%s%s", i % width ? "," : i ? ">,<" : "<",
        number, i == width * height - 1 ? ">>" : "");
  }
  return g_string_free (text, FALSE);
}

/* Returns 3 as often as the other sides of a matrix: small matrices have kernels
 * for their size. */
static gint
draw_side (GRand * random)
{
  return g_rand_boolean (random) ? 3 : 2 * g_rand_int_range (random, 0, 6) + 1;
}

/* Returns a list of numbers as text. */
static gchar *
draw_numbers (const OclParam * param, GRand * random)
{
  const gint n = g_rand_int_range (random, 0, 5);
  GString *text = g_string_new ("<");

  for (gint i = 0; i < n; i++) {
    gchar number[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_dtostr (number, sizeof (number),
        CLAMP (g_rand_double_range (random, -1.0, 3.0), param->minimum,
            param->maximum));
    g_string_append_printf (text, "%s%s", i ? "," : "", number);
  }
  g_string_append_c (text, '>');
  return g_string_free (text, FALSE);
}

/* Sets a number of @params to @number, or to a number between it and the value
 * of @params with which the variant can run. */
static void
set_usable (const Work * self, const OclFormat * format,
    const OclParam * param, gpointer params, gdouble number)
{
  const gdouble before = get_number (param, params);

  set_number (param, params, number);
  while (!is_usable (self, params, format, MAX_REACH)) {
    number = before + (number - before) / 2.0;
    set_number (param, params, number);
    if (param->values || get_number (param, params) == before
        || number == before) {
      set_number (param, params, before);
      return;
    }
  }
}

/* Changes half of the parameters at random. */
static void
draw_params (const Work * self, const OclFormat * format, gpointer params,
    GRand * random)
{
  const OclOperationClass *klass = self->klass;

  for (const OclParam * param = klass->params; param->name; param++) {
    g_autoptr (GArray) numbers = get_numbers (param);
    g_autoptr (OclParams) before =
        ocl_operation_class_copy_params (klass, params);
    g_autofree gchar *text = NULL;

    if (g_rand_boolean (random))
      continue;
    if (numbers->len > 0) {
      const gdouble start = get_number (param, params);
      const gdouble end = g_array_index (numbers, gdouble,
          g_rand_int_range (random, 0, numbers->len));

      set_usable (self, format, param, params, param->values || param->fixed
          ? end : start + (end - start)
          * g_rand_double_range (random, 0.1, 1.0));
      continue;
    }
    if (param->type == OCL_PARAM_MATRIX)
      text = draw_matrix (draw_side (random), draw_side (random),
          pow (10.0, g_rand_double_range (random, -1.0, 3.0)), random);
    else if (param->type == OCL_PARAM_NUMBERS)
      text = draw_numbers (param, random);
    if (text && !(ocl_operation_class_parse (klass, param, text, params)
            && is_usable (self, params, format, MAX_REACH)))
      ocl_params_copy (klass->params, klass->params_size, params, before);
  }
}

/* Describes a wrong run. */
static void
complain (Work * self, SweepResult * result, gconstpointer params,
    const Picture * input, const gchar * memory, const gchar * fault)
{
  const Sweep *sweep = self->sweep;
  g_autofree gchar *values = describe_params (self->klass, params);
  g_autofree gchar *text = g_strdup_printf ("%s %s%s, %s%s in %s, %dx%d%s: "
      "%s", self->klass->name, self->variant->name,
      self->tuning ? self->tuning : "",
      input->frame.info.interlaced ? "interlaced " : "",
      input->frame.info.format->name,
      memory, input->frame.info.width, input->frame.info.height, values, fault);

  if (result->n_failed++ < MAX_COMPLAINTS)
    sweep->complain (text, sweep->user_data);
}

/* A way to run the variant on a picture. */
typedef enum
{
  RUN_BUFFER,                   /* is compared with the reference */
  RUN_GENERAL,                  /* the others are compared with RUN_BUFFER */
  RUN_IMAGE,
  RUN_SWAPPED_IMAGE,
  N_RUNS
} RunKind;

static const struct
{
  const gchar *name;
  PictureMemory memory;
} runs[N_RUNS] = {
  {"buffers", PICTURE_BUFFER},
  {"buffers, with the program for all parameters", PICTURE_BUFFER},
  {"images", PICTURE_IMAGE},
  {"images of swapped bytes", PICTURE_SWAPPED_IMAGE},
};

static gboolean
can_do (const Work * self, RunKind kind, gconstpointer params,
    const Picture * input)
{
  const OclFormat *format = input->frame.info.format;
  guint forms[OCL_MAX_SPECIALIZATIONS];

  switch (kind) {
    case RUN_BUFFER:
      return TRUE;
    case RUN_GENERAL:
      return self->general
          && ocl_variant_get_specializations (self->variant, params, format,
          forms) > 1;
    default:
      return !self->sweep->only_small && !input->frame.info.interlaced
          && !(self->variant->flags & OCL_VARIANT_BUFFERS_ONLY)
          && !format->buffers_only
          && (kind == RUN_IMAGE || g_str_equal (format->name, "BGRA"))
          && picture_has_images (self->sweep->context, format);
  }
}

/* Returns whether the variant that the operation chooses can run. */
static gboolean
chooses_usable (const Work * self, gconstpointer params,
    const OclFormat * format)
{
  const OclDevice *device = self->sweep->context->device;
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (self->klass, params, format,
      passes);

  for (guint i = 0; self->klass->choose && i < n; i++) {
    const OclVariant *variant = self->klass->choose (params, format,
        &passes[i], device);

    if (variant && (ocl_operation_class_find_variant (self->klass,
                variant->name) != variant
            || !ocl_variant_supports (variant, params, format, &passes[i])))
      return FALSE;
  }
  return TRUE;
}

/* Runs the variant in all ways on @input, and compares. */
static gboolean
run_case (Work * self, gconstpointer params, Picture * input,
    const guint8 * drawn, GError ** error)
{
  const OclOperationClass *klass = self->klass;
  const gboolean reads = klass->flags & OCL_OPERATION_READS;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  g_autofree guint8 *first_result = NULL;
  g_auto (Picture) first = { 0, };

  if (self->skipped)
    return TRUE;
  for (RunKind kind = RUN_BUFFER; kind < N_RUNS; kind++) {
    SweepResult *result = &self->results[kind >= RUN_IMAGE];
    g_autofree guint8 *bytes = g_memdup2 (drawn, klass->result_size);
    g_autofree gchar *fault = NULL;
    g_autoptr (GError) failure = NULL;

    if (!can_do (self, kind, params, input))
      continue;
    const gint64 start = g_get_monotonic_time ();
    Picture output = reads ? picture_new_like (input) : picture_copy (input);
    gboolean ok = harness_run (kind == RUN_GENERAL ? self->general
        : self->operation, params, reads ? input : NULL,
        writes ? &output : NULL, bytes, runs[kind].memory, &failure);
    result->seconds += (g_get_monotonic_time () - start) / 1e6;
    /* Work-groups or local memory are too small. */
    if (g_error_matches (failure, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED)
        && self->variant != klass->variants[0]) {
      picture_clear (&output);
      result->n_unsupported++;
      if (kind == RUN_BUFFER) {
        if (result->n_runs == 0)
          self->skipped = g_strdup (failure->message);
        return TRUE;
      }
      continue;
    }
    result->n_runs++;
    for (guint i = 0; ok && writes && i < output.frame.info.format->n_planes;
        i++)
      g_checksum_update (self->checksums[result->storage], output.planes[i],
          output.sizes[i]);
    if (ok && klass->result_size > 0)
      g_checksum_update (self->checksums[result->storage], bytes,
          klass->result_size);
    if (!ok)
      fault = g_strdup (failure->message);
    else if (kind == RUN_BUFFER && !self->sweep->only_small)
      fault = harness_check (klass, params, input, &output, bytes,
          is_approximate (self), &result->accuracy);
    else if (kind != RUN_BUFFER && writes)
      fault = picture_find_difference (&output, &first);
    if (!fault && kind == RUN_BUFFER
        && !chooses_usable (self, params, input->frame.info.format))
      fault = g_strdup ("the chosen variant cannot run with the parameters");
    if (!fault && first_result && klass->result_size > 0
        && memcmp (bytes, first_result, klass->result_size) != 0)
      fault = g_strdup ("another result than in buffers");
    if (fault)
      complain (self, result, params, input, runs[kind].name, fault);
    if (kind != RUN_BUFFER) {
      picture_clear (&output);
      continue;
    }
    first = output;
    first_result = g_steal_pointer (&bytes);
    /* The rest compares with this run. */
    if (!ok)
      break;
    for (guint i = 0; i < OCL_N_STORAGES; i++) {
      SweepResult *other = &self->results[i];

      other->accuracy.worst = MAX (other->accuracy.worst,
          result->accuracy.worst);
      other->accuracy.psnr = result->accuracy.psnr;
    }
  }
  return ocl_context_finish (self->sweep->context, error);
}

/* Draws a picture of the size and runs @params on it. */
static gboolean
run_params (Work * self, gconstpointer params, const OclFormat * format,
    const gint size[2], PictureContent content, gboolean may_interlace,
    GRand * random, GError ** error)
{
  const gsize n_words = self->klass->result_size / sizeof (guint32);
  g_autofree guint32 *words = g_new (guint32, n_words + 1);
  const gint kind = g_rand_int_range (random, 0, 4);

  /* A result to draw: zeros, small words, few words, all words. */
  for (gsize i = 0; i < n_words; i++)
    words[i] = kind == 0 ? 0 : kind == 1 ? g_rand_int (random) % 100
        : kind == 2 && g_rand_int_range (random, 0, 99) > 0 ? 0
        : g_rand_int (random) >> 4;
  g_auto (Picture) input = picture_new (format, size[0], size[1]);
  picture_fill_with (&input, content, g_rand_int (random));
  if (!filters (self))
    input.frame.info.colorimetry.full_range = g_rand_boolean (random);
  else
    input.frame.info.interlaced = may_interlace && !is_approximate (self)
        && g_rand_int_range (random, 0, 4) == 0;
  const gboolean ok = run_case (self, params, &input, (guint8 *) words, error);
  return ok;
}

/* Draws the size of a picture, smaller for large windows. */
static const gint *
draw_size (const Work * self, gconstpointer params, GRand * random)
{
  const gint side = 2 * get_reach (self, params) + 1;
  guint n = g_rand_int_range (random, 0,
      self->sweep->only_small ? SIZE_SMALL : N_SIZES);

  /* The PSNR of approximations needs samples. */
  if (is_approximate (self))
    return self->sizes[SIZE_LARGE];
  while (n > 0 && self->sizes[n][0] * self->sizes[n][1] * side * side
      > MAX_TAPS)
    n--;
  return self->sizes[n];
}

/* Draws a size and contents, and runs @params on it. */
static gboolean
run_drawn (Work * self, gconstpointer params, const OclFormat * format,
    GRand * random, GError ** error)
{
  const PictureContent content = !filters (self)
      ? PICTURE_NOISE + g_rand_int_range (random, 0, 2)
      : is_approximate (self) || g_rand_boolean (random) ? PICTURE_SCENE
      : g_rand_boolean (random) ? PICTURE_EXTREMES : PICTURE_FLAT;

  return run_params (self, params, format, draw_size (self, params, random),
      content, TRUE, random, error);
}

/* Runs each parameter at its limits and at each of its values, on a scene and on
 * a drawn picture. */
static gboolean
run_each_value (Work * self, const OclFormat * format, gconstpointer base,
    GRand * random, GError ** error)
{
  for (const OclParam * param = self->klass->params; param && param->name;
      param++) {
    g_autoptr (GArray) numbers = get_numbers (param);

    for (guint i = 0; i < numbers->len; i++) {
      g_autoptr (OclParams) params =
          ocl_operation_class_copy_params (self->klass, base);

      set_usable (self, format, param, params, g_array_index (numbers, gdouble,
              i));
      if (ocl_params_equal (self->klass->params, self->klass->params_size,
              params, base))
        continue;
      if (!run_drawn (self, params, format, random, error)
          || (!self->sweep->only_small && filters (self)
              && !run_params (self, params, format,
                  self->sizes[is_approximate (self) ? SIZE_LARGE
                      : get_reach (self, params) > 5 ? SIZE_SMALL
                      : SIZE_MEDIUM], PICTURE_SCENE, FALSE, random, error)))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
run_format (Work * self, const OclFormat * format, gboolean each_value,
    GError ** error)
{
  const Sweep *sweep = self->sweep;
  g_autofree gchar *what = g_strdup_printf ("%s %s, %s", self->klass->name,
      self->variant->name, format->name);
  g_autoptr (OclParams) base = create_base (self, format);
  g_autoptr (GRand) random = test_random_new (g_str_hash (what));

  if (!base && self->klass->params_size > 0)
    return TRUE;
  sweep->progress (what, sweep->user_data);
  if (!run_drawn (self, base, format, random, error)
      || (each_value && !run_each_value (self, format, base, random, error)))
    return FALSE;
  for (gint i = 0; i < sweep->n_random; i++) {
    g_autoptr (OclParams) params =
        ocl_operation_class_copy_params (self->klass, base);

    if (params)
      draw_params (self, format, params, random);
    if (!run_drawn (self, params, format, random, error))
      return FALSE;
  }
  return TRUE;
}

/* Sets the parameters from number @n on in @words to the product of their
 * values, and runs the variant with each where it can. */
static gboolean
run_product (Work * self, gchar ** words, guint n, gpointer params,
    guint number, GRand * random, GError ** error)
{
  const OclFormat *format = ocl_format_find (special_cases[number].format);

  if (!words[n]) {
    const gboolean exact = is_usable (self, params, format, G_MAXINT)
        && !is_approximate (self);

    return !exact || run_params (self, params, format,
        self->sizes[special_cases[number].size],
        special_cases[number].content, FALSE, random, error);
  }
  g_auto (GStrv) pair = g_strsplit (words[n], "=", 2);
  g_auto (GStrv) values = g_strsplit (pair[1], "|", -1);
  const OclParam *param = ocl_params_find (self->klass->params, pair[0]);

  g_assert_nonnull (param);
  for (guint i = 0; g_str_equal (pair[1], "*") ? param->values->values[i].nick
      != NULL : values[i] != NULL; i++) {
    g_autoptr (OclParams) next =
        ocl_operation_class_copy_params (self->klass, params);
    g_autofree gchar *matrix = NULL;
    const gchar *text = values[0];
    gint width, height;

    if (g_str_equal (text, "*"))
      text = param->values->values[i].nick;
    else if (sscanf (values[i], "RANDOM:%dx%d", &width, &height) == 2)
      text = matrix = draw_matrix (width, height, MAX_GAIN, random);
    else
      text = values[i];
    if (!ocl_operation_class_parse (self->klass, param, text, next))
      g_error ("%s: %s=%s is no value", self->klass->name, param->name, text);
    if (!run_product (self, words, n + 1, next, number, random, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
run_special_cases (Work * self, GError ** error)
{
  for (guint i = 0; i < G_N_ELEMENTS (special_cases); i++) {
    g_autoptr (GRand) random =
        test_random_new (g_str_hash (self->variant->name) + i);
    const gboolean fits = !self->sweep->formats || g_strv_contains ((const gchar
            * const *) self->sweep->formats, special_cases[i].format);
    g_autoptr (OclParams) params =
        ocl_operation_class_create_params (self->klass);
    g_auto (GStrv) words = g_strsplit (special_cases[i].params, " ", -1);

    if (fits && g_str_equal (special_cases[i].operation, self->klass->name)
        && !run_product (self, words, 0, params, i, random, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns whether frames of @format are run. */
static gboolean
is_format_run (const Work * self, const OclFormat * format)
{
  /* Layouts of programs that read several frames, which are large. */
  static const gchar *const few[] = { "RGBA", "GRAY16_LE", "I420", "NV12",
    "YUY2", NULL
  };
  const Sweep *sweep = self->sweep;
  g_autofree gchar *name = g_strdup_printf ("%s %s %s", self->klass->name,
      self->variant->name, format->name);
  g_autoptr (GRand) random = test_random_new (g_str_hash (name));
  guint n_formats = 0;

  if (sweep->formats)
    return g_strv_contains ((const gchar * const *) sweep->formats,
        format->name);
  if (sweep->all)
    return TRUE;
  while (ocl_formats[n_formats])
    n_formats++;
  const gboolean drawn = g_rand_int_range (random, 0, n_formats)
      < N_DRAWN_FORMATS;
  if (self->klass->get_neighbours)
    return is_slow (self) ? g_strv_contains (few, format->name) && drawn
        : g_strv_contains (few, format->name);
  return drawn || (!is_slow (self) && is_format_usual (format->name));
}

/* The variant whose last form get_general_form() returns. */
static const OclVariant *specialized;

static guint
get_general_form (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_SPECIALIZATIONS])
{
  const guint n =
      ocl_variant_get_specializations (specialized, params, format, forms);

  forms[0] = forms[n - 1];
  return 1;
}

/* Runs the variant with the least and the largest values of its tunables. */
static gboolean
run_tunings (Work * self, const OclFormat * format, GError ** error)
{
  const OclTunable *tunables = self->variant->tunables;
  OclFilter *usual = self->operation;
  gboolean ok = TRUE;

  /* Other tunings may add up in another order than the general program. */
  g_clear_pointer (&self->general, ocl_filter_unref);

  for (guint most = 0; ok && tunables && most < 2; most++) {
    OclTuning tuning = { {0,}
    };

    for (guint i = 0; tunables[i].macro; i++) {
      const gint *value = tunables[i].values;

      while (most && value[1])
        value++;
      tuning.values[i] = *value;
    }
    self->operation = create_forced (self->sweep->context, self->klass,
        self->variant, &tuning);
    self->tuning = ocl_tuning_get_options (&tuning, tunables);
    const guint n_runs = self->results[0].n_runs;
    self->results[0].n_runs = 0;
    ok = run_format (self, format, TRUE, error);
    self->results[0].n_runs += n_runs;
    /* The groups may be too large for the device. */
    g_clear_pointer (&self->skipped, g_free);
    g_clear_pointer (&self->tuning, g_free);
    ocl_filter_unref (self->operation);
  }
  self->operation = usual;
  return ok;
}

static gboolean
run_variant (const Sweep * sweep, const OclOperationClass * klass,
    const OclVariant * variant, GError ** error)
{
  const gboolean takes_long = variant->flags & OCL_VARIANT_FOR_GPU ?
      variant->flags & OCL_VARIANT_APPROXIMATE : klass->get_neighbours != NULL;
  Work self = {.sweep = sweep,.klass = klass,.variant = variant };
  g_autofree gchar *name = g_strconcat (klass->name, variant->name, NULL);
  g_autoptr (GRand) random = test_random_new (g_str_hash (name));
  OclVariant general = *variant;
  const OclFormat *first = NULL;
  gboolean ok = TRUE;

  if (sweep->only_small && takes_long)
    return TRUE;
  for (guint i = 0; i < 2 * N_SIZES; i++)
    self.sizes[i / 2][i % 2] = sizes[i / 2][i % 2]
        + (i < 2 * SIZE_FEW ? 0 : g_rand_int_range (random, 0, 4));

  self.operation = create_forced (sweep->context, klass, variant, NULL);
  if (variant->get_specializations && !(klass->flags & OCL_OPERATION_IS_TEXT)) {
    specialized = variant;
    general.get_specializations = get_general_form;
    self.general = create_forced (sweep->context, klass, &general, NULL);
  }
  for (guint i = 0; i < OCL_N_STORAGES; i++) {
    self.results[i].klass = klass;
    self.results[i].variant = variant;
    self.results[i].storage = i;
    self.checksums[i] = g_checksum_new (G_CHECKSUM_SHA256);
  }
  /* RGBA, or else the first format that is run, has each value. */
  for (gint i = -1; !first && (i < 0 || ocl_formats[i]); i++) {
    const OclFormat *format = i < 0 ? ocl_format_find (FIRST_FORMAT)
        : ocl_formats[i];
    g_autoptr (OclParams) params = create_base (&self, format);

    if ((params || klass->params_size == 0) && (sweep->formats || i >= 0
            ? is_format_run (&self, format) : TRUE))
      first = format;
  }
  if (first)
    ok = run_format (&self, first, TRUE, error);
  for (guint i = 0; ok && ocl_formats[i]; i++) {
    if (ocl_formats[i] != first && is_format_run (&self, ocl_formats[i]))
      ok = run_format (&self, ocl_formats[i], FALSE, error);
  }
  if (ok && !sweep->only_small)
    ok = run_special_cases (&self, error);
  if (ok && sweep->all && first && !self.skipped)
    ok = run_tunings (&self, first, error);
  for (guint i = 0; ok && i < OCL_N_STORAGES; i++) {
    self.results[i].skipped = self.skipped;
    g_strlcpy (self.results[i].checksum,
        g_checksum_get_string (self.checksums[i]),
        sizeof (self.results[i].checksum));
    if (self.results[i].n_runs > 0 || (i == 0 && self.skipped)
        || self.results[i].n_unsupported > 0)
      sweep->report (&self.results[i], sweep->user_data);
  }
  for (guint i = 0; i < OCL_N_STORAGES; i++)
    g_checksum_free (self.checksums[i]);
  ocl_filter_unref (self.operation);
  g_clear_pointer (&self.general, ocl_filter_unref);
  g_free (self.skipped);
  return ok;
}

gboolean
sweep_run (const Sweep * sweep, GError ** error)
{
  harness_end_on_errors ();
  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];

    if (sweep->operations
        && !g_strv_contains ((const gchar * const *) sweep->operations,
            klass->name))
      continue;
    for (guint j = 0; klass->variants[j]; j++) {
      const OclVariant *variant = klass->variants[j];
      const gchar *const *names = (const gchar * const *) sweep->variants;

      if (names ? g_strv_contains (names, variant->name)
          || g_strv_contains (names, "all") : sweep->all
          || variant_suits (variant, sweep->context->device)) {
        if (!run_variant (sweep, klass, variant, error))
          return FALSE;
      }
    }
  }
  return TRUE;
}
