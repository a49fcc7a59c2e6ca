/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramid.h"

/* A level has two places: g(k), and then what l(k) is changed to; l(k), and
 * then o(k). */
#define N_PLACES 2

#define MAX_BANDS (OCL_PYRAMID_MAX_LEVELS + 1)

struct _OclPyramid
{
  OclContext *context;
  const OclPyramidKernels *kernels;
  gpointer object;
  OclPass pass;
  OclStorage storage;
  OclFormat level_format;
  OclFormat difference_format;
  OclLevels levels[N_PLACES];
  guint n_levels;
  OclFrame frames[N_PLACES][MAX_BANDS];
  guint places[MAX_BANDS];      /* where each band is */
};

void
ocl_pyramid_free (OclPyramid * self)
{
  if (self->object)
    self->kernels->free (self->object);
  for (guint i = 0; i < N_PLACES; i++)
    ocl_levels_clear (&self->levels[i]);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Whether the device has what levels are to be in. */
static gboolean
ocl_pyramid_check_images (OclPyramid * self, GError ** error)
{
  gboolean supported = TRUE;

  if (self->storage == OCL_STORAGE_BUFFER)
    return TRUE;
  if (!ocl_context_supports_image (self->context,
          ocl_format_get_image_format (&self->level_format, 0), &supported,
          error))
    return FALSE;
  if (!supported)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no images of floats.", self->context->device->name);
  return supported;
}

OclPyramid *
ocl_pyramid_new (OclContext * context, const OclPyramidKernels * kernels,
    const OclBuild * build, OclStorage storage, GError ** error)
{
  OclPyramid *self = g_new0 (OclPyramid, 1);

  self->context = ocl_context_ref (context);
  self->kernels = kernels;
  self->pass = build->pass;
  self->storage = storage;
  ocl_levels_init_format (&self->level_format, build->format, &build->pass,
      storage, FALSE);
  ocl_levels_init_format (&self->difference_format, build->format,
      &build->pass, storage, TRUE);
  if (ocl_pyramid_check_images (self, error))
    self->object = kernels->new (context, build, storage, error);
  if (!self->object)
    g_clear_pointer (&self, ocl_pyramid_free);
  return self;
}

OclBuild
ocl_pyramid_get_build (OclPyramid * self)
{
  const OclBuild build = {
    .format = &self->difference_format,.storage = self->storage,
    .pass = self->pass,
  };

  return build;
}

guint
ocl_pyramid_count_levels (gint width, gint height)
{
  guint n = 1;

  while (ocl_format_count_samples (MAX (width, height), n) > 1)
    n++;
  return n;
}

/* Descriptions of the levels: differences, but for the last. */
static void
ocl_pyramid_describe (OclPyramid * self, const OclFrame * like, guint n_levels)
{
  self->n_levels = n_levels;
  for (guint place = 0; place < N_PLACES; place++) {
    for (guint k = 0; k <= n_levels; k++) {
      OclFrame *frame = &self->frames[place][k];

      *frame = *ocl_levels_get (&self->levels[place], k, 0);
      frame->colorimetry = like->colorimetry;
      frame->format = k < n_levels
          ? &self->difference_format : &self->level_format;
    }
  }
}

static gboolean
ocl_pyramid_ensure (OclPyramid * self, const OclFrame * like, guint n_levels,
    GError ** error)
{
  const gint width = ocl_pass_get_width (&self->pass, like);
  const gint height = ocl_pass_get_height (&self->pass, like);

  g_assert (n_levels >= 1 && n_levels <= OCL_PYRAMID_MAX_LEVELS);
  for (guint i = 0; i < N_PLACES; i++) {
    if (!ocl_levels_ensure (&self->levels[i], self->context, self->storage,
            &self->difference_format, &self->pass, width, height, n_levels + 1,
            1, error))
      return FALSE;
  }
  ocl_pyramid_describe (self, like, n_levels);
  return TRUE;
}

/* The colour of the constant border, luma first where there is luma. */
static cl_float4
ocl_pyramid_get_outside (OclPyramid * self, const OclFrame * frame,
    const OclBorder * border)
{
  cl_float4 outside = ocl_pass_get_color (&self->pass, frame, border->color);

  if (self->pass.guided) {
    outside.s[2] = outside.s[1];
    outside.s[1] = outside.s[0];
    outside.s[0] = ocl_format_convert_color (frame->format,
        &frame->colorimetry, border->color).s[OCL_CHANNEL_LUMA];
  }
  return outside;
}

/* What is common to the steps between level @k and the one above. */
static void
ocl_pyramid_begin_step (OclPyramid * self, OclPyramidStep * step,
    const OclFrame * frame, guint k, const OclBorder * border, OclTimer * timer)
{
  const OclFrame *coarse = &self->frames[0][k + 1];
  const OclFrame *fine = &self->frames[0][k];

  step->is_outer = k == 0;
  step->width = ocl_pass_get_width (&self->pass, fine);
  step->height = ocl_pass_get_height (&self->pass, fine);
  step->coarse_width = ocl_pass_get_width (&self->pass, coarse);
  step->coarse_height = ocl_pass_get_height (&self->pass, coarse);
  step->border = border->mode;
  step->outside = ocl_pyramid_get_outside (self, frame, border);
  step->timer = timer;
}

gboolean
ocl_pyramid_enqueue_decompose (OclPyramid * self, const OclFrame * input,
    guint n_levels, const OclBorder * border, OclTimer * timer, GError ** error)
{
  if (!ocl_pyramid_ensure (self, input, n_levels, error))
    return FALSE;
  for (guint k = 0; k < n_levels; k++) {
    OclPyramidStep step = { 0, };

    ocl_pyramid_begin_step (self, &step, input, k, border, timer);
    step.fine = k == 0 ? input : &self->frames[0][k];
    step.coarse = &self->frames[0][k + 1];
    step.band = &self->frames[1][k];
    step.kind = OCL_PYRAMID_REDUCE;
    if (!self->kernels->enqueue (self->object, &step, error))
      return FALSE;
    step.kind = OCL_PYRAMID_SUBTRACT;
    if (!self->kernels->enqueue (self->object, &step, error))
      return FALSE;
    self->places[k] = 1;
  }
  self->places[n_levels] = 0;
  return TRUE;
}

const OclFrame *
ocl_pyramid_get_band (OclPyramid * self, guint band)
{
  return &self->frames[self->places[band]][band];
}

const OclFrame *
ocl_pyramid_get_free (OclPyramid * self, guint band)
{
  return &self->frames[1 - self->places[band]][band];
}

void
ocl_pyramid_exchange (OclPyramid * self, guint band)
{
  self->places[band] = 1 - self->places[band];
}

gboolean
ocl_pyramid_enqueue_reconstruct (OclPyramid * self, const OclFrame * input,
    const OclFrame * output, const gdouble * gains, gdouble offset,
    const OclBorder * border, OclTimer * timer, GError ** error)
{
  const guint n = self->n_levels;

  for (guint k = n; k-- > 0;) {
    const gboolean is_first = k == n - 1;
    OclPyramidStep step = {.kind = OCL_PYRAMID_ADD };

    ocl_pyramid_begin_step (self, &step, input, k, border, timer);
    step.band = ocl_pyramid_get_band (self, k);
    step.fine = k == 0 ? input : step.band;
    /* What was put together is where there was nothing. */
    step.coarse = is_first ? ocl_pyramid_get_band (self, n)
        : ocl_pyramid_get_free (self, k + 1);
    step.output = k == 0 ? output : ocl_pyramid_get_free (self, k);
    step.gain = gains[k];
    step.coarse_gain = is_first ? gains[n] : 1.0;
    step.offset = k == 0 ? offset : 0.0;
    for (guint i = 0; i < G_N_ELEMENTS (step.outside.s) && !is_first; i++)
      step.outside.s[i] *= gains[n];
    if (!self->kernels->enqueue (self->object, &step, error))
      return FALSE;
  }
  return TRUE;
}
