/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the kernels of kernels/examples in every variant, on formats of every
 * layout, with every border, and with previous frames, and compares the results
 * with the same text compiled as C with doubles. */

#include <math.h>

#include "testcase.h"
#include "references.h"
#include "opencl/user/ocluser.h"
#include "opencl/user/oclusersource.h"
#include "picture.h"
#include "reference.h"
#include "referencekernel.h"
#include "testrandom.h"

#define WIDTH 37
#define HEIGHT 13
#define N_FRAMES 3

/* Levels that a result may be off by, rounded. */
#define TOLERANCE 1.0

/* A kernel may choose between values that are this near to one another. */
#define NEAR 1e-6

TEST_CONTEXT ();

/* A sequence of frames, the newest one last, and the values outside. */
typedef struct
{
  Picture frames[N_FRAMES];
  guint n;
  const OclFormat *format;
  OclUserParams params;
  GRand *random;                /* or NULL. Makes the read values inexact */
  guint channel;                /* of the pass that is computed */
} Sequence;

static gdouble
get_alpha (const Picture * picture, gint x, gint y)
{
  return picture_get_row (picture, 0, y)[4 * x + 3] / 255.0;
}

static gdouble
disturb (const Sequence * self, gdouble value)
{
  return self->random
      ? value + g_rand_double_range (self->random, -NEAR, NEAR) : value;
}

static double
get_component (const void *data, int age, int channel, int x, int y)
{
  const Sequence *self = data;
  const guint border_color = self->params.border.color;
  const Picture *picture =
      &self->frames[self->n - 1 - MIN ((guint) age, self->n - 1)];
  const gdouble max_level = ocl_format_get_max_level (self->format);
  const ReferenceBorder border = (ReferenceBorder) self->params.border.mode;
  const guint first = channel == 3 ? 0 : channel;

  x = reference_border_index (border, x, picture_get_width (picture, first));
  y = reference_border_index (border, y, picture_get_height (picture, first));
  if (x < 0 || y < 0)
    return disturb (self, channel == 3 ? (border_color >> 24) / 255.0
        : reference_get_border_level (self->format, channel, border_color)
        / max_level);
  return disturb (self, channel == 3 ? get_alpha (picture, x, y)
      : picture_get_level (picture, channel, x, y) / max_level);
}

/* The mean luma of the pixels of a sample. */
static double
get_luma (const void *data, int x, int y)
{
  const Sequence *self = data;
  const Picture *picture = &self->frames[self->n - 1];
  const OclFormat *format = self->format;
  const ReferenceBorder border = (ReferenceBorder) self->params.border.mode;
  const gboolean chroma = self->channel > 0;
  const gint columns = chroma ? 1 << format->chroma_x_shift : 1;
  const gint rows = chroma ? 1 << format->chroma_y_shift : 1;
  gdouble sum = 0.0;
  gint n = 0;

  x = reference_border_index (border, x,
      picture_get_width (picture, self->channel));
  y = reference_border_index (border, y,
      picture_get_height (picture, self->channel));
  if (x < 0 || y < 0)
    return disturb (self, reference_get_border_level (format, 0,
            self->params.border.color) / ocl_format_get_max_level (format));
  for (gint j = y * rows; j < MIN ((y + 1) * rows, HEIGHT); j++) {
    for (gint i = x * columns; i < MIN ((x + 1) * columns, WIDTH); i++) {
      sum += picture_get_level (picture, 0, i, j);
      n++;
    }
  }
  return disturb (self, sum / n / ocl_format_get_max_level (format));
}

/* The result of the kernel for a sample, as a level. @channel 3 is alpha. */
static gdouble
compute (Sequence * self, ReferenceKernel kernel, guint channel, gint x, gint y)
{
  const gboolean rgb = self->format->model == OCL_MODEL_RGB;
  const guint plane = channel == 3 ? 0 : channel;
  const ReferenceKernelPlanes planes = {
    .width = picture_get_width (&self->frames[0], plane),
    .height = picture_get_height (&self->frames[0], plane),
    .get = get_component,.get_luma = get_luma,.data = self
  };
  const ReferenceKernelPoint point = {.planes = &planes,.x = x,.y = y,
    .channel = rgb ? -1 : (gint) channel,.values = self->params.values
  };
  gdouble result[4];

  self->channel = plane;
  kernel (&point, result);
  return CLAMP (result[rgb ? channel : 0], 0.0, 1.0)
      * ocl_format_get_max_level (self->format);
}

/* Whether a result is right if the values that the kernel chooses from differ
 * by less than they may. */
static gboolean
is_near_choice (Sequence * self, ReferenceKernel kernel, guint channel,
    gint x, gint y, gdouble found)
{
  gboolean near = FALSE;

  self->random = test_random_new (1);
  for (gint i = 0; i < 20 && !near; i++)
    near = fabs (compute (self, kernel, channel, x, y) - found)
        <= TOLERANCE + 0.5;
  g_clear_pointer (&self->random, g_rand_free);
  return near;
}

static void
check_sample (Sequence * self, ReferenceKernel kernel, guint channel, gint x,
    gint y, gdouble found, const gchar * what)
{
  const gdouble wanted = compute (self, kernel, channel, x, y);

  if (!(fabs (found - rint (wanted)) <= TOLERANCE)
      && !is_near_choice (self, kernel, channel, x, y, found))
    g_error ("%s: channel %u at %d,%d is %g, the reference %.4f", what,
        channel, x, y, found, wanted);
}

static gboolean
is_filtered (const Sequence * self, guint channel)
{
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (&ocl_user_class,
      &self->params, self->format, passes);

  for (guint i = 0; i < n; i++) {
    if (channel >= passes[i].first_channel
        && channel < passes[i].first_channel + passes[i].n_channels)
      return TRUE;
  }
  return FALSE;
}

static void
check_output (Sequence * self, ReferenceKernel kernel,
    const Picture * output, const gchar * what)
{
  const Picture *input = &self->frames[self->n - 1];
  const gboolean alpha = ocl_user_source_of (self->params.source)->alpha;

  for (guint c = 0; c < picture_count_channels (self->format); c++) {
    if (!is_filtered (self, c)) {
      picture_assert_copied (output, input, c);
      continue;
    }
    for (gint y = 0; y < picture_get_height (output, c); y++) {
      for (gint x = 0; x < picture_get_width (output, c); x++)
        check_sample (self, kernel, c, x, y,
            picture_get_level (output, c, x, y), what);
    }
  }
  for (gint n = 0; g_str_equal (self->format->name, "RGBA")
      && n < WIDTH * HEIGHT; n++) {
    const gint x = n % WIDTH, y = n / WIDTH;
    const gdouble found = rint (255.0 * get_alpha (output, x, y));

    if (alpha)
      check_sample (self, kernel, 3, x, y, found, what);
    else
      g_assert_cmpfloat (found, ==, rint (255.0 * get_alpha (input, x, y)));
  }
}

/* A kernel in a variant. */
typedef struct
{
  const gchar *name;
  const OclVariant *variant;
} Subject;

static void
set_text (OclUserParams * params, const gchar * name, const gchar * value)
{
  const OclParam *param = ocl_params_find (ocl_user_class.params, name);
  GError *error = NULL;

  g_assert_true (ocl_param_parse (param, value, params));
  ocl_operation_class_changed (&ocl_user_class, params, param, &error);
  g_assert_no_error (error);
}

static void
set_location (OclUserParams * params, const gchar * name)
{
  g_autofree gchar *path = g_strdup_printf (KERNELS "/%s.cl", name);

  ocl_params_clear (ocl_user_class.params, params);
  ocl_params_init (ocl_user_class.params, params);
  set_text (params, "location", path);
}

static void
check_sequence (const Subject * subject, Sequence * sequence,
    OclStorage storage)
{
  const OclFormat *format = sequence->format;
  g_autoptr (OclFilter) operation =
      create_forced (context, &ocl_user_class, subject->variant, NULL);
  g_autofree gchar *what = g_strdup_printf ("%s, %s of %s in %s, border %d",
      subject->name, subject->variant->name, format->name,
      storage == OCL_STORAGE_IMAGE ? "images" : "buffers",
      sequence->params.border.mode);

  for (sequence->n = 1; sequence->n <= N_FRAMES; sequence->n++) {
    Picture *frame = &sequence->frames[sequence->n - 1];

    *frame = picture_new_scene (format, WIDTH, HEIGHT, sequence->n);
    frame->frame.info.storage = storage;
    g_auto (Picture) output = picture_copy (frame);
    picture_run (operation, &sequence->params, frame, &output, storage);
    picture_assert_margins (&output);
    check_output (sequence, reference_kernel_find (subject->name), &output,
        what);
  }
  for (guint i = 0; i < N_FRAMES; i++)
    picture_clear (&sequence->frames[i]);
}

static void
test_example (gconstpointer data)
{
  static const gchar *const formats[] = { "RGBA", "I420", "P010_10LE", "GRAY8",
    "ARGB64", "NV21"
  };
  const Subject *subject = data;
  const OclVariantFlags suits = context->device->type & CL_DEVICE_TYPE_CPU
      ? OCL_VARIANT_FOR_CPU : OCL_VARIANT_FOR_GPU;
  const guint n_formats = subject->variant->flags & suits ? 6 : 2;
  Sequence sequence = { 0, };

  set_location (&sequence.params, subject->name);
  for (guint i = 0; i < n_formats; i++) {
    sequence.format = ocl_format_find (formats[i]);
    sequence.params.border.mode = i % 5;
    sequence.params.border.color = HARNESS_BORDER_COLOR;
    if (!ocl_operation_class_check (&ocl_user_class, &sequence.params,
            sequence.format, NULL))
      continue;
    check_sequence (subject, &sequence, OCL_STORAGE_BUFFER);
    if (i == 0 && !is_left_out (OCL_STORAGE_IMAGE)
        && picture_has_images (context, sequence.format))
      check_sequence (subject, &sequence, OCL_STORAGE_IMAGE);
  }
}

void
test_set_up (void)
{
  static const gchar *const names[] = { EXAMPLES };
  const OclVariant *variant;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    for (guint j = 0; (variant = ocl_user_class.variants[j]); j++) {
      const Subject subject = { names[i], variant };
      g_autofree gchar *path = g_strdup_printf ("/%s/%s", names[i],
          variant->name);

      g_test_add_data_func_full (path, g_memdup2 (&subject, sizeof (subject)),
          test_example, g_free);
    }
  }
}
